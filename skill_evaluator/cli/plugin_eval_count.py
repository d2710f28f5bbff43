"""How far the runs of a suite are: lines at the foot of a terminal, a plain line a minute elsewhere."""

import time

from skill_evaluator.cli.bar import foot_of
from skill_evaluator.cli.console import say
from skill_evaluator.cli.foot import Foot, can_draw
from skill_evaluator.cli.tally import Counted, Tally
from skill_evaluator.texts import ntr, tr

PASSED, FAILED, ERROR = "passed", "failed", "error"
_STATES: tuple[tuple[str, Counted], ...] = (
    (PASSED, lambda n: tr("{n} passed", n=n)),
    (FAILED, lambda n: tr("{n} not passed", n=n)),
    (ERROR, lambda n: ntr("{n} error", "{n} errors", n)),
)
_QUIET_S = 60.0  # a log tells of each run anyway, and needs no more than this


class RunCount:
    """Counts runs that ended, by what came of them, with cost and time; what is told meanwhile stands above it."""

    def __init__(self) -> None:
        self._tally: Tally | None = None
        self._foot: Foot | None = None
        self._said_s = 0.0

    def begin(self, total: int) -> None:
        """Start counting; at a terminal the lines move by themselves from here on.

        Args:
            total: Runs planned.
        """
        if not total:
            return
        tally = self._tally = Tally(total, _STATES)
        self._said_s = time.monotonic()
        if can_draw():
            self._foot = Foot(lambda width: foot_of(tally, width))
            self._foot.begin()

    def add(self, state: str, cost_usd: float) -> None:
        """Count a run.

        Args:
            state: `PASSED`, `FAILED` or `ERROR`.
            cost_usd: What it cost; 0 where it does not tell.
        """
        if self._tally is None:
            return
        self._tally.add(state, cost_usd or None, may_lack_cost=True)
        now_s = time.monotonic()
        if self._foot is None and now_s - self._said_s >= _QUIET_S:
            say(self._tally.line(now_s=now_s))
            self._said_s = now_s

    def end(self) -> None:
        """Take the lines away for good."""
        if self._foot is not None:
            self._foot.end()
            self._foot = None

"""How far a run is: what came of the runs so far, what they cost, how long it took, and how long it will."""

import time
from collections import Counter
from collections.abc import Callable, Sequence

from skill_evaluator.cli.wording import listed, together
from skill_evaluator.report.numbers import clock as as_clock
from skill_evaluator.report.numbers import usd
from skill_evaluator.texts import ntr, tr

_TELLING_S = 5.0  # what takes less needs no clock

Counted = Callable[[int], str]


class Tally:
    """Counts finished runs.

    Args:
        total: Runs planned.
        states: Words the number of runs of each state, in the order told.
        clock: Gives seconds that only grow.

    Attributes:
        counts: Finished runs by state.
        began_s: When it began, by the clock.
    """

    def __init__(
        self, total: int, states: Sequence[tuple[str, Counted]], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.total = total
        self.counts: Counter[str] = Counter()
        self._states = states
        self._clock = clock
        self.began_s = clock()
        self._cost_usd: float | None = None
        self._is_cost_whole = True

    @property
    def finished(self) -> int:
        """How many runs have finished."""
        return self.counts.total()

    def add(self, state: str, cost_usd: float | None, *, may_lack_cost: bool = False) -> None:
        """Count a run.

        Args:
            state: What came of it.
            cost_usd: What it cost, or None where it does not tell.
            may_lack_cost: Whether one that does not tell is not missed, as a failed one is not.
        """
        self.counts[state] += 1
        if cost_usd is not None:
            self._cost_usd = (self._cost_usd or 0.0) + cost_usd
        elif not may_lack_cost:
            self._is_cost_whole = False

    def outcome(self) -> str:
        """Word how many runs came to what; empty before the first."""
        return listed(word(self.counts[state]) for state, word in self._states if self.counts[state])

    def cost(self) -> str:
        """Word what the runs cost as far as they tell; empty where none does."""
        if self._cost_usd is None:
            return ""
        cost = usd(self._cost_usd)
        return tr("{cost} so far", cost=cost) if self._is_cost_whole else tr("at least {cost} so far", cost=cost)

    def times(self, *, now_s: float | None = None) -> str:
        """Word how long it has taken, and how long it will still at this pace; empty in the first seconds."""
        elapsed_s = (self._clock() if now_s is None else now_s) - self.began_s
        if elapsed_s < _TELLING_S:
            return ""
        elapsed = as_clock(elapsed_s)
        left = self.total - self.finished
        if not self.finished or left <= 0:
            return elapsed
        rest = as_clock(elapsed_s / self.finished * left)
        return tr("{elapsed}, about {rest} to go", elapsed=elapsed, rest=rest)

    def line(self, *, now_s: float | None = None) -> str:
        """Say all of it in one line, as a log gets it."""
        done = tr("{finished}/{total} runs: {counts}", finished=self.finished, total=self.total, counts=self.outcome())
        return together([done, self.cost(), self.times(now_s=now_s)])

    def share(self) -> float:
        """Share of the planned runs that have finished, 0..1."""
        return self.finished / self.total if self.total else 1.0


TRIGGERED, SILENT, ANSWERED, ERROR, UNKNOWN = "triggered", "not triggered", "answered", "error", "unknown"
STATES_OF_RUNS: tuple[tuple[str, Counted], ...] = (
    (TRIGGERED, lambda n: tr("{n} triggered", n=n)),
    (SILENT, lambda n: tr("{n} not triggered", n=n)),
    (ANSWERED, lambda n: tr("{n} answered", n=n)),
    (ERROR, lambda n: ntr("{n} error", "{n} errors", n)),
    (UNKNOWN, lambda n: tr("{n} unknown", n=n)),
)

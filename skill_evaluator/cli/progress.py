"""How far a run is: a bar at a terminal, a plain line now and then elsewhere."""

import contextlib
import time
from collections.abc import Callable, Iterator

from skill_evaluator.api.review import ReviewNews
from skill_evaluator.cli.bar import foot_of
from skill_evaluator.cli.console import say
from skill_evaluator.cli.foot import Foot, can_draw
from skill_evaluator.cli.news import PLAIN_LINES, review_text, telling_review
from skill_evaluator.cli.tally import ANSWERED, ERROR, SILENT, STATES_OF_RUNS, TRIGGERED, UNKNOWN, Tally
from skill_evaluator.model import Run

_State = Callable[[Run], str]
_QUIET_S = 60.0  # and after so many seconds without one it gets another with the next run


class Watched:
    """Is told of each finished run, and of each call of judge and analyst, and shows how far they are.

    Args:
        on_run: Told of a run.
        on_review: Told of a call.
    """

    def __init__(self, on_run: Callable[[Run], None], on_review: Callable[[ReviewNews], None]) -> None:
        self._on_run = on_run
        self.reviewed = on_review

    def __call__(self, run: Run) -> None:
        """Count a run."""
        self._on_run(run)


@contextlib.contextmanager
def showing_progress(total: int, *, quiet: bool, by_trigger: bool = True) -> Iterator[Watched]:
    """Give what is to be told of each finished run.

    Args:
        total: Runs planned.
        quiet: Show nothing at all.
        by_trigger: Whether it counts if the skill fired, rather than that there is an answer.
    """
    state = _state if by_trigger else _answered
    if quiet:
        yield Watched(lambda _run: None, telling_review(quiet=True))
    elif can_draw():
        with _bar(total, state) as watched:
            yield watched
    else:
        yield Watched(plain_progress(total, state=state), telling_review(quiet=False))


@contextlib.contextmanager
def _bar(total: int, state: _State) -> Iterator[Watched]:
    tally, besides = Tally(total, STATES_OF_RUNS), ""

    def review(news: ReviewNews) -> None:
        nonlocal besides
        besides = review_text(news)

    foot = Foot(lambda width: foot_of(tally, width, besides=besides))
    foot.begin()
    try:
        yield Watched(lambda run: _add(tally, run, state), review)
    finally:
        foot.end()


def plain_progress(
    total: int, *, clock: Callable[[], float] = time.monotonic, state: _State | None = None
) -> Callable[[Run], None]:
    """Give a function that writes a line now and then.

    Args:
        total: Runs planned.
        clock: Gives seconds that only grow.
        state: Names what came of a run; None says whether the skill fired.
    """
    tally = Tally(total, STATES_OF_RUNS, clock=clock)
    step = max(1, -(-total // PLAIN_LINES))
    said_s = tally.began_s

    def advance(run: Run) -> None:
        nonlocal said_s
        _add(tally, run, state or _state)
        now_s = clock()
        if tally.finished % step == 0 or tally.finished == total or now_s - said_s >= _QUIET_S:
            say(tally.line(now_s=now_s))
            said_s = now_s

    return advance


def _add(tally: Tally, run: Run, state: _State) -> None:
    cost_usd = None if run.usage is None else run.usage.cost_usd
    tally.add(state(run), cost_usd, may_lack_cost=run.failure is not None)


def _state(run: Run) -> str:
    if run.failure is not None:
        return ERROR
    return {True: TRIGGERED, False: SILENT, None: UNKNOWN}[run.triggered]


def _answered(run: Run) -> str:
    return ERROR if run.failure is not None else ANSWERED

"""How far a run is: a bar at a terminal, a plain line now and then elsewhere."""

import contextlib
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import assert_never

from skill_evaluator.agents.messages.batch_terms import BatchNews
from skill_evaluator.api.review import ReviewNews
from skill_evaluator.cli.console import say
from skill_evaluator.model import Run, one_line
from skill_evaluator.runner.canary import CANARY_CALLS

_PLAIN_LINES = 10  # how many lines a log gets at the most, where runs are quick
_STATES = ("triggered", "not triggered", "answered", "error", "unknown")  # in the order told
_State = Callable[[Run], str]
_QUIET_S = 60.0  # and after so many seconds without one it gets another with the next run
_FIRST_LOOK_S = 30.0  # of waiting, before a batch that goes on is told of again; then twice as long each time


@contextlib.contextmanager
def showing_progress(total: int, *, quiet: bool, by_trigger: bool = True) -> Iterator[Callable[[Run], None]]:
    """Give a function to be told of each finished run.

    Args:
        total: Runs planned.
        quiet: Show nothing at all.
        by_trigger: Whether it counts if the skill fired, rather than that there is an answer.
    """
    state = _state if by_trigger else _answered
    if quiet:
        yield lambda _run: None
    elif sys.stderr.isatty():
        with _bar(total, state) as advance:
            yield advance
    else:
        yield plain_progress(total, state=state)


def telling_retries(*, quiet: bool) -> Callable[[Run, float], None]:
    """Give a function to be told of failed calls that are tried again; it says each kind of failure once.

    Args:
        quiet: Say nothing at all.
    """
    told: set[str] = set()

    def tell(run: Run, wait_s: float) -> None:
        failure = "" if run.failure is None else f"{run.failure.kind}: {run.failure.message}"
        if not quiet and failure not in told:
            told.add(failure)
            say(one_line(f"a call failed ({failure}); it is tried again in {wait_s:.0f} s"))

    return tell


def telling_canary(*, quiet: bool) -> Callable[[int, Run | None], None]:
    """Give a function to be told of the canary's questions: a sign of life before the first run has finished.

    Args:
        quiet: Say nothing at all.
    """

    def tell(number: int, run: Run | None) -> None:
        if quiet:
            return
        question = f"canary: question {number} of {CANARY_CALLS}"
        if run is None:
            say(f"{question} is asked ...")
        elif run.failure is None:
            say(f"{question} was answered")
        else:
            say(one_line(f"{question} failed ({run.failure.kind}: {run.failure.message})"))

    return tell


def telling_review(*, quiet: bool) -> Callable[[ReviewNews], None]:
    """Give a function to be told of each call of the judge and of the analyst.

    Args:
        quiet: Say nothing at all.
    """

    def tell(news: ReviewNews) -> None:
        counts = {"answered": news.answered, "failed": news.failed, "not asked": news.not_asked}
        over, step = sum(counts.values()), max(1, -(-news.planned // _PLAIN_LINES))
        if not quiet and (over % step == 0 or over == news.planned):
            told = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
            say(f"{news.who}: {over}/{news.planned} calls: {told}")

    return tell


def telling_batches(*, quiet: bool) -> Callable[[BatchNews], None]:
    """Give a function to be told of message batches; one that is left behind is named in any case, since it costs.

    Args:
        quiet: Say nothing else.
    """
    told_s = _FIRST_LOOK_S

    def tell(news: BatchNews) -> None:
        nonlocal told_s
        if news.state == "waiting":
            if news.waited_s < told_s:
                return
            told_s = 2 * news.waited_s
        if not quiet or news.state in {"left", "lost", "refused"}:
            say(one_line(_batch_text(news)))

    return tell


def _batch_text(news: BatchNews) -> str:
    batch = f"{f'batch {news.id}'.strip()} ({news.requests} request{'' if news.requests == 1 else 's'})"
    failure = news.failure.message if news.failure else ""
    match news.state:
        case "submitted":
            return f"{batch} was submitted; it may take a day, and --resume fetches it should this be ended before"
        case "waiting":
            return f"{batch} has not ended after {news.waited_s:.0f} s of waiting"
        case "poll_failed":
            return f"{batch} could not be asked for ({failure}); it is tried again"
        case "fetched":
            unknown = f"; {news.unknown} results of other requests in it are ignored" if news.unknown else ""
            return f"{batch} has ended and was fetched{unknown}"
        case "lost" | "refused":
            what, then = ("could not be fetched", "; --resume tries again") if news.id else ("was not taken", "")
            return f"{batch} {what} ({failure}): its runs are errors{then}"
        case "left":
            return f"{batch} goes on at the server and is paid for; --resume fetches it"
        case _:
            assert_never(news.state)


@contextlib.contextmanager
def _bar(total: int, state: _State) -> Iterator[Callable[[Run], None]]:
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import (  # noqa: PLC0415 - only a terminal needs it
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    counts: Counter[str] = Counter()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)

        def advance(run: Run) -> None:
            counts[state(run)] += 1
            progress.update(task, advance=1, description=_summary(counts))

        yield advance


def plain_progress(
    total: int, *, clock: Callable[[], float] = time.monotonic, state: _State | None = None
) -> Callable[[Run], None]:
    """Give a function that writes a line now and then.

    Args:
        total: Runs planned.
        clock: Gives seconds that only grow.
        state: Names what came of a run; None says whether the skill fired.
    """
    state_of = state or _state
    counts: Counter[str] = Counter()
    step = max(1, -(-total // _PLAIN_LINES))
    said_s = clock()

    def advance(run: Run) -> None:
        nonlocal said_s
        counts[state_of(run)] += 1
        finished = counts.total()
        if finished % step == 0 or finished == total or clock() - said_s >= _QUIET_S:
            say(f"{finished}/{total} runs: {_summary(counts)}")
            said_s = clock()

    return advance


def _state(run: Run) -> str:
    if run.failure is not None:
        return "error"
    return {True: "triggered", False: "not triggered", None: "unknown"}[run.triggered]


def _answered(run: Run) -> str:
    return "error" if run.failure is not None else "answered"


def _summary(counts: Counter[str]) -> str:
    return ", ".join(f"{counts[state]} {state}" for state in _STATES if counts[state])

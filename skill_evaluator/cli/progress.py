"""How far a run is: a bar at a terminal, a plain line now and then elsewhere."""

import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator

from skill_evaluator.cli.console import say
from skill_evaluator.model import Run, one_line

_PLAIN_LINES = 10  # how many lines a log gets at the most


@contextlib.contextmanager
def showing_progress(total: int, *, quiet: bool) -> Iterator[Callable[[Run], None]]:
    """Give a function to be told of each finished run.

    Args:
        total: Runs planned.
        quiet: Show nothing at all.
    """
    if quiet:
        yield lambda _run: None
    elif sys.stderr.isatty():
        with _bar(total) as advance:
            yield advance
    else:
        yield _plain(total)


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


@contextlib.contextmanager
def _bar(total: int) -> Iterator[Callable[[Run], None]]:
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
            counts[_state(run)] += 1
            progress.update(task, advance=1, description=_summary(counts))

        yield advance


def _plain(total: int) -> Callable[[Run], None]:
    counts: Counter[str] = Counter()
    step = max(1, -(-total // _PLAIN_LINES))

    def advance(run: Run) -> None:
        counts[_state(run)] += 1
        finished = counts.total()
        if finished % step == 0 or finished == total:
            say(f"{finished}/{total} runs: {_summary(counts)}")

    return advance


def _state(run: Run) -> str:
    if run.failure is not None:
        return "error"
    return {True: "triggered", False: "not triggered", None: "unknown"}[run.triggered]


def _summary(counts: Counter[str]) -> str:
    return ", ".join(
        f"{counts[state]} {state}" for state in ("triggered", "not triggered", "error", "unknown") if counts[state]
    )

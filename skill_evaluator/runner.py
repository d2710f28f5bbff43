"""Asks the agent every case as often as planned, in an order shuffled by the seed.

A run that ends is handed on at once, so that a signal loses only what was under way.
"""

import asyncio
import contextlib
import random
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING

from skill_evaluator.errors import EvaluatorError
from skill_evaluator.model import Agent, Arm, Case, Run

if TYPE_CHECKING:
    from signal import _HANDLER

_STOPPING = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedRun:
    """One question to ask once."""

    case: Case
    arm: Arm
    index: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Executed:
    """What came of a plan.

    Attributes:
        runs: The finished runs, each with its case, in the order they finished.
        stopped_by: Name of the signal that ended it early, or None.
    """

    runs: tuple[tuple[Case, Run], ...]
    stopped_by: str | None = None


OnFinished = Callable[[Case, Run], Run]


def plan_runs(cases: Sequence[Case], *, runs: int, seed: int) -> tuple[PlannedRun, ...]:
    """Lay out `runs` repetitions of every case in a shuffled order that depends on the seed alone.

    Args:
        cases: What is asked.
        runs: Repetitions of each case, >= 1.
        seed: Any whole number.
    """
    plan = [PlannedRun(case=case, arm=Arm.WITH, index=index) for case in cases for index in range(runs)]
    random.Random(seed).shuffle(plan)  # noqa: S311 - an order, no secret
    return tuple(plan)


def execute(plan: Sequence[PlannedRun], agent: Agent, *, concurrency: int, on_finished: OnFinished) -> Executed:
    """Work a plan off; SIGINT and SIGTERM end it early and are told, not raised.

    Args:
        plan: What to ask, in order.
        agent: Who is asked.
        concurrency: Runs under way at once, >= 1; it never changes an answer.
        on_finished: Called with each finished run, in this thread; what it returns is what counts.

    Returns:
        What had finished, all of it when no signal came.

    Raises:
        EvaluatorError: What `on_finished` or the agent raised as such; nothing new was started after it.
    """
    try:
        return asyncio.run(_execute(plan, agent, concurrency, on_finished))
    except ExceptionGroup as group:
        expected, bugs = group.split(EvaluatorError)
        if expected is None or bugs is not None:
            raise
        raise expected.exceptions[0] from group


async def _execute(plan: Sequence[PlannedRun], agent: Agent, concurrency: int, on_finished: OnFinished) -> Executed:
    finished: list[tuple[Case, Run]] = []
    pending = iter(plan)

    async def work() -> None:
        for planned in pending:
            run = await agent.run(planned.case, planned.arm, planned.index)
            finished.append((planned.case, on_finished(planned.case, run)))
            await asyncio.sleep(0)  # an agent that never waits must still let signals through

    stopped: list[str] = []
    async with asyncio.TaskGroup() as group:
        workers = [group.create_task(work()) for _ in range(min(concurrency, len(plan)))]
        group.create_task(_until_done(workers, stopped))
    return Executed(runs=tuple(finished), stopped_by=stopped[0] if stopped else None)


async def _until_done(workers: Sequence[asyncio.Task[None]], stopped: list[str]) -> None:
    """Wait for the workers; the first signal cancels them, a second one has its usual effect."""

    def stop(name: str) -> None:
        stopped.append(name)
        for worker in workers:
            worker.cancel()

    with _first_signal(stop):
        if workers:
            await asyncio.wait(workers)


@contextlib.contextmanager
def _first_signal(stop: Callable[[str], None]) -> Iterator[None]:
    """Call `stop` with the name of the first stopping signal, in the thread of the event loop."""
    loop = asyncio.get_running_loop()
    usual: dict[signal.Signals, _HANDLER] = {}

    def restore() -> None:
        while usual:
            signal.signal(*usual.popitem())

    def receive(number: int, _frame: FrameType | None) -> None:
        restore()
        loop.call_soon_threadsafe(stop, signal.Signals(number).name)

    with contextlib.suppress(ValueError):  # outside the main thread signals are somebody else's
        for number in _STOPPING:
            usual[number] = signal.signal(number, receive)
    try:
        yield
    finally:
        restore()

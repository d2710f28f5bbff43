"""Works a plan off: canary first, then every case as often as planned, in an order shuffled by the seed.

A run that ends is handed on at once, so that a signal loses only what was under way.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field

from skill_evaluator.model import Agent, Case, Connected, Run
from skill_evaluator.results import Canary, CanaryState
from skill_evaluator.runner.asking import Asker
from skill_evaluator.runner.canary import check_canary, checks_listing
from skill_evaluator.runner.loop import run_alone
from skill_evaluator.runner.plan import PlannedRun
from skill_evaluator.runner.stop import Stop, until_done
from skill_evaluator.runner.terms import Asked, Group, Spent, Terms

OnFinished = Callable[[Case, Asked], Run]
OnCanary = Callable[[Canary], Canary]

_USUAL = Terms()


@dataclass(frozen=True, kw_only=True, slots=True)
class Executed:
    """What came of a plan.

    Attributes:
        runs: The finished runs, each with its case, in the order they finished.
        stopped_by: A `StopCode` where something of the plan was left out, else None.
        canary: What the probe showed; NOT_NEEDED where the terms name none, or nothing was planned.
        spent: Calls and money, what was spent before included.
    """

    runs: tuple[tuple[Case, Run], ...]
    stopped_by: str | None = None
    canary: Canary = field(default_factory=Canary)
    spent: Spent = field(default_factory=Spent)


def execute(
    plan: Sequence[PlannedRun],
    agent: Agent,
    *,
    concurrency: int,
    on_finished: OnFinished,
    on_canary: OnCanary = lambda canary: canary,
    terms: Terms = _USUAL,
) -> Executed:
    """Work a plan off; whatever ends it early is told, not raised.

    An agent that is `Connected` is entered for as long as anybody is asked, and left however that ends.

    Args:
        plan: What to ask, in order.
        agent: Who is asked.
        concurrency: Calls under way at once, >= 1; it never changes an answer. Up to as many runs more may be
            waiting for their next attempt.
        on_finished: Called with each finished run, in this thread; what it returns is what counts.
        on_canary: The same with the canary, before the first run.
        terms: Canary, retries, ceilings.

    Returns:
        What had finished, all of it when nothing ended it early.

    Raises:
        EvaluatorError: What `on_finished` or the agent raised as such; nothing new was started after it.
    """
    return run_alone(_Execution(plan, agent, concurrency, terms, (on_finished, on_canary)).whole())


class _Execution:
    """One plan on its way; made in the event loop's thread, used once."""

    def __init__(
        self,
        plan: Sequence[PlannedRun],
        agent: Agent,
        concurrency: int,
        terms: Terms,
        listeners: tuple[OnFinished, OnCanary],
    ) -> None:
        self._plan, self._agent, self._concurrency, self._terms = plan, agent, concurrency, terms
        self._on_finished, self._on_canary = listeners
        self._finished: list[tuple[Case, Run]] = []
        self._errors: Counter[Group] = Counter()
        probed = terms.probe is not None and bool(plan)
        unfinished = Canary(state=CanaryState.UNFINISHED, listing_checked=checks_listing(agent.info))
        self._canary = unfinished if probed else Canary()

    async def whole(self) -> Executed:
        stop = Stop()
        asker = Asker(self._agent, self._terms, stop, slots=self._concurrency)
        await until_done(self._connected_job(asker, stop), stop)
        return Executed(
            runs=tuple(self._finished), stopped_by=stop.reason, canary=self._canary, spent=asker.ledger.spent
        )

    async def _connected_job(self, asker: Asker, stop: Stop) -> None:
        if self._plan:
            async with _connection(self._agent):
                await self._job(asker, stop)

    async def _job(self, asker: Asker, stop: Stop) -> None:
        if self._terms.probe is not None:
            told = self._terms.on_probe
            canary = await check_canary(asker.ask, self._terms.probe, self._agent.info, on_probe=told)
            self._canary = self._on_canary(canary)
            if self._canary.state is not CanaryState.PASSED:
                stop.call("canary")
                stop.keeps_back()
                return
        if self._terms.before_plan is not None:
            await self._terms.before_plan(self._plan)
        pending = iter(self._plan)
        async with asyncio.TaskGroup() as group:
            for _ in range(min(2 * self._concurrency, len(self._plan))):
                group.create_task(self._work(pending, asker, stop))

    async def _work(self, pending: Iterator[PlannedRun], asker: Asker, stop: Stop) -> None:
        """Twice as many workers as slots: one half may wait for a next attempt while the other half asks."""
        for planned in pending:
            asked = await asker.ask(planned.case, planned.arm, planned.index)
            if asked is None:
                return
            self._finished.append((planned.case, self._on_finished(planned.case, asked)))
            self._judge(planned.case, asked.run, stop)
            await asyncio.sleep(0)  # an agent that never waits must still let signals through

    def _judge(self, case: Case, run: Run, stop: Stop) -> None:
        """Stop where the rest could not be any better, or could not help any more."""
        if run.failure is None:
            return
        group = (case.split, case.expect_trigger)
        self._errors[group] += 1
        if run.failure.kind in self._terms.fatal:
            stop.call(str(run.failure.kind))
        if self._errors[group] >= self._terms.give_up_at.get(group, len(self._plan) + 1):
            stop.call("error_budget")


@contextlib.asynccontextmanager
async def _connection(agent: object) -> AsyncIterator[None]:
    """Hold the connections of an agent that has any."""
    if isinstance(agent, Connected):
        async with agent:
            yield
    else:
        yield

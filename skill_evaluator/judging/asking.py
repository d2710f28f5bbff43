"""Asks the judge about every panel, in both orders."""

import asyncio
from collections.abc import Iterator, Sequence

from skill_evaluator.judging.ballots import ballot_of
from skill_evaluator.judging.panels import PanelPlan
from skill_evaluator.model import NOT_ASKED, Completer, FailureKind
from skill_evaluator.results import Ballot, Panel

_Job = tuple[int, bool]


async def ask_panels(plans: Sequence[PanelPlan], completer: Completer, *, concurrency: int) -> tuple[Panel, ...]:
    """Ask about every panel, forwards and backwards.

    Args:
        plans: What to ask, in the order of the test set.
        completer: The judge; already entered where it is `Connected`.
        concurrency: Calls under way at once, >= 1; it never changes a panel.

    Returns:
        One panel for each plan, in that order. An order that was not asked is None: the rest after a judge that
        cannot sign in, and whatever the completer says it did not ask.
    """
    asking = _Asking(plans, completer)
    async with asyncio.TaskGroup() as group:
        for _ in range(min(concurrency, 2 * len(plans))):
            group.create_task(asking.work())
    return asking.panels()


class _Asking:
    """Panels on their way; used once."""

    def __init__(self, plans: Sequence[PanelPlan], completer: Completer) -> None:
        self._plans, self._completer = plans, completer
        self._pending: Iterator[_Job] = ((at, forward) for at in range(len(plans)) for forward in (True, False))
        self._ballots: dict[_Job, Ballot | None] = {}
        self._refused = False

    async def work(self) -> None:
        for at, forward in self._pending:
            if self._refused:
                return
            self._ballots[at, forward] = await self._ask(self._plans[at], forward=forward)
            await asyncio.sleep(0)  # a completer that never waits must still let signals through

    async def _ask(self, plan: PanelPlan, *, forward: bool) -> Ballot | None:
        question, texts = (plan.forward, plan.texts) if forward else (plan.backward, plan.texts[::-1])
        completion = await self._completer.complete(question)
        failure = completion.failure
        if failure is not None and failure.message.startswith(NOT_ASKED):
            return None
        self._refused |= failure is not None and failure.kind is FailureKind.AUTH
        return ballot_of(completion, texts)

    def panels(self) -> tuple[Panel, ...]:
        return tuple(
            Panel(
                case_id=plan.case_id,
                item=plan.item,
                forward=self._ballots.get((at, True)),
                backward=self._ballots.get((at, False)),
            )
            for at, plan in enumerate(self._plans)
        )

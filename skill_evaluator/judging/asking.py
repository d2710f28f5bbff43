"""Asks the judge about every panel, in both orders."""

from collections.abc import Sequence

from skill_evaluator.judging.ballots import ballot_of
from skill_evaluator.judging.calls import put_all
from skill_evaluator.judging.panels import PanelPlan
from skill_evaluator.judging.texts import JudgedText
from skill_evaluator.model import Completer, Completion
from skill_evaluator.results import Ballot, Panel


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
    questions = [question for plan in plans for question in (plan.forward, plan.backward)]
    answered = await put_all(questions, completer, concurrency=concurrency)
    return tuple(
        Panel(
            case_id=plan.case_id,
            item=plan.item,
            forward=_ballot(answered.get(2 * at), plan.texts),
            backward=_ballot(answered.get(2 * at + 1), plan.texts[::-1]),
        )
        for at, plan in enumerate(plans)
    )


def _ballot(completion: Completion | None, texts: Sequence[JudgedText]) -> Ballot | None:
    return None if completion is None else ballot_of(completion, texts)

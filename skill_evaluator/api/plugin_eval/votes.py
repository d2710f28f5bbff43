"""What the judged graders of one run ask, and what the answers cost.

Source: Suites recorded with Claude Code 2.1.332.
"""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from skill_evaluator.agents.messages.price_file import read_prices
from skill_evaluator.agents.messages.usual_models import PRICED_AS
from skill_evaluator.grading import VotesOfRun, left_out
from skill_evaluator.grading.suites import is_gradable
from skill_evaluator.model import (
    VOTES,
    Arm,
    Case,
    Completer,
    Completion,
    Grader,
    JudgedCheck,
    PlainQuestion,
    Run,
    Usage,
)

_BAD_REQUESTS: Final = 2  # requests of one vote that may be answered by HTTP 400, before it is believed


@dataclass(frozen=True, kw_only=True, slots=True)
class RunVotes:
    """What the judge said of one run, by grader, and the list price of saying it."""

    by_grader: VotesOfRun = field(default_factory=dict)
    cost_usd: float = 0.0


def is_judged(case: Case) -> bool:
    """Whether a judge is asked about the runs of a case."""
    return any(isinstance(grader.check, JudgedCheck) for grader in case.graders)


def skipped_graders(case: Case, run: Run, *, has_two_arms: bool) -> tuple[str, ...]:
    """Name the graders that would ask the judge about a run."""
    return tuple(grader.name for grader, _ in _questions(case, run, has_two_arms=has_two_arms))


async def ask_about(case: Case, run: Run, judge: Completer, *, has_two_arms: bool) -> AsyncIterator[RunVotes]:
    """Ask for the votes on one run, one after another; whoever stops in between has what came until then.

    Args:
        case: Its case.
        run: The run, which may have ended badly.
        judge: Who is asked; already entered where it is `Connected`.
        has_two_arms: Whether the case is run without the plugin too; graders that only runs with it could pass are then
            asked about those alone.

    Yields:
        After each answer, the votes of the graders that have all of theirs, and what all answers cost.
    """
    so_far = RunVotes()
    for grader, question in _questions(case, run, has_two_arms=has_two_arms):
        answers: list[Completion] = []
        async for answer in _answers(question, judge):
            answers.append(answer)
            so_far = replace(so_far, cost_usd=so_far.cost_usd + price_of(answer.usage))
            yield so_far
        so_far = replace(so_far, by_grader={**so_far.by_grader, grader.name: answers})
        yield so_far


def price_of(usage: Usage | None) -> float:
    """Give the list price of a call; a model that the table does not name counts as the real program counts it."""
    if usage is None:
        return 0.0
    if usage.cost_usd is not None:
        return usage.cost_usd
    read, written = usage.input_tokens or 0, usage.output_tokens or 0
    return read_prices().cost_usd(PRICED_AS, input=read, output=written, cached=0, written=0) or 0.0


def _questions(case: Case, run: Run, *, has_two_arms: bool) -> Iterator[tuple[Grader, PlainQuestion]]:
    if not is_gradable(run):
        return
    out = left_out(case) if has_two_arms and run.arm is Arm.WITHOUT else frozenset()
    for grader in case.graders:
        if grader.name in out or not isinstance(grader.check, JudgedCheck):
            continue
        question = grader.check.ask(run)
        if isinstance(question, PlainQuestion):
            yield grader, question


async def _answers(question: PlainQuestion, judge: Completer) -> AsyncIterator[Completion]:
    """Ask until a call fails, which leaves nothing to count."""
    for vote in range(VOTES):
        answer = await _ask_once(replace(question, vote=vote), judge)
        yield answer
        if answer.failure is not None:
            break


async def _ask_once(question: PlainQuestion, judge: Completer) -> Completion:
    """Cast one vote; what gateways call a bad request now and then is put again, as the real program does."""
    completion = await judge.complete(question)
    for _ in range(_BAD_REQUESTS - 1):
        if completion.failure is None or not completion.failure.message.startswith("HTTP 400"):
            break
        completion = await judge.complete(question)
    return completion

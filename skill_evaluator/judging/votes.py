"""Asks the judge to vote, three times by each grader that takes votes on each run whose output is the skill's own."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from skill_evaluator.judging.calls import put_all
from skill_evaluator.model import VOTES, Case, Completer, Completion, JudgedCheck, PlainQuestion, Run

# By case and repetition, then by grader: what came of its calls in the order asked; what was not asked is not there.
Votes = Mapping[tuple[str, int], Mapping[str, Sequence[Completion]]]


@dataclass(frozen=True, kw_only=True, slots=True)
class VotePlan:
    """One grader on one run.

    Attributes:
        case_id: The case.
        index: Repetition of the run, 0-based.
        grader: Name of the grader.
        questions: What is asked, `VOTES` times the same; numbered on where other runs put the very same question, since
            an answer to one is none to the other.
    """

    case_id: str
    index: int
    grader: str
    questions: tuple[PlainQuestion, ...]


def plan_votes(cases: Sequence[Case], runs_by_case: Mapping[str, Sequence[Run]]) -> tuple[VotePlan, ...]:
    """Lay out what is asked: by case and grader in the order of the test set, by repetition in between.

    Args:
        cases: The cases.
        runs_by_case: Their runs, by id; one counts where it triggered, whatever the case's decision.
    """
    asked: Counter[PlainQuestion] = Counter()
    return tuple(
        plan
        for case in cases
        if case.expect_trigger
        for run in sorted(runs_by_case.get(case.id, ()), key=lambda run: run.index)
        if run.triggered
        for plan in _plans_of(case, run, asked)
    )


def _plans_of(case: Case, run: Run, asked: Counter[PlainQuestion]) -> Iterator[VotePlan]:
    for grader in case.graders:
        question = grader.check.ask(run) if isinstance(grader.check, JudgedCheck) else None
        if isinstance(question, PlainQuestion):
            first = asked[question]
            asked[question] += VOTES
            questions = tuple(replace(question, vote=vote) for vote in range(first, first + VOTES))
            yield VotePlan(case_id=case.id, index=run.index, grader=grader.name, questions=questions)


async def ask_votes(plans: Sequence[VotePlan], completer: Completer, *, concurrency: int) -> Votes:
    """Ask for every vote.

    Args:
        plans: What to ask.
        completer: The judge; already entered where it is `Connected`.
        concurrency: Calls under way at once, >= 1; it never changes a vote.
    """
    questions = [question for plan in plans for question in plan.questions]
    answered = await put_all(questions, completer, concurrency=concurrency)
    votes: dict[tuple[str, int], dict[str, list[Completion]]] = {}
    for at, plan in enumerate(plans):
        places = range(VOTES * at, VOTES * (at + 1))
        of_run = votes.setdefault((plan.case_id, plan.index), {})
        of_run[plan.grader] = [answered[place] for place in places if place in answered]
    return votes

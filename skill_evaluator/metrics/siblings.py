"""Which skill fired: the right one of several that are installed side by side."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from skill_evaluator.metrics.aspects import VALID
from skill_evaluator.metrics.intervals import Share
from skill_evaluator.metrics.output import share_of_cases
from skill_evaluator.model import AgentInfo, Case
from skill_evaluator.results import CaseResult, FiredCount, Metric, RunState
from skill_evaluator.skill_names import is_target, plain_name, scored_siblings

EXPECTED_SKILL_RATE: Final = "expected_skill_rate"


def as_scored(case: Case, agent: AgentInfo) -> Case:
    """Leave out the expected skill of a case where it could not have fired, since it was not installed."""
    siblings = scored_siblings(agent)
    if case.expected_skill is None or siblings is None or plain_name(case.expected_skill) in siblings:
        return case
    return replace(case, expected_skill=None)


def expected_skill_rate(cases: Iterable[CaseResult]) -> Metric:
    """Of the cases that name the skill that should fire instead, those in which it did.

    Returns:
        The share of the measured ones with its Wilson interval; None where no measured case names one that was
        installed.
    """
    answers = [case.right_skill for case in cases if case.right_skill is not None]
    return share_of_cases(EXPECTED_SKILL_RATE, answers)


def right_share(case: CaseResult) -> Share:
    """What one case adds to the rate."""
    named = case.right_skill is not None
    return Share(int(case.right_skill is True), int(named), int(named))


def fired_table(cases: Iterable[CaseResult], target: str) -> tuple[FiredCount, ...]:
    """Count the valid runs by what should have fired and what did.

    Args:
        cases: All cases of a split; those that do not say what should have fired are left out.
        target: Name of the skill under test.
    """
    return counted(_pairs(cases, target))


def first_skill(invoked: Sequence[str], target: str, *, triggered: bool) -> str | None:
    """Name the skill that fired first, without its plugin; None where none did.

    Args:
        invoked: All skills in order, under the names the agent used.
        target: Name of the skill under test.
        triggered: Whether that fired; an agent may open its SKILL.md without naming it.
    """
    if not invoked:
        return target if triggered else None
    return target if is_target(invoked[0], target) else plain_name(invoked[0])


def counted(pairs: Iterable[tuple[str | None, str | None]]) -> tuple[FiredCount, ...]:
    """Count pairs of the skill expected and the one that fired, in the order of the names, None last."""
    counts = Counter(pairs)
    return tuple(FiredCount(expected=pair[0], fired=pair[1], runs=counts[pair]) for pair in sorted(counts, key=_place))


def _pairs(cases: Iterable[CaseResult], target: str) -> Iterator[tuple[str | None, str | None]]:
    for case in cases:
        sibling = None if case.expected_skill is None else plain_name(case.expected_skill)
        for run in case.runs if case.expect_trigger is not None else ():
            if run.state in VALID:
                fired = first_skill(run.skills_invoked, target, triggered=run.state is RunState.TRIGGERED)
                yield target if case.expect_trigger else sibling, fired


def _place(pair: tuple[str | None, str | None]) -> tuple[tuple[bool, str], ...]:
    return tuple((name is None, name or "") for name in pair)

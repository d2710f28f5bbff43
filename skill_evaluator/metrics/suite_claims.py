"""What came of the claims that the cases of a suite make: skill by skill, and which other skill was called."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from skill_evaluator.formats.suite.expected import SkillClaim, claims_of
from skill_evaluator.formats.suite_claims import NamedSkill, skills_meant
from skill_evaluator.graders.suite.calls import calls_of
from skill_evaluator.grading.suites import is_gradable
from skill_evaluator.metrics.aspects import VALID
from skill_evaluator.metrics.cases import decide
from skill_evaluator.metrics.trigger import case_metrics, confusion
from skill_evaluator.model import Arm, Case, Outcome, Run
from skill_evaluator.results import CaseResult
from skill_evaluator.results.suite_result import ClaimOfCase, OtherSkill, SkillTriggers
from skill_evaluator.skill_names import SKILL_TOOL


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimResult:
    """A claim and what the runs with the plugin did; `skill` is the one skill it speaks of, or None."""

    claim: SkillClaim
    told: CaseResult
    skill: str | None = None

    @property
    def entry(self) -> ClaimOfCase:
        """The same, as results tell of it."""
        told = self.told
        return ClaimOfCase(
            skill=self.skill,
            pattern=self.claim.pattern,
            expect_trigger=self.claim.fires,
            fired=told.triggered_runs,
            valid=told.valid_runs,
        )


def skill_of(claim: SkillClaim, skills: Sequence[NamedSkill]) -> str | None:
    """Name the one skill that a claim speaks of, with its plugin where another plugin has one of the same name."""
    meant = skills_meant(claim.pattern, skills)
    if len(meant) != 1:
        return None
    (skill,) = meant
    is_alone = sum(other.label == skill.label for other in skills) == 1
    return skill.label if is_alone else f"{skill.plugin}:{skill.label}"


def by_skill(claims: Iterable[ClaimResult], *, seed: int) -> tuple[SkillTriggers, ...]:
    """Count claims by the skill that they speak of; those that speak of no single one come last."""
    listed = tuple(claims)
    names = dict.fromkeys(claim.skill for claim in listed)
    return tuple(
        _of_skill(name, [claim.told for claim in listed if claim.skill == name], seed)
        for name in sorted(names, key=lambda name: name is None)
    )


def silent_runs(claims: Sequence[ClaimResult]) -> int:
    """Count the runs of a case that leave one of its claims open."""
    return len({run.index for claim in claims for run in claim.told.runs if run.state not in VALID})


def never_fired(results: Iterable[CaseResult]) -> bool:
    """Whether the skill should have fired in some valid runs, and did in none of them."""
    positives = [result for result in results if result.expect_trigger and result.valid_runs]
    return bool(positives) and not any(result.triggered_runs for result in positives)


def other_skill(cases: Sequence[tuple[str, Case, Sequence[Run]]], skills: Sequence[NamedSkill]) -> OtherSkill | None:
    """Say in which cases another skill than those asked for was called; None where the skills are not known.

    Args:
        cases: Each with its folder and its finished runs.
        skills: The skills of the plugins under test.
    """
    if not skills:
        return None
    answers = [(folder, _called_another(case, runs, skills)) for folder, case, runs in cases]
    known = [(folder, answer) for folder, answer in answers if answer is not None]
    return OtherSkill(cases=tuple(folder for folder, answer in known if answer), of=len(known))


def _of_skill(name: str | None, results: Sequence[CaseResult], seed: int) -> SkillTriggers:
    return SkillTriggers(
        skill=name,
        counts=confusion(results),
        trigger=case_metrics(results, seed=seed),
        never_fired=never_fired(results),
    )


def _called_another(case: Case, runs: Sequence[Run], skills: Sequence[NamedSkill]) -> bool | None:
    """Whether most valid runs called one; None where the case asks for no skill by name, or no run tells."""
    asked = [skills_meant(claim.pattern, skills) for claim in claims_of(case.graders) if claim.fires]
    if not asked or not all(asked):
        return None
    strangers = [skill for skill in skills if not any(skill in meant for meant in asked)]
    valid = [run for run in runs if run.arm is Arm.WITH and run.failure is None and is_gradable(run)]
    found = sum(any(skill.is_called_by(name) for name in _called(run) for skill in strangers) for run in valid)
    return decide(found, len(valid), expected=False)


def _called(run: Run) -> Iterator[str]:
    """Name the skills that were called, in subagents too where the trace was kept."""
    calls = calls_of(run, SKILL_TOOL)
    for call in () if isinstance(calls, Outcome) else calls:
        if call.tool == SKILL_TOOL and call.input_json is not None and (name := _skill_in(call.input_json)):
            yield name


def _skill_in(input_json: str) -> str | None:
    try:
        given = json.loads(input_json)
    except (ValueError, RecursionError):  # a model may send anything
        return None
    match given:
        case {"skill": str(name)}:
            return name
        case _:
            return None

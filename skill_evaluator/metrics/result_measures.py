"""The same numbers from the file of a suite alone, as far as the verdicts of its graders of `Skill` tell."""

from collections.abc import Sequence

from skill_evaluator.formats.suite.expected import SkillClaim, claims_of, least_calls
from skill_evaluator.graders.javascript import NoAnswer, has_match
from skill_evaluator.graders.suite import ToolUsed
from skill_evaluator.metrics.cases import case_result
from skill_evaluator.metrics.suite_claims import ClaimResult
from skill_evaluator.metrics.suite_numbers import Facts, put_together
from skill_evaluator.model import Case, Failure, FailureKind, Grader, JsonObject, Run, Source, Split
from skill_evaluator.results.suite_result import CaseOfSuite, GraderOfCase, RunOfCase, SuiteMeasures, SuiteResult
from skill_evaluator.skill_names import SKILL_TOOL

_UNKNOWN = "unknown"


def measures_of_result(result: SuiteResult, *, seed: int = 0) -> SuiteMeasures:
    """Give what a file keeps of it, else work it out from what the file holds.

    Args:
        result: The answer of a suite, ours or the real program's.
        seed: For the intervals that are drawn.
    """
    if result.measures is not None:
        return result.measures
    claims = [claims_of_case(case) for case in result.cases]
    facts = Facts(version=_UNKNOWN, agent="claude-code", is_partial=result.is_partial)
    return put_together(result.cases, claims, facts, seed=seed)


def claims_of_case(case: CaseOfSuite) -> tuple[ClaimResult, ...]:
    """Tell from verdicts what came of the claims of a case.

    A run that ended abnormally tells nothing, as everywhere; nor does a verdict that several numbers of calls give.
    Which skill a claim speaks of is not told, as a file does not name the skills of its plugins.
    """
    checks = [(grader.name, _skill_check(grader)) for grader in case.graders]
    claims = claims_of(Grader(name=name, check=check) for name, check in checks if check is not None)
    return tuple(_result(case, claim, [check for _, check in checks]) for claim in claims)


def _result(case: CaseOfSuite, claim: SkillClaim, checks: Sequence[ToolUsed | None]) -> ClaimResult:
    deciding = [check if check and claim.is_made_by(check) and _is_usable(check) else None for check in checks]
    runs = [_told(case.folder, index, run, deciding) for index, run in enumerate(case.with_plugin)]
    stands_for = Case(
        id=case.folder,
        prompt=case.prompt,
        split=Split.ACCEPTANCE,
        expect_trigger=claim.fires,
        sha256="",
        prompt_sha256="",
        source=Source(path=case.folder),
    )
    told = case_result(stands_for, [(run, ()) for run in runs], planned_runs=max(1, len(runs)))
    return ClaimResult(claim=claim, told=told)


def _skill_check(grader: GraderOfCase) -> ToolUsed | None:
    config = grader.config
    if grader.type != "tool_used" or config.get("tool") != SKILL_TOOL:
        return None
    pattern = config.get("input_match")
    return ToolUsed(
        tool=SKILL_TOOL,
        input_match=pattern if isinstance(pattern, str) else None,
        min=_whole(config, "min"),
        max=_whole(config, "max"),
    )


def _whole(config: JsonObject, key: str) -> int | None:
    value = config.get(key)
    return int(value) if isinstance(value, int | float) else None


def _is_usable(check: ToolUsed) -> bool:
    """Whether its pattern compiles; else it fails whatever was called."""
    return check.input_match is None or not isinstance(has_match(check.input_match, "", "{}"), NoAnswer)


def _told(case_id: str, index: int, run: RunOfCase, deciding: Sequence[ToolUsed | None]) -> Run:
    if run.error is not None:
        return Run(case_id=case_id, index=index, failure=Failure(kind=FailureKind.CRASH, message=run.error))
    return Run(case_id=case_id, index=index, triggered=None if run.aborted else _fired(run, deciding))


def _fired(run: RunOfCase, deciding: Sequence[ToolUsed | None]) -> bool | None:
    """Take verdicts by place, as two graders may share a name; a run with the plugin has all of them or none."""
    if len(run.graders) != len(deciding):
        return None
    pairs = zip(deciding, run.graders, strict=True)
    found = [_was_called(check, passed=verdict.passed) for check, verdict in pairs if check is not None]
    return True if True in found else None if None in found else False if found else None


def _was_called(check: ToolUsed, *, passed: bool) -> bool | None:
    """Whether there was a call, where the verdict leaves but one answer.

    >>> quiet, twice = ToolUsed(tool="Skill", min=0, max=0), ToolUsed(tool="Skill", min=2)
    >>> _was_called(quiet, passed=True), _was_called(quiet, passed=False), _was_called(twice, passed=False)
    (False, True, None)
    """
    least, most = least_calls(check), check.max
    if passed:
        return True if least >= 1 else False if most == 0 else None
    if least == 0:
        return True  # there were more calls than allowed
    return False if least == 1 and most is None else None

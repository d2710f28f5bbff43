"""The answer of a whole report: INVALID, DRAFT, FAIL, UNSTABLE or PASS, the first that applies, and why.

Without a model no score can pass or fail: the last three are then an ESTIMATE. A skill file that changed during
the run is no matter of scores, and fails it with any agent. The acceptance split alone is judged: where cases say
whether the skill should fire by the triggers, and where they do not by the outputs.
"""

from collections.abc import Iterator, Mapping, Sequence

from skill_evaluator.metrics.assertions import failed_report_only
from skill_evaluator.metrics.invalid import invalid_reasons
from skill_evaluator.metrics.limits import MIN_VALID_RUNS, TENTH, above_a_tenth
from skill_evaluator.metrics.stability import SPREAD_RATES
from skill_evaluator.metrics.standing import judge_notes
from skill_evaluator.model import AgentInfo, Aspect, Split
from skill_evaluator.results import Canary, CaseResult, Config, JudgeResult, Note, ReportVerdict, SplitResult

_NO_CANARY = Canary()
_TRIGGER_SPREADS = frozenset(rate.name for rate in SPREAD_RATES)


def decide_verdict(  # noqa: PLR0913 - everything a verdict hangs on, by name
    *,
    splits: Mapping[Split, SplitResult],
    cases: Sequence[CaseResult],
    config: Config,
    agent: AgentInfo,
    violations: Sequence[str],
    stopped_by: str | None,
    narrowed_below_floors: bool,
    canary: Canary = _NO_CANARY,
    judge: JudgeResult | None = None,
) -> tuple[ReportVerdict, tuple[Note, ...]]:
    """Judge a report.

    Args:
        splits: Both splits.
        cases: All cases, in the order of the test set.
        config: Threshold, number of runs, and whether a draft was asked for.
        agent: Who answered.
        violations: Skill files that changed during the run.
        stopped_by: What ended the run early, or None.
        narrowed_below_floors: Whether options left fewer cases than a test set needs.
        canary: Whether the way to the agent was shown to work.
        judge: What came of the judge, or None without one; it decides nothing.

    Returns:
        The verdict and all reasons that apply, the deciding ones first. An INVALID report gives no reason that rests on
        a score, since it has none.
    """
    invalid = invalid_reasons(
        splits=splits,
        cases=cases,
        config=config,
        stopped_by=stopped_by,
        canary=canary,
        narrowed_below_floors=narrowed_below_floors,
    )
    violation = tuple(_violation(violations))
    draft = tuple(_draft(config, len(cases), narrowed=narrowed_below_floors))
    if invalid:
        return ReportVerdict.INVALID, (*invalid, *draft, *violation)
    failing = (*_below_the_mark(splits[Split.ACCEPTANCE], config), *_wrong_outputs(cases, config))
    unstable = tuple(_unstable(splits[Split.ACCEPTANCE]))
    stopped = tuple(_stopped(stopped_by, cases))
    if draft:
        shown = (*stopped, *_failed_report_only(cases))
        return ReportVerdict.DRAFT, (*draft, *violation, *failing, *unstable, *shown)
    besides = (*stopped, *_failed_checks(cases), *_failed_report_only(cases), *judge_notes(judge, cases))
    if violation:
        return ReportVerdict.FAIL, (*violation, *failing, *unstable, *besides)
    verdict, reasons = _scored(failing, unstable, agent)
    return verdict, (*reasons, *besides)


def _scored(
    failing: tuple[Note, ...], unstable: tuple[Note, ...], agent: AgentInfo
) -> tuple[ReportVerdict, tuple[Note, ...]]:
    verdict = ReportVerdict.PASS
    if failing or unstable:
        verdict = ReportVerdict.FAIL if failing else ReportVerdict.UNSTABLE
    if agent.estimate:
        estimate = Note(code="estimate", values={"would_be": str(verdict)})
        return ReportVerdict.ESTIMATE, (estimate, *failing, *unstable)
    return verdict, (*failing, *unstable)


def _draft(config: Config, cases: int, *, narrowed: bool) -> Iterator[Note]:
    if config.draft:
        yield Note(code="draft_requested")
    if config.runs < MIN_VALID_RUNS:
        yield Note(code="draft_runs", values={"runs": config.runs})
    if narrowed:
        yield Note(code="draft_narrowed", values={"cases": cases})


def _below_the_mark(acceptance: SplitResult, config: Config) -> Iterator[Note]:
    f1, false_triggers = acceptance.metrics["f1"].value, acceptance.metrics["false_trigger_rate"]
    if f1 is not None and f1 < config.pass_threshold:
        yield Note(code="f1_below", values={"f1": f1, "threshold": config.pass_threshold})
    if above_a_tenth(false_triggers.numerator or 0, false_triggers.denominator or 0):
        yield Note(code="false_trigger_above", values={"value": false_triggers.value, "limit": TENTH})


def _wrong_outputs(cases: Sequence[CaseResult], config: Config) -> Iterator[Note]:
    """Of the cases that are judged by their output alone, as many have to be right as the threshold asks for."""
    decided = [case.decision for case in _output_only(cases) if case.decision is not None]
    right = decided.count(True)
    if decided and right / len(decided) < config.pass_threshold:
        values = {"failed": len(decided) - right, "decided": len(decided)}
        yield Note(
            code="right_below", values={**values, "value": right / len(decided), "threshold": config.pass_threshold}
        )


def _output_only(cases: Sequence[CaseResult]) -> list[CaseResult]:
    return [case for case in cases if case.split is Split.ACCEPTANCE and case.expect_trigger is None]


def _failed_report_only(cases: Sequence[CaseResult]) -> Iterator[Note]:
    """Name what is only shown: assertions that decide nothing, and failed."""
    failed: dict[str, list[str]] = {}
    for case in _output_only(cases):
        for assertion in failed_report_only(case):
            failed.setdefault(assertion, []).append(case.id)
    if failed:
        listed = [{"assertion": name, "cases": failed[name]} for name in sorted(failed)]
        yield Note(code="report_only_failed", values={"assertions": listed})


def _violation(violations: Sequence[str]) -> Iterator[Note]:
    if violations:
        yield Note(code="violation", values={"files": list(violations)})


def _stopped(stopped_by: str | None, cases: Sequence[CaseResult]) -> Iterator[Note]:
    """All runs are there; what was to be asked about them is not."""
    if stopped_by is not None:
        runs = sum(len(case.runs) for case in cases)
        yield Note(code="stopped_after_runs", values={"signal": stopped_by, "runs": runs})


def _failed_checks(cases: Sequence[CaseResult]) -> Iterator[Note]:
    """The verdict rests on triggers alone, which must not hide that an output was wrong."""
    failed = sum(
        any(not passed for aspect, passed in case.aspects.items() if aspect is not Aspect.JUDGED)
        for case in cases
        if case.split is Split.ACCEPTANCE and case.expect_trigger is not None
    )
    if failed:
        yield Note(code="checks_failed", values={"cases": failed})


def _unstable(acceptance: SplitResult) -> Iterator[Note]:
    unstable, measured = acceptance.unstable_share.numerator or 0, acceptance.unstable_share.denominator or 0
    if above_a_tenth(unstable, measured):
        yield Note(code="unstable_cases", values={"unstable": unstable, "measured": measured})
    for metric, value in acceptance.spread.items():
        if metric in _TRIGGER_SPREADS and value is not None and value > TENTH:
            yield Note(code="spread", values={"metric": metric, "value": value})

"""Every failed case with its evidence, and every run that failed with its cause."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from skill_evaluator.metrics.aspects import is_graded
from skill_evaluator.model import Failure, Split
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.json_layout import ranked
from skill_evaluator.report.output_only import shown_input
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.scores import cases_of
from skill_evaluator.results import CaseResult, FailedCase, Report, ReportVerdict, RunResult, RunState

_TRIGGER_SORTS = frozenset({"missed", "false_trigger", "unmeasured"})
_RUBRIC = "rubric"
_WRONG_SKILL = "wrong_skill"
_OUTPUT_SORTS = frozenset({"output", "params"})


@dataclass(frozen=True, kw_only=True, slots=True)
class FailedView:
    """One failed case in words.

    Attributes:
        summary: What went wrong, in a few words.
        runs: What happened by run; equal runs share one line.
    """

    id: str
    sort: Md
    input: str
    summary: Md
    expected: Md
    actual: Md
    runs: tuple[Md, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class FailedSplit:
    """The failed cases of one split under their heading.

    Attributes:
        never_started: Names the cases of which no run was started, which have nothing else to show; None without any.
    """

    heading: Md
    cases: tuple[FailedView, ...]
    never_started: Md | None


def failed_splits(report: Report, say: Phrases) -> tuple[FailedSplit, ...]:
    """All failed cases, acceptance first; a split without any is left out."""
    found = ((split, [failed for failed in report.failed_cases if failed.split is split]) for split in Split)
    return tuple(_failed_split(split, failed, report, say) for split, failed in found if failed)


def failed_view(failed: FailedCase, case: CaseResult | None, say: Phrases) -> FailedView:
    """One failure of a case by itself, with all its runs."""
    return _view(failed, case, say, brief=False)


def _is_said_above(report: Report) -> bool:
    """Whether one cause ended every failed run and stands among the reasons, so that repeating it adds nothing."""
    causes = {run.failure for case in report.cases for run in case.runs if run.failure is not None}
    return report.verdict is ReportVerdict.INVALID and len(causes) == 1


def failed_heading(report: Report, say: Phrases) -> Md:
    """The heading over all failed cases, with their number."""
    unmeasured = any(failed.sort == "unmeasured" for failed in report.failed_cases)
    return say("page.failed_unmeasured" if unmeasured else "page.failed", cases=_count_cases(report.failed_cases))


def error_table(report: Report, say: Phrases) -> Table | None:
    """Failed runs by split and class; None without any."""
    shares = [
        (split, class_, share)
        for split in Split
        for class_ in ranked(report.splits[split].error_shares)
        if (share := report.splits[split].error_shares[class_]).numerator
    ]
    rows = [
        [
            say.name(split, "split"),
            say.name(class_, "class"),
            Md(f"{share.numerator}/{share.denominator}"),
            say("page.undefined") if share.value is None else Md(numbers.percent(share.value)),
        ]
        for split, class_, share in shares
    ]
    return table(say.cells("page.errors_header"), rows) if rows else None


def cause_table(report: Report, say: Phrases) -> Table | None:
    """Failed runs by cause with the first message of each; None without any, or where the reasons say it all."""
    if _is_said_above(report):
        return None
    failures: dict[str, list[Failure]] = {}
    for case in report.cases:
        for run in case.runs:
            if run.failure is not None:
                failures.setdefault(run.failure.kind, []).append(run.failure)
    rows = [
        [say.name(kind, "failure"), Md(len(found)), say.quote(found[0].message)]
        for kind, found in sorted(failures.items(), key=lambda item: -len(item[1]))
    ]
    return table(say.cells("page.kinds_header"), rows) if rows else None


def _failed_split(split: Split, failed: list[FailedCase], report: Report, say: Phrases) -> FailedSplit:
    cases = {case.id: case for case in cases_of(report, split)}
    heading = say("page.failed_split", split=say(f"page.split_{split}"), failed=_count_cases(failed), cases=len(cases))
    brief = _is_said_above(report)
    shown = (one for one in failed if _has_started(one))
    views = (_view(one, cases.get(one.id), say, brief=brief and one.sort == "unmeasured") for one in shown)
    idle = [one.id for one in failed if not _has_started(one)]
    line = say("page.never_started", cases=len(idle), ids=idle) if idle else None
    return FailedSplit(heading=heading, cases=tuple(views), never_started=line)


def _has_started(failed: FailedCase) -> bool:
    return failed.sort != "unmeasured" or bool(failed.actual.get("runs"))


def _count_cases(failed: Iterable[FailedCase]) -> int:
    """A case may have failed in several ways, and counts once."""
    return len({(one.split, one.id) for one in failed})


def _view(failed: FailedCase, case: CaseResult | None, say: Phrases, *, brief: bool) -> FailedView:
    facts = {**failed.expected, **failed.actual} if failed.sort == _RUBRIC else failed.actual
    actual = say.coded("actual", failed.sort, facts, lambda: say.json(failed.actual))
    return FailedView(
        id=failed.id,
        sort=say.name(failed.sort, "sort"),
        input=failed.input if case is None else shown_input(failed.input, case),
        summary=_summary(failed, case, say),
        expected=_expected(failed, say),
        actual=actual,
        runs=() if brief else tuple(_run_lines(failed, case, say)),
    )


def _summary(failed: FailedCase, case: CaseResult | None, say: Phrases) -> Md:
    """What went wrong in a few words: the first thing that a check found, or which way the trigger failed."""
    checks = {
        str(check.get("grader")): _found(check, run, case, say)
        for run in reversed(_objects(failed.actual.get("runs")))
        for check in reversed(_objects(run.get("checks")))
    }
    if not checks:
        return say.name(failed.sort, "summary")
    first, more = list(checks.values())[-1], len(checks) - 1
    return say("page.and_more", found=first, more=more) if more else first


def _expected(failed: FailedCase, say: Phrases) -> Md:
    if failed.sort == _RUBRIC:
        return say.coded("expect", _RUBRIC, failed.expected, lambda: say.json(failed.expected))
    if failed.sort == _WRONG_SKILL:
        return _wish(failed.expected, say)
    checks = _objects(failed.expected.get("checks"))
    wishes = [_wish(check, say) for check in checks]
    if failed.sort == "unmeasured" and "output" in failed.expected:
        return say("expect.output_right")
    if failed.sort in _TRIGGER_SORTS or not wishes:
        return say.coded("expect", "trigger", failed.expected, lambda: say.json(failed.expected))
    return say.join(wishes)


def _wish(check: Mapping[str, object], say: Phrases) -> Md:
    kinds = [key for key in check if key != "grader"]
    kind = kinds[0] if len(kinds) == 1 else "grader"
    return say.coded("expect", kind, check, lambda: say.json(check))


def _run_lines(failed: FailedCase, case: CaseResult | None, say: Phrases) -> Iterator[Md]:
    """One line for all runs in which the same happened; none where `actual` has said it all."""
    runs_by_text: dict[Md, list[int]] = {}
    for run in _objects(failed.actual.get("runs")):
        index = run.get("run")
        if isinstance(index, int):
            runs_by_text.setdefault(_happened(failed, run, case, say), []).append(index + 1)
    plain = {say.name(state, "state") for state in (RunState.TRIGGERED, RunState.NOT_TRIGGERED)}
    if len(runs_by_text) == 1 and plain & runs_by_text.keys():
        return
    for text, runs in runs_by_text.items():
        yield say(
            "page.run" if len(runs) == 1 else "page.runs", numbers=say.join(map(Md, numbers.ranges(runs))), what=text
        )


def _happened(failed: FailedCase, run: Mapping[str, object], case: CaseResult | None, say: Phrases) -> Md:
    checks = _objects(run.get("checks"))
    if failed.sort == _RUBRIC:
        return say.coded("run", "judged", run, lambda: say.json(run))
    if not checks:
        return say.coded("run", str(run.get("state")), run)
    found = say.join(_found_in_full(check, run, case, say) for check in checks)
    output = _output(case, run.get("run")) if failed.sort in _OUTPUT_SORTS else None
    return found if output is None else say("page.found_in_output", found=found, output=output)


def _found(check: Mapping[str, object], run: Mapping[str, object], case: CaseResult | None, say: Phrases) -> Md:
    """What a check found, in the words of its code, else in those that the check left itself."""
    message = _message(check, run, case, say)
    return say.coded("outcome", str(check.get("code")), _evidence(check), None if message is None else lambda: message)


def _found_in_full(check: Mapping[str, object], run: Mapping[str, object], case: CaseResult | None, say: Phrases) -> Md:
    """As `_found`, with the evidence where the words of the check need not hold it."""
    message, evidence = _message(check, run, case, say), say.json(_evidence(check))
    full = None if message is None else lambda: say("page.found_evidence", found=message, evidence=evidence)
    return say.coded("outcome", str(check.get("code")), _evidence(check), full)


def _evidence(check: Mapping[str, object]) -> Mapping[str, object]:
    evidence = check.get("evidence")
    return evidence if isinstance(evidence, Mapping) else {"evidence": evidence}


def _message(
    check: Mapping[str, object], run: Mapping[str, object], case: CaseResult | None, say: Phrases
) -> Md | None:
    """What a grader said of a run, None where it is not kept."""
    name = check.get("grader")
    for one in case.runs if case else ():
        for verdict in one.verdicts if one.index == run.get("run") else ():
            if (verdict.grader, verdict.outcome.code) == (name, check.get("code")):
                if case is not None and case.expect_trigger is None:
                    what = say.name(verdict.outcome.code, "code")
                    return say(
                        "page.of_assertion", assertion=verdict.grader, what=what, message=verdict.outcome.message
                    )
                return say("page.of_grader", grader=verdict.grader, message=verdict.outcome.message)
    return None


def _output(case: CaseResult | None, index: object) -> str | None:
    runs = case.runs if case else ()
    return next((run.output for run in runs if run.index == index and _shows_output(run, case)), None)


def _shows_output(run: RunResult, case: CaseResult | None) -> bool:
    return case is not None and is_graded(run.state, expected=case.expect_trigger)


def _objects(value: object) -> list[Mapping[str, object]]:
    """The JSON objects of a list; reports may be written by hand, so it may be anything."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list | tuple) else []

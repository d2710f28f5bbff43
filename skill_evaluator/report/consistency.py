"""Does a saved report agree with itself: everything that its runs decide is worked out again and held against it.

What is left to believe is what was seen (the runs), the options, notes, warnings, times, drawn intervals, and the
old values of a comparison; of these only the impossible is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from skill_evaluator.compare.marks import changes_again, overall
from skill_evaluator.metrics.aspects import is_valid
from skill_evaluator.metrics.failed import failed_cases
from skill_evaluator.metrics.gate import stops
from skill_evaluator.metrics.trigger import with_trigger
from skill_evaluator.metrics.usage import latency_of
from skill_evaluator.metrics.verdict import decide_verdict
from skill_evaluator.model import Finding, Split
from skill_evaluator.report.differences import Difference, differences
from skill_evaluator.report.faults import changed_fault, impossible_fault, more_fault
from skill_evaluator.report.paired_again import has_unshared, paired_again, shared_cases, with_old
from skill_evaluator.report.possible import impossibilities
from skill_evaluator.report.rederived import by_split, case_of, cases_again, judge_again
from skill_evaluator.results import CaseResult, Comparison, JudgeResult, Metric, Report, ReportVerdict, SplitResult

MOST_NAMED = 10
_LATENCY = ("latency_p50", "latency_p95")

Repeated = Mapping[str, tuple[object, object]]


def contradictions(report: Report, repeated: Repeated, name: str) -> tuple[Finding, ...]:
    """Hold a report against its own runs.

    Args:
        report: A report as it was read.
        repeated: By key of the file that only repeats something: what stands there, and what it repeats.
        name: The file as the user named it.

    Returns:
        The first ten contradictions, the verdict's before all others, and how many more there are. Impossible values
        are told alone, since nothing can be worked out from them.
    """
    impossible = [impossible_fault(*one, name) for one in impossibilities(report)]
    if impossible:
        return _first(impossible, name)
    return _first([changed_fault(difference, name) for difference in _differences(report, repeated)], name)


def _first(faults: Sequence[Finding], name: str) -> tuple[Finding, ...]:
    more = len(faults) - MOST_NAMED
    return (*faults[:MOST_NAMED], more_fault(more, name)) if more > 0 else tuple(faults)


def _differences(report: Report, repeated: Repeated) -> Iterator[Difference]:
    cases = cases_again(report)
    splits = by_split(cases, report)
    judge = judge_again(report, cases)
    yield from _judged(report, cases, splits, judge)
    for key, (found, expected) in repeated.items():
        yield from differences(f"/{key}", found, expected)
    yield from differences("/judge", report.judge, judge)
    yield from differences("/splits", report.splits, splits)
    yield from differences(
        "/failed_cases", report.failed_cases, failed_cases(cases, report.judge.panels if report.judge else ())
    )
    yield from differences("/testset/cases", report.testset.cases, len(cases))
    yield from differences("/cases", report.cases, cases)
    yield from _compared(report, cases, splits)


def _judged(
    report: Report, cases: tuple[CaseResult, ...], splits: Mapping[Split, SplitResult], judge: JudgeResult | None
) -> Iterator[Difference]:
    config = report.config
    narrowed = bool(config.tags or config.case_globs) and _is_below_floors(with_trigger(cases))
    verdict, reasons = decide_verdict(
        splits=splits,
        cases=cases,
        config=config,
        agent=report.agent,
        violations=report.violations,
        stopped_by=report.stopped_by,
        narrowed_below_floors=narrowed,
        canary=report.canary,
        judge=judge,
    )
    yield from differences("/verdict", report.verdict, verdict)
    yield from differences("/reasons", report.reasons, reasons)


def _is_below_floors(cases: Sequence[CaseResult]) -> bool:
    from skill_evaluator.formats.testset_rules import floor_faults  # noqa: PLC0415 - most reports are of whole test sets

    return bool(cases) and bool(floor_faults([case_of(case) for case in cases]))


def _compared(
    report: Report, cases: tuple[CaseResult, ...], splits: Mapping[Split, SplitResult]
) -> Iterator[Difference]:
    """The changes against the baseline, as far as both values in them tell."""
    volatile, scored = report.volatile, report.verdict is not ReportVerdict.INVALID
    latency = {split: _latency(report, split) for split in Split}
    yield from differences("/volatile/latency", volatile.latency, latency)
    if report.comparison is None:
        yield from differences("/volatile/comparison", volatile.comparison, {})
        return
    yield from differences("/comparison", report.comparison, _comparison(report, report.comparison, cases, splits))
    times = {split: changes_again(volatile.comparison.get(split, ()), latency[split], scored=scored) for split in Split}
    yield from differences("/volatile/comparison", volatile.comparison, times)


def _comparison(
    report: Report, stored: Comparison, cases: tuple[CaseResult, ...], splits: Mapping[Split, SplitResult]
) -> Comparison:
    scored = report.verdict is not ReportVerdict.INVALID
    paired = paired_again(stored, report, cases)
    shared = shared_cases(cases, paired)
    compared = by_split(shared, report) if stored.shared_only else splits
    changes = {
        split: changes_again(with_old(stored, split, paired, shared), compared[split].metrics, scored=scored)
        for split in Split
    }
    return replace(
        stored,
        new_version=report.skill.version,
        changes=changes,
        mark=overall(changes[Split.ACCEPTANCE]),
        paired=paired,
        shared_only=stored.shared_only and has_unshared(paired),
        stops=stops(changes[Split.ACCEPTANCE], paired.get(Split.ACCEPTANCE), stored.fail_on),
    )


def _latency(report: Report, split: Split) -> dict[str, Metric]:
    """The times worked out again; where they are not kept by run, only their form can be told."""
    stored, durations_s = report.volatile.latency.get(split, {}), report.volatile.durations_s
    if durations_s:
        return latency_of(
            [
                duration_s
                for case in report.cases
                if case.split is split
                for run, duration_s in zip(case.runs, durations_s.get(case.id, ()), strict=False)
                if duration_s is not None and is_valid(run.state, expected=case.expect_trigger)
            ]
        )
    unknown = Metric(name="", value=None, denominator=0)
    found = {name: stored.get(name, unknown) for name in _LATENCY}
    return {
        name: Metric(name=name, value=one.value, denominator=one.denominator, unit="s", higher_is_better=False)
        for name, one in found.items()
    }

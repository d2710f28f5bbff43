"""This report beside an earlier one, metric by metric, by the seed's rule.

A metric is compared only where both reports measured the same thing the same way; otherwise both values
are shown and no difference is. Beside the marks stands what the questions that both ask show, pair by pair.
"""

from collections.abc import Mapping

from skill_evaluator.compare.conditions import (
    cases_of,
    differences,
    has_other_judge,
    is_same_measurement,
    notes,
)
from skill_evaluator.compare.marks import metric_change, overall
from skill_evaluator.errors import InputError
from skill_evaluator.metrics.gate import stops
from skill_evaluator.metrics.paired import paired_result
from skill_evaluator.metrics.pairing import Pairing, pair_cases
from skill_evaluator.metrics.rubric import RUBRIC_PASS_RATE
from skill_evaluator.metrics.split import split_result
from skill_evaluator.metrics.votes import JUDGED_PASS_RATE
from skill_evaluator.model import Finding, Level, Split
from skill_evaluator.results import Comparison, FailOn, Metric, MetricChange, PairedResult, Report, ReportVerdict
from skill_evaluator.texts import tr

_NO_BASELINE = {
    "baseline-invalid": tr("its verdict is INVALID: nothing reliable was measured; name a report that has a score"),
    "baseline-draft": tr("its verdict is DRAFT; name a report of a full run"),
    "baseline-partial": tr("its run was stopped before the end; name a report of a full run"),
}


def compare(new: Report, old: Report, *, on_shared_cases: bool = False, fail_on: FailOn = "never") -> Comparison:
    """Hold a report against its baseline.

    Args:
        new: The report at hand.
        old: The baseline.
        on_shared_cases: Where the questions differ, work out both sides over those that both ask.
        fail_on: Which regressions stop a build.

    Returns:
        Every metric of both splits with its mark, the mark over all acceptance metrics, the paired evidence, and which
        rates stop a build.

    Raises:
        InputError: If the baseline cannot serve as one.
    """
    refuse_as_baseline(old, f"{old.skill.name} {old.timestamp}")
    pairings = {split: pair_cases(cases_of(new, split), cases_of(old, split)) for split in Split}
    can_pair = is_same_measurement(new, old) and new.verdict is not ReportVerdict.INVALID
    shared_only = on_shared_cases and can_pair and any(one.only_new or one.only_old for one in pairings.values())
    if shared_only:
        changes = {split: _shared_changes(new, old, split, pairings[split]) for split in Split}
    else:
        changes = {
            split: _changes(new, old, split, new.splits[split].metrics, old.splits[split].metrics) for split in Split
        }
    paired = _paired(new, old, pairings) if can_pair else {}
    return Comparison(
        old_version=old.skill.version,
        new_version=new.skill.version,
        old_sha256=old.skill.sha256,
        old_timestamp=old.timestamp,
        mark=overall(changes[Split.ACCEPTANCE]),
        changes=changes,
        notes=tuple(notes(new, old)),
        paired=paired,
        shared_only=shared_only,
        fail_on=fail_on,
        stops=stops(changes[Split.ACCEPTANCE], paired.get(Split.ACCEPTANCE), fail_on),
    )


def _paired(new: Report, old: Report, pairings: Mapping[Split, Pairing]) -> Mapping[Split, PairedResult]:
    """Other judges score differently, whatever the skill does."""
    left_out = {RUBRIC_PASS_RATE, JUDGED_PASS_RATE} if has_other_judge(new, old) else frozenset[str]()
    return {split: paired_result(pairings[split], seed=new.config.seed, left_out=left_out) for split in Split}


def compare_latency(new: Report, old: Report) -> Mapping[Split, tuple[MetricChange, ...]]:
    """Hold the times of a report against its baseline's; they depend on the machine, so they stand apart."""
    return {
        split: _changes(new, old, split, new.volatile.latency.get(split, {}), old.volatile.latency.get(split, {}))
        for split in Split
    }


def refuse_as_baseline(old: Report, name: str) -> None:
    """Make sure that a report can be compared with.

    Args:
        old: The report.
        name: How the user named it.

    Raises:
        InputError: With every reason why it measured too little.
    """
    found = {
        "baseline-invalid": old.verdict is ReportVerdict.INVALID,
        "baseline-draft": old.verdict is ReportVerdict.DRAFT,
        "baseline-partial": old.stopped_by is not None,
    }
    faults = [
        Finding(
            level=Level.FAIL,
            code=code,
            file=name,
            message=tr("cannot be a baseline: {no_baseline}", no_baseline=_NO_BASELINE[code]),
        )
        for code, stands in found.items()
        if stands
    ]
    if faults:
        raise InputError(faults)


def _changes(
    new: Report, old: Report, split: Split, new_metrics: Mapping[str, Metric], old_metrics: Mapping[str, Metric]
) -> tuple[MetricChange, ...]:
    return _held_against(new, new_metrics, old_metrics, differences(new, old, split))


def _shared_changes(new: Report, old: Report, split: Split, pairing: Pairing) -> tuple[MetricChange, ...]:
    """Both sides over the questions that both ask, by the functions that made either report."""
    differs = differences(new, old, split) - {"split_hash", "checks"}
    if any(pair.new.sha256 != pair.old.sha256 for pair in pairing.pairs):
        differs |= {"checks"}
    ours = split_result([pair.new for pair in pairing.pairs], seed=new.config.seed)
    theirs = split_result([pair.old for pair in pairing.pairs], seed=old.config.seed)
    return _held_against(new, ours.metrics, theirs.metrics, differs)


def _held_against(
    new: Report, metrics: Mapping[str, Metric], old_metrics: Mapping[str, Metric], differs: frozenset[str]
) -> tuple[MetricChange, ...]:
    scored = new.verdict is not ReportVerdict.INVALID
    return tuple(
        metric_change(metric, metric.value if scored else None, _value(old_metrics.get(name)), differs)
        for name, metric in metrics.items()
    )


def _value(metric: Metric | None) -> float | None:
    return None if metric is None else metric.value

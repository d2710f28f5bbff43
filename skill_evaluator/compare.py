"""This report beside an earlier one, metric by metric, by the seed's rule.

A metric is compared only where both reports measured the same thing the same way; otherwise both values
are shown and no difference is. Beside the marks stands what the questions that both ask show, pair by pair.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from skill_evaluator.errors import InputError
from skill_evaluator.metrics.gate import stops
from skill_evaluator.metrics.paired import paired_result
from skill_evaluator.metrics.pairing import Pairing, pair_cases
from skill_evaluator.metrics.split import split_result
from skill_evaluator.model import Finding, Level, Split
from skill_evaluator.results import (
    CaseResult,
    Change,
    Comparison,
    FailOn,
    Metric,
    MetricChange,
    Note,
    Report,
    ReportVerdict,
)

MARK_ABOVE = 0.05  # more than 5 points of a rate, more than 5 % of a time, a count of tokens or a cost
_ROUNDING = 1e-12  # 0.90 - 0.85 is 0.05000000000000004 in floats; rates of up to 200,000 cases differ by more than this

# Other cases, another agent or model: another measurement altogether. Another number of runs changes what decides a
# case (at 70 % by run, 3 runs decide for a trigger in 78 % of cases, 4 in 65 %) but no mean over runs.
_ANY_METRIC = ("split_hash", "agent", "model")
_BY_DECISION = (*_ANY_METRIC, "runs")
_BY_CHECK = (*_BY_DECISION, "checks")  # other checks of the same questions leave alone what only hangs on triggers
TOUCHED_BY: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "precision": _BY_DECISION,
        "recall": _BY_DECISION,
        "f1": _BY_DECISION,
        "false_trigger_rate": _BY_DECISION,
        "output_pass_rate": _BY_CHECK,
        "params_pass_rate": _BY_CHECK,
        "tool_order_pass_rate": _BY_CHECK,
        "pass_hat_k": _BY_CHECK,
        "input_tokens": _ANY_METRIC,
        "output_tokens": _ANY_METRIC,
        "cost_usd": _ANY_METRIC,
        "latency_p50": _ANY_METRIC,
        "latency_p95": _ANY_METRIC,
    }
)

_NO_BASELINE = {
    "baseline-invalid": "its verdict is INVALID: nothing reliable was measured; name a report that has a score",
    "baseline-draft": "its verdict is DRAFT; name a report of a full run",
    "baseline-partial": "its run was stopped before the end; name a report of a full run",
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
    pairings = {split: pair_cases(_cases(new, split), _cases(old, split)) for split in Split}
    same = _is_same_measurement(new, old)
    shared_only = on_shared_cases and same and any(found.only_new or found.only_old for found in pairings.values())
    if shared_only:
        changes = {split: _shared_changes(new, old, split, pairings[split]) for split in Split}
    else:
        changes = {
            split: _changes(new, old, split, new.splits[split].metrics, old.splits[split].metrics) for split in Split
        }
    can_pair = same and new.verdict is not ReportVerdict.INVALID
    paired = {split: paired_result(pairings[split], seed=new.config.seed) for split in Split} if can_pair else {}
    return Comparison(
        old_version=old.skill.version,
        new_version=new.skill.version,
        old_sha256=old.skill.sha256,
        old_timestamp=old.timestamp,
        mark=overall(changes[Split.ACCEPTANCE]),
        changes=changes,
        notes=tuple(_notes(new, old)),
        paired=paired,
        shared_only=shared_only,
        fail_on=fail_on,
        stops=stops(changes[Split.ACCEPTANCE], paired.get(Split.ACCEPTANCE), fail_on),
    )


def compare_latency(new: Report, old: Report) -> Mapping[Split, tuple[MetricChange, ...]]:
    """Hold the times of a report against its baseline's; they depend on the machine, so they stand apart."""
    return {
        split: _changes(new, old, split, new.volatile.latency.get(split, {}), old.volatile.latency.get(split, {}))
        for split in Split
    }


def changes_again(
    stored: Sequence[MetricChange], metrics: Mapping[str, Metric], *, scored: bool
) -> tuple[MetricChange, ...]:
    """Work out again what a saved report says of its baseline, of which it keeps the old values only.

    Args:
        stored: The changes as they stand; their old values, and why they are not comparable, are believed.
        metrics: The report's own metrics by name.
        scored: Whether the report has a score, so that its own values count.

    Returns:
        One change for each metric, in the order in which they stand; metrics that are missing come last.
    """
    known = {change.name: change for change in stored if change.name in metrics}
    found = []
    for name in (*known, *(name for name in metrics if name not in known)):
        old, why = (known[name].old, frozenset(known[name].why)) if name in known else (None, frozenset())
        found.append(_change(metrics[name], metrics[name].value if scored else None, old, why))
    return tuple(found)


def overall(changes: tuple[MetricChange, ...]) -> Change:
    """The mark over the changes of the acceptance split: the worst of those that could be compared."""
    marks = {change.mark for change in changes} - {Change.NOT_COMPARABLE}
    for mark in (Change.REGRESSED, Change.IMPROVED, Change.UNCHANGED):
        if mark in marks:
            return mark
    return Change.NOT_COMPARABLE


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
        Finding(level=Level.FAIL, code=code, file=name, message=f"cannot be a baseline: {_NO_BASELINE[code]}")
        for code, stands in found.items()
        if stands
    ]
    if faults:
        raise InputError(faults)


def _changes(
    new: Report, old: Report, split: Split, new_metrics: Mapping[str, Metric], old_metrics: Mapping[str, Metric]
) -> tuple[MetricChange, ...]:
    return _held_against(new, new_metrics, old_metrics, _differences(new, old, split))


def _shared_changes(new: Report, old: Report, split: Split, pairing: Pairing) -> tuple[MetricChange, ...]:
    """Both sides over the questions that both ask, by the functions that made either report."""
    differs = _differences(new, old, split) - {"split_hash", "checks"}
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
        _change(metric, metric.value if scored else None, _value(old_metrics.get(name)), differs)
        for name, metric in metrics.items()
    )


def _value(metric: Metric | None) -> float | None:
    return None if metric is None else metric.value


def _differences(new: Report, old: Report, split: Split) -> frozenset[str]:
    other_cases = new.testset.split_sha256.get(split) != old.testset.split_sha256.get(split)
    same_questions = _questions(new, split) == _questions(old, split)
    found = {
        "split_hash": other_cases and not same_questions,
        "checks": other_cases and same_questions,
        "agent": new.agent.name != old.agent.name,
        "model": new.agent.model != old.agent.model,
        "runs": new.config.runs != old.config.runs,
    }
    return frozenset(code for code, stands in found.items() if stands)


def _is_same_measurement(new: Report, old: Report) -> bool:
    """Whether the same question, asked by either, would get the same kind of answer."""
    return (new.agent.name, new.agent.model, new.config.runs) == (old.agent.name, old.agent.model, old.config.runs)


def _questions(report: Report, split: Split) -> list[tuple[str, bool]]:
    """What was asked and which answer was right; ids, tags and checks do not change a trigger."""
    return sorted((case.prompt_sha256, case.expect_trigger) for case in _cases(report, split))


def _cases(report: Report, split: Split) -> list[CaseResult]:
    return [case for case in report.cases if case.split is split]


def _change(metric: Metric, new: float | None, old: float | None, differs: frozenset[str]) -> MetricChange:
    touched = tuple(code for code in TOUCHED_BY.get(metric.name, _BY_CHECK) if code in differs)
    difference = _difference(new, old, relative=metric.unit != "ratio")
    compared = None if touched else difference
    return MetricChange(
        name=metric.name,
        new=new,
        old=old,
        difference=compared,
        mark=Change.NOT_COMPARABLE if compared is None else _mark(compared, metric),
        unit=metric.unit,
        why=touched if difference is not None else (*touched, "undefined"),
    )


def _difference(new: float | None, old: float | None, *, relative: bool) -> float | None:
    """New minus old, or that as a share of old; None where it is undefined, as a share of 0 or beyond all floats is."""
    if new is None or old is None:
        return None
    if not relative or new == old:
        return new - old
    share = (new - old) / old if old else math.inf
    return share if math.isfinite(share) else None


def _mark(difference: float, metric: Metric) -> Change:
    """The seed's rule: worse by more than the bound, within it, or better; exactly on it is within."""
    if abs(difference) <= MARK_ABOVE + _ROUNDING:
        return Change.UNCHANGED
    return Change.IMPROVED if (difference > 0) is metric.higher_is_better else Change.REGRESSED


def _notes(new: Report, old: Report) -> Iterator[Note]:
    """What differs besides, and does not forbid a comparison but may explain its outcome."""
    if new.agent.estimate or old.agent.estimate:
        yield Note(code="estimates")
    if new.skill.sha256 == old.skill.sha256:
        yield Note(code="same_skill")
    elif new.skill.version == old.skill.version:
        yield Note(code="same_version", values={"version": new.skill.version})
    if new.skill.name != old.skill.name:
        yield Note(code="other_skill", values={"new": new.skill.name, "old": old.skill.name})
    if new.evaluator_version != old.evaluator_version:
        yield Note(code="other_evaluator", values={"new": new.evaluator_version, "old": old.evaluator_version})
    settings, earlier = new.agent.settings, old.agent.settings
    changed = sorted(key for key in settings.keys() | earlier.keys() if settings.get(key) != earlier.get(key))
    if changed and new.agent.name == old.agent.name:
        yield Note(code="settings_differ", values={"settings": changed})

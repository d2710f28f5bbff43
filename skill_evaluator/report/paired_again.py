"""What a saved comparison says of single cases, worked out again as far as this report's own cases decide it.

The baseline's answers are not in the file: which cases flipped is believed where this report's decisions allow
it, and so are the drawn intervals. All that follows from these is not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from skill_evaluator.metrics.mcnemar import mcnemar_mid_p
from skill_evaluator.metrics.output import OUTPUT_PASS_RATE, share_of_cases
from skill_evaluator.metrics.paired import evidence, gate_level
from skill_evaluator.metrics.trigger import TRIGGER_RATES, add_up, by_decision, rate_metric
from skill_evaluator.model import Split
from skill_evaluator.results import (
    CaseResult,
    Comparison,
    MetricChange,
    PairedChange,
    PairedResult,
    Report,
    ReportVerdict,
)


def paired_again(stored: Comparison, report: Report, cases: Sequence[CaseResult]) -> Mapping[Split, PairedResult]:
    """Work out again which cases are shared and flipped, and what the intervals show.

    Args:
        stored: The comparison as it stands.
        report: The report it stands in.
        cases: All cases of the report, counted again.

    Returns:
        By split; nothing for a report without a score.
    """
    if report.verdict is ReportVerdict.INVALID or not stored.paired:
        return {}
    empty = paired_of_nothing()
    return {
        split: _again(stored.paired.get(split, empty), [case for case in cases if case.split is split])
        for split in Split
    }


def paired_of_nothing() -> PairedResult:
    """The paired result of no case at all."""
    return PairedResult(
        shared=0,
        only_new=(),
        only_old=0,
        unmeasured=(),
        worsened=(),
        improved=(),
        mcnemar_p=None,
        gate_level=gate_level({}),
        changes={},
    )


def shared_cases(cases: Sequence[CaseResult], paired: Mapping[Split, PairedResult]) -> tuple[CaseResult, ...]:
    """The cases that the baseline has too, as far as the comparison tells."""
    only_new = {case_id for result in paired.values() for case_id in result.only_new}
    return tuple(case for case in cases if case.id not in only_new)


def has_unshared(paired: Mapping[Split, PairedResult]) -> bool:
    """Whether either report has a case that the other lacks."""
    return any(result.only_new or result.only_old for result in paired.values())


def with_old(
    stored: Comparison, split: Split, paired: Mapping[Split, PairedResult], shared: Sequence[CaseResult]
) -> Sequence[MetricChange]:
    """Put in the baseline's rates over decisions, which this report's decisions and the flips give together.

    Args:
        stored: The comparison as it stands.
        split: Which changes are asked for.
        paired: The same cases side by side, worked out again.
        shared: The cases of the report that the baseline has too.

    Returns:
        The changes as they stand where the old values are over other cases too, or a case has no decision in either.
    """
    changes, result = stored.changes.get(split, ()), paired.get(split)
    if result is None or result.unmeasured or (not stored.shared_only and has_unshared({split: result})):
        return changes
    olds = _old_rates(result, [case for case in shared if case.split is split])
    return [replace(change, old=olds.get(change.name, change.old)) for change in changes]


def _old_rates(paired: PairedResult, cases: Sequence[CaseResult]) -> Mapping[str, float | None]:
    """Undo the flips."""
    flipped = {*paired.worsened, *paired.improved}
    table = add_up(
        by_decision(replace(case, decision=not case.decision) if case.id in flipped else case) for case in cases
    )
    rates = {rate.name: rate_metric(rate, table, None).value for rate in TRIGGER_RATES}
    if any(case.expect_trigger is not None for case in cases):
        return rates  # a case that should fire has a decision on its output besides that on its trigger
    right = [bool(case.is_right) is not (case.id in flipped) for case in cases]
    return {**rates, OUTPUT_PASS_RATE: share_of_cases(OUTPUT_PASS_RATE, right).value}


def _again(stored: PairedResult, cases: Sequence[CaseResult]) -> PairedResult:
    """Ids that the cases do not bear out fall away, and those that they ask for come in, all in their order."""
    only_new = _named(cases, stored.only_new)
    shared = [case for case in cases if case.id not in only_new]
    unmeasured = [case.id for case in shared if case.decision is None or case.id in stored.unmeasured]
    measured = [case for case in shared if case.id not in unmeasured]
    worsened = _named([case for case in measured if case.is_right is False], stored.worsened)
    improved = _named([case for case in measured if case.is_right], stored.improved)
    return replace(
        stored,
        shared=len(shared),
        only_new=only_new,
        unmeasured=tuple(unmeasured),
        worsened=worsened,
        improved=improved,
        mcnemar_p=mcnemar_mid_p(len(worsened), len(improved)),
        gate_level=gate_level({name: change.cases for name, change in stored.changes.items()}),
        changes={name: _change(name, change) for name, change in stored.changes.items()},
    )


def _change(name: str, stored: PairedChange) -> PairedChange:
    return replace(stored, evidence=evidence(name, stored.cases, stored.difference, stored.interval))


def _named(cases: Sequence[CaseResult], ids: Sequence[str]) -> tuple[str, ...]:
    wanted = frozenset(ids)
    return tuple(case.id for case in cases if case.id in wanted)

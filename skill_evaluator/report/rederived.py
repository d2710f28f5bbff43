"""A report's numbers worked out again from its runs alone.

Nothing here loads numpy, so that a report is shown at once: the intervals that are drawn are taken over as they
stand, and only held to be possible by `consistency`.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from skill_evaluator.metrics.cases import case_result
from skill_evaluator.metrics.intervals import wilson_interval
from skill_evaluator.metrics.output import all_right, pass_rates
from skill_evaluator.metrics.split import error_share
from skill_evaluator.metrics.stability import spread, unstable_share
from skill_evaluator.metrics.trigger import (
    TRIGGER_RATES,
    add_up,
    by_decision,
    by_run,
    confusion,
    do_nothing_metrics,
    rate_metric,
)
from skill_evaluator.metrics.usage import usage_metrics
from skill_evaluator.model import Case, Run, Source, Split, Verdict
from skill_evaluator.results import CaseResult, Confusion, Metric, RunResult, RunState, SplitResult, TagResult

_FIRED = {RunState.TRIGGERED: True, RunState.NOT_TRIGGERED: False}
_NO_TAG = TagResult(
    confusion=Confusion(true_positives=0, false_negatives=0, false_positives=0, true_negatives=0), metrics={}
)

Metrics = Mapping[str, Metric]


def case_of(result: CaseResult) -> Case:
    """What was asked; the checks are not in a report, only what they found."""
    return Case(
        id=result.id,
        prompt=result.prompt,
        split=result.split,
        expect_trigger=result.expect_trigger,
        sha256=result.sha256,
        prompt_sha256=result.prompt_sha256,
        source=Source(path="", line=result.line),
        tags=result.tags,
    )


def case_again(result: CaseResult) -> CaseResult:
    """Count the runs of one case again.

    Args:
        result: A case whose runs are numbered in ascending order, below the number planned.
    """
    graded = [_graded(run, place, result.id) for place, run in enumerate(result.runs)]
    again = case_result(case_of(result), graded, planned_runs=len(graded))
    runs = tuple(replace(run, state=new.state) for run, new in zip(result.runs, again.runs, strict=True))
    return replace(again, planned_runs=result.planned_runs, runs=runs)


def split_again(cases: Sequence[CaseResult], stored: SplitResult) -> SplitResult:
    """Measure one split again.

    Args:
        cases: All cases of the split.
        stored: What the report says; its drawn intervals are taken over.
    """
    measured = [case for case in cases if case.decision is not None]
    return SplitResult(
        confusion=confusion(cases),
        metrics={
            **_decided(measured, stored.metrics),
            **pass_rates(cases),
            "pass_hat_k": _pass_hat_k(cases, stored.metrics),
            **usage_metrics(cases),
        },
        run_metrics=_by_run([case for case in cases if case.valid_runs], stored.run_metrics),
        do_nothing=do_nothing_metrics(cases),
        error_shares={
            "positive": error_share([case for case in cases if case.expect_trigger]),
            "negative": error_share([case for case in cases if not case.expect_trigger]),
        },
        unstable_share=unstable_share(cases),
        spread=spread(cases),
        tags=_tags(cases, stored.tags),
    )


def _graded(run: RunResult, place: int, case_id: str) -> tuple[Run, tuple[Verdict, ...]]:
    return Run(
        case_id=case_id,
        index=place,
        triggered=None if run.failure else _FIRED.get(run.state),
        output=run.output,
        skills_invoked=run.skills_invoked,
        tool_calls=run.tool_calls,
        failure=run.failure,
        usage=run.usage,
        cut_by=run.cut_by,
    ), run.verdicts


def _decided(measured: Sequence[CaseResult], stored: Metrics) -> dict[str, Metric]:
    """Drawn is only the interval of F1; Wilson's is worked out."""
    total = add_up(by_decision(case) for case in measured)
    metrics = {}
    for rate in TRIGGER_RATES:
        share = rate.share(total)
        interval = None if rate.clustered else wilson_interval(int(share.top), int(share.bottom))
        metrics[rate.name] = (
            _drawn(rate_metric(rate, total, None), stored) if rate.clustered else rate_metric(rate, total, interval)
        )
    return metrics


def _by_run(measured: Sequence[CaseResult], stored: Metrics) -> dict[str, Metric]:
    total = add_up(by_run(case) for case in measured)
    return {rate.name: _drawn(rate_metric(rate, total, None), stored) for rate in TRIGGER_RATES}


def _drawn(metric: Metric, stored: Metrics) -> Metric:
    """Take the interval over; an undefined value has none."""
    known = stored.get(metric.name)
    return metric if known is None or metric.value is None else replace(metric, interval=known.interval)


def _pass_hat_k(cases: Sequence[CaseResult], stored: Metrics) -> Metric:
    chances = [chance for case in cases if (chance := all_right(case)) is not None]
    value = math.fsum(chances) / len(chances) if chances else None
    return _drawn(Metric(name="pass_hat_k", value=value, denominator=len(chances)), stored)


def _tags(cases: Sequence[CaseResult], stored: Mapping[str, TagResult]) -> dict[str, TagResult]:
    tagged: dict[str, list[CaseResult]] = defaultdict(list)
    for case in cases:
        for tag in set(case.tags):
            tagged[tag].append(case)
    return {tag: _tag(tagged[tag], stored.get(tag, _NO_TAG).metrics) for tag in sorted(tagged)}


def _tag(cases: Sequence[CaseResult], stored: Metrics) -> TagResult:
    measured = [case for case in cases if case.decision is not None]
    return TagResult(confusion=confusion(cases), metrics=_decided(measured, stored))


def by_split(cases: Sequence[CaseResult], stored: Mapping[Split, SplitResult]) -> dict[Split, SplitResult]:
    """Measure both splits again, acceptance first."""
    return {split: split_again([case for case in cases if case.split is split], stored[split]) for split in Split}

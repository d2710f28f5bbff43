"""A report's numbers worked out again from its runs alone.

Nothing here loads numpy, so that a report is shown at once: the intervals that are drawn are taken over as they
stand, and only held to be possible by `consistency`.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from skill_evaluator.metrics.assertions import assertion_tallies
from skill_evaluator.metrics.cases import case_result
from skill_evaluator.metrics.intervals import wilson_interval
from skill_evaluator.metrics.judge import judge_result, unfit_reasons
from skill_evaluator.metrics.output import all_right, pass_rates
from skill_evaluator.metrics.rubric import (
    RUBRIC_PASS_RATE,
    Wanted,
    panels_by_case,
    rubric_means,
    rubric_rate,
    rubric_scores,
    rubric_share,
)
from skill_evaluator.metrics.siblings import EXPECTED_SKILL_RATE, expected_skill_rate, fired_table
from skill_evaluator.metrics.split import error_shares, output_of_tag
from skill_evaluator.metrics.stability import spread, unstable_share
from skill_evaluator.metrics.trigger import (
    TRIGGER_RATES,
    add_up,
    by_decision,
    by_run,
    confusion,
    do_nothing_metrics,
    rate_metric,
    with_trigger,
)
from skill_evaluator.metrics.usage import usage_metrics
from skill_evaluator.model import Case, Run, Source, Split, Verdict
from skill_evaluator.results import (
    CaseResult,
    Confusion,
    JudgeResult,
    Metric,
    Panel,
    Report,
    RunResult,
    RunState,
    SplitResult,
    TagResult,
)

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
        expected_skill=result.expected_skill,
    )


def case_again(result: CaseResult, panels: Sequence[Panel] | None = None) -> CaseResult:
    """Count the runs of one case again.

    Args:
        result: A case whose runs are numbered in ascending order, below the number planned.
        panels: What a judge that is fit said of the case, or None without one.
    """
    wanted = {item: Wanted(score.target, score.human) for item, score in result.rubric.items()}
    rubric = None if panels is None else rubric_scores(wanted, panels)
    graded = [_graded(run, place, result.id) for place, run in enumerate(result.runs)]
    again = case_result(case_of(result), graded, planned_runs=len(graded), rubric=rubric)
    runs = tuple(replace(run, state=new.state) for run, new in zip(result.runs, again.runs, strict=True))
    return replace(again, planned_runs=result.planned_runs, runs=runs)


def cases_again(report: Report) -> tuple[CaseResult, ...]:
    """Count the runs of all cases again, and what the judge said of them where it is fit."""
    judge = report.judge
    if judge is None or unfit_reasons(judge.panels):
        return tuple(case_again(case) for case in report.cases)
    by_case = panels_by_case(judge.panels)
    return tuple(case_again(case, by_case.get(case.id, ())) for case in report.cases)


def judge_again(report: Report, cases: Sequence[CaseResult]) -> JudgeResult | None:
    """Sum the judge up again; believed are what it said, and what it used.

    Args:
        report: The report it stands in.
        cases: All cases of the report, counted again.
    """
    judge, model = report.judge, report.config.judge_model
    if judge is None or model is None:
        return None
    return judge_result(judge.panels, cases, model=model, agent_model=report.agent.model, usage=judge.usage)


def split_again(cases: Sequence[CaseResult], stored: SplitResult, target: str) -> SplitResult:
    """Measure one split again.

    Args:
        cases: All cases of the split.
        stored: What the report says; its drawn intervals are taken over.
        target: Name of the skill under test.
    """
    measured = [case for case in with_trigger(cases) if case.decision is not None]
    return SplitResult(
        confusion=confusion(cases),
        metrics={
            **_decided(measured, stored.metrics),
            **pass_rates(cases),
            EXPECTED_SKILL_RATE: expected_skill_rate(cases),
            RUBRIC_PASS_RATE: _drawn(rubric_rate(map(rubric_share, cases)), stored.metrics),
            "pass_hat_k": _pass_hat_k(cases, stored.metrics),
            **usage_metrics(cases),
        },
        run_metrics=_by_run([case for case in with_trigger(cases) if case.valid_runs], stored.run_metrics),
        do_nothing=do_nothing_metrics(cases),
        error_shares=error_shares(cases),
        unstable_share=unstable_share(cases),
        spread=spread(cases),
        tags=_tags(cases, stored.tags),
        fired=fired_table(cases, target),
        rubric=rubric_means(cases),
        assertions=assertion_tallies(cases),
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
    measured = [case for case in with_trigger(cases) if case.decision is not None]
    return TagResult(confusion=confusion(cases), metrics={**_decided(measured, stored), **output_of_tag(cases)})


def by_split(cases: Sequence[CaseResult], report: Report) -> dict[Split, SplitResult]:
    """Measure both splits of a report again, acceptance first; over some of its cases, or over all."""
    return {
        split: split_again([case for case in cases if case.split is split], report.splits[split], report.skill.name)
        for split in Split
    }

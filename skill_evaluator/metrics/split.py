"""All numbers of one split, from its cases and nothing else."""

from collections import defaultdict
from collections.abc import Sequence

from skill_evaluator.metrics.assertions import assertion_tallies
from skill_evaluator.metrics.output import OUTPUT_PASS_RATE, pass_hat_k, pass_rates
from skill_evaluator.metrics.rubric import RUBRIC_PASS_RATE, rubric_means, rubric_pass_rate
from skill_evaluator.metrics.siblings import EXPECTED_SKILL_RATE, expected_skill_rate, fired_table
from skill_evaluator.metrics.stability import spread, unstable_share
from skill_evaluator.metrics.trigger import case_metrics, confusion, do_nothing_metrics, run_metrics
from skill_evaluator.metrics.usage import usage_metrics
from skill_evaluator.results import CaseResult, Metric, RunState, SplitResult, TagResult

OUTPUT_ONLY = "output_only"  # the class of cases that do not say whether the skill should fire


def split_result(cases: Sequence[CaseResult], *, seed: int, target: str | None = None) -> SplitResult:
    """Measure the cases of one split; their order does not matter.

    Args:
        cases: All cases of the split, the unmeasured ones too; may be empty.
        seed: Seeds the bootstrap.
        target: Name of the skill under test, for the table of those that fired; None leaves it out.
    """
    return SplitResult(
        confusion=confusion(cases),
        metrics={
            **case_metrics(cases, seed=seed),
            **pass_rates(cases),
            EXPECTED_SKILL_RATE: expected_skill_rate(cases),
            RUBRIC_PASS_RATE: rubric_pass_rate(cases, seed=seed),
            "pass_hat_k": pass_hat_k(cases, seed=seed),
            **usage_metrics(cases),
        },
        run_metrics=run_metrics(cases, seed=seed),
        do_nothing=do_nothing_metrics(cases),
        error_shares=error_shares(cases),
        unstable_share=unstable_share(cases),
        spread=spread(cases),
        tags=_tags(cases, seed),
        fired=() if target is None else fired_table(cases, target),
        rubric=rubric_means(cases),
        assertions=assertion_tallies(cases),
    )


def _tags(cases: Sequence[CaseResult], seed: int) -> dict[str, TagResult]:
    tagged: dict[str, list[CaseResult]] = defaultdict(list)
    for case in cases:
        for tag in set(case.tags):
            tagged[tag].append(case)
    return {
        tag: TagResult(
            confusion=confusion(tagged[tag]),
            metrics={**case_metrics(tagged[tag], seed=seed), **output_of_tag(tagged[tag])},
        )
        for tag in sorted(tagged)
    }


def output_of_tag(cases: Sequence[CaseResult]) -> dict[str, Metric]:
    """The share of right outputs among the cases of a tag that are judged by their output alone; empty without any."""
    alone = [case for case in cases if case.expect_trigger is None]
    return {OUTPUT_PASS_RATE: pass_rates(alone)[OUTPUT_PASS_RATE]} if alone else {}


def error_shares(cases: Sequence[CaseResult]) -> dict[str, Metric]:
    """The share of errors by class; that of cases judged by their output alone only where there are any."""
    by_class = {
        class_: [case for case in cases if case.expect_trigger is expected]
        for class_, expected in (("positive", True), ("negative", False), (OUTPUT_ONLY, None))
    }
    return {class_: error_share(found) for class_, found in by_class.items() if found or class_ != OUTPUT_ONLY}


def error_share(cases: Sequence[CaseResult]) -> Metric:
    """Errors of the runs planned; runs of one case may fail together, so there is no Wilson interval."""
    errors = sum(run.state is RunState.ERROR for case in cases for run in case.runs)
    planned = sum(case.planned_runs for case in cases)
    return Metric(
        name="error_share",
        value=errors / planned if planned else None,
        numerator=errors,
        denominator=planned,
        higher_is_better=False,
    )

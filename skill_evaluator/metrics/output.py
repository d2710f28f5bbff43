"""Was what came after the trigger right: pass rates of the checks, and pass^k."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from skill_evaluator.metrics.aspects import aspect_passed, is_valid, leaves_success_open
from skill_evaluator.metrics.intervals import Share, bootstrap_interval, wilson_interval
from skill_evaluator.metrics.votes import JUDGED_PASS_RATE
from skill_evaluator.model import Aspect
from skill_evaluator.results import CaseResult, Metric, RunResult

OUTPUT_PASS_RATE: Final = "output_pass_rate"  # noqa: S105 - a rate, no password
PASS_RATES: Mapping[str, Aspect] = MappingProxyType(
    {
        OUTPUT_PASS_RATE: Aspect.OUTPUT,
        "params_pass_rate": Aspect.PARAMS,
        "tool_order_pass_rate": Aspect.TOOL_ORDER,
        JUDGED_PASS_RATE: Aspect.JUDGED,
    }
)


def pass_rates(cases: Sequence[CaseResult]) -> dict[str, Metric]:
    """The pass rates over the cases in which that aspect was looked at.

    They are the positives that triggered, and those that do not say whether the skill should fire.
    """
    return {name: _pass_rate(name, aspect, cases) for name, aspect in PASS_RATES.items()}


def pass_hat_k(cases: Sequence[CaseResult], *, seed: int) -> Metric:
    """The chance that `k` runs of a case, drawn from its valid ones, are all right; averaged over cases.

    `k` is the number of runs planned. A case with fewer valid runs than that cannot say and is left
    out, as is one with a run of which some checks passed and others could not look.

    Returns:
        The mean, with the number of cases it covers as denominator and the bootstrap interval over cases; its value is
        None where no case is left.

    Source:
        S. Yao et al. (2024), "tau-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains",
        arXiv:2406.12045: pass^k = E[C(c, k) / C(n, k)].
    """
    chances = [chance for case in cases if (chance := all_right(case)) is not None]
    return Metric(
        name="pass_hat_k",
        value=math.fsum(chances) / len(chances) if chances else None,
        interval=bootstrap_interval([Share(chance, 1, 1) for chance in chances], seed=seed),
        denominator=len(chances),
    )


def all_right(case: CaseResult) -> float | None:
    """The chance that as many runs as were planned are all right; None where fewer are valid, or one is open."""
    if case.valid_runs < case.planned_runs or any(_is_open(run, case) for run in case.runs):
        return None
    return math.comb(case.successes, case.planned_runs) / math.comb(case.valid_runs, case.planned_runs)


def _is_open(run: RunResult, case: CaseResult) -> bool:
    """Whether it is not known if the run is right in every respect."""
    if case.expect_trigger is None:
        return is_valid(run.state, expected=None) and aspect_passed(run, Aspect.OUTPUT) is None
    return case.expect_trigger and leaves_success_open(run)


def _pass_rate(name: str, aspect: Aspect, cases: Sequence[CaseResult]) -> Metric:
    return share_of_cases(name, [case.aspects[aspect] for case in cases if aspect in case.aspects])


def share_of_cases(name: str, answers: Sequence[bool]) -> Metric:
    """The share of cases that answered yes, with its Wilson interval; None where no case answers.

    Args:
        name: Of the metric.
        answers: One for each case that the metric covers.
    """
    passed, looked = sum(answers), len(answers)
    return Metric(
        name=name,
        value=passed / looked if looked else None,
        interval=wilson_interval(passed, looked),
        numerator=passed,
        denominator=looked,
    )

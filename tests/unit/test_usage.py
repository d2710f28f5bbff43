"""Tokens, money and time."""

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.metrics.usage import latency_metrics, percentile, usage_metrics
from skill_evaluator.model import Failure, FailureKind, Run, Split, Usage
from skill_evaluator.results import CaseResult, RunResult, RunState

FAILURE = Failure(kind=FailureKind.TIMEOUT, message="300 s")


def case(*usages: Usage | None, state: RunState = RunState.TRIGGERED) -> CaseResult:
    return CaseResult(
        id="c",
        split=Split.ACCEPTANCE,
        expect_trigger=True,
        prompt="p",
        prompt_sha256="b",
        sha256="a",
        planned_runs=3,
        valid_runs=len(usages),
        triggered_runs=len(usages),
        decision=True,
        fluctuation=0.0,
        successes=0,
        runs=tuple(RunResult(index=index, state=state, usage=usage) for index, usage in enumerate(usages)),
    )


def run(duration_s: float | None) -> Run:
    return Run(case_id="c", triggered=False, duration_s=duration_s)


def test_usage_is_the_mean_over_the_runs_that_report_it() -> None:
    metrics = usage_metrics(
        [
            case(Usage(input_tokens=100, output_tokens=10, cost_usd=0.02), Usage(input_tokens=300), None),
            case(Usage(input_tokens=0)),
        ]
    )

    assert [(m.value, m.denominator, m.unit) for m in metrics.values()] == [
        (pytest.approx(400 / 3), 3, "tokens"),
        (10.0, 1, "tokens"),
        (0.02, 1, "usd"),
    ]
    assert not any(metric.higher_is_better for metric in metrics.values())


@pytest.mark.parametrize(
    "results",
    [
        [],
        [case(None)],
        [case(Usage())],
        [case(Usage(input_tokens=9, output_tokens=9, cost_usd=9.0), state=RunState.ERROR)],
        [case(Usage(input_tokens=9, output_tokens=9, cost_usd=9.0), state=RunState.UNKNOWN)],
    ],
)
def test_what_no_valid_run_reports_is_missing_and_not_0(results: list[CaseResult]) -> None:
    metrics = usage_metrics(results)

    assert [(name, m.value, m.denominator) for name, m in metrics.items()] == [
        ("input_tokens", None, 0),
        ("output_tokens", None, 0),
        ("cost_usd", None, 0),
    ]


def test_percentiles_lie_between_two_runs() -> None:
    """Five runs: p50 is the third; p95 stands at rank 3.8 of 0..4, so 4 + 0.8 * (10 - 4)."""
    metrics = latency_metrics([run(seconds) for seconds in (10.0, 1.0, 3.0, 4.0, 2.0)])

    assert metrics["latency_p50"].value == 3.0
    assert metrics["latency_p95"].value == pytest.approx(8.8)
    assert {(m.denominator, m.unit, m.higher_is_better) for m in metrics.values()} == {(5, "s", False)}


@given(st.lists(st.floats(0, 1e4), min_size=2, max_size=50))
def test_percentiles_agree_with_the_standard_library(durations_s: list[float]) -> None:
    twentieths = statistics.quantiles(durations_s, n=20, method="inclusive")
    metrics = latency_metrics([run(seconds) for seconds in durations_s])

    assert metrics["latency_p50"].value == pytest.approx(twentieths[9], abs=1e-9)
    assert metrics["latency_p95"].value == pytest.approx(twentieths[18], abs=1e-9)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50), st.integers(0, 100))
def test_percentiles_are_those_of_numpy_bit_for_bit(values: list[float], percent: int) -> None:
    assert percentile(values, percent) == float(np.percentile(values, percent, method="linear"))


def test_a_run_that_failed_or_has_no_time_has_no_latency() -> None:
    """A timeout's 300 s measure the limit, not the skill."""
    failed = Run(case_id="c", failure=FAILURE, duration_s=300.0)
    unknown = Run(case_id="c", duration_s=9.0)
    metrics = latency_metrics([failed, unknown, run(None), run(2.0)])

    assert [(metric.value, metric.denominator) for metric in metrics.values()] == [(2.0, 1), (2.0, 1)]


def test_no_time_at_all_is_missing_and_not_0() -> None:
    assert [metric.value for metric in latency_metrics([run(None)]).values()] == [None, None]

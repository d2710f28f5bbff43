"""All numbers of one split together."""

from hypothesis import given, settings
from hypothesis import strategies as st

from skill_evaluator.metrics.cases import case_result
from skill_evaluator.metrics.split import split_result
from skill_evaluator.metrics.trigger import case_metrics, confusion
from skill_evaluator.model import (
    Aspect,
    Case,
    Failure,
    FailureKind,
    Outcome,
    Run,
    Severity,
    Source,
    Split,
    Usage,
    Verdict,
)
from skill_evaluator.results import CaseResult

FAILURE = Failure(kind=FailureKind.CRASH, message="exit 1")
NAMES = [
    "precision",
    "recall",
    "f1",
    "false_trigger_rate",
    "output_pass_rate",
    "params_pass_rate",
    "tool_order_pass_rate",
    "judged_pass_rate",
    "expected_skill_rate",
    "rubric_pass_rate",
    "pass_hat_k",
    "input_tokens",
    "output_tokens",
    "cost_usd",
]
OUTCOMES = st.lists(st.from_regex("[+-][tne]{3}", fullmatch=True), max_size=12)


def case(letters: str, *tags: str) -> CaseResult:
    """A positive (+) or negative (-), and its runs: t triggered with right output, n did not, e is an error."""
    asked = Case(
        id="c",
        prompt="p",
        split=Split.TUNING,
        expect_trigger=letters[0] == "+",
        sha256="a",
        prompt_sha256="b",
        source=Source(path="t.json"),
        tags=tags,
    )
    outcome = Outcome(passed=True, code="contains_ok", message="m")
    verdict = Verdict(grader="g", aspect=Aspect.OUTPUT, severity=Severity.HARD, weight=1.0, outcome=outcome)
    graded = [
        (
            Run(
                case_id="c",
                index=i,
                triggered={"t": True, "n": False}.get(x),
                failure=FAILURE if x == "e" else None,
                usage=Usage(output_tokens=len(letters) + i),
            ),
            (verdict,) if x == "t" else (),
        )
        for i, x in enumerate(letters[1:])
    ]
    return case_result(asked, graded, planned_runs=len(graded))


def test_every_metric_is_there_even_without_a_case() -> None:
    empty = split_result([], seed=0)

    assert list(empty.metrics) == NAMES
    assert all(name == metric.name and metric.value is None for name, metric in empty.metrics.items())
    assert list(empty.run_metrics) == list(empty.do_nothing) == NAMES[:4]
    assert [share.value for share in empty.error_shares.values()] == [None, None]
    assert empty.spread == {"f1": None, "recall": None, "false_trigger_rate": None}
    assert empty.unstable_share.value is None
    assert empty.tags == {}


def test_a_split_in_full() -> None:
    split = split_result([case("+ttt"), case("+tnn"), case("-nnn"), case("-ete"), case("-eee")], seed=0)

    assert list(split.metrics) == NAMES
    assert split.metrics["f1"].value == 0.5  # TP 1, FN 1, FP 1
    assert split.metrics["output_pass_rate"].value == 1.0
    assert split.metrics["pass_hat_k"].denominator == 3
    assert split.run_metrics["recall"].value == 4 / 6
    assert split.do_nothing["f1"].value == 0.0
    assert split.confusion.unmeasured == 1


def test_error_share_is_of_the_runs_planned_for_a_class() -> None:
    shares = split_result([case("+ttt"), case("+tte"), case("-eee"), case("-nn")], seed=0).error_shares

    assert (shares["positive"].numerator, shares["positive"].denominator) == (1, 6)
    assert (shares["negative"].value, shares["negative"].numerator, shares["negative"].denominator) == (0.6, 3, 5)
    assert shares["negative"].interval is None


def test_each_tag_is_scored_over_its_own_cases() -> None:
    """One case counts under both of its tags; a tag of one class leaves the other's rate undefined."""
    both, plain = case("+ttt", "zh", "levels"), case("-ttt", "levels")
    others = [case("+ttt", *"hgfedcba")]
    tags = split_result([both, plain, case("+nnn"), *others], seed=0).tags

    assert list(tags) == [*"abcdefgh", "levels", "zh"]
    assert tags["levels"].confusion == confusion([both, plain])
    assert tags["levels"].metrics == case_metrics([both, plain], seed=0)
    assert tags["zh"].metrics["false_trigger_rate"].value is None


@settings(max_examples=40)
@given(OUTCOMES)
def test_order_of_cases_does_not_matter(outcomes: list[str]) -> None:
    results = [case(letters, f"tag{index % 3}") for index, letters in enumerate(outcomes)]

    assert split_result(results, seed=1) == split_result(results[::-1], seed=1)


@settings(max_examples=40)
@given(OUTCOMES)
def test_every_rate_is_its_numerator_over_its_denominator(outcomes: list[str]) -> None:
    split = split_result([case(letters) for letters in outcomes], seed=1)

    for metric in (*split.metrics.values(), *split.run_metrics.values(), split.unstable_share):
        if metric.numerator is not None:
            assert metric.denominator is not None
            expected = metric.numerator / metric.denominator if metric.denominator else None
            assert metric.value == expected
        if metric.value is not None and metric.interval is not None:
            assert metric.interval.low <= metric.interval.high
            assert 0 <= metric.interval.low <= 1 >= metric.interval.high

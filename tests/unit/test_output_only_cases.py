"""Cases that do not say whether the skill should fire: what is graded, and what decides."""

from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.graders.text import Contains
from skill_evaluator.grading import grade_run
from skill_evaluator.metrics.assertions import assertion_tallies
from skill_evaluator.metrics.failed import failed_cases
from skill_evaluator.metrics.output import pass_hat_k
from skill_evaluator.metrics.split import split_result
from skill_evaluator.metrics.stability import is_unstable
from skill_evaluator.metrics.usage import latency_metrics, usage_metrics
from skill_evaluator.model import Aspect, Grader, Outcome, Run, Severity
from skill_evaluator.results import Metric
from tests.unit.output_only_setup import GRADERS, SHOWN, Numbers, output_case, output_result, output_runs

LETTERS = st.text(alphabet="rqwnuose", min_size=1, max_size=8)


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """Keeps what it was shown; has a text to translate, as some checks do."""

    source: str = "Hi %s"

    def check(self, run: Run) -> Outcome:
        return Outcome(passed=True, code="ok", message="", evidence={"text": run.output, "raw": run.raw_response})


def shown_to_checks(run: Run, source: str = "Hi %s") -> dict[str, object]:
    (verdict,) = grade_run(output_case("c", Grader(name="g", check=Seen(source=source))), run)
    return dict(verdict.outcome.evidence)


@pytest.mark.parametrize("triggered", [True, False, None])
def test_an_output_is_graded_whether_the_skill_fired_or_not(triggered: bool | None) -> None:
    run = Run(case_id="c", triggered=triggered, output="Salut %s")

    assert shown_to_checks(run) == {"text": "Salut %s", "raw": "Salut %s"}


def test_a_failed_run_is_not_graded() -> None:
    (run,) = output_runs("c", "e")

    assert grade_run(output_case("c"), run) == ()


@pytest.mark.parametrize(
    ("output", "source", "text"),
    [
        ("\nSalut %s \n", "Hi %s", "Salut %s"),
        ("Salut %s\n", "Hi %s\n", "Salut %s\n"),
        (" Salut %s", " Hi %s", " Salut %s"),
        ("", "Hi", ""),
        (None, "Hi", None),
    ],
)
def test_checks_see_the_translation_and_the_response_as_it_came(
    output: str | None, source: str, text: str | None
) -> None:
    run = Run(case_id="c", triggered=True, output=output)

    assert shown_to_checks(run, source) == {"text": text, "raw": output}


def test_a_recorded_response_is_looked_at_in_place_of_the_output() -> None:
    run = Run(case_id="c", triggered=True, output="Salut", raw_response='["Salut"]')

    assert shown_to_checks(run, "Hi") == {"text": "Salut", "raw": '["Salut"]'}


@pytest.mark.parametrize(
    ("letters", "valid", "fired", "decision", "fluctuation", "successes"),
    [
        ("rrr", 3, 3, True, 0, 3),
        ("rqu", 3, 1, True, 0, 3),
        ("wnr", 3, 2, False, 1 / 3, 1),
        ("qqn", 3, 0, True, 1 / 3, 2),
        ("rw", 2, 2, False, 1 / 2, 1),
        ("rwe", 2, 2, False, 1 / 2, 1),
        ("rre", 2, 2, True, 0, 2),
        ("eee", 0, 0, None, None, 0),
        ("sss", 3, 3, None, None, 0),
        ("ooo", 3, 3, None, None, 0),
        ("rro", 3, 3, True, 0, 2),
        ("rso", 3, 3, None, 0, 1),
        ("wwo", 3, 3, False, 0, 0),
        ("rwo", 3, 3, None, 1 / 2, 1),
        ("rwwo", 4, 4, False, 1 / 3, 1),
    ],
)
def test_the_output_decides_over_all_runs_that_did_not_fail(
    letters: str, valid: int, fired: int, decision: bool | None, fluctuation: float | None, successes: int
) -> None:
    """Worked out by hand: a tie is wrong, and what is open decides nothing, nor may it turn what is decided."""
    result = output_result(letters)

    assert (result.valid_runs, result.triggered_runs, result.successes) == (valid, fired, successes)
    assert (result.decision, result.is_right) == (decision, decision)
    assert result.fluctuation == (None if fluctuation is None else pytest.approx(fluctuation))
    assert result.aspects == ({} if decision is None else {Aspect.OUTPUT: decision})


def test_a_case_whose_assertions_are_only_shown_decides_nothing_and_is_no_failure() -> None:
    result = output_result("rrr", SHOWN)

    assert (result.decision, result.fluctuation, result.aspects, result.successes) == (None, None, {}, 0)
    assert failed_cases([result]) == ()


@given(LETTERS)
def test_the_order_of_runs_does_not_matter(letters: str) -> None:
    one, other = output_result(letters), output_result(letters[::-1])

    assert (one.decision, one.fluctuation, one.successes) == (other.decision, other.fluctuation, other.successes)


@given(LETTERS)
def test_whether_the_skill_fired_does_not_matter(letters: str) -> None:
    one, other = output_result(letters), output_result(letters.translate(str.maketrans("rw", "qn")))

    assert (one.decision, one.fluctuation, one.successes) == (other.decision, other.fluctuation, other.successes)


@pytest.mark.parametrize(
    ("letters", "unstable"),
    [("rrr", False), ("rrn", True), ("r" * 9 + "n", False), ("r" * 8 + "n", True), ("eo", False)],
)
def test_runs_that_disagree_make_a_case_unstable(letters: str, *, unstable: bool) -> None:
    assert is_unstable(output_result(letters)) is unstable


def test_triggers_are_not_scored_and_never_zero() -> None:
    found = split_result([output_result("rqn", name="a"), output_result("nnn", name="b")], seed=0, target="s")

    for name in ("precision", "recall", "f1", "false_trigger_rate"):
        for metrics in (found.metrics, found.run_metrics, found.do_nothing):
            assert (metrics[name].value, metrics[name].interval, metrics[name].denominator) == (None, None, 0)
    counts = found.confusion
    assert (counts.true_positives, counts.false_negatives, counts.false_positives, counts.true_negatives) == (
        0,
        0,
        0,
        0,
    )
    assert (counts.unmeasured, found.fired) == (0, ())


def test_the_share_of_right_outputs_is_over_the_decided_cases() -> None:
    """3 of 4 decided; the interval by hand: (0.75 + 0.4802 -+ 0.6408) / 1.9604."""
    letters = {"a": "rrr", "b": "qqn", "c": "rru", "d": "wwr", "e": "sss", "f": "eee"}
    found = split_result([output_result(runs, name=name) for name, runs in letters.items()], seed=0)

    rate = found.metrics["output_pass_rate"]
    assert (rate.value, rate.numerator, rate.denominator) == (0.75, 3, 4)
    assert rate.interval is not None
    assert (rate.interval.low, rate.interval.high) == pytest.approx((0.300642, 0.954413))


def test_errors_are_a_class_of_their_own() -> None:
    found = split_result([output_result("rre", name="a"), output_result("ree", name="b")], seed=0)

    assert {name: (one.numerator, one.denominator) for name, one in found.error_shares.items()} == {
        "positive": (0, 0),
        "negative": (0, 0),
        "output_only": (3, 6),
    }


def test_the_spread_is_that_of_the_share_of_right_outputs() -> None:
    """By repetition: 2 of 2 right, 1 of 3, 1 of 1 (the second case is open there, the third failed)."""
    found = split_result([output_result(runs, name=runs) for runs in ("urr", "rno", "swe")], seed=0)
    alone = split_result([output_result("uun")], seed=0)

    assert alone.spread["output_pass_rate"] == 1.0

    assert found.spread == {
        "f1": None,
        "recall": None,
        "false_trigger_rate": None,
        "output_pass_rate": pytest.approx(float(1 - Fraction(1, 3))),
    }
    assert (found.unstable_share.numerator, found.unstable_share.denominator) == (0, 2)


@pytest.mark.parametrize(
    ("letters", "chance"), [("rrr", 1.0), ("rrn", 0.0), ("rre", None), ("rro", None), ("sss", None), ("nwn", 0.0)]
)
def test_all_runs_of_a_case_are_right_with_this_chance(letters: str, chance: float | None) -> None:
    assert pass_hat_k([output_result(letters)], seed=0).value == chance


def test_costs_and_times_are_those_of_all_runs_that_did_not_fail() -> None:
    """Tokens written: 10, 20, 30 and 10; seconds: 2, 3, 4 and 2."""
    results = [output_result("rnu", name="a"), output_result("ueee", name="b")]
    times = latency_metrics((), output_only=[*output_runs("a", "rnu"), *output_runs("b", "ueee")])

    assert usage_metrics(results)["output_tokens"] == Metric(
        name="output_tokens", value=17.5, denominator=4, unit="tokens", higher_is_better=False
    )
    assert (times["latency_p50"].value, times["latency_p50"].denominator) == (2.5, 4)


def tallies(**letters: str) -> list[tuple[object, ...]]:
    results = [output_result(runs, *GRADERS, SHOWN, name=name) for name, runs in letters.items()]
    return [
        (one.assertion, one.severity, one.pass_rate.numerator, one.pass_rate.denominator, one.undecided, one.codes)
        for one in assertion_tallies(results)
    ]


def test_assertions_are_counted_by_case_and_hard_ones_come_first() -> None:
    """A right output ends in `!`, which fails the one that is only shown, and so does a wrong one."""
    assert tallies(a="rrr", b="rnn", c="ooo", d="ssr", e="eee") == [
        ("number_fidelity", Severity.HARD, 2, 2, 2, {}),
        ("placeholder_integrity", Severity.HARD, 2, 3, 1, {"placeholder_missing": 1}),
        ("max_chars", Severity.REPORT, 2, 4, 0, {"not_contains_found": 3}),
    ]


def test_a_tie_between_runs_counts_as_a_failed_assertion() -> None:
    assert tallies(a="rn")[1] == ("placeholder_integrity", Severity.HARD, 0, 1, 0, {"placeholder_missing": 1})


def test_an_assertion_that_a_case_has_twice_passes_where_both_do() -> None:
    graders = (
        Grader(name="required_tokens", check=Contains(text="%s")),
        Grader(name="required_tokens 2", check=Contains(text="nowhere")),
    )
    (tally,) = assertion_tallies([output_result("rrr", *graders)])

    assert (tally.assertion, tally.pass_rate.numerator, tally.pass_rate.denominator) == ("required_tokens", 0, 1)
    assert tally.pass_rate.interval is not None
    assert (tally.pass_rate.interval.low, tally.pass_rate.interval.high) == pytest.approx((0.0, 0.793450))


def test_a_fault_of_one_of_two_is_no_matter_of_what_the_other_cannot_decide() -> None:
    graders = (
        Grader(name="number_fidelity", check=Numbers()),
        Grader(name="number_fidelity 2", check=Contains(text="%s")),
    )
    (tally,) = assertion_tallies([output_result("sss", *graders)])

    assert (tally.pass_rate.numerator, tally.pass_rate.denominator, tally.undecided) == (0, 1, 0)
    assert tally.codes == {"contains_missing": 1}


def test_a_wrong_output_is_shown_with_code_message_and_evidence() -> None:
    (failed,) = failed_cases([output_result("wro" + "n", name="a")])

    fault = {
        "grader": "placeholder_integrity",
        "code": "placeholder_missing",
        "message": "Expected placeholder '%s' is missing.",
        "evidence": {"expected": ["%s"], "actual": []},
    }
    assert (failed.sort, failed.expected) == ("output", {"checks": [{"grader": "placeholder_integrity"}]})
    assert failed.actual == {
        "passed_runs": 1,
        "measured_runs": 3,
        "runs": [{"run": 0, "checks": [fault]}, {"run": 3, "checks": [fault]}],
    }


def test_a_case_without_a_valid_run_is_unmeasured() -> None:
    (failed,) = failed_cases([output_result("ee", planned=3)])

    assert (failed.sort, failed.expected) == ("unmeasured", {"output": "right"})
    assert (failed.actual["failures"], failed.actual["not_run"], failed.actual["unknown"]) == ({"timeout": 2}, 1, 0)


def test_an_undecided_case_is_no_failed_one() -> None:
    assert failed_cases([output_result("sss"), output_result("ooo")]) == ()

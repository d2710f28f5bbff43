"""The verdict of a report and its reasons, from cases to the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.metrics.cases import case_result
from skill_evaluator.metrics.split import split_result
from skill_evaluator.metrics.verdict import decide_verdict
from skill_evaluator.model import AgentInfo, Aspect, Case, Failure, FailureKind, Run, Source, Split
from skill_evaluator.results import Canary, CanaryState, CaseResult, Config, Note, ReportVerdict

NO_CANARY = Canary()
FULL = Config(runs=3, seed=0, pass_threshold=0.85)
DRAFT = replace(FULL, draft=True, runs=1)
MODEL = AgentInfo(name="messages", model="m")
EMBEDDED = AgentInfo(name="embedded", estimate=True)
KINDS = {
    "e": FailureKind.TIMEOUT,
    "r": FailureKind.RATE_LIMIT,
    "a": FailureKind.AUTH,
    "g": FailureKind.AGENT_MISSING,
    "s": FailureKind.SKILL_NOT_LISTED,
}
GOOD = ["+ttt"] * 5 + ["-nnn"] * 5
INVALID, FAIL, UNSTABLE, PASS = (ReportVerdict(name) for name in ("INVALID", "FAIL", "UNSTABLE", "PASS"))


def cases(outcomes: Sequence[str], split: Split = Split.ACCEPTANCE, planned: int = 3) -> list[CaseResult]:
    """Positives (+) and negatives (-): t triggered, n did not, u says nothing, other letters are errors, see KINDS."""
    return [case(letters, f"{split}_{number:02}", split, planned) for number, letters in enumerate(outcomes, 1)]


def case(letters: str, id_: str, split: Split, planned: int) -> CaseResult:
    asked = Case(
        id=id_,
        prompt="p",
        split=split,
        expect_trigger=letters[0] == "+",
        sha256="a",
        prompt_sha256="b",
        source=Source(path="t.json"),
    )
    runs = [
        Run(
            case_id=id_,
            index=index,
            triggered={"t": True, "n": False}.get(letter),
            failure=Failure(kind=KINDS[letter], message=f"{id_} run {index}") if letter in KINDS else None,
        )
        for index, letter in enumerate(letters[1:])
    ]
    return case_result(asked, [(run, ()) for run in runs], planned_runs=max(planned, len(runs)))


def judge(  # noqa: PLR0913 - the rare options by name
    acceptance: Sequence[str],
    tuning: Sequence[str] = (),
    *,
    config: Config = FULL,
    agent: AgentInfo = MODEL,
    violations: Sequence[str] = (),
    stopped_by: str | None = None,
    narrowed: bool = False,
    canary: Canary = NO_CANARY,
) -> tuple[ReportVerdict, tuple[Note, ...]]:
    by_split = {
        Split.ACCEPTANCE: cases(acceptance, planned=config.runs),
        Split.TUNING: cases(tuning, Split.TUNING, planned=config.runs),
    }
    return decide_verdict(
        splits={split: split_result(results, seed=0) for split, results in by_split.items()},
        cases=[result for results in by_split.values() for result in results],
        config=config,
        agent=agent,
        violations=violations,
        stopped_by=stopped_by,
        narrowed_below_floors=narrowed,
        canary=canary,
    )


def codes(reasons: Sequence[Note]) -> list[str]:
    return [reason.code for reason in reasons]


def values(reasons: Sequence[Note]) -> list[tuple[str, Mapping[str, object]]]:
    return [(reason.code, dict(reason.values)) for reason in reasons]


def test_a_good_skill_passes_without_a_reason() -> None:
    assert judge(GOOD, GOOD) == (PASS, ())


@pytest.mark.parametrize(
    ("positives", "verdict"),
    [
        (["+ttt"] * 17 + ["+nnn"] * 6, PASS),  # F1 = 34/40, exactly the threshold
        (["+ttt"] * 17 + ["+nnn"] * 7, FAIL),
    ],
)
def test_f1_on_the_threshold_is_enough(positives: list[str], verdict: ReportVerdict) -> None:
    answer, reasons = judge([*positives, *["-nnn"] * 5])

    assert answer is verdict
    if verdict is FAIL:
        assert values(reasons) == [("f1_below", {"f1": 34 / 41, "threshold": 0.85})]


@pytest.mark.parametrize(("quiet", "verdict"), [(9, PASS), (8, FAIL)])
def test_a_false_trigger_rate_of_exactly_a_tenth_is_not_above_it(quiet: int, verdict: ReportVerdict) -> None:
    answer, reasons = judge(["+ttt"] * 10 + ["-ttt"] + ["-nnn"] * quiet)

    assert answer is verdict
    if verdict is FAIL:
        assert values(reasons) == [("false_trigger_above", {"value": 1 / 9, "limit": 0.1})]


def test_a_changed_skill_fails_an_estimate_too() -> None:
    """Whether the files changed is no estimate."""
    assert judge(GOOD, agent=EMBEDDED, violations=["SKILL.md"])[0] is FAIL


def test_a_pass_does_not_hide_that_an_output_was_wrong() -> None:
    """The verdict rests on triggers; the acceptance cases whose checks failed stand right under it."""
    acceptance = cases(GOOD)
    acceptance[0] = replace(acceptance[0], aspects={Aspect.OUTPUT: True, Aspect.PARAMS: False})
    tuning = [replace(one, aspects={Aspect.OUTPUT: False}) for one in cases(GOOD, Split.TUNING)]
    answer = decide_verdict(
        splits={Split.ACCEPTANCE: split_result(acceptance, seed=0), Split.TUNING: split_result(tuning, seed=0)},
        cases=[*acceptance, *tuning],
        config=FULL,
        agent=MODEL,
        violations=(),
        stopped_by=None,
        narrowed_below_floors=False,
    )

    assert answer == (PASS, (Note(code="checks_failed", values={"cases": 1}),))


def test_an_agent_that_edits_the_skill_fails_it() -> None:
    assert judge(GOOD, violations=["SKILL.md"]) == (
        FAIL,
        (Note(code="violation", values={"files": ["SKILL.md"]}),),
    )


def test_one_unstable_case_of_ten_is_no_more_than_a_tenth() -> None:
    """Ten runs a case, so that one of them moves no rate far."""
    steady = ["+" + "t" * 10] * 8 + ["-" + "n" * 10]
    shaky = "+ttttttttnn"

    assert judge([*steady, shaky], config=replace(FULL, runs=10)) == (
        UNSTABLE,
        (Note(code="spread", values={"metric": "recall", "value": 1 / 9}),),
    )
    assert judge([*steady, steady[0], shaky], config=replace(FULL, runs=10)) == (PASS, ())


def test_more_than_a_tenth_of_unstable_cases_is_unstable() -> None:
    """Two of nineteen; each repetition misses one positive or none."""
    verdict, reasons = judge(["+ttn", "+tnt"] + ["+ttt"] * 10 + ["-nnn"] * 7)

    assert verdict is UNSTABLE
    assert values(reasons) == [("unstable_cases", {"unstable": 2, "measured": 19})]


def test_a_spread_of_exactly_a_tenth_is_not_above_it() -> None:
    """Recall 10/10, 10/10, 9/10."""
    assert judge(["+ttt"] * 9 + ["+ttn"] + ["-nnn"] * 5) == (PASS, ())


def test_unstable_tuning_cases_do_not_matter() -> None:
    assert judge(GOOD, ["+ttn"] * 5 + ["-nnt"] * 5) == (PASS, ())


def test_the_threshold_is_judged_on_the_acceptance_split() -> None:
    assert judge(GOOD, ["+nnn"] * 5 + ["-ttt"] * 5)[0] is PASS
    assert judge(["+nnn"] * 5 + ["-nnn"] * 5, GOOD)[0] is FAIL


def test_all_reasons_are_given_the_deciding_one_first() -> None:
    verdict, reasons = judge(["+nnn"] * 4 + ["+tnt"] + ["-ttt"] * 2 + ["-nnn"] * 3, violations=["a.py"])

    assert verdict is FAIL
    assert codes(reasons) == ["violation", "f1_below", "false_trigger_above", "spread", "spread"]


class TestInvalid:
    def test_missing_agent_is_not_half_a_pass(self) -> None:
        """The negatives of a dead agent never "pass"; the cause is named once."""
        verdict, reasons = judge(["+ggg"] * 5 + ["-ggg"] * 5)

        assert verdict is INVALID
        assert codes(reasons) == [
            "cause",
            "nothing_measured",
            "error_share",
            "error_share",
            "too_few_valid_runs",
        ]
        assert reasons[0].values == {"kind": "agent_missing", "message": "acceptance_01 run 0", "runs": 30}

    @pytest.mark.parametrize(("letter", "kind"), [("a", "auth"), ("g", "agent_missing")])
    def test_one_run_without_authentication_or_agent_is_enough(self, letter: str, kind: str) -> None:
        verdict, reasons = judge(
            ["+" + "t" * 19 + letter] + ["+" + "t" * 20] * 4 + ["-" + "n" * 20] * 5, config=replace(FULL, runs=20)
        )

        assert verdict is INVALID
        assert values(reasons) == [("cause", {"kind": kind, "message": "acceptance_01 run 19", "runs": 1})]

    def test_a_skill_that_was_not_listed_was_not_measured(self) -> None:
        """Else every skill has a precision of 100 % and a recall of 0 %."""
        verdict, reasons = judge(["+nnn"] * 5 + ["-nnn"] * 5, ["+nnns"])

        assert verdict is INVALID
        assert codes(reasons)[0] == "skill_not_listed"
        assert "cause" not in codes(reasons)

    def test_two_crashed_runs_of_three_are_no_certainty(self) -> None:
        verdict, reasons = judge(["+tee", "+ter"] + ["+ttt"] * 20 + GOOD, GOOD)

        assert verdict is INVALID
        assert values(reasons) == [
            ("too_few_valid_runs", {"cases": ["acceptance_01", "acceptance_02"], "needed": 3}),
            ("cause", {"kind": "timeout", "message": "acceptance_01 run 1", "runs": 3}),
            ("cause", {"kind": "rate_limit", "message": "acceptance_02 run 2", "runs": 1}),
        ]

    def test_a_tuning_case_with_too_few_valid_runs_counts_too(self) -> None:
        verdict, reasons = judge(GOOD, ["+ttu"])

        assert (verdict, codes(reasons)) == (INVALID, ["too_few_valid_runs"])

    @pytest.mark.parametrize(("errors", "verdict"), [(3, PASS), (4, INVALID)])
    def test_an_error_share_of_exactly_a_tenth_is_not_above_it(self, errors: int, verdict: ReportVerdict) -> None:
        """Thirty runs of negatives, five or six a case, all cases with three valid runs or more."""
        negatives = ["-" + "n" * (6 - 1) + "e"] * errors + ["-" + "n" * 6] * (5 - errors)
        answer, reasons = judge(["+" + "t" * 6] * 5 + negatives, config=replace(FULL, runs=6))

        assert answer is verdict
        if verdict is INVALID:
            expected = {"class": "negative", "split": "acceptance", "errors": 4, "planned": 30}
            assert values(reasons)[0] == ("error_share", expected)
            assert codes(reasons) == ["error_share", "cause"]

    def test_errors_of_the_tuning_split_count_too(self) -> None:
        verdict, reasons = judge(["+tttt"] * 3 + ["-nnnn"] * 3, ["+ttte", "-nnnn"], config=replace(FULL, runs=4))

        assert verdict is INVALID
        assert reasons[0].values == {"class": "positive", "split": "tuning", "errors": 1, "planned": 4}

    @pytest.mark.parametrize("acceptance", [[], ["-nnn"] * 5, ["+ttt"] * 5])
    def test_an_acceptance_split_without_both_classes_scores_nothing(self, acceptance: list[str]) -> None:
        """One positive and one negative, split into an empty half, is not "all passed"."""
        assert judge(acceptance, GOOD) == (INVALID, (Note(code="nothing_measured"),))

    def test_an_interrupted_run_is_partial(self) -> None:
        verdict, reasons = judge(["+ttt"] * 4 + ["+t", "-nnn", "-"], stopped_by="SIGINT")

        assert verdict is INVALID
        assert reasons[0] == Note(code="interrupted", values={"signal": "SIGINT", "finished": 16, "planned": 21})
        assert codes(reasons) == ["interrupted", "too_few_valid_runs"]

    @pytest.mark.parametrize("code", ["SIGINT", "SIGTERM", "max_cost", "auth"])
    def test_a_stop_after_the_last_run_leaves_the_verdict_to_the_triggers(self, code: str) -> None:
        verdict, reasons = judge(GOOD, stopped_by=code)

        assert verdict is PASS
        assert values(reasons) == [("stopped_after_runs", {"signal": code, "runs": 3 * len(GOOD)})]

    def test_one_missing_run_makes_a_stopped_run_worthless(self) -> None:
        verdict, reasons = judge(["+tttt", *GOOD[1:]], config=replace(FULL, runs=4), stopped_by="SIGTERM")

        assert (verdict, reasons[0].code) == (INVALID, "interrupted")

    def test_after_a_sudden_end_nobody_has_looked_at_the_files_of_the_skill(self) -> None:
        verdict, reasons = judge(GOOD, stopped_by="kill")

        assert (verdict, codes(reasons)) == (INVALID, ["interrupted"])

    def test_a_failed_canary_is_all_that_needs_saying(self) -> None:
        silent = Note(code="canary_silent", values={"probe": "p", "invoked": []})
        canary = Canary(state=CanaryState.FAILED, faults=(silent,))
        verdict, reasons = judge(["+", "+", "-"], stopped_by="canary", canary=canary)

        assert verdict is INVALID
        assert codes(reasons) == ["canary_silent", "interrupted"]
        assert reasons[1].values == {"signal": "canary", "finished": 0, "planned": 9}

    @pytest.mark.parametrize("state", [state for state in CanaryState if state is not CanaryState.FAILED])
    def test_any_other_canary_leaves_the_verdict_to_the_cases(self, state: CanaryState) -> None:
        assert judge(GOOD, canary=Canary(state=state)) == (PASS, ())

    def test_no_reason_gives_a_score_away(self) -> None:
        verdict, reasons = judge(["+nnn"] * 5 + ["-ttn"] * 4 + ["-eee"], violations=["a.py"], narrowed=True)

        assert verdict is INVALID
        assert not {"f1_below", "false_trigger_above", "unstable_cases", "spread"} & set(codes(reasons))
        assert codes(reasons)[-2:] == ["draft_narrowed", "violation"]

    def test_without_a_model_nothing_measured_is_invalid_all_the_same(self) -> None:
        assert judge([], agent=EMBEDDED)[0] is INVALID


class TestDraft:
    def test_a_draft_of_one_run_is_no_more_than_that(self) -> None:
        verdict, reasons = judge(["+t"] * 3 + ["-n"] * 3, config=DRAFT)

        assert verdict is ReportVerdict.DRAFT
        assert values(reasons) == [("draft_requested", {}), ("draft_runs", {"runs": 1})]

    def test_a_draft_needs_one_valid_run_a_case(self) -> None:
        config = replace(DRAFT, runs=2)

        assert judge(["+te"] + ["+tt"] * 9 + ["-nn"] * 3, config=config)[0] is ReportVerdict.DRAFT
        assert judge(["+ee"] + ["+tt"] * 20 + ["-nn"] * 3, config=config)[0] is INVALID

    def test_fewer_runs_without_asking_for_a_draft_are_too_few(self) -> None:
        verdict, reasons = judge(["+tt"] * 3 + ["-nn"] * 3, config=replace(FULL, runs=2))

        assert (verdict, codes(reasons)) == (INVALID, ["too_few_valid_runs", "draft_runs"])

    def test_narrowing_below_the_floors_is_a_draft(self) -> None:
        """Also down to one positive; what else is wrong is said after it."""
        assert judge(["+ttt"], narrowed=True) == (
            ReportVerdict.DRAFT,
            (Note(code="draft_narrowed", values={"cases": 1}),),
        )
        assert codes(judge(["+nnn", "-nnn"], narrowed=True)[1]) == ["draft_narrowed", "f1_below"]

    def test_without_a_model_a_draft_stays_a_draft(self) -> None:
        assert judge(["+t"] * 3 + ["-n"] * 3, config=DRAFT, agent=EMBEDDED)[0] is ReportVerdict.DRAFT


@pytest.mark.parametrize(
    ("acceptance", "would_be", "others"),
    [
        (GOOD, "PASS", []),
        (["+nnn"] * 5 + ["-nnn"] * 5, "FAIL", ["f1_below"]),
        (["+ttn", "+tnt"] + ["+ttt"] * 10 + ["-nnn"] * 7, "UNSTABLE", ["unstable_cases"]),
    ],
)
def test_without_a_model_the_verdict_is_an_estimate(acceptance: list[str], would_be: str, others: list[str]) -> None:
    verdict, reasons = judge(acceptance, agent=EMBEDDED)

    assert verdict is ReportVerdict.ESTIMATE
    assert reasons[0] == Note(code="estimate", values={"would_be": would_be})
    assert codes(reasons)[1:] == others


@given(
    st.lists(st.from_regex("[+-][tneragsu]{0,3}", fullmatch=True), max_size=8),
    st.lists(st.from_regex("[+-][tneragsu]{0,3}", fullmatch=True), max_size=4),
)
def test_only_a_pass_is_without_reason(acceptance: list[str], tuning: list[str]) -> None:
    verdict, reasons = judge(acceptance, tuning)

    assert (verdict is PASS) == (reasons == ())

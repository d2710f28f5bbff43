"""The block `skillEvaluator`, worked out by hand."""

import json
from dataclasses import replace

import pytest

from skill_evaluator.formats.suite_claims import NamedSkill
from skill_evaluator.graders.suite import ToolUsed
from skill_evaluator.metrics.result_measures import claims_of_case, measures_of_result
from skill_evaluator.metrics.suite_claims import other_skill
from skill_evaluator.metrics.suite_measures import measure_suite
from skill_evaluator.metrics.suite_models import models_used
from skill_evaluator.metrics.suite_notes import Ending, ending_of
from skill_evaluator.metrics.suite_numbers import Facts
from skill_evaluator.model import Aborted, Arm, Case, FailureKind, Run, ToolCall
from skill_evaluator.results import Note
from skill_evaluator.results.suite_result import CaseOfSuite, GraderOfCase, OtherSkill, RunOfCase, SuiteMeasures
from tests.unit import suite_setup
from tests.unit.suite_results import FIRED, QUIET, TIN, case, found, recorded_result, run, suite, told

POSITIVE, NEGATIVE = suite_setup.grader("fired", suite_setup.FIRED), suite_setup.grader("quiet", suite_setup.QUIET)


def part(
    name: str, letters: str, *graders: object, score: float, delta: float | None
) -> tuple[CaseOfSuite, Case, list[Run]]:
    """A case with its runs with the plugin, `y` fired, `n` did not, `e` ended on an API error, and one without."""
    asked = suite_setup.suite_case(*graders, suite_setup.grader("tin", suite_setup.TIN), name=name)  # type: ignore[arg-type]
    made = {
        "y": suite_setup.suite_run("a tin", suite_setup.SKILL_CALL),
        "n": suite_setup.suite_run("a tin"),
        "e": suite_setup.failed_run(FailureKind.API),
    }
    runs = [replace(made[letter], case_id=name, index=index) for index, letter in enumerate(letters)]
    without = replace(made["n"], case_id=name, arm=Arm.WITHOUT, index=0)
    scores = [run(found(TIN, passed=True), score=score + 0.25 * (index - 1)) for index in range(len(letters))]
    return case(name, *scores, score=score, delta=delta), asked, [*runs, without]


def measured() -> SuiteMeasures:
    return measure_suite(
        [
            part("p1", "yyn", POSITIVE, score=0.75, delta=0.5),
            part("p2", "nnn", POSITIVE, score=0.5, delta=0.25),
            part("n1", "nne", NEGATIVE, score=0.25, delta=None),
            part("n2", "yyn", NEGATIVE, score=0.5, delta=-0.25),
            part("silent", "yyy", score=0.5, delta=0.0),
        ],
        Facts(version="1.2.3", agent="claude-code", notes=(Note(code="told", values={"text": "Said before."}),)),
    )


def test_triggering_is_counted_over_positive_and_negative_cases() -> None:
    """p1 fires by its majority, p2 does not; n1 stays quiet in both runs that tell, n2 fires."""
    found_ = measured()

    counts = found_.counts
    assert (counts.true_positives, counts.false_negatives) == (1, 1)
    assert (counts.false_positives, counts.true_negatives, counts.unmeasured) == (1, 1, 0)
    assert {name: metric.value for name, metric in found_.trigger.items()} == {
        "precision": 0.5,
        "recall": 0.5,
        "f1": 0.5,
        "false_trigger_rate": 0.5,
    }
    assert {name: metric.value for name, metric in found_.trigger_by_run.items()} == {
        "precision": 2 / 4,
        "recall": 2 / 6,
        "f1": 4 / 10,
        "false_trigger_rate": 2 / 5,
    }
    assert (found_.error_runs, found_.without_claim, found_.never_fired) == (1, 1, False)


def test_scores_have_intervals_over_cases() -> None:
    found_ = measured()

    assert found_.score is not None
    assert (found_.score.value, found_.score.denominator) == (0.5, 5)
    assert found_.score.interval is not None
    assert 0.25 <= found_.score.interval.low < 0.5 < found_.score.interval.high <= 0.75
    assert found_.delta is not None
    assert (found_.delta.value, found_.delta.denominator) == (0.125, 4)
    assert (found_.positive_score, found_.negative_score) == (0.625, 0.375)


def test_intervals_do_not_change_from_one_time_to_the_next() -> None:
    assert measured() == measured()


def test_stability_is_told_case_by_case() -> None:
    """p1 and n2 are off their majority in one run of three; two of four cases are more than a tenth."""
    found_ = measured()

    assert [(one.name, one.expect_trigger, one.fired, one.valid, one.fluctuation) for one in found_.cases] == [
        ("p1", True, 2, 3, 1 / 3),
        ("p2", True, 0, 3, 0.0),
        ("n1", False, 0, 2, 0.0),
        ("n2", False, 2, 3, 1 / 3),
        ("silent", None, 0, 0, None),
    ]
    assert [(one.score_min, one.score_max) for one in found_.cases][:2] == [(0.5, 1.0), (0.25, 0.75)]
    assert found_.is_unstable is True


def test_notes_of_the_caller_come_first() -> None:
    notes = told(measured().notes)

    assert notes[0] == "Said before."
    assert any("1 of 5 cases do not say" in note for note in notes)
    assert any("2 positive cases and 2 negative cases tell" in note for note in notes)


def test_a_suite_without_cases_has_no_numbers() -> None:
    found_ = measure_suite([], Facts(version="1", agent="messages"))

    assert (found_.score, found_.delta, found_.positive_score, found_.is_unstable) == (None, None, None, None)
    assert (found_.never_fired, found_.notes, found_.trigger["recall"].value) == (False, (), None)


def test_a_score_that_is_not_known_is_not_guessed() -> None:
    found_ = measures_of_result(suite(case("a", run()), case("b", run(score=None), score=None)))

    assert found_.score is not None
    assert (found_.score.value, found_.score.interval) == (None, None)


def test_a_skill_that_never_fired_is_told_though_its_cases_scored_full_marks() -> None:
    """Both arms ran, so the grader of the tool Skill does not count."""
    silent = run(found(FIRED, passed=False, scored=False), found(TIN, passed=True))
    quiet = run(found(QUIET, passed=True, scored=False), found(TIN, passed=True))
    found_ = measures_of_result(
        suite(case("p", silent, silent, graders=[FIRED, TIN], without=[silent]), case("n", quiet, graders=[QUIET, TIN]))
    )

    assert found_.never_fired
    assert told(found_.notes)[0] == "The skill never fired: in none of 2 runs in which it should have."
    assert told(found_.notes)[1].startswith("1 positive case scored 1.00 all the same")


def test_a_false_trigger_that_costs_no_points_is_told() -> None:
    fired = run(found(QUIET, passed=False, scored=False), found(TIN, passed=True))
    found_ = measures_of_result(suite(case("n", fired, graders=[QUIET, TIN], without=[fired])))

    assert found_.counts.false_positives == 1
    assert any("1 case scored 1.00 though the skill fired" in note for note in told(found_.notes))


@pytest.mark.parametrize(
    ("error", "score", "words"),
    [
        ("exit 1: Reached maximum number of turns (2)", 0.5, "1 run with the plugin ended at the turn cap"),
        ("timed out after 3s", 0.5, "1 run with the plugin ended at the time limit"),
        ("exit 1: API Error: 529 overloaded", 0.0, "1 run ended on an API error and scored 0"),
    ],
)
def test_what_lowered_the_score_is_told(error: str, score: float, words: str) -> None:
    graders = () if "API" in error else (found(TIN, passed=False),)
    cut = replace(run(*graders, score=score, error=error), is_api_error=None)

    assert any(note.startswith(words) for note in told(measures_of_result(suite(case("a", cut, score=score))).notes))


def test_a_cut_run_that_scored_full_marks_lowered_nothing() -> None:
    cut = run(found(TIN, passed=True), error="exit 1: Reached maximum number of turns (2)")

    assert not any("turn cap" in note for note in told(measures_of_result(suite(case("a", cut))).notes))


def test_graders_that_were_not_paid_for_are_told() -> None:
    skipped = replace(run(found(TIN, passed=False), score=0.0), skipped_paid_graders=True)

    assert any(
        note.startswith("In 1 run the cost ceiling")
        for note in told(measures_of_result(suite(case("a", skipped))).notes)
    )


@pytest.mark.parametrize(
    ("ended", "ending"),
    [
        (run(), None),
        (run(error="exit 1: something"), Ending.OTHER),
        (replace(run(), aborted=Aborted(server="s", tool="t", reason="no")), Ending.STAND_IN),
        (replace(run(error="lost"), is_api_error=True), Ending.API_ERROR),
        (replace(run(error="API Error: 500"), is_api_error=False), Ending.OTHER),
        (run(found(TIN, passed=False), error="max_turns (10) reached"), Ending.TURNS),
        (run(error="interrupted"), Ending.INTERRUPTED),
    ],
)
def test_endings_are_told_apart(ended: RunOfCase, ending: Ending | None) -> None:
    assert ending_of(ended) is ending


@pytest.mark.parametrize("is_graded", [True, False])
def test_an_interrupted_run_is_told_and_is_no_score_of_its_case(*, is_graded: bool) -> None:
    stopped = run(*[found(TIN, passed=False)] * is_graded, score=0.0, error="interrupted")
    whole = run(found(TIN, passed=True))
    measures = measures_of_result(
        suite(case("a", whole, stopped, score=0.5), case("b", whole, without=[stopped], delta=1.0))
    )

    assert (measures.cases[0].score_min, measures.cases[0].score_max) == (1.0, 1.0)
    assert any(note.startswith("2 runs ended by an interrupt") for note in told(measures.notes))
    assert measures.score is not None
    assert measures.delta is not None
    assert (measures.score.value, measures.delta.value) == (None, None)


def skill(**config: object) -> GraderOfCase:
    return GraderOfCase(name="g", type="tool_used", weight=1.0, config={"tool": "Skill", **config})


@pytest.mark.parametrize(
    ("grader", "passed", "expected", "triggered"),
    [
        (skill(), True, True, (1, 1)),
        (skill(), False, True, (0, 1)),
        (skill(min=0, max=0), True, False, (0, 1)),
        (skill(min=0, max=0), False, False, (1, 1)),
        (skill(min=2), True, True, (1, 1)),
        (skill(min=2), False, True, (0, 0)),  # none or one
        (skill(max=1), False, True, (0, 0)),  # none or two
        (skill(max=0), False, False, (0, 0)),  # can never pass
        (skill(input_match="shelf"), False, True, (0, 1)),
        (skill(input_match="("), False, True, (0, 0)),  # a pattern that does not compile
    ],
)
def test_a_verdict_tells_whether_the_skill_fired_where_only_one_answer_is_left(
    grader: GraderOfCase, passed: bool, expected: bool, triggered: tuple[int, int]
) -> None:
    (claim,) = claims_of_case(case("c", run(found(grader, passed=passed)), graders=[grader]))

    told = claim.told
    assert told.expect_trigger is expected
    assert (told.triggered_runs, told.valid_runs) == triggered


@pytest.mark.parametrize(
    "config", [{"tool": "Read"}, {"tool": "Skill", "min": 0}, {"tool": "Skill", "min": 2, "max": 1}]
)
def test_cases_that_claim_nothing_are_left_out(config: dict[str, object]) -> None:
    grader = GraderOfCase(name="g", type="tool_used", weight=1.0, config=config)

    assert claims_of_case(case("c", run(found(grader, passed=True)), graders=[grader])) == ()


def test_runs_that_failed_or_were_not_graded_tell_nothing() -> None:
    cut = run(found(FIRED, passed=True), error="timed out after 3s")
    ended = replace(run(), aborted=Aborted(server="s", tool="t", reason="no"))
    (claim,) = claims_of_case(case("c", cut, ended, run(), graders=[FIRED]))

    told = claim.told
    assert (told.valid_runs, told.decision) == (0, None)


def test_a_file_of_the_real_program_tells_of_triggering() -> None:
    """The scripted model called the skill for tides 1 and 2, and for one of five sums, in both runs of each."""
    found_ = measures_of_result(recorded_result("own/tide-old"))

    counts = found_.counts
    assert (counts.true_positives, counts.false_negatives, counts.false_positives, counts.true_negatives) == (
        2,
        3,
        1,
        4,
    )
    assert (found_.without_claim, found_.is_unstable, found_.never_fired) == (1, False, False)
    assert found_.trigger_by_run["recall"].value == 4 / 10
    assert found_.score is not None
    assert found_.score.value == recorded_result("own/tide-old").numbers.score


def test_the_real_program_gives_full_marks_to_a_skill_that_falls_silent() -> None:
    found_ = measures_of_result(recorded_result("own/tide-never"))

    assert found_.never_fired
    assert told(found_.notes)[0].startswith("The skill never fired")


def test_a_block_that_the_file_holds_is_believed() -> None:
    ours = replace(suite(case("a", run())), measures=replace(measured(), agent="messages"))

    assert measures_of_result(ours).agent == "messages"


LABELS, WASHER = NamedSkill(plugin="pantry", names=("label-maker",)), NamedSkill(plugin="pantry", names=("jar-washer",))


def about(name: str, *, fires: bool) -> object:
    least, most = (1, None) if fires else (0, 0)
    return suite_setup.grader(name, ToolUsed(tool="Skill", input_match=f'"(pantry:)?{name}"', min=least, max=most))


def by_two_skills() -> SuiteMeasures:
    """All runs call label-maker: right once, wrong where it is forbidden, and wrong where jar-washer is asked for."""
    return measure_suite(
        [
            part("right", "yyy", about("label-maker", fires=True), score=1.0, delta=None),
            part(
                "near", "yyy", about("label-maker", fires=False), about("jar-washer", fires=True), score=0.0, delta=None
            ),
            part("wash", "yyn", about("jar-washer", fires=True), score=0.5, delta=None),
            part("quiet", "nnn", about("jar-washer", fires=False), score=1.0, delta=None),
        ],
        Facts(),
        skills=[LABELS, WASHER],
    )


def test_each_skill_has_its_own_numbers() -> None:
    tables = {
        one.skill: (
            one.counts.true_positives,
            one.counts.false_negatives,
            one.counts.false_positives,
            one.counts.true_negatives,
            one.never_fired,
        )
        for one in by_two_skills().by_skill
    }

    assert tables == {"label-maker": (1, 0, 1, 0, False), "jar-washer": (0, 2, 0, 1, True)}
    assert by_two_skills().trigger["precision"].value == 1 / 2


def test_another_skill_than_the_one_asked_for_is_told() -> None:
    """`wash` by its majority; `quiet` asks for none."""
    other = by_two_skills().other_skill

    assert other is not None
    assert (other.cases, other.of) == (("evals/near", "evals/wash"), 3)
    assert any(
        "The skill jar-washer never fired" in note and "near, wash" in note for note in told(by_two_skills().notes)
    )


def test_a_case_with_both_kinds_of_claims_shows_both_and_counts_in_both_means() -> None:
    found_ = by_two_skills()
    near = found_.cases[1]

    assert [(one.skill, one.expect_trigger, one.fired, one.valid) for one in near.claims] == [
        ("jar-washer", True, 0, 3),
        ("label-maker", False, 3, 3),
    ]
    assert (near.expect_trigger, near.fired) == (True, 0)
    assert (found_.positive_score, found_.negative_score) == (1.5 / 3, 1.0 / 2)


def test_where_no_skill_is_known_no_other_one_is_told() -> None:
    assert measured().other_skill is None
    assert [one.skill for one in measured().by_skill] == [None]


def test_a_partial_result_does_not_say_what_the_cases_lack() -> None:
    cases = [part("p1", "yyy", POSITIVE, score=1.0, delta=None)]
    whole, cut = (measure_suite(cases, Facts(is_partial=is_partial)) for is_partial in (False, True))

    assert any("should stay quiet" in note for note in told(whole.notes))
    assert not any("should stay quiet" in note for note in told(cut.notes))


def test_a_suite_of_which_nothing_was_graded_has_no_score() -> None:
    refused = replace(run(score=0.0, error="exit 1: Invalid API key"), is_api_error=True)
    found_ = measures_of_result(suite(case("a", refused, score=0.0), case("b", refused, score=0.0)))

    assert found_.score is not None
    assert found_.score.value is None


def test_models_are_those_that_the_traces_with_the_plugin_name() -> None:
    def traced(model: str, arm: Arm = Arm.WITH) -> Run:
        init = json.dumps({"type": "system", "subtype": "init", "model": model})
        return Run(case_id="c", arm=arm, trace=('{"type":"user","text":"\\"init\\""}', init))

    runs = [traced("opus"), traced("haiku"), traced("opus"), traced("other", Arm.WITHOUT), Run(case_id="c")]
    assert models_used(runs) == ("haiku", "opus")
    assert models_used([Run(case_id="c", trace=('{"type":"result","init":1}', '{"init":'))]) == ()


@pytest.mark.parametrize("arguments", [{"skill": 5}, {}, {"skill": "nobody-s"}, {"skill": "other:jar-washer"}])
def test_calls_that_name_no_skill_of_the_plugin_are_no_other_skill(arguments: dict[str, object]) -> None:
    asked = suite_setup.suite_case(about("label-maker", fires=True))  # type: ignore[arg-type]
    runs = [suite_setup.suite_run("", ToolCall(name="Skill", arguments=arguments))]

    assert other_skill([("c", asked, runs)], [LABELS, WASHER]) == OtherSkill(cases=(), of=1)


def test_a_tie_counts_as_a_case_in_which_another_skill_was_called() -> None:
    """A run that failed is in no majority."""
    asked = suite_setup.suite_case(about("label-maker", fires=True))  # type: ignore[arg-type]
    washed = suite_setup.suite_run("", ToolCall(name="Skill", arguments={"skill": "pantry:jar-washer"}))
    runs = [washed, suite_setup.suite_run(""), suite_setup.failed_run(FailureKind.API)]

    assert other_skill([("c", asked, runs)], [LABELS, WASHER]) == OtherSkill(cases=("c",), of=1)

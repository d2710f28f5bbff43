"""What is asked of the judge about the runs of a suite, and what comes of its answers."""

from pathlib import Path

import pytest

from skill_evaluator.agents.messages.usual_models import judge_model
from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.api.plugin_eval.parts import make_judge
from skill_evaluator.api.plugin_eval.plan import plan_suite
from skill_evaluator.api.plugin_eval.votes import price_of
from skill_evaluator.errors import InputError
from skill_evaluator.formats.suite.suite import LoadedSuite
from skill_evaluator.model import Completer, Failure, FailureKind, PlainQuestion, Usage
from skill_evaluator.results.suite_result import RunOfCase
from tests.unit.scripted_suites import JUDGED, Ran, ScriptedAgent, ScriptedJudge, case_files, failing, run, suite


def _entries(ran: Ran) -> tuple[RunOfCase, ...]:
    assert ran.evaluated.result is not None
    case = ran.evaluated.result.cases[0]
    return (*case.with_plugin, *(case.without_plugin or ()))


def test_each_judged_grader_asks_the_same_three_times(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files(grader=JUDGED))
    judge = ScriptedJudge(answers=("PASS", "FAIL", "PASS"))
    (entry,) = _entries(run(loaded, tmp_path / "out", judge=judge, ablation="none"))
    questions = [one for one in judge.questions if isinstance(one, PlainQuestion)]
    assert len(questions) == 3
    assert len({(one.system, one.text) for one in questions}) == 1
    assert "evaluation judge" in questions[0].system
    assert "PASS if it names a time." in questions[0].text
    (grader,) = entry.graders
    assert (grader.passed, grader.judge_votes, grader.evidence) == (True, (True, False, True), "high water at ten")
    assert entry.judge_cost_usd == 0.375


def test_a_grader_that_counts_in_neither_arm_is_asked_about_the_one_with_the_plugin_alone(tmp_path: Path) -> None:
    with_only = JUDGED.replace("type: llm", "type: llm\narm: with-only")
    loaded = suite(tmp_path / "p", {**case_files(), "c/graders/judged.md": with_only})
    judge = ScriptedJudge(answers=("FAIL",))
    with_plugin, without = _entries(run(loaded, tmp_path / "out", judge=judge))
    assert len(judge.questions) == 3
    assert [(one.name, one.is_scored, one.is_with_only, one.judge_votes) for one in with_plugin.graders] == [
        ("g", True, False, None),
        ("judged", False, True, (False, False, False)),
    ]
    assert [one.name for one in without.graders] == ["g"]
    assert (with_plugin.score, without.score) == (1.0, 1.0)


def test_a_call_that_fails_fails_the_grader_alone(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", {**case_files(), "c/graders/judged.md": JUDGED})
    judge = ScriptedJudge(answers=(Failure(kind=FailureKind.API, message="HTTP 500"),))
    ran = run(loaded, tmp_path / "out", judge=judge, ablation="none", threshold=0.5)
    (entry,) = _entries(ran)
    assert (entry.score, len(judge.questions), entry.graders[1].judge_votes) == (0.5, 1, None)
    assert "HTTP 500" in entry.graders[1].explanation
    assert ran.evaluated.exit_status == 0


@pytest.mark.parametrize(("refused", "asked", "passed"), [(1, 4, True), (2, 2, False)])
def test_a_bad_request_is_put_again_before_it_is_believed(
    tmp_path: Path, refused: int, asked: int, *, passed: bool
) -> None:
    loaded = suite(tmp_path / "p", case_files(grader=JUDGED))
    bad = Failure(kind=FailureKind.API, message="HTTP 400: bad thing")
    judge = ScriptedJudge(answers=(*[bad] * refused, "PASS"))
    (entry,) = _entries(run(loaded, tmp_path / "out", judge=judge, ablation="none"))
    assert (len(judge.questions), entry.passed) == (asked, passed)


def test_nobody_is_asked_about_a_run_that_says_nothing(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files(grader=JUDGED))
    judge = ScriptedJudge()
    run(loaded, tmp_path / "out", agent=ScriptedAgent(answer=failing(FailureKind.API)), judge=judge, ablation="none")
    assert judge.questions == []


@pytest.mark.parametrize(
    ("usage", "dollars"),
    [
        (None, 0.0),
        (Usage(cost_usd=0.5), 0.5),
        # As claude-opus-5-5, by hand: 100 * 4 + 20 * 20 dollars for a million tokens.
        (Usage(input_tokens=100, output_tokens=20), 0.0008),
    ],
)
def test_a_model_without_a_price_counts_as_the_real_program_counts_it(usage: Usage | None, dollars: float) -> None:
    assert price_of(usage) == pytest.approx(dollars)


@pytest.mark.parametrize(
    ("named", "environment", "model"),
    [
        (None, {}, "claude-haiku-5-5"),
        ("sonnet", {}, "claude-sonnet-5-5"),
        ("opus", {"ANTHROPIC_DEFAULT_OPUS_MODEL": "own-opus"}, "own-opus"),
        ("claude-x", {"ANTHROPIC_SMALL_FAST_MODEL": "small"}, "claude-x"),
        (None, {"ANTHROPIC_SMALL_FAST_MODEL": "small", "ANTHROPIC_DEFAULT_HAIKU_MODEL": "own"}, "small"),
        (None, {"ANTHROPIC_DEFAULT_HAIKU_MODEL": "own"}, "own"),
        ("haiku", {"ANTHROPIC_DEFAULT_HAIKU_MODEL": "own"}, "own"),
    ],
)
def test_the_judge_is_the_model_named_or_the_small_one(
    named: str | None, environment: dict[str, str], model: str
) -> None:
    assert judge_model(named, environment) == model


def _judge_of(loaded: LoadedSuite, folder: Path) -> Completer | None:
    options = SuiteOptions(suite=loaded, output_dir=folder)
    return make_judge(options, plan_suite(options))


def test_a_suite_without_judged_graders_needs_no_judge(tmp_path: Path) -> None:
    assert _judge_of(suite(tmp_path / "p", case_files()), tmp_path) is None


def test_a_login_that_only_the_program_has_is_told_before_anything_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    loaded = suite(tmp_path / "p", {**case_files("a", grader=JUDGED), **case_files("b", grader=JUDGED)})
    with pytest.raises(InputError, match=r"2 cases.*ANTHROPIC_API_KEY"):
        _judge_of(loaded, tmp_path)


def test_a_mock_that_a_model_plays_needs_a_judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key-for-a-test")
    files = {**case_files(), "mocks/tracker/t.md": "---\ntype: agent\n---\nYou are a tracker.\n"}
    judge = _judge_of(suite(tmp_path / "p", files), tmp_path)
    assert judge is not None
    assert judge.model == judge_model(None)

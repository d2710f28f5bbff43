"""What comes of a suite: order, ceiling, sign-in, faults known before, what is written."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest

from skill_evaluator.api.plugin_eval.execution import evaluate_suite
from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.model import Aborted, Arm, AskedRun, Case, FailureKind, MockCall
from skill_evaluator.results.suite_result import SuiteResult
from tests.unit.scripted_suites import (
    JUDGED,
    Heard,
    Ran,
    ScriptedAgent,
    ScriptedJudge,
    bare_suite,
    case_files,
    failing,
    run,
    said,
    suite,
)


class UnopenedJudge(ScriptedJudge):
    """One whose libraries would have to be loaded, which takes seconds."""

    async def __aenter__(self) -> Self:
        raise AssertionError("nobody is to be asked")

    async def __aexit__(self, *_: object) -> None: ...


def _result(ran: Ran) -> SuiteResult:
    assert ran.evaluated.result is not None
    return ran.evaluated.result


def _written(folder: Path) -> Mapping[str, object]:
    value: Mapping[str, object] = json.loads((folder / "aggregate-result.json").read_text("utf-8"))
    return value


def test_all_runs_with_the_plugin_come_first_then_those_without_then_the_next_case(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", {**case_files("a", runs=2), **case_files("b")})
    ran = run(loaded, tmp_path / "out")
    assert ran.agent.asked == [
        ("a", Arm.WITH, 0),
        ("a", Arm.WITH, 1),
        ("a", Arm.WITHOUT, 0),
        ("a", Arm.WITHOUT, 1),
        ("b", Arm.WITH, 0),
        ("b", Arm.WITHOUT, 0),
    ]
    assert ran.evaluated.exit_status == 0
    assert ran.heard.ablation == "with-without"
    assert ran.heard.is_default
    assert _result(ran).numbers.mean_delta == 0
    assert _written(tmp_path / "out")["claudeVersion"] == "2.1.332"
    assert (tmp_path / "out" / "report.html").is_file()


def test_concurrency_changes_no_order_of_results(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", {**case_files("a"), **case_files("b"), **case_files("c")})
    waits = {"a": 0.2, "b": 0.0, "c": 0.0}
    agent = ScriptedAgent(gate=lambda case, _arm, _index: waits[case.id])
    ran = run(loaded, tmp_path / "out", agent=agent, concurrency=3, ablation="none")
    assert ran.heard.lines[-3:] == ["done a 1.0 1 0.25", "done b 1.0 1 0.25", "done c 1.0 1 0.25"]
    assert [case.name for case in _result(ran).cases] == ["a", "b", "c"]


@pytest.mark.parametrize("concurrency", [1, 2, 8])
def test_no_more_runs_are_under_way_than_asked_for(tmp_path: Path, concurrency: int) -> None:
    loaded = suite(tmp_path / "p", case_files("a", runs=8))
    agent = ScriptedAgent(gate=lambda *_: 0.01)
    run(loaded, tmp_path / "out", agent=agent, concurrency=concurrency, ablation="none")
    assert agent.most_under_way == concurrency


def test_a_case_below_the_threshold_gives_one(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files())
    agent = ScriptedAgent(answer=said("low tide"))
    assert run(loaded, tmp_path / "a", agent=agent).evaluated.exit_status == 1
    assert run(loaded, tmp_path / "b", agent=agent, threshold=0.0).evaluated.exit_status == 0


def test_max_cost_usd_starts_nothing_once_it_is_reached(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", {**case_files("a"), **case_files("b")})
    ran = run(loaded, tmp_path / "out", max_cost_usd=0.25, ablation="none")
    assert ran.agent.asked == [("a", Arm.WITH, 0)]
    assert ran.evaluated.exit_status == 2
    assert _result(ran).partial_reason == "cost_ceiling"
    assert [case.name for case in _result(ran).cases] == ["a"]


def test_a_ceiling_of_nothing_starts_nothing_and_is_written_down(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files())
    ran = run(loaded, tmp_path / "out", max_cost_usd=0.0, judge=UnopenedJudge())
    assert (ran.agent.asked, ran.evaluated.exit_status) == ([], 2)
    assert (_result(ran).numbers.cases_total, _result(ran).numbers.score) == (0, 0.0)
    assert _written(tmp_path / "out")["partialReason"] == "cost_ceiling"
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["aggregate-result.json"]


def test_a_report_that_is_asked_for_is_written_though_nothing_was_run(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files())
    run(loaded, tmp_path / "out", max_cost_usd=0.0, report=tmp_path / "r.html")
    assert (tmp_path / "r.html").is_file()


def test_the_last_run_may_go_over_the_ceiling(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files())
    ran = run(loaded, tmp_path / "out", max_cost_usd=0.25, ablation="none")
    assert ran.evaluated.exit_status == 0
    assert not _result(ran).is_partial
    assert "went over the cost ceiling" in ran.heard.warnings[0]


def test_judged_graders_of_the_run_that_hits_the_ceiling_fail_unasked(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", {**case_files(), "c/graders/judged.md": JUDGED})
    judge = ScriptedJudge()
    ran = run(loaded, tmp_path / "out", judge=judge, max_cost_usd=0.25, ablation="none")
    entry = _result(ran).cases[0].with_plugin[0]
    assert (entry.score, entry.skipped_paid_graders, judge.questions) == (0.5, True, [])
    assert [grader.passed for grader in entry.graders] == [True, False]
    assert "cost ceiling" in entry.graders[1].explanation


def test_arms_are_not_compared_where_there_was_no_money_for_a_judge(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", {**case_files(), "c/graders/judged.md": JUDGED})
    ran = run(loaded, tmp_path / "out", judge=ScriptedJudge(), max_cost_usd=0.75)
    numbers = _result(ran).cases[0].numbers
    assert (numbers.score, numbers.pass_rate_without) == (1.0, 0.0)
    assert (numbers.score_without, numbers.delta, _result(ran).numbers.mean_delta) == (None, None, None)


def test_an_arm_that_is_short_of_a_run_is_compared_all_the_same(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files(runs=2))
    ran = run(loaded, tmp_path / "out", max_cost_usd=0.75)
    (case,) = _result(ran).cases
    assert case.without_plugin is not None
    assert (len(case.with_plugin), len(case.without_plugin)) == (2, 1)
    assert (case.numbers.score_without, case.numbers.delta) == (1.0, 0.0)


def test_what_the_judge_costs_counts_towards_the_ceiling(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files(runs=2, grader=JUDGED))
    ran = run(loaded, tmp_path / "out", judge=ScriptedJudge(), max_cost_usd=0.625, ablation="none")
    entry = _result(ran).cases[0].with_plugin[0]
    assert (entry.cost_usd, entry.judge_cost_usd) == (0.625, 0.375)
    assert _result(ran).partial_reason == "cost_ceiling"


def test_a_first_run_that_is_not_let_in_ends_it_all(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", {**case_files("a"), **case_files("b")})
    ran = run(loaded, tmp_path / "out", agent=ScriptedAgent(answer=failing(FailureKind.AUTH)), ablation="none")
    assert (len(ran.agent.asked), ran.evaluated.exit_status) == (1, 2)
    assert _result(ran).partial_reason == "auth_failed"


def test_the_only_run_that_is_not_let_in_makes_the_answer_partial(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files())
    ran = run(loaded, tmp_path / "out", agent=ScriptedAgent(answer=failing(FailureKind.AUTH)), ablation="none")
    assert (ran.evaluated.exit_status, _result(ran).partial_reason) == (2, "auth_failed")


def test_a_later_run_that_is_not_let_in_is_an_error_of_the_service(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", {**case_files("a"), **case_files("b")})

    def answer(case: Case, arm: Arm, index: int) -> AskedRun:
        return (said() if case.id == "a" else failing(FailureKind.AUTH))(case, arm, index)

    ran = run(loaded, tmp_path / "out", agent=ScriptedAgent(answer=answer), ablation="none", threshold=0.0)
    assert (ran.evaluated.exit_status, _result(ran).is_partial) == (1, False)
    assert "1 run ended on an error" in ran.evaluated.reasons[0]


def test_an_error_of_the_service_in_one_arm_leaves_the_arms_uncompared(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files())

    def answer(case: Case, arm: Arm, index: int) -> AskedRun:
        return (said() if arm is Arm.WITH else failing(FailureKind.API))(case, arm, index)

    ran = run(loaded, tmp_path / "out", agent=ScriptedAgent(answer=answer))
    numbers = _result(ran).cases[0].numbers
    assert (numbers.score, numbers.score_without, numbers.delta, numbers.pass_rate_without) == (1.0, None, None, 0.0)
    assert ran.evaluated.exit_status == 1


def test_mocks_that_do_not_load_give_one_entry_that_was_never_begun(tmp_path: Path) -> None:
    files = {**case_files(runs=3), "mocks/tracker/t.md": "---\nbogus: 1\n---\nx\n"}
    ran = run(suite(tmp_path / "p", files), tmp_path / "out")
    case = _result(ran).cases[0]
    (entry,) = case.with_plugin
    assert (entry.started_at, entry.duration_s, entry.score, entry.graders) == (None, None, 0.0, ())
    assert "evals/mocks/tracker/t.md" in (entry.error or "")
    assert (case.without_plugin, case.numbers.delta, ran.agent.asked) == (None, None, [])
    assert ran.heard.lines == ["planned 1"]
    assert ran.evaluated.exit_status == 1


def test_a_case_that_cannot_be_started_has_the_error_in_every_run(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files(runs=2, head="env: {foo: bar}\n"))
    ran = run(loaded, tmp_path / "out")
    case = _result(ran).cases[0]
    entries = (*case.with_plugin, *(case.without_plugin or ()))
    assert [("foo" in (entry.error or ""), entry.duration_s) for entry in entries] == [(True, 0.0)] * 4
    assert case.numbers.delta == 0.0
    assert ran.agent.asked == []


def test_a_run_that_a_mock_ended_is_no_error_and_is_not_graded(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files())

    def answer(case: Case, arm: Arm, index: int) -> AskedRun:
        asked = said()(case, arm, index)
        call = MockCall(tool="mcp__tracker__t", arguments={}, output="", verdict="abort")
        aborted = Aborted(server="tracker", tool="t", reason="a bad title with sesame-1234")
        return replace(asked, run=replace(asked.run, mock_calls=(call,)), aborted=aborted)

    ran = run(loaded, tmp_path / "out", agent=ScriptedAgent(answer=answer), ablation="none", secrets=("sesame-1234",))
    entry = _result(ran).cases[0].with_plugin[0]
    assert (entry.error, entry.score, entry.graders) == (None, 0.0, ())
    assert entry.aborted == Aborted(server="tracker", tool="t", reason="a bad title with [redacted]")


def test_traces_are_kept_beside_the_answer_without_secrets(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files("odd ☃"))
    agent = ScriptedAgent(answer=said("high water, sesame-1234"))
    ran = run(loaded, tmp_path / "out", agent=agent, secrets=("sesame-1234",), ablation="none")
    path = Path(_result(ran).cases[0].with_plugin[0].trace_path)
    assert path.parent == tmp_path / "out" / "traces"
    assert "[redacted]" in path.read_text("utf-8")
    assert "sesame" not in path.read_text("utf-8")


def test_the_trace_of_a_run_whose_answers_were_altered_is_kept_and_not_graded(tmp_path: Path) -> None:
    def answer(case: Case, arm: Arm, index: int) -> AskedRun:
        asked = failing(FailureKind.CRASH, "altered")(case, arm, index)
        session = ('{"type": "x", "text": "sesame-1234"}',)
        return replace(asked, run=replace(asked.run, trace=None), distrusted=session)

    loaded = suite(tmp_path / "p", case_files())
    agent = ScriptedAgent(answer=answer)
    ran = run(loaded, tmp_path / "out", agent=agent, secrets=("sesame-1234",), ablation="none")
    entry = _result(ran).cases[0].with_plugin[0]
    assert (entry.graders, entry.score, entry.error) == ((), 0.0, "altered")
    assert Path(entry.trace_path).read_text("utf-8") == '{"type": "x", "text": "[redacted]"}\n'


def test_traces_that_cannot_be_kept_are_told_once(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files(runs=2))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "traces").write_text("in the way")
    ran = run(loaded, tmp_path / "out", ablation="none")
    assert [one for one in ran.heard.warnings if "traces are not kept" in one] == ran.heard.warnings
    assert len(ran.heard.warnings) == 1
    assert _result(ran).cases[0].with_plugin[0].trace_path == ""


def test_an_answer_that_cannot_be_written_gives_one(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files())
    (tmp_path / "out").write_text("in the way")
    ran = run(loaded, tmp_path / "out", ablation="none")
    assert ran.evaluated.exit_status == 1
    assert ran.evaluated.reasons


def test_a_refused_case_gives_one_though_the_others_pass(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", {**case_files("a"), "b/prompt.md": "---\nbogus: 1\n---\nx\n"})
    ran = run(loaded, tmp_path / "out", ablation="none")
    assert ran.evaluated.exit_status == 1
    assert ran.evaluated.reasons == ("1 case does not load (b)",)


def test_a_malformed_grant_gives_one_though_every_case_passes(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files())
    ran = run(loaded, tmp_path / "out", allow_tools=("Write(",))
    assert (ran.evaluated.exit_status, _result(ran).numbers.cases_passed) == (1, 1)
    assert "'Write('" in ran.evaluated.reasons[0]


def test_cases_without_a_plugin_cannot_be_compared(tmp_path: Path) -> None:
    loaded = bare_suite(tmp_path / "bare", case_files())
    heard = Heard()
    options = SuiteOptions(suite=loaded, output_dir=tmp_path / "out", ablation="with-without")
    evaluated = evaluate_suite(options, heard)
    assert (evaluated.had_cases, evaluated.exit_status) == (False, 1)
    assert evaluated.result is not None
    assert (evaluated.result.cases, evaluated.result.settings.ablation) == ((), "with-without")
    assert not (tmp_path / "out").exists()
    assert "--ablation none" in heard.warnings[0]
    ran = run(loaded, tmp_path / "out")
    assert (ran.heard.ablation, ran.evaluated.exit_status) == ("none", 0)

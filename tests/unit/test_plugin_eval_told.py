"""What is told of runs and cases that did not go well, worked out by hand."""

import functools
import io
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.api.plugin_eval.options import PlannedCase, SuiteOptions
from skill_evaluator.api.plugin_eval.writable import problem_of_file, problem_of_folder
from skill_evaluator.cli.console import width_of
from skill_evaluator.cli.help_text import fitted
from skill_evaluator.cli.language import speak
from skill_evaluator.cli.plugin_eval_advice import advice
from skill_evaluator.cli.plugin_eval_numbers import delta_text, dollars_text, percent_text, score_text
from skill_evaluator.cli.plugin_eval_plan import plan_text
from skill_evaluator.cli.plugin_eval_progress import Telling
from skill_evaluator.cli.plugin_eval_table import summary_text
from skill_evaluator.cli.wrapping import wrapped
from skill_evaluator.formats.suite.suite import no_suite
from skill_evaluator.graders.suite import Llm
from skill_evaluator.grading.suite_scores import ArmScore, CaseScore
from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.model import Aborted, Arm, AskedRun, Grader, GraderArm, Run, StandInServer, StandInTool, StandInUse
from skill_evaluator.report.escape import display_width
from skill_evaluator.results.splits import Confusion
from skill_evaluator.results.suite_result import (
    CaseNumbers,
    CaseOfSuite,
    GraderResult,
    RunOfCase,
    SuiteMeasures,
    SuiteNumbers,
    SuiteResult,
    SuiteSettings,
)
from tests.unit.claude_setup import case_for, harbour
from tests.unit.test_suite_measures import by_two_skills


def planned(folder: Path, *arms: Arm) -> PlannedCase:
    return PlannedCase(case=case_for(harbour(folder)), arms=arms or (Arm.WITH,), runs=2)


def told(folder: Path, graded: RunOfCase, capsys: pytest.CaptureFixture[str]) -> list[str]:
    telling = Telling(threshold=1.0, is_quiet=False, is_verbose=False)
    run = AskedRun(run=Run(case_id="high-water", tool_calls=()))
    telling.finished(planned(folder), run, graded, Arm.WITH, 0)
    return capsys.readouterr().err.splitlines()


def failed(name: str, weight: float | None) -> GraderResult:
    return GraderResult(name=name, passed=False, weight=weight, explanation=f"{name}\n  failed")


def test_a_long_error_is_cut_and_its_rest_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graded = RunOfCase(score=0.0, passed=False, cost_usd=1.005, error="e" * 230)
    (line,) = told(tmp_path, graded, capsys)
    assert line == f"  high-water run 1/2: score 0.00  $1.00  error: {'e' * 200}… [+30 characters]"


def test_a_run_that_a_mock_ended_names_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    aborted = Aborted(server="tides", tool="get", reason="no\nharbour")
    (line,) = told(tmp_path, RunOfCase(score=0.0, passed=False, aborted=aborted), capsys)
    assert line == "  high-water run 1/2: score 0.00  $0.00  ended by the mock tides/get: no harbour"


def test_stand_ins_are_told_once_for_each_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tools = (StandInTool(tool="get", responder="fixed"), StandInTool(tool="ask", responder="agent"))
    servers = (
        StandInServer(server="plugin_harbour_tides", kind="shadow", tools=tools),
        StandInServer(server="plugin_harbour_ships", kind="shadow", is_withheld=True),
    )
    graded = RunOfCase(score=1.0, passed=True, stand_ins=StandInUse(servers=servers, warnings=("odd",)))
    telling = Telling(threshold=1.0, is_quiet=False, is_verbose=False)
    case, run = planned(tmp_path), AskedRun(run=Run(case_id="c", tool_calls=()), notes=("a hook wrote x",))
    telling.finished(case, run, graded, Arm.WITH, 0)
    assert capsys.readouterr().err.splitlines()[:4] == [
        "  high-water: mocked: plugin_harbour_tides(get=fixed, ask=agent), plugin_harbour_ships[not started: no mock]",
        "  high-water: a model may answer at most 4 × max_turns = 40 calls in one run",
        "  high-water: odd",
        "  high-water: a hook wrote x",
    ]
    telling.finished(case, run, graded, Arm.WITH, 1)
    again = capsys.readouterr().err
    assert "mocked" not in again
    assert "a hook wrote x" not in again
    telling.finished(case, replace(run, notes=("a hook wrote y",)), graded, Arm.WITH, 1)
    assert "a hook wrote y" in capsys.readouterr().err


def test_doubts_are_told_before_the_first_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = replace(planned(tmp_path, Arm.WITH, Arm.WITHOUT), advisories=("cannot pass",), not_granted=("Write", "Bash"))
    telling = Telling(threshold=1.0, is_quiet=False, is_verbose=False)
    telling.planned([case], ablation="with-without", is_default=False)
    assert capsys.readouterr().err.splitlines() == [
        "Ablation: 2 arms × 1 case (4 runs)",
        "  high-water: cannot pass",
        "  high-water: asks for tools that --allow-tools does not grant: Write, Bash",
    ]


def test_what_is_true_of_several_cases_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    telling = Telling(threshold=1.0, is_quiet=False, is_verbose=False)
    first = replace(planned(tmp_path / "a"), not_granted=("Write",))
    other = replace(planned(tmp_path / "b"), advisories=("cannot pass",), not_granted=("Write",))
    telling.planned([first, other], ablation="none", is_default=False)
    assert capsys.readouterr().err.splitlines() == [
        "  high-water, high-water: asks for tools that --allow-tools does not grant: Write",
        "  high-water: cannot pass",
    ]
    server = StandInServer(server="tides", kind="shadow", tools=(StandInTool(tool="get", responder="fixed"),))
    asked = AskedRun(run=Run(case_id="c", tool_calls=()))
    for case, warnings in ((first, ("odd",)), (other, ("odd", "new"))):
        use = StandInUse(servers=(server,), warnings=warnings)
        telling.finished(case, asked, RunOfCase(score=1.0, passed=True, stand_ins=use), Arm.WITH, 0)
    assert [line.strip() for line in capsys.readouterr().err.splitlines() if "run 1/2" not in line] == [
        "high-water: mocked: tides(get=fixed)",
        "high-water: odd",
        "high-water: mocked: tides(get=fixed)",
        "high-water: new",
    ]


def test_beside_json_only_warnings_and_the_second_arm_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    telling = Telling(threshold=1.0, is_quiet=True, is_verbose=True)
    case = replace(planned(tmp_path, Arm.WITH, Arm.WITHOUT), advisories=("cannot pass",))
    telling.planned([case], ablation="with-without", is_default=True)
    telling.finished(
        case, AskedRun(run=Run(case_id="c", tool_calls=())), RunOfCase(score=1.0, passed=True), Arm.WITH, 0
    )
    score = CaseScore(with_plugin=ArmScore(score=1.0, pass_rate=1.0), without_plugin=None, is_comparable=False)
    telling.case_done(case, score, runs=1, cost_usd=0.0)
    telling.warned("runs ended\nbadly")
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("Ablation: a plugin was found")
    assert second == "runs ended badly"


def test_cases_that_stay_in_one_arm_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    telling = Telling(threshold=1.0, is_quiet=True, is_verbose=False)
    telling.planned([planned(tmp_path)], ablation="with-without", is_default=True)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("1 case in a single arm (no delta), ")
    assert line.endswith(": high-water")
    telling.planned(
        [planned(tmp_path), planned(tmp_path, Arm.WITH, Arm.WITHOUT)], ablation="with-without", is_default=True
    )
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("Ablation: a plugin was found")
    assert second == line


def test_a_script_that_is_not_run_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = planned(tmp_path)
    assert case.case.setup is not None
    scripted = replace(case.case, setup=replace(case.case.setup, scaffold_script="seed.sh"))
    for runs_scripts, lines in ((False, 1), (True, 0)):
        telling = Telling(threshold=1.0, is_quiet=False, is_verbose=False, runs_scripts=runs_scripts)
        telling.planned([replace(case, case=scripted)], ablation="none", is_default=False)
        told_lines = capsys.readouterr().err.splitlines()
        assert len(told_lines) == lines
        assert all("--scaffold" in line for line in told_lines)


def test_arms_that_cannot_be_compared_have_no_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arm = ArmScore(score=0.5, pass_rate=0.0)
    telling = Telling(threshold=0.5, is_quiet=False, is_verbose=False)
    score = CaseScore(with_plugin=arm, without_plugin=arm, is_comparable=False)
    telling.case_done(planned(tmp_path, Arm.WITH, Arm.WITHOUT), score, runs=4, cost_usd=0.125)
    assert capsys.readouterr().err == "✓ high-water  with 0.50  without —  delta —  (4 runs)  $0.125\n"


def case_of(
    name: str, numbers: CaseNumbers, *runs: RunOfCase, without: tuple[RunOfCase, ...] | None = None
) -> CaseOfSuite:
    return CaseOfSuite(
        name=name,
        folder=f"evals/{name}",
        source="prose",
        prompt="",
        runs_per_case=3,
        timeout_s=300,
        max_turns=10,
        graders=(),
        with_plugin=runs,
        without_plugin=without,
        numbers=numbers,
    )


def result_of(*cases: CaseOfSuite) -> SuiteResult:
    numbers = SuiteNumbers(cases_total=len(cases), cases_passed=0, score=0.5, pass_rate=0.0)
    settings = SuiteSettings(root="/p", ablation="none", threshold=1.0, concurrency=1)
    began = datetime(2026, 1, 1, tzinfo=UTC)
    return SuiteResult(
        claude_version="",
        started_at=began,
        duration_s=74.4,
        cost_usd=0.41,
        settings=settings,
        cases=cases,
        numbers=numbers,
    )


def test_the_table_shows_why_a_case_is_not_perfect() -> None:
    wrong = RunOfCase(
        score=0.5, passed=False, graders=(failed("light", 1.0), failed("first", 2.0), failed("second", 2.0))
    )
    broken = RunOfCase(score=0.0, passed=False, error="timed out\nafter 300 s")
    table = summary_text(
        result_of(
            case_of("潮汐", CaseNumbers(score=0.5, pass_rate=0.0), wrong),
            case_of("b", CaseNumbers(score=0.25, pass_rate=0.5), wrong, broken),
            case_of("c", CaseNumbers(score=None, pass_rate=1.0)),
        ),
        refused=2,
    )
    assert table.splitlines() == [
        "",
        "CASE  SCORE PASS% RUNS COST    NOTES",
        "潮汐  0.50  0%    1    $0.00   first: first failed",
        "b     0.25  50%   2    $0.00   timed out after 300 s",
        "c     —     100%  0    $0.00   ",
        "",
        "3 cases · 74 s · $0.41 (list price)",
        "",
        "2 cases did not load; why stands above.",
        "",
        "FAIL: 0 of 3 cases reached the threshold of 1.00.",
    ]


def test_the_table_says_which_stand_in_ended_a_run() -> None:
    aborted = Aborted(server="tides", tool="get", reason="no\nharbour")
    ended = RunOfCase(score=0.0, passed=False, aborted=aborted)
    good = RunOfCase(score=1.0, passed=True)
    case = case_of("a", CaseNumbers(score=0.5, pass_rate=0.5), good, ended)
    assert summary_text(result_of(case), refused=0).splitlines()[2].endswith("   tides/get: no harbour")


def test_what_a_signal_ended_has_no_score() -> None:
    run = RunOfCase(score=1.0, passed=True)
    stopped = RunOfCase(score=0.0, passed=False, error="interrupted")
    far = replace(stopped, graders=(failed("g", 1.0),))
    table = summary_text(
        result_of(
            case_of("a", CaseNumbers(score=0.5, pass_rate=0.5), run, stopped),
            case_of("b", CaseNumbers(score=1.0, pass_rate=1.0, score_without=0.0, delta=1.0), run, without=(stopped,)),
            case_of("c", CaseNumbers(score=1.0, pass_rate=1.0, score_without=0.0, delta=1.0), run, without=(far,)),
        ),
        refused=0,
    )
    assert table.splitlines()[2:5] == [
        "a     —     —        —      2    $0.00   interrupted",
        "b     1.00  —        —      2    $0.00   interrupted without the plugin",
        "c     1.00  —        —      2    $0.00   interrupted without the plugin",
    ]


def test_the_progress_of_such_a_run_and_its_case_shows_no_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    telling = Telling(threshold=1.0, is_quiet=False, is_verbose=False)
    case, arm = planned(tmp_path), ArmScore(score=1.0, pass_rate=1.0)
    cut = RunOfCase(score=1.0, passed=True, error="interrupted")
    telling.finished(case, AskedRun(run=Run(case_id="high-water", tool_calls=())), cut, Arm.WITH, 0)
    score = CaseScore(with_plugin=arm, without_plugin=None, is_comparable=False)
    telling.case_done(case, score, runs=1, cost_usd=0.0)
    run_line, case_line = capsys.readouterr().err.splitlines()
    assert run_line.endswith("score —  $0.00  error: interrupted")
    assert case_line == "⚠ high-water  interrupted  (1 run)  $0.00"


def test_two_arms_show_what_the_plugin_adds() -> None:
    run = RunOfCase(score=1.0, passed=True, cost_usd=0.2)
    numbers = SuiteNumbers(cases_total=2, cases_passed=2, score=1.0, pass_rate=1.0, mean_delta=2 / 3)
    result = result_of(
        case_of("a", CaseNumbers(score=1.0, pass_rate=1.0, score_without=1 / 3, delta=2 / 3), run, without=(run,)),
        case_of("single", CaseNumbers(score=1.0, pass_rate=1.0), run),
    )
    table = summary_text(
        replace(result, numbers=numbers, partial_reason="cost_ceiling"),
        refused=0,
    )
    assert table.splitlines() == [
        "",
        "CASE    WITH  WITHOUT  DELTA  RUNS COST    NOTES",
        "a       1.00  0.33     +0.67  2    $0.40   ",
        "single  1.00  —        —      1    $0.20   ",
        "",
        "2 cases · mean delta +0.67 · 74 s · $0.41 (list price) · ⚠ partial (the cost ceiling was reached)",
        "",
        (
            "PARTIAL: the cost ceiling was reached before all runs were started; "
            "so far 2 of 2 cases reached the threshold of 1.00; nothing was graded."
        ),
    ]


@pytest.mark.parametrize(
    ("counts", "line"),
    [
        ((3, 1, 1, 1, 0), "recall 3/4; false triggers 1/2"),
        ((0, 0, 0, 2, 1), "no case where it should fire; false triggers 0/2; 1 unmeasured"),
        ((0, 0, 0, 0, 3), None),
    ],
)
def test_the_last_line_tells_how_surely_the_skill_fires(counts: tuple[int, ...], line: str | None) -> None:
    names = ("true_positives", "false_negatives", "false_positives", "true_negatives", "unmeasured")
    measures = SuiteMeasures(
        version="1",
        agent="claude-code",
        counts=Confusion(**dict(zip(names, counts, strict=True))),
        trigger={},
        trigger_by_run={},
        score=None,
        delta=None,
        positive_score=None,
        negative_score=None,
        error_runs=0,
        without_claim=0,
        never_fired=False,
        is_unstable=None,
        cases=(),
    )
    table = summary_text(replace(result_of(), measures=measures), refused=0)
    assert re.findall(
        r"^Triggers, each case by most of its runs, a tie against the skill: (.*)", table, re.MULTILINE
    ) == ([] if line is None else [line])


def test_a_terminal_sees_each_skill_the_wrong_one_the_model_and_the_verdict() -> None:
    """label-maker fires where jar-washer is asked for: worked out in test_suite_measures."""
    measures = replace(by_two_skills(), agent="claude-code", models=("claude-opus-5-5",))
    unscored = replace(failed("fires", 1.0), is_with_only=True, is_scored=False)
    near = case_of(
        "near", CaseNumbers(score=0.0, pass_rate=0.0), RunOfCase(score=0.0, passed=False, graders=(unscored,))
    )
    lines = summary_text(replace(result_of(near), measures=measures, claude_version="2.1.332"), refused=0).splitlines()

    assert lines[1] == "claude-code 2.1.332 · model claude-opus-5-5"
    assert lines[6].startswith(
        "Triggers, each case by most of its runs, a tie against the skill: recall 1/3 (95% CI 0.06 to 0.79); false"
    )
    assert lines[7].startswith("  label-maker: recall 1/1 (95% CI 0.21 to 1.00); false triggers 1/1 (95% CI")
    assert lines[8].startswith("  jar-washer: recall 0/2 (95% CI 0.00 to 0.66); false triggers 0/1 (95% CI")
    assert lines[9] == "  another skill than the one asked for fired in 2 of 3 cases: near, wash"
    assert lines[10].startswith("The skill jar-washer never fired where it should (near, wash): ")
    assert "`arm: both`" in lines[11]
    assert lines[-1] == "FAIL: 0 of 1 case reached the threshold of 1.00."


def test_a_refused_login_shows_no_score_and_says_nothing_of_cases_that_were_not_run() -> None:
    refused = RunOfCase(score=0.0, passed=False, error="exit 1: Invalid API key", is_api_error=True)
    result = result_of(case_of("a", CaseNumbers(score=0.0, pass_rate=0.0), refused))
    measures = measures_of_result(replace(result, partial_reason="auth_failed"))
    lines = summary_text(replace(result, measures=measures, partial_reason="auth_failed"), refused=0).splitlines()

    assert lines[1] == "claude-code · model not recorded"
    assert lines[3].startswith("a     —     —     1")
    assert not any("Triggers" in line for line in lines)
    assert lines[-1].endswith("so far 0 of 1 case reached the threshold of 1.00; nothing was graded.")


def test_numbers_are_rounded_as_people_do() -> None:
    assert [score_text(number) for number in (0.125, 2 / 3, float("nan"), None)] == ["0.13", "0.67", "—", "—"]
    assert [delta_text(number) for number in (0.005, 0.0, -0.5)] == ["+0.01", "0.00", "-0.50"]
    assert [percent_text(number) for number in (0.005, 0.5, float("inf"))] == ["1%", "50%", "—"]
    assert dollars_text(12.345) == "$12.35"


def test_a_place_that_can_be_written_is_told_from_one_that_cannot(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    assert problem_of_folder(tmp_path / "new" / "deep") is None
    assert problem_of_file(tmp_path / "new" / "report.html") is None
    assert problem_of_folder(tmp_path / "file") == f"{tmp_path / 'file'} is no folder"
    assert problem_of_folder(tmp_path / "file" / "deep") == f"{tmp_path / 'file'} is no folder"
    assert problem_of_file(tmp_path) == f"{tmp_path} is a folder"
    assert problem_of_folder(Path("/proc/none")) is not None
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


def asked_for(folder: Path, **options: Any) -> SuiteOptions:  # noqa: ANN401 - whatever the options take
    return SuiteOptions(suite=no_suite(folder), output_dir=folder / "out", **options)


def test_the_plan_counts_runs_and_votes_and_names_model_and_ceiling(tmp_path: Path) -> None:
    both, one = planned(tmp_path, Arm.WITH, Arm.WITHOUT), planned(tmp_path)
    judge = Grader(name="judge", check=Llm(criteria="PASS if"))
    with_only = replace(judge, name="with", arm=GraderArm.WITH_ONLY)
    judged = replace(both, case=replace(both.case, graders=(judge, with_only)))
    assert plan_text([judged], asked_for(tmp_path)) == (
        "Plan: 4 runs, up to 18 calls of the judge; model as Claude Code has it (--model names one); "
        "no ceiling on costs (--max-cost-usd sets one)"
    )
    asked = asked_for(tmp_path, model="m", judge_model="j", max_cost_usd=5.0)
    assert plan_text([judged, one], asked) == (
        "Plan: 6 runs, up to 18 calls of the judge; model m, judged by j; nothing more is started once $5.00 are spent"
    )
    setup = one.case.setup
    assert setup is not None
    own = replace(one, case=replace(one.case, graders=(), setup=replace(setup, model="own")))
    assert "Plan: 2 runs; model own; " in plan_text([own], asked_for(tmp_path))
    mixed = plan_text([own, replace(one, case=replace(one.case, graders=()))], asked_for(tmp_path, agent="messages"))
    assert "models own, of ANTHROPIC_MODEL;" in mixed


def test_the_plan_is_said_beside_json_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = functools.partial(plan_text, asked=asked_for(tmp_path))
    telling = Telling(threshold=1.0, is_quiet=True, is_verbose=False, plan=plan)
    telling.planned([planned(tmp_path)], ablation="none", is_default=False)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("Plan: 2 runs")


def test_advice_names_the_traces_that_are_there(tmp_path: Path) -> None:
    wrong = result_of(case_of("a", CaseNumbers(score=0.5, pass_rate=0.0), RunOfCase(score=0.5, passed=False)))
    assert list(advice(wrong, asked_for(tmp_path), {})) == []
    (tmp_path / "out" / "traces").mkdir(parents=True)
    traces = tmp_path / "out" / "traces"
    assert list(advice(wrong, asked_for(tmp_path), {})) == [f"Traces: {traces} (--keep-temp keeps the workspaces too)"]
    assert list(advice(wrong, asked_for(tmp_path, keep_temp=True), {})) == [f"Traces: {traces}"]
    fine = result_of(case_of("a", CaseNumbers(score=1.0, pass_rate=1.0), RunOfCase(score=1.0, passed=True)))
    assert list(advice(fine, asked_for(tmp_path), {})) == []
    refused = RunOfCase(score=0.0, passed=False, error="HTTP 529", is_api_error=True)
    assert (
        list(advice(result_of(case_of("a", CaseNumbers(score=0.0, pass_rate=0.0), refused)), asked_for(tmp_path), {}))
        == []
    )


def test_advice_about_a_refused_login_names_what_to_mend(tmp_path: Path) -> None:
    refused = replace(result_of(), partial_reason="auth_failed")
    (line,) = advice(refused, asked_for(tmp_path), {})
    assert line == (
        "The login was refused. Mend what is used of these: ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, "
        "CLAUDE_CODE_OAUTH_TOKEN, or the login of Claude Code (claude /login)."
    )
    (line,) = advice(
        refused, asked_for(tmp_path, agent="messages"), {"ANTHROPIC_BASE_URL": "https://me:secret@gate.example/x/"}
    )
    assert line == (
        "The login was refused by https://gate.example/x, which ANTHROPIC_BASE_URL names. Mend what is used of these: "
        "ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN."
    )


class Watched(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_at_once_how_many_runs_have_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "CLICOLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    screen = Watched()
    monkeypatch.setattr("sys.stderr", screen)
    telling = Telling(threshold=1.0, is_quiet=False, is_verbose=False)
    telling.planned([planned(tmp_path)], ablation="none", is_default=False)
    assert re.search(r"─+ 0/2", screen.getvalue())
    run = AskedRun(run=Run(case_id="c", tool_calls=()))
    telling.finished(planned(tmp_path), run, RunOfCase(score=1.0, passed=True, cost_usd=0.02), Arm.WITH, 0)
    telling.warned("odd")
    telling.end()
    shown = screen.getvalue()
    assert shown.index("high-water run 1/2: ") < shown.index("odd") < shown.rindex("1/2 · 1 passed · $0.0200 so far")
    assert shown.endswith("\x1b[2K")  # nothing of it is left


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("CLICOLOR", "0"), ("TERM", "dumb")])
def test_a_terminal_that_shall_get_no_escapes_gets_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(name, value)
    screen = Watched()
    monkeypatch.setattr("sys.stderr", screen)
    telling = Telling(threshold=1.0, is_quiet=False, is_verbose=False)
    telling.planned([planned(tmp_path)], ablation="none", is_default=False)
    telling.warned("odd")
    telling.end()
    assert screen.getvalue().endswith("odd\n")
    assert "\x1b" not in screen.getvalue()


def test_a_log_has_no_count_of_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    telling = Telling(threshold=1.0, is_quiet=False, is_verbose=False)
    telling.planned([planned(tmp_path)], ablation="none", is_default=False)
    telling.warned("odd")
    telling.end()
    assert capsys.readouterr().err == "odd\n"


def test_lines_of_a_terminal_break_between_words() -> None:
    assert wrapped("WARN one/two: three four", 16) == "WARN one/two:\n  three four"
    assert wrapped("  a longwordthatstays b\nshort", 10) == "  a\n    longwordthatstays\n    b\nshort"
    assert wrapped("one two three", None) == "one two three"
    assert wrapped("one two three", 3) == "one two three"
    assert width_of(io.StringIO()) is None
    assert width_of(Watched()) is None


def test_help_fits_a_narrow_terminal() -> None:
    """Paragraphs are filled anew, items hang below their text, and a text that fits stays as it is."""
    text = "One two three four.\nFive six.\n\nreads   a b c d e f g h i\n        j k\n  0    PASS\nplugin-eval\n"
    assert fitted(text, 40) == text
    assert fitted(text, 20).splitlines() == [
        "One two three four.",
        "Five six.",
        "",
        "reads   a b c d e f",
        "        g h i j k",
        "  0    PASS",
        "plugin-eval",
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_the_summary_fits_the_terminal(width: int, language: str) -> None:
    run = RunOfCase(score=0.5, passed=False, cost_usd=0.01, error="the answer was cut off in the middle of a sentence")
    case = case_of("a-name-that-is-rather-long", CaseNumbers(score=0.5, pass_rate=0.0), run)
    speak("zh" if language == "zh" else "en")
    try:
        lines = summary_text(result_of(case), refused=0, width=width).splitlines()
    finally:
        speak("en")
    assert max(map(display_width, lines)) <= width
    assert any("0.50" in line for line in lines)
    assert any("the answer" in line for line in lines)

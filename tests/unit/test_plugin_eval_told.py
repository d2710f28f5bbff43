"""What is told of runs and cases that did not go well, worked out by hand."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from skill_evaluator.api.plugin_eval.options import PlannedCase
from skill_evaluator.api.plugin_eval.writable import problem_of_file, problem_of_folder
from skill_evaluator.cli.plugin_eval_numbers import delta_text, dollars_text, percent_text, score_text
from skill_evaluator.cli.plugin_eval_progress import Telling
from skill_evaluator.cli.plugin_eval_table import summary_text
from skill_evaluator.grading.suite_scores import ArmScore, CaseScore
from skill_evaluator.model import Aborted, Arm, AskedRun, Run, StandInServer, StandInTool, StandInUse
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
    assert line.startswith("1 case in a single arm (no Δ), ")
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
    assert capsys.readouterr().err == "✓ high-water  with 0.50  without —  Δ —  (4 runs)  $0.13\n"


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
        is_kept=False,
    )
    assert table.splitlines() == [
        "",
        "CASE  SCORE PASS% RUNS COST    NOTES",
        "潮汐  0.50  0%    1    $0.00   first: first failed",
        "b     0.25  50%   2    $0.00   timed out after 300 s",
        "c     —     100%  0    $0.00   ",
        "",
        "3 cases · 74 s · $0.41",
        "",
        "2 cases did not load; why stands above.",
        "",
        "Run again with --keep-temp to keep the workspace and the trace of each run.",
    ]


def test_what_a_signal_ended_before_it_was_graded_has_no_score() -> None:
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
        is_kept=True,
    )
    assert table.splitlines()[2:5] == [
        "a     —     —     —      2    $0.00   interrupted",
        "b     1.00  —     —      2    $0.00   interrupted without the plugin",
        "c     1.00  0.00  +1.00  2    $0.00   interrupted without the plugin",
    ]


def test_the_progress_of_such_a_run_shows_no_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = told(tmp_path, RunOfCase(score=0.0, passed=False, error="interrupted"), capsys)
    assert line.endswith("score —  $0.00  error: interrupted")


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
        is_kept=True,
    )
    assert table.splitlines() == [
        "",
        "CASE    WITH  W/OUT Δ      RUNS COST    NOTES",
        "a       1.00  0.33  +0.67  2    $0.40   ",
        "single  1.00  —     —      1    $0.20   ",
        "",
        "2 cases · mean Δ +0.67 · 74 s · $0.41 · ⚠ partial: the cost ceiling was reached",
    ]


@pytest.mark.parametrize(
    ("counts", "line"),
    [
        ((3, 1, 1, 1, 0), "Triggers: recall 3/4 · false triggers 1/2"),
        ((0, 0, 0, 2, 1), "Triggers: no case where it should fire · false triggers 0/2 · 1 unmeasured"),
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
    table = summary_text(replace(result_of(), measures=measures), refused=0, is_kept=False)
    assert re.findall(r"^Triggers: .*", table, re.MULTILINE) == ([] if line is None else [line])


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

"""What is raised in one run costs that run, never the suite."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from skill_evaluator.api.plugin_eval import beside
from skill_evaluator.api.plugin_eval import output as output_module
from skill_evaluator.api.plugin_eval import result as result_module
from skill_evaluator.api.plugin_eval.traces import keep_trace
from skill_evaluator.model import INTERRUPTED, Arm, AskedRun, Case, FailureKind, MockCall, Run
from skill_evaluator.redaction import blacken_run
from tests.unit.scripted_suites import Answer, ScriptedAgent, case_files, failing, run, said, suite

SECRET = "key-of-the-user-itself"  # noqa: S105 - nobody's


def raising(fault: Exception, *, at: int = 0) -> ScriptedAgent:
    def answer(case: Case, arm: Arm, index: int) -> AskedRun:
        if index == at:
            raise fault
        return said()(case, arm, index)

    return ScriptedAgent(answer=answer)


@pytest.mark.parametrize("fault", [RecursionError("too deep"), MemoryError(), KeyError("x"), RuntimeError("no thread")])
def test_what_the_agent_raises_is_the_error_of_that_run(tmp_path: Path, fault: Exception) -> None:
    loaded = suite(tmp_path / "p", case_files(runs=3))
    ran = run(loaded, tmp_path / "out", agent=raising(fault, at=1), ablation="none", concurrency=2)

    assert ran.evaluated.result is not None
    (case,) = ran.evaluated.result.cases
    assert [one.score for one in case.with_plugin] == [1.0, 0.0, 1.0]
    assert type(fault).__name__ in (case.with_plugin[1].error or "")
    assert case.with_plugin[1].started_at is not None
    assert ran.evaluated.exit_status == 1
    assert (tmp_path / "out" / "aggregate-result.json").is_file()


def test_what_grading_raises_is_the_error_of_that_run_and_its_cost_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(run: Run, case: Case, output_dir: Path, secrets: Sequence[str]) -> str:
        if run.index == 0:
            raise ValueError(f"no {SECRET} here")
        return keep_trace(run, case, output_dir, secrets)

    monkeypatch.setattr(beside, "keep_trace", broken)
    loaded = suite(tmp_path / "p", case_files(runs=2))
    ran = run(loaded, tmp_path / "out", ablation="none", secrets=[SECRET])

    assert ran.evaluated.result is not None
    first, second = ran.evaluated.result.cases[0].with_plugin
    assert (first.score, first.cost_usd, first.graders) == (0.0, 0.25, ())
    assert "ValueError" in (first.error or "")
    assert SECRET not in (first.error or "")
    assert second.score == 1.0


def test_a_case_whose_name_is_no_unicode_has_a_trace(tmp_path: Path) -> None:
    """Where the locale is ASCII, Python reads other bytes of file names as halves of surrogate pairs."""
    (plain,) = suite(tmp_path / "p", case_files()).suite.cases
    case = replace(plain, id="\udce5\udc90\udc8d")
    path = keep_trace(Run(case_id=case.id, arm=Arm.WITH, index=0, trace=("{}",)), case, tmp_path / "out", [])
    assert Path(path).read_text("utf-8") == "{}\n"
    assert Path(path).name.isascii()


def test_secrets_are_masked_however_deep_they_stand() -> None:
    deep: object = SECRET
    for _ in range(5_000):
        deep = [deep]
    call = MockCall(tool="look", arguments={"q": deep, SECRET: 1}, output="", is_error=False, verdict="ok")
    masked = blacken_run(Run(case_id="c", arm=Arm.WITH, index=0, mock_calls=(call,)), [SECRET])

    assert masked.mock_calls is not None
    found = masked.mock_calls[0].arguments["q"]
    while isinstance(found, list):
        (found,) = found
    assert found == "[redacted]"
    assert "[redacted]" in masked.mock_calls[0].arguments


def test_the_planned_case_is_told_of_a_broken_run(tmp_path: Path) -> None:
    ran = run(suite(tmp_path / "p", case_files()), tmp_path / "out", agent=raising(KeyError("x")), ablation="none")
    assert ran.heard.lines == ["planned 1", "c with 0 0.0", "done c 0.0 1 0.0"]


@pytest.mark.parametrize("fault", [MemoryError(), ImportError("no numpy"), ZeroDivisionError("bug")])
def test_the_answer_stands_before_statistics_and_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """The rest of the result is what it would have been, and so is the exit status."""
    loaded = suite(tmp_path / "p", case_files(runs=2))
    whole = run(loaded, tmp_path / "whole", ablation="none")
    stood: list[bool] = []

    def broken(*_: object, **__: object) -> None:
        stood.append((tmp_path / "out" / "aggregate-result.json").is_file())
        raise fault

    monkeypatch.setattr(result_module, "measure_suite", broken)
    monkeypatch.setattr(output_module, "suite_result_to_html", broken)
    ran = run(loaded, tmp_path / "out", ablation="none")

    assert stood == [True, True]
    assert ran.evaluated.exit_status == 0
    assert whole.evaluated.result is not None
    assert ran.evaluated.result is not None
    assert ran.evaluated.result.numbers == whole.evaluated.result.numbers
    written = json.loads((tmp_path / "out" / "aggregate-result.json").read_text("utf-8"))
    assert "skillEvaluator" not in written
    assert len(written["cases"]) == 1
    statistics, report = ran.heard.warnings
    assert type(fault).__name__ in statistics
    assert type(fault).__name__ in report


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited as Linux does it")
def test_nothing_is_loaded_meanwhile_where_memory_is_limited() -> None:
    code = (
        "import resource; from skill_evaluator.api.plugin_eval.meanwhile import has_room; before = has_room();"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 33, 1 << 33)); print(before, has_room())"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() in (["True", "False"], ["False", "False"])


ABSENT = "---\ntype: regex\nmatch: not_contains\n---\nlow water\n"


def test_runs_that_were_graded_though_they_ended_in_an_error_are_told_of(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files(runs=2, grader=ABSENT))
    agent = ScriptedAgent(answer=failing(FailureKind.TIMEOUT, "timed out after 20s"))
    ran = run(loaded, tmp_path / "out", agent=agent, ablation="none")

    assert ran.evaluated.exit_status == 0  # as with the real program
    (remark,) = ran.evaluated.remarks
    assert remark.startswith("2 runs ended in an error and were graded all the same")
    assert ran.evaluated.reasons == ()
    written = json.loads((tmp_path / "out" / "aggregate-result.json").read_text("utf-8"))
    assert remark in written["skillEvaluator"]["notes"]


@pytest.mark.parametrize(
    "answer",
    [said(), failing(FailureKind.API), failing(FailureKind.CRASH, INTERRUPTED)],
    ids=["well", "api", "interrupted"],
)
def test_other_runs_are_not(tmp_path: Path, answer: Answer) -> None:
    loaded = suite(tmp_path / "p", case_files(grader=ABSENT))
    assert run(loaded, tmp_path / "out", agent=ScriptedAgent(answer=answer)).evaluated.remarks == ()


def test_a_report_that_could_not_be_written_is_not_named(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files())
    (tmp_path / "out" / "report.html").mkdir(parents=True)
    assert run(loaded, tmp_path / "out").evaluated.report is None
    assert run(loaded, tmp_path / "well").evaluated.report == tmp_path / "well" / "report.html"


def test_a_low_limit_of_open_files_is_told_before_the_first_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    loaded = suite(tmp_path / "p", case_files())
    monkeypatch.setattr(resource, "getrlimit", lambda _: (40, 4096))
    assert run(loaded, tmp_path / "one").heard.warnings == []
    (warning,) = run(loaded, tmp_path / "eight", concurrency=8).heard.warnings
    assert "40 files" in warning
    assert "-j 8" in warning

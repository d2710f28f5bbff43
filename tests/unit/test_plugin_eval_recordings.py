"""Answers of models that play servers are kept of clean runs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

from skill_evaluator.api.plugin_eval.evaluation import Parts
from skill_evaluator.api.plugin_eval.execution import evaluate_with
from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.api.plugin_eval.plan import plan_suite
from skill_evaluator.api.plugin_eval.watched import WatchedStandIns
from skill_evaluator.model import Arm, AskedRun, Case
from skill_evaluator.stand_ins import Recording
from tests.unit.scripted_suites import Heard, ScriptedAgent, case_files, said, suite


def _recording(folder: Path, output: str) -> Recording:
    return Recording(
        server="tracker",
        tool="t",
        key=output,
        arguments={},
        output=output,
        verdict="ok",
        recorded_at="2026-05-01T08:00:00.000Z",
        model="m",
        adopt_to=folder,
    )


def _parts(agent: ScriptedAgent, folder: Path) -> Parts:
    kept = {("c", Arm.WITH, index): (_recording(folder, f"answer{index}"),) for index in range(2)}
    return Parts(agent=agent, recordings=kept)


def _second_fails(case: Case, arm: Arm, index: int) -> AskedRun:
    asked = said()(case, arm, index)
    return asked if index == 0 else replace(asked, error="timed out after 1 s")


def test_only_answers_of_clean_runs_are_kept(tmp_path: Path) -> None:
    options = SuiteOptions(
        suite=suite(tmp_path / "p", case_files(runs=2)), output_dir=tmp_path / "out", ablation="none"
    )
    evaluate_with(options, plan_suite(options), _parts(ScriptedAgent(answer=_second_fails), tmp_path), Heard())
    files = sorted(path.name for path in (tmp_path / "out" / "mock-recordings").rglob("*.json"))
    assert files == ["t-answer0.json"]


def test_answers_that_cannot_be_kept_are_told(tmp_path: Path) -> None:
    options = SuiteOptions(suite=suite(tmp_path / "p", case_files()), output_dir=tmp_path / "out", ablation="none")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mock-recordings").write_text("in the way")
    heard = Heard()
    evaluate_with(options, plan_suite(options), _parts(ScriptedAgent(), tmp_path), heard)
    assert "is not kept" in heard.warnings[0]


def test_answers_are_remembered_by_run(tmp_path: Path) -> None:
    opened = SimpleNamespace(recordings=(_recording(tmp_path, "a"),))

    @asynccontextmanager
    async def of_run(*_: object) -> AsyncIterator[SimpleNamespace]:
        yield opened

    case = suite(tmp_path / "p", case_files()).suite.cases[0]
    watched = WatchedStandIns(SimpleNamespace(of_run=of_run))  # type: ignore[arg-type]

    async def go() -> None:
        async with watched.of_run(case, Arm.WITHOUT, 2) as inner:
            assert list(inner.recordings) == list(opened.recordings)

    asyncio.run(go())
    assert watched.recordings == {("c", Arm.WITHOUT, 2): opened.recordings}

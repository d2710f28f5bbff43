"""Grading goes on beside the event loop, changes no result, and lets go of sessions."""

import asyncio
import gc
import json
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from skill_evaluator.api.plugin_eval import beside
from skill_evaluator.api.plugin_eval.finished import FinishedRun, grade, without_bulk
from skill_evaluator.api.plugin_eval.options import PlannedCase, SuiteOptions
from skill_evaluator.api.plugin_eval.plan import plan_suite
from skill_evaluator.api.plugin_eval.votes import RunVotes
from skill_evaluator.formats.suite.expected import claims_of
from skill_evaluator.grading import score_case
from skill_evaluator.metrics.suite_models import models_used
from skill_evaluator.metrics.suite_trigger import was_call_made
from skill_evaluator.model import Arm, AskedRun, Case, MockCall, Run, SeenFile
from skill_evaluator.results.suite_result import SuiteResult
from tests.unit.scripted_suites import ScriptedAgent, case_files, run, said, suite
from tests.unit.suite_runs import assistant, text, tool_use

_NEVER_S = 20.0
FIRES = "---\ntype: tool_used\ntool: Skill\ninput_match: tide\n---\n"
SLOW = "---\ntype: regex\n---\n(a+)+$\n"


@dataclass
class LaterAgent(ScriptedAgent):
    """Tells when the second run has ended."""

    has_ended: threading.Event = field(default_factory=threading.Event)

    async def ask(self, case: Case, arm: Arm, index: int) -> AskedRun:
        if index == 1:
            await asyncio.sleep(0.1)
            self.has_ended.set()
        return await super().ask(case, arm, index)


def test_other_runs_go_on_while_one_is_graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = LaterAgent()
    went_on: list[bool] = []

    def slow(planned: PlannedCase, asked: AskedRun, **how: object) -> FinishedRun:
        went_on.append(agent.has_ended.wait(_NEVER_S))
        return grade(planned, asked, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(beside, "grade", slow)
    ran = run(suite(tmp_path / "p", case_files(runs=2)), tmp_path / "out", agent=agent, ablation="none", concurrency=2)

    assert went_on == [True, True]
    assert ran.evaluated.exit_status == 0


def session(words: str) -> Run:
    lines = (
        json.dumps({"type": "system", "subtype": "init", "model": "m-1"}),
        assistant(tool_use("Skill", {"skill": "tide-table"})),
        assistant(tool_use("Read", {"file_path": words})),
        json.dumps({"type": "user", "message": {"content": words}}),
        assistant(text(words)),
    )
    return Run(
        case_id="c",
        output=words,
        trace=lines,
        created_files=(words,),
        seen_files={"a": SeenFile.of(words.encode())},
        mock_calls=(MockCall(tool="mcp__t__get", arguments={"a": words}, output=words),),
    )


def test_slow_patterns_give_the_same_results_however_many_runs_are_under_way(tmp_path: Path) -> None:
    graders = {"c/graders/slow.md": SLOW, "c/graders/fires.md": FIRES}
    loaded = suite(tmp_path / "p", {**case_files(runs=3), **graders})

    def answer(case: Case, arm: Arm, index: int) -> AskedRun:
        asked = said("high water " + "a" * 40 + "!" * (index + 1))(case, arm, index)
        trace = (assistant(tool_use("Skill", {"skill": "tide-table"})), *(asked.run.trace or ()))
        return replace(asked, run=replace(asked.run, trace=trace))

    def result(jobs: int) -> SuiteResult:
        place = tmp_path / "out"  # the same one, since paths stand in the result
        ran = run(loaded, place, agent=ScriptedAgent(answer=answer), ablation="none", concurrency=jobs)
        assert ran.evaluated.result is not None
        return ran.evaluated.result

    one, many = result(1), result(3)
    assert one.cases == many.cases
    assert one.measures == many.measures
    assert [[grader.passed for grader in entry.graders] for entry in one.cases[0].with_plugin] == [
        [True, True, False]
    ] * 3


def test_what_is_left_of_a_run_gives_the_same_numbers_and_none_of_its_texts(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", {**case_files(), "c/graders/fires.md": FIRES})
    (planned,) = plan_suite(SuiteOptions(suite=loaded, output_dir=tmp_path)).cases
    words = "high water, said at length"
    whole = grade(planned, AskedRun(run=session(words)), votes=RunVotes())
    light = without_bulk(whole)

    assert light.entry == whole.entry
    (claim,) = claims_of(planned.case.graders)
    fired = [was_call_made(planned.case, one.asked.run, claim) for one in (light, whole)]
    assert fired == [True, True]
    assert models_used([light.asked.run]) == ("m-1",)
    assert score_case([light.graded]) == score_case([whole.graded])
    assert words not in repr(light.asked) + repr(light.graded)


@pytest.mark.parametrize(
    ("trace", "is_kept"), [(None, False), ((), True), (('{"tool_use":' * 100_000 + "1" + "}" * 100_000,), True)]
)
def test_a_trace_that_tells_nothing_still_tells_nothing(trace: tuple[str, ...] | None, *, is_kept: bool) -> None:
    (case,) = (PlannedCase(case=_case(), arms=(Arm.WITH,), runs=1),)
    light = without_bulk(grade(case, AskedRun(run=replace(session("x"), trace=trace)), votes=RunVotes())).asked.run

    assert light.trace == trace
    assert (light.trace is not None) is is_kept


def _case() -> Case:
    from tests.unit.suite_setup import FIRED, grader, suite_case  # noqa: PLC0415

    return suite_case(grader("fired", FIRED))


def test_no_session_is_in_memory_once_it_is_graded(tmp_path: Path) -> None:
    held: list[int] = []

    def answer(case: Case, arm: Arm, index: int) -> AskedRun:
        gc.collect()
        held.append(sum(isinstance(one, Run) and one.case_id == "held" and bool(one.trace) for one in gc.get_objects()))
        return said("high water")(case, arm, index)

    loaded = suite(tmp_path / "p", case_files("held", runs=4))
    ran = run(loaded, tmp_path / "out", agent=ScriptedAgent(answer=answer), ablation="none")

    assert ran.evaluated.exit_status == 0
    assert held == [0, 0, 0, 0]
    assert "high water" in (tmp_path / "out" / "traces" / "held-with-4.jsonl").read_text("utf-8")

"""Recorded runs come back as they were, wherever they were kept."""

import asyncio
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from skill_evaluator.agents.replay import ReplayAgent
from skill_evaluator.errors import InputError
from skill_evaluator.journal import JournalEnd, JournalHeader, JournalWriter
from skill_evaluator.model import (
    AgentInfo,
    Arm,
    Case,
    Failure,
    FailureKind,
    Finding,
    Level,
    Run,
    Source,
    Split,
    ToolCall,
    Usage,
)
from skill_evaluator.results import Config, SkillInfo, TestsetInfo

STREAMS = Path(__file__).parents[1] / "data" / "streams"
EMBEDDED = AgentInfo(name="embedded", estimate=True, settings={"seed": 0})


def case(name: str, prompt: str | None = None) -> Case:
    return Case(
        id=name,
        prompt=prompt or name,
        split=Split.ACCEPTANCE,
        expect_trigger=True,
        sha256="0" * 64,
        prompt_sha256=f"hash of {prompt or name}",
        source=Source(path="testset.json"),
    )


def agent_of(path: Path, *cases: Case) -> ReplayAgent:
    return ReplayAgent(path, skill_name="level-maker", cases=cases)


def ask(agent: ReplayAgent, asked: Case, index: int = 0, arm: Arm = Arm.WITH) -> Run:
    return asyncio.run(agent.run(asked, arm, index))


def refused(path: Path) -> tuple[Finding, ...]:
    with pytest.raises(InputError) as caught:
        agent_of(path)
    return caught.value.findings


def keep(folder: Path, runs: Sequence[tuple[Run, str]], agent: AgentInfo = EMBEDDED) -> Path:
    header = JournalHeader(
        agent=agent,
        skill=SkillInfo(name="level-maker", version="1", description="d", sha256="a" * 64, files=("SKILL.md",)),
        testset=TestsetInfo(name="t", sha256="b" * 64, split_sha256={}, cases=1),
        config=Config(runs=3, seed=0, pass_threshold=0.85),
        timestamp="2025-11-08T14:30:00Z",
        skill_path="SKILL.md",
        testset_path="testset.json",
        concurrency=1,
    )
    with JournalWriter(folder, header, b"[]") as journal:
        for run, prompt in runs:
            journal.append(run, prompt_sha256=f"hash of {prompt}")
        journal.finish(JournalEnd(duration_s=1.0))
    return folder


def candidates(tmp_path: Path, *rows: object) -> Path:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def sessions(folder: Path, **names: str) -> Path:
    for place, name in names.items():
        path = folder / place.replace("__", "/").replace("_", ".")
        path = path.with_name(path.name + ".jsonl")
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(STREAMS / f"{name}.jsonl", path)
    return folder


def test_journal_gives_back_its_runs_and_its_agent(tmp_path: Path) -> None:
    runs = (
        Run(case_id="a", index=0, triggered=True, output="x", usage=Usage(input_tokens=1), duration_s=0.5),
        Run(case_id="a", index=1, failure=Failure(kind=FailureKind.TIMEOUT, message="after 300 s")),
        Run(case_id="b", index=0, triggered=False, tool_calls=(ToolCall(name="Read", result="r"),)),
    )
    agent = agent_of(keep(tmp_path / "run", [(run, run.case_id) for run in runs]))

    assert ask(agent, case("a"), 0) == runs[0]
    assert ask(agent, case("a"), 1) == runs[1]
    assert ask(agent, case("b"), 0) == runs[2]
    assert agent.info == EMBEDDED  # an estimate played again is still an estimate
    assert agent.planned_runs == 2


def test_journal_is_asked_by_the_prompt_so_that_a_renamed_case_finds_its_runs(tmp_path: Path) -> None:
    agent = agent_of(
        keep(tmp_path / "run", [(Run(case_id="old", triggered=True), "the prompt")]), case("new", "the prompt")
    )

    assert ask(agent, case("new", "the prompt")) == Run(case_id="new", triggered=True)
    assert agent.findings == ()


def test_recording_of_another_prompt_is_no_recording_of_this_one(tmp_path: Path) -> None:
    asked = case("a", "new words")
    agent = agent_of(keep(tmp_path / "run", [(Run(case_id="a", triggered=True), "old words")]), asked)

    assert [finding.code for finding in agent.findings] == ["unknown-case"]
    failure = ask(agent, asked).failure
    assert failure is not None
    assert failure.kind is FailureKind.CRASH
    assert failure.message == "no recording of repetition 1: it was recorded with another prompt"


def test_cases_that_share_a_prompt_keep_their_own_runs(tmp_path: Path) -> None:
    runs = [(Run(case_id=name, triggered=name == "a"), "same") for name in ("a", "b")]
    agent = agent_of(keep(tmp_path / "run", runs))

    assert ask(agent, case("a", "same")).triggered is True
    assert ask(agent, case("b", "same")).triggered is False


def test_later_try_of_a_repetition_replaces_the_first(tmp_path: Path) -> None:
    failed = Run(case_id="a", failure=Failure(kind=FailureKind.API, message="500"))
    agent = agent_of(keep(tmp_path / "run", [(failed, "a"), (Run(case_id="a", triggered=True), "a")]))

    assert ask(agent, case("a")).triggered is True


def test_arms_are_kept_apart(tmp_path: Path) -> None:
    runs = [(Run(case_id="a", arm=arm, triggered=arm is Arm.WITH), "a") for arm in Arm]
    agent = agent_of(keep(tmp_path / "run", runs))

    assert ask(agent, case("a"), arm=Arm.WITH).triggered is True
    assert ask(agent, case("a"), arm=Arm.WITHOUT).triggered is False


def test_repetition_that_was_not_recorded_is_an_error_and_never_a_miss(tmp_path: Path) -> None:
    agent = agent_of(candidates(tmp_path, {"case_id": "a", "triggered": True}))

    for run in (ask(agent, case("a"), 1), ask(agent, case("b"), 1), ask(agent, case("a"), 1, Arm.WITHOUT)):
        assert run.failure == Failure(kind=FailureKind.CRASH, message="no recording of repetition 2")
        assert run.triggered is None
        assert run.index == 1


def test_candidates_are_asked_by_case_id(tmp_path: Path) -> None:
    rows = ({"case_id": "a", "skills_invoked": ["level-maker"]}, {"case_id": "a", "text": "hm"}, {"case_id": "b"})
    agent = agent_of(candidates(tmp_path, *rows))

    assert ask(agent, case("a"), 0).triggered is True
    assert ask(agent, case("a"), 1) == Run(case_id="a", index=1, output="hm")
    assert agent.info == AgentInfo(name="replay", settings={"recorded_as": "candidates"})
    assert agent.planned_runs == 2


def test_recordings_of_cases_that_are_not_asked_are_told_in_one_warning(tmp_path: Path) -> None:
    rows = [{"case_id": name} for name in ("a", "Case 1", "x", "x", *(f"more{n}" for n in range(20)))]
    path = candidates(tmp_path, *rows)

    (finding,) = agent_of(path, case("a"), case("case_1")).findings
    assert (finding.level, finding.code, finding.file, finding.line) == (Level.WARN, "unknown-case", str(path), 2)
    assert "'Case 1' (did you mean 'case_1'?), 'x', 'more0'" in finding.message
    assert finding.message.endswith("and 12 more")
    assert finding.values["cases"] == ["Case 1", "x", *(f"more{n}" for n in range(20))]
    assert agent_of(path).findings == ()


def test_folder_of_sessions_is_asked_by_case_id_in_the_order_of_the_numbers(tmp_path: Path) -> None:
    folder = sessions(tmp_path, a_2="quiet", a_10="tool_first", a_1="server_error", b__0="plugin_name", b__1="quiet")
    agent = agent_of(folder)

    failed, quiet, fired = (ask(agent, case("a"), index) for index in range(3))
    assert failed.failure is not None
    assert quiet.triggered is False
    assert fired.triggered is True
    assert (fired.case_id, fired.index, fired.output) == ("a", 2, '{"level_id": 7}')
    assert ask(agent, case("b"), 0).triggered is True
    assert agent.planned_runs == 3
    assert agent.info == AgentInfo(name="replay", model="claude-opus-5-5", settings={"recorded_as": "stream-json"})


def test_case_ids_with_dots_are_read_from_file_names(tmp_path: Path) -> None:
    shutil.copy(STREAMS / "quiet.jsonl", tmp_path / "v1.2.题.0.jsonl")

    assert ask(agent_of(tmp_path), case("v1.2.题")).triggered is False


def test_files_that_do_not_say_which_run_they_are_are_all_named(tmp_path: Path) -> None:
    sessions(tmp_path, a_0="quiet", a_00="quiet", a="quiet", b_x="quiet", c__d__0="quiet")
    (tmp_path / "notes.txt").write_text("not a session", "utf-8")

    findings = refused(tmp_path)
    assert [(Path(str(finding.file)).relative_to(tmp_path).as_posix(), finding.code) for finding in findings] == [
        ("a.00.jsonl", "duplicate-index"),
        ("a.jsonl", "file-name"),
        ("b.x.jsonl", "file-name"),
        ("c/d/0.jsonl", "file-name"),
    ]


def test_place_without_recordings_is_refused(tmp_path: Path) -> None:
    (finding,) = refused(tmp_path)
    assert finding.code == "no-recordings"
    assert "<case id>.<n>.jsonl" in finding.message

    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n", "utf-8")
    assert [finding.code for finding in refused(empty)] == ["no-recordings"]
    assert [finding.code for finding in refused(tmp_path / "none.jsonl")] == ["unreadable"]


def test_part_of_a_run_folder_is_refused_by_naming_the_folder(tmp_path: Path) -> None:
    """A run folder is checked against the skill as a whole; its parts would slip past that."""
    folder = keep(tmp_path / "run", [(Run(case_id="a", triggered=True), "a")])

    for name in ("journal.jsonl", "run.json"):
        (finding,) = refused(folder / name)
        assert finding.code == "file-name"
        assert str(folder) in finding.message


def test_run_folder_without_its_header_is_refused(tmp_path: Path) -> None:
    folder = keep(tmp_path / "run", [(Run(case_id="a", triggered=True), "a")])
    (folder / "run.json").unlink()

    (finding,) = refused(folder)
    assert finding.code == "journal-unreadable"

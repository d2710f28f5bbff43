"""Recorded runs come back as they were, wherever they were kept."""

import asyncio
import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
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
        testset_file_sha256=hashlib.sha256(b"[]").hexdigest(),
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
    agent = agent_of(keep(tmp_path / "run", [(run, run.case_id) for run in runs]), case("a"), case("b"))

    assert ask(agent, case("a"), 0) == runs[0]
    assert ask(agent, case("a"), 1) == runs[1]
    assert ask(agent, case("b"), 0) == runs[2]
    assert agent.info == EMBEDDED  # an estimate played again is still an estimate


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
    agent = agent_of(keep(tmp_path / "run", runs), case("a", "same"), case("b", "same"))

    assert ask(agent, case("a", "same")).triggered is True
    assert ask(agent, case("b", "same")).triggered is False


def test_repetition_that_stands_twice_in_a_journal_is_refused_with_both_lines(tmp_path: Path) -> None:
    missed = Run(case_id="a", triggered=False)
    runs = [(missed, "a"), (Run(case_id="b", triggered=True), "b"), (Run(case_id="a", triggered=True), "a")]
    folder = keep(tmp_path / "run", runs)
    journal = folder / "journal.jsonl"
    journal.write_bytes(b"\n" + journal.read_bytes() + b'{"cut')

    (finding,) = refused(folder)
    assert (finding.file, finding.line) == (str(journal), 4)
    assert "line 2" in finding.message


def test_an_error_that_was_asked_again_is_answered_by_the_later_line(tmp_path: Path) -> None:
    failed = Run(case_id="a", failure=Failure(kind=FailureKind.API, message="500"))
    agent = agent_of(keep(tmp_path / "run", [(failed, "a"), (Run(case_id="a", triggered=True), "a")]), case("a"))

    assert ask(agent, case("a")).triggered is True


def test_arms_are_kept_apart(tmp_path: Path) -> None:
    runs = [(Run(case_id="a", arm=arm, triggered=arm is Arm.WITH), "a") for arm in Arm]
    agent = agent_of(keep(tmp_path / "run", runs), case("a"))

    assert ask(agent, case("a"), arm=Arm.WITH).triggered is True
    assert ask(agent, case("a"), arm=Arm.WITHOUT).triggered is False


def test_repetition_that_was_not_recorded_is_an_error_and_never_a_miss(tmp_path: Path) -> None:
    agent = agent_of(candidates(tmp_path, {"case_id": "a", "triggered": True}), case("a"), case("b"))

    for run in (ask(agent, case("a"), 1), ask(agent, case("b"), 1), ask(agent, case("a"), 1, Arm.WITHOUT)):
        assert run.failure == Failure(kind=FailureKind.CRASH, message="no recording of repetition 2")
        assert run.triggered is None
        assert run.index == 1


def test_candidates_are_asked_by_case_id(tmp_path: Path) -> None:
    rows = ({"case_id": "a", "skills_invoked": ["level-maker"]}, {"case_id": "a", "text": "hm"}, {"case_id": "b"})
    agent = agent_of(candidates(tmp_path, *rows), case("a"))

    assert ask(agent, case("a"), 0).triggered is True
    assert ask(agent, case("a"), 1) == Run(case_id="a", index=1, output="hm")
    assert agent.info == AgentInfo(name="replay", settings={"recorded_as": "candidates"})


def test_recordings_of_cases_that_are_not_asked_are_told_in_one_warning(tmp_path: Path) -> None:
    rows = [{"case_id": name} for name in ("a", "Case 1", "x", "x", *(f"more{n}" for n in range(20)))]
    path = candidates(tmp_path, *rows)

    (finding,) = agent_of(path, case("a"), case("case_1")).findings
    assert (finding.level, finding.code, finding.file, finding.line) == (Level.WARN, "unknown-case", str(path), 2)
    assert "'Case 1' (did you mean 'case_1'?), 'x', 'more0'" in finding.message
    assert finding.message.endswith("and 12 more")
    assert finding.values["cases"] == ["Case 1", "x", *(f"more{n}" for n in range(20))]


def test_folder_of_sessions_is_asked_by_case_id_in_the_order_of_the_numbers(tmp_path: Path) -> None:
    folder = sessions(tmp_path, a_2="quiet", a_10="tool_first", a_1="server_error", b__0="plugin_name", b__1="quiet")
    agent = agent_of(folder, case("a"), case("b"))

    failed, quiet, fired = (ask(agent, case("a"), index) for index in range(3))
    assert failed.failure is not None
    assert quiet.triggered is False
    assert fired.triggered is True
    assert (fired.case_id, fired.index, fired.output) == ("a", 2, '{"level_id": 7}')
    assert ask(agent, case("b"), 0).triggered is True
    assert agent.info == AgentInfo(name="replay", model="claude-opus-5-5", settings={"recorded_as": "stream-json"})


def test_case_ids_with_dots_are_read_from_file_names(tmp_path: Path) -> None:
    shutil.copy(STREAMS / "quiet.jsonl", tmp_path / "v1.2.题.0.jsonl")

    asked = case("v1.2.题")
    assert ask(agent_of(tmp_path, asked), asked).triggered is False


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


def rows_of(counts: dict[str, int]) -> list[object]:
    return [{"case_id": name, "triggered": True} for name, count in counts.items() for _ in range(count)]


@pytest.mark.parametrize(
    ("counts", "planned"),
    [
        ({"a": 3, "b": 3}, 3),
        ({"a": 5, "b": 3}, 3),
        ({"a": 500, "b": 3}, 3),
        ({"a": 2}, 2),  # of b there is none, which is refused as a gap
        ({"x": 9}, None),
        ({"a": 3, "b": 4, "x": 900}, 3),
    ],
)
def test_as_many_repetitions_are_planned_as_every_case_has(
    tmp_path: Path, counts: dict[str, int], planned: int | None
) -> None:
    agent = agent_of(candidates(tmp_path, *rows_of(counts)), case("a"), case("b"))

    assert agent.planned_runs == planned


def test_repetition_after_a_gap_in_a_journal_plans_no_runs(tmp_path: Path) -> None:
    runs = [(Run(case_id=name, index=n, triggered=True), name) for name in ("a", "b") for n in (2, 0)]
    agent = agent_of(keep(tmp_path / "run", runs), case("a"), case("b"))

    assert agent.planned_runs == 1
    assert agent.gaps([case("a"), case("b")], runs=1) == ()
    assert "'a' 1" in agent.gaps([case("a")], runs=2)[0].message
    assert agent.gaps([case("a")], runs=10**12)[0].code == "recordings-incomplete"


def test_recorded_runs_that_are_left_out_are_told_in_one_warning(tmp_path: Path) -> None:
    cases = [case("a"), case("b"), case("c")]
    path = candidates(tmp_path, *rows_of({"a": 5, "b": 4, "c": 3}))
    agent = agent_of(path, *cases)

    (finding,) = agent.left_out(cases, runs=3)
    assert (finding.level, finding.code, finding.file) == (Level.WARN, "recordings-left-out", str(path))
    assert finding.values == {"runs": 3, "recorded": 5}
    assert "3 of the 12 recorded runs" in finding.message
    assert agent.left_out(cases[2:], runs=3) == ()
    assert agent.left_out(cases, runs=5) == ()


@pytest.mark.parametrize(
    ("renamed", "fired"),
    [
        ({}, {"p0": True, "p1": False}),
        ({"p0": "zz"}, {"zz": True, "p1": False}),
        ({"p1": "zz"}, {"p0": True, "zz": False}),
        ({"p0": "yy", "p1": "zz"}, {"yy": True, "zz": False}),
    ],
)
def test_renamed_cases_with_one_prompt_do_not_share_runs(
    tmp_path: Path, renamed: dict[str, str], fired: dict[str, bool]
) -> None:
    runs = [(Run(case_id=name, triggered=name == "p0"), "same") for name in ("p0", "p1")]
    cases = [case(renamed.get(name, name), "same") for name in ("p0", "p1")]
    agent = agent_of(keep(tmp_path / "run", runs), *cases)

    assert {asked.id: ask(agent, asked).triggered for asked in cases} == fired
    assert agent.findings == ()


def test_renamed_case_takes_no_runs_of_one_that_is_merely_not_asked(tmp_path: Path) -> None:
    runs = [(Run(case_id=name, triggered=name == "p0"), "same") for name in ("p0", "p1")]
    testset = [case("p0", "same"), case("zz", "same")]
    folder = keep(tmp_path / "run", runs)
    agent = ReplayAgent(folder, skill_name="level-maker", cases=testset[1:], testset=testset)

    assert ask(agent, testset[1]).triggered is False


def test_further_recordings_of_a_prompt_that_nobody_asks_for_are_told(tmp_path: Path) -> None:
    runs = [(Run(case_id=name, triggered=True), "same") for name in ("p0", "p1")]

    (finding,) = agent_of(keep(tmp_path / "run", runs), case("p0", "same")).findings
    assert finding.values["cases"] == ["p1"]


def test_sessions_that_are_no_files_are_all_named_and_none_is_opened(tmp_path: Path) -> None:
    sessions(tmp_path, p0_0="quiet")
    (tmp_path / "p0.1.jsonl").mkdir()
    (tmp_path / "p0.2.jsonl").symlink_to(tmp_path / "gone")
    os.mkfifo(tmp_path / "p0.3.jsonl")
    (tmp_path / "p0.4.jsonl").symlink_to(tmp_path / "p0.0.jsonl")

    findings = refused(tmp_path)
    assert [(Path(str(finding.file)).name, finding.code) for finding in findings] == [
        ("p0.1.jsonl", "unreadable"),
        ("p0.2.jsonl", "unreadable"),
        ("p0.3.jsonl", "unreadable"),
    ]
    told = ("Is a directory", "No such file", "no regular file")
    assert all(words in finding.message for words, finding in zip(told, findings, strict=True))


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file that opens and cannot be read is on Linux")
def test_session_that_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "p0.0.jsonl").symlink_to("/proc/self/mem")

    (finding,) = refused(tmp_path)
    assert finding.code == "unreadable"


@pytest.mark.parametrize("name", ["n" * 5000, "a/" * 3000, "nul\0", "none"])
def test_path_that_cannot_be_is_a_finding(tmp_path: Path, name: str) -> None:
    (finding,) = refused(tmp_path / name)

    assert finding.code == "unreadable"


@contextlib.contextmanager
def closed(folder: Path) -> Iterator[None]:
    """Take the permissions of a folder away; root, who needs none, steps down for the time."""
    folder.chmod(0)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o755)


@pytest.mark.parametrize("place", ["", "closed", "closed/answers.jsonl", "closed/run"])
def test_folder_without_permission_is_a_finding(place: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        sessions(folder, closed__0="quiet", open__0="quiet")
        with closed(folder / "closed"):
            findings = refused(folder / place)

    assert [finding.code for finding in findings] == ["unreadable"]
    assert "closed" in str(findings[0].file)


@pytest.mark.parametrize("name", ["run.json", "journal.jsonl", "testset.json"])
def test_run_folder_with_a_pipe_in_it_is_refused_unopened(tmp_path: Path, name: str) -> None:
    folder = keep(tmp_path / "run", [(Run(case_id="a", triggered=True), "a")])
    (folder / name).unlink()
    os.mkfifo(folder / name)

    (finding,) = refused(folder)
    assert finding.code == "unreadable"

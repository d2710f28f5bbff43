"""Traces out of recordings: lines as they stand, kept for the cases whose graders look at them and for no other."""

import asyncio
import json
import shutil
from dataclasses import replace
from pathlib import Path

from skill_evaluator.agents.replay import ReplayAgent
from skill_evaluator.journal import JournalWriter
from skill_evaluator.model import Arm, Case, Needs, Run, SeenFile
from tests.unit.test_journal import HEADER
from tests.unit.test_replay import STREAMS, case
from tests.unit.test_session_files import aside, asked, result, said, text, use

TRACED = Needs(trace=True)


def replayed(path: Path, wanted: Case) -> Run:
    agent = ReplayAgent(path, skill_name="level-maker", cases=[wanted])
    return asyncio.run(agent.run(wanted, Arm.WITH, 0))


def test_printed_sessions_are_kept_as_they_stand(tmp_path: Path) -> None:
    stream = next(iter(sorted(STREAMS.glob("*.jsonl"))))
    shutil.copy(stream, tmp_path / "c.1.jsonl")
    expected = tuple(line for line in stream.read_text("utf-8").split("\n") if line.strip())

    assert replayed(tmp_path, replace(case("c"), needs=TRACED)).trace == expected
    assert replayed(tmp_path, case("c")).trace is None


def test_session_files_give_what_was_said_after_the_prompt(tmp_path: Path) -> None:
    inner = said(text("inner"))
    lines = [
        asked("draw"),
        said(use("Task", "t1", prompt="look"), stop="tool_use"),
        aside(inner),
        result("t1", "seen"),
        said(text("Done.")),
    ]
    (tmp_path / "s1.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    trace = replayed(tmp_path, replace(case("c", "draw"), needs=TRACED)).trace

    assert trace is not None
    read = [json.loads(line) for line in trace]
    assert [(one["type"], one.get("parent_tool_use_id")) for one in read] == [
        ("assistant", None),
        ("assistant", "of a subagent"),
        ("user", None),
        ("assistant", None),
    ]
    assert read[-1]["message"]["content"] == [text("Done.")]
    assert replayed(tmp_path, case("c", "draw")).trace is None


def test_run_folders_give_back_what_graders_look_at(tmp_path: Path) -> None:
    whole = Run(case_id="c", trace=("{}",), created_files=("a",), seen_files={"a": SeenFile.of(b"x")})
    with JournalWriter(tmp_path / "run", HEADER, b"[]") as journal:
        journal.append(whole, prompt_sha256="hash of c")

    needs = Needs(trace=True, created_files=True, files=("a",))
    assert replayed(tmp_path / "run", replace(case("c"), needs=needs)) == whole
    assert replayed(tmp_path / "run", case("c")) == Run(case_id="c")

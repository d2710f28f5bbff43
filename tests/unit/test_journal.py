"""What has finished is kept, and reads back as it was."""

import hashlib
import json
from pathlib import Path

import pytest

from skill_evaluator.errors import InputError
from skill_evaluator.journal import (
    JOURNAL_FILE,
    JournalEnd,
    JournalHeader,
    JournalWriter,
    hash_run_folder,
    is_run_folder,
    read_journal,
)
from skill_evaluator.model import (
    AgentInfo,
    Failure,
    FailureKind,
    Finding,
    Level,
    MockCall,
    Run,
    SeenFile,
    Split,
    ToolCall,
    Usage,
)
from skill_evaluator.results import Config, Note, SkillInfo, TestsetInfo

HEADER = JournalHeader(
    agent=AgentInfo(name="scripted", model="none-1", settings={"seed": 0}),
    skill=SkillInfo(name="s", version="1.0", description="d", sha256="a" * 64, files=("SKILL.md",)),
    testset=TestsetInfo(name="t", sha256="b" * 64, split_sha256={Split.ACCEPTANCE: "c", Split.TUNING: "d"}, cases=2),
    config=Config(runs=3, seed=0, pass_threshold=0.85),
    timestamp="2025-11-08T14:30:00Z",
    skill_path="SKILL.md",
    testset_path="testset.json",
    concurrency=1,
    testset_file_sha256=hashlib.sha256(b"[]").hexdigest(),
    warnings=(Finding(level=Level.WARN, code="w", message="m", values={"n": 1}),),
    notes=(Note(code="narrowed", values={"cases": 1, "of": 2}),),
)
RUNS = (
    Run(case_id="a", index=0, triggered=True, output="done 完成", skills_invoked=("s",), duration_s=1.5),
    Run(case_id="a", index=1, failure=Failure(kind=FailureKind.TIMEOUT, message="after 300 s")),
    Run(
        case_id="b",
        index=0,
        triggered=False,
        tool_calls=(ToolCall(name="Read", arguments={"path": ["x", {"deep": None}]}, result="r"),),
        usage=Usage(input_tokens=10, output_tokens=2, cost_usd=None),
    ),
)


def write(folder: Path, runs: tuple[Run, ...] = RUNS, secrets: tuple[str, ...] = ()) -> tuple[Run, ...]:
    with JournalWriter(folder, HEADER, b"[]", secrets=secrets) as journal:
        kept = tuple(journal.append(run, prompt_sha256=f"hash of {run.case_id}") for run in runs)
        journal.finish(JournalEnd(duration_s=2.0, violations=("scripts/a.py",)))
    return kept


def test_runs_read_back_as_they_were(tmp_path: Path) -> None:
    kept = write(tmp_path / "run")

    journal = read_journal(tmp_path / "run")
    assert kept == RUNS
    assert tuple(entry.run for entry in journal.entries) == RUNS
    assert [entry.prompt_sha256 for entry in journal.entries] == ["hash of a", "hash of a", "hash of b"]
    assert journal.header == HEADER
    assert journal.end == JournalEnd(duration_s=2.0, violations=("scripts/a.py",))


def test_what_is_kept_and_what_is_reported_have_credentials_masked_alike(tmp_path: Path) -> None:
    run = Run(case_id="a", triggered=True, output="the key is swordfish-1234")

    (kept,) = write(tmp_path / "run", (run,), secrets=("swordfish-1234",))

    assert kept.output == "the key is [redacted]"
    assert "swordfish" not in (tmp_path / "run" / JOURNAL_FILE).read_text("utf-8")


def test_a_line_cut_short_by_a_kill_is_left_out(tmp_path: Path) -> None:
    write(tmp_path / "run")
    file = tmp_path / "run" / JOURNAL_FILE
    file.write_bytes(file.read_bytes()[:-30])

    journal = read_journal(tmp_path / "run")
    assert tuple(entry.run for entry in journal.entries) == RUNS[:2]
    assert journal.torn


def test_broken_lines_before_the_end_are_named_all_at_once(tmp_path: Path) -> None:
    write(tmp_path / "run")
    file = tmp_path / "run" / JOURNAL_FILE
    good = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"{broken\n" + good[0] + b'{"agent": 1}\n' + good[1])

    with pytest.raises(InputError) as caught:
        read_journal(tmp_path / "run")
    assert [finding.line for finding in caught.value.findings] == [1, 3]


def test_a_killed_run_has_no_end(tmp_path: Path) -> None:
    write(tmp_path / "run")
    (tmp_path / "run" / "end.json").write_bytes(b"")
    assert read_journal(tmp_path / "run").end is None

    (tmp_path / "run" / "end.json").unlink()
    assert read_journal(tmp_path / "run").end is None


def test_a_test_set_changed_after_the_run_is_not_taken_for_the_one_that_was_asked(tmp_path: Path) -> None:
    write(tmp_path / "run")
    before = hash_run_folder(tmp_path / "run")
    (tmp_path / "run" / "testset.json").write_bytes(b"[ ]")

    with pytest.raises(InputError, match="was changed after the run"):
        read_journal(tmp_path / "run")
    assert hash_run_folder(tmp_path / "run") != before


def test_a_line_that_stands_twice_and_a_repetition_that_was_not_planned_are_faults(tmp_path: Path) -> None:
    write(tmp_path / "run", (RUNS[0], Run(case_id="a", index=3, triggered=True), RUNS[0]))

    with pytest.raises(InputError) as caught:
        read_journal(tmp_path / "run")
    assert [finding.line for finding in caught.value.findings] == [2, 3]
    assert "none of 0..2" in caught.value.findings[0].message
    assert "stands in line 1 already" in caught.value.findings[1].message


@pytest.mark.parametrize(
    ("key", "value"), [("timestamp", "x/../../y"), ("config", {"runs": 0, "seed": 0, "pass_threshold": 0.85})]
)
def test_an_impossible_header_is_refused(tmp_path: Path, key: str, value: object) -> None:
    write(tmp_path / "run")
    header = tmp_path / "run" / "run.json"
    header.write_text(json.dumps(json.loads(header.read_text("utf-8")) | {key: value}), "utf-8")

    with pytest.raises(InputError, match="not a run's header"):
        read_journal(tmp_path / "run")


def test_another_version_of_the_journal_is_refused_by_number(tmp_path: Path) -> None:
    write(tmp_path / "run")
    header = tmp_path / "run" / "run.json"
    header.write_text(json.dumps(json.loads(header.read_text("utf-8")) | {"journal_version": 99}), "utf-8")

    with pytest.raises(InputError, match=r"journal version 99; this program reads version 1"):
        read_journal(tmp_path / "run")


def test_a_folder_without_a_run_is_no_run_folder(tmp_path: Path) -> None:
    assert not is_run_folder(tmp_path)
    with pytest.raises(InputError, match=r"run folder holds run\.json and journal\.jsonl"):
        read_journal(tmp_path)


def test_the_order_in_which_runs_finished_does_not_change_the_hash(tmp_path: Path) -> None:
    write(tmp_path / "one")
    write(tmp_path / "two", tuple(reversed(RUNS)))
    write(tmp_path / "three", RUNS[:2])

    assert hash_run_folder(tmp_path / "one") == hash_run_folder(tmp_path / "two")
    assert hash_run_folder(tmp_path / "one") != hash_run_folder(tmp_path / "three")


def test_an_existing_run_is_never_written_over(tmp_path: Path) -> None:
    write(tmp_path / "run")

    with pytest.raises(FileExistsError):
        write(tmp_path / "run")


def test_evidence_reads_back_as_it_was_and_takes_no_place_without_any(tmp_path: Path) -> None:
    full = Run(
        case_id="c",
        triggered=True,
        trace=('{"type":"result"}', "完成"),
        created_files=(),
        seen_files={"a": SeenFile.of(b"\xff\x00"), "b": SeenFile(state="missing")},
        mock_calls=(MockCall(tool="mcp__t", arguments={"x": 1}, output="o", is_error=True, verdict="tool_error"),),
    )
    write(tmp_path / "run", (*RUNS, full))
    *plain, last = (tmp_path / "run" / JOURNAL_FILE).read_text("utf-8").splitlines()

    assert read_journal(tmp_path / "run").entries[-1].run == full
    for word in ("trace", "created_files", "seen_files", "mock_calls"):
        assert word in last
        assert not any(word in line for line in plain)

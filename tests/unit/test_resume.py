"""A run that was cut short goes on where it was: nothing is lost and nothing is asked twice."""

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.api.evaluate import Progress, evaluate
from skill_evaluator.api.preflight import prepare
from skill_evaluator.api.request import Request
from skill_evaluator.api.saved import load_report
from skill_evaluator.errors import InputError
from skill_evaluator.journal import JournalWriter, read_journal
from skill_evaluator.model import Level, Run
from skill_evaluator.report.serialize import report_to_json
from skill_evaluator.results import Report, ReportVerdict

# The real command line over the real replay agent, slowed down, so that there is a middle to be killed in. Each
# question is noted before it is answered.
PROGRAM = """
import asyncio, dataclasses, os, sys
from skill_evaluator.api import chosen

class Slow:
    def __init__(self, agent):
        self.agent = agent
        self.info = agent.info
    async def run(self, case, arm, index):
        await asyncio.sleep(0.004)
        run = await self.agent.run(case, arm, index)
        with open("asked.log", "a") as log:
            print(case.id, index, file=log)
        return run

kind = chosen.AGENTS["replay"]
chosen.AGENTS = {"replay": dataclasses.replace(kind, factory=lambda setup: Slow(kind.factory(setup)))}
from skill_evaluator.cli import main
sys.exit(main())
"""
KILLS = 20


def runs_dir(folder: Path) -> Path:
    return folder / ".skill-evaluator" / "runs"


def score(
    skill: Path,
    recordings: Path,
    folder: Path,
    progress: Progress = lambda _run: None,
    **options: Any,  # noqa: ANN401 - options of `Request`
) -> Report:
    request = Request(skill=skill, agent="replay", recordings=recordings, state_dir=folder / ".skill-evaluator")
    return evaluate(replace(request, **options), progress=progress)


def cut(folder: Path, *, lines: int, torn: bytes = b"") -> Path:
    """Leave a run folder as a kill after so many finished runs does."""
    (run,) = runs_dir(folder).iterdir()
    (run / "end.json").unlink()
    journal = run / "journal.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:lines]) + torn)
    return run


def unsealed(line: str) -> dict[str, object]:
    """A line of the journal without its hash, to be changed."""
    content: dict[str, object] = json.loads(line)
    del content["seal"]
    return content


def same(report: Report) -> dict[str, object]:
    """A report without what differs between equal runs."""
    content: dict[str, object] = json.loads(report_to_json(report))
    return {key: value for key, value in content.items() if key not in {"volatile", "timestamp"}}


@pytest.mark.parametrize("torn", [b"", b'{"agent": "replay", "mod'])
def test_a_killed_run_goes_on_and_gives_the_report_of_an_undisturbed_one(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path, torn: bytes
) -> None:
    recordings = record()
    whole = score(skill_dir, recordings, tmp_path)
    run = cut(tmp_path, lines=10, torn=torn)

    asked: list[Run] = []
    resumed = score(skill_dir, recordings, tmp_path, asked.append, resume=True)

    assert len(asked) == 36 - 10
    assert same(resumed) == same(whole)
    assert list(runs_dir(tmp_path).iterdir()) == [run]
    assert len(read_journal(run).entries) == 36


def test_a_last_line_that_only_lacks_its_line_end_counts(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path
) -> None:
    whole = score(skill_dir, record(), tmp_path)
    run = cut(tmp_path, lines=10)
    journal = run / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().rstrip(b"\n"))

    assert same(score(skill_dir, record(), tmp_path, resume=True)) == same(whole)
    assert len(journal.read_bytes().splitlines()) == 36


def test_errors_are_asked_again_and_measured_runs_are_not(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path
) -> None:
    whole = score(skill_dir, record(), tmp_path)
    (run,) = runs_dir(tmp_path).iterdir()
    journal = run / "journal.jsonl"
    lines: list[dict[str, Any]] = [unsealed(line) for line in journal.read_text("utf-8").splitlines()]
    for line in lines[:3]:
        line["run"] |= {"triggered": None, "failure": {"kind": "api", "message": "529"}, "skills_invoked": []}
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")

    resumed = score(skill_dir, record(), tmp_path, resume=True)

    assert same(resumed) == same(whole)
    assert len(journal.read_bytes().splitlines()) == 36 + 3


def test_a_finished_run_is_only_reported_again(skill_dir: Path, record: Callable[..., Path], tmp_path: Path) -> None:
    whole = score(skill_dir, record(), tmp_path)
    (run,) = runs_dir(tmp_path).iterdir()
    before = (run / "journal.jsonl").read_bytes()

    assert same(score(skill_dir, record(), tmp_path, resume=True)) == same(whole)
    assert (run / "journal.jsonl").read_bytes() == before


def test_without_an_earlier_run_a_new_one_is_started(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path
) -> None:
    assert score(skill_dir, record(), tmp_path, resume=True).verdict is ReportVerdict.PASS
    assert len(list(runs_dir(tmp_path).iterdir())) == 1


def test_what_was_killed_before_it_asked_anything_is_passed_over(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path
) -> None:
    for name, files in (("20250101T000000Z-a", {}), ("20250101T000000Z-b", {"run.json": '{"journal_ver'})):
        (runs_dir(tmp_path) / name).mkdir(parents=True)
        for file, text in files.items():
            (runs_dir(tmp_path) / name / file).write_text(text, "utf-8")
            (runs_dir(tmp_path) / name / "journal.jsonl").write_bytes(b"")

    assert score(skill_dir, record(), tmp_path, resume=True).verdict is ReportVerdict.PASS


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"runs": 4}, "--runs: 3 then, 4 now"),
        ({"seed": 7}, "--seed: 0 then, 7 now"),
        ({"case_globs": ("*",)}, "--case: () then, ('*',) now"),
    ],
)
def test_an_unfinished_run_of_something_else_is_refused_with_what_differs(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path, change: dict[str, Any], named: str
) -> None:
    recordings = record(runs=4)
    score(skill_dir, recordings, tmp_path, runs=3)
    run = cut(tmp_path, lines=10)

    with pytest.raises(InputError) as caught:
        score(skill_dir, recordings, tmp_path, resume=True, **({"runs": 3} | change))
    (finding,) = (finding for finding in caught.value.findings if finding.level is Level.FAIL)
    assert (finding.code, finding.file) == ("resume-differs", str(run))
    assert named in finding.message


def test_a_newer_unfinished_run_of_something_else_is_named(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path
) -> None:
    for number, seed in enumerate((0, 5)):
        score(skill_dir, record(), tmp_path / str(number), seed=seed)
    moved = cut(tmp_path / "1", lines=3).rename(runs_dir(tmp_path / "0") / "29990101T000000Z-level-maker")
    header = json.loads((moved / "run.json").read_text("utf-8"))
    del header["seal"]
    (moved / "run.json").write_text(json.dumps(header | {"timestamp": "2999-01-01T00:00:00Z"}), "utf-8")

    state = tmp_path / "0" / ".skill-evaluator"
    request = Request(skill=skill_dir, agent="replay", recordings=record(), state_dir=state, resume=True)
    resumed = prepare(request).resumed
    assert resumed is not None
    assert resumed.measured == 36
    assert [other.partition(" ")[2] for other in resumed.passed_over] == ["(--seed: 5 then, 0 now)"]


def test_settings_of_the_agent_that_differ_are_named_alone(skill_dir: Path, tmp_path: Path) -> None:
    """The embedded agent says its seed among its settings."""
    state = tmp_path / ".skill-evaluator"
    evaluate(Request(skill=skill_dir, state_dir=state))
    cut(tmp_path, lines=3)

    with pytest.raises(InputError) as caught:
        evaluate(Request(skill=skill_dir, state_dir=state, seed=3, resume=True))
    (finding,) = (finding for finding in caught.value.findings if finding.level is Level.FAIL)
    assert "the agent's setting 'seed': 0 then, 3 now; --seed: 0 then, 3 now;" in finding.message
    assert "threshold" not in finding.message


def test_an_edited_skill_is_not_mixed_with_runs_of_the_old_one(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path
) -> None:
    score(skill_dir, record(), tmp_path)
    cut(tmp_path, lines=10)
    skill = skill_dir / "SKILL.md"
    skill.write_text(skill.read_text("utf-8") + "\nMore.\n", "utf-8")

    with pytest.raises(InputError, match="the skill's files"):
        score(skill_dir, record(), tmp_path, resume=True)


@pytest.mark.parametrize("key", ["agent", "model", "skill_sha256"])
def test_a_line_of_another_run_is_refused(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path, key: str
) -> None:
    score(skill_dir, record(), tmp_path)
    run = cut(tmp_path, lines=10)
    journal = run / "journal.jsonl"
    lines = journal.read_text("utf-8").splitlines()
    lines[4] = json.dumps(unsealed(lines[4]) | {key: "another"})
    journal.write_text("\n".join(lines) + "\n", "utf-8")

    with pytest.raises(InputError, match="is of another run") as caught:
        score(skill_dir, record(), tmp_path, resume=True)
    assert [finding.line for finding in caught.value.findings if finding.level is Level.FAIL] == [5]


def test_a_run_of_a_question_that_is_not_asked_is_refused(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path
) -> None:
    score(skill_dir, record(), tmp_path)
    run = cut(tmp_path, lines=10)
    journal = run / "journal.jsonl"
    lines = journal.read_text("utf-8").splitlines()
    lines[4] = json.dumps(unsealed(lines[4]) | {"prompt_sha256": "0" * 64})
    journal.write_text("\n".join(lines) + "\n", "utf-8")

    with pytest.raises(InputError, match="not in its test set"):
        score(skill_dir, record(), tmp_path, resume=True)


def test_two_processes_never_write_to_one_run(skill_dir: Path, record: Callable[..., Path], tmp_path: Path) -> None:
    score(skill_dir, record(), tmp_path)
    run = cut(tmp_path, lines=10)
    with JournalWriter.reopen(run), pytest.raises(InputError, match="still under way"):
        score(skill_dir, record(), tmp_path, resume=True)

    assert score(skill_dir, record(), tmp_path, resume=True).verdict is ReportVerdict.PASS


def program(arguments: Sequence[str], folder: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("seed", range(KILLS))
def test_killed_at_any_moment_a_resumed_run_equals_an_undisturbed_one(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path, seed: int
) -> None:
    recordings = record()
    arguments = ["run", str(skill_dir), "--agent", "replay", "--recordings", str(recordings), "--yes", "--quiet"]
    undisturbed = score(skill_dir, recordings, tmp_path / "undisturbed")
    folder = tmp_path / "killed"
    folder.mkdir()
    kept = kill_once(arguments, folder, random.Random(seed))  # noqa: S311 - a moment, no secret
    print(f"seed {seed}: killed with {len(kept)} runs kept")  # noqa: T201 - shown when it fails
    asked_before = len(asked(folder))

    process = program([*arguments, "--resume"], folder)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    (found,) = (folder / "reports").glob("*.json")
    assert same(load_report(found)) == same(undisturbed)
    assert not kept & set(asked(folder)[asked_before:])
    assert len(asked(folder)) - asked_before == 36 - len(kept)


def kill_once(arguments: Sequence[str], folder: Path, chance: random.Random) -> set[str]:
    """Kill a run at some moment; tell which of its runs were kept by then."""
    process = program(arguments, folder)
    wait_for(folder, chance.randrange(36))
    time.sleep(chance.random() * 0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    return kept_runs(folder)


def wait_for(folder: Path, runs: int) -> None:
    deadline = time.monotonic() + 60
    while len(kept_runs(folder)) < runs:
        assert time.monotonic() < deadline, "the run never came so far"
        time.sleep(0.002)


def kept_runs(folder: Path) -> set[str]:
    lines = [line for file in runs_dir(folder).glob("*/journal.jsonl") for line in file.read_bytes().split(b"\n")[:-1]]
    return {f"{run['case_id']} {run['index']}" for run in (json.loads(line)["run"] for line in lines)}


def asked(folder: Path) -> list[str]:
    log = folder / "asked.log"
    return log.read_text("utf-8").splitlines() if log.exists() else []


@pytest.mark.parametrize("option", ["--judge-model", "--advise-model"])
def test_another_judge_or_analyst_is_named_as_a_difference(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path, option: str
) -> None:
    score(skill_dir, record(), tmp_path)
    run = cut(tmp_path, lines=10)
    header = unsealed((run / "run.json").read_text("utf-8"))
    config = header["config"]
    assert isinstance(config, dict)
    config[option.strip("-").replace("-", "_")] = "m-2"
    (run / "run.json").write_text(json.dumps(header), "utf-8")

    with pytest.raises(InputError, match=f"{option}: 'm-2' then, None now"):
        score(skill_dir, record(), tmp_path, resume=True)

"""Runs of eval suites with a scripted program: each way in which one ends, and what is left of it."""

import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from skill_evaluator.agents.claude_code.grants import read_grants
from skill_evaluator.agents.claude_code.suite_agent import ClaudeCodeSuiteAgent
from skill_evaluator.grading.suites import is_gradable
from skill_evaluator.model import Arm, AskedRun, FailureKind, Limits, MockCall, SeenFile
from skill_evaluator.model.stand_ins import Aborted
from tests.suite_files import lay_out
from tests.unit.claude_setup import HeldStandIns, ask, case_for, harbour, scripted_program
from tests.unit.command_setup import left_behind

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="the scripted program is a shell script"),
    pytest.mark.usefixtures("temporary"),
]


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    return harbour(tmp_path)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    return scripted_program(tmp_path)


@pytest.fixture
def agent(program: Path) -> ClaudeCodeSuiteAgent:
    return ClaudeCodeSuiteAgent(program=program, version="2.1.332")


def test_a_run_says_what_its_session_did(agent: ClaudeCodeSuiteAgent, plugin: Path, temporary: Path) -> None:
    asked = ask(agent, case_for(plugin))

    assert (asked.error, asked.turns, asked.cost_usd, asked.aborted, asked.notes) == (None, 2, 0.0016, None, ())
    assert asked.run.triggered is True
    assert asked.run.output == "High water at 12:04."
    assert [(call.name, call.result) for call in asked.run.tool_calls or ()] == [
        ("Skill", "Launching skill: tide-table")
    ]
    assert [json.loads(line)["type"] for line in asked.run.trace or ()] == [
        *("system", "assistant", "user", "assistant", "result")
    ]
    assert asked.duration_s is not None
    assert asked.started_at is not None
    assert asked.kept is None
    assert left_behind(temporary, os.getpid()) == []


def test_without_the_plugin_nothing_triggers(agent: ClaudeCodeSuiteAgent, plugin: Path) -> None:
    asked = ask(agent, case_for(plugin), Arm.WITHOUT)

    assert asked.run.triggered is False
    assert asked.run.skills_invoked == ("tide-table",)


# What the program does -> error, kind of the failure, limit reached, turns, cost, whether it is graded.
ENDINGS = {
    "max_turns": ("exit 1: too many turns", None, "max_turns", 3, 0.0016, True),
    "max_tokens": ("exit 1: the answer was cut", None, "max_tokens", 2, 0.0016, True),
    "refusal": ("exit 1: it was refused", FailureKind.CRASH, None, 2, 0.0016, True),
    "answered_429": ("exit 1: slow down", FailureKind.RATE_LIMIT, None, 1, 0.0, False),
    "answered_401": ("exit 1: bad key", FailureKind.AUTH, None, 2, 0.0016, False),
    "silent": ("timed out after 1s", FailureKind.TIMEOUT, None, 0, 0.0, True),
    # 100 tokens read for 4 dollars a million, 1 written for 20.
    "slow": ("timed out after 1s", FailureKind.TIMEOUT, None, 1, 0.00042, True),
    "unresumed": ("exit 1: No conversation", FailureKind.CRASH, None, 0, 0.0, True),
    "killed": ("ended by signal 9: the session ends without a result", FailureKind.CRASH, None, 0, 0.0, True),
    "no_result": ("exit 0: the session ends without a result", FailureKind.CRASH, None, 0, 0.0, True),
}


@pytest.mark.parametrize("does", ENDINGS)
def test_each_ending_is_told(does: str, agent: ClaudeCodeSuiteAgent, plugin: Path, temporary: Path) -> None:
    timeout_s = 1 if does in {"silent", "slow"} else 60
    asked = ask(agent, case_for(plugin, does, limits=Limits(timeout_s=timeout_s)))
    failure = asked.run.failure

    told = (asked.error, failure and failure.kind, asked.run.cut_by, asked.turns, round(asked.cost_usd, 9))
    assert (*told, is_gradable(asked.run)) == ENDINGS[does]
    assert asked.run.output is not None
    assert left_behind(temporary, os.getpid()) == []


NEVER_BEGAN = {
    "crash": "exit 3: No conversation found; ",
    "killed_at_once": "ended by signal 9: the session ends without a result; ",
    "nothing": "exit 0: the session ends without a result; ",
    "other_program": "exit 0: the session ends without a result; ",
    "only_a_result": "exit 0; ",
}


@pytest.mark.parametrize("does", NEVER_BEGAN)
def test_a_session_that_never_began_is_not_graded(does: str, agent: ClaudeCodeSuiteAgent, plugin: Path) -> None:
    """It has no word that a grader might object to, so it would look good."""
    asked = ask(agent, case_for(plugin, does))

    assert str(asked.error).startswith(f"{NEVER_BEGAN[does]}the program began no session")
    assert (asked.run.trace, asked.run.failure and asked.run.failure.kind) == (None, FailureKind.CRASH)
    assert not is_gradable(asked.run)
    assert asked.duration_s is not None


def test_who_is_not_logged_in_is_told_what_to_set(agent: ClaudeCodeSuiteAgent, plugin: Path) -> None:
    asked = ask(agent, case_for(plugin, "no_login"))

    assert asked.run.failure is not None
    assert asked.run.failure.kind is FailureKind.AUTH
    assert "ANTHROPIC_API_KEY" in str(asked.error)


def test_a_program_that_prints_without_end_is_ended(agent: ClaudeCodeSuiteAgent, plugin: Path, temporary: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    asked = ask(agent, case_for(plugin, "flood"))
    grown_mb = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024

    assert "printed more than 64,000,000 bytes" in str(asked.error)
    assert not is_gradable(asked.run)
    assert asked.started_at is not None
    assert grown_mb < 300
    assert left_behind(temporary, os.getpid()) == []


def test_new_files_are_listed_and_looked_at(agent: ClaudeCodeSuiteAgent, plugin: Path) -> None:
    run = ask(agent, case_for(plugin, "files")).run

    assert run.created_files == (".hidden", "a.txt", "node_modules/x.js")
    assert run.seen_files == {"a.txt": SeenFile.of(b"a.txt"), "b.txt": SeenFile(state="missing")}


def test_a_program_that_cannot_be_started_is_a_run_that_never_started(plugin: Path, tmp_path: Path) -> None:
    asked = ask(ClaudeCodeSuiteAgent(program=tmp_path / "gone", version="2.1.332"), case_for(plugin))

    assert "cannot be started" in str(asked.error)
    assert (asked.run.trace, asked.duration_s, asked.started_at) == (None, None, None)


def test_a_run_folder_that_cannot_be_made_is_a_run_that_never_started(
    agent: ClaudeCodeSuiteAgent, plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    asked = ask(agent, case_for(plugin))

    assert "cannot be started" in str(asked.error)
    assert not is_gradable(asked.run)


def test_processes_that_left_the_session_are_ended_too(
    agent: ClaudeCodeSuiteAgent, plugin: Path, temporary: Path
) -> None:
    asked = ask(agent, case_for(plugin, "leave_others"))

    assert asked.error is None
    assert left_behind(temporary, os.getpid()) == []


def test_a_cancelled_run_says_what_it_did_and_leaves_nothing(
    agent: ClaudeCodeSuiteAgent, plugin: Path, temporary: Path
) -> None:
    """The real program grades what a signal ended: recorded in suites `stopped-...`."""

    async def cancelled() -> AskedRun:
        task = asyncio.ensure_future(agent.ask(case_for(plugin, "slow"), Arm.WITH, 0))
        deadline = time.monotonic() + 300
        while not sessions_of(os.getpid()) and time.monotonic() < deadline:  # noqa: ASYNC110 - another process tells of no event
            await asyncio.sleep(0.01)
        task.cancel()
        return await task

    asked = asyncio.run(cancelled())

    assert asked.error == "interrupted"
    assert asked.run.failure is not None
    assert asked.run.trace is not None
    assert asked.run.triggered is None
    assert asked.duration_s is not None
    assert is_gradable(asked.run)
    assert left_behind(temporary, os.getpid()) == []


def test_what_is_written_into_the_plugin_is_told_but_for_results(agent: ClaudeCodeSuiteAgent, plugin: Path) -> None:
    first = ask(agent, case_for(plugin, "write_into_plugin"))
    again = ask(agent, case_for(plugin))

    assert [note.rpartition(": ")[2] for note in first.notes] == ["skills/new.md"]
    assert again.notes == ()


def test_a_plugin_none_of_whose_skills_is_listed_is_told(agent: ClaudeCodeSuiteAgent, tmp_path: Path) -> None:
    named_otherwise = harbour(tmp_path / "x").rename(tmp_path / "a:b")
    asked = ask(agent, case_for(named_otherwise))

    assert "no skill of the plugin" in asked.notes[0]
    assert asked.run.triggered is False


def test_a_folder_that_could_not_be_removed_is_not_called_kept(
    agent: ClaudeCodeSuiteAgent, plugin: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next run sweeps it; as root there is no other way to keep a folder from being removed."""
    monkeypatch.setattr("skill_evaluator.sandbox.folder.remove_tree", lambda _: False)
    assert ask(agent, case_for(plugin)).kept is None
    assert left_behind(temporary, os.getpid()) != []


def test_keep_temp_keeps_the_folder_of_a_run_with_its_trace(program: Path, plugin: Path, temporary: Path) -> None:
    agent = ClaudeCodeSuiteAgent(program=program, version="2.1.332", keep_temp=True)
    asked = ask(agent, case_for(plugin))

    assert asked.kept is not None
    assert asked.kept.parent == temporary
    assert "kept" in asked.kept.name
    lines = (asked.kept / "out" / "trace.jsonl").read_text("utf-8").split("\n")
    assert tuple(lines[:-1]) == asked.run.trace


def test_a_stand_in_ends_the_run_at_once(program: Path, plugin: Path, temporary: Path) -> None:
    stand_ins = HeldStandIns(aborts_after_s=0.5)
    agent = ClaudeCodeSuiteAgent(program=program, version="2.1.332", stand_ins=stand_ins)
    asked = ask(agent, case_for(plugin, "slow", limits=Limits(timeout_s=500)))

    assert asked.aborted == Aborted(server="tides", tool="get", reason="stop")
    assert (asked.error, asked.run.failure) == (None, None)
    assert not is_gradable(asked.run)
    assert asked.stand_ins == stand_ins.use
    assert not stand_ins.is_open
    assert asked.duration_s is not None
    assert asked.duration_s < 100  # it would go on for 500
    assert left_behind(temporary, os.getpid()) == []


def test_a_scaffold_that_fails_is_a_run_that_is_not_graded(program: Path, plugin: Path) -> None:
    lay_out(plugin, {"evals/high-water/fill.sh": "echo no tide >&2; exit 3\n"})
    agent = ClaudeCodeSuiteAgent(program=program, version="2.1.332", scaffold=True, stand_ins=HeldStandIns())
    asked = ask(agent, case_for(plugin, scaffold_script="fill.sh"))

    assert "no tide" in str(asked.error)
    assert asked.stand_ins is None
    assert not is_gradable(asked.run)


def test_a_scaffold_runs_only_where_it_may_and_its_files_are_not_new(program: Path, plugin: Path) -> None:
    lay_out(plugin, {"evals/high-water/fill.sh": "echo b > b.txt\n"})
    case = case_for(plugin, "files", scaffold_script="fill.sh")
    seen = {}
    for scaffold in (False, True):
        run = ask(ClaudeCodeSuiteAgent(program=program, version="2.1.332", scaffold=scaffold), case).run
        assert run.created_files == (".hidden", "a.txt", "node_modules/x.js")
        seen[scaffold] = run.seen_files["b.txt"].state

    assert seen == {False: "missing", True: "file"}


def test_a_transcript_that_cannot_be_read_leaves_an_empty_run_that_is_graded(
    agent: ClaudeCodeSuiteAgent, plugin: Path
) -> None:
    asked = ask(agent, case_for(plugin, history_file="gone.jsonl"))

    assert "gone.jsonl" in str(asked.error)
    assert asked.run.trace == ()
    assert asked.run.created_files == ()
    assert is_gradable(asked.run)


def test_history_is_handed_over_as_a_copy(agent: ClaudeCodeSuiteAgent, plugin: Path) -> None:
    lay_out(plugin, {"evals/high-water/h.jsonl": "{}\n"})
    argv = told_by(agent, plugin, history_file="h.jsonl")["argv"]

    assert isinstance(argv, list)
    assert Path(argv[argv.index("--resume") + 1]).parent.parent.name == "out"


def test_a_shell_without_a_sandbox_leaves_an_empty_run_that_is_graded(
    program: Path, plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    agent = ClaudeCodeSuiteAgent(program=program, version="2.1.332", grants=read_grants(["Bash"]))
    asked = ask(agent, case_for(plugin, allowed_tools=("Bash",)))

    if sys.platform == "linux":
        assert "bubblewrap" in str(asked.error)
        assert is_gradable(asked.run)


def test_a_trace_that_cannot_be_kept_costs_no_run(program: Path, plugin: Path) -> None:
    agent = ClaudeCodeSuiteAgent(program=program, version="2.1.332", keep_temp=True)
    asked = ask(agent, case_for(plugin, "block_trace"))

    assert (asked.error, asked.run.output) == (None, "High water at 12:04.")
    assert "cannot be written" in asked.notes[0]


@pytest.mark.parametrize(("answered", "is_trusted"), [("12:04", True), ("12:05", False), ("", False)])
def test_answers_of_a_model_must_arrive_as_they_were_given(
    answered: str, is_trusted: bool, program: Path, plugin: Path
) -> None:
    call = MockCall(tool="mcp__plugin_harbour_tides__get", arguments={}, output=answered)
    agent = ClaudeCodeSuiteAgent(program=program, version="2.1.332", stand_ins=HeldStandIns(calls=(call,)))
    asked = ask(agent, case_for(plugin, "altered"))

    assert is_gradable(asked.run) is is_trusted
    assert (asked.error is None) is is_trusted
    assert (asked.run.trace is None, bool(asked.distrusted)) == (not is_trusted, not is_trusted)


def told_by(agent: ClaudeCodeSuiteAgent, plugin: Path, arm: Arm = Arm.WITH, **setup: object) -> dict[str, object]:
    case = case_for(plugin, "tell", **setup)  # type: ignore[arg-type]
    told: dict[str, object] = json.loads(ask(agent, case, arm).run.output or "")
    return told


def test_the_program_is_called_as_the_case_and_the_user_say(program: Path, plugin: Path) -> None:
    agent = ClaudeCodeSuiteAgent(program=program, version="2.1.332")
    argv = told_by(agent, plugin, model="m-1", append_system_prompt="--bare")["argv"]

    assert isinstance(argv, list)
    assert argv[:9] == [
        *("-p", "--output-format", "stream-json", "--verbose", "--max-turns", "10", "--permission-mode", "dontAsk"),
        "--setting-sources",
    ]
    assert {"--model=m-1", "--append-system-prompt=--bare", "--strict-mcp-config"} < set(argv)
    assert argv[argv.index("--plugin-dir") + 1] == str(plugin)
    assert not [word for word in argv if word.startswith("--mcp-config")]


def test_the_option_goes_before_the_model_of_the_case(program: Path, plugin: Path) -> None:
    agent = ClaudeCodeSuiteAgent(program=program, version="2.1.332", model="m-2")

    assert "--model=m-2" in str(told_by(agent, plugin, model="m-1")["argv"])
    assert agent.info.model == "m-2"
    assert agent.info.settings["version"] == "2.1.332"


def test_without_the_plugin_it_is_not_loaded(agent: ClaudeCodeSuiteAgent, plugin: Path) -> None:
    assert "--plugin-dir" not in str(told_by(agent, plugin, Arm.WITHOUT)["argv"])


def test_stand_ins_are_handed_over_in_a_file(program: Path, plugin: Path) -> None:
    stand_ins = HeldStandIns(is_exclusive=False)
    agent = ClaudeCodeSuiteAgent(program=program, version="2.1.332", stand_ins=stand_ins)
    told = told_by(agent, plugin)

    assert told["servers"] == [{"mcpServers": stand_ins.servers}]
    assert "--strict-mcp-config" not in str(told["argv"])


def test_env_of_the_case_and_a_home_of_its_own_reach_the_program(
    agent: ClaudeCodeSuiteAgent, plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in {
        "HOME": str(tmp_path),
        "CLAUDECODE": "1",
        "GITHUB_NAME": "x",
        "AWS_PROFILE": "work",
        "EVAL_FROM_SHELL": "1",
        "GIT_DIR": "/elsewhere",
    }.items():
        monkeypatch.setenv(name, value)
    told = told_by(agent, plugin, env={"EVAL_TIDE": "spring"})
    seen = told["environment"]

    assert isinstance(seen, dict)
    root = Path(seen["HOME"]).parent
    assert told["cwd"] == str(root / "home" / "cwd")
    assert seen["CLAUDE_CONFIG_DIR"] == str(root / "config")
    assert seen["TMPDIR"] == seen["CLAUDE_CODE_TMPDIR"] == str(root / "tmp")
    assert (seen["EVAL_TIDE"], seen["EVAL_FROM_SHELL"], seen["AWS_PROFILE"]) == ("spring", "1", "work")
    assert seen["AWS_CONFIG_FILE"] == str(tmp_path / ".aws" / "config")
    assert not {"CLAUDECODE", "GITHUB_NAME", "GIT_DIR"} & set(seen)


STOPPED = """
import asyncio, sys
from pathlib import Path
from skill_evaluator.agents.claude_code.suite_agent import ClaudeCodeSuiteAgent
from skill_evaluator.model import Arm
from skill_evaluator.runner.stop import Stop, until_done
from tests.unit.claude_setup import case_for

agent = ClaudeCodeSuiteAgent(program=Path(sys.argv[1]), version="2.1.332")
case = case_for(Path(sys.argv[2]), "slow")

async def all_of_them():
    await asyncio.gather(*(agent.ask(case, Arm.WITH, index) for index in range(2)))

asyncio.run(until_done(all_of_them(), Stop()))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_nothing(number: signal.Signals, program: Path, plugin: Path, temporary: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    evaluator = subprocess.Popen(
        [sys.executable, "-c", STOPPED, str(program), str(plugin)],
        cwd=root,
        env={**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": str(root)},
    )
    deadline = time.monotonic() + 300
    while len(children := sessions_of(evaluator.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    evaluator.send_signal(number)
    evaluator.wait(300)

    assert len(children) == 2
    assert left_behind(temporary, evaluator.pid) == []


def sessions_of(evaluator: int) -> list[str]:
    found = psutil.Process(evaluator).children(recursive=True)
    return [str(one.cmdline()) for one in found if "claude_child.py" in str(one.cmdline())]

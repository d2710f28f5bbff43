"""A login of the user is enough for runs of Claude Code, and stands nowhere afterwards.

The login is made up. What is expected was seen at the children of `claude plugin eval`, 2.1.332.
"""

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from skill_evaluator.agents import AgentSetup
from skill_evaluator.agents.claude_code.choice import make_agent
from skill_evaluator.agents.claude_code.login import Login, check_login, find_login, hand_over, login_secrets
from skill_evaluator.agents.claude_code.program import open_program
from skill_evaluator.agents.claude_code.suite_agent import ClaudeCodeSuiteAgent
from skill_evaluator.errors import InputError
from skill_evaluator.sandbox import Call, Ended, child_environment, open_sandbox, run_child
from tests.api_server import ApiServer
from tests.suite_files import lay_out
from tests.unit.claude_server import doing, serving
from tests.unit.claude_setup import ask, case_for, harbour
from tests.unit.command_setup import skill_at

TOKEN = "sk-made-up-token-of-nobody"  # noqa: S105 - nobody's
RENEWAL = "renewal-of-nobody"
HOUR_S = 3600
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a child inherits no pipe by its number there")


def kept(*, ends_s: float = HOUR_S, **more: object) -> str:
    """The file in which the program keeps a login that ends so many seconds from now."""
    login = {"accessToken": TOKEN, "refreshToken": RENEWAL, "expiresAt": int((time.time() + ends_s) * 1000)}
    return json.dumps({"claudeAiOauth": {**login, "scopes": ["user:inference", "user:profile"], **more}})


def test_a_login_is_found_in_the_home(tmp_path: Path) -> None:
    lay_out(tmp_path, {".claude/.credentials.json": kept()})

    login = find_login({"HOME": str(tmp_path)})

    assert login is not None
    assert (login.token, login.scopes) == (TOKEN, "user:inference user:profile")
    assert login.source == str(tmp_path / ".claude" / ".credentials.json")
    assert login_secrets({"HOME": str(tmp_path)}) == (TOKEN, RENEWAL)
    assert TOKEN not in repr(login)
    assert RENEWAL not in repr(login)


def test_the_configuration_goes_before_the_home(tmp_path: Path) -> None:
    lay_out(tmp_path, {"home/.claude/.credentials.json": kept(accessToken="other"), "c/.credentials.json": kept()})

    login = find_login({"HOME": str(tmp_path / "home"), "CLAUDE_CONFIG_DIR": str(tmp_path / "c")})

    assert login is not None
    assert login.token == TOKEN


@pytest.mark.parametrize(
    "before",
    [{"ANTHROPIC_API_KEY": "k"}, {"ANTHROPIC_AUTH_TOKEN": "t"}, {"CLAUDE_CODE_USE_BEDROCK": "1"}],
    ids=lambda before: next(iter(before)),
)
def test_a_key_and_a_cloud_go_before_a_login(tmp_path: Path, before: dict[str, str]) -> None:
    lay_out(tmp_path, {".claude/.credentials.json": kept(ends_s=-HOUR_S)})
    outside = {"HOME": str(tmp_path), **before}

    assert find_login(outside) is None
    assert login_secrets(outside) == ()
    check_login(outside)


def test_empty_variables_and_clouds_that_are_off_hide_no_login() -> None:
    outside = {"ANTHROPIC_API_KEY": "", "CLAUDE_CODE_USE_VERTEX": "0", "CLAUDE_CODE_OAUTH_TOKEN": TOKEN}

    assert find_login(outside) == Login(token=TOKEN, source="CLAUDE_CODE_OAUTH_TOKEN", scopes="user:inference")


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", '{"claudeAiOauth": []}', '{"claudeAiOauth": {}}', "[" * 99_999),
        *(kept(accessToken=""), kept(accessToken=1), kept(scopes=["user:profile"])),
    ],
    ids=range(9),
)
def test_a_file_that_says_something_else_is_no_login(tmp_path: Path, text: str) -> None:
    lay_out(tmp_path, {".claude/.credentials.json": text})

    assert find_login({"HOME": str(tmp_path)}) is None


def test_no_home_and_no_file_are_no_login(tmp_path: Path) -> None:
    assert find_login({}) is None
    assert find_login({"HOME": str(tmp_path)}) is None


def test_a_login_that_does_not_say_when_it_ends_is_used(tmp_path: Path) -> None:
    lay_out(tmp_path, {".claude/.credentials.json": kept(expiresAt=None, scopes=None, refreshToken=None)})

    check_login({"HOME": str(tmp_path)})

    assert find_login({"HOME": str(tmp_path)}) == Login(
        token=TOKEN, source=str(tmp_path / ".claude" / ".credentials.json"), scopes="user:inference"
    )


def test_a_login_that_has_ended_is_said_with_its_remedy(tmp_path: Path) -> None:
    lay_out(tmp_path, {".claude/.credentials.json": kept(expiresAt=1_700_000_000_000)})

    with pytest.raises(InputError) as caught:
        check_login({"HOME": str(tmp_path)})

    (finding,) = caught.value.findings
    assert finding.code == "login-ended"
    assert "ended at 2023-11-14 22:13 UTC" in finding.message
    assert "start claude once" in finding.message
    assert TOKEN not in finding.message


@POSIX
def test_a_token_is_handed_through_a_pipe_and_no_variable() -> None:
    outside = {"PATH": "p", "CLAUDE_CODE_OAUTH_TOKEN": "old", "CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR": "9"}

    assert hand_over(None, outside) == ({"PATH": "p"}, {})
    assert hand_over(Login(token=TOKEN, source="x"), outside) == (
        {"PATH": "p", "CLAUDE_CODE_OAUTH_SCOPES": "user:inference"},
        {"CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR": TOKEN.encode()},
    )


def test_where_there_are_no_pipes_a_variable_hands_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as windows:
        windows.setattr(os, "name", "nt")
        environment, handed = hand_over(Login(token=TOKEN, source="x"), {})

    assert (environment["CLAUDE_CODE_OAUTH_TOKEN"], handed) == (TOKEN, {})


def ended_of(call: Call) -> tuple[Ended, bytes]:
    output = bytearray()
    return asyncio.run(run_child(call, feed=output.extend, has_started=lambda: True)), bytes(output)


def open_files() -> int:
    return psutil.Process().num_fds()


@POSIX
def test_a_child_reads_what_it_is_handed_once() -> None:
    program = (
        "import os\nnumber = int(os.environ['PLACE'])\n"
        "print(os.read(number, 9999), os.read(number, 9999), 'word' in str(dict(os.environ)))"
    )
    before = open_files()
    with open_sandbox() as folder:
        call = Call(
            argv=[sys.executable, "-c", program],
            environment=child_environment(folder),
            folder=folder,
            timeout_s=60,
            handed={"PLACE": b"word"},
        )
        _, output = ended_of(call)

    assert output == b"b'word' b'' False\n"
    assert open_files() == before


def test_a_text_that_no_pipe_holds_is_refused() -> None:
    with open_sandbox() as folder:
        call = Call(argv=["x"], environment={}, folder=folder, timeout_s=1, handed={"PLACE": b"x" * 4097})
        with pytest.raises(ValueError, match="PLACE has more than 4,096 bytes"):
            ended_of(call)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ApiServer]:
    """A server, and a home with a login, which no variable tells of."""
    with serving(tmp_path, monkeypatch) as server:
        lay_out(tmp_path / "home", {".claude/.credentials.json": kept()})
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        yield server


HOOK = {"SessionStart": [{"hooks": [{"type": "command", "command": "(env; cat /proc/$PPID/environ) > {}"}]}]}


def test_the_real_program_asks_with_the_login_of_the_user(
    claude_program: Path, server: ApiServer, tmp_path: Path
) -> None:
    seen = tmp_path / "seen.txt"
    plugin = harbour(tmp_path)
    lay_out(plugin, {"hooks/hooks.json": json.dumps({"hooks": HOOK}).replace("{}", str(seen))})
    program = open_program(claude_program)
    agent = ClaudeCodeSuiteAgent(program=program.path, version=program.version, keep_temp=True)

    asked = ask(agent, case_for(plugin, doing("Glob", pattern=TOKEN)))

    assert asked.error is None
    heads = b"".join(server.raw).decode(errors="replace")
    assert re.findall(r"(?im)^authorization: (.*?)\r?$", heads) == [f"Bearer {TOKEN}"] * len(server.requests)
    assert "x-api-key" not in heads.lower()
    assert "CLAUDE_CODE_OAUTH_SCOPES=user:inference user:profile" in seen.read_text("utf-8", "replace")
    assert TOKEN not in seen.read_text("utf-8", "replace")
    assert TOKEN not in repr(asked)
    assert "[redacted]" in repr(asked)
    files = (
        [path for path in asked.kept.rglob("*") if path.is_file() and "home" not in path.parts] if asked.kept else []
    )
    assert "trace.jsonl" in {path.name for path in files}
    assert {path.suffix for path in files if TOKEN.encode() in path.read_bytes()} <= {".jsonl"}
    assert RENEWAL not in repr(asked)


@POSIX
def test_a_login_that_has_ended_stops_a_run_of_a_test_set(tmp_path: Path, skill_dir: Path) -> None:
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\necho '2.1.332 (Claude Code)'\n", "utf-8")
    program.chmod(0o755)
    lay_out(tmp_path, {".claude/.credentials.json": kept(ends_s=-HOUR_S)})
    environ = {"HOME": str(tmp_path), "SKILL_EVALUATOR_CLAUDE": str(program)}
    setup = AgentSetup(skill=skill_at(skill_dir), cases=(), testset=(), seed=1, model="m")

    with pytest.raises(InputError, match="login"):
        make_agent(setup, environ)

    lay_out(tmp_path, {".claude/.credentials.json": kept()})
    assert make_agent(setup, environ).info.model == "m"

"""A granted shell is confined: it writes in the workspace only, and reads and reaches nothing of the user's."""

import http.server
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_evaluator.agents.claude_code.grants import read_grants
from skill_evaluator.agents.claude_code.layout import Layout
from skill_evaluator.agents.claude_code.program import open_program
from skill_evaluator.agents.claude_code.shell import GET_SANDBOX, Confined, has_sandbox, sandbox_settings
from skill_evaluator.agents.claude_code.suite_agent import ClaudeCodeSuiteAgent
from skill_evaluator.model import Arm, AskedRun
from tests.api_server import ApiServer
from tests.unit.claude_server import doing, serving, tools_shown
from tests.unit.claude_setup import ask, case_for, harbour, scripted_program

SECRET = "brindlewick"  # noqa: S105 - nobody's


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ApiServer]:
    with serving(tmp_path, monkeypatch) as server:
        (tmp_path / "home" / "diary.txt").write_text(SECRET, "utf-8")
        yield server


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    return harbour(tmp_path)


@pytest.fixture
def shell(claude_program: Path, server: ApiServer, plugin: Path) -> "Shell":  # noqa: ARG001 - it must be up
    if not has_sandbox():
        pytest.skip(f"the program has nothing here to confine a shell with: {GET_SANDBOX}")
    return Shell(claude_program, plugin)


class Shell:
    """Has the real program run one command in a granted shell."""

    def __init__(self, program: Path, plugin: Path) -> None:
        self._program = open_program(program)
        self._plugin = plugin

    def run(self, command: str, *grants: str) -> str:
        """Give what the command said, and nothing where the program refused to run it."""
        asked = self.ask(command, *grants)
        assert asked.error is None
        (called,) = asked.run.tool_calls or ()
        return str(called.result)

    def ask(self, command: str, *grants: str) -> AskedRun:
        agent = ClaudeCodeSuiteAgent(
            program=self._program.path, version=self._program.version, grants=read_grants(grants or ("Bash",))
        )
        return ask(agent, case_for(self._plugin, doing("Bash", command=command)))


def test_a_granted_shell_writes_in_the_workspace(shell: Shell) -> None:
    asked = shell.ask("echo here > a.txt && cat a.txt")

    assert asked.error is None
    assert asked.run.created_files == ("a.txt",)
    assert "here" in str(asked.run.tool_calls)


@pytest.mark.parametrize(
    "place", ["{tmp}/outside.txt", "{plugin}/new.txt", "{home}/new.txt", "{tmp}/../brindlewick.txt"]
)
def test_a_granted_shell_cannot_write_outside(shell: Shell, tmp_path: Path, plugin: Path, place: str) -> None:
    target = Path(place.format(tmp=tmp_path, plugin=plugin, home=tmp_path / "home"))

    said = shell.run(f"echo here > {target}; echo ended")

    assert "ended" in said
    assert not target.exists()


@pytest.mark.parametrize("place", ["{home}/diary.txt", "$CLAUDE_CONFIG_DIR/.claude.json", "{plugin}/evals/*/prompt.md"])
def test_a_granted_shell_cannot_read_the_users_own_files(
    shell: Shell, tmp_path: Path, plugin: Path, place: str
) -> None:
    said = shell.run(f"cat {place.format(home=tmp_path / 'home', plugin=plugin)} && echo read-$((1 + 1))")

    assert re.search("denied|Permission|No such file", said)
    assert "read-2" not in said
    assert SECRET not in said


def test_a_granted_shell_reads_the_plugins_own_parts(shell: Shell, plugin: Path) -> None:
    assert "Gives tides." in shell.run(f"cat {plugin}/skills/tide-table/SKILL.md")


def test_git_works_in_a_granted_shell(shell: Shell) -> None:
    """The sandbox bars what it must not let through where nothing is there, and git reads all of that."""
    said = shell.run("git status; git add -A; git commit --allow-empty -m first; git log --format=%s:%an")

    assert "No commits yet" in said
    assert "first:Plugin Eval" in said


def test_a_granted_shell_is_not_shown_the_key(shell: Shell) -> None:
    said = shell.run("env; echo ended")

    assert "ended" in said
    assert "sk-ant-made-up-for-a-test" not in said


class _Other(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.was_reached = True  # type: ignore[attr-defined]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"reached")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def other() -> Iterator[http.server.HTTPServer]:
    """Another server of this machine."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Other) as found:
        found.was_reached = False  # type: ignore[attr-defined]
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield found
        found.shutdown()


FETCH = (
    "import socket; s = socket.create_connection(('127.0.0.1', {port}), 5); "
    "s.sendall(b'GET / HTTP/1.0\\\\r\\\\n\\\\r\\\\n'); print(s.recv(999))"
)


def test_a_granted_shell_reaches_no_other_host(shell: Shell, other: http.server.HTTPServer) -> None:
    port = other.server_address[1]

    said = shell.run(
        f'/usr/bin/python3 -c "{FETCH.format(port=port)}"; (exec 3<>/dev/tcp/127.0.0.1/{port}) || echo kept in'
    )

    assert "kept in" in said
    assert not other.was_reached  # type: ignore[attr-defined]


def test_a_granted_domain_is_let_through(shell: Shell, other: http.server.HTTPServer) -> None:
    """The program's proxy is told by the grant, so the same request gets through."""
    port = other.server_address[1]
    command = f"curl -s -m 10 --noproxy '' http://localhost:{port}/; echo; echo ended"

    assert "reached" not in shell.run(command)
    said = shell.run(command, "Bash", "WebFetch(domain:localhost)")

    assert "reached" in said
    assert other.was_reached  # type: ignore[attr-defined]


def test_a_grant_with_a_pattern_is_no_grant_of_other_commands(shell: Shell) -> None:
    assert "here" in shell.run("echo here", "Bash(echo *)")
    assert "here" not in shell.run('/usr/bin/python3 -c \'print("he" + "re")\'', "Bash(echo *)")


def test_without_a_grant_there_is_no_shell(claude_program: Path, server: ApiServer, plugin: Path) -> None:
    program = open_program(claude_program)
    agent = ClaudeCodeSuiteAgent(program=program.path, version=program.version)

    ask(agent, case_for(plugin, doing("Bash", command="echo here > a.txt"), allowed_tools=("Bash",)))

    assert all("Bash" not in shown for shown in tools_shown(server))


def test_a_shell_is_refused_where_nothing_confines_it(
    tmp_path: Path, plugin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run has an error and is graded all the same, as the real program does; nothing is started."""
    program = scripted_program(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    agent = ClaudeCodeSuiteAgent(program=program, version="2.1.332", grants=read_grants(["Bash(ls)"]))

    asked = ask(agent, case_for(plugin))

    assert "install bubblewrap and socat" in str(asked.error)
    assert (asked.run.trace, asked.run.created_files) == ((), ())


def test_no_shell_needs_no_sandbox() -> None:
    assert sandbox_settings(read_grants(["Write", "WebFetch(domain:a.example)"]), path="") == {}
    assert sandbox_settings(read_grants(["Bash"]), ["Bash"], path="") == {}
    assert GET_SANDBOX in str(sandbox_settings(read_grants(["PowerShell"]), path=""))


def test_a_shell_reads_nothing_of_a_plugin_that_is_not_loaded(tmp_path: Path, plugin: Path) -> None:
    case = case_for(plugin, add_dirs=("res",))
    layout = Layout.below(tmp_path / "run")
    run = Confined(layout=layout, case=case, environment={}, outside={}, arm=Arm.WITHOUT)

    settings = sandbox_settings(read_grants(["Bash"]), confined=run, path=_backend(tmp_path))

    assert isinstance(settings, dict)
    files = settings["sandbox"]["filesystem"]
    assert files["allowRead"] == [f"/{layout.home}", f"/{layout.tmp}", f"/{plugin}/evals/high-water/res"]
    assert f"/{plugin}" in files["denyRead"]


def _backend(folder: Path) -> str:
    """What confines a shell, as far as looking for it goes."""
    for name in ("bwrap", "socat"):
        (folder / name).write_text("#!/bin/sh\n", "utf-8")
        (folder / name).chmod(0o755)
    return str(folder)


def test_the_settings_name_what_a_shell_must_not_see(tmp_path: Path, plugin: Path) -> None:
    layout = Layout.below(tmp_path / "run")
    environment = {"ANTHROPIC_API_KEY": "x", "EVAL_PLACE": "y", "GIT_CONFIG_KEY_0": "z", "AWS_SESSION_TOKEN": "t"}
    run = Confined(
        layout=layout,
        case=case_for(plugin),
        environment=environment,
        outside={"HOME": "/home/me"},
        results=(tmp_path / "answers",),
    )

    settings = sandbox_settings(
        read_grants(["Bash", "WebFetch(domain:a.example)", "WebFetch"]), confined=run, path=_backend(tmp_path)
    )

    assert isinstance(settings, dict)
    sandbox = settings["sandbox"]
    assert isinstance(sandbox, dict)
    assert sandbox["network"] == {"allowedDomains": ["a.example"]}
    files = sandbox["filesystem"]
    assert files["allowWrite"] == [f"/{layout.home}", f"/{layout.tmp}"]
    assert {"//home/me", f"/{layout.config}", f"/{layout.out}", f"/{plugin}/evals", "//tmp"} <= set(files["denyRead"])
    assert f"/{tmp_path}/answers" in files["denyRead"]
    assert {f"/{plugin}", f"/{layout.home}/.gitconfig", f"/{layout.config}"} <= set(files["denyWrite"])
    starters = (".git/commondir", ".git/glab-cli", ".config/glab-cli", "cwd/.eval-artifacts", "pyrightconfig.json")
    assert {f"/{layout.home}/{name}" for name in starters} <= set(files["denyWrite"])
    assert [one["name"] for one in sandbox["credentials"]["envVars"]] == ["ANTHROPIC_API_KEY", "AWS_SESSION_TOKEN"]

"""Trust in a plugin: who is believed, what is remembered and where, and how it is asked for."""

import io
import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skill_evaluator.api.plugin_eval.trust import remember, trust_file, trusted_as, untrusted
from skill_evaluator.cli import main
from skill_evaluator.cli.plugin_eval_trust import is_trusted
from skill_evaluator.errors import InputError
from tests.suite_files import SOUND, Files, lay_out

ROOT = Path(__file__).parents[2]
# The case is of no interest here: nothing is left to run, and trust is asked for all the same.
NO_CASE = ["--case", "none-such"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    for name in ("CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    return lay_out(tmp_path / "repository" / "plugins" / "harbour", SOUND)


def accept(home: Path, folder: Path, *, accepted: object = True) -> None:
    content = {"projects": {str(folder): {"hasTrustDialogAccepted": accepted}}}
    (home / ".claude.json").write_text(json.dumps(content), "utf-8")


def repository_of(plugin: Path) -> Path:
    (plugin.parents[1] / ".git").mkdir()
    return plugin.parents[1]


def test_trust_is_for_the_repository_else_for_the_folder(home: Path, plugin: Path) -> None:
    assert untrusted([plugin]) == (plugin,)
    repository = repository_of(plugin)
    assert untrusted([plugin, plugin / "evals"]) == (repository,)
    assert remember(repository) == home / ".config" / "skill-evaluator" / "trusted.json"
    assert untrusted([plugin, repository / "another"]) == ()


def test_a_file_named_git_makes_a_repository_too(home: Path, plugin: Path) -> None:
    (plugin / ".git").write_text("gitdir: elsewhere\n", "utf-8")
    repository_of(plugin)
    assert trusted_as(plugin / "evals") == plugin
    assert home.is_dir()


def test_links_are_followed(home: Path, plugin: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(plugin)
    remember(trusted_as(tmp_path / "link"))
    assert json.loads(trust_file().read_text("utf-8")) == {"trusted": [str(plugin)]}
    assert untrusted([plugin, tmp_path / "link"]) == ()
    assert home.is_dir()


def test_answers_are_added_to_those_before(home: Path, tmp_path: Path) -> None:
    for name in ("b", "a", "b"):
        remember(tmp_path / name)
    assert json.loads(trust_file().read_text("utf-8"))["trusted"] == [str(tmp_path / "a"), str(tmp_path / "b")]
    assert [one.name for one in trust_file().parent.iterdir()] == ["trusted.json"]
    assert home.is_dir()


def test_what_claude_code_was_told_counts(home: Path, plugin: Path) -> None:
    for folder in (plugin, plugin.parent, Path("/")):
        accept(home, folder)
        assert untrusted([plugin]) == ()
    repository = repository_of(plugin)
    for folder in (plugin, repository):
        accept(home, folder)
        assert untrusted([plugin]) == ()


def test_of_a_repository_nothing_outside_it_counts(home: Path, plugin: Path) -> None:
    accept(home, repository_of(plugin).parent)
    assert untrusted([plugin]) == (plugin.parents[1],)


@pytest.mark.parametrize("accepted", [False, None, 1, "true", {}])
def test_only_a_plain_yes_counts(home: Path, plugin: Path, accepted: object) -> None:
    accept(home, plugin, accepted=accepted)
    assert untrusted([plugin]) == (plugin,)


def test_another_folder_of_configuration_is_heard(home: Path, plugin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "other").mkdir()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "other"))
    accept(home, plugin)
    assert untrusted([plugin]) == (plugin,)
    accept(home / "other", plugin)
    assert untrusted([plugin]) == ()


def test_a_plugin_cannot_ship_trust_in_itself(home: Path, plugin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(plugin / "config"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(plugin / "config"))
    lay_out(
        plugin,
        {
            "config/skill-evaluator/trusted.json": json.dumps({"trusted": [str(plugin)]}),
            "config/.claude.json": json.dumps({"projects": {str(plugin): {"hasTrustDialogAccepted": True}}}),
        },
    )
    assert untrusted([plugin]) == (plugin,)
    before = trust_file().read_bytes()
    assert remember(plugin) is None
    assert trust_file().read_bytes() == before
    assert home.is_dir()


def test_a_relative_folder_of_configuration_counts_for_nothing(
    home: Path, plugin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(plugin)
    monkeypatch.setenv("XDG_CONFIG_HOME", "config")
    assert trust_file() == home / ".config" / "skill-evaluator" / "trusted.json"


@pytest.mark.parametrize("content", ["", "[]", '{"trusted": "/"}', '{"trusted": [1, null]}', "\ufeff{}", "[" * 99999])
def test_a_damaged_file_is_no_trust(home: Path, plugin: Path, content: str) -> None:
    for file in (trust_file(), home / ".claude.json"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
    assert untrusted([plugin]) == (plugin,)


def test_an_answer_that_cannot_be_kept_is_an_error(home: Path, plugin: Path) -> None:
    (home / ".config").write_text("a file", "utf-8")
    with pytest.raises(InputError):
        remember(plugin)


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_without_a_terminal_nothing_is_run_unless_trust_is_asserted(
    home: Path, plugin: Path, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plugin-eval", str(plugin), *NO_CASE, *more]) == 1
    said = capsys.readouterr()
    assert f"FAIL {plugin}: you have not yet said that you trust it" in said.err
    assert "--trust-plugin" in said.err
    assert main(["plugin-eval", str(plugin), *NO_CASE, *more, "--trust-plugin"]) == 1
    assert "trust" not in capsys.readouterr().err
    assert not (home / ".config").exists(), "an assertion is not remembered"


def at_terminal(plugin: Path, answer: bytes, *words: str, early: bytes = b"") -> tuple[int, str]:
    """Run the command at a pseudo terminal, and answer its question."""
    ours, theirs = pty.openpty()
    os.write(ours, early)
    program = [sys.executable, "-m", "skill_evaluator", "plugin-eval", str(plugin), *NO_CASE, *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    child = subprocess.Popen(program, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=plugin)
    os.close(theirs)
    said, is_answered, until = b"", False, time.monotonic() + 60
    while time.monotonic() < until:
        if not select.select([ours], [], [], 1)[0]:
            continue
        try:
            said += os.read(ours, 4096)
        except OSError:
            break
        if b"[y/N] " in said and not is_answered:
            is_answered = True
            os.write(ours, answer)
    os.close(ours)
    return child.wait(timeout=60), said.decode()


def test_a_yes_at_a_terminal_is_remembered_and_not_asked_for_again(home: Path, plugin: Path) -> None:
    repository = repository_of(plugin)
    assert "Trust it? [y/N]" in at_terminal(plugin, b"y\n")[1]
    assert json.loads(trust_file().read_text("utf-8")) == {"trusted": [str(repository)]}
    assert "Trust it?" not in at_terminal(plugin, b"")[1]
    assert home.is_dir()


@pytest.mark.parametrize("answer", [b"n\n", b"\n", b"\x04", b"yes please\n"])
def test_anything_else_at_a_terminal_runs_nothing(home: Path, plugin: Path, answer: bytes) -> None:
    status, said = at_terminal(plugin, answer)
    assert (status, "nothing was run" in said, trust_file().exists()) == (1, True, False)
    assert home.is_dir()


def test_what_was_typed_before_the_question_is_no_answer(home: Path, plugin: Path) -> None:
    status, said = at_terminal(plugin, b"n\n", early=b"y\n")
    assert (status, "nothing was run" in said, trust_file().exists()) == (1, True, False)
    assert home.is_dir()


def test_json_never_asks_even_at_a_terminal(home: Path, plugin: Path) -> None:
    status, said = at_terminal(plugin, b"", "--json")
    assert (status, "[y/N]" in said) == (1, False)
    assert home.is_dir()


class Terminal(io.StringIO):
    """Words of a user at a terminal."""

    def isatty(self) -> bool:
        return True


def answer(monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(words))
    monkeypatch.setattr("sys.stdout", Terminal())


def test_each_repository_is_asked_for_and_the_first_no_ends_it(
    home: Path, plugin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    others = [plugin, tmp_path / "b", tmp_path / "c"]
    answer(monkeypatch, "y\nn\n")
    assert not is_trusted(others, is_json=False)
    assert f"again, as {home}" in capsys.readouterr().err
    assert untrusted(others) == (tmp_path / "b", tmp_path / "c")
    answer(monkeypatch, "YES\n y \n")
    assert is_trusted(others, is_json=False)
    assert is_trusted(others, is_json=True)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "No hooks and no MCP servers are seen in it; what it has the agent run, runs as you."),
        ({"hooks/hooks.json": "{}"}, "It has hooks, which run as you."),
        (
            {"hooks/hooks.json": "{}", ".mcp.json": '{"mcpServers": {"tides": {"command": "x"}}}'},
            "It has hooks and MCP servers (tides), which run as you.",
        ),
    ],
)
def test_the_question_says_what_the_plugin_has(
    home: Path,
    plugin: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    files: Files,
    said: str,
) -> None:
    lay_out(plugin, files)
    answer(monkeypatch, "n\n")
    assert not is_trusted([plugin], is_json=False)
    lines = capsys.readouterr().err.splitlines()
    assert said in lines
    assert "--trust-plugin" in lines[-1]
    assert home.is_dir()


def test_an_answer_that_cannot_be_kept_still_counts_once(
    home: Path, plugin: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".config").write_text("a file", "utf-8")
    answer(monkeypatch, "y\n")
    assert is_trusted([plugin], is_json=False)
    assert "you will be asked again" in capsys.readouterr().err
    monkeypatch.setenv("XDG_CONFIG_HOME", str(plugin))
    answer(monkeypatch, "y\n")
    assert is_trusted([plugin], is_json=False)
    assert "not remembered" in capsys.readouterr().err


def test_a_hostile_path_stays_on_one_line(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(monkeypatch, "n\n")
    assert not is_trusted([tmp_path / "a\nTrust it? \x1b[2J"], is_json=False)
    said = capsys.readouterr().err
    assert "a\\nTrust it? \\x1b[2J was never evaluated here." in said
    assert home.is_dir()


@pytest.mark.parametrize(
    ("platform", "variable", "usual"),
    [("win32", "APPDATA", "AppData/Roaming"), ("darwin", "XDG_CONFIG_HOME", "Library/Application Support")],
)
def test_each_system_has_its_folder_of_configuration(
    home: Path, monkeypatch: pytest.MonkeyPatch, platform: str, variable: str, usual: str
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    assert trust_file() == home / usual / "skill-evaluator" / "trusted.json"
    monkeypatch.setenv(variable, str(home / "own"))
    assert trust_file() == home / "own" / "skill-evaluator" / "trusted.json"

"""A scripted server for the real program, which is told by its prompt which tool to call."""

import contextlib
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api_server import Answer, ApiServer, Asked, call, text

_ALONE = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER")  # it asks nobody but its server
_WANTED = re.compile(r"^do (\w+) (\{.*\})$", re.MULTILINE)
_WORKSPACE = re.compile(r"[Ww]orking directory: (\S+)")


def doing(tool: str, **arguments: object) -> str:
    """Write a prompt that makes the server ask for one call; `<cwd>` in it stands for the workspace."""
    return f"do {tool} {json.dumps(arguments)}"


def answer(asked: Asked) -> Answer:
    """Ask for the call of the prompt, then end."""
    words = list(words_of(asked["messages"]))
    wanted = next((found for word in reversed(words) if (found := _WANTED.search(word))), None)
    if wanted is None or '"tool_result"' in json.dumps(asked["messages"]):
        return text("done")
    workspace = next((found[1] for word in words if (found := _WORKSPACE.search(word))), "")
    return call(wanted[1], json.loads(wanted[2].replace("<cwd>", workspace)))


def words_of(value: object) -> Iterator[str]:
    """Give all texts of a request."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key in {"text", "content"}:
                yield from words_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from words_of(inner)


@contextlib.contextmanager
def serving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ApiServer]:
    """Start the server, and give the program of a test nothing but it, an empty home and a place for its folders."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    with tempfile.TemporaryDirectory(dir="/tmp") as place, ApiServer(answer) as server:  # a socket's path is short
        monkeypatch.setattr(tempfile, "tempdir", place)
        for name, value in {**server.environment(), **dict.fromkeys(_ALONE, "1")}.items():
            monkeypatch.setenv(name, value)
        yield server


def tools_shown(server: ApiServer) -> list[set[str]]:
    """Names of the tools that the model was shown, for each request of an agent."""
    shown = [asked.get("tools") for asked in server.requests]
    return [{str(tool["name"]) for tool in tools} for tools in shown if isinstance(tools, list) and tools]

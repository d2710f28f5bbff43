"""The folder that a run left behind -> what graders could see of it."""

import base64
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.conformance.json_values import Json

_NO_NAME = re.compile(r"[^A-Za-z0-9_-]")
MAX_BYTES = 1_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptRun:
    """One kept folder.

    Attributes:
        folder: The temporary folder of the run, with `out` and `home` in it.
        before: Files that stood in the workspace before the agent started.
        looked_at: Paths of files that graders of the case name.
    """

    folder: Path
    before: frozenset[str]
    looked_at: Sequence[str]

    @property
    def workspace(self) -> Path:
        """The working directory of the agent."""
        return self.folder / "home" / "cwd"

    def facts(self) -> dict[str, Json]:
        """All that graders could see."""
        trace = _lines(self.folder / "out" / "trace.jsonl")
        return {
            "trace": trace,
            "created_files": sorted(set(files_below(self.workspace)) - self.before),
            "seen_files": {path: self._seen(path) for path in self.looked_at},
            "mock_calls": self._mock_calls([json.loads(line) for line in trace]),
        }

    def _seen(self, path: str) -> dict[str, Json]:
        real = (self.workspace / path).resolve()
        if not real.is_relative_to(self.workspace.resolve()) or Path(path).is_absolute():
            return {"state": "outside"}
        if not real.exists():
            return {"state": "missing"}
        if not real.is_file():
            return {"state": "not_a_file"}
        if real.stat().st_size > MAX_BYTES:
            return {"state": "too_large"}
        return {"state": "file", "base64": base64.b64encode(real.read_bytes()).decode()}

    def _mock_calls(self, messages: Sequence[Mapping[str, Json]]) -> Json:
        """Calls to stand-ins with their answers as the trace has them; None where there was no stand-in."""
        listed = [json.loads(path.read_text()) for path in sorted((self.folder / "out" / "mocks").glob("*.json"))]
        servers = [server for server in listed if server["responders"]]  # without any it only keeps the real one out
        if not servers:
            return None
        prefixes = tuple(f"mcp__{_NO_NAME.sub('_', str(server['registeredName']))}__" for server in servers)
        logged = self._logged_verdicts()
        answers = {str(block["tool_use_id"]): block for block in _blocks(messages, "tool_result")}
        calls = [block for block in _blocks(messages, "tool_use") if str(block["name"]).startswith(prefixes)]
        return [_mock_call(call, answers.get(str(call["id"])), logged) for call in calls]

    def _logged_verdicts(self) -> dict[str, list[str]]:
        """Tool without its server -> verdicts in order; a call that never reached the stand-in has none."""
        found: dict[str, list[str]] = {}
        path = self.folder / "out" / "mock-calls.jsonl"
        for line in _lines(path) if path.exists() else ():
            entry = json.loads(line)
            if "verdict" in entry:
                found.setdefault(str(entry["tool"]), []).append(str(entry["verdict"]))
        return found


def _lines(path: Path) -> list[str]:
    """Lines as JSON Lines has them: other separators of Unicode may stand inside a text."""
    return [line for line in path.read_bytes().decode().split("\n") if line]


def _mock_call(
    call: Mapping[str, Json], answer: Mapping[str, Json] | None, logged: Mapping[str, list[str]]
) -> dict[str, Json]:
    is_error = bool(answer and answer.get("is_error"))
    verdicts = logged.get(str(call["name"]).rpartition("__")[2], [])
    return {
        "tool": call["name"],
        "input": call["input"],
        "output": _text(answer.get("content") if answer else ""),
        "is_error": is_error,
        "verdict": verdicts.pop(0) if verdicts else "tool_error" if is_error else "ok",
    }


def _blocks(messages: Sequence[Mapping[str, Json]], kind: str) -> Iterator[Mapping[str, Json]]:
    for message in messages:
        inner = message.get("message")
        content = inner.get("content") if isinstance(inner, Mapping) else None
        for block in content if isinstance(content, list) else ():
            if isinstance(block, Mapping) and block.get("type") == kind:
                yield block


def _text(content: Json) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(str(block.get("text", "")) for block in blocks if isinstance(block, Mapping))


def files_below(folder: Path) -> Iterator[str]:
    """Files of a workspace, relative, POSIX style; git's own left out."""
    for path in folder.rglob("*"):
        relative = path.relative_to(folder)
        if ".git" not in relative.parts and (path.is_file() or path.is_symlink()):
            yield relative.as_posix()


def files_of_scaffold(script: Path) -> frozenset[str]:
    """Files that a scaffold script makes, found out by running it in an empty folder; it may fail half-way."""
    with tempfile.TemporaryDirectory() as empty:
        subprocess.run(
            ["bash", script],
            cwd=empty,
            env={"PATH": os.environ["PATH"]},
            capture_output=True,
            check=False,
            timeout=60,
        )
        return frozenset(files_below(Path(empty)))

"""Answers of models that played a server, kept so that a later run can be answered alike without asking.

Under the same name as the real program's they would be taken for its own; theirs are named by a hash over more than is
known, so ours say by whom they are named.

Source: Suites recorded with Claude Code 2.1.332: layout and keys of the files.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from skill_evaluator.graders.javascript_json import stringify
from skill_evaluator.model import Completion, JsonObject, MockTool
from skill_evaluator.redaction import blacken_completion
from skill_evaluator.unlinked import write_unlinked

FOLDER: Final = "mock-recordings"
REPLAY: Final = ".replay"
NAMED_BY: Final = "skill-evaluator/1"
_ADOPT: Final = "ADOPT.txt"
_HOW_TO: Final = """\
What models that play MCP servers answered in clean runs. A copy of a file in the folder below it answers the same call
in later runs, without asking a model. Read a file before you copy it: the answers were written by a model. The
checksums are those of the files as they were written.
"""

Verdict = Literal["ok", "tool_error", "abort"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Recording:
    """One answer.

    Attributes:
        server: The server, as its folder in `mocks/` is called.
        tool: The tool.
        key: What names the call: 64 hex digits over the mock, the input and the earlier calls.
        arguments: The input of the call.
        output: What was answered.
        verdict: `ok` or `tool_error`.
        recorded_at: When, ISO 8601 with milliseconds, UTC.
        model: Who was asked.
        adopt_to: Folder from which later runs would take it.
    """

    server: str
    tool: str
    key: str
    arguments: JsonObject
    output: str
    verdict: Verdict
    recorded_at: str
    model: str
    adopt_to: Path

    @property
    def file_name(self) -> str:
        """Name of its file."""
        return f"{self.tool}-{self.key}.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class WrittenRecording:
    """A recording on the disk: its file, the SHA-256 of it, and the folder from which later runs would take it."""

    path: Path
    sha256: str
    adopt_to: Path


def recording_key(server: str, tool: MockTool, arguments: JsonObject, earlier: Sequence[str]) -> str:
    """Name a call, so that it is found again exactly where the same would be asked.

    Args:
        server: The server, as its folder is called.
        tool: Who answers, and how it is told to.
        arguments: The input; the order of keys does not matter.
        earlier: The calls before it at the same server that a model answered, with the answers.
    """
    mock = [tool.name, tool.body, tool.abort_when]
    asked = json.dumps([NAMED_BY, server, mock, in_order(arguments), list(earlier)])
    return hashlib.sha256(asked.encode()).hexdigest()


def replay_folder(server: str, tool: MockTool) -> Path:
    """Give the folder from which recordings of a tool are taken: beside the folder of the server that has its mock."""
    return tool.path.parent.parent / REPLAY / server


def write_recordings(
    recordings: Iterable[Recording], output_dir: Path, *, secrets: Sequence[str] = ()
) -> tuple[WrittenRecording, ...]:
    """Write what models answered in clean runs, and how to use it again.

    Args:
        recordings: Of runs that ended neither in an error nor by a stand-in; of one call, the first stands.
        output_dir: Folder of the results; made where it is missing.
        secrets: Values that are masked.

    Returns:
        What was written, in order; nothing is written without recordings.

    Raises:
        OSError: If it cannot be written.
    """
    first = {(one.server, one.file_name): one for one in reversed(tuple(recordings))}
    written = tuple(_write(one, output_dir, secrets) for one in reversed(first.values()))
    if written:
        lines = [f"{one.path}  sha256={one.sha256}\n    -> {one.adopt_to}\n" for one in written]
        told = "\n".join([_HOW_TO, "".join(lines)])
        write_unlinked(output_dir, (FOLDER, _ADOPT), [told.encode(errors="surrogateescape")])
    return written


def _write(recording: Recording, output_dir: Path, secrets: Sequence[str]) -> WrittenRecording:
    masked = blacken_completion(Completion(answer=_content(recording)), secrets).answer
    content = f"{json.dumps(masked, indent=2)}\n".encode()
    path = write_unlinked(output_dir, (FOLDER, recording.server, recording.file_name), [content])
    return WrittenRecording(path=path, sha256=hashlib.sha256(content).hexdigest(), adopt_to=recording.adopt_to)


def _content(recording: Recording) -> Mapping[str, object]:
    return {
        "input": recording.arguments,
        "output": recording.output,
        "verdict": recording.verdict,
        "recordedAt": recording.recorded_at,
        "model": recording.model,
        "namedBy": NAMED_BY,
    }


def in_order(arguments: JsonObject) -> str:
    """Write an input so that the order of its keys does not matter."""
    return stringify(json.loads(json.dumps(arguments, sort_keys=True)))

"""What the cases of a `claude plugin eval` suite carry beyond their prompt and graders."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from skill_evaluator.model.words import JsonObject


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """How often and how long a case runs.

    Attributes:
        runs: Repetitions of each arm.
        max_turns: Turns of the agent in one run.
        timeout_s: Seconds of wall time of one run.
    """

    runs: int = 3
    max_turns: int = 10
    timeout_s: int = 300


@dataclass(frozen=True, kw_only=True, slots=True)
class MockTool:
    """How one tool of a stand-in server answers.

    Attributes:
        name: The tool, without the server.
        kind: `fixed` gives the body; `agent` lets a model answer as the body tells it.
        body: Text of the mock file below its frontmatter, trimmed.
        expect: Dotted path of the input -> what it must be, as written; in the order of the file.
        is_error: Whether the body is a tool error.
        abort_when: When the model may end the run, or None.
        path: The mock file.
    """

    name: str
    kind: Literal["fixed", "agent"]
    body: str
    path: Path
    expect: JsonObject = field(default_factory=dict)
    is_error: bool = False
    abort_when: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class MockServer:
    """A stand-in for one MCP server.

    Attributes:
        name: The server, as its folder is called.
        is_declared: Whether the plugin under test declares a server of this name.
        tools: Its tools: those of `_server.md`, then those with files in the suite's folder, then in the case's alone.
        listing: Tools of the real server as `_tools.json` saved them, or empty.
        overruled: Tools that `_server.md` lists and a file of their own answers.
    """

    name: str
    is_declared: bool
    tools: tuple[MockTool, ...]
    listing: tuple[JsonObject, ...] = ()
    overruled: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Setup:
    """What the runs of a case need beyond the prompt.

    Attributes:
        folder: The folder of the case; relative paths below start here.
        plugins: Roots of the plugins under test; empty where none was found.
        model: Model of the agent, or None.
        allowed_tools: Tools the case asks for.
        disallowed_tools: Tools the case goes without.
        append_system_prompt: Text added to the agent's system prompt, or None.
        env: Variables of the agent's environment.
        scaffold_script: Script that fills the workspace, or None.
        history_file: Transcript to go on with, or None.
        add_dirs: Folders that the agent may read.
        mocks: Stand-ins for MCP servers.
    """

    folder: Path
    plugins: tuple[Path, ...] = ()
    model: str | None = None
    allowed_tools: tuple[str, ...] = ()
    disallowed_tools: tuple[str, ...] = ()
    append_system_prompt: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    scaffold_script: str | None = None
    history_file: str | None = None
    add_dirs: tuple[str, ...] = ()
    mocks: tuple[MockServer, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Metadata:
    """What else the author of a case wrote.

    Attributes:
        name: Name of the case; several cases of a suite may share it, their ids differ.
        folder: Its folder relative to the root of the suite, POSIX style.
        written_as: `prose` for prompt.md alone, `case_yaml` for case.yaml alone, `mixed` for both.
        description: For people, or None.
        expected_outcome: For people, or None.
    """

    name: str
    folder: str
    written_as: Literal["prose", "case_yaml", "mixed"]
    description: str | None = None
    expected_outcome: str | None = None

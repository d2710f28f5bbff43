"""The tools that a model is given: the one that starts skills, those that read, and stand-ins."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from skill_evaluator.model import Case, Finding, JsonObject, Level
from skill_evaluator.skill_names import SKILL_TOOL
from skill_evaluator.texts import tr

READ: Final = "Read"
GLOB: Final = "Glob"
GREP: Final = "Grep"
WRITE: Final = "Write"
EDIT: Final = "Edit"
CACHED: Final[JsonObject] = MappingProxyType({"type": "ephemeral"})
STAND_IN_ANSWER: Final = "ok"

_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")  # Source: Messages API, `tools.name`
_TEXT: Final[JsonObject] = MappingProxyType({"type": "string"})


def _tool(name: str, description: str, required: Mapping[str, str], optional: Mapping[str, JsonObject]) -> JsonObject:
    texts = {key: {**_TEXT, "description": what} for key, what in required.items()}
    schema = {"type": "object", "properties": {**texts, **optional}, "required": list(required)}
    return {"name": name, "description": description, "input_schema": schema}


COMMON: Final[tuple[JsonObject, ...]] = (
    _tool(
        SKILL_TOOL,
        "Start a skill of the list of available skills. Its instructions come back; follow them from then on.",
        {"skill": "Name of the skill, exactly as in the list"},
        {"args": {**_TEXT, "description": "What to hand over to the skill, if anything"}},
    ),
    _tool(
        READ,
        "Read a text file. Lines come back with their numbers; a long file is read in parts.",
        {"path": "Path relative to the working folder"},
        {
            "offset": {"type": "integer", "minimum": 1, "description": "First line to read"},
            "limit": {"type": "integer", "minimum": 1, "description": "How many lines to read"},
        },
    ),
    _tool(
        GLOB,
        "List the files whose path matches a pattern: * within a folder, ** across folders, ? one character.",
        {"pattern": "Pattern relative to the working folder, such as **/*.md"},
        {},
    ),
    _tool(
        GREP,
        "Find the lines of files that match a regular expression.",
        {"pattern": "Regular expression, looked for in each line"},
        {"path": {**_TEXT, "description": "File or folder to look in; without it, everywhere"}},
    ),
)
WRITING: Final[tuple[JsonObject, ...]] = (
    _tool(
        WRITE,
        "Write a text file. A file that is there already gets the new content.",
        {"path": "Path relative to the working folder", "content": "All of the file's text"},
        {},
    ),
    _tool(
        EDIT,
        "Replace one piece of a text file by another.",
        {
            "path": "Path relative to the working folder",
            "old_text": "The piece as it stands in the file, once and no more",
            "new_text": "What is to stand there",
        },
        {},
    ),
)
_WRITING_NAMES: Final = frozenset(str(tool["name"]) for tool in WRITING)
_OURS: Final = frozenset(str(tool["name"]) for tool in COMMON)


def cached_tools() -> tuple[JsonObject, ...]:
    """Give the common tools; what goes up to the last of them is the same in every request, so it may be cached."""
    return (*COMMON[:-1], {**COMMON[-1], "cache_control": dict(CACHED)})


def stand_in_names(case: Case) -> tuple[str, ...]:
    """Name the tools that the case expects and that are not ours, each once."""
    ours = _OURS | _WRITING_NAMES if writes(case) else _OURS
    return tuple(name for name in dict.fromkeys(case.stand_ins) if name not in ours)


def writes(case: Case) -> bool:
    """Whether the model may write: where a grader looks at files; for all others it is asked as ever."""
    return case.needs.of_workspace


def tools_beside(case: Case) -> tuple[JsonObject, ...]:
    """Give the tools that a case has beside the common ones."""
    return (*(WRITING if writes(case) else ()), *(stand_in(name) for name in stand_in_names(case)))


def stand_in(name: str) -> JsonObject:
    """Describe a tool that takes any input and always gives the same answer."""
    schema = {"type": "object", "properties": {}, "additionalProperties": True}
    return {"name": name, "description": f"The tool {name}. Takes any named values.", "input_schema": schema}


def stand_in_faults(cases: Iterable[Case]) -> tuple[Finding, ...]:
    """Refuse expected tools that no request can name."""
    return tuple(
        _fault(case, name) for case in cases for name in stand_in_names(case) if not _TOOL_NAME.fullmatch(name)
    )


def _fault(case: Case, name: str) -> Finding:
    message = tr(
        "the tool {name!r} is expected to be called, but agent messages cannot offer a tool of that name: it takes 1 "
        "to 64 letters A-Z a-z, digits, _ and -; name it as the agent does, or score this case with another agent",
        name=name,
    )
    return Finding(
        level=Level.FAIL,
        code="tool-name",
        message=message,
        file=case.source.path,
        case=case.id,
        line=case.source.line,
        values={"tool": name},
    )

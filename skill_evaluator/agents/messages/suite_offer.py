"""What a run of an eval suite is told: its working folder, the skills of the plugin, and what comes of starting one.

Source: Claude Code 2.1.332, whose requests were read: the names of skills and tools and the rules of the list are its,
the words are our own.
"""

import difflib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from skill_evaluator.agents.messages.tool_result import ToolResult, refused
from skill_evaluator.agents.messages.tools import CACHED
from skill_evaluator.model import JsonObject, PluginSkill
from skill_evaluator.sendable import sendable
from skill_evaluator.skill_names import SKILL_TOOL, plain_name

CWD: Final = "/workspace"
_LONGEST: Final = 1_536  # characters of one description
_MOST_LISTED: Final = 23_500  # characters of descriptions; later skills are listed by name alone
_SYSTEM: Final = """\
You are an agent that works for a user in a folder of files. You can read these files with tools, and start skills.

Working directory: {cwd}
{dirs}
# Skills

A skill is a set of instructions for one kind of task. If one of the skills in the list is for what the user asks, \
start it with the tool Skill before anything else, by its name in the list; its instructions come back, and you \
follow them. If none is, answer without one.

{skills}"""
_NO_SKILLS: Final = "(no skill is installed)"
_LAUNCHED: Final = "Started skill: {name}"
_BODY: Final = "Base directory of this skill: {folder}\n\n{body}"
_ARGUMENTS: Final = "$ARGUMENTS"


@dataclass(frozen=True, kw_only=True, slots=True)
class PluginOffer:
    """What runs of one arm are offered.

    Attributes:
        skills: Those that can be started.
        dirs: Folders that may be read beside the working folder, absolute.
    """

    skills: Sequence[PluginSkill] = ()
    dirs: Sequence[str] = ()

    def system(self, appended: str | None) -> tuple[JsonObject, ...]:
        """Give the system prompt, with what a case adds to it."""
        dirs = "".join(f"You may also read: {folder}\n" for folder in self.dirs)
        listed = "\n".join(_listed(self.skills)) or _NO_SKILLS
        text = _SYSTEM.format(cwd=CWD, dirs=dirs, skills=listed)
        more = [{"type": "text", "text": sendable(appended)}] if appended else []
        blocks: list[JsonObject] = [{"type": "text", "text": sendable(text)}, *more]
        return (*blocks[:-1], {**blocks[-1], "cache_control": dict(CACHED)})

    def launch(self, arguments: JsonObject) -> ToolResult:
        """Start a skill; `arguments` are those of the tool Skill."""
        match arguments:
            case {"skill": str(name)}:
                pass
            case _:
                return refused(f"{SKILL_TOOL} takes the name of a skill (text), and args (text)")
        found = self._named(name)
        if found is None:
            near = difflib.get_close_matches(name, [one.skill.name for one in self.skills], n=1)
            hint = f"; was {near[0]!r} meant?" if near else ""
            return refused(sendable(f"there is no skill {name[:200]!r}{hint}"))
        return ToolResult(
            text=sendable(_LAUNCHED.format(name=name)),
            launched=name,
            following=sendable(_instructions(found, arguments.get("args"))),
        )

    def _named(self, name: str) -> PluginSkill | None:
        wanted = name.removeprefix("/")
        full = next((one for one in self.skills if one.skill.name == wanted), None)
        if full is not None or plain_name(wanted) != wanted:
            return full
        return next((one for one in self.skills if one.plain_name == wanted), None)


def suite_tools(disallowed: Collection[str]) -> tuple[JsonObject, ...]:
    """Give the tools of a run, but for those that the case takes away."""
    return tuple(tool for tool in _TOOLS if tool["name"] not in disallowed)


def _instructions(found: PluginSkill, args: object) -> str:
    body = found.skill.body
    if isinstance(args, str) and args:
        body = body.replace(_ARGUMENTS, args) if _ARGUMENTS in body else f"{body}\n\nARGUMENTS: {args}"
    return _BODY.format(folder=found.skill.path.parent.as_posix(), body=body)


def _listed(skills: Sequence[PluginSkill]) -> Iterator[str]:
    left = _MOST_LISTED
    for one in skills:
        if not one.is_listed:
            continue
        name = one.skill.name if one.title is None else f"{one.skill.name} ({one.title})"
        text = f"- {_plain(name)}: {_described(one)}"
        left -= len(text) + 1
        yield text if left >= 0 else f"- {_plain(name)}"


def _described(one: PluginSkill) -> str:
    parts = (one.skill.description, one.skill.when_to_use)
    text = _plain(" - ".join(part for part in parts if part))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _plain(text: str) -> str:
    """Put a text on one line without anything that looks like a tag."""
    return " ".join(text.splitlines()).replace("<", "&lt;").replace(">", "&gt;")


def _tool(name: str, description: str, *, required: str, **properties: JsonObject) -> JsonObject:
    schema = {"type": "object", "properties": properties, "required": [required], "additionalProperties": False}
    return {"name": name, "description": description, "input_schema": schema}


def _text(description: str) -> JsonObject:
    return {"type": "string", "description": description}


def _number(description: str) -> JsonObject:
    return {"type": "integer", "minimum": 1, "description": description}


# Names of tools and of their inputs as graders of suites know them.
_TOOLS: Final[tuple[JsonObject, ...]] = (
    _tool(
        SKILL_TOOL,
        "Start a skill of the list. Its instructions come back; follow them from then on.",
        required="skill",
        skill=_text("Name of the skill as it stands in the list"),
        args=_text("What to hand over to it, if anything"),
    ),
    _tool(
        "Read",
        "Read a text file; lines come back with their numbers, a long file in parts.",
        required="file_path",
        file_path=_text("Absolute path"),
        offset=_number("First line to read"),
        limit=_number("How many lines to read"),
    ),
    _tool(
        "Glob",
        "List files whose path matches a pattern: * within a folder, ** across folders, ? one character.",
        required="pattern",
        pattern=_text("Pattern relative to the folder, or absolute"),
        path=_text("Folder to look in; without it, the working folder"),
    ),
    _tool(
        "Grep",
        "Find the lines of files that match a regular expression.",
        required="pattern",
        pattern=_text("Regular expression, looked for in each line"),
        path=_text("File or folder to look in; without it, the working folder"),
    ),
)

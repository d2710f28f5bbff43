"""What a model is told before the question: how skills work, which ones there are, and what comes of starting one."""

import hashlib
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

from skill_evaluator.agents.messages.tool_result import ToolResult, refused
from skill_evaluator.agents.messages.tools import CACHED, COMMON, STAND_IN_ANSWER, WRITING, cached_tools, stand_in
from skill_evaluator.agents.messages.workspace import SkillTree, skill_folder
from skill_evaluator.model import JsonObject, Skill
from skill_evaluator.sendable import sendable
from skill_evaluator.skill_names import is_target

_SYSTEM: Final = """\
You are an assistant that gets a user's work done. You have tools for reading files in a working folder, and skills.

# Skills

A skill is a set of instructions for one kind of task, written by somebody who knows that task well. Each one that is \
available stands in the list below: its name, and what it is for. Look through the list before you answer a request:

- If a skill is for such a request, start it with the tool Skill before anything else, before you answer and before \
you use other tools for it. Its instructions come back; follow them.
- If no skill is for such a request, answer without one. Many requests need none.
- Start only skills that stand in the list, by their exact names. Talking about a skill does not start it.

# Available skills

{skills}"""
_NO_SKILLS: Final = "(none)"
_LAUNCHED: Final = "Launched skill: {name}"
_INSTRUCTIONS: Final = "Base folder of this skill: {folder}\n\n{body}"
_ARGUMENTS: Final = "\n\nArguments: {args}"
_UNKNOWN: Final = "there is no skill {name!r}; the skills are: {known}"
_SHORT_HASH: Final = 12


def wording_hash(*, writing: bool = False) -> str:
    """Hash every text of ours that a model may see, so that reports of two wordings are not taken for the same.

    Args:
        writing: Whether some case is offered the tools that write.
    """
    texts = (_SYSTEM, _NO_SKILLS, _LAUNCHED, _INSTRUCTIONS, _ARGUMENTS, _UNKNOWN, STAND_IN_ANSWER)
    worded = json.dumps(
        [texts, (*COMMON, *(WRITING if writing else ())), stand_in("name")], sort_keys=True, default=dict
    )
    return hashlib.sha256(worded.encode()).hexdigest()[:_SHORT_HASH]


class Offer:
    """What one arm is offered: the same in all its requests, so that it is made once and can be cached.

    Args:
        skills: The skills of the list.
        seed: For their order, which is the same in all requests.
        tree: The files of these skills.
    """

    def __init__(self, skills: Iterable[Skill], *, seed: int, tree: SkillTree) -> None:
        self.skills: Sequence[Skill] = _in_order(skills, seed)
        self.tree = tree
        self.tools: Sequence[JsonObject] = cached_tools()

    @cached_property
    def system(self) -> Sequence[JsonObject]:
        """The system prompt, its end marked as the end of what may be cached."""
        listed = "\n".join(_listed(skill) for skill in self.skills)
        text = _SYSTEM.replace("{skills}", listed or _NO_SKILLS)
        return ({"type": "text", "text": sendable(text), "cache_control": dict(CACHED)},)

    def launch(self, arguments: JsonObject) -> ToolResult:
        """Start a skill; `arguments` are those of the tool Skill."""
        match arguments:
            case {"skill": str(name)}:
                pass
            case _:
                return refused("Skill takes the name of a skill (text), and args (text)")
        skill = self._named(name)
        if skill is None:
            known = ", ".join(one.name for one in self.skills)
            return refused(sendable(_UNKNOWN.format(name=name[:200], known=known)))
        args = arguments.get("args")
        handed = _ARGUMENTS.format(args=args) if isinstance(args, str) and args else ""
        following = _INSTRUCTIONS.format(folder=skill_folder(skill), body=skill.body) + handed
        return ToolResult(text=sendable(_LAUNCHED.format(name=name)), launched=name, following=sendable(following))

    def _named(self, name: str) -> Skill | None:
        exact = self._by_name.get(name)
        return exact or next((skill for skill in self.skills if is_target(name, skill.name)), None)

    @cached_property
    def _by_name(self) -> Mapping[str, Skill]:
        return {skill.name: skill for skill in self.skills}


def _in_order(skills: Iterable[Skill], seed: int) -> tuple[Skill, ...]:
    """Shuffle by the seed alone: neither the place of a skill in the list nor the order of options may matter."""
    order = sorted(skills, key=lambda skill: skill.name)
    random.Random(seed).shuffle(order)  # noqa: S311 - an order, no secret
    return tuple(order)


def _listed(skill: Skill) -> str:
    """One item; lines that follow are indented, so that no description can look like another item."""
    text = " ".join(part.strip() for part in (skill.description, skill.when_to_use or "") if part.strip())
    return f"- {skill.name}: " + "\n  ".join(text.splitlines())

"""The files of a case as `init` writes them."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from skill_evaluator.api.plugin_eval.starter_names import name_problem
from skill_evaluator.api.plugin_eval.starter_place import StarterPlace
from skill_evaluator.errors import InputError
from skill_evaluator.formats.visible import visible_findings
from skill_evaluator.model import Finding, Level
from skill_evaluator.report.files import write_whole
from skill_evaluator.sendable import sendable
from skill_evaluator.texts import tr

PROMPT: Final = "prompt.md"
_FRONT: Final = "---\nmax_turns: 10\nallowed_tools: [Read, Glob, Grep, Skill]\n{more}---\n\n{text}\n"
_BARE_PROMPT: Final = "TODO: put the words of a user here, as somebody would type them to the agent."
_CRITERIA: Final = "---\ntype: llm\nweight: 1\n---\n\n{text}\n"
_BARE_CRITERIA: Final = (
    "TODO: say what you look for in the answer.\n\n"
    "PASS if the answer does what was asked: ...\n"
    "FAIL if something is missing or wrong: ..."
)
_FIRED: Final = "---\ntype: tool_used\ntool: Skill\ninput_match: {pattern}\nmin: 1\n---\n"
_QUIET: Final = "---\ntype: tool_used\ntool: Skill\ninput_match: {pattern}\nmin: 0\nmax: 0\narm: both\n---\n"
_SPECIAL: Final = re.compile(r"[.*+?^${}()|\[\]\\/]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    """A case that may be written.

    Attributes:
        kind: Whether the skill should start.
        skill: Name of its folder.
        prompt: The user's words.
        criteria: What a judge is asked of the answer; None where nobody judges it.
        sibling: Name of the folder of the skill that should start instead, or None.
        source: Where its words come from: the model, a template that puts in texts of the skill, or the user.
    """

    kind: Literal["fires", "quiet"]
    skill: str
    prompt: str
    criteria: str | None = None
    sibling: str | None = None
    source: Literal["model", "template", "user"] = "template"


def bare_files(plugin: str, skill: str | None) -> Mapping[str, str]:
    """Give the files of a case that its author is to fill in.

    Args:
        plugin: Name of the plugin.
        skill: Name of the folder of a skill that should start, which needs no judge to be told; None where it has none.
    """
    fired = {} if skill is None else {"graders/skill-fired.md": _FIRED.format(pattern=_calls_of(skill, plugin))}
    return {
        PROMPT: _FRONT.format(more="", text=_BARE_PROMPT),
        "graders/criteria.md": _CRITERIA.format(text=_BARE_CRITERIA),
        **fired,
    }


def files_of(proposal: Proposal, plugin: str, *, is_draft: bool) -> Mapping[str, str]:
    """Give the files of a case.

    Args:
        proposal: What it asks and expects.
        plugin: Name of the plugin, which stands before the names of its skills in calls.
        is_draft: Whether nobody has read it yet. It gets a tag that says so; so does whatever a template proposed.
    """
    is_draft = is_draft or proposal.source == "template"
    tags = ["should-fire" if proposal.kind == "fires" else "should-not-fire", *(["draft"] if is_draft else [])]
    files = {PROMPT: _FRONT.format(more=f"tags: [{', '.join(tags)}]\n", text=_plain(proposal.prompt))}
    pattern = _calls_of(proposal.skill, plugin)
    if proposal.kind == "fires":
        files["graders/skill-fired.md"] = _FIRED.format(pattern=pattern)
    else:
        files["graders/skill-quiet.md"] = _QUIET.format(pattern=pattern)
    if proposal.sibling is not None:
        files["graders/other-skill-fired.md"] = _FIRED.format(pattern=_calls_of(proposal.sibling, plugin))
    if proposal.criteria is not None:
        files["graders/answer.md"] = _CRITERIA.format(text=_plain(proposal.criteria))
    return files


def write_cases(place: StarterPlace, cases: Mapping[str, Mapping[str, str]]) -> tuple[Path, ...]:
    """Write new cases, all of them whole or none.

    Args:
        place: Where.
        cases: By name: the texts of its files by path.

    Returns:
        The files as the user would name them, in order.

    Raises:
        InputError: If a name cannot be used or is taken, or a file cannot be written; nothing was written then.
    """
    faults = [_fault(name, place, why) for name in cases if (why := _problem(name, place)) is not None]
    if faults:
        raise InputError(visible_findings(faults))
    names = [Path(name, file) for name, files in cases.items() for file in files]
    texts = [text for files in cases.values() for text in files.values()]
    write_whole({place.eval_dir / name: text for name, text in zip(names, texts, strict=True)})
    return tuple(place.named / name for name in names)


def _problem(name: str, place: StarterPlace) -> str | None:
    if (problem := name_problem(name)) is not None:
        return tr("no case can be called {name!r}: {problem}", name=name, problem=problem)
    if name.casefold() in place.taken:
        return tr(
            "{named} is there already and is never written over; choose another name",
            named=(place.named / name).as_posix(),
        )
    return None


def _fault(name: str, place: StarterPlace, why: str) -> Finding:
    return Finding(level=Level.FAIL, code="case-name", message=why, values={"name": name, "place": str(place.named)})


def _calls_of(skill: str, plugin: str) -> str:
    """Write a pattern for calls of one skill, under either of its names and no other skill's."""
    names = (_SPECIAL.sub(r"\\\g<0>", json.dumps(name, ensure_ascii=False)[1:-1]) for name in (plugin, skill))
    first, second = names
    return json.dumps(f'"skill":"({first}:)?{second}"', ensure_ascii=False)


def _plain(text: str) -> str:
    """Make a text that begins as words do: a slash would be a command, and blank lines around it are cut anyway."""
    words = sendable(text).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").strip()
    return f"Please: {words}" if words.startswith("/") else words

"""The skills of a plugin as a model may be told of them, read as leniently as the real program reads them.

Source: Suites recorded with Claude Code 2.1.332.
"""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from skill_evaluator.formats.skill_body import find_body_phrases
from skill_evaluator.formats.skill_files import SKILL_FILE, list_skill_files
from skill_evaluator.formats.skill_phrases import find_phrases, joined
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.frontmatter import read_suite_text
from skill_evaluator.formats.suite.plugin import Plugin
from skill_evaluator.formats.suite.reading import read_inside
from skill_evaluator.formats.visible import encodable
from skill_evaluator.model import PluginSkill, Skill

_LINE: Final = re.compile(r"([A-Za-z_-]+):[ \t]+(.*)")
_BLOCK: Final = re.compile(r"---[ \t\r]*\n(.*?)\n---[^\n]*(?:\n|\Z)(.*)", re.DOTALL)


def plugin_skills(plugin: Plugin) -> tuple[PluginSkill, ...]:
    """Read the skills of a plugin, by the name of their folders; those that cannot be read at all are left out."""
    found = (_read(folder, plugin) for folder in plugin.skill_folders)
    return tuple(sorted((one for one in found if one is not None), key=lambda one: one.skill.name))


def _read(folder: Path, plugin: Plugin) -> PluginSkill | None:
    read = read_inside(folder / SKILL_FILE, root=plugin.root)
    if isinstance(read, SuiteFault):
        return None
    values, body = _parts(read.text)
    name, description = _text(values, "name"), _text(values, "description") or ""
    when = _text(values, "when_to_use")
    phrases = joined(map(find_phrases, (description, when or "")))
    skill = Skill(
        name=f"{plugin.name}:{folder.name}",
        description=description,
        body=body,
        path=folder / SKILL_FILE,
        sha256=hashlib.sha256(read.text.encode(errors="replace")).hexdigest(),
        files=tuple(encodable(file) for file in list_skill_files(folder / SKILL_FILE, read.text)),
        when_to_use=when,
        triggers=phrases.triggers,
        non_triggers=joined([phrases, find_body_phrases(body)]).non_triggers,
    )
    is_off = str(values.get("disable-model-invocation")).casefold() == "true"
    return PluginSkill(
        skill=skill,
        title=name if name and name != folder.name else None,
        is_listed=bool(description) and not is_off,
    )


def _parts(text: str) -> tuple[Mapping[str, object], str]:
    """Give the keys and the body; a block that is no YAML is read line by line."""
    parts = read_suite_text(text)
    if not isinstance(parts, SuiteFault):
        return parts.values, parts.body
    block = _BLOCK.match(text)
    if block is None:
        return {}, text
    lines = filter(None, map(_LINE.match, block[1].splitlines()))
    return {line[1]: line[2] for line in lines}, block[2].strip()


def _text(values: Mapping[str, object], key: str) -> str | None:
    value = values.get(key)
    return value.strip() or None if isinstance(value, str) else None

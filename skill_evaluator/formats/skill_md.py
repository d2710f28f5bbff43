"""SKILL.md -> Skill, with its files, their hash, and the phrases it says it fires for."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skill_evaluator.formats.frontmatter import Fields, cut_frontmatter, parse_frontmatter
from skill_evaluator.formats.reasons import system_reason
from skill_evaluator.formats.skill_body import find_body_phrases
from skill_evaluator.formats.skill_files import (
    SKILL_FILE,
    hash_skill_files,
    lies_in_skill,
    list_skill_files,
    skill_file_hashes,
    skill_file_of,
)
from skill_evaluator.formats.skill_identities import find_identities
from skill_evaluator.formats.skill_phrases import find_phrases, joined
from skill_evaluator.formats.skill_rules import check_fields
from skill_evaluator.formats.text_file import read_text
from skill_evaluator.formats.visible import encodable, visible_findings
from skill_evaluator.model import Finding, Level, Skill
from skill_evaluator.texts import tr

__all__ = ["LoadedSkill", "hash_skill_files", "lies_in_skill", "read_skill", "skill_file_hashes"]

_MAX_BYTES: Final = 1024 * 1024  # an agent could not take in more
_TOOLS: Final = re.compile(r"(?:[^\s,(]|\([^)]*\)?)+")


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadedSkill:
    """A reader's answer: the skill is None as soon as one finding is a FAIL."""

    skill: Skill | None
    findings: tuple[Finding, ...] = ()


def read_skill(path: Path) -> LoadedSkill:
    """Read a skill; nothing is ever written.

    Args:
        path: The SKILL.md, or the folder that holds it.

    Returns:
        The skill and what is doubtful about it, or every fault that keeps it from being read.
    """
    loaded = _read(skill_file_of(path))
    return LoadedSkill(skill=loaded.skill, findings=visible_findings(loaded.findings))


def _read(file: Path) -> LoadedSkill:
    text = read_text(file, max_bytes=_MAX_BYTES)
    if isinstance(text, Finding):
        return LoadedSkill(skill=None, findings=(text,))
    cut = cut_frontmatter(text, str(file))
    if isinstance(cut, Finding):
        return LoadedSkill(skill=None, findings=(cut,))
    fields = parse_frontmatter(cut.yaml, str(file))
    if isinstance(fields, Finding):
        return LoadedSkill(skill=None, findings=(fields,))
    findings = (*_file_doubts(file, cut.body), *check_fields(fields, str(file)))
    if any(finding.level is Level.FAIL for finding in findings):
        return LoadedSkill(skill=None, findings=findings)
    return _build(file, text, cut.body, fields, findings)


def _build(file: Path, text: str, body: str, fields: Fields, findings: tuple[Finding, ...]) -> LoadedSkill:
    files = list_skill_files(file, text)
    try:
        sha256 = hash_skill_files(file.parent, files)
    except (OSError, ValueError) as error:
        why = system_reason(error)
        if isinstance(error, OSError):
            why = tr("{problem} ({file})", problem=why, file=str(error.filename))
        message = tr("a file of the skill cannot be read: {why}", why=why)
        fault = Finding(level=Level.FAIL, code="unreadable", message=message, file=str(file))
        return LoadedSkill(skill=None, findings=(*findings, fault))
    description, when_to_use = _text(fields, "description") or "", _text(fields, "when_to_use")
    phrases = joined([find_phrases(description), find_phrases(when_to_use or ""), find_body_phrases(body)])
    skill = Skill(
        name=_text(fields, "name") or "",
        description=description,
        body=body,
        path=file,
        sha256=sha256,
        files=tuple(encodable(name) for name in files),
        when_to_use=when_to_use,
        version=fields.scalar("version") or fields.scalar("metadata", "version"),
        triggers=phrases.triggers,
        non_triggers=phrases.non_triggers,
        allowed_tools=_allowed_tools(fields.values.get("allowed-tools")),
        identities=find_identities(fields),
    )
    return LoadedSkill(skill=skill, findings=findings)


def _file_doubts(file: Path, body: str) -> list[Finding]:
    doubts = []
    if file.name != SKILL_FILE:
        message = tr(
            "agents look for a file named exactly {skill_file}; rename it before it is used", skill_file=SKILL_FILE
        )
        doubts.append(Finding(level=Level.WARN, code="skill-file-name", message=message, file=str(file)))
    if not body.strip():
        message = tr("nothing stands below the `---` block, so an agent that fires the skill learns nothing more")
        doubts.append(Finding(level=Level.WARN, code="skill-body-empty", message=message, file=str(file)))
    return doubts


def _text(fields: Fields, key: str) -> str | None:
    value = fields.values.get(key)
    return value.strip() or None if isinstance(value, str) else None


def _allowed_tools(value: object) -> tuple[str, ...] | None:
    """Read `Read, Bash(git:*)`, the same parted by blanks, or a list."""
    match value:
        case str():
            return tuple(_TOOLS.findall(value))
        case list():
            return tuple(item.strip() for item in value if isinstance(item, str) and item.strip())
        case _:
            return None

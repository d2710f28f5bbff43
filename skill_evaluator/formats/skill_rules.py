"""What is wrong or doubtful about the values of a skill's frontmatter.

Only what keeps a skill from being offered to an agent is a FAIL; people use skills that break every other rule.
"""

import difflib
import re
from collections.abc import Iterator
from typing import Final

from skill_evaluator.formats.frontmatter import Fields
from skill_evaluator.formats.skill_wording import catch_all_wording
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import tr

MAX_DESCRIPTION_CHARS: Final = 1024  # Source: Agent Skills specification, field `description`
MAX_NAME_CHARS: Final = 64  # Source: the same, field `name`
_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_KNOWN: Final = (
    "agent", "allowed-tools", "argument-hint", "arguments", "author", "compatibility", "context", "description",
    "disable-model-invocation", "effort", "hooks", "license", "metadata", "model", "name", "paths", "shell", "tags",
    "user-invocable", "version", "when_to_use",
)  # fmt: skip
_NEAR: Final = 0.8  # difflib ratio: one or two letters off, or `_` for `-`


def check_fields(fields: Fields, file: str) -> Iterator[Finding]:
    """Give every fault and doubt about the values.

    Args:
        fields: The parsed block.
        file: The SKILL.md as the user named it.

    Yields:
        A FAIL where `name` or `description` is missing, empty or no text; otherwise WARNs.
    """
    yield from _required("name", fields, file)
    yield from _required("description", fields, file)
    for code, key, message, values in (*_name_doubts(fields), *_description_doubts(fields), *_other_doubts(fields)):
        line = fields.line(key)
        yield Finding(level=Level.WARN, code=code, message=message, file=file, pointer=key, line=line, values=values)


_Doubt = tuple[str, str, str, dict[str, object]]


def _required(key: str, fields: Fields, file: str) -> Iterator[Finding]:
    value = fields.values.get(key)
    if isinstance(value, str) and value.strip():
        return
    line = fields.line(key)
    if value is None or isinstance(value, str):
        near = next((other for other in fields.values if other.lower() == key and other != key), None)
        found = tr("{key!r} is empty", key=key) if line else tr("{key!r} is missing", key=key)
        remedy = (
            tr("rename {near!r} to {key!r}", near=near, key=key)
            if near and not line
            else tr("write `{key}: ...` in the `---` block", key=key)
        )
    else:
        found, remedy = tr("{key!r} is {value}, not text", key=key, value=_kind(value)), tr("put it in double quotes")
    message = tr("{found}; {remedy}, or no agent can offer the skill", found=found, remedy=remedy)
    yield Finding(level=Level.FAIL, code=f"skill-{key}", message=message, file=file, pointer=key, line=line or 1)


def _kind(value: object) -> str:
    match value:
        case bool():
            return tr("true or false")
        case int() | float():
            return tr("a number")
        case list():
            return tr("a list")
        case _:
            return tr("a mapping")


def _name_doubts(fields: Fields) -> Iterator[_Doubt]:
    name = fields.values.get("name")
    if not isinstance(name, str):
        return
    if not _NAME.fullmatch(name):
        message = tr(
            "{name!r} is not lower-case letters, digits and single hyphens, as agents ask of a skill's name", name=name
        )
        yield "skill-name-style", "name", message, {"name": name}
    if len(name) > MAX_NAME_CHARS:
        message = tr(
            "the name has {name} characters; some agents take {max_name_chars} at most",
            name=len(name),
            max_name_chars=MAX_NAME_CHARS,
        )
        yield "skill-name-long", "name", message, {"length": len(name), "limit": MAX_NAME_CHARS}


def _description_doubts(fields: Fields) -> Iterator[_Doubt]:
    text = fields.values.get("description")
    if not isinstance(text, str):
        return
    if len(text) > MAX_DESCRIPTION_CHARS:
        length, limit = len(text), MAX_DESCRIPTION_CHARS
        message = tr(
            "the description has {length:,} characters; some agents cut or refuse it beyond {limit:,}",
            length=length,
            limit=limit,
        )
        yield "skill-description-long", "description", message, {"length": length, "limit": limit}
    if "<" in text:
        message = tr("the description holds '<', which some agents refuse since it looks like a tag; write it in words")
        yield "skill-angle-brackets", "description", message, {}
    if wording := catch_all_wording(text):
        message = tr(
            "{wording!r} claims every request, so the skill is likely to fire where it should not; say what it is for",
            wording=wording,
        )
        yield "catch-all-description", "description", message, {"wording": wording}
    tail = fields.entries["description",].tail
    if re.match(r"#\S", tail):
        message = tr(
            "YAML takes {tail!r} for a comment and drops it; put the description in double quotes", tail=tail[:40]
        )
        yield "skill-comment-in-description", "description", message, {"dropped": tail}


def _other_doubts(fields: Fields) -> Iterator[_Doubt]:
    for key in fields.values:
        near = difflib.get_close_matches(key.lower(), _KNOWN, n=1, cutoff=_NEAR)
        if near and key not in _KNOWN and near[0] not in fields.values:
            yield (
                "skill-unknown-key",
                key,
                tr("{key!r} is no known key; was {near!r} meant?", key=key, near=near[0]),
                {"nearest": near[0]},
            )
    if fields.values.get("disable-model-invocation") is True:
        message = tr("the skill is only started by hand, so no request can trigger it and trigger scores say nothing")
        yield "skill-manual-only", "disable-model-invocation", message, {}
    for key in ("when_to_use", "allowed-tools", "version"):
        value = fields.values.get(key)
        if isinstance(value, dict) or (isinstance(value, list) and key != "allowed-tools"):
            yield (
                "skill-value-type",
                key,
                tr("{key!r} is {value}, which is not read; write it as text", key=key, value=_kind(value)),
                {},
            )

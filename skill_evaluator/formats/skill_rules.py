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
        found = f"{key!r} is empty" if line else f"{key!r} is missing"
        remedy = f"rename {near!r} to {key!r}" if near and not line else f"write `{key}: ...` in the `---` block"
    else:
        found, remedy = f"{key!r} is {_kind(value)}, not text", "put it in double quotes"
    message = f"{found}; {remedy}, or no agent can offer the skill"
    yield Finding(level=Level.FAIL, code=f"skill-{key}", message=message, file=file, pointer=key, line=line or 1)


def _kind(value: object) -> str:
    match value:
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case list():
            return "a list"
        case _:
            return "a mapping"


def _name_doubts(fields: Fields) -> Iterator[_Doubt]:
    name = fields.values.get("name")
    if not isinstance(name, str):
        return
    if not _NAME.fullmatch(name):
        message = f"{name!r} is not lower-case letters, digits and single hyphens, as agents ask of a skill's name"
        yield "skill-name-style", "name", message, {"name": name}
    if len(name) > MAX_NAME_CHARS:
        message = f"the name has {len(name)} characters; some agents take {MAX_NAME_CHARS} at most"
        yield "skill-name-long", "name", message, {"length": len(name), "limit": MAX_NAME_CHARS}


def _description_doubts(fields: Fields) -> Iterator[_Doubt]:
    text = fields.values.get("description")
    if not isinstance(text, str):
        return
    if len(text) > MAX_DESCRIPTION_CHARS:
        length, limit = len(text), MAX_DESCRIPTION_CHARS
        message = f"the description has {length:,} characters; some agents cut or refuse it beyond {limit:,}"
        yield "skill-description-long", "description", message, {"length": length, "limit": limit}
    if "<" in text:
        message = "the description holds '<', which some agents refuse since it looks like a tag; write it in words"
        yield "skill-angle-brackets", "description", message, {}
    if wording := catch_all_wording(text):
        message = (
            f"{wording!r} claims every request, so the skill is likely to fire where it should not; say what it is for"
        )
        yield "catch-all-description", "description", message, {"wording": wording}
    tail = fields.entries["description",].tail
    if re.match(r"#\S", tail):
        message = f"YAML takes {tail[:40]!r} for a comment and drops it; put the description in double quotes"
        yield "skill-comment-in-description", "description", message, {"dropped": tail}


def _other_doubts(fields: Fields) -> Iterator[_Doubt]:
    for key in fields.values:
        near = difflib.get_close_matches(key.lower(), _KNOWN, n=1, cutoff=_NEAR)
        if near and key not in _KNOWN and near[0] not in fields.values:
            yield "skill-unknown-key", key, f"{key!r} is no known key; was {near[0]!r} meant?", {"nearest": near[0]}
    if fields.values.get("disable-model-invocation") is True:
        message = "the skill is only started by hand, so no request can trigger it and trigger scores say nothing"
        yield "skill-manual-only", "disable-model-invocation", message, {}
    for key in ("when_to_use", "allowed-tools", "version"):
        value = fields.values.get(key)
        if isinstance(value, dict) or (isinstance(value, list) and key != "allowed-tools"):
            yield "skill-value-type", key, f"{key!r} is {_kind(value)}, which is not read; write it as text", {}

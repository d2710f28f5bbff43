"""Files of a suite -> the mapping that opens them or that they are, with lines of the file, and the text below it.

A block opens with `---` and nothing but blanks in the very first line, and ends at the next `---`, wherever in a line
that stands: `summary: a --- b` ends it. Anything else is text.

Source: Suites recorded with Claude Code 2.1.332.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from skill_evaluator.formats.suite.blanks import JS_BLANKS, trimmed
from skill_evaluator.formats.suite.faults import KeyPath, SuiteFault, Values
from skill_evaluator.formats.visible import visible
from skill_evaluator.formats.yaml12 import SUITE, RepeatedKey, YamlEntry, YamlError, read_yaml
from skill_evaluator.formats.yaml_remedies import remedy_of
from skill_evaluator.texts import changed, tr

_OPENING: Final = re.compile(f"---[{JS_BLANKS}]*\n")
_FENCE: Final = "---"
_BELOW: Final = ("prompt", "pattern", "criteria")  # what the text below a block stands for


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteText:
    """A file of a suite: a mapping, and the text below it.

    Attributes:
        values: By key, all keys text; empty without frontmatter, and where it is empty, null or only comments.
        entries: How each value was written, by keys and indexes; lines are those of the file.
        repeated: Keys that stand more than once; the last one counts.
        body: The text below the block, or all of it without one, trimmed as JavaScript does; line ends as written.
        body_line: 1-based line in which the body starts; None where there is none.
        has_frontmatter: Whether the file opens with a block, be it empty.
        ends_inside: 1-based line of a `---` that ends the block though other characters stand in its line, so that
            the author hardly meant it; None where the block ends with a line of its own.
        is_null: Whether there is no mapping at all, only null or comments.
    """

    values: Values
    entries: Mapping[tuple[object, ...], YamlEntry] = field(default_factory=dict)
    repeated: tuple[RepeatedKey, ...] = ()
    body: str = ""
    body_line: int | None = None
    has_frontmatter: bool = False
    ends_inside: int | None = None
    is_null: bool = False

    def line(self, path: KeyPath) -> int | None:
        """Give the 1-based line of a place, or of the nearest thing around it; None for the mapping as a whole.

        What is not written in the mapping and may stand below it is looked for there.
        """
        if path and path[0] in _BELOW and path[0] not in self.values:
            return self.body_line
        while path and path not in self.entries:
            path = path[:-1]
        return self.entries[path].line if path else None


def read_suite_text(text: str) -> SuiteText | SuiteFault:
    """Read a prompt.md, a file of graders/ or a mock file.

    Args:
        text: The whole file with the line ends it has, without a byte order mark.

    Returns:
        Its parts, or the one thing that keeps it from being read.
    """
    opening = _OPENING.match(text)
    if opening is None:
        return SuiteText(values={}, body=trimmed(text), body_line=_first_line(text, 0))
    end = text.find(_FENCE, opening.end())
    if end < 0:
        message = tr("the block opened by '---' in line 1 is never closed; write a line of '---' below its last key")
        return SuiteFault(code="frontmatter-open", path=(), message=message, line=1)
    block = "\n" * text.count("\n", 0, opening.end()) + text[opening.end() : end]
    ends_inside = None if _stands_alone(text, end) else text.count("\n", 0, end) + 1
    read = _mapping(block, tr("the '---' block"))
    if isinstance(read, SuiteFault):
        return read if ends_inside is None else _ended_inside(read, ends_inside)
    start = end + len(_FENCE)
    return replace(
        read,
        body=trimmed(text[start:]),
        body_line=_first_line(text, start),
        has_frontmatter=True,
        ends_inside=ends_inside,
    )


def read_suite_yaml(text: str) -> SuiteText | SuiteFault:
    """Read a file that is YAML as a whole, such as case.yaml.

    Args:
        text: The whole file with the line ends it has, without a byte order mark.

    Returns:
        Its mapping, with an empty body, or the one thing that keeps it from being read.
    """
    return _mapping(text, tr("the file"))


def _first_line(text: str, start: int) -> int | None:
    """Give the line of the first character from a place on that is no blank."""
    rest = text[start:].lstrip(JS_BLANKS)
    return text.count("\n", 0, len(text) - len(rest)) + 1 if rest else None


def _stands_alone(text: str, fence: int) -> bool:
    before = text[text.rfind("\n", 0, fence) + 1 : fence]
    return not before and not text[fence + len(_FENCE) :].partition("\n")[0].strip(JS_BLANKS)


def _ended_inside(fault: SuiteFault, line: int) -> SuiteFault:
    why = tr(
        "it ends at the '---' inside line {line}, which is taken for the closing line; write other dashes there",
        line=line,
    )
    return replace(
        fault,
        message=tr("{message}; {why}", message=fault.message, why=why),
        values={**fault.values, "ends_inside": line},
    )


def _told(yaml: str, error: YamlError) -> str:
    remedy = remedy_of(yaml, error, is_nested=True)
    if remedy is None:
        return error.message
    key, what, do = remedy
    return tr("the value of {key!r} {what} ({message}); {do}", key=key, what=what, message=error.message, do=do)


def _mapping(yaml: str, whole: str) -> SuiteText | SuiteFault:
    try:
        read = read_yaml(yaml, dialect=SUITE)
    except YamlError as error:
        message = tr("{whole} is no valid YAML: {why}", whole=whole, why=changed(_told(yaml, error), visible))
        return SuiteFault(code="not-yaml", path=(), message=message, line=error.line)
    match read.value:
        case None:
            values: dict[str, object] = {}
        case dict():
            values = read.value
        case other:
            kind = tr("more than one document or a list") if isinstance(other, list) else tr("a single value")
            message = tr(
                "{whole} holds {kind}, not keys with values; write it as `key: value` lines", whole=whole, kind=kind
            )
            return SuiteFault(code="not-a-mapping", path=(), message=message, line=1)
    return SuiteText(values=values, entries=read.entries, repeated=read.repeated, is_null=read.value is None)

"""YAML 1.2 core schema on top of PyYAML, which by itself speaks YAML 1.1.

So `yes`, `on` and dates stay text, `010` is ten, and a key that stands twice is an error or at least told, not a loss.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import yaml

from skill_evaluator.formats.yaml_builder import Builder
from skill_evaluator.formats.yaml_events import PARSERS, Events, line_of
from skill_evaluator.formats.yaml_places import Entries, Place
from skill_evaluator.formats.yaml_values import (
    STRICT,
    SUITE,
    Dialect,
    KeyPath,
    RepeatedKey,
    YamlEntry,
    YamlError,
)
from skill_evaluator.texts import tr

__all__ = [
    "MAX_CHARS",
    "MAX_DEPTH",
    "PARSERS",
    "STRICT",
    "SUITE",
    "Dialect",
    "RepeatedKey",
    "YamlEntry",
    "YamlError",
    "YamlText",
    "parse_yaml",
    "read_yaml",
]

# PyYAML takes a tab in an otherwise blank line for indentation; only where that fails, so that a tab in a text stays.
_TAB_LINES: Final = re.compile(r"^[ ]*\t[ \t]*$", re.MULTILINE)
_EMPTY_KEY: Final = re.compile(r"^((?:[ ]|- )*|.*?[{,][ ]*)(?=:(?:[ \t]|$))")
_MAX_MENDED: Final = 4  # each costs as much as reading
MAX_CHARS: Final = STRICT.max_chars
MAX_DEPTH: Final = STRICT.max_depth


@dataclass(frozen=True, kw_only=True, slots=True)
class YamlText:
    """A parsed text.

    Attributes:
        value: The value of its document; a list of them where there are several.
        entries: How each value in a mapping or list was written, by keys and indexes.
        repeated: Keys that stand more than once; none where that is an error.
    """

    value: object
    entries: Mapping[KeyPath, YamlEntry]
    repeated: tuple[RepeatedKey, ...] = ()


def parse_yaml(text: str) -> object:
    """Read one YAML document.

    Args:
        text: The document, without a byte order mark.

    Returns:
        None, bool, int, float, str, list and dict only; None for an empty text.

    Raises:
        YamlError: If it is no valid YAML, holds a key twice, a tag that is no core type, or goes beyond a limit.

    Source:
        YAML 1.2.2, chapter 10.3 (core schema).
    """
    return read_yaml(text).value


def read_yaml(text: str, *, dialect: Dialect = STRICT, parser: str | None = None) -> YamlText:
    """Read a YAML text and where its values stand.

    Args:
        text: The text, without a byte order mark.
        dialect: STRICT, as `parse_yaml`, or SUITE.
        parser: Key of PARSERS; None for the fastest that is installed.

    Returns:
        Values of the types that `parse_yaml` gives; those that aliases share are the same object.

    Raises:
        YamlError: If it is no valid YAML, or not in the dialect, or goes beyond a limit of it.
    """
    if len(text) > dialect.max_chars:
        raise YamlError(tr("longer than {max_chars:,} characters", max_chars=dialect.max_chars), 1)
    try:
        return _read(text, dialect, parser)
    except YamlError as error:
        if not dialect.like_bun:
            raise
        return _read_mended(text, error, parser)


def _read_mended(text: str, error: YamlError, parser: str | None) -> YamlText:
    """Read again what Bun reads and PyYAML does not; where that fails too, the first error holds."""
    mended, found = text, error
    for _ in range(_MAX_MENDED):
        before, mended = mended, _mended(mended, found.line)
        if mended == before:
            break
        try:
            return _read(mended, SUITE, parser)
        except YamlError as again:
            found = again
    raise error


def _mended(text: str, line: int) -> str:
    """Take tabs out of lines that are blank otherwise, and write out a key that is left empty in a line at fault."""
    stripped = _TAB_LINES.sub("", text)
    if stripped != text:
        return stripped
    lines = text.split("\n")
    lines[line - 1 : line] = [_EMPTY_KEY.sub(r"\1null", one) for one in lines[line - 1 : line]]
    return "\n".join(lines)


def _read(text: str, dialect: Dialect, parser: str | None) -> YamlText:
    events = Events(text, like_bun=dialect.like_bun, parser=parser)
    builder = Builder(events, dialect)
    documents = _documents(events, builder, dialect)
    repeated = tuple(builder.repeated)
    match documents:
        case []:
            return YamlText(value=None, entries={})
        case [(value, place)]:
            single = tuple(replace(key, path=key.path[1:]) for key in repeated)
            return YamlText(value=value, entries=Entries(text, place.inner), repeated=single)
        case _:
            top: dict[object, Place] = {index: place for index, (_, place) in enumerate(documents)}
            values = [value for value, _ in documents]
            return YamlText(value=values, entries=Entries(text, top), repeated=repeated)


def _documents(events: Events, builder: Builder, dialect: Dialect) -> list[tuple[object, Place]]:
    documents: list[tuple[object, Place]] = []
    while not isinstance(event := events.next(), yaml.StreamEndEvent):
        if isinstance(event, yaml.DocumentStartEvent):
            if documents and not dialect.like_bun:
                line = line_of(event)
                raise YamlError(tr("expected a single document in the stream, but found another document"), line)
            documents.append(builder.document(len(documents)))
    return documents

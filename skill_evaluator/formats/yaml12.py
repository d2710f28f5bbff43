"""YAML 1.2 core schema on top of PyYAML, which by itself speaks YAML 1.1.

So `yes`, `on` and dates stay text, `010` is ten, and a key that stands twice is an error, not a loss.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import yaml

from skill_evaluator.formats.yaml_values import PATTERNS, PREFIX, Builder, KeyPath, RepeatedKey, YamlEntry, YamlError

__all__ = ["STRICT", "SUITE", "Dialect", "RepeatedKey", "YamlEntry", "YamlError", "YamlText", "parse_yaml", "read_yaml"]

MAX_CHARS: Final = 256 * 1024  # PyYAML needs about a second for this much
MAX_DEPTH: Final = 50
MAX_VALUES: Final = 20_000  # counted with aliases written out, so that a few lines cannot grow without bound


class Dialect(StrEnum):
    """How a text is read: strictly, or as the files of a suite are."""

    STRICT = "strict"
    SUITE = "suite"


STRICT: Final = Dialect.STRICT
SUITE: Final = Dialect.SUITE


@dataclass(frozen=True, kw_only=True, slots=True)
class YamlText:
    """A parsed text.

    Attributes:
        value: The value of its document.
        entries: How each value in a mapping or list was written, by keys and indexes.
        repeated: Keys that stand more than once; none where that is an error.
    """

    value: object
    entries: Mapping[KeyPath, YamlEntry]
    repeated: tuple[RepeatedKey, ...] = ()


class _Loader(yaml.SafeLoader):
    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 - PyYAML's own attribute

    def scan_to_next_token(self) -> None:
        """Let tabs separate tokens on a line, as YAML 1.2 does; as indentation they stay an error."""
        super().scan_to_next_token()
        while self.peek() == "\t" and (self.flow_level or not self.allow_simple_key):
            self.forward()
            super().scan_to_next_token()


for _name, _pattern in PATTERNS.items():
    _Loader.add_implicit_resolver(PREFIX + _name, _pattern, None)


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


def read_yaml(text: str, *, dialect: Dialect = STRICT) -> YamlText:
    """Read one YAML document and where its values stand; see `parse_yaml`.

    Raises:
        YamlError: As `parse_yaml`.
    """
    if len(text) > MAX_CHARS:
        raise YamlError(f"longer than {MAX_CHARS:,} characters", 1)
    node = _compose(text)
    if node is None:
        return YamlText(value=None, entries={})
    _check_size(node)
    entries: dict[KeyPath, YamlEntry] = {}
    return YamlText(value=Builder(text, entries).build(node, ()), entries=entries)


def _compose(text: str) -> yaml.Node | None:
    """Parse twice: depth is counted over flat events first, since composing recurses."""
    loader = None
    try:
        loader = _Loader(text)
        _check_depth(loader)
        loader = _Loader(text)
        return loader.get_single_node()
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, int(error.position)) + 1
        raise YamlError(f"holds a control character (U+{ord(text[error.position]):04X}); remove it", line) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlError(error.problem or "not valid YAML", mark.line + 1 if mark else 1) from error
    except YamlError:
        raise
    except (ValueError, OverflowError) as error:  # an escape beyond the last character, such as "\UFFFFFFFF"
        line = 1 if loader is None else loader.line + 1
        raise YamlError("holds an escape that stands for no character", line) from error


def _check_depth(loader: _Loader) -> None:
    depth = 0
    while loader.check_event():
        event = loader.get_event()  # type: ignore[no-untyped-call] # types-PyYAML leaves it bare
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise YamlError(f"nested deeper than {MAX_DEPTH} levels", event.start_mark.line + 1)


def _check_size(root: yaml.Node) -> None:
    """Measure what comes out when every alias is written out."""
    measured: dict[int, tuple[int, int] | None] = {}

    def measure(node: yaml.Node) -> tuple[int, int]:
        """Give the number of values and of levels."""
        line = node.start_mark.line + 1
        known = measured.setdefault(id(node), (0, 0))
        if known is None:
            raise YamlError("an alias refers to what it stands in", line)
        if known == (0, 0):
            measured[id(node)] = None
            inner = [measure(child) for child in _children(node)]
            known = 1 + sum(count for count, _ in inner), 1 + max((levels for _, levels in inner), default=0)
            measured[id(node)] = known
        if known[0] > MAX_VALUES or known[1] > MAX_DEPTH + 1:
            raise YamlError(f"more than {MAX_VALUES:,} values or {MAX_DEPTH} levels once aliases are written out", line)
        return known

    measure(root)


def _children(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield key
            yield value
    elif isinstance(node, yaml.SequenceNode):
        yield from node.value

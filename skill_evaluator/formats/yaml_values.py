"""YAML nodes -> plain values of the core schema."""

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import yaml

PREFIX: Final = "tag:yaml.org,2002:"
# Source: YAML 1.2.2, chapter 10.3.2; the order is that in which they are tried.
PATTERNS: Final = MappingProxyType(
    {
        "null": re.compile(r"(?:~|null|Null|NULL|)\Z"),
        "bool": re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"),
        "int": re.compile(r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)\Z"),
        "float": re.compile(
            r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z"
        ),
    }
)
KeyPath = tuple[object, ...]


class YamlError(ValueError):
    """A text that is not YAML, or not YAML that is read here.

    Attributes:
        message: What is wrong, without the place.
        line: 1-based line in the text.
    """

    def __init__(self, message: str, line: int) -> None:
        super().__init__(f"line {line}: {message}")
        self.message = message
        self.line = line


@dataclass(frozen=True, kw_only=True, slots=True)
class YamlEntry:
    """How one value of a mapping was written.

    Attributes:
        line: 1-based line of its key.
        written: The scalar before it became a number or the like, None for lists and mappings.
        plain: Whether it is a scalar without quotes or block mark.
        tail: What stands behind a plain scalar on its last line.
    """

    line: int
    written: str | None
    plain: bool
    tail: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RepeatedKey:
    """A key that stands more than once in one mapping.

    Attributes:
        path: Keys and indexes to it, itself included.
        line: 1-based line where it stands again.
        first: 1-based line where it stands first.
    """

    path: KeyPath
    line: int
    first: int


class Builder:
    """Turns nodes into plain values, noting how each value of a mapping was written."""

    def __init__(self, text: str, entries: dict[KeyPath, YamlEntry]) -> None:
        self._text = text
        self._entries = entries

    def build(self, node: yaml.Node, path: KeyPath) -> object:
        """Give the value of a node that stands at a key path."""
        match node, node.tag.removeprefix(PREFIX):
            case yaml.MappingNode(), "map":
                return self._mapping(node, path)
            case yaml.SequenceNode(), "seq":
                return [self.build(item, (*path, index)) for index, item in enumerate(node.value)]
            case yaml.ScalarNode(), tag:
                return _scalar(node, tag)
            case _, tag:
                raise _bad_tag(node, tag)

    def _mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[object, object]:
        built: dict[object, object] = {}
        for key_node, value_node in node.value:
            key, line = self.build(key_node, path), key_node.start_mark.line + 1
            if isinstance(key, dict | list):
                raise YamlError("a list or mapping stands where a key belongs; is a quote missing?", line)
            if key in built:
                first = self._entries[(*path, key)].line
                raise YamlError(f"the key {key!r} stands twice (first in line {first}); keep one", line)
            built[key] = self.build(value_node, (*path, key))
            self._entries[(*path, key)] = self._entry(value_node, line)
        return built

    def _entry(self, node: yaml.Node, line: int) -> YamlEntry:
        if not isinstance(node, yaml.ScalarNode):
            return YamlEntry(line=line, written=None, plain=False, tail="")
        tail = self._text[node.end_mark.index :].partition("\n")[0] if node.style is None else ""
        written = _joined_surrogates(node.value)
        return YamlEntry(line=line, written=written, plain=node.style is None, tail=tail.strip())


def _scalar(node: yaml.ScalarNode, tag: str) -> object:
    text, line = node.value, node.start_mark.line + 1
    if tag in PATTERNS and not PATTERNS[tag].match(text):
        raise _bad_tag(node, tag)
    try:
        match tag:
            case "str":
                return _joined_surrogates(text)
            case "null":
                return None
            case "bool":
                return text.lower() == "true"
            case "int":
                return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
            case "float":
                return float(re.sub(r"\.(?=inf|nan)", "", text.lower()))
            case _:
                raise _bad_tag(node, tag)
    except YamlError:
        raise
    except ValueError as error:  # digits beyond what Python converts, or half of a surrogate pair
        raise YamlError(str(error), line) from error


def _joined_surrogates(text: str) -> str:
    r"""Read `\ud83d\ude00` as JSON does; half a pair is a ValueError."""
    try:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError as error:
        raise ValueError("holds half of a character; write the character itself") from error


def _bad_tag(node: yaml.Node, tag: str) -> YamlError:
    return YamlError(f"the tag {tag!r} does not fit here; remove it, or quote the value", node.start_mark.line + 1)

"""YAML events -> plain values and where they stand, in one pass that never goes deeper or on longer than it may."""

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

import yaml

from skill_evaluator.formats.yaml_events import Events
from skill_evaluator.formats.yaml_places import Place
from skill_evaluator.formats.yaml_scalars import PATTERNS, PREFIX, js_key, js_plain_value, plain_value, tagged_value
from skill_evaluator.formats.yaml_values import Dialect, KeyPath, RepeatedKey, YamlError

_NOTHING: Final = MappingProxyType[object, Place]({})
_MERGE: Final = "<<"


@dataclass(kw_only=True, slots=True)
class _Anchored:
    """A value with a name; `place` is None until it is complete."""

    value: object = None
    place: Place | None = None
    count: int = 0
    levels: int = 0


@dataclass(kw_only=True, slots=True)
class _Mapping:
    """A mapping while it is built."""

    values: dict[object, object] = field(default_factory=dict)
    places: dict[object, Place] = field(default_factory=dict)
    merged: set[object] = field(default_factory=set)


class Builder:
    """Builds the documents of one text.

    Attributes:
        repeated: Keys that stood more than once so far.
    """

    def __init__(self, events: Events, dialect: Dialect) -> None:
        self.repeated: list[RepeatedKey] = []
        self._events = events
        self._dialect = dialect
        self._anchors: dict[str, _Anchored] = {}
        self._path: list[object] = []
        self._count = 0
        self._deepest = 0  # level reached since the innermost open anchor

    def document(self, index: int | None) -> tuple[object, Place]:
        """Build the document whose start was just read.

        Args:
            index: Its number among several; None for a single one.

        Raises:
            YamlError: If it is no YAML, or not in this dialect, or goes beyond a limit.
        """
        self._anchors.clear()
        self._path = [] if index is None else [index]
        built = self._node(self._events.next(), 0)
        self._events.next()  # its end
        return built

    def _node(self, event: yaml.Event, depth: int) -> tuple[object, Place]:
        """Build what an event begins, inside `depth` lists and mappings."""
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, depth)
        self._grow(1, event)
        if event.anchor is not None:
            return self._anchored(event, depth)
        return self._content(event, depth)

    def _content(self, event: yaml.Event, depth: int) -> tuple[object, Place]:
        match event:
            case yaml.ScalarEvent():
                text = self._events.scalar(event)
                return self._scalar(event, text), Place(_line(event), event, text, _NOTHING)
            case yaml.SequenceStartEvent():
                self._enter(event, "seq", depth)
                return self._list(event, depth + 1)
            case _:
                self._enter(event, "map", depth)
                return self._mapping(event, depth + 1)

    def _enter(self, event: yaml.Event, kind: str, depth: int) -> None:
        if depth >= self._dialect.max_depth:
            raise YamlError(f"nested deeper than {self._dialect.max_depth} levels", _line(event))
        self._deepest = max(self._deepest, depth + 1)
        if not self._dialect.like_bun and event.tag not in {None, "!", PREFIX + kind}:
            raise _bad_tag(event.tag, _line(event))

    def _grow(self, count: int, event: yaml.Event) -> None:
        self._count += count
        if self._count > self._dialect.max_values:
            raise self._too_much(event)

    def _too_much(self, event: yaml.Event) -> YamlError:
        values, levels = self._dialect.max_values, self._dialect.max_depth
        return YamlError(f"more than {values:,} values or {levels} levels once aliases are written out", _line(event))

    def _anchored(self, event: yaml.Event, depth: int) -> tuple[object, Place]:
        if event.anchor in self._anchors and not self._dialect.like_bun:
            raise YamlError(f"the anchor {event.anchor!r} stands twice; rename one", _line(event))
        anchored = self._anchors[event.anchor] = _Anchored()
        count, deepest = self._count - 1, self._deepest
        self._deepest = depth
        built = self._content(event, depth)
        anchored.value, anchored.place = built
        anchored.count, anchored.levels = self._count - count, self._deepest - depth
        self._deepest = max(deepest, self._deepest)
        return built

    def _alias(self, event: yaml.AliasEvent, depth: int) -> tuple[object, Place]:
        anchored = self._anchors.get(event.anchor)
        if anchored is None:
            raise YamlError(f"found undefined alias {event.anchor!r}", _line(event))
        if anchored.place is None:
            raise YamlError("an alias refers to what it stands in", _line(event))
        self._grow(anchored.count, event)
        self._deepest = max(self._deepest, depth + anchored.levels)
        if depth + anchored.levels > self._dialect.max_depth:
            raise self._too_much(event)
        return anchored.value, anchored.place._replace(line=_line(event))

    def _list(self, start: yaml.Event, depth: int) -> tuple[object, Place]:
        values: list[object] = []
        places: dict[object, Place] = {}
        while not isinstance(event := self._events.next(), yaml.SequenceEndEvent):
            self._path.append(len(values))
            value, place = self._node(event, depth)
            self._path.pop()
            places[len(values)] = place
            values.append(value)
        return values, Place(_line(start), None, "", places)

    def _mapping(self, start: yaml.Event, depth: int) -> tuple[object, Place]:
        mapping = _Mapping()
        while not isinstance(event := self._events.next(), yaml.MappingEndEvent):
            line = _line(event)
            key = self._key(self._node(event, depth)[0], line)
            if key in mapping.values and key not in mapping.merged:
                self._repeat(key, line, mapping.places[key].line)
            self._path.append(key)
            value, place = self._node(self._events.next(), depth)
            self._path.pop()
            if key == _MERGE and self._dialect.like_bun and isinstance(value, dict | list):
                _merge(mapping, value, place)
            else:
                mapping.values[key] = value
                mapping.places[key] = place._replace(line=line)
                mapping.merged.discard(key)
        return mapping.values, Place(_line(start), None, "", mapping.places)

    def _key(self, key: object, line: int) -> object:
        try:
            if self._dialect.like_bun:
                return key if isinstance(key, str) else js_key(key)
        except ValueError as error:
            raise YamlError(str(error), line) from error
        if isinstance(key, dict | list):
            raise YamlError("a list or mapping stands where a key belongs; is a quote missing?", line)
        return key

    def _repeat(self, key: object, line: int, first: int) -> None:
        if not self._dialect.like_bun:
            raise YamlError(f"the key {key!r} stands twice (first in line {first}); keep one", line)
        path: KeyPath = (*self._path, key)
        self.repeated.append(RepeatedKey(path=path, line=line, first=first))

    def _scalar(self, event: yaml.ScalarEvent, text: str) -> object:
        tag = event.tag
        try:
            if self._dialect.like_bun:
                return _js_scalar(event, text)
            if tag is None or tag == "!":
                return text if event.style else plain_value(text)
            return tagged_value(text, tag.removeprefix(PREFIX))
        except LookupError as error:
            raise _bad_tag(tag, _line(event)) from error
        except ValueError as error:  # digits beyond what Python converts
            raise YamlError(str(error), _line(event)) from error


def _js_scalar(event: yaml.ScalarEvent, text: str) -> object:
    if event.style:
        return text
    tag = event.tag and event.tag.removeprefix(PREFIX)
    if tag is None or tag in PATTERNS:
        return js_plain_value(text)
    return text if text or tag == "str" else None


def _merge(mapping: _Mapping, value: object, place: Place) -> None:
    """Add keys of a mapping, or of the mappings in a list, that are not there yet."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict):
                _merge(mapping, item, place.inner[index])
    elif isinstance(value, dict):
        for key in value.keys() - mapping.values.keys():
            mapping.values[key], mapping.places[key] = value[key], place.inner[key]
            mapping.merged.add(key)


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1


def _bad_tag(tag: str, line: int) -> YamlError:
    return YamlError(f"the tag {tag.removeprefix(PREFIX)!r} does not fit here; remove it, or quote the value", line)

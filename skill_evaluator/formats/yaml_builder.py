"""YAML events -> plain values and where they stand, in one pass that never goes deeper or on longer than it may."""

from types import MappingProxyType
from typing import Final

from yaml.events import (
    AliasEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from skill_evaluator.formats.yaml_bounds import Anchored, Bounds
from skill_evaluator.formats.yaml_events import Events, line_of
from skill_evaluator.formats.yaml_js import js_key, js_scalar
from skill_evaluator.formats.yaml_mapping import GrowingMapping
from skill_evaluator.formats.yaml_places import Place
from skill_evaluator.formats.yaml_scalars import PREFIX, plain_value, tagged_value
from skill_evaluator.formats.yaml_values import Dialect, KeyPath, RepeatedKey, YamlError
from skill_evaluator.texts import tr

_NOTHING: Final = MappingProxyType[object, Place]({})
_MERGE: Final = "<<"
_CONTENT: Final = (ScalarEvent, SequenceStartEvent, MappingStartEvent)
_Content = ScalarEvent | SequenceStartEvent | MappingStartEvent


class Builder:
    """Builds the documents of one text.

    Attributes:
        repeated: Keys that stood more than once so far.
    """

    def __init__(self, events: Events, dialect: Dialect) -> None:
        self.repeated: list[RepeatedKey] = []
        self._events = events
        self._next = events.next
        self._dialect = dialect
        self._bounds = Bounds(dialect)
        self._anchors: dict[str, Anchored] = {}
        self._path: list[object] = []

    def document(self, index: int) -> tuple[object, Place]:
        """Build the document whose start was just read.

        Args:
            index: Its number, with which the paths of repeated keys begin.

        Raises:
            YamlError: If it is no YAML, or not in this dialect, or goes beyond a limit.
        """
        self._anchors.clear()
        self._path = [index]
        event = self._next()
        built = self._node(event, 0, line_of(event))
        self._next()  # its end
        return built

    def _node(self, event: Event, depth: int, line: int) -> tuple[object, Place]:
        """Build what an event begins, inside `depth` lists and mappings, said to stand in a line."""
        if isinstance(event, _CONTENT):
            self._bounds.add_value(event)
            if event.anchor is not None:
                return self._anchored(event, event.anchor, depth, line)
            return self._content(event, depth, line)
        if isinstance(event, AliasEvent):
            return self._alias(event, depth, line)
        raise TypeError(event)  # PyYAML's events are nested rightly

    def _content(self, event: _Content, depth: int, line: int) -> tuple[object, Place]:
        if isinstance(event, ScalarEvent):
            text = self._events.scalar(event)
            return self._scalar(event, text), Place(line, event, text, _NOTHING)
        self._bounds.enter(event, depth)
        kind = "seq" if isinstance(event, SequenceStartEvent) else "map"
        if event.tag is not None and event.tag not in {"!", PREFIX + kind} and not self._dialect.like_bun:
            raise _bad_tag(event.tag, event)
        return self._list(depth + 1, line) if kind == "seq" else self._mapping(depth + 1, line)

    def _anchored(self, event: _Content, anchor: str, depth: int, line: int) -> tuple[object, Place]:
        if anchor in self._anchors and not self._dialect.like_bun:
            raise YamlError(tr("the anchor {anchor!r} stands twice; rename one", anchor=anchor), line_of(event))
        anchored = self._anchors[anchor] = Anchored(is_list=isinstance(event, SequenceStartEvent))
        before = self._bounds.open_anchor(depth)
        anchored.value, anchored.place = value, place = self._content(event, depth, line)
        self._bounds.close_anchor(anchored, depth, before)
        return value, place

    def _alias(self, event: AliasEvent, depth: int, line: int) -> tuple[object, Place]:
        anchored = self._anchors.get(event.anchor or "")
        if anchored is None:
            raise YamlError(tr("found undefined alias {anchor!r}", anchor=event.anchor), line_of(event))
        if anchored.place is None:
            return self._inside_itself(event, anchored, line)
        self._bounds.add_alias(event, anchored, depth)
        return anchored.value, anchored.place._replace(line=line)

    def _inside_itself(self, event: AliasEvent, anchored: Anchored, line: int) -> tuple[object, Place]:
        """Give an empty list or mapping for one that would hold itself, which no key of ours may have."""
        is_merged = _MERGE in self._path[-2:]
        if is_merged or not self._dialect.like_bun:
            raise YamlError(tr("an alias refers to what it stands in"), line_of(event))
        return [] if anchored.is_list else {}, Place(line, None, "", _NOTHING)

    def _list(self, depth: int, line: int) -> tuple[object, Place]:
        values: list[object] = []
        places: dict[object, Place] = {}
        while not isinstance(event := self._next(), SequenceEndEvent):
            self._path.append(len(values))
            value, place = self._node(event, depth, line_of(event))
            self._path.pop()
            places[len(values)] = place
            values.append(value)
        return values, Place(line, None, "", places)

    def _mapping(self, depth: int, line: int) -> tuple[object, Place]:
        mapping = GrowingMapping()
        while not isinstance(event := self._next(), MappingEndEvent):
            key_line = line_of(event)
            key = self._key(self._node(event, depth, key_line)[0], key_line)
            if mapping.holds(key):
                self._repeat(key, key_line, mapping.places[key].line)
            self._path.append(key)
            value, place = self._node(self._next(), depth, key_line)
            self._path.pop()
            if key == _MERGE and self._dialect.like_bun and isinstance(value, dict | list):
                mapping.merge(value, place)
            else:
                mapping.add(key, value, place)
        return mapping.values, Place(line, None, "", mapping.places)

    def _key(self, key: object, line: int) -> object:
        try:
            if isinstance(key, str):
                return key
            if self._dialect.like_bun:
                return js_key(key)
        except ValueError as error:
            raise YamlError(str(error), line) from error
        if isinstance(key, dict | list):
            raise YamlError(tr("a list or mapping stands where a key belongs; is a quote missing?"), line)
        return key

    def _repeat(self, key: object, line: int, first: int) -> None:
        if not self._dialect.like_bun:
            raise YamlError(
                tr("the key {key!r} stands twice (first in line {first}); keep one", key=key, first=first), line
            )
        path: KeyPath = (*self._path, key)
        self.repeated.append(RepeatedKey(path=path, line=line, first=first))

    def _scalar(self, event: ScalarEvent, text: str) -> object:
        tag = event.tag
        try:
            if self._dialect.like_bun:
                return js_scalar(event, text)
            if tag is None or tag == "!":
                return text if event.style else plain_value(text)
            return tagged_value(text, tag.removeprefix(PREFIX))
        except LookupError as error:
            raise _bad_tag(tag or "", event) from error
        except ValueError as error:  # digits beyond what Python converts
            raise YamlError(str(error), line_of(event)) from error


def _bad_tag(tag: str, event: Event) -> YamlError:
    message = tr("the tag {prefix!r} does not fit here; remove it, or quote the value", prefix=tag.removeprefix(PREFIX))
    return YamlError(message, line_of(event))

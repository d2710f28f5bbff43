"""Where the values of a YAML text stand, looked up by keys and indexes."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import yaml

from skill_evaluator.formats.yaml_values import KeyPath, YamlEntry


class Place(NamedTuple):
    """Where one value stands; kept small, since there is one for each value.

    Attributes:
        line: 1-based line of its key, or of the item itself.
        scalar: The event of a scalar, None for lists and mappings.
        written: The scalar before it became a number or the like.
        inner: Places of what stands in it, by key or index; shared by all aliases of one value.
    """

    line: int
    scalar: yaml.ScalarEvent | None
    written: str
    inner: Mapping[object, "Place"]


class Entries(Mapping[KeyPath, YamlEntry]):
    """All values in the mappings and lists of a text, by keys and indexes from the top."""

    def __init__(self, text: str, top: Mapping[object, Place]) -> None:
        self._text = text
        self._top = top

    def __getitem__(self, path: KeyPath) -> YamlEntry:
        """Give how the value at a path was written; KeyError where there is none."""
        if not path:
            raise KeyError(path)
        inner = self._top
        for key in path[:-1]:
            inner = inner[key].inner
        return self._entry(inner[path[-1]])

    def __iter__(self) -> Iterator[KeyPath]:
        return _paths(self._top, ())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self)!r})"

    def _entry(self, place: Place) -> YamlEntry:
        if place.scalar is None:
            return YamlEntry(line=place.line, written=None, plain=False, tail="")
        plain = not place.scalar.style
        return YamlEntry(line=place.line, written=place.written, plain=plain, tail=self._tail(place) if plain else "")

    def _tail(self, place: Place) -> str:
        if place.scalar is None or place.scalar.end_mark is None:
            return ""
        start = place.scalar.end_mark.index
        end = self._text.find("\n", start)
        return self._text[start : len(self._text) if end < 0 else end].strip()


def _paths(inner: Mapping[object, Place], above: KeyPath) -> Iterator[KeyPath]:
    for key, place in inner.items():
        yield (*above, key)
        yield from _paths(place.inner, (*above, key))

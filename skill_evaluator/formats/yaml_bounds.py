"""How much a YAML text may hold: counted while it is read, with aliases written out."""

from dataclasses import dataclass

from yaml.events import AliasEvent, Event

from skill_evaluator.formats.yaml_events import line_of
from skill_evaluator.formats.yaml_places import Place
from skill_evaluator.formats.yaml_values import Dialect, YamlError
from skill_evaluator.texts import tr


@dataclass(kw_only=True, slots=True)
class Anchored:
    """A value that has a name.

    Attributes:
        value: The value.
        place: Where it stands; None until it is complete.
        is_list: Whether it is a list; known from the start.
        count: Values and keys in it, itself included.
        levels: Lists and mappings inside each other in it.
    """

    value: object = None
    place: Place | None = None
    is_list: bool = False
    count: int = 0
    levels: int = 0


class Bounds:
    """Counts values and levels, and refuses what goes beyond the limits of a dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self._max_values = dialect.max_values
        self._max_depth = dialect.max_depth
        self._count = 0
        self._has_aliases = False
        self._deepest = 0  # reached since the innermost open anchor

    def add_value(self, event: Event) -> None:
        """Count one more value or key."""
        self._count += 1
        if self._count > self._max_values:
            raise self._too_much(event)

    def enter(self, event: Event, depth: int) -> None:
        """Count a list or mapping that stands inside `depth` others."""
        if depth >= self._max_depth:
            raise YamlError(tr("nested deeper than {max_depth} levels", max_depth=self._max_depth), line_of(event))
        self._deepest = max(self._deepest, depth + 1)

    def add_alias(self, event: AliasEvent, anchored: Anchored, depth: int) -> None:
        """Count what an alias stands for, inside `depth` lists and mappings."""
        self._has_aliases = True
        self._count += anchored.count
        self._deepest = max(self._deepest, depth + anchored.levels)
        if self._count > self._max_values or depth + anchored.levels > self._max_depth:
            raise self._too_much(event)

    def open_anchor(self, depth: int) -> tuple[int, int]:
        """Begin to count what an anchor names; what it gives belongs to `close_anchor`."""
        before = self._count - 1, self._deepest
        self._deepest = depth
        return before

    def close_anchor(self, anchored: Anchored, depth: int, before: tuple[int, int]) -> None:
        """Note how much the anchor names."""
        count, deepest = before
        anchored.count, anchored.levels = self._count - count, self._deepest - depth
        self._deepest = max(deepest, self._deepest)

    def _too_much(self, event: Event) -> YamlError:
        values, levels = self._max_values, self._max_depth
        if not self._has_aliases:
            return YamlError(tr("more than {values:,} keys and values", values=values), line_of(event))
        return YamlError(
            tr(
                "more than {values:,} values or {levels} levels once aliases are written out",
                values=values,
                levels=levels,
            ),
            line_of(event),
        )

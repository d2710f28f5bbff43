"""A YAML mapping while it is built: later keys override, merged ones do not.

Source: Bun 1.4.5 and https://yaml.org/type/merge.html.
"""

from dataclasses import dataclass, field

from skill_evaluator.formats.yaml_places import Place


@dataclass(kw_only=True, slots=True)
class GrowingMapping:
    """A mapping so far.

    Attributes:
        values: Values by key.
        places: Where they stand, by key.
        merged: Keys that came from elsewhere, and that a key of its own may still override.
    """

    values: dict[object, object] = field(default_factory=dict)
    places: dict[object, Place] = field(default_factory=dict)
    merged: set[object] = field(default_factory=set)

    def holds(self, key: object) -> bool:
        """Say whether a key stood here before as the mapping's own."""
        return key in self.values and key not in self.merged

    def add(self, key: object, value: object, place: Place) -> None:
        """Add a key of its own, in place of an earlier one."""
        self.values[key], self.places[key] = value, place
        self.merged.discard(key)

    def merge(self, value: object, place: Place) -> None:
        """Add keys of a mapping, or of the mappings in a list, that are not there yet."""
        if isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, dict):
                    self.merge(item, place.inner[index])
        elif isinstance(value, dict):
            for key in [key for key in value if key not in self.values]:
                self.values[key], self.places[key] = value[key], place.inner[key]
                self.merged.add(key)

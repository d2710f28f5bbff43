"""What a translation did to the placeholders of its source, whatever their syntax."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

PlaceholderCode = Literal[
    "placeholder_malformed",
    "placeholder_missing",
    "placeholder_extra",
    "placeholder_mutated",
    "placeholder_count_mismatch",
    "placeholder_reordered",
]
# The gravest first: it becomes the code of the result, all stand in its evidence.
GRAVITY: Final[Sequence[PlaceholderCode]] = (
    "placeholder_malformed",
    "placeholder_missing",
    "placeholder_mutated",
    "placeholder_extra",
    "placeholder_count_mismatch",
    "placeholder_reordered",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class PlaceholderFault:
    """One difference.

    Attributes:
        code: What kind.
        message: One English sentence.
    """

    code: PlaceholderCode
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """The placeholders of both texts.

    Attributes:
        expected: Those of the source, in order, as written.
        actual: Those of the translation, in order, as written.
        faults: In the order found; empty where all were kept.
        undecided: Why nobody can tell, or None; then there are no faults.
        kinds: What was taken for a placeholder, where that had to be decided from the source.
    """

    expected: tuple[str, ...]
    actual: tuple[str, ...]
    faults: tuple[PlaceholderFault, ...] = ()
    undecided: str | None = None
    kinds: tuple[str, ...] = ()

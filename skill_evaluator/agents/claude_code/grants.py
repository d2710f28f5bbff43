"""What the user lets the agent of a suite do beyond reading."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Grants:
    """What `--allow-tools` gives.

    Attributes:
        entries: As the user wrote them, without those that were refused.
        refused: Entries that are malformed, each with what is wrong, for people.
    """

    entries: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()


def read_grants(entries: Sequence[str]) -> Grants:
    """Read the values of `--allow-tools`."""
    return Grants(entries=tuple(entries))

"""What is wrong with a response, and how much of it is told."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Literal, get_args

from skill_evaluator.graders.evidence import clean

# The gravest first: what makes the other findings doubtful comes before them. Where items cannot be told apart their
# number means little; a lost item is lost for good, one too many can be dropped; what ends a response carries nothing.
ProtocolCode = Literal[
    "protocol_no_response",
    "protocol_malformed_item",
    "protocol_missing_item",
    "protocol_extra_item",
    "protocol_malformed_terminator",
    "protocol_missing_terminator",
]
GRAVITY: Final[Sequence[ProtocolCode]] = get_args(ProtocolCode)
SHOWN: Final = 10  # faults in the evidence, and names of items in each
_BEFORE: Final = 20  # characters of an excerpt on each side of the place
_AFTER: Final = 60
_NAME: Final = 40  # characters of an id


@dataclass(frozen=True, kw_only=True, slots=True)
class ProtocolFault:
    """One fault.

    Attributes:
        code: What kind.
        message: One English sentence.
        excerpt: The text around the place, or None where there is none.
    """

    code: ProtocolCode
    message: str
    excerpt: str | None = None


@dataclass(slots=True)
class Faults:
    """The faults of one response as they are found; of a kind that comes very often only the first are kept."""

    kept: list[ProtocolFault] = field(default_factory=list)
    count: int = 0

    def malformed(self, message: str, text: str, at: int) -> None:
        """Note an item that is not well formed."""
        self.count += 1
        if len(self.kept) < SHOWN:
            self.kept.append(ProtocolFault(code="protocol_malformed_item", message=message, excerpt=excerpt(text, at)))


def excerpt(text: str, at: int) -> str:
    """Show a few characters around a place, without lone surrogates."""
    start = max(at - _BEFORE, 0)
    return ("..." if start else "") + clean(text[start : at + _AFTER]) + ("..." if at + _AFTER < len(text) else "")


def named(names: Iterable[int | str]) -> list[int | str]:
    """List the first ids or numbers of items."""
    return [one if isinstance(one, int) else clean(one)[:_NAME] for one in islice(names, SHOWN)]

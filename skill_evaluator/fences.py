"""Fences around text of others, drawn by hash: nobody who wrote the text could know what closes it.

What is drawn depends on what is named and on nothing else, neither on time nor on place.
"""

import hashlib
import json
from collections.abc import Sequence

_SHORTEST = 16  # hex digits


def drawn(*parts: str | int | None) -> str:
    """Draw 64 hex digits; equal parts always give equal ones.

    >>> drawn(0, "case", "item") == drawn(0, "case", "item")
    True
    """
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def fence_id(seed: int, texts: Sequence[str], *, shortest: int = _SHORTEST) -> str:
    """Draw what marks a fence.

    Args:
        seed: The seed of the report.
        texts: Everything that will stand between fences.
        shortest: Hex digits at least, 1..64.

    Returns:
        Hex digits that occur in none of the texts; equal for equal arguments.
    """
    lowered = [text.lower() for text in texts]
    digits = drawn("fence", seed, *texts)
    length = shortest
    while any(digits[:length] in text for text in lowered):
        length += 1
        if length > len(digits):
            digits += drawn("fence", digits)
    return digits[:length]

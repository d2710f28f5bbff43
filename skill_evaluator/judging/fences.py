"""Fences around text of others: nobody who wrote the text could know what closes it."""

from collections.abc import Sequence

from skill_evaluator.judging.lots import drawn

_SHORTEST = 16  # hex digits


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

"""Fences around text of others: nobody who wrote the text could know what closes it."""

from collections.abc import Sequence

from skill_evaluator.judging.lots import drawn

_SHORTEST = 16  # hex digits


def fence_id(seed: int, texts: Sequence[str]) -> str:
    """Draw what marks a fence.

    Args:
        seed: The seed of the report.
        texts: Everything that will stand between fences.

    Returns:
        Hex digits that occur in none of the texts, 16 of them or more; equal for equal arguments.
    """
    lowered = [text.lower() for text in texts]
    digits = drawn("fence", seed, *texts)
    length = _SHORTEST
    while any(digits[:length] in text for text in lowered):
        length += 1
        if length > len(digits):
            digits += drawn("fence", digits)
    return digits[:length]

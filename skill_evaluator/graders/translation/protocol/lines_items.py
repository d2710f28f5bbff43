"""Items as lines: each that is not blank."""

from io import StringIO

from skill_evaluator.graders.translation.protocol.ending import find_ending
from skill_evaluator.graders.translation.protocol.found import Found


def read_lines(text: str, terminator: str | None, expected: int | None) -> Found:
    """Count the lines of a response.

    Text after the terminator is items only where some are lacking without it, and a last line that looks like a
    damaged terminator is an item only where exactly one is lacking: the reading with fewer faults is the likely one.

    Args:
        text: With LF line ends.
        terminator: What stands after the last line, or None.
        expected: How many items there should be, or None.
    """
    ending = find_ending(text, terminator)
    count = _count(ending.before)
    if expected is not None and count < expected:
        count = _count(ending.before + ending.after)
    if ending.damaged is not None and count + 1 == expected:
        return Found(written="lines", count=expected, ending=ending.as_missing(text))
    return Found(written="lines", count=count, ending=ending)


def _count(text: str) -> int:
    return sum(1 for line in StringIO(text, newline="\n") if not line.isspace())

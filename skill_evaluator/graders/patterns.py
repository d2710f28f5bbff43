"""Compiles the regular expressions of test sets, which were written by anybody."""

import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

from skill_evaluator.graders.evidence import normalised
from skill_evaluator.reasons import foreign
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    import regex

MAX_SIZE = 200_000  # parts after each repetition is written out, as `regex` does: about 60 MB and 0.2 s

_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*+\]|\{(?P<times>\d{1,9})(?:,\d*)?\}|.", re.DOTALL)


class PatternError(ValueError):
    """A pattern that cannot be used.

    Attributes:
        message: The pattern and why.
        reason: Why, as words that go on after the pattern.
    """

    def __init__(self, pattern: str, reason: str) -> None:
        self.message = tr("{pattern!r} {reason}", pattern=pattern, reason=reason)
        self.reason = reason
        super().__init__(self.message)


@lru_cache(maxsize=256)
def compile_pattern(pattern: str) -> "regex.Pattern[str]":
    """Compile a pattern in the syntax of the `regex` package; `^` and `$` stand for the ends of each line.

    Raises:
        PatternError: If it does not compile or would take too much memory.
    """
    import regex  # noqa: PLC0415 - only test sets with patterns need it

    if (size := _size(pattern)) > MAX_SIZE:
        reason = tr(
            "repeats too much: {size} parts when written out, at most {most} are allowed", size=size, most=MAX_SIZE
        )
        raise PatternError(pattern, reason)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a doubtful pattern is the author's affair and still means something
            return regex.compile(normalised(pattern), regex.MULTILINE)
    except (regex.error, RecursionError, OverflowError) as error:
        reason = tr("is not a regular expression: {problem}", problem=foreign(str(error)))
        raise PatternError(pattern, reason) from error


def _size(pattern: str) -> int:
    """Count the parts of a pattern after its fixed repetitions are written out, roughly."""
    groups = [0]
    last = 0
    for piece in _PIECE.finditer(pattern):
        if piece["times"]:
            groups[-1] += last * (int(piece["times"]) - 1)
            last *= int(piece["times"])
        elif piece[0] == "(":
            groups.append(0)
        elif piece[0] == ")" and len(groups) > 1:
            last = groups.pop()
            groups[-1] += last
        else:
            last = 1
            groups[-1] += last
    return sum(groups)

"""Compiles the regular expressions of test sets, which were written by anybody."""

import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

from skill_evaluator.graders.evidence import normalised
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    import regex

MAX_SIZE = 200_000  # parts after each repetition is written out, as `regex` does: about 60 MB and 0.2 s

_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*+\]|\{(?P<times>\d{1,9})(?:,\d*)?\}|.", re.DOTALL)


@lru_cache(maxsize=256)
def compile_pattern(pattern: str) -> "regex.Pattern[str]":
    """Compile a pattern in the syntax of the `regex` package; `^` and `$` stand for the ends of each line.

    Raises:
        ValueError: If it does not compile or would take too much memory; the message says why.
    """
    import regex  # noqa: PLC0415 - only test sets with patterns need it

    if (size := _size(pattern)) > MAX_SIZE:
        raise ValueError(
            tr(
                "{pattern!r} repeats too much: {size} parts when written out, at most {most} are allowed",
                pattern=pattern,
                size=size,
                most=MAX_SIZE,
            )
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a doubtful pattern is the author's affair and still means something
            return regex.compile(normalised(pattern), regex.MULTILINE)
    except (regex.error, RecursionError, OverflowError) as error:
        raise ValueError(
            tr("{pattern!r} is not a regular expression: {error}", pattern=pattern, error=error)
        ) from error


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

"""Values of options of `plugin-eval`, taken as `claude plugin eval` takes them.

Source: Probed with Claude Code 2.1.332; numbers there are what JavaScript's `parseInt` and `parseFloat` make of them.
"""

import argparse
import math
import re
from collections.abc import Callable
from pathlib import Path

from skill_evaluator.texts import tr

_INTEGER = re.compile(r"\s*([+-]?[0-9]+)", re.ASCII)
_DECIMAL = re.compile(r"\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)", re.ASCII)
MOST_AT_ONCE = 8
# What follows a number is not looked at there either, so a run of digits longer than any real number is cut here.
_LONGEST = 400


def runs(value: str) -> int | None:
    """Take a whole number above 0; what follows it is ignored, and an empty text is as if it were not given."""
    if not value:
        return None
    found = _INTEGER.match(value[:_LONGEST])
    if found is None or int(found[1]) < 1:
        raise argparse.ArgumentTypeError(tr("{value!r} is no whole number above 0, such as 3", value=value))
    return int(found[1])


def concurrency(value: str) -> int:
    """Take a whole number from 1 to 8, and nothing else."""
    if re.fullmatch(r"[1-8]", value, re.ASCII) is None:
        raise argparse.ArgumentTypeError(
            tr("{value!r} is no whole number from 1 to {most}", value=value, most=MOST_AT_ONCE)
        )
    return int(value)


def threshold(value: str) -> float | None:
    """Take a score from 0 to 1; an empty text is as if it were not given."""
    return _number(value, highest=1.0, expected=tr("a score from 0 to 1, such as 0.8"))


def dollars(value: str) -> float | None:
    """Take an amount, 0 or more; an empty text is as if it were not given."""
    return _number(value, highest=math.inf, expected=tr("an amount of dollars, 0 or more, such as 20"))


def one_of(*words: str) -> Callable[[str], str]:
    """Take one of some words as they are written."""

    def take(value: str) -> str:
        if value not in words:
            raise argparse.ArgumentTypeError(tr("{value!r} is none of {known}", value=value, known=", ".join(words)))
        return value

    return take


def json_path(value: str) -> str:
    """Take the path of a JSON file; anything else is likely the target, which belongs before `--json`."""
    if not value.endswith(".json"):
        hint = tr("; a target stands before --json") if value else ""
        raise argparse.ArgumentTypeError(tr("{value!r} does not end in .json{hint}", value=value, hint=hint))
    return value


def some_path(value: str) -> Path:
    """Take a path; a shell gives an empty one for a variable that is not set."""
    if not value:
        raise argparse.ArgumentTypeError(tr("it is empty; name a path or leave the option out"))
    return Path(value)


def _number(value: str, *, highest: float, expected: str) -> float | None:
    if not value:
        return None
    found = _DECIMAL.match(value[:_LONGEST])
    number = float(found[1]) if found else math.nan
    if not (0 <= number <= highest and math.isfinite(number)):
        raise argparse.ArgumentTypeError(tr("{value!r} is not {expected}", value=value, expected=expected))
    return number

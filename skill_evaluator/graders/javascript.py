"""JavaScript regular expressions, as suites write them: does one compile, is there a match, how many are there.

Patterns and texts come from anybody. A question that cannot be answered is answered by `NoAnswer`, never by a guess;
it takes about a second at most, and nothing is left running after it. Patterns mean what they mean to `new RegExp`;
lone surrogates in patterns and texts are replaced by U+FFFD first.
"""

import re
import time
from dataclasses import dataclass
from typing import Literal

from skill_evaluator.graders.evidence import clean
from skill_evaluator.graders.javascript_engine import BadPattern, BeyondLimits, Interrupted, call, forget
from skill_evaluator.graders.javascript_v_flag import without_signs
from skill_evaluator.texts import tr

MAX_TEXT = 16 * 1024 * 1024  # UTF-16 units
MAX_PATTERN = 32 * 1024  # characters; compiling cannot be interrupted, and its cost is quadratic
MAX_PROPERTIES = 500  # `\p{...}`: one may take 3 ms to compile
COUNT_LIMIT_S = 5.0  # processor time for all matches of a text together

_PROPERTY = re.compile(r"\\p", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class NoAnswer:
    """Why a question about a pattern has no answer.

    Attributes:
        why: `bad_pattern` where JavaScript would throw a SyntaxError, `timed_out` where the pattern took too long,
            `limits` where a limit of this program, which the real one does not have, was in the way.
        message: The reason in the words of the engine, or the limit.
        found: Matches found before time ran out; 0 for the others.
    """

    why: Literal["bad_pattern", "timed_out", "limits"]
    message: str
    found: int = 0


def pattern_fault(pattern: str, flags: str = "") -> str | None:
    """Say why JavaScript would not compile a pattern with these flags.

    Returns:
        The reason in the words of the engine; None for a pattern that compiles, and for one so large that this
        program cannot tell.
    """
    if _too_large(pattern):
        return None
    try:
        _ask("compile", pattern, flags)
    except BadPattern as error:
        return str(error)
    except (BeyondLimits, Interrupted):
        return None
    return None


def has_match(pattern: str, flags: str, text: str) -> bool | NoAnswer:
    """Say whether a pattern matches somewhere in a text, as `new RegExp(pattern, flags).test(text)` does.

    With the flag `y` it must match at the start.
    """
    if (limit := _too_large(pattern, text)) is not None:
        return limit
    try:
        return bool(_ask("test", pattern, flags, text))
    except (BadPattern, BeyondLimits, Interrupted) as error:
        return _no_answer(error)


def first_match(pattern: str, flags: str, text: str) -> slice | NoAnswer | None:
    """Find the first match of a pattern in a text, as `new RegExp(pattern, flags).exec(text)` does.

    Returns:
        The characters of `text` that it covers, or None where there is no match. Where it starts or ends inside a
        character beyond U+FFFF, which JavaScript counts as two, that character is left out.
    """
    if (limit := _too_large(pattern, text)) is not None:
        return limit
    try:
        found = str(_ask("locate", pattern, flags, text))
    except (BadPattern, BeyondLimits, Interrupted) as error:
        return _no_answer(error)
    return _characters(text, *map(int, found.split())) if found else None


def count_matches(pattern: str, flags: str, text: str) -> int | NoAnswer:
    """Count the matches of a pattern in a text that do not overlap, empty ones too.

    With the flag `y` each must start where the one before ended, the first at the start.
    """
    if (limit := _too_large(pattern, text)) is not None:
        return limit
    try:
        _ask("begin", pattern, flags, text)
        _count_on()
        found = _found()
        call("begin", "", "", "")  # let go of the text
    except (BadPattern, BeyondLimits, Interrupted) as error:
        return _no_answer(error)
    return found


def _ask(name: str, pattern: str, flags: str, *texts: str) -> object:
    pattern = clean(pattern)
    return call(name, without_signs(pattern) if "v" in flags else pattern, clean(flags), *map(clean, texts))


def _characters(text: str, start: int, length: int) -> slice:
    """Turn a place counted in UTF-16 units into one counted in characters."""
    units = clean(text).encode("utf-16-le")
    before, covered = units[: 2 * start], units[2 * start : 2 * (start + length)]
    first = len(before.decode("utf-16-le", "replace"))  # half a character before the match counts, it is not covered
    return slice(first, first + len(covered.decode("utf-16-le", "ignore")))


def _count_on() -> None:
    """Let the engine count to the end, unless one single match takes too long to find."""
    ends_at = time.thread_time() + COUNT_LIMIT_S
    before = 0
    while True:
        try:
            call("go")
        except Interrupted:
            if (found := _found()) == before:
                raise
            before = found
        else:
            return
        if time.thread_time() > ends_at:
            raise BeyondLimits(tr("it has more than {found} matches, and counting them takes too long", found=found))


def _found() -> int:
    found = call("count")
    return found if isinstance(found, int) else 0


def _no_answer(error: Exception) -> NoAnswer:
    match error:
        case BadPattern():
            return NoAnswer(why="bad_pattern", message=str(error))
        case Interrupted():
            found = _found()
            forget()
            return NoAnswer(why="timed_out", message=tr("it takes too long"), found=found)
        case _:
            forget()
            return NoAnswer(why="limits", message=str(error))


def _too_large(pattern: str, text: str = "") -> NoAnswer | None:
    if len(pattern) > MAX_PATTERN:
        return NoAnswer(
            why="limits", message=tr("the pattern is longer than {max_pattern} characters", max_pattern=MAX_PATTERN)
        )
    if len(_PROPERTY.findall(pattern)) > MAX_PROPERTIES:
        return NoAnswer(
            why="limits",
            message=tr(
                "the pattern names more than {max_properties} properties of characters", max_properties=MAX_PROPERTIES
            ),
        )
    if len(text) > MAX_TEXT:
        return NoAnswer(why="limits", message=tr("the text is longer than {max_text} characters", max_text=MAX_TEXT))
    return None

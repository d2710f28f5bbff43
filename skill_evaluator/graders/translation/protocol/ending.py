"""What ends a response: its terminator, where it should be, damaged, or not there.

White space at the ends of a terminator, and after it, does not count: whoever passes a response on often trims it.
"""

import re
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import Final

from skill_evaluator.graders.translation.protocol.faults import ProtocolCode, ProtocolFault, excerpt
from skill_evaluator.texts import tr

_ALIKE: Final = 0.66  # two of three characters are kept: `<EMD>` and `EMD` are `<END>` and `END`, damaged
_LONGEST: Final = 200  # characters that are compared one by one


@dataclass(frozen=True, kw_only=True, slots=True)
class Ending:
    """A text taken apart at its terminator.

    Attributes:
        before: What stands before the first terminator; all of it where there is none.
        after: What stands after it, without further terminators.
        fault: What is wrong with the terminator, or None.
        damaged: The last line where it looks like a terminator that was damaged; it is in neither `before` nor `after`.
        count: How many whole terminators there are; 0 where it is white space, which may stand anywhere.
    """

    before: str
    after: str = ""
    fault: ProtocolFault | None = None
    damaged: str | None = None
    count: int = 0

    def as_missing(self, text: str) -> "Ending":
        """Take what looks damaged for an item, so that the terminator of this text is missing."""
        return replace(self, before=text, damaged=None, fault=_missing(text))


def find_ending(text: str, terminator: str | None) -> Ending:
    """Take a text apart at its terminator.

    A terminator is one that stands on a line of its own, or at the end of the text where no word runs into it. Anything
    else that reads like it is part of an item.

    Args:
        text: With LF line ends.
        terminator: A text that is not empty, or None where nothing has to end the response.
    """
    if terminator is None:
        return Ending(before=text)
    literal = terminator.replace("\r\n", "\n").replace("\r", "\n")
    if not (core := literal.strip()):
        return _blank(text, literal)
    places = _places(text, core)
    if not places:
        return _without(text, core)
    start, end = places[0]
    between = [text[left:right] for (_, left), (right, _) in pairwise(places)]
    after = "\n".join([*between, text[places[-1][1] :]])
    fault = _misplaced(text, places, end)
    return Ending(before=text[:start], after=after, fault=fault, count=len(places))


def _blank(text: str, literal: str) -> Ending:
    """Look for a terminator of white space only, which has to stand at the end as it is."""
    return Ending(before=text, fault=None if text.endswith(literal) else _missing(text))


def with_earlier(ending: Ending, text: str, count: int) -> Ending:
    """Blame an ending for terminators that stand earlier in the response, before its end."""
    if not count:
        return ending
    times = ending.count + count
    message = (
        tr("The terminator is there {times} times.", times=times)
        if times > 1
        else tr("There is text after the terminator.")
    )
    return replace(ending, fault=_malformed(message, text, len(text)), count=times)


def _places(text: str, core: str) -> list[tuple[int, int]]:
    """Find the terminators: those that the text ends in, and those on lines of their own before them."""
    at_end: list[tuple[int, int]] = []
    end = _trimmed(text, len(text))
    while text.endswith(core, 0, end) and not _runs_in(text, end - len(core), core):
        at_end.append((end - len(core), end))
        end = _trimmed(text, end - len(core))
    own_lines = [match.span(1) for match in _own_line(core).finditer(text, 0, end)]
    return own_lines + at_end[::-1]


def _trimmed(text: str, end: int) -> int:
    """Give where a text ends without white space, without a copy of it."""
    while end and text[end - 1].isspace():
        end -= 1
    return end


@lru_cache(maxsize=256)
def _own_line(core: str) -> re.Pattern[str]:
    return re.compile(rf"^[^\S\n]*({re.escape(core)})[^\S\n]*$", re.MULTILINE)


def _runs_in(text: str, start: int, core: str) -> bool:
    """Say whether a word goes on into the terminator, as WEEK does into END; scripts without spaces are such words."""
    return start > 0 and text[start - 1].isalnum() and core[0].isalnum()


def _runs_out(text: str, end: int, core: str) -> bool:
    """Say whether a word goes on out of the terminator, as END does in ENDING."""
    return end < len(text) and text[end].isalnum() and core[-1].isalnum()


def _misplaced(text: str, places: list[tuple[int, int]], end: int) -> ProtocolFault | None:
    if len(places) > 1:
        return _malformed(tr("The terminator is there {places} times.", places=len(places)), text, places[1][0])
    if text[end:].strip():
        return _malformed(tr("There is text after the terminator."), text, end)
    return None


def _without(text: str, core: str) -> Ending:
    """Tell a terminator that is damaged, or has text after it, from one that is not there."""
    whole = text.rstrip()
    start = whole.rfind("\n") + 1
    if (found := _last_in_line(whole, core, start)) is not None:
        fault = _malformed(tr("There is text after the terminator."), text, found)
        return Ending(before=whole[:found], after=whole[found + len(core) :], fault=fault, count=1)
    last = whole[start:]
    kept = _cut_off(last, core)
    likeness = _likeness(last.strip(), core)
    if kept and likeness <= 2 * kept / (kept + len(core)):
        return Ending(
            before=whole[:-kept], fault=_malformed(tr("The terminator was cut off."), text, len(whole) - kept)
        )
    if likeness >= _ALIKE:
        fault = _malformed(tr("The terminator is damaged, or was cut off."), text, start)
        return Ending(before=whole[:start], fault=fault, damaged=last)
    return Ending(before=text, fault=_missing(text))


def _last_in_line(whole: str, core: str, last_line: int) -> int | None:
    """Find a terminator that stands after other text on its line and has text after it, or None.

    Only the last line may go on after it: in the middle of any other line it is a word of an item.
    """
    at = whole.rfind(core)
    end = at + len(core)
    if at < 0 or _runs_in(whole, at, core) or _runs_out(whole, end, core):
        return None
    return at if at >= last_line or whole.startswith("\n", end) else None


def _likeness(line: str, core: str) -> float:
    """Say how far a line is what is left of a terminator, 0..1; 1 where only a start or end of it is there."""
    if not line or len(line) > 2 * len(core):
        return 0
    if core.startswith(line) or core.endswith(line) or line.casefold() == core.casefold():
        return 1
    return SequenceMatcher(None, line[:_LONGEST], core[:_LONGEST], autojunk=False).ratio()


def _cut_off(line: str, core: str) -> int:
    """Count the last characters of a line that begin a terminator; one alone, or letters of a word, may be chance."""
    if core[0].isalnum():
        return 0
    most = min(len(core) - 1, len(line), _LONGEST)
    return next((length for length in range(most, 1, -1) if line.endswith(core[:length])), 0)


def _malformed(message: str, text: str, at: int) -> ProtocolFault:
    return _fault("protocol_malformed_terminator", message, text, at)


def _missing(text: str) -> ProtocolFault:
    return _fault("protocol_missing_terminator", tr("The terminator is missing."), text, len(text))


def _fault(code: ProtocolCode, message: str, text: str, at: int) -> ProtocolFault:
    return ProtocolFault(code=code, message=message, excerpt=excerpt(text, at))

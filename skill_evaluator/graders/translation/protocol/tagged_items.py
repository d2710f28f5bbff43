"""Items as `<item id="1">...</item>`, one after another, maybe in one element around all of them."""

import re
from dataclasses import dataclass, field
from typing import Final

from skill_evaluator.graders.translation.protocol.ending import Ending, find_ending, with_earlier
from skill_evaluator.graders.translation.protocol.faults import Faults
from skill_evaluator.graders.translation.protocol.found import Found
from skill_evaluator.graders.translation.protocol.names import Names
from skill_evaluator.texts import tr

_TAG: Final = re.compile(r"<(?P<close>/)?item(?![\w-])(?P<rest>[^<>]*)(?P<end>>)?")
_ATTRIBUTE: Final = re.compile(r"""\sid\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/]*))""")
_PLAINLY: Final = re.compile(r"<item(?:\s+id\s*=|\s*>)|</item\s*>")
_OPENS: Final = re.compile(r"(?:<\?xml[^<>]*>)?\s*<(?P<name>[A-Za-z_][\w.-]*)(?:\s[^<>]*)?>", re.ASCII)


@dataclass(slots=True)
class _Reading:
    """A response while its tags are gone through; places are offsets in the text."""

    text: str
    faults: Faults = field(default_factory=Faults)
    ids: list[tuple[str | None, int]] = field(default_factory=list)  # of each opening tag, with its place
    unclosed: int = 0  # items that another one began in
    unopened: int = 0  # closing tags beyond those
    open_at: int | None = None
    rest_at: int = 0  # behind the last tag
    head: str = ""  # before the first item
    outside: list[str] = field(default_factory=list)  # between items, where there is any


def read_tagged(text: str, terminator: str | None) -> Found:
    """Read the items of a tagged response.

    Args:
        text: With LF line ends.
        terminator: What stands after the last item, or None.
    """
    reading = _Reading(text=text)
    for tag in _TAG.finditer(text):
        _take(reading, tag)
    ending = find_ending(text[reading.rest_at :], terminator)
    if reading.open_at is None:
        ending = _look_outside(reading, ending, terminator)
    else:
        reading.faults.malformed(tr("The last item is not closed."), text, reading.open_at)
    names = Names(faults=reading.faults, text=text)
    if any(written is not None for written, _ in reading.ids):
        for written, at in reading.ids:
            names.add(written, at)
    return Found(
        written="tagged",
        count=len(reading.ids) + reading.unopened,
        names=names.all,
        unnamed=names.unnamed + reading.unopened,
        ending=ending,
        faults=reading.faults,
    )


def is_tagged(text: str) -> bool:
    """Say whether a tag of an item stands in a text."""
    return _PLAINLY.search(text) is not None


def _take(reading: _Reading, tag: re.Match[str]) -> None:
    if not tag["end"]:
        reading.faults.malformed(tr("A tag of an item is broken."), reading.text, tag.start())
    if tag["close"]:
        _close(reading, tag)
    else:
        _open(reading, tag)
    reading.rest_at = tag.end()


def _open(reading: _Reading, tag: re.Match[str]) -> None:
    if reading.open_at is not None:
        message = tr("An item begins before the one before it is closed.")
        reading.faults.malformed(message, reading.text, tag.start())
        reading.unclosed += 1
    elif not reading.rest_at:
        reading.head = reading.text[: tag.start()]
    elif (between := reading.text[reading.rest_at : tag.start()]).strip():
        reading.outside.append(between)
    reading.ids.append((_id(reading, tag), tag.start()))
    reading.open_at = tag.start()
    if tag["rest"].endswith("/"):
        reading.faults.malformed(tr("An item is empty."), reading.text, tag.start())
        reading.open_at = None


def _close(reading: _Reading, tag: re.Match[str]) -> None:
    if reading.open_at is None:
        reading.faults.malformed(tr("An item is closed that did not begin."), reading.text, tag.start())
        reading.unopened += not reading.unclosed
        reading.unclosed -= reading.unclosed > 0
    elif not reading.text[reading.rest_at : tag.start()].strip():
        reading.faults.malformed(tr("An item is empty."), reading.text, reading.open_at)
    reading.open_at = None


def _id(reading: _Reading, tag: re.Match[str]) -> str | None:
    found = _ATTRIBUTE.search(tag["rest"])
    if found is None:
        return None
    quoted = found[1] if found[1] is not None else found[2]
    if quoted is None:
        reading.faults.malformed(tr("An id is not in quotes."), reading.text, tag.start())
        return found[3]
    return quoted


def _look_outside(reading: _Reading, ending: Ending, terminator: str | None) -> Ending:
    """Note text that is in no item, but for one element around all items and the terminator."""
    outside = (reading.head, *reading.outside)
    core = (terminator or "").strip()
    early = [find_ending(text, terminator) if core and core in text else Ending(before=text) for text in outside]
    head, *loose = ((one.before + one.after).strip() for one in early)
    head, tail = _unwrapped(reading, head, ending.before.strip(), terminator)
    for text in filter(None, (head, *loose, tail)):
        reading.faults.malformed(tr("There is text outside of the items."), text, 0)
    return with_earlier(ending, reading.text, sum(one.count for one in early))


def _unwrapped(reading: _Reading, head: str, tail: str, terminator: str | None) -> tuple[str, str]:
    """Take away the element around all items; its closing tag may be the terminator."""
    wrapper = _OPENS.fullmatch(head)
    if wrapper is None:
        return head, tail
    closing = f"</{wrapper['name']}>"
    if tail == closing:
        return "", ""
    if terminator is None or closing != terminator.strip():
        reading.faults.malformed(tr("The element around the items is not closed."), reading.text, reading.rest_at)
    return "", tail

"""Arguments of ICU MessageFormat: names and types, select keys, plural categories of the target locale, nesting."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from skill_evaluator.graders.translation.placeholders.difference import Compared, PlaceholderFault
from skill_evaluator.graders.translation.placeholders.icu_branches import compare_messages
from skill_evaluator.graders.translation.placeholders.icu_found import Found, shown
from skill_evaluator.graders.translation.placeholders.icu_message import Argument, Message, all_parts, written
from skill_evaluator.graders.translation.placeholders.icu_parser import MalformedMessage, parse_message
from skill_evaluator.texts import joined, tr

_TYPES: Final = ("plural", "selectordinal", "select", "number", "date", "time", "spellout", "ordinal", "duration")
_TYPED = re.compile(rf"\{{\s*[^\s{{}},']+\s*,\s*(?:{'|'.join(_TYPES)})\s*[,}}]")


def is_icu(source: str) -> bool:
    """Say whether a text is surely an ICU message rather than one for `str.format`: it has a type after a comma.

    A broken message is one too; what stands in quotes shows nothing.
    """
    if not _TYPED.search(source):
        return False
    read = _read_source(source)
    return isinstance(read, str) or any(part.type for part in all_parts(read.message))


def compare_icu(source: str, target: str, *, target_locale: str, allow_reorder: bool) -> Compared:
    """Compare the placeholders of two messages.

    Args:
        source: The message that was translated.
        target: The translation.
        target_locale: BCP-47; its language decides which plural categories there are.
        allow_reorder: Whether placeholders may change places within a message or a branch.

    Returns:
        What was kept and what was not; undecided where the source is no message that can be read, and where no fault
        was found but something is left open.
    """
    before = _read_source(source)
    if isinstance(before, str):
        return Compared(expected=(), actual=(), undecided=before)
    try:
        after = parse_message(target)
    except MalformedMessage as error:
        fault = PlaceholderFault(
            code="placeholder_malformed",
            message=tr("The translation cannot be formatted: {reason}.", reason=error.message),
        )
        return Compared(expected=before.written, actual=(), faults=(fault,))
    found = Found(target_locale=target_locale, allow_reorder=allow_reorder)
    compare_messages(before.message, after, (), found)
    faults = _with_hint(found.faults) if "'{" in target and "'{" not in source else found.faults
    return Compared(
        expected=before.written,
        actual=tuple(map(written, after)),
        faults=tuple(faults),
        undecided=joined(tr("; "), found.doubts) if found.doubts and not faults else None,
    )


class _Source(NamedTuple):
    message: Message
    written: tuple[str, ...]


@lru_cache(maxsize=256)
def _read_source(text: str) -> _Source | str:
    """Read a source once for all its translations; a clause that says why nobody can tell what it holds."""
    try:
        message = parse_message(text)
    except MalformedMessage as error:
        return tr("the source is no ICU message: {reason}", reason=error.message)
    for part in all_parts(message):
        if isinstance(part, Argument) and part.style and part.type not in _TYPES:
            return tr("what follows the type `{type}` in the source may be text to translate", type=shown(part.type))
    return _Source(message, tuple(map(written, message)))


def _with_hint(faults: list[PlaceholderFault]) -> list[PlaceholderFault]:
    """Tell of the apostrophe that makes text of the placeholder behind it, as in `l'{name}`."""
    hint = tr("An apostrophe before a brace makes text of what follows; two of them are one apostrophe.")
    return [
        PlaceholderFault(code=fault.code, message=tr("{sentence} {next}", sentence=fault.message, next=hint))
        if fault.code == "placeholder_missing"
        else fault
        for fault in faults
    ]

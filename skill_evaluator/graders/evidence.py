"""What graders show as evidence: JSON values only, and never more text than a reader can use."""

import json
import unicodedata
from collections.abc import Mapping, Sequence

from skill_evaluator.model import OUTPUT_GAP, Outcome
from skill_evaluator.texts import tr

TEXT_LIMIT = 2_000
NAMES_LIMIT = 200
_MAY_COMBINE = 32  # characters; Unicode's stream-safe form allows 30 combining ones in a row


def normalised(text: str) -> str:
    """Make texts that look the same equal: NFC, and LF for CRLF."""
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n"))


def cut_middle(text: str, limit: int = TEXT_LIMIT) -> str:
    """Shorten a text to at most `limit` characters, marked where its middle was taken out."""
    if len(text) <= limit:
        return text
    mark = _mark(len(text) - limit)
    kept = max(limit - len(mark), 0)
    tail = kept // 2
    return text[: kept - tail] + mark + text[len(text) - tail :]


def cut_around(text: str, at: int, limit: int = TEXT_LIMIT) -> str:
    """Shorten a text to about `limit` characters so that the character at `at` stays in view."""
    if len(text) <= limit:
        return text
    start = min(max(at - limit // 2, 0), len(text) - limit)
    end = start + limit
    before = _mark(start) if start else ""
    after = _mark(len(text) - end) if end < len(text) else ""
    return before + text[start:end] + after


def shown(value: object) -> object:
    """Turn any JSON value into plain lists and dicts, or into its shortened JSON text where it is long.

    Args:
        value: A JSON value; mappings and sequences of any kind are taken. Nesting up to a few hundred levels.

    Returns:
        The value itself as JSON types, without lone surrogates; a string of at most `TEXT_LIMIT` characters where its
        JSON text would be longer than that.
    """
    plain = _plain(value)
    text = plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
    return plain if len(text) <= TEXT_LIMIT else cut_middle(text)


def shown_names(names: Sequence[str]) -> list[str]:
    """List names, with a mark in place of the middle of a very long list."""
    if len(names) <= NAMES_LIMIT:
        return [clean(name) for name in names]
    half = NAMES_LIMIT // 2
    left_out = len(names) - 2 * half
    return [*shown_names(names[:half]), f"[... {left_out} more ...]", *shown_names(names[-half:])]


def clean(text: str) -> str:
    """Replace lone surrogates, which no UTF-8 file can hold, by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def not_run(what: str) -> Outcome:
    """Say that a check had nothing to look at.

    Args:
        what: What the agent does not do, such as `makes no output`; one of `_IDLE` can be said in other languages.
    """
    return Outcome(
        passed=None, code="not_run", message=_IDLE.get(what, f"The agent {what}, so this was not looked at.")
    )


_IDLE = {
    "makes no output": tr("The agent makes no output, so this was not looked at."),
    "calls no tools": tr("The agent calls no tools, so this was not looked at."),
}


def output_cut(what: str) -> Outcome:
    """Say that the part of the output that was kept does not decide.

    Args:
        what: What would have to be known, such as `whether it holds 'x'`.
    """
    message = tr("The output is not whole, and what is there does not say {what}.", what=what)
    return Outcome(passed=None, code="output_cut", message=message)


def kept_pieces(output: str) -> list[str]:
    """Give the parts of an output that lost its middle.

    The last characters before the gap are left out: in NFC they might be one with what followed.
    """
    *before, last = output.split(OUTPUT_GAP)
    return [*(piece[:-_MAY_COMBINE] for piece in before), last]


def _mark(left_out: int) -> str:
    return f"\n[... {left_out} characters left out ...]\n"


def _plain(value: object) -> object:
    match value:
        case str():
            return clean(value)
        case Mapping():
            return {clean(str(key)): _plain(item) for key, item in value.items()}
        case Sequence():
            return [_plain(item) for item in value]
        case _:
            return value

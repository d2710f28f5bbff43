"""A text made ready for reading its numbers: without placeholders and markup, all digits ASCII.

What is taken out, so that the digits in it are no numbers: printf placeholders (`%1$s`, `%(n2)s`, `%5.2f`), everything
between braces (`{0}`, `{n, plural, =0 {...} other {# of 5}}`), of which what may be text is kept apart, and tags
(`<b1>`, `</2>`). Entities become what they stand for. Marks that are not seen (of direction, of width 0) go.
"""

import html
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

GAP: Final = "\ufffc"  # in place of what was taken out: no digit, no letter, no separator
_PLACEHOLDER: Final = re.compile(
    r"(?:(?<!\d)%|%\d{1,4}\$|%\([^()\s]{1,80}\))"  # `5%-20cm` holds a percent sign
    r"[-+#0]{0,4}(?:\d{1,4}|\*)?(?:\.(?:\d{1,4}|\*))?(?:hh|ll|[hlqLjzt])?[diouxXeEfFgGaAcCsSpn@]"
    r"|</?(?:[A-Za-z][^<>]{0,2000}|\d{1,4}/?)>"
)
_HIDDEN: Final = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+")
_OTHER_DIGIT: Final = re.compile(r"(?![0-9])\d")
_BRACE: Final = re.compile(r"[{}]")
_FIELD: Final = re.compile(r"\{[\w.\[\] -]*(?:![rsa])?(?::[^{}]*)?\}")
# In a message: `=0`, `offset:1`, `{0}`, `{0, plural`.
_OF_MESSAGE: Final = re.compile(r"=\d+(?=\s*\{)|offset:\s*\d+|\{\s*\d+\s*(?=[,}])")
# One character for one, so that a place in `plain` is the same place in `written`.
_SAME: Final = str.maketrans(
    {
        **dict.fromkeys("，،⹁﹐", ","),
        **dict.fromkeys("．﹒", "."),
        **dict.fromkeys("’＇ʼ", "'"),
        **dict.fromkeys("\u202f\u2009\u2007\u2008\u200a", "\xa0"),
        **dict.fromkeys("−‐‑–﹣－", "-"),
        "＋": "+",
        "：": ":",
    }
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadyText:
    """A text in two forms of the same length.

    Attributes:
        written: As written, with gaps.
        plain: Digits ASCII, each kind of separator one character.
        inside: What stood between braces and may be text, as in a branch of a message; unchanged.
    """

    written: str
    plain: str
    inside: str = ""


def ready(text: str) -> ReadyText:
    """Make a text ready."""
    if "&" in text:
        text = html.unescape(text)
    if not text.isascii():
        text = _HIDDEN.sub("", text)
    inside = ""
    if "{" in text:
        text, inside = _without_braces(text)
    if "%" in text or "<" in text:
        text = _PLACEHOLDER.sub(GAP, text)
    plain = text if text.isascii() else _OTHER_DIGIT.sub(_ascii_digit, text.translate(_SAME))
    return ReadyText(written=text, plain=plain, inside=inside)


def _ascii_digit(found: re.Match[str]) -> str:
    return str(unicodedata.decimal(found[0]))


def _without_braces(text: str) -> tuple[str, str]:
    """Take out what stands between braces that match; a brace without its partner stays.

    Returns:
        The text, and what was taken out but for plain fields, without the numbers that belong to a message.
    """
    outermost: list[tuple[int, int]] = []
    opened: list[int] = []
    for found in _BRACE.finditer(text):
        if found[0] == "{":
            opened.append(found.start())
        elif opened:
            start = opened.pop()
            while outermost and outermost[-1][0] > start:
                outermost.pop()
            outermost.append((start, found.end()))
    kept = [0, *(place for pair in outermost for place in pair), len(text)]
    taken = [text[start:end] for start, end in outermost if not _FIELD.fullmatch(text, start, end)]
    inside = _BRACE.sub(GAP, _OF_MESSAGE.sub(GAP, GAP.join(taken))) if taken else ""
    return GAP.join(text[start:end] for start, end in zip(kept[::2], kept[1::2], strict=True)), inside

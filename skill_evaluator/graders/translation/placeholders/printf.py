"""The directives of C's printf, as gettext's `c-format` has them."""

import re
from typing import Final

from skill_evaluator.graders.translation.placeholders.placeholder import NOTHING, Parsed, Placeholder, shown_text
from skill_evaluator.texts import tr

# Possessive throughout: nothing is tried twice, so a long text of one character takes no longer than another.
# Source: C23 7.23.6.1 (fprintf), POSIX fprintf (`%1$s`, `'`), glibc (`%m`, `I`, `Z`),
#   C99 7.8.1 as in gettext (`<PRId64>`).
_DIRECTIVE: Final = re.compile(
    r"""%(?:
        (?:([0-9]++)\$)?+                                   # 1 number
        ([-+\ \#0'I]*+)                                     # 2 flags
        (\*(?:[0-9]++\$)?+|[0-9]++)?+                       # 3 width
        (\.(?:\*(?:[0-9]++\$)?+|[0-9]*+))?+                 # 4 precision
        (?:
            (hh?+|ll?+|[LqjzZt]|wf?+(?:8|16|32|64))?+       # 5 length
            ([%mcCsSidouxXbBeEfFgGaApn])                    # 6 conversion
          | (<PRI[diouxX](?:(?:LEAST|FAST)?+(?:8|16|32|64)|MAX|PTR)>)  # 7 macro
        )
    )?+""",
    re.VERBOSE,
)
_LENGTHS: Final = {"c": "l", "s": "l", **dict.fromkeys("eEfFgGaA", "lLllq")}


def parse_printf(text: str) -> Parsed:
    """Find the directives of a text for printf.

    `%%` is text; the flag `I` asks for the digits of the translation's locale and is no part of an identity, since
    translators add it. Flags count in any order.

    Source:
        GNU gettext manual, "C Format Strings".
    """
    if "%" not in text:
        return NOTHING
    reader = _Reader(text)
    for match in _DIRECTIVE.finditer(text):
        reader.take(match)
    return reader.parsed()


class _Reader:
    """Counts the arguments of directives that leave their number out."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: list[Placeholder] = []
        self._taken = 0
        self._numbers: set[int] = set()
        self._reason: str | None = None
        self._escapes = 0

    def take(self, match: "re.Match[str]") -> None:
        number, flags, width, precision, length, conversion, macro = match.groups()
        if not (conversion or macro):
            self._reason = self._reason or _why_not(self._text, match.start())
            return
        if conversion == "%":
            self._escapes += 1
            return
        if length and length not in _LENGTHS.get(conversion, length):
            self._complain(tr("the length of {match} does not go with its conversion", match=match[0]))
            return
        plain = _in_order(flags) + (width or "") + (precision or "") + (length or "") + (conversion or macro)
        if not (number or width or precision or conversion == "m"):  # nearly all
            self._taken += 1
            name, kind = str(self._taken), plain
        else:
            width, precision = self._star(width), self._star(precision)
            kind = _in_order(flags) + width + precision + (length or "") + (conversion or macro)
            name = "errno" if conversion == "m" else self._argument(number)
        takes_next = not number and conversion != "m"
        self._found.append(Placeholder(match[0], match.start(), name, kind, plain, takes_next, " " not in flags))

    def parsed(self) -> Parsed:
        if self._numbers and self._taken:
            self._complain(tr("some arguments are told by number and some are not"))
        elif 0 in self._numbers:
            self._complain(tr("arguments are counted from 1"))
        return Parsed(tuple(self._found), bool(self._numbers), self._reason, self._escapes)

    def _argument(self, number: str | None) -> str:
        if number is None:
            self._taken += 1
            return str(self._taken)
        plain = number.lstrip("0")
        self._numbers.add(min(len(plain), 1))
        return plain

    def _star(self, size: str | None) -> str:
        """Name the argument that a width or precision of `*` takes."""
        before, star, number = (size or "").partition("*")
        return before + star + (self._argument(number.rstrip("$") or None) if star else "")

    def _complain(self, reason: str) -> None:
        self._reason = self._reason or reason


def _in_order(flags: str) -> str:
    return "".join(sorted(set(flags.replace("I", "")))) if flags else ""


def _why_not(text: str, at: int) -> str:
    if at == len(text) - 1:
        return tr("a % stands at the end")
    return tr("{text} begins with no directive", text=shown_text(text[at : at + 12]))

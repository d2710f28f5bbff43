"""Reads ICU MessageFormat as ICU itself does since 4.8: an apostrophe quotes only where a brace or `#` follows it.

Tags such as `<b>` are text here, as in ICU. Skeletons and styles are kept as written, and not looked into.
"""

import re
from typing import Final, Never, cast

from skill_evaluator.graders.translation.placeholders.icu_found import shown
from skill_evaluator.graders.translation.placeholders.icu_message import (
    POUND,
    Argument,
    Choice,
    ChoiceType,
    Message,
    Part,
)
from skill_evaluator.texts import tr

_SHOWN: Final = 60  # characters of a name
MOST_LEVELS: Final = 100  # of messages in messages
CHOICES: Final = frozenset({"plural", "selectordinal", "select"})

# Pattern_White_Space and Pattern_Syntax of Unicode's UAX 31, which never change, and White_Space.
_SPACE_CHARACTERS = r"\t-\r \x85\u200e\u200f\u2028\u2029"
_NOT_IN_NAMES = (
    r"\t-\r -/:-@\[-\^`{-~\x85\xa0-\xa7\xa9\xab\xac\xae\xb0\xb1\xb6\xbb\xbf\xd7\xf7\u1680\u2000-\u200a\u200e\u200f"
    r"\u2010-\u2029\u202f-\u203e\u2041-\u2053\u2055-\u205f\u2190-\u245f\u2500-\u2775\u2794-\u2bff\u2e00-\u2e7f"
    r"\u3000-\u3003\u3008-\u3020\u3030\ufd3e\ufd3f\ufe45\ufe46"
)
_PLAIN = re.compile(r"[^'{}#]*")
_SPACE = re.compile(f"[{_SPACE_CHARACTERS}]*")
_NAME = re.compile(f"[^{_NOT_IN_NAMES}]*")
_TYPE = re.compile("[A-Za-z]*")
_SIMPLE = re.compile(rf"\{{([^{_NOT_IN_NAMES}]+)\}}")  # most arguments; all others are read piece by piece
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_IN_STYLE = re.compile("['{}]")
_AFTER_STYLE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x2010))
)


class MalformedMessage(Exception):  # noqa: N818 - a finding about a text, no failure of this program
    """A text is no ICU message.

    Attributes:
        message: A clause that says where and why.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def parse_message(text: str) -> Message:
    """Read a message.

    Args:
        text: Of any length.

    Returns:
        Its placeholders, in order.

    Raises:
        MalformedMessage: If it is none, or nests deeper than `MOST_LEVELS`.

    Source:
        https://unicode-org.github.io/icu-docs/apidoc/released/icu4c/classicu_1_1MessagePattern.html
    """
    return _Reader(text).message(level=0, has_pound=False)


class _Reader:
    """A place in a text, and what may stand there."""

    __slots__ = ("at", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def message(self, *, level: int, has_pound: bool) -> Message:
        """Read on up to the end of the text, or to the brace that ends a branch, which is left for the caller."""
        text, size = self.text, len(self.text)
        parts: list[Part] = []
        while (at := self.skip(_PLAIN)) < size:
            match text[at]:
                case "{":
                    parts.append(self.argument(level))
                    continue
                case "}" if level:
                    break
                case "#" if has_pound:
                    parts.append(POUND)
                case "'":
                    at = _end_of_quote(text, at, "{}#" if has_pound else "{}")
                case _:  # text here
                    pass
            self.at = at + 1
        return tuple(parts)

    def argument(self, level: int) -> Part:
        """Read from an opening brace up to behind the closing one."""
        opened = self.at
        if simple := _SIMPLE.match(self.text, opened):
            self.at = simple.end()
            return Argument(simple[1])
        self.at += 1
        self.skip(_SPACE)
        name = self.word(_NAME) or self.refuse(tr("the name of an argument"), opened)
        self.skip(_SPACE)
        if self.take("}"):
            return Argument(name)
        if not self.take(","):
            self.refuse(tr("a comma or a closing brace after {{{name}", name=_cut(name)), opened)
        self.skip(_SPACE)
        kind = self.word(_TYPE) or self.refuse(tr("the type of {{{name}, ...}}", name=_cut(name)), opened)
        self.skip(_SPACE)
        if kind in CHOICES:
            return self.choice(name, cast("ChoiceType", kind), level)
        style = self.style(opened) if self.take(",") else ""
        self.close(opened)
        return Argument(name, kind, style)

    def choice(self, name: str, kind: ChoiceType, level: int) -> Choice:
        """Read the branches of an argument, from the comma in front of them."""
        opened = self.at
        if not self.take(","):
            self.refuse(tr("a comma before its branches"), opened)
        self.skip(_SPACE)
        offset = "" if kind == "select" else self.offset()
        branches: dict[str, Message] = {}
        while selector := self.selector(kind):
            if selector in branches:
                raise MalformedMessage(
                    tr(
                        "before character {at} there is a second branch `{selector}`",
                        at=self.at + 1,
                        selector=_cut(selector),
                    )
                )
            self.skip(_SPACE)
            branches[selector] = self.branch(selector, level + 1, has_pound=kind != "select")
            self.skip(_SPACE)
        if "other" not in branches:
            self.refuse(tr("a branch `other`"), opened)
        self.close(opened)
        return Choice(name, kind, offset, branches)

    def branch(self, selector: str, level: int, *, has_pound: bool) -> Message:
        """Read the text of a branch with its braces."""
        opened = self.at
        if not self.take("{"):
            self.refuse(tr("a text in braces after `{selector}`", selector=_cut(selector)), opened)
        if level > MOST_LEVELS:
            raise MalformedMessage(
                tr(
                    "at character {opened} it is nested deeper than {most_levels} levels",
                    opened=opened + 1,
                    most_levels=MOST_LEVELS,
                )
            )
        message = self.message(level=level, has_pound=has_pound)
        self.close(opened)
        return message

    def offset(self) -> str:
        """Read what is taken off a number, if anything is."""
        if not self.text.startswith("offset:", self.at):
            return ""
        self.at += len("offset:")
        self.skip(_SPACE)
        number = self.word(_NUMBER) or self.refuse(tr("a number after `offset:`"), self.at)
        self.skip(_SPACE)
        return number.lstrip("+") if float(number) else ""

    def selector(self, kind: ChoiceType) -> str:
        """Read the name of a branch; empty where none follows."""
        if kind != "select" and self.take("="):
            return "=" + (self.word(_NUMBER) or self.refuse(tr("a number after `=`"), self.at))
        return self.word(_NAME)

    def style(self, opened: int) -> str:
        """Read a style up to the brace that ends its argument; braces in it come in pairs, quotes do not count."""
        self.skip(_SPACE)
        start, depth = self.at, 0
        while found := _IN_STYLE.search(self.text, self.at):
            self.at = found.end()
            match found[0]:
                case "'":
                    self.at = self.text.find("'", self.at) + 1 or len(self.text) + 1
                case "{":
                    depth += 1
                case _ if depth:
                    depth -= 1
                case _:
                    self.at -= 1
                    return self.text[start : self.at].rstrip(_AFTER_STYLE) or self.refuse(tr("a style"), opened)
        in_quote, self.at = self.at > len(self.text), len(self.text)
        return self.refuse(tr("a second apostrophe") if in_quote else tr("a closing brace"), opened)

    def close(self, opened: int) -> None:
        """Read the brace that ends what began at `opened`."""
        if not self.take("}"):
            self.refuse(tr("a closing brace"), opened)

    def skip(self, what: re.Pattern[str]) -> int:
        """Go behind characters, of which there may be none, and say where that is."""
        self.at = cast("re.Match[str]", what.match(self.text, self.at)).end()
        return self.at

    def word(self, what: re.Pattern[str]) -> str:
        """Read a word; empty where there is none."""
        found = what.match(self.text, self.at)
        if not found:
            return ""
        self.at = found.end()
        return found[0]

    def take(self, character: str) -> bool:
        """Go behind a character if it is the next one."""
        if not self.text.startswith(character, self.at):
            return False
        self.at += 1
        return True

    def refuse(self, expected: str, opened: int) -> Never:
        """Say where the text breaks, and where the part of it began that cannot be read."""
        at = self.at + 1
        message = (
            tr(
                "at character {at} stands `{found}` where {expected} is expected",
                at=at,
                found=_cut(self.text[self.at]),
                expected=expected,
            )
            if self.at < len(self.text)
            else tr("at character {at} the text ends where {expected} is expected", at=at, expected=expected)
        )
        if opened != self.at:
            message = tr("{fault} in what begins at character {opened}", fault=message, opened=opened + 1)
        raise MalformedMessage(message)


def _end_of_quote(text: str, at: int, quotable: str) -> int:
    """Find the last character that an apostrophe makes text: itself, its double, or a quote's end."""
    following = text[at + 1 : at + 2]
    if following == "'":
        return at + 1
    if not following or following not in quotable:
        return at
    end = text.find("'", at + 2)
    while end >= 0 and text.startswith("''", end):
        end = text.find("'", end + 2)
    return end if end >= 0 else len(text) - 1  # a quote that nothing ends holds the rest


def _cut(name: str) -> str:
    return shown(name, _SHOWN)

"""The replacement fields of Python's `str.format`."""

import re
from typing import Final

from skill_evaluator.graders.translation.placeholders.placeholder import NOTHING, Parsed, Placeholder, shown_text
from skill_evaluator.texts import tr

# Possessive throughout, as in printf.py. A format specification may hold fields, and these again no fields; braces in
# an index, which Python takes, would make the time grow with the square of the length and are refused.
# Source: Python Library Reference, "Format String Syntax".
_FIELD: Final = re.compile(
    r"""\{\{ | \}\} |
    \{(?:
        ([^][{}!:.]*+)                                            # 1 name
        ((?:[^][{}!:]|\[[^]{}]*+\])*+)                            # 2 attributes and indexes
        (?:!([^{}:]*+))?+                                         # 3 conversion
        (?: :((?:[^{}]|\{(?:[^{}]|\{[^{}]*+\})*+\})*+))?+         # 4 specification
    (\}))?+                                                       # 5 the end
    | \}""",
    re.VERBOSE,
)
_PATH: Final = re.compile(r"(?:\.[^.\[\]]+|\[[^]]+\])*")
_NAME: Final = re.compile(r"[^\W\d]\w*|[0-9]+|")
_LONG: Final = 20  # digits; a number beyond is no argument of anything
# What Python's own types understand, or a pattern of strftime.
_USUAL_SPECIFICATION: Final = re.compile(
    r"(?:.?[<>=^])?[-+ ]?z?#?0?[0-9]*[,_]?(?:\.[0-9]+)?[A-Za-z%]?|.*[%{].*", re.DOTALL
)


def parse_braces(text: str) -> Parsed:
    """Find the replacement fields of a text for `str.format`; `{{` and `}}` are text."""
    if "{" not in text and "}" not in text:
        return NOTHING
    reader = _Reader(text)
    reader.read()
    return reader.parsed()


class _Reader:
    """Counts the fields that leave their number out, those in specifications after the one that holds them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: list[Placeholder] = []
        self._counted = 0
        self._numbered = False
        self._reason: str | None = None
        self._escapes = 0

    def read(self) -> None:
        for match in _FIELD.finditer(self._text):
            whole = match[0]
            if whole in {"{{", "}}"}:
                self._escapes += 1
            elif match[5] is None:
                self._reason = self._reason or _why_not(self._text, match.start())
            elif (found := self._field(match)) is not None:
                self._found.append(found)

    def parsed(self) -> Parsed:
        if self._numbered and self._counted:
            self._complain(tr("some fields are numbered and some leave their number out"))
        return Parsed(tuple(self._found), self._numbered, self._reason, self._escapes)

    def _field(self, match: "re.Match[str]") -> Placeholder | None:
        name, path, conversion, specification, _ = match.groups()
        whole = match[0]
        if path and not _PATH.fullmatch(path):
            self._complain(tr("{whole} has no such attribute or index", whole=shown_text(whole)))
            return None
        if conversion is not None and conversion not in {"r", "s", "a"}:
            self._complain(tr("{whole} has a conversion that is not r, s or a", whole=shown_text(whole)))
            return None
        argument = self._argument(name)
        before = f"{path}{'!' if conversion else ''}{conversion or ''}"
        if not specification:
            is_sure = _NAME.fullmatch(name) is not None
            return Placeholder(whole, match.start(), argument, before, before, not name, is_sure)
        resolved = self._resolved(specification) if "{" in specification or "}" in specification else specification
        if resolved is None:
            return None
        is_sure = _NAME.fullmatch(name) is not None and _USUAL_SPECIFICATION.fullmatch(specification) is not None
        kind, plain = f"{before}:{resolved}", f"{before}:{specification}"
        return Placeholder(whole, match.start(), argument, kind, plain, not name, is_sure)

    def _argument(self, name: str) -> str:
        if not name:
            self._counted += 1
            return str(self._counted - 1)
        if name.isdecimal():
            self._numbered = True
            return str(int(name)) if len(name) < _LONG else name
        return name

    def _resolved(self, specification: str) -> str | None:
        """Write a specification with the numbers of the fields in it, or complain and give None."""
        inner = _Reader(specification)
        inner._counted = self._counted
        inner.read()
        self._counted, self._numbered = inner._counted, self._numbered or inner._numbered
        if inner._reason or any("{" in one.kind for one in inner._found):
            self._complain(tr("the specification {specification} is none", specification=shown_text(specification)))
            return None
        at, pieces = 0, []
        for one in inner._found:
            pieces += [specification[at : one.at], "{", one.name, one.kind, "}"]
            at = one.at + len(one.text)
        return "".join(pieces) + specification[at:]

    def _complain(self, reason: str) -> None:
        self._reason = self._reason or reason


def _why_not(text: str, at: int) -> str:
    if text[at] == "}":
        return tr("a }} closes nothing")
    return tr("{text} begins with no whole field", text=shown_text(text[at : at + 12]))

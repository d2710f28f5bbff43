"""The conversion specifiers of Python's `%` operator, as gettext's `python-format` has them."""

import re
from typing import Final

from skill_evaluator.graders.translation.placeholders.placeholder import NOTHING, Parsed, Placeholder, shown_text
from skill_evaluator.texts import tr

# Possessive throughout, as in printf.py. Names may hold parentheses in pairs, here two deep.
# Source: Python Library Reference, "printf-style String Formatting".
_SPECIFIER: Final = re.compile(
    r"""%(?:
        (?:\(([^()]*+(?:\([^()]*+(?:\([^()]*+\)[^()]*+)*+\)[^()]*+)*+)\))?+  # 1 name
        ([-+\ \#0]*+)                                                        # 2 flags
        (\*|[0-9]++)?+                                                       # 3 width
        (\.(?:\*|[0-9]*+))?+                                                 # 4 precision
        ([hlL]?+)                                                            # 5 length, which Python ignores
        ([%diouxXeEfFgGcrsa])                                                # 6 conversion
    )?+""",
    re.VERBOSE,
)


def parse_percent(text: str) -> Parsed:
    """Find the conversion specifiers of a text for the `%` operator; `%%` is text."""
    if "%" not in text:
        return NOTHING
    found: list[Placeholder] = []
    reason: str | None = None
    taken = named = escapes = 0
    for match in _SPECIFIER.finditer(text):
        name, conversion = match[1], match[6]
        if conversion is None:
            reason = reason or _why_not(text, match.start())
        elif conversion == "%" and name is None:
            escapes += 1
        else:
            kind = _kind(match)
            taken += kind.count("*") + (name is None)
            named += name is not None
            found.append(_placeholder(match, kind, taken))
    if named and taken:
        reason = reason or tr("some arguments are told by name and some are not")
    return Parsed(tuple(found), is_numbered=False, reason=reason, escapes=escapes)


def _kind(match: re.Match[str]) -> str:
    """Write all but the name of a specifier in one spelling."""
    _, flags, width, precision, length, conversion = match.groups()
    return f"{''.join(sorted(set(flags)))}{width or ''}{precision or ''}{length}{conversion}"


def _placeholder(match: re.Match[str], kind: str, number: int) -> Placeholder:
    """Make the placeholder of a specifier, which takes the argument of that number unless it names one."""
    name, flags = match[1], match[2]
    argument = str(number) if name is None else f"({name})"
    return Placeholder(match[0], match.start(), argument, kind, kind, name is None, " " not in flags)


def _why_not(text: str, at: int) -> str:
    if at == len(text) - 1:
        return tr("a % stands at the end")
    return tr("{text} begins with no conversion specifier", text=shown_text(text[at : at + 12]))

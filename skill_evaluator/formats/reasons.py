"""What other programs say about a fault, such as parsers and the system, with words of ours for what is known."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from skill_evaluator.reasons import foreign, reason_of, told
from skill_evaluator.texts import Text, tr


def _known(*texts: Text) -> Mapping[str, Text]:
    return MappingProxyType({str(text): text for text in texts})


_EMPTY: Final = tr("embedded null byte")
# Source: the parsers of Python 3.11 to 3.14.
_JSON: Final = _known(
    tr("Expecting value"),
    tr("Expecting ',' delimiter"),
    tr("Expecting ':' delimiter"),
    tr("Expecting property name enclosed in double quotes"),
    tr("Extra data"),
    tr("Unterminated string starting at"),
    tr("Invalid control character at"),
    tr("Invalid \\escape"),
    tr("Invalid \\uXXXX escape"),
    tr("Illegal trailing comma before end of object"),
    tr("Illegal trailing comma before end of array"),
)
# Source: QuickJS-NG 0.14.
_PATTERN: Final = _known(
    tr("expecting ')'"),
    tr("expecting ':'"),
    tr("unexpected end"),
    tr("nothing to repeat"),
    tr("invalid group"),
    tr("invalid group name"),
    tr("group name not defined"),
    tr("duplicate group name"),
    tr("invalid repetition count"),
    tr("invalid class range"),
    tr("invalid escape sequence in regular expression"),
    tr("invalid regular expression flags"),
    tr("unknown unicode property name"),
    tr("extraneous characters at the end"),
    tr("syntax error"),
    tr("too many captures"),
    tr("back reference out of range in regular expression"),
)


def system_reason(error: OSError | ValueError) -> str:
    """Say why the system refused something."""
    return _EMPTY if str(error) == _EMPTY else foreign(reason_of(error))


def system_fault(error: OSError | ValueError) -> str:
    """Say what the system refused, with its number and the file, as Python writes it."""
    return foreign(told(error)) if isinstance(error, OSError) else system_reason(error)


def json_reason(error: ValueError) -> str:
    """Say why a text is no JSON, with the place as Python's parser has it."""
    if not isinstance(error, json.JSONDecodeError):
        return foreign(reason_of(error))
    return tr(
        "{problem}: line {line} column {column} (char {char})",
        problem=_JSON.get(error.msg) or foreign(error.msg),
        line=error.lineno,
        column=error.colno,
        char=error.pos,
    )


def pattern_reason(problem: str) -> str:
    """Give what the engine of JavaScript patterns said."""
    return _PATTERN.get(problem) or foreign(problem)

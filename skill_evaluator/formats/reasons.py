"""What other programs say about a fault, such as parsers and the system, with words of ours for what is known."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from skill_evaluator.texts import Text, tr


def _known(*texts: Text) -> Mapping[str, Text]:
    return MappingProxyType({str(text): text for text in texts})


_SYSTEM: Final = _known(
    tr("Permission denied"),
    tr("No such file or directory"),
    tr("Not a directory"),
    tr("Is a directory"),
    tr("File name too long"),
    tr("Too many levels of symbolic links"),
    tr("Too many open files"),
    tr("Input/output error"),
    tr("embedded null byte"),
    tr("Stale file handle"),
)
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
# Source: libyaml 0.2 and PyYAML 6.
_YAML: Final = _known(
    tr("mapping values are not allowed here"),
    tr("sequence entries are not allowed here"),
    tr("found character that cannot start any token"),
    tr("could not find expected ':'"),
    tr("did not find expected key"),
    tr("did not find expected '-' indicator"),
    tr("did not find expected node content"),
    tr("did not find expected ',' or ']'"),
    tr("did not find expected ',' or '}}'"),
    tr("did not find expected whitespace or line break"),
    tr("did not find expected comment or line break"),
    tr("did not find expected alphabetic or numeric character"),
    tr("did not find expected hexdecimal number"),
    tr("did not find expected <document start>"),
    tr("did not find expected digit or '-' or '+'"),
    tr("found unexpected end of stream"),
    tr("found unexpected document indicator"),
    tr("found unexpected ':'"),
    tr("found unknown escape character"),
    tr("found undefined tag handle"),
    tr("found a tab character that violates indentation"),
    tr("found a tab character where an indentation space is expected"),
    tr("found duplicate %YAML directive"),
    tr("found duplicate %TAG directive"),
    tr("found incompatible YAML document"),
    tr("found unknown directive name"),
    tr("block mapping entries are not allowed in this context"),
    tr("mapping keys are not allowed in this context"),
    tr("mapping keys are not allowed here"),
    tr("holds an escape that stands for no character"),
    tr("nested too deeply"),
    tr("not valid YAML"),
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
)


def system_reason(error: OSError | ValueError) -> str:
    """Say why the system refused something."""
    return _said((isinstance(error, OSError) and error.strerror) or str(error), _SYSTEM)


def system_fault(error: OSError | ValueError) -> str:
    """Say what the system refused, with its number and the file, as Python writes it."""
    match error:
        case OSError(errno=int(number), strerror=str(), filename=None):
            return tr("[Errno {number}] {why}", number=number, why=system_reason(error))
        case OSError(errno=int(number), strerror=str(), filename=file, filename2=None):
            return tr("[Errno {number}] {why}: {file!r}", number=number, why=system_reason(error), file=file)
        case _:
            return system_reason(ValueError(str(error)))


def json_reason(error: ValueError) -> str:
    """Say why a text is no JSON, with the place as Python's parser has it."""
    if not isinstance(error, json.JSONDecodeError):
        said = error.args[0] if error.args else ""
        return said if isinstance(said, Text) else foreign(str(error))
    return tr(
        "{problem}: line {line} column {column} (char {char})",
        problem=_said(error.msg, _JSON),
        line=error.lineno,
        column=error.colno,
        char=error.pos,
    )


def yaml_reason(problem: str) -> str:
    """Give what a parser of YAML said."""
    return _said(problem, _YAML)


def pattern_reason(problem: str) -> str:
    """Give what the engine of JavaScript patterns said."""
    return _said(problem, _PATTERN)


def foreign(words: str) -> str:
    """Quote words of another program where a sentence of ours is in another language than they are."""
    return tr("{words_of_others}", words_of_others=words)


def _said(words: str, known: Mapping[str, Text]) -> str:
    return known.get(words) or foreign(words)

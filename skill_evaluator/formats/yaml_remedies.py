"""What a newcomer can do about YAML that cannot be read, in skills and in suites."""

import re
from typing import Final

from skill_evaluator.formats.yaml12 import YamlError
from skill_evaluator.texts import tr

_KEY: Final = re.compile(r"([A-Za-z][\w-]*):(?:\s|$)")
_INNER_KEY: Final = re.compile(r"[ ]*(?:- )*([A-Za-z][\w-]*):(?:\s|$)")
# Words of libyaml and of PyYAML's own parser for what goes wrong in real skills, and what a newcomer can do about it.
_REMEDIES: Final = (
    ("mapping values are not allowed", tr("holds ': ' without quotes")),
    ("'\\t' that cannot start any token", tr("is followed by a line indented with a tab, where YAML wants blanks")),
    ("found a tab character", tr("is followed by a line indented with a tab, where YAML wants blanks")),
    ("cannot start any token", tr("starts with a character that YAML keeps for itself")),
    ("expected alphabetic or numeric character", tr("starts with a character that YAML keeps for itself")),
    ("undefined alias", tr("starts with a character that YAML keeps for itself")),
    ("sequence entries are not allowed", tr("starts like a list item")),
    ("expected <block end>", tr("goes on after a closing quote or bracket, or is indented unevenly")),
    ("did not find expected key", tr("goes on after a closing quote or bracket, or is indented unevenly")),
    ("did not find expected '-' indicator", tr("goes on after a closing quote or bracket, or is indented unevenly")),
    ("could not find expected ':'", tr("goes on in a line that is not indented")),
    ("unknown escape character", tr("holds a backslash that YAML reads as an escape")),
    ("unexpected end of stream", tr("opens a quote that is never closed")),
)
_ESCAPE, _TAB = "unknown escape character", ("a tab character", "'\\t'")


def remedy_of(yaml: str, error: YamlError, *, is_nested: bool = False) -> tuple[str, str, str] | None:
    """Say which key's value is at fault, what of it, and what to do.

    Args:
        yaml: The text that was read, with lines as the error counts them.
        error: What the parser said.
        is_nested: Whether keys of inner mappings are meant too, not those at the top alone.

    Returns:
        The three, or None where nothing is known about such a fault.
    """
    key = last_key(yaml, error, is_nested=is_nested)
    found = next((words for part, words in _REMEDIES if part in error.message), None)
    return None if key is None or found is None else (key, found, _what_to_do(key, error.message))


def _what_to_do(key: str, problem: str) -> str:
    if _ESCAPE in problem:
        return tr("put the value in single quotes, where a backslash stands for itself")
    if any(part in problem for part in _TAB):
        return tr("indent with blanks")
    return tr("put the value in double quotes, or write `{key}: >-` and the text indented below it", key=key)


def last_key(yaml: str, error: YamlError, *, is_nested: bool = False) -> str | None:
    """Give the last key that opens a line at or above the place of an error."""
    pattern = _INNER_KEY if is_nested else _KEY
    lines = yaml.split("\n")[: error.line]
    return next((match[1] for line in reversed(lines) if (match := pattern.match(line))), None)

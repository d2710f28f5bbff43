"""What is wrong where JSON stops to parse, worded for somebody who does not know the grammar."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Final

from skill_evaluator.texts import tr

# What editors, word processors and input methods put in place of JSON's own marks.
_FULL_WIDTH: Final = {"，": ",", "：": ":", "“": '"', "”": '"', "「": '"', "【": "[", "】": "]", "｛": "{", "｝": "}"}
_PYTHON: Final = {"True": "true", "False": "false", "None": "null"}
_TRAILING_COMMA: Final = re.compile(r",\s*([}\]])")
# By a part of the parser's own message; takes what stands there.
_WORDINGS: Final[Mapping[str, Callable[[str], str]]] = {
    "control character": lambda _: tr(
        "a line break or tab stands inside a text; write \\n or \\t, or close the text before it"
    ),
    "Invalid \\": lambda _: tr("a single backslash stands inside a text; write it twice: \\\\"),
    "',' delimiter": lambda found: tr("a comma is missing before {found}", found=found),
    "':' delimiter": lambda found: tr("a colon is missing before {found}", found=found),
    "property name": lambda found: tr("{found} stands where a key in double quotes belongs", found=found),
}


def line_of(text: str, error: json.JSONDecodeError) -> int:
    """Give the 1-based line of a fault, the same with any version of the parser."""
    return text.count("\n", 0, _place(text, error)) + 1


def explain(text: str, error: json.JSONDecodeError) -> str:
    """Say what stands at the place where the parser stopped, and what to write instead."""
    place = _place(text, error)
    if closing := _TRAILING_COMMA.match(text, place):
        return tr("a comma stands before {bracket} with nothing between; remove the comma", bracket=closing[1])
    rest = text[place:].lstrip()
    before = text[:place].rstrip()
    if not text.strip():
        return tr("the file is empty")
    if error.msg.startswith("Unterminated string"):
        return tr("a text has no closing double quote; close it, or look whether the file was cut off")
    if not rest:
        return tr("the JSON ends in the middle, with a bracket, brace or text still open; was the file cut off?")
    if error.msg.startswith("Extra data"):
        return _extra(rest)
    return _at(rest, before) or _by_message(error.msg, rest)


def _place(text: str, error: json.JSONDecodeError) -> int:
    """Where a fault is: a comma too many is where it stands, while the parser may stop only at the bracket after it."""
    before = text[: error.pos].rstrip()
    if before.endswith(",") and text[error.pos :].lstrip()[:1] in {"}", "]"}:
        return len(before) - 1
    return error.pos


def _extra(rest: str) -> str:
    if rest.startswith("{"):
        return tr(
            "a second object follows without a list around both; write [ ... ] around all of them, commas between"
        )
    return tr("{found} follows after the end of the JSON; remove it", found=_start(rest))


def _at(rest: str, before: str) -> str | None:
    """Look for the mistakes that can be named from the next character."""
    word = re.match(r"\w+", rest)
    if word and word[0] in _PYTHON:
        return tr("{word} is no JSON; write {right}", word=word[0], right=_PYTHON[word[0]])
    if rest[0] in _FULL_WIDTH:
        return tr("{mark} is no JSON punctuation; write {right} instead", mark=rest[0], right=_FULL_WIDTH[rest[0]])
    if rest[0] == "," and before.endswith(","):
        return tr("a comma stands before , with nothing between; remove the comma")
    if rest[0] == "'":
        return tr('a text stands in single quotes; JSON wants double quotes "..."')
    return tr("JSON has no comments; remove it") if rest.startswith(("//", "/*", "#")) else None


def _by_message(message: str, rest: str) -> str:
    wording = next((wording for part, wording in _WORDINGS.items() if part in message), _no_value)
    return wording(_start(rest))


def _no_value(found: str) -> str:
    return tr("{found} is no JSON value", found=found)


def _start(rest: str) -> str:
    return repr(rest.partition("\n")[0][:20].strip())

"""What is wrong where JSON stops to parse, worded for somebody who does not know the grammar."""

import json
import re
from typing import Final

# What editors, word processors and input methods put in place of JSON's own marks.
_FULL_WIDTH: Final = {"，": ",", "：": ":", "“": '"', "”": '"', "「": '"', "【": "[", "】": "]", "｛": "{", "｝": "}"}
_PYTHON: Final = {"True": "true", "False": "false", "None": "null"}
_TRAILING_COMMA: Final = re.compile(r",\s*([}\]])")
# By a part of the parser's own message; {} is what stands there.
_WORDINGS: Final = {
    "control character": "a line break or tab stands inside a text; write \\n or \\t, or close the text before it",
    "Invalid \\": "a single backslash stands inside a text; write it twice: \\\\",
    "',' delimiter": "a comma is missing before {}",
    "':' delimiter": "a colon is missing before {}",
    "property name": "{} stands where a key in double quotes belongs",
}


def line_of(text: str, error: json.JSONDecodeError) -> int:
    """Give the 1-based line of a fault, the same with any version of the parser."""
    return text.count("\n", 0, _place(text, error)) + 1


def explain(text: str, error: json.JSONDecodeError) -> str:
    """Say what stands at the place where the parser stopped, and what to write instead."""
    place = _place(text, error)
    if closing := _TRAILING_COMMA.match(text, place):
        return f"a comma stands before {closing[1]} with nothing between; remove the comma"
    rest = text[place:].lstrip()
    before = text[:place].rstrip()
    if not text.strip():
        return "the file is empty"
    if error.msg.startswith("Unterminated string"):
        return "a text has no closing double quote; close it, or look whether the file was cut off"
    if not rest:
        return "the JSON ends in the middle, with a bracket, brace or text still open; was the file cut off?"
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
        return "a second object follows without a list around both; write [ ... ] around all of them, commas between"
    return f"{_start(rest)} follows after the end of the JSON; remove it"


def _at(rest: str, before: str) -> str | None:
    """Look for the mistakes that can be named from the next character."""
    word = re.match(r"\w+", rest)
    if word and word[0] in _PYTHON:
        return f"{word[0]} is no JSON; write {_PYTHON[word[0]]}"
    if rest[0] in _FULL_WIDTH:
        return f"{rest[0]} is no JSON punctuation; write {_FULL_WIDTH[rest[0]]} instead"
    if rest[0] == "," and before.endswith(","):
        return "a comma stands before , with nothing between; remove the comma"
    if rest[0] == "'":
        return 'a text stands in single quotes; JSON wants double quotes "..."'
    return "JSON has no comments; remove it" if rest.startswith(("//", "/*", "#")) else None


def _by_message(message: str, rest: str) -> str:
    wording = next((wording for part, wording in _WORDINGS.items() if part in message), "{} is no JSON value")
    return wording.format(_start(rest))


def _start(rest: str) -> str:
    return repr(rest.partition("\n")[0][:20].strip())

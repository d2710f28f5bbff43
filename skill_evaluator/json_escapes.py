"""Escapes in JSON, which may stand for any letter."""

import json
import re

_ESCAPE = re.compile(
    r"\\(?: u[dD][89abAB][0-9a-fA-F]{2} \\u[dD][c-fC-F][0-9a-fA-F]{2} | u[0-9a-fA-F]{4} | . )", re.VERBOSE
)
_LONE = re.compile(r"\\u[dD][89a-fA-F]..")


def plainly_escaped(line: str) -> str:
    r"""Write every letter in a line of JSON as itself where it need not be escaped.

    >>> print(plainly_escaped(r'{"a": "\u0062\/\u00e9 \ud83d\ude00 \u0022 \\u0062 \n"}'))
    {"a": "b/é 😀 \" \\u0062 \n"}
    """
    return _ESCAPE.sub(_written, line) if "\\u" in line or "\\/" in line else line


def _written(escape: re.Match[str]) -> str:
    if _LONE.fullmatch(escape[0]):
        return escape[0]
    try:
        letter = json.loads(f'"{escape[0]}"')
    except ValueError:
        return escape[0]  # no JSON
    return json.dumps(letter, ensure_ascii=False)[1:-1]

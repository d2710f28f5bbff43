"""Finds files by a pattern, and lines by a regular expression, in the files that a run has."""

import math
import re
import time
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from skill_evaluator.agents.messages.tool_result import ToolResult, refused
from skill_evaluator.agents.messages.workspace import NoText, Workspace, inside, outside, shortened
from skill_evaluator.model import JsonObject
from skill_evaluator.sendable import sendable

if TYPE_CHECKING:
    import regex

MAX_FOUND = 200  # files or lines of one answer
MAX_LINE = 300  # characters of a line that matches
LIMIT_S = 0.5  # of one search, while all other runs wait
_MAX_PATTERN = 1_000  # characters
_MAX_REPEATS = 10_000  # `regex` writes fixed repetitions out

_PIECE = re.compile(r"\*\*/|\*\*|\*|\?|\[[!^]?\]?[^\]/]*\]|\{[^{}/]*\}|.", re.DOTALL)
_REPEAT = re.compile(r"\{(\d{1,9})(?:,(\d{0,9}))?\}")


def glob(workspace: Workspace, arguments: JsonObject) -> ToolResult:
    """List the files whose path matches; `arguments` are those of the tool Glob."""
    pattern = arguments.get("pattern")
    if not isinstance(pattern, str) or not pattern:
        return refused("Glob takes a pattern (text)")
    plain = pattern.removeprefix("./")
    if plain.startswith(("/", "~")) or ".." in plain.split("/") or re.match(r"[A-Za-z]:|\\", plain) or "\0" in plain:
        return refused(outside(pattern))
    compiled = _compiled(_as_expression(plain)) if len(plain) <= _MAX_PATTERN else "it is too long"
    if isinstance(compiled, str):
        return refused(f"{pattern[:_MAX_PATTERN]!r} is no pattern: {compiled}")
    ends_s = time.monotonic() + LIMIT_S
    try:
        found = [path for path in sorted(workspace.files) if compiled.fullmatch(path, timeout=_left_s(ends_s))]
    except TimeoutError:
        return refused(f"the search took longer than {LIMIT_S} s; use a simpler pattern")
    return ToolResult(text=_listed(found) or "no file matches")


def grep(workspace: Workspace, arguments: JsonObject) -> ToolResult:
    """Find lines; `arguments` are those of the tool Grep."""
    pattern, path = arguments.get("pattern"), arguments.get("path")
    if not isinstance(pattern, str) or not pattern or not isinstance(path, str | None):
        return refused("Grep takes a pattern (text) and a path (text)")
    below = inside(path or "")
    if below is None:
        return refused(outside(path or ""))
    compiled = _compiled(pattern) if len(pattern) <= _MAX_PATTERN else "it is too long"
    if isinstance(compiled, str):
        return refused(f"{pattern[:_MAX_PATTERN]!r} is no regular expression: {compiled}")
    texts = [(name, text) for name, text in sorted(workspace.files.items()) if _lies_below(name, below)]
    if not texts and below:
        return refused(f"there is no file or folder {path!r}")
    try:
        found = list(_matches(compiled, texts, time.monotonic() + LIMIT_S))
    except TimeoutError:
        return refused(f"the search took longer than {LIMIT_S} s; use a simpler expression, or name a path")
    return ToolResult(text=sendable(_listed(found)) or "no line matches")


def _matches(compiled: "regex.Pattern[str]", texts: list[tuple[str, str | NoText]], ends_s: float) -> Iterator[str]:
    """Give lines that match, one more than are shown at the most."""
    left = MAX_FOUND + 1
    for name, text in texts:
        if isinstance(text, NoText):
            continue
        for number, line in enumerate(text.split("\n"), 1):
            if compiled.search(line, timeout=_left_s(ends_s)):
                yield f"{name}:{number}:{shortened(line, MAX_LINE)}"
                left -= 1
                if not left:
                    return


def _left_s(ends_s: float) -> float:
    left_s = ends_s - time.monotonic()
    if left_s <= 0:
        raise TimeoutError
    return left_s


def _lies_below(name: str, path: str) -> bool:
    return not path or name == path or name.startswith(f"{path}/")


def _listed(found: list[str]) -> str:
    more = [f"[only the first {MAX_FOUND} are shown]"] if len(found) > MAX_FOUND else []
    return "\n".join(found[:MAX_FOUND] + more)


def _compiled(expression: str) -> "regex.Pattern[str] | str":
    """Compile an expression, or say why that cannot be."""
    import regex  # noqa: PLC0415 - few runs search

    repeats = math.prod(max(int(number) for number in found if number) for found in _REPEAT.findall(expression))
    if repeats > _MAX_REPEATS:
        return "it repeats too much"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a doubtful expression still means something
            return regex.compile(expression)
    except (regex.error, RecursionError, OverflowError) as error:
        return str(error)


def _as_expression(pattern: str) -> str:
    return "".join(_piece(found[0]) for found in _PIECE.finditer(pattern))


def _piece(piece: str) -> str:
    usual = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    if piece in usual:
        return usual[piece]
    if len(piece) > 1 and piece.startswith("["):
        inner = piece[1:-1].replace("\\", "\\\\").replace("[", "\\[")
        return f"[^/{inner[1:]}]" if inner[:1] in {"!", "^"} else f"[{inner}]"
    if len(piece) > 1 and piece.startswith("{"):
        return "(?:" + "|".join(_as_expression(part) for part in piece[1:-1].split(",")) + ")"
    return re.escape(piece)

"""The answer of a fixed stand-in: its body, with parts of the call's input and fixture files put in.

What is put in is not looked through again.

Source: Suites recorded with Claude Code 2.1.332.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skill_evaluator.formats.suite.expect_calls import is_missing, value_at
from skill_evaluator.formats.suite.expect_guards import scalar_text
from skill_evaluator.formats.suite.faults import SuiteFault, Values
from skill_evaluator.formats.suite.reading import read_inside
from skill_evaluator.formats.visible import visible
from skill_evaluator.graders.javascript_json import stringify
from skill_evaluator.model import MockTool

MAX_ANSWER: Final = 2_097_152  # characters; twice the longest body
_MAX_PLACES: Final = 10_000
_PATH: Final = r"[^\s{}.]+(?:\.[^\s{}.]+)*"
_INNER: Final = re.compile(rf"\{{input\.({_PATH})\}}")
_PLACE: Final = re.compile(
    rf"\{{\{{\s*(?:input\.(?P<path>{_PATH})|file:(?P<file>(?:[^{{}}]|\{{input\.{_PATH}\}})+?))\s*\}}\}}"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class MockAnswer:
    """What a call to a stand-in gets.

    Attributes:
        text: The answer.
        is_error: Whether it is a tool error.
    """

    text: str
    is_error: bool = False


class _NoFixtureError(Exception):
    """What a body names cannot be put in; the message says why."""


def fixed_answer(tool: MockTool, arguments: Values) -> MockAnswer:
    """Give what a stand-in answers to a call.

    Args:
        tool: A stand-in of the kind `fixed`.
        arguments: The input of the call, as JSON.

    Returns:
        The body with `{{input.path}}` and `{{file:path}}` put in, or a tool error about a fixture. Fixtures are read
        from the folder of the mock file alone.
    """
    room = _Room(most_characters=MAX_ANSWER - len(tool.body))
    try:
        text = _PLACE.sub(lambda place: room.taken(_put_in(place, tool.path.parent, arguments)), tool.body)
    except _NoFixtureError as error:
        return MockAnswer(text=visible(str(error)), is_error=True)
    return MockAnswer(text=text, is_error=tool.is_error)


@dataclass(slots=True)
class _Room:
    """What may still be put into a body: a short one can name a long input thousands of times."""

    most_characters: int
    places: int = 0

    def taken(self, text: str) -> str:
        self.places += 1
        self.most_characters -= len(text)
        if self.places > _MAX_PLACES or self.most_characters < 0:
            raise _NoFixtureError(
                f"the answer would be longer than {MAX_ANSWER:,} characters or put together from more than "
                f"{_MAX_PLACES:,} parts; shorten the body"
            )
        return text


def _put_in(place: re.Match[str], folder: Path, arguments: Values) -> str:
    if place["path"] is None:
        return _fixture(place["file"].strip(), folder, arguments)
    value = value_at(arguments, place["path"])
    if is_missing(value):
        return ""
    return value if isinstance(value, str) else stringify(value)


def _fixture(written: str, folder: Path, arguments: Values) -> str:
    named = _INNER.sub(lambda inner: _segment(inner[1], arguments), written)
    path = Path(os.path.normpath(folder / named))
    text = read_inside(path, root=folder)
    if isinstance(text, SuiteFault):
        raise _NoFixtureError(f"{{{{file:{named}}}}} {text.message}")
    return text.text


def _segment(path: str, arguments: Values) -> str:
    value = value_at(arguments, path)
    text = scalar_text(value) if isinstance(value, str | int | float) else ""
    if not text or text in (".", "..") or set(text) & {"/", "\\", "\0"}:
        shown = "missing" if is_missing(value) else stringify(value)
        raise _NoFixtureError(f"{{input.{path}}} is {shown}, which is no name of a file")
    return text

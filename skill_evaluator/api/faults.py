"""How faults are told and gathered, so that all of them are said at once."""

from collections.abc import Callable
from typing import TypeVar

from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import joined

T = TypeVar("T")


def option_fault(name: str, message: str) -> Finding:
    """A fault of an option, which has no file and no line."""
    return Finding(level=Level.FAIL, code="option", message=joined(": ", [name, message]))


def collecting(findings: list[Finding], read: Callable[[], T]) -> T | None:
    """Call `read`; what it refuses joins the other faults."""
    try:
        return read()
    except InputError as error:
        findings += error.findings
        return None

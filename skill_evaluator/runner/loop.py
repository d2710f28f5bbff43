"""An event loop of its own for one piece of work, however many tasks that starts."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

from skill_evaluator.errors import EvaluatorError

T = TypeVar("T")


def run_alone(work: Coroutine[None, None, T]) -> T:
    """See some work to its end in a loop that nothing else runs in.

    Raises:
        EvaluatorError: The first one raised in any task, as such and not in a group; a bug beside it keeps the group.
    """
    try:
        return asyncio.run(work)
    except ExceptionGroup as group:
        expected, bugs = group.split(EvaluatorError)
        if expected is None or bugs is not None:
            raise
        raise _first(expected) from group


def _first(error: Exception) -> Exception:
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error

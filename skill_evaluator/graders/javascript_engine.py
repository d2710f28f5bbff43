"""The engine behind JavaScript patterns: QuickJS in this very process, with limits of time, memory and stack.

A context of the engine belongs to the thread that made it. Each thread keeps one, and makes a new one after it ran out
of time or memory. The engine lets other threads go on while it works. Of the package quickjs-ng only the extension
module is used: the module around it starts a thread when it is imported.
"""

import threading
import time
from typing import Protocol

from skill_evaluator.errors import EvaluatorError
from skill_evaluator.graders.javascript_script import PROBE, SCRIPT
from skill_evaluator.reasons import foreign
from skill_evaluator.texts import tr

LIMIT_S = 1.0  # seconds of processor time for one question; the real program gives up after about as long
MEMORY_LIMIT = 512 * 1024 * 1024  # bytes; a pattern that remembers each of 2 million steps needs about half of it
_STACK_LIMIT = 512 * 1024  # bytes; threads have at least as much again on every system
_ENOUGH = 0.7  # share of its limit that a pattern must have had before it counts as one that takes too long
_MOST_LIMIT_S = 4.0  # by the engine's clock, which counts the work of all threads of this process


class Interrupted(Exception):  # noqa: N818 - it is no error: the pattern took too long
    """The engine did not come to an end within its limit."""


class _Said(Exception):  # noqa: N818 - the base of answers
    """What the engine says, or we of it.

    Attributes:
        message: The words.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class BadPattern(_Said):
    """JavaScript takes the pattern or its flags for no regular expression; the text says why."""


class BeyondLimits(_Said):
    """The engine ran into a limit of its own, which JavaScript does not have; the text says which."""


class _Function(Protocol):
    def __call__(self, *arguments: str) -> object: ...


class _Context(Protocol):
    def eval(self, code: str) -> object: ...

    def get(self, name: str) -> _Function: ...

    def set_time_limit(self, limit: float) -> None: ...

    def set_memory_limit(self, limit: int) -> None: ...

    def set_max_stack_size(self, limit: int) -> None: ...


class _Engine(threading.local):
    context: _Context | None = None


_ENGINE = _Engine()
_ONE_AT_A_TIME = threading.Lock()  # the engine's clock counts all threads: two patterns would halve each other's time


def call(name: str, *arguments: str) -> object:
    """Call one of the functions of `SCRIPT`.

    Args:
        name: Its name.
        *arguments: Texts without lone surrogates.

    Returns:
        What it gives.

    Raises:
        BadPattern: If the pattern or its flags do not compile.
        BeyondLimits: If the engine ran out of memory or stack, cannot compile what JavaScript can, or had too little
            of the processor.
        Interrupted: If it was not done within `LIMIT_S`. What `begin` and `go` did so far is kept until `forget`.
        EvaluatorError: If the engine is not the one this program needs.
    """
    with _ONE_AT_A_TIME:
        return _call(name, arguments)


def forget() -> None:
    """Drop the context of this thread with all its memory."""
    _ENGINE.context = None


def _call(name: str, arguments: tuple[str, ...]) -> object:
    started = time.thread_time(), time.process_time()
    try:
        return _call_once(name, arguments, LIMIT_S)
    except Interrupted:
        own_s, all_s = time.thread_time() - started[0], time.process_time() - started[1]
    if own_s >= LIMIT_S * _ENOUGH:
        raise Interrupted
    return _call_again(name, arguments, min(all_s / max(own_s, 0.01), _MOST_LIMIT_S / LIMIT_S) * LIMIT_S)


def _call_again(name: str, arguments: tuple[str, ...], limit_s: float) -> object:
    """Ask with a limit that leaves this thread its own share beside the others."""
    started = time.thread_time()
    try:
        return _call_once(name, arguments, limit_s)
    except Interrupted:
        if time.thread_time() - started >= LIMIT_S * _ENOUGH:
            raise
        raise BeyondLimits(
            tr("the processor was too busy with other work to try the pattern for long enough")
        ) from None


def _call_once(name: str, arguments: tuple[str, ...], limit_s: float) -> object:
    import _quickjs  # noqa: PLC0415 - only suites with patterns need it

    context = _ENGINE.context = _ENGINE.context or _new_context()
    context.set_time_limit(limit_s)
    try:
        return context.get(name)(*arguments)
    except (_quickjs.JSException, MemoryError) as error:
        raise _translated(str(error).split("\n", 1)[0]) from None


def _translated(message: str) -> Exception:
    kind, _, text = message.partition(": ")
    match kind, text:
        case "InternalError", "interrupted":
            return Interrupted()
        case "SyntaxError", "stack overflow" | "too many captures" | "out of memory":
            return BeyondLimits(foreign(text))
        case "SyntaxError", _:
            return BadPattern(foreign(text))
        case _:  # the engine has no memory left even for a text: the message may be `null`
            forget()
            return BeyondLimits(foreign(text or "out of memory"))


def _new_context() -> _Context:
    import _quickjs  # noqa: PLC0415 - only suites with patterns need it

    context: _Context = _quickjs.Context()
    try:
        context.eval(f"if (!({PROBE})) throw 0")
    except _quickjs.JSException:
        raise EvaluatorError(
            tr(
                "the module at {file} is not that of quickjs-ng, which JavaScript patterns need: "
                "uninstall the package quickjs, then install quickjs-ng again",
                file=_quickjs.__file__,
            )
        ) from None
    context.set_memory_limit(MEMORY_LIMIT)
    context.set_max_stack_size(_STACK_LIMIT)
    context.eval(SCRIPT)
    return context

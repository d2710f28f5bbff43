"""The tool calls of a run, as graders of suites count them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from skill_evaluator.graders.evidence import not_run
from skill_evaluator.graders.javascript_json import stringify
from skill_evaluator.model import Outcome, Run

_MOST_DIGITS = 400  # a longer whole number is infinite in JavaScript


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One call of a tool, whether or not it succeeded.

    Attributes:
        tool: Its name.
        input_json: Its input as `JSON.stringify` writes it.
    """

    tool: str
    input_json: str


def calls_of(run: Run) -> tuple[Call, ...] | Outcome:
    """List the calls of a run in the order made, those of subagents too where the trace was kept.

    Returns:
        The calls; or an outcome that says why they are not known.

    Source:
        Suites recorded with Claude Code 2.1.332: each `tool_use` block of an assistant line counts, whatever its
        `parent_tool_use_id`.
    """
    if run.trace is not None:
        return _of_trace(run.trace)
    if run.tool_calls is None:
        return not_run("calls no tools")
    return tuple(Call(tool=call.name, input_json=stringify(call.arguments)) for call in run.tool_calls)


def _of_trace(trace: tuple[str, ...]) -> tuple[Call, ...] | Outcome:
    try:
        return tuple(call for line in trace for call in _of_message(_read(line)))
    except RecursionError:
        message = "A message of the trace is nested too deep to be read, so its calls are not known."
        return Outcome(passed=None, code="trace_too_deep", message=message)


def _read(line: str) -> object:
    if '"tool_use"' not in line:
        return None
    try:
        return json.loads(line, parse_int=_whole, parse_constant=_refuse)
    except ValueError:
        return None  # no message: the program that wrote the trace was ended in the middle of a line


def _whole(digits: str) -> float:
    return int(digits) if len(digits) < _MOST_DIGITS else float(digits)


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"no JSON: {word}")


def _of_message(line: object) -> Iterator[Call]:
    match line:
        case {"type": "assistant", "message": {"content": list(blocks)}}:
            for block in blocks:
                match block:
                    case {"type": "tool_use", "name": str(name), "input": given}:
                        yield Call(tool=name, input_json=stringify(given))
                    case _:
                        pass
        case _:
            pass

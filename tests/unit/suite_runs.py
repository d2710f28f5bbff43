"""Runs made by hand for the tests of suite graders."""

import json
from collections.abc import Mapping, Sequence

from skill_evaluator.model import Run, ToolCall

Input = Mapping[str, object]


def assistant(*blocks: Mapping[str, object], parent: str | None = None) -> str:
    """Write an assistant line of a trace, compact as the program does."""
    line = {"type": "assistant", "message": {"role": "assistant", "content": blocks}, "parent_tool_use_id": parent}
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False)


def tool_use(name: str, given: Input | None = None) -> Mapping[str, object]:
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": given or {}}


def text(words: str) -> Mapping[str, object]:
    return {"type": "text", "text": words}


def run_of_calls(*calls: tuple[str, Input]) -> Run:
    return Run(case_id="c", tool_calls=tuple(ToolCall(name=name, arguments=given) for name, given in calls))


def traced(lines: Sequence[str]) -> Run:
    return Run(case_id="c", tool_calls=(), trace=tuple(lines))

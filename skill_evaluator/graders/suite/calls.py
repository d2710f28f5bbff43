"""The tool calls of a run, as graders of suites count them."""

from collections.abc import Iterator
from dataclasses import dataclass

from skill_evaluator.graders.evidence import not_run
from skill_evaluator.graders.javascript_json import stringify
from skill_evaluator.graders.suite.trace_lines import assistant_message
from skill_evaluator.model import JsonObject, Outcome, Run, ToolCall
from skill_evaluator.skill_names import SKILL_TOOL
from skill_evaluator.texts import tr

INPUT_NOT_KEPT = Outcome(
    passed=None,
    code="input_not_kept",
    message=tr("The inputs of some calls were not recorded, or not whole, so a pattern cannot be held against them."),
)
_SKILLS_NOT_CALLED = Outcome(
    passed=None,
    code="skill_calls_not_kept",
    message=tr(
        "The run tells which skills were invoked, but not as calls of {tool!r}, so these were not counted.",
        tool=SKILL_TOOL,
    ),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One call of a tool, whether or not it succeeded.

    Attributes:
        tool: Its name.
        input_json: Its input as `JSON.stringify` writes it; None where it was not kept, or not whole.
    """

    tool: str
    input_json: str | None


def calls_of(run: Run, *tools: str) -> tuple[Call, ...] | Outcome:
    """List the calls of a run in the order made, those of subagents too where the trace was kept.

    Args:
        run: What the agent did.
        tools: Those that are counted.

    Returns:
        The calls, of other tools too; or an outcome that says why they are not known. `Run.skills_invoked` stands for
        no calls: it also names skills whose SKILL.md was merely opened.

    Source:
        Suites recorded with Claude Code 2.1.332: each `tool_use` block of an assistant line counts, whatever its
        `parent_tool_use_id`.
    """
    if run.trace is not None:
        return _of_trace(run.trace)
    if run.tool_calls is None:
        return not_run("calls no tools")
    if SKILL_TOOL in tools and run.skills_invoked and all(call.name != SKILL_TOOL for call in run.tool_calls):
        return _SKILLS_NOT_CALLED
    return tuple(Call(tool=call.name, input_json=_input_json(call)) for call in run.tool_calls)


def _input_json(call: ToolCall) -> str | None:
    return stringify(call.arguments) if call.has_whole_input else None


def _of_trace(trace: tuple[str, ...]) -> tuple[Call, ...] | Outcome:
    try:
        return tuple(call for line in trace for call in _of_message(assistant_message(line, "tool_use")))
    except RecursionError:
        message = tr("A message of the trace is nested too deep to be read, so its calls are not known.")
        return Outcome(passed=None, code="trace_too_deep", message=message)


def _of_message(line: JsonObject | None) -> Iterator[Call]:
    match line:
        case {"message": {"content": list(blocks)}}:
            for block in blocks:
                match block:
                    case {"type": "tool_use", "name": str(name), "input": given}:
                        yield Call(tool=name, input_json=stringify(given))
                    case _:
                        pass
        case _:
            pass

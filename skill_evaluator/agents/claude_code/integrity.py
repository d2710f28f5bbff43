"""Whether the answers that a model gave as a stand-in reached the agent as they were given.

A hook of the plugin can put another text in place of a tool's result; the program itself adds to an error, and writes
something in place of an empty answer. Runs on such answers are not graded. Fixed answers are not looked at, since
nobody has to be asked what they were.

Source: Runs of `claude plugin eval`, 2.1.332.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from skill_evaluator.model import MockCall, ToolCall
from skill_evaluator.model.stand_ins import StandInUse


def altered_tool(told: Sequence[ToolCall], calls: Sequence[MockCall], use: StandInUse | None) -> str | None:
    """Name a tool with a result that no stand-in gave, or None.

    Args:
        told: All tool calls of the session, with their results.
        calls: What stand-ins answered.
        use: Who answered which tool.
    """
    answers = _answers(calls, use)
    return next((tool for tool, given in answers.items() if _is_altered(tool, told, given)), None)


def _is_altered(tool: str, told: Sequence[ToolCall], given: "Counter[str]") -> bool:
    """Results beyond the number of answers never came to the stand-in, such as a call that was not allowed."""
    results = Counter(call.result or "" for call in told if call.name == tool and call.result is not None)
    foreign = results - given
    return foreign.total() > max(results.total() - given.total(), 0)


def _answers(calls: Sequence[MockCall], use: StandInUse | None) -> Mapping[str, "Counter[str]"]:
    """Answers of models by the full name of the tool."""
    servers = use.servers if use else ()
    ends = {f"_{one.server}__{tool.tool}" for one in servers for tool in one.tools if tool.responder == "agent"}
    found: dict[str, Counter[str]] = {}
    for call in calls:
        if any(call.tool.endswith(end) for end in ends):
            found.setdefault(call.tool, Counter())[call.output] += 1
    return found

"""Tools that a test set expects and the program lacks."""

import asyncio

from skill_evaluator.agents.claude_code.expected_tools import ExpectedTools, as_expected, full_name
from skill_evaluator.model import ToolCall


def test_each_expected_tool_is_offered_and_answers_whatever_it_is_given() -> None:
    tools = ExpectedTools(names=["get_tide", "book"])

    assert [tool["name"] for tool in tools.listed] == ["get_tide", "book"]
    answer = asyncio.run(tools.call("book", {"berth": 4}))
    assert (answer.is_error, bool(answer.text)) == (False, True)


def test_any_other_tool_is_an_error() -> None:
    assert asyncio.run(ExpectedTools(names=["book"]).call("cancel", {})).is_error


def test_calls_have_the_names_of_the_test_set_again() -> None:
    tools = ExpectedTools(names=["book"])
    calls = [ToolCall(name=full_name("book"), arguments={}), ToolCall(name="Read", arguments={})]

    assert full_name("book").startswith("mcp__")
    assert tools.name in full_name("book")
    assert [call.name for call in as_expected(calls)] == ["book", "Read"]

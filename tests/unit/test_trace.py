"""The tools were called in the order expected."""

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.graders.trace import ToolOrder
from skill_evaluator.model import Outcome, Run, ToolCall

Match = Literal["subsequence", "exact"]


def look(names: str, called: str, match: Match = "subsequence") -> Outcome:
    calls = tuple(ToolCall(name=name) for name in called.split())
    return ToolOrder(names=tuple(names.split()), match=match).check(Run(case_id="c", triggered=True, tool_calls=calls))


@pytest.mark.parametrize(
    ("names", "called", "match", "code"),
    [
        ("read write", "read write", "subsequence", "tools_ok"),
        ("read write", "look read look write look", "subsequence", "tools_ok"),
        ("read write", "write read write", "subsequence", "tools_ok"),
        ("read write", "write read", "subsequence", "tools_out_of_order"),
        ("read write", "read", "subsequence", "tools_missing"),
        ("read read", "read", "subsequence", "tools_missing"),
        ("read", "Read", "subsequence", "tools_missing"),
        ("read", "mcp__files__read", "subsequence", "tools_missing"),
        ("read", "", "subsequence", "tools_missing"),
        ("", "read", "subsequence", "tools_ok"),
        ("read write", "read write", "exact", "tools_ok"),
        ("read write", "read look write", "exact", "tools_extra"),
        ("read write", "write read", "exact", "tools_out_of_order"),
        ("read write", "read look", "exact", "tools_missing"),
        ("read", "read read", "exact", "tools_extra"),
        ("", "", "exact", "tools_ok"),
        ("", "read", "exact", "tools_extra"),
    ],
)
def test_calls_are_compared_with_the_order_expected(names: str, called: str, match: Match, code: str) -> None:
    outcome = look(names, called, match)

    assert outcome.code == code
    assert outcome.passed is (code == "tools_ok")


def test_missing_tools_are_named_beside_those_called() -> None:
    outcome = look("read check write check", "write look check")

    assert outcome.evidence == {
        "expected": ["read", "check", "write", "check"],
        "actual": ["write", "look", "check"],
        "missing": ["read", "check"],
    }


def test_wrong_order_shows_both_orders() -> None:
    assert look("read write", "write read").evidence == {"expected": ["read", "write"], "actual": ["write", "read"]}


def test_extra_tools_are_named() -> None:
    assert look("read", "look read peek", "exact").evidence["extra"] == ["look", "peek"]


def test_starting_the_skill_is_no_call_of_its_own() -> None:
    """Every run that triggered holds that call, so an exact list could never match."""
    assert look("read", "Skill read", "exact").passed
    assert look("Skill read", "Skill read", "exact").passed
    assert look("read Skill", "Skill read", "subsequence").code == "tools_out_of_order"


def test_agent_without_tools_is_neither_right_nor_wrong() -> None:
    outcome = ToolOrder(names=("read",)).check(Run(case_id="c", triggered=True, output="text"))

    assert outcome.passed is None
    assert outcome.code == "not_run"


def test_thousands_of_calls_are_shown_in_part() -> None:
    actual = look("write", "read " * 5_000).evidence["actual"]

    assert isinstance(actual, list)
    assert len(actual) == 201
    assert actual[100] == "[... 4800 more ...]"


names = st.lists(st.sampled_from("abc"), max_size=5)


@given(names, names)
def test_dropping_calls_from_a_trace_leaves_a_subsequence_and_nothing_else_does(
    expected: list[str], rest: list[str]
) -> None:
    called = expected + rest
    reachable: set[tuple[str, ...]] = {()}
    for name in rest:
        reachable |= {(*kept, name) for kept in reachable}

    assert look(" ".join(expected), " ".join(called)).passed
    assert look(" ".join(expected), " ".join(rest)).passed is (tuple(expected) in reachable)
    assert look(" ".join(expected), " ".join(rest), "exact").passed is (expected == rest)

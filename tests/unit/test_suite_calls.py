"""Graders `tool_used` and `tool_order`: which tools were called, how often, in which order."""

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest

from skill_evaluator.agents.command_text import cut, cut_all
from skill_evaluator.graders.suite import CallOrder, Selector, ToolUsed
from skill_evaluator.model import Run, ToolCall
from tests.unit.suite_runs import assistant, run_of_calls, text, tool_use, traced

# The calls of the recorded suites run/tool-used and run/tool-order; the answers there are those below.
CALLS = (
    ("Glob", {"pattern": "*.txt"}),
    ("Read", {"file_path": "nope.txt"}),
    ("Grep", {"pattern": "foo"}),
    ("Glob", {"pattern": "**/*.md"}),
    ("Bash", {"command": "ls"}),
)
UNTRACED = run_of_calls(*CALLS)
TRACED = traced(
    [
        '{"type":"system","subtype":"init","tools":["tool_use"]}',
        assistant(text("w1")),
        *(assistant(tool_use(name, given)) for name, given in CALLS),
        '{"type":"user","message":{"content":[{"type":"tool_result","content":"\\"type\\":\\"tool_use\\""}]}}',
        '{"type":"result","result":"tool_use"}',
    ]
)


def known(arguments: object) -> Mapping[str, object]:
    assert isinstance(arguments, dict)
    return arguments


@pytest.mark.parametrize("run", [UNTRACED, TRACED], ids=["calls", "trace"])
@pytest.mark.parametrize(
    ("grader", "passed"),
    [
        (ToolUsed(tool="Glob"), True),
        (ToolUsed(tool="Glob", min=2, max=2), True),
        (ToolUsed(tool="Glob", max=1), False),
        (ToolUsed(tool="Glob", min=3), False),
        (ToolUsed(tool="Glob", input_match="\\*\\.md", max=1), True),
        (ToolUsed(tool="Glob", input_match='^\\{"pattern":"\\*\\.txt"\\}$'), True),
        (ToolUsed(tool="Glob", input_match='"pattern": '), False),
        (ToolUsed(tool="Grep", input_match="FOO"), False),
        (ToolUsed(tool="glob"), False),
        (ToolUsed(tool="G*"), False),
        (ToolUsed(tool="G.*"), False),
        (ToolUsed(tool="Glob|Grep"), False),
        (ToolUsed(tool="Read"), True),
        (ToolUsed(tool="Bash"), True),
        (ToolUsed(tool="Write"), False),
        (ToolUsed(tool="Write", min=0), True),
        (ToolUsed(tool="Write", max=0), False),
        (ToolUsed(tool="Write", min=0, max=0), True),
        (CallOrder(before=Selector(tool="Glob"), after=Selector(tool="Read")), True),
        (CallOrder(before=Selector(tool="Read"), after=Selector(tool="Glob")), False),
        (CallOrder(before=Selector(tool="Read"), after=Selector(tool="Glob", input_match="md")), True),
        (CallOrder(before=Selector(tool="Grep"), after=Selector(tool="Glob", input_match="md")), True),
        (CallOrder(before=Selector(tool="Glob", input_match="md"), after=Selector(tool="Grep")), False),
        (
            CallOrder(before=Selector(tool="Glob", input_match="txt"), after=Selector(tool="Glob", input_match="md")),
            True,
        ),
        (CallOrder(before=Selector(tool="Glob"), after=Selector(tool="Glob")), False),
        (CallOrder(before=Selector(tool="Glob", input_match="zzz"), after=Selector(tool="Read")), False),
        (CallOrder(before=Selector(tool="Write"), after=Selector(tool="Glob")), False),
        (CallOrder(before=Selector(tool="Glob"), after=Selector(tool="Write")), False),
        (CallOrder(before=Selector(tool="Write"), after=Selector(tool="Edit")), False),
    ],
    ids=repr,
)
def test_calls_are_counted_as_recorded(run: Run, grader: ToolUsed | CallOrder, passed: bool) -> None:
    outcome = grader.check(run)

    assert outcome.passed is passed
    assert json.dumps(outcome.evidence)


def test_a_call_is_in_range_however_often_the_pattern_was_asked() -> None:
    """Recorded: `run/tool-used-lastindex`."""
    run = run_of_calls(("Glob", {"pattern": "x"}), ("Glob", {"pattern": "xx"}), ("Glob", {"pattern": "yx"}))

    assert ToolUsed(tool="Glob", input_match="x", min=3, max=3).check(run).passed is True


def test_several_calls_of_one_message_are_in_its_order() -> None:
    run = traced([assistant(text("both"), tool_use("Grep"), tool_use("Glob"))])

    assert CallOrder(before=Selector(tool="Grep"), after=Selector(tool="Glob")).check(run).passed is True


def test_calls_of_subagents_count() -> None:
    run = traced([assistant(tool_use("Agent")), assistant(tool_use("Read"), parent="toolu_1")])

    assert ToolUsed(tool="Read").check(run).passed is True


def test_the_trace_knows_more_than_the_calls_kept_beside_it() -> None:
    run = Run(
        case_id="c",
        tool_calls=(ToolCall(name="Agent"),),
        trace=(assistant(tool_use("Agent")), assistant(tool_use("Read"), parent="toolu_1")),
    )

    assert ToolUsed(tool="Read").check(run).passed is True


@pytest.mark.parametrize("pattern", ["(a", "(?i)X"])
@pytest.mark.parametrize("least", [None, 0])
def test_a_bad_pattern_fails_where_there_is_a_call_to_test(pattern: str, least: int | None) -> None:
    """Recorded: `run/tool-used-bad-input-match-with-calls`; without such a call it is never compiled."""
    tested = ToolUsed(tool="Glob", input_match=pattern, min=least).check(UNTRACED)
    untested = ToolUsed(tool="Write", input_match=pattern, min=least).check(UNTRACED)

    assert (tested.passed, tested.code) == (False, "pattern_invalid")
    assert untested.passed is (least == 0)


def test_a_bad_pattern_fails_the_order_too() -> None:
    bad = Selector(tool="Glob", input_match="(")

    assert CallOrder(before=bad, after=Selector(tool="Glob")).check(UNTRACED).code == "pattern_invalid"
    assert CallOrder(before=Selector(tool="Glob"), after=bad).check(UNTRACED).code == "pattern_invalid"


HANGING = ("Glob", {"pattern": "a" * 40 + "b"})


@pytest.mark.usefixtures("hurried")
def test_a_pattern_that_takes_too_long_does_not_match_a_call_and_is_said_to() -> None:
    pattern = '"(a+)+"'
    run = run_of_calls(HANGING, ("Read", {}))
    used = ToolUsed(tool="Glob", input_match=pattern).check(run)
    unused = ToolUsed(tool="Glob", input_match=pattern, min=0).check(run)
    order = CallOrder(before=Selector(tool="Glob", input_match=pattern), after=Selector(tool="Read")).check(run)

    for outcome, code in ((used, "tool_used_too_few"), (unused, "tool_used_ok"), (order, "call_order_missing")):
        assert outcome.code == code
        assert outcome.message.endswith(" The pattern took too long on one call, which counts as no match.")
        assert "timed_out" in str(outcome.evidence)


@pytest.mark.usefixtures("hurried")
def test_a_pattern_does_not_take_too_long_on_one_call_after_another() -> None:
    outcome = ToolUsed(tool="Glob", input_match='"(a+)+"', min=0).check(run_of_calls(*[HANGING] * 1_000))

    assert (outcome.passed, outcome.code) == (None, "pattern_limits")


def test_inputs_are_matched_as_javascript_writes_them() -> None:
    run = run_of_calls(("T", {"n": 1.0, "10": 1e21, "9": "a\u2028b\ud800"}))

    exact = '^\\{"9":"a\u2028b\\\\ud800","10":1e\\+21,"n":1\\}$'
    assert ToolUsed(tool="T", input_match=exact).check(run).passed is True


def test_the_evidence_tells_what_was_called() -> None:
    used = ToolUsed(tool="Write").check(UNTRACED)
    order = CallOrder(before=Selector(tool="Read"), after=Selector(tool="Glob", input_match="txt")).check(UNTRACED)

    assert used.message == "'Write' was called 0 times; expected at least once."
    assert used.evidence == {
        "tool": "Write",
        "input_match": None,
        "count": 0,
        "min": 1,
        "max": None,
        "timed_out": 0,
        "called": ["Glob", "Read", "Grep", "Glob", "Bash"],
    }
    assert order.code == "call_order_wrong"
    assert order.message == ("'Read' (call 2) did not come before 'Glob' with an input that matches 'txt' (call 1).")
    assert order.evidence["after"] == {"tool": "Glob", "input_match": "txt", "place": 0, "timed_out": 0}


def test_an_agent_without_tools_leaves_the_question_open() -> None:
    assert ToolUsed(tool="Read", min=0, max=0).check(Run(case_id="c", output="x")).passed is None
    order = CallOrder(before=Selector(tool="A"), after=Selector(tool="B"))
    assert order.check(Run(case_id="c", output="x")).passed is None


@pytest.mark.parametrize(
    ("grader", "passed"),
    [
        (ToolUsed(tool="Glob"), True),  # more calls change nothing
        (ToolUsed(tool="Glob", max=1), False),
        (ToolUsed(tool="Glob", max=2), None),
        (ToolUsed(tool="Glob", min=3), None),
        (ToolUsed(tool="Write", min=0, max=0), None),
        (CallOrder(before=Selector(tool="Glob"), after=Selector(tool="Read")), True),
        (CallOrder(before=Selector(tool="Read"), after=Selector(tool="Glob")), False),
        (CallOrder(before=Selector(tool="Write"), after=Selector(tool="Glob")), False),
        (CallOrder(before=Selector(tool="Glob"), after=Selector(tool="Write")), None),
        (CallOrder(before=Selector(tool="Edit"), after=Selector(tool="Write")), None),
    ],
    ids=repr,
)
def test_calls_that_were_never_waited_for_are_not_held_against_the_skill(
    grader: ToolUsed | CallOrder, passed: bool | None
) -> None:
    run = Run(case_id="c", triggered=True, output="", output_cut=True, tool_calls=UNTRACED.tool_calls)

    assert run.was_settled
    assert grader.check(run).passed is passed


@pytest.mark.parametrize(
    "line",
    [
        assistant(tool_use("Glob"))[:-9],
        '["tool_use"]',
        '{"type":"assistant","message":"tool_use"}',
        '{"type":"assistant","message":{"content":[{"type":"tool_use","name":7,"input":{}},"tool_use"]}}',
        '{"type":"user","message":{"content":[{"type":"tool_use","name":"Glob","input":{}}]}}',
    ],
)
def test_lines_that_hold_no_call_are_passed_over(line: str) -> None:
    run = traced([line, assistant(tool_use("Read"))])

    assert ToolUsed(tool="Glob", min=0, max=0).check(run).passed is True
    assert ToolUsed(tool="Read").check(run).passed is True


@pytest.mark.parametrize(
    ("call", "matching"),
    [
        ('{"type":"tool_use","name":"Glob","input":{"a":NaN}}', '^{"a":null}$'),
        ('{"type":"tool_use","name":"Glob","input":{"a":-Infinity}}', '^{"a":null}$'),
        ('{"type":"tool\\u005fuse","name":"Gl\\u006fb","input":{"a":"\\u0062"}}', '^{"a":"b"}$'),
        ('{"type" : "tool_use", "name" : "Glob", "input" : { } }', "^{}$"),
    ],
)
def test_a_call_counts_however_its_line_is_written(call: str, matching: str) -> None:
    run = traced([f'{{"type":"assistant","message":{{"content":[{call}]}}}}'])

    assert ToolUsed(tool="Glob", input_match=matching).check(run).passed is True


CUT = cut("x" * 15_000 + "TAIL" + "y" * 15_000)
UNKNOWN = (ToolCall(name="Write", arguments=None),)
PARTLY = (ToolCall(name="Write", arguments={"text": [CUT]}),)
TOO_DEEP = (ToolCall(name="Write", arguments={"a": "[left out: nested deeper than 100 levels]"}),)
LONG_LIST = (ToolCall(name="Write", arguments=known(cut_all({"a": [0] * 30_000}))),)
TOLD = ToolCall(name="Write", arguments={"text": "TAIL"})
READ = ToolCall(name="Read")


@pytest.mark.parametrize("calls", [UNKNOWN, PARTLY, TOO_DEEP, LONG_LIST], ids=["unknown", "cut", "deep", "list"])
@pytest.mark.parametrize(
    ("grader", "more", "passed"),
    [
        (ToolUsed(tool="Write", input_match="TAIL"), (), None),
        (ToolUsed(tool="Write", input_match="TAIL", min=0, max=0), (), None),
        (ToolUsed(tool="Write", input_match="TAIL"), (TOLD,), True),
        (ToolUsed(tool="Write", input_match="TAIL", max=1), (TOLD,), None),
        (ToolUsed(tool="Write", input_match="TAIL", min=0, max=0), (TOLD,), False),
        (ToolUsed(tool="Write", input_match="TAIL", min=3), (TOLD,), False),
        (ToolUsed(tool="Write", input_match="TAIL", max=2), (TOLD,), True),
        (ToolUsed(tool="Write", max=1), (), True),
        (ToolUsed(tool="Read", input_match="TAIL"), (), False),
        (CallOrder(before=Selector(tool="Write", input_match="TAIL"), after=Selector(tool="Read")), (READ,), None),
        (CallOrder(before=Selector(tool="Write", input_match="TAIL"), after=Selector(tool="Read")), (), False),
        (CallOrder(before=Selector(tool="Write"), after=Selector(tool="Read")), (READ,), True),
        (CallOrder(before=Selector(tool="Read"), after=Selector(tool="Write", input_match="TAIL")), (READ,), False),
        (CallOrder(before=Selector(tool="Read"), after=Selector(tool="Write", input_match="T")), (READ, TOLD), None),
        (CallOrder(before=Selector(tool="Write", input_match="T"), after=Selector(tool="Read")), (TOLD, READ), True),
    ],
    ids=repr,
)
def test_an_input_that_was_not_kept_leaves_open_what_it_would_decide(
    calls: tuple[ToolCall, ...], grader: ToolUsed | CallOrder, more: tuple[ToolCall, ...], passed: bool | None
) -> None:
    outcome = grader.check(Run(case_id="c", tool_calls=(*calls, *more)))

    assert outcome.passed is passed
    assert (outcome.code == "input_not_kept") is (passed is None)


@pytest.mark.parametrize(
    "grader",
    [
        ToolUsed(tool="Skill"),
        ToolUsed(tool="Skill", min=0, max=0),
        CallOrder(before=Selector(tool="Skill"), after=Selector(tool="Read")),
        CallOrder(before=Selector(tool="Read"), after=Selector(tool="Skill")),
    ],
    ids=repr,
)
def test_skills_that_are_told_beside_the_calls_leave_open_how_they_were_called(grader: ToolUsed | CallOrder) -> None:
    beside = Run(case_id="c", triggered=True, skills_invoked=("level-maker",), tool_calls=(READ,))
    among = replace(beside, tool_calls=(ToolCall(name="Skill", arguments={"skill": "level-maker"}), READ))
    seen = replace(beside, trace=(assistant(tool_use("Read")),))  # a session that is kept holds every call

    assert (grader.check(beside).passed, grader.check(beside).code) == (None, "skill_calls_not_kept")
    assert grader.check(among).passed is not None
    assert grader.check(seen).passed is not None
    assert ToolUsed(tool="Read").check(beside).passed is True


def test_a_line_that_cannot_be_read_leaves_the_question_open() -> None:
    deep = '{"tool_use":' * 200_000 + "1" + "}" * 200_000

    assert ToolUsed(tool="Glob", min=0, max=0).check(traced([deep, '"tool_use"'])).code == "trace_too_deep"

"""Sessions of Claude Code are read as what they were.

The files in tests/data/streams are sessions of Claude Code 2.1.332 against a scripted model, shortened: a skill
`level-maker` and its sibling `level-maker-pro` were installed, and the model did what the file name says.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.agents.stream_json import Transcript, read_stream
from skill_evaluator.agents.stream_session import StreamSession
from skill_evaluator.model import Arm, FailureKind, ToolCall, Usage

STREAMS = Path(__file__).parents[1] / "data" / "streams"


def lines_of(name: str) -> list[str]:
    return (STREAMS / f"{name}.jsonl").read_text("utf-8").splitlines()


def session(name: str, skill_name: str = "level-maker") -> Transcript:
    return read_stream(lines_of(name), skill_name=skill_name)


def scripted(*events: object, closed: bool = True) -> Transcript:
    closing = [{"type": "result", "subtype": "success", "is_error": False}] if closed else []
    return read_stream([json.dumps(event) for event in [*events, *closing]], skill_name="level-maker")


def said(*blocks: object, **more: object) -> dict[str, object]:
    return {"type": "assistant", "message": {"content": list(blocks)}, **more}


@pytest.mark.parametrize(
    ("name", "triggered", "skills", "tools", "output"),
    [
        ("quiet", False, (), [], "The sum is 4."),
        ("tool_first", True, ("level-maker",), ["Glob", "Skill"], '{"level_id": 7}'),
        ("sibling_first", True, ("level-maker-pro", "level-maker"), ["Skill", "Skill"], "two"),
        ("plugin_name", True, ("demo:level-maker",), ["Skill"], "plugged"),
        ("read_skill_file", True, (), ["Read"], "done"),
        ("read_denied", False, (), ["Read"], "done"),
        ("turn_limit", False, (), ["Glob"] * 4, "Let me see."),
        ("subagent", False, (), ["Agent", "Glob"], "main done"),
    ],
)
def test_session_says_what_fired_what_was_called_and_what_came_out(
    name: str, triggered: bool, skills: tuple[str, ...], tools: list[str], output: str
) -> None:
    found = session(name)

    assert found.failure is None
    assert found.triggered is triggered
    assert found.skills_invoked == skills
    assert [call.name for call in found.tool_calls] == tools
    assert found.output == output
    assert found.model == "claude-opus-5-5"


def test_calls_carry_arguments_and_results() -> None:
    _, skill, *_ = session("tool_first").tool_calls
    agent, _ = session("subagent").tool_calls

    assert skill == ToolCall(name="Skill", arguments={"skill": "level-maker"}, result="Launching skill: level-maker")
    assert agent.arguments is not None
    assert agent.arguments["prompt"] == "SUBTASK please"
    assert agent.result is not None
    assert agent.result.startswith("Async agent launched")


def test_usage_and_time_cover_subagents_and_all_turns_of_the_session() -> None:
    """Two result lines: 280 ms and 65 ms; tokens of all models stand in the last one."""
    found = session("subagent")

    assert found.duration_s == pytest.approx(0.345)
    assert found.usage == Usage(input_tokens=500, output_tokens=100, cost_usd=0.004)


def test_tokens_from_the_cache_are_counted() -> None:
    usage = {"input_tokens": 10, "cache_read_input_tokens": 200, "cache_creation_input_tokens": 30, "output_tokens": 4}

    found = scripted({"type": "result", "is_error": False, "usage": usage, "duration_ms": 1_500}, closed=False)
    assert found.usage == Usage(input_tokens=240, output_tokens=4, cost_usd=None)
    assert found.duration_s == 1.5


def test_what_a_session_does_not_report_is_not_known() -> None:
    found = scripted(said({"type": "text", "text": "hi"}))

    assert (found.usage, found.duration_s, found.model) == (None, None, None)
    assert found.triggered is False


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("wrong_key", FailureKind.AUTH, "Invalid API key"),
        ("no_key", FailureKind.AUTH, "Not logged in"),
        ("rate_limit", FailureKind.RATE_LIMIT, "slow down"),
        ("server_error", FailureKind.API, "500 boom"),
        ("unreachable", FailureKind.API, "Connection refused"),
    ],
)
def test_error_of_the_service_is_an_error_with_its_kind_and_words(name: str, kind: FailureKind, words: str) -> None:
    found = session(name)

    assert found.failure is not None
    assert found.failure.kind is kind
    assert words in found.failure.message
    assert found.triggered is None
    assert found.output == ""


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        ({"result": "API Error: 429 too many"}, FailureKind.RATE_LIMIT),
        ({"result": "API Error: 529 overloaded"}, FailureKind.API),
        ({"result": "API Error: Request was aborted."}, FailureKind.API),
        ({"result": "Please run /login"}, FailureKind.AUTH),
        ({"result": "no", "api_error_status": 403}, FailureKind.AUTH),
        ({"result": "no", "api_error_status": 529}, FailureKind.API),
        ({"subtype": "error_during_execution", "errors": ["out of memory"]}, FailureKind.CRASH),
        ({"subtype": "error_during_execution"}, FailureKind.CRASH),
    ],
)
def test_result_without_a_status_is_told_by_its_text(result: dict[str, object], kind: FailureKind) -> None:
    found = scripted({"type": "result", "is_error": True, **result}, closed=False)

    assert found.failure is not None
    assert found.failure.kind is kind
    assert found.failure.message


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("authentication_failed", FailureKind.AUTH),
        ("rate_limit", FailureKind.RATE_LIMIT),
        ("billing_error", FailureKind.API),
        (None, FailureKind.CRASH),
    ],
)
def test_result_that_leaves_the_kind_open_is_told_by_the_message_before_it(word: str | None, kind: FailureKind) -> None:
    found = scripted(said(error=word), {"type": "result", "is_error": True, "result": "sorry"}, closed=False)

    assert found.failure is not None
    assert found.failure.kind is kind


@pytest.mark.parametrize(("first", "last"), [("quiet", "server_error"), ("server_error", "quiet")])
def test_last_of_several_results_decides(first: str, last: str) -> None:
    found = read_stream(lines_of(first) + lines_of(last), skill_name="level-maker")

    assert (found.failure is not None) is (last == "server_error")


@pytest.mark.parametrize("number", ["1e999", "1e18", "-5", "-1e999", "true", '"5"', "null", "9" * 400])
def test_figures_that_cannot_be_are_not_known(number: str) -> None:
    line = f'{{"type": "result", "is_error": false, "duration_ms": {number}, "total_cost_usd": {number}}}'

    found = read_stream([line], skill_name="level-maker")
    assert (found.failure, found.duration_s, found.usage) == (None, None, None)


@pytest.mark.parametrize("count", [-5, 1e16, "5", True])
def test_sum_with_a_count_that_cannot_be_is_not_known(count: object) -> None:
    """What is left of it would look like the whole."""
    usage = {"input_tokens": 10, "cache_read_input_tokens": count, "output_tokens": 4}
    by_model = {"m": {"inputTokens": 3, "outputTokens": count}, "n": {"inputTokens": None, "outputTokens": 1}}

    lines = scripted({"type": "result", "usage": usage})
    assert lines.usage == Usage(input_tokens=None, output_tokens=4, cost_usd=None)
    models = scripted({"type": "result", "modelUsage": by_model, "total_cost_usd": 0.1}, closed=False)
    assert models.usage == Usage(input_tokens=3, output_tokens=None, cost_usd=0.1)


def test_time_with_a_turn_that_cannot_be_is_not_known() -> None:
    found = scripted({"type": "result", "duration_ms": 5}, {"type": "result", "duration_ms": -1}, closed=False)

    assert found.duration_s is None


def test_arguments_nested_too_deep_are_left_out_with_a_note() -> None:
    deep: object = "bottom"
    for _ in range(300):
        deep = [deep]
    found = scripted(
        said({"type": "tool_use", "id": "t", "name": "Skill", "input": {"skill": "level-maker", "args": deep}})
    )

    (call,) = found.tool_calls
    assert found.triggered is True
    assert call.arguments == {"skill": "level-maker", "args": "[left out: nested deeper than 100 levels]"}


def test_infinite_argument_is_not_known() -> None:
    block = '{"type": "tool_use", "id": "t", "name": "x", "input": {"a": 1e400, "b": 1.5}}'
    line = f'{{"type": "assistant", "message": {{"content": [{block}]}}}}'

    (call,) = read_stream([line], skill_name="s").tool_calls
    assert call.arguments == {"a": None, "b": 1.5}


def test_skill_that_fired_before_an_error_is_still_an_error() -> None:
    lines = lines_of("tool_first")[:-1] + lines_of("server_error")[-1:]

    found = read_stream(lines, skill_name="level-maker")
    assert found.failure is not None
    assert found.triggered is None
    assert found.skills_invoked == ("level-maker",)


@pytest.mark.parametrize("kept", range(10))
def test_session_cut_off_anywhere_is_an_error(kept: int) -> None:
    found = read_stream(lines_of("tool_first")[:kept], skill_name="level-maker")

    assert found.failure is not None
    assert found.failure.kind is FailureKind.CRASH
    assert f"{kept} lines read" in found.failure.message


def test_line_cut_off_at_the_end_is_counted_as_broken() -> None:
    *lines, last = lines_of("tool_first")

    found = read_stream([*lines, last[:50]], skill_name="level-maker")
    assert found.failure is not None
    assert "(10 lines read, 1 of them not JSON)" in found.failure.message


def test_broken_lines_in_the_middle_do_not_cost_the_run() -> None:
    first, *rest = lines_of("tool_first")
    noise = ["{oops", "", "warning: something", "[1]", "null", '{"type": 5}', '{"type": "assistant", "message": null}']

    assert read_stream([first, *noise, *rest], skill_name="level-maker") == session("tool_first")


def test_skill_that_is_not_listed_was_never_tested() -> None:
    found = session("quiet", "level")

    assert found.failure is not None
    assert found.failure.kind is FailureKind.SKILL_NOT_LISTED
    assert "'level'" in found.failure.message


def test_missing_skill_is_named_even_when_the_service_failed_too() -> None:
    found = session("wrong_key", "level")

    assert found.failure is not None
    assert found.failure.kind is FailureKind.SKILL_NOT_LISTED


def test_listing_is_not_checked_where_there_is_none() -> None:
    found = scripted({"type": "system", "subtype": "init", "model": "m"})

    assert found.failure is None
    assert found.model == "m"


@pytest.mark.parametrize(
    ("path", "opened"),
    [
        ("/home/agent/.claude/skills/level-maker/SKILL.md", True),
        ("level-maker/SKILL.md", True),
        ("C:\\skills\\level-maker\\SKILL.md", True),
        ("/skills/level-maker-pro/SKILL.md", False),
        ("/skills/my-level-maker/SKILL.md", False),
        ("/skills/level-maker/reference.md", False),
        ("/skills/level-maker/SKILL.md.bak", False),
        (None, False),
    ],
)
def test_only_its_own_file_counts_as_opening_the_skill(path: object, opened: bool) -> None:
    found = scripted(said({"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": path}}))

    assert found.triggered is opened


def test_skill_called_by_a_subagent_fired_but_its_words_are_not_the_output() -> None:
    found = scripted(
        said({"type": "text", "text": "main"}),
        said(
            {"type": "text", "text": "sub"},
            {"type": "tool_use", "id": "t", "name": "Skill", "input": {"skill": "level-maker"}},
            parent_tool_use_id="toolu_1",
        ),
    )

    assert found.triggered
    assert found.output == "main"


def test_several_blocks_in_one_message_are_read_in_order() -> None:
    found = scripted(
        said(
            {"type": "text", "text": "first"},
            {"type": "tool_use", "id": "a", "name": "Skill", "input": {"skill": "other"}},
            {"type": "tool_use", "id": "b", "name": "Skill", "input": {"skill": "level-maker"}},
            {"type": "tool_use", "id": "b", "name": "Skill", "input": {"skill": "level-maker"}},
            {"type": "text", "text": "last"},
        )
    )

    assert found.skills_invoked == ("other", "level-maker")
    assert found.output == "last"


def test_half_a_surrogate_pair_becomes_a_replacement_mark() -> None:
    found = scripted(said({"type": "text", "text": "\ud83d cut, \ud83d\ude00 whole"}))

    assert found.output == "\ufffd cut, \U0001f600 whole"


def test_session_becomes_the_run_of_its_case() -> None:
    run = session("tool_first").as_run(case_id="c", arm=Arm.WITH, index=2)

    assert (run.case_id, run.index, run.triggered, run.output) == ("c", 2, True, '{"level_id": 7}')
    assert session("server_error").as_run(case_id="c", arm=Arm.WITH, index=0).triggered is None


@given(st.lists(st.text() | st.sampled_from(lines_of("sibling_first") + lines_of("subagent")), max_size=12))
def test_no_order_or_mixture_of_lines_breaks_the_reader(lines: Sequence[str]) -> None:
    run = read_stream(lines, skill_name="level-maker").as_run(case_id="c", arm=Arm.WITH, index=0)

    assert (run.failure is None) is (run.triggered is not None)


KEYS = """type message content text name input id skill skills model subtype is_error tool_use_id usage result errors
    error duration_ms total_cost_usd modelUsage api_error_status file_path parent_tool_use_id"""
WORDS = "assistant user system init result tool_use tool_result text Skill Read"
json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(WORDS.split()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=6),
    max_leaves=25,
)


@given(st.lists(json_like, max_size=5))
def test_no_shape_of_events_breaks_the_reader(events: list[object]) -> None:
    run = scripted(*events).as_run(case_id="c", arm=Arm.WITH, index=0)

    assert (run.failure is None) is (run.triggered is not None)


def test_the_last_words_of_a_session_may_be_those_of_the_program() -> None:
    session = StreamSession()
    for model, words in (("m", "one"), ("<synthetic>", "API Error: too long"), ("m", " ")):
        session.take({"type": "assistant", "message": {"model": model, "content": [{"type": "text", "text": words}]}})

    assert (session.output, session.last_words) == (" ", "API Error: too long")

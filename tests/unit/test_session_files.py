"""Session files as Claude Code keeps them itself: what was asked first, and whether the answer came to its end."""

import asyncio
import itertools
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from skill_evaluator.agents.replay import ReplayAgent
from skill_evaluator.agents.session_file import Subagents, read_session_turn
from skill_evaluator.agents.session_lines import first_turn, parse_session
from skill_evaluator.agents.stream_json import Transcript
from skill_evaluator.errors import InputError
from skill_evaluator.model import Arm, Case, FailureKind, Finding, Run, Source, Split, ToolCall, Turn, Usage
from tests.hostile import bounded, stream_lines

Line = dict[str, object]
SKILL = "level-maker"
_SECONDS = itertools.count(1)


def line(sort: str, **more: object) -> Line:
    second = next(_SECONDS)
    return {
        "parentUuid": None,
        "isSidechain": False,
        "type": sort,
        "uuid": f"u{second}",
        "timestamp": f"2026-01-01T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.000Z",
        "sessionId": "s1",
        **more,
    }


def asked(text: object, **more: object) -> Line:
    return line("user", message={"role": "user", "content": text}, **more)


def said(*blocks: Line, stop: str | None = "end_turn", key: str | None = None, **more: object) -> Line:
    message = {
        "id": key or f"msg{next(_SECONDS)}",
        "role": "assistant",
        "model": "claude-opus-5-5",
        "content": list(blocks),
        "stop_reason": stop,
        "usage": {"input_tokens": 100, "cache_read_input_tokens": 7, "output_tokens": 20},
    }
    return line("assistant", message=message, **more)


def aside(one: Line) -> Line:
    """The same, in the log of a subagent."""
    return {**one, "isSidechain": True, "agentId": "a1"}


def text(words: str) -> Line:
    return {"type": "text", "text": words}


def use(name: str, key: str = "t1", **arguments: object) -> Line:
    return {"type": "tool_use", "id": key, "name": name, "input": arguments}


def result(key: str = "t1", content: object = "done", **more: object) -> Line:
    answer: Line = {"type": "tool_result", "tool_use_id": key, "content": content}
    return line("user", message={"role": "user", "content": [answer]}, **{"toolUseResult": {"success": True}, **more})


def account(cost: float = 0.002, tokens: int = 200, **more: object) -> Line:
    used = {"inputTokens": tokens, "outputTokens": 40, "cacheReadInputTokens": 0, "cacheCreationInputTokens": 0}
    return {
        "type": "cost-state",
        "sessionId": "s1",
        "totalCostUSD": cost,
        "modelUsage": {"claude-opus-5-5": used},
        "hasUnknownModelCost": False,
        **more,
    }


def listing(*names: str) -> Line:
    return line("attachment", attachment={"type": "skill_listing", "content": "- ...", "names": list(names)})


def noted() -> list[Line]:
    """What the program writes down for itself before anything is asked."""
    return [
        {"type": "queue-operation", "operation": "enqueue", "content": "x", "sessionId": "s1"},
        {"type": "api-request-blob", "hash": "h", "message": {"role": "user", "content": "x"}, "sessionId": "s1"},
        line("attachment", attachment={"type": "date", "date": "2026-01-01"}),
    ]


def log(*lines: Line) -> str:
    return "".join(json.dumps(one) + "\n" for one in lines)


def read(*lines: Line, subagents: Subagents | None = None) -> Transcript:
    file = parse_session(log(*lines))
    assert file is not None
    turn = first_turn(file.lines)
    assert turn is not None
    return read_session_turn(turn, subagents or {}, skill_name=SKILL)


def fired(*, asks: str = "make a level", key: str = "msg1") -> list[Line]:
    return [
        asked(asks),
        *noted(),
        said(text("I will."), stop="tool_use", key=key),
        said(use("Skill", skill=SKILL), stop="tool_use", key=key),
        result(content="Launching skill"),
        asked([text("Base directory for this skill: ...")], isMeta=True, sourceToolUseID="t1"),
        said(text("Here it is.")),
        account(),
    ]


def test_skill_that_was_invoked_fired() -> None:
    found = read(*noted(), *fired())

    assert (found.triggered, found.failure, found.output, found.model) == (True, None, "Here it is.", "claude-opus-5-5")
    assert found.skills_invoked == (SKILL,)
    assert found.tool_calls == (ToolCall(name="Skill", arguments={"skill": SKILL}, result="Launching skill"),)
    assert found.usage == Usage(input_tokens=200, output_tokens=40, cost_usd=0.002)


def test_sibling_and_other_tools_come_in_their_order() -> None:
    found = read(
        asked("x"),
        said(use("Bash", "a", command="ls"), use("Skill", "b", skill="level-maker-pro"), stop="tool_use"),
        result("b"),
        result("a", is_error=True),
        said(text("no")),
    )

    assert (found.triggered, found.skills_invoked) == (False, ("level-maker-pro",))
    assert [call.name for call in found.tool_calls] == ["Bash", "Skill"]


def test_tokens_of_a_message_that_fills_several_lines_count_once() -> None:
    turn = fired()[:-1]

    assert read(*turn).usage == Usage(input_tokens=2 * 107, output_tokens=2 * 20)  # two messages, no account


def test_cost_of_a_model_without_a_price_is_not_known() -> None:
    found = read(asked("x"), said(text("y")), account(hasUnknownModelCost=True))

    assert found.usage == Usage(input_tokens=200, output_tokens=40, cost_usd=None)


def test_time_goes_from_the_question_to_the_last_message() -> None:
    first, last = asked("x"), said(text("y"))
    first["timestamp"], last["timestamp"] = "2026-01-01T00:00:00.500Z", "2026-01-01T00:01:01.000Z"

    assert read(first, last).duration_s == 60.5
    last["timestamp"] = "then"
    assert read(first, last).duration_s is None
    last["timestamp"] = "2025-01-01T00:00:00Z"
    assert read(first, last).duration_s is None


def test_what_was_asked_later_answers_another_question() -> None:
    found = read(asked("x"), said(text("one")), account(cost=0.001), *fired(asks="now use the level maker"))

    assert (found.triggered, found.output, found.skills_invoked) == (False, "one", ())
    assert found.usage is not None
    assert found.usage.cost_usd == 0.001


@pytest.mark.parametrize(
    "between",
    [
        asked("<task-notification>\n<task-id>a1</task-id>", origin={"kind": "task-notification"}),
        asked("<system-reminder>be brief</system-reminder>", isMeta=True),
        asked("This session is being continued", isCompactSummary=True, isVisibleInTranscriptOnly=True),
        line("attachment", attachment={"type": "queued_command", "prompt": "<task-notification>", "isMeta": True}),
    ],
)
def test_what_the_program_says_by_itself_belongs_to_the_turn(between: Line) -> None:
    found = read(
        asked("x"), said(text("one")), between, said(use("Skill", skill=SKILL), stop="tool_use"), result(), said()
    )

    assert found.triggered is True


@pytest.mark.parametrize(
    "more", [asked("and now?"), line("attachment", attachment={"type": "queued_command", "prompt": "and now?"})]
)
def test_what_the_user_says_while_the_agent_works_ends_the_turn(more: Line) -> None:
    found = read(asked("x"), said(use("Bash"), stop="tool_use"), result(), more, said(text("done")))

    assert found.failure is not None


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ([], "before the agent answered"),
        ([said(text("I will.")), said(use("Skill", skill=SKILL), stop="tool_use")], "in the middle"),
        ([said(text("a"), stop=None, key="m"), said(use("Bash"), stop=None, key="m"), account()], "in the middle"),
        ([said(use("Skill", skill=SKILL), stop="tool_use"), result()], "before the agent answered"),
        ([said(text("half a"), stop="max_tokens")], "in the middle"),
        ([said(text("versions before wrote no reason"), stop=None)], "in the middle"),
        ([said(text("a")), asked([text("[Request interrupted by user]")])], "interrupted"),
        ([said(text("a"), stop="tool_use", key="m"), said(use("Bash"), stop="tool_use", key="m"), account()], "middle"),
    ],
)
def test_turn_that_did_not_come_to_its_end_is_an_error_and_never_a_miss(end: list[Line], words: str) -> None:
    found = read(asked("x"), *end)

    assert found.triggered is None
    assert found.failure is not None
    assert found.failure.kind is FailureKind.CRASH
    assert words in found.failure.message


@pytest.mark.parametrize(
    "note",
    [account(), line("system", subtype="turn_duration", durationMs=5), line("system", subtype="stop_hook_summary")],
)
def test_message_without_a_reason_to_stop_is_whole_where_the_program_closed_the_turn(note: Line) -> None:
    assert read(asked("x"), said(text("a"), stop=None), note).triggered is False


def test_turn_at_its_limit_did_what_it_did() -> None:
    limit = line("attachment", attachment={"type": "max_turns_reached", "maxTurns": 2})

    found = read(asked("x"), said(use("Bash"), stop="tool_use"), result(), limit, account())
    assert (found.triggered, found.failure) == (False, None)


@pytest.mark.parametrize(
    ("word", "status", "kind"),
    [
        ("authentication_failed", 401, FailureKind.AUTH),
        ("rate_limit", 429, FailureKind.RATE_LIMIT),
        ("server_error", 500, FailureKind.API),
        ("max_output_tokens", None, FailureKind.API),
    ],
)
def test_error_of_the_service_is_an_error_even_after_the_skill_fired(word: str, status: int, kind: FailureKind) -> None:
    failed = said(
        text("API Error: no"), stop="stop_sequence", isApiErrorMessage=True, error=word, apiErrorStatus=status
    )

    found = read(*fired()[:-2], failed, account())
    assert found.failure is not None
    assert (found.failure.kind, found.failure.message, found.triggered) == (kind, "API Error: no", None)


def test_skill_that_was_not_among_those_named_to_the_model_was_never_tested() -> None:
    found = read(asked("x"), listing("level-maker-pro", "sql"), said(text("no")))

    assert found.failure is not None
    assert found.failure.kind is FailureKind.SKILL_NOT_LISTED
    assert read(asked("x"), listing("games:level-maker"), said(text("no"))).triggered is False


def by_hand(name: str, arguments: str = "") -> Line:
    words = f"<command-message>{name}</command-message>\n<command-name>/{name}</command-name>"
    return asked(f"{words}\n<command-args>{arguments}</command-args>")


def test_skill_that_the_user_started_by_hand_did_not_fire_and_nobody_knows_whether_it_would_have() -> None:
    found = read(by_hand("games:level-maker"), said(text("here")))
    assert (found.triggered, found.failure, found.skills_invoked) == (None, None, ())

    assert read(by_hand("sql"), said(text("here"))).triggered is False
    again = [said(use("Skill", skill=SKILL), stop="tool_use"), result(), said(text("here"))]
    assert read(by_hand(SKILL), *again).triggered is True


def test_subagents_count_but_their_words_are_not_the_output() -> None:
    launch = said(use("Agent", prompt="sub"), stop="tool_use")
    inside = [
        aside(asked("sub")),
        aside(said(use("Skill", "t2", skill=SKILL), stop="tool_use")),
        aside(result("t2")),
        aside(said(text("sub says"))),
    ]
    rest = [result(toolUseResult={"agentId": "a1", "status": "completed"}), said(text("main says"))]

    for found in (
        read(asked("x"), launch, *rest, subagents={"a1": inside}),
        read(asked("x"), launch, *inside, *rest),
    ):
        assert (found.triggered, found.output, found.skills_invoked) == (True, "main says", (SKILL,))
    other = read(asked("x"), said(text("y")), asked("z"), launch, *rest, subagents={"a1": inside})
    assert other.triggered is False  # the second question launched it


@pytest.mark.parametrize(
    "answer", [{"agentId": "gone", "status": "completed"}, {"agentId": "a1", "isAsync": True}, {"totalTokens": 5}]
)
def test_subagent_that_is_not_seen_to_its_end_leaves_open_whether_the_skill_fired(answer: Mapping[str, object]) -> None:
    seen: Subagents = {"a1": [aside(asked("sub"))]} if "isAsync" in answer else {}
    turn = [asked("x"), said(use("Task", prompt="sub"), stop="tool_use"), result(toolUseResult=answer), said(text("y"))]

    found = read(*turn, subagents=seen)
    assert (found.triggered, found.failure) == (None, None)


def test_stream_json_is_no_session_file() -> None:
    assert parse_session('{"type":"system","subtype":"init","session_id":"s"}\n') is None
    assert parse_session('{"type":"user","session_id":"s","message":{"content":"\\"sessionId\\""}}\n') is None
    assert parse_session('not JSON "sessionId"\n{"case_id":"a","sessionId":"x"}\n') is None
    assert parse_session('{"type":"summary","leafUuid":"x"}\n{"type":"user","sessionId":"s"}\n{"cut') is not None


def case(name: str, prompt: str) -> Case:
    return Case(
        id=name,
        prompt=prompt,
        split=Split.ACCEPTANCE,
        expect_trigger=True,
        sha256="0" * 64,
        prompt_sha256=f"hash of {prompt}",
        source=Source(path="testset.json"),
    )


def keep(folder: Path, name: str, *lines: Line) -> Path:
    path = folder / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(log(*lines), "utf-8")
    return path


def play(path: Path, *cases: Case) -> ReplayAgent:
    return ReplayAgent(path, skill_name=SKILL, cases=cases)


def ask(agent: ReplayAgent, one: Case, index: int = 0) -> Run:
    return asyncio.run(agent.run(one, Arm.WITH, index))


def refused(path: Path, *cases: Case) -> tuple[Finding, ...]:
    with pytest.raises(InputError) as caught:
        play(path, *cases)
    return caught.value.findings


def test_sessions_under_any_name_are_found_by_what_was_asked_first_in_the_order_of_their_time(tmp_path: Path) -> None:
    one, two = case("one", "make a level"), case("two", "what time is it?")
    keep(tmp_path, "-home-me/zzz", asked("make a level"), said(text("first")))
    keep(tmp_path, "-home-me/bbb", asked(" what time is it?\n"), said(text("late")))
    keep(tmp_path, "-home-me/aaa", *fired(asks="make a level"))

    agent = play(tmp_path, one, two)
    assert [ask(agent, one, index).output for index in (0, 1)] == ["first", "Here it is."]
    assert (ask(agent, one, 1).triggered, ask(agent, two).triggered) == (True, False)
    assert agent.findings == ()
    assert agent.planned_runs == 1
    assert agent.info.settings == {"recorded_as": "session-file"}


def test_names_win_over_what_was_asked_and_the_others_follow_them(tmp_path: Path) -> None:
    one = case("one", "make a level")
    keep(tmp_path, "other", asked("make a level"), said(text("unnamed")))
    keep(tmp_path, "one.7", asked("make a level, please"), said(text("named")))

    agent = play(tmp_path, one)
    assert [ask(agent, one, index).output for index in (0, 1)] == ["named", "unnamed"]


def test_sessions_that_ask_what_no_case_asks_are_named_in_one_warning(tmp_path: Path) -> None:
    one = case("one", "make a level")
    keep(tmp_path, "a", *fired())
    keep(tmp_path, "p/b", asked("something else"), said(text("y")))
    keep(tmp_path, "p/c", *noted())
    keep(tmp_path, "p/d", asked("make a level!"), said(text("y")))

    (finding,) = play(tmp_path, one).findings
    assert (finding.code, finding.values["cases"]) == ("unknown-case", ["p/c.jsonl", "p/b.jsonl", "p/d.jsonl"])


def test_session_that_was_forked_counts_once(tmp_path: Path) -> None:
    one = case("one", "make a level")
    turn = fired()
    more = [{**one_line, "sessionId": "s2"} for one_line in turn[:-1]]
    keep(tmp_path, "a-fork", *more, asked("and another"), said(text("two")))
    keep(tmp_path, "b-first", *turn)

    agent = play(tmp_path, one)
    usage = ask(agent, one).usage
    assert usage is not None
    assert usage.cost_usd == 0.002  # of the first, which has its account
    assert ask(agent, one, 1).failure is not None
    (finding,) = agent.findings
    assert (finding.code, finding.values) == ("sessions-repeated", {"files": 1})


def test_commands_of_the_program_ask_nothing(tmp_path: Path) -> None:
    one = case("one", "make a level")
    caveat = asked("<local-command-caveat>The command below", isMeta=True)
    keep(tmp_path, "a", caveat, by_hand("model"), line("system", subtype="local_command", content="Opus"), *fired())

    assert ask(play(tmp_path, one), one).triggered is True


def test_prompt_that_is_a_slash_command_is_found_as_it_was_typed(tmp_path: Path) -> None:
    one = case("one", "/level-maker three rooms")
    keep(tmp_path, "a", by_hand("level-maker", "three rooms"), said(text("here")))

    run = ask(play(tmp_path, one), one)
    assert (run.triggered, run.failure) == (None, None)


def test_cases_that_ask_the_same_get_the_sessions_in_turn(tmp_path: Path) -> None:
    cases = [case(name, "make a level") for name in ("one", "two")]
    for number in range(4):
        keep(tmp_path, f"s{number}", asked("make a level"), said(text(str(number))))

    agent = play(tmp_path, *cases)
    assert [[ask(agent, one, index).output for index in (0, 1)] for one in cases] == [["0", "2"], ["1", "3"]]


def test_session_of_a_case_that_is_not_asked_this_time_is_no_stray_of_another(tmp_path: Path) -> None:
    one, left_out = case("one", "make a level"), case("left", "what time is it?")
    keep(tmp_path, "a", *fired())
    keep(tmp_path, "b", asked("what time is it?"), said(text("late")))

    (finding,) = ReplayAgent(tmp_path, skill_name=SKILL, cases=[one], testset=[one, left_out]).findings
    assert finding.values["cases"] == ["left"]


def test_one_session_file_with_its_subagents_can_be_named(tmp_path: Path) -> None:
    one = case("one", "make a level")
    launch = [said(use("Agent"), stop="tool_use"), result(toolUseResult={"agentId": "a1"}), said(text("main"))]
    path = keep(tmp_path, "s1", asked("make a level"), *launch)
    inside = [
        aside(asked("sub")),
        aside(said(use("Skill", "t2", skill=SKILL), stop="tool_use")),
        aside(result("t2")),
    ]
    keep(tmp_path, "s1/subagents/agent-a1", *inside, aside(said(text("sub"))))
    keep(tmp_path, "s2", asked("make a level"), said(text("not named")))

    agent = play(path, one)
    assert ask(agent, one).triggered is True
    assert agent.planned_runs == 1


def test_copies_and_subagents_under_the_name_of_a_case_are_refused(tmp_path: Path) -> None:
    turn = fired()
    keep(tmp_path, "one.0", *turn)
    keep(tmp_path, "one.1", *turn)
    keep(tmp_path, "one.2", aside(asked("sub")))
    keep(tmp_path, "one.3", *noted())

    found = {(Path(str(finding.file)).name, finding.code) for finding in refused(tmp_path)}
    assert found == {
        ("one.1.jsonl", "duplicate-session"),
        ("one.2.jsonl", "subagent-alone"),
        ("one.3.jsonl", "nothing-asked"),
    }


@pytest.mark.parametrize("odd", [[], {}, 3, None, "x"])
def test_values_of_any_type_are_no_traceback(odd: object) -> None:
    block: Line = {"type": odd, "name": odd, "id": odd, "tool_use_id": odd, "input": odd}
    for more in (
        line("system", subtype=odd),
        {**line("x"), "type": odd},
        line("assistant"),
        line("assistant", message=odd),
        line("assistant", message={"content": [block, odd], "id": odd, "stop_reason": odd, "model": odd, "usage": odd}),
        line("attachment", attachment=odd),
        result(toolUseResult={"agentId": odd, "isAsync": odd}, agentId=odd),
        account(modelUsage=odd, totalCostUSD=odd),
    ):
        found = read(asked("x"), more, said(text("y")), line("system", subtype=odd))
        assert (found.output, found.failure) == ("y", None)


@bounded(100)
@given(stream_lines(SKILL))
def test_no_shape_of_lines_breaks_the_reader(content: bytes) -> None:
    """The lines make a session file where the first is one."""
    file = parse_session('{"type":"mode","sessionId":"s1"}\n' + content.decode("utf-8", "replace"))
    assert file is not None
    turn = first_turn(file.lines)
    if turn is not None:
        found = read_session_turn(turn, {"t1": file.lines}, skill_name=SKILL)
        assert found.failure is None or found.triggered is None
        assert found.duration_s is None or found.duration_s >= 0


def test_session_answers_no_case_that_goes_on_with_a_conversation(tmp_path: Path) -> None:
    turns = (Turn(role="user", text="hi"), Turn(role="assistant", text="hello"))
    talk, plain = replace(case("talk", "make a level"), context=turns), case("plain", "make a level")
    for name in ("a", "b"):
        keep(tmp_path, name, *fired())

    agent = play(tmp_path, talk, plain)
    assert [ask(agent, plain, index).triggered for index in (0, 1)] == [True, True]
    assert ask(agent, talk).failure

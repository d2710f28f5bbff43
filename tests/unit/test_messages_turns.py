"""One run as a conversation: what ends it, what goes out next, what is kept of it; the server is a list of answers."""

import asyncio
import itertools
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest

from skill_evaluator.agents.messages.agent import MessagesAgent, Setup
from skill_evaluator.agents.messages.api import MessagesApi
from skill_evaluator.agents.messages.custom_ids import custom_id
from skill_evaluator.agents.messages.request import ApiReply, ApiRequest, ToolUse
from skill_evaluator.graders.text import Contains
from skill_evaluator.model import Arm, Case, Failure, FailureKind, Grader, Run, Turn, Usage
from tests.api_server import ApiServer, fault, text
from tests.unit.command_setup import case_of, skill_at

GRADERS = (Grader(name="contains", check=Contains(text="x")),)
_ids = itertools.count()


def use(name: str, **arguments: object) -> ToolUse:
    return ToolUse(id=f"toolu_{next(_ids)}", name=name, input=arguments)


def said(text: str = "", *uses: ToolUse, stop: str | None = None, usage: Usage | None = None) -> ApiReply:
    blocks = [{"type": "text", "text": text}] if text else []
    calls = [{"type": "tool_use", "id": one.id, "name": one.name, "input": dict(one.input)} for one in uses]
    return ApiReply(
        text=text,
        tool_uses=uses,
        content=[*blocks, *calls],
        stop_reason=stop or ("tool_use" if uses else "end_turn"),
        usage=usage or Usage(input_tokens=10, output_tokens=5, cost_usd=0.5, requests=1),
    )


class Scripted:
    """Gives the answers of a list, one after the other."""

    model, base_url = "m", "http://127.0.0.1:1"

    def __init__(self, answers: Sequence[ApiReply | Failure]) -> None:
        self.answers = list(answers)
        self.requests: list[ApiRequest] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def ask(self, request: ApiRequest) -> ApiReply | Failure:
        self.requests.append(request)
        return self.answers.pop(0)


@pytest.fixture
def skill_folder(skill_dir: Path) -> Path:
    return skill_dir


def held(
    folder: Path, *answers: ApiReply | Failure, case: Case | None = None, arm: Arm = Arm.WITH, max_turns: int = 10
) -> tuple[Run, Scripted]:
    """Hold one conversation; all answers must have been asked for."""
    skill, asked = skill_at(folder), case or case_of()
    sibling = replace(skill, name="map-maker", description="Draws maps.", body="Draw a map.")
    api = Scripted(answers)
    setup = Setup(skill=skill, neighbours=[sibling], cases=[asked], max_turns=max_turns)
    run = asyncio.run(MessagesAgent(api, setup).run(asked, arm, 2))
    assert not api.answers
    return run, api


FIRE = use("Skill", skill="level-maker")
OUTPUT = case_of(graders=GRADERS)


def test_a_trigger_only_run_ends_with_the_call_of_the_target(skill_folder: Path) -> None:
    run, api = held(skill_folder, said("Let me see.", FIRE))

    assert (run.case_id, run.arm, run.index) == ("c1", Arm.WITH, 2)
    assert (run.triggered, run.skills_invoked, run.output) == (True, ("level-maker",), "Let me see.")
    assert [call.name for call in run.tool_calls or ()] == ["Skill"]
    assert run.usage == Usage(input_tokens=10, output_tokens=5, cost_usd=0.5, requests=1)
    assert (api.requests[0].max_tokens, api.requests[0].stream) == (2048, False)


def test_a_trigger_only_run_ends_with_the_turn(skill_folder: Path) -> None:
    run, _ = held(skill_folder, said("Lisbon."))

    assert (run.triggered, run.output, run.tool_calls, run.cut_by) == (False, "Lisbon.", (), None)


def test_siblings_and_tools_before_the_target_are_answered_and_kept_in_order(skill_folder: Path) -> None:
    run, api = held(
        skill_folder,
        said("", use("Skill", skill="map-maker")),
        said("", use("Glob", pattern="**/*.md")),
        said("", use("Skill", skill="games:level-maker")),
    )

    assert run.triggered is True
    assert run.skills_invoked == ("map-maker", "games:level-maker")
    assert [call.name for call in run.tool_calls or ()] == ["Skill", "Glob", "Skill"]
    assert run.usage == Usage(input_tokens=30, output_tokens=15, cost_usd=1.5, requests=3)
    assert "Draw a map." in json.dumps(api.requests[1].messages)


def test_reading_the_skill_file_fires_the_skill(skill_folder: Path) -> None:
    run, _ = held(skill_folder, said("", use("Read", path="skills/level-maker/SKILL.md", offset=2, limit=1)))

    assert (run.triggered, run.skills_invoked) == (True, ("level-maker",))


def test_a_read_that_fails_fires_nothing(skill_folder: Path) -> None:
    run, _ = held(
        skill_folder, said("", use("Read", path="skills/level-maker/SKILL.md", offset=9_999)), said("No such line.")
    )

    assert (run.triggered, run.skills_invoked) == (False, ())


def test_reading_first_and_firing_then_counts_the_skill_once(skill_folder: Path) -> None:
    run, _ = held(
        skill_folder,
        said("", use("Read", path="skills/level-maker/SKILL.md")),
        said("", FIRE),
        said("Done."),
        case=OUTPUT,
    )

    assert (run.triggered, run.skills_invoked, run.output) == (True, ("level-maker",), "Done.")


def test_a_sibling_alone_is_no_trigger(skill_folder: Path) -> None:
    run, _ = held(skill_folder, said("", use("Skill", skill="map-maker")), said("A map."))

    assert (run.triggered, run.skills_invoked) == (False, ("map-maker",))


def test_without_the_skill_its_name_starts_nothing(skill_folder: Path) -> None:
    run, api = held(
        skill_folder,
        said("", FIRE, use("Read", path="skills/level-maker/SKILL.md")),
        said("I did it myself."),
        arm=Arm.WITHOUT,
    )

    assert (run.triggered, run.skills_invoked) == (False, ())
    assert "level-maker" not in json.dumps(api.requests[0].system)
    assert "there is no skill 'level-maker'" in ((run.tool_calls or ())[0].result or "")


def test_an_output_run_goes_on_until_the_model_stops(skill_folder: Path) -> None:
    run, api = held(skill_folder, said("On it.", FIRE), said('{"level_id": 4}'), case=OUTPUT)

    assert (run.triggered, run.output) == (True, '{"level_id": 4}')
    assert all((one.max_tokens, one.stream) == (8192, True) for one in api.requests)


def test_the_output_is_the_text_of_the_last_turn_that_has_any(skill_folder: Path) -> None:
    run, _ = held(skill_folder, said("Here it is.", FIRE), said(""), case=OUTPUT)

    assert run.output == "Here it is."


def test_parallel_calls_are_answered_in_one_message(skill_folder: Path) -> None:
    wide = said("Two.", FIRE, use("Read", path="none.txt"), use("Skill", skill="map-maker"))
    run, api = held(skill_folder, wide, said("Done."), case=OUTPUT)

    question, answer, results = api.requests[1].messages
    assert (question["role"], answer["role"], results["role"]) == ("user", "assistant", "user")
    content = results["content"]
    assert isinstance(content, list)
    assert [block["type"] for block in content] == ["tool_result"] * 3 + ["text"] * 2
    assert [block["tool_use_id"] for block in content[:3]] == [one.id for one in wide.tool_uses]
    assert [block.get("is_error", False) for block in content[:3]] == [False, True, False]
    assert "Write the level as JSON" in content[3]["text"]
    assert "Draw a map." in content[4]["text"]
    assert [call.name for call in run.tool_calls or ()] == ["Skill", "Read", "Skill"]


def test_a_tool_that_does_not_exist_gets_an_error(skill_folder: Path) -> None:
    run, api = held(skill_folder, said("", use("Bash", command="ls")), said("Then not."))

    (call,) = run.tool_calls or ()
    assert (call.name, call.arguments) == ("Bash", {"command": "ls"})
    assert "there is no tool 'Bash'" in (call.result or "")
    assert '"is_error": true' in json.dumps(api.requests[1].messages)


def test_stand_ins_come_after_the_common_tools_and_take_anything(skill_folder: Path) -> None:
    case = case_of(stand_ins=("read_file", "Read"), graders=GRADERS)
    run, api = held(skill_folder, said("", use("read_file", any={"thing": [1]})), said("Done."), case=case)

    tools = api.requests[0].tools
    assert [tool["name"] for tool in tools] == ["Skill", "Read", "Glob", "Grep", "read_file"]
    assert ["cache_control" in tool for tool in tools] == [False, False, False, True, False]
    assert (run.tool_calls or ())[0].result == "ok"


def test_the_end_of_what_was_seen_is_marked_for_the_cache_and_nothing_before(skill_folder: Path) -> None:
    _, api = held(
        skill_folder, said("", use("Glob", pattern="*")), said("", use("Glob", pattern="**")), said("No."), case=OUTPUT
    )

    marks = [json.dumps(one.messages).count("cache_control") for one in api.requests]
    assert marks == [0, 1, 1]
    last = api.requests[2].messages[-1]["content"]
    assert isinstance(last, list)
    assert last[-1]["cache_control"] == {"type": "ephemeral"}
    assert all("cache_control" in block for one in api.requests for block in one.system)


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (said("I cannot.", stop="refusal"), "the model refused"),
        (said("", FIRE, stop="max_tokens"), "in the middle of a tool call"),
        (said("", stop="max_tokens"), "before it said anything"),
        (said("Hm", stop="model_context_window_exceeded"), "longer than the model can take in"),
        (said("Hm", stop="something_new"), "'something_new'"),
        (said("", FIRE, stop="something_new"), "'something_new'"),
        (said("Hm", stop="tool_use"), "called none"),
    ],
)
def test_an_answer_that_tells_nothing_about_the_skill_fails_the_run(
    skill_folder: Path, reply: ApiReply, message: str
) -> None:
    run, _ = held(skill_folder, reply)

    assert run.failure is not None
    assert run.failure.kind is FailureKind.API
    assert message in run.failure.message
    assert run.triggered is None


def test_a_text_that_was_cut_is_kept_and_said_to_be_cut(skill_folder: Path) -> None:
    run, _ = held(skill_folder, said("Once upon a", stop="max_tokens"))

    assert (run.triggered, run.output, run.output_cut, run.cut_by) == (False, "Once upon a", True, "max_tokens")


def test_a_pause_is_gone_on_from(skill_folder: Path) -> None:
    run, api = held(skill_folder, said("Wait", stop="pause_turn"), said("Lisbon."))

    assert (run.triggered, run.output) == (False, "Lisbon.")
    assert [message["role"] for message in api.requests[1].messages] == ["user", "assistant"]


def test_a_server_that_ends_the_turn_with_a_call_is_understood(skill_folder: Path) -> None:
    run, _ = held(skill_folder, said("", FIRE, stop="end_turn"))

    assert run.triggered is True


def test_the_turn_cap_ends_a_run_that_has_not_fired(skill_folder: Path) -> None:
    run, _ = held(skill_folder, *(said("Looking", use("Glob", pattern="*")) for _ in range(3)), max_turns=3)

    assert (run.triggered, run.cut_by, run.output_cut, run.failure) == (False, "max_turns", False, None)
    assert len(run.tool_calls or ()) == 3


def test_what_fired_before_the_turn_cap_has_fired(skill_folder: Path) -> None:
    run, _ = held(skill_folder, said("", FIRE), case=OUTPUT, max_turns=1)

    assert (run.triggered, run.cut_by) == (True, "max_turns")


def test_a_failure_in_the_middle_keeps_what_was_used(skill_folder: Path) -> None:
    failure = Failure(kind=FailureKind.RATE_LIMIT, message="too many")
    run, _ = held(skill_folder, said("", FIRE), failure, case=OUTPUT)

    assert (run.failure, run.triggered) == (failure, None)
    assert run.usage == Usage(input_tokens=10, output_tokens=5, cost_usd=0.5, requests=1)
    assert run.skills_invoked == ("level-maker",)


def test_a_failure_at_once_used_nothing_that_is_known(skill_folder: Path) -> None:
    run, _ = held(skill_folder, Failure(kind=FailureKind.API, message="down"))

    assert (run.usage, run.output, run.tool_calls) == (None, "", ())


def test_a_price_that_one_answer_lacks_is_unknown_for_the_run(skill_folder: Path) -> None:
    unpriced = Usage(input_tokens=1, output_tokens=1, requests=1)
    run, _ = held(skill_folder, said("", FIRE), said("Done.", usage=unpriced), case=OUTPUT)

    assert run.usage == Usage(input_tokens=11, output_tokens=6, cost_usd=None, requests=2)


def test_earlier_turns_go_before_the_prompt(skill_folder: Path) -> None:
    turns = (("user", "Hi"), ("user", "there"), ("assistant", "Hello."), ("user", "Well"))
    context = tuple(Turn(role=role, text=text) for role, text in turns)  # type: ignore[arg-type]
    _, api = held(skill_folder, said("No."), case=case_of("-/design", context=context))

    def words(text: str) -> dict[str, str]:
        return {"type": "text", "text": text}

    assert list(api.requests[0].messages) == [
        {"role": "user", "content": [words("Hi"), words("there")]},
        {"role": "assistant", "content": [words("Hello.")]},
        {"role": "user", "content": [words("Well"), words("-/design")]},
    ]


def test_halves_of_surrogate_pairs_never_go_out(skill_folder: Path) -> None:
    case = case_of("half \ud83d", files={"a.txt": "\udc00 too"})
    odd = said("\ud83d", use("Read", path="a.txt"), use("\ud83d", **{"\ud83d": "\ud83d"}))
    _, api = held(skill_folder, odd, said("No."), case=case)

    for request in api.requests:
        json.dumps(list(request.messages), ensure_ascii=False).encode()


def test_what_is_the_same_in_all_requests_is_made_once(skill_folder: Path) -> None:
    agent = MessagesAgent(Scripted([]), Setup(skill=skill_at(skill_folder)))

    first, second = (agent.first_request(case_of(prompt), Arm.WITH, 0) for prompt in ("a", "b"))

    assert first.system is second.system
    assert first.tools is second.tools


def test_a_first_answer_out_of_a_batch_is_not_asked_again(skill_folder: Path) -> None:
    case = case_of()

    class Batch:
        def taken(self, custom_id_: str) -> ApiReply | None:
            return said("", use("Glob", pattern="*")) if custom_id_ == custom_id(case, Arm.WITH, 1) else None

    api = Scripted([said("", FIRE), said("No.")])
    agent = MessagesAgent(api, Setup(skill=skill_at(skill_folder), cases=[case]))
    agent.first_replies = Batch()

    run = asyncio.run(agent.run(case, Arm.WITH, 1))
    other = asyncio.run(agent.run(case, Arm.WITH, 0))

    assert (run.triggered, run.duration_s, run.usage and run.usage.requests) == (True, None, 2)
    assert len(api.requests[0].messages) == 3
    assert other.triggered is False
    assert other.duration_s is not None


def test_custom_ids_tell_runs_apart() -> None:
    cases = (case_of(id="a"), case_of(id="b" * 300), case_of(id="题\ud800"), case_of(id="a", prompt_sha256="1"))
    ids = [custom_id(case, arm, index) for case in cases for arm in Arm for index in range(3)]

    assert len(set(ids)) == len(ids)
    assert all(len(one) == 64 and one.isalnum() and one.isascii() for one in ids)


def test_waiting_for_a_rate_limit_is_no_part_of_a_run_s_time(
    skill_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first request of all is refused for 0.6 s; whoever comes then waits, and is answered at once after that."""
    refusals = iter([fault(429, headers={"retry-after-ms": "600"})])
    with ApiServer(lambda _: next(refusals, None) or text("No.")) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        refused, waiting = asyncio.run(_two_runs(MessagesAgent(MessagesApi("m"), Setup(skill=skill_at(skill_folder)))))

    assert refused.duration_s is not None
    assert waiting.duration_s is not None
    assert refused.duration_s > 0.55
    assert waiting.duration_s < 0.4


async def _two_runs(agent: MessagesAgent) -> tuple[Run, Run]:
    async with agent:
        first = asyncio.create_task(agent.run(case_of(), Arm.WITH, 0))
        await asyncio.sleep(0.2)
        return await asyncio.gather(first, asyncio.create_task(agent.run(case_of(), Arm.WITH, 1)))

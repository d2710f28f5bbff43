import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from typing import Protocol, TypeVar

import pytest

from skill_evaluator.agents.messages.api import MessagesApi
from skill_evaluator.agents.messages.completer import ModelCompleter
from skill_evaluator.agents.messages.prices import ModelPrices, Prices, Rates
from skill_evaluator.agents.messages.request import ApiReply, ApiRequest, ToolUse
from skill_evaluator.errors import InputError
from skill_evaluator.model import Completion, Connected, Failure, FailureKind, Image, PlainQuestion, Question, Usage
from tests.api_answers import message_events
from tests.api_server import (
    Answer,
    ApiServer,
    call,
    cut,
    delayed,
    error_event,
    fault,
    malformed,
    many,
    slow,
    text,
    wrong,
)

REQUEST = ApiRequest(system=(), messages=({"role": "user", "content": "hello"},), max_tokens=100)
STREAMED = replace(REQUEST, stream=True)
AFTER_A_TOOL = replace(
    REQUEST, messages=({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]},)
)
PRICES = Prices(
    as_of="2026-11-30",
    source="made up",
    models={"m": ModelPrices(rates=Rates(input=1, output=10, cache_write=2, cache_read=0.5))},
)

_T = TypeVar("_T")


class Ask(Protocol):
    def __call__(self, server: ApiServer, request: ApiRequest = REQUEST) -> ApiReply | Failure: ...


@pytest.fixture(autouse=True)
def _no_credentials(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name in (
        *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_PROFILE"),
        *("ANTHROPIC_CUSTOM_HEADERS", "ANTHROPIC_IDENTITY_TOKEN", "ANTHROPIC_IDENTITY_TOKEN_FILE"),
        "ANTHROPIC_CONFIG_DIR",
    ):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path_factory.mktemp("no-profiles")))


@pytest.fixture
def lead(monkeypatch: pytest.MonkeyPatch) -> Callable[[ApiServer], None]:
    """Point the environment at a server."""

    def lead_to(server: ApiServer) -> None:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)

    return lead_to


@pytest.fixture
def ask(lead: Callable[[ApiServer], None]) -> Ask:
    def ask_once(server: ApiServer, request: ApiRequest = REQUEST) -> ApiReply | Failure:
        lead(server)

        async def asked() -> ApiReply | Failure:
            async with MessagesApi("m", prices=PRICES, max_retries=1, timeout_s=20) as api:
                return await api.ask(request)

        return asyncio.run(asked())

    return ask_once


def replied(answer: ApiReply | Failure) -> ApiReply:
    assert isinstance(answer, ApiReply), answer
    return answer


def failed(answer: object) -> Failure:
    assert isinstance(answer, Failure), answer
    assert "\n" not in answer.message
    assert "made-up" not in answer.message
    return answer


@pytest.mark.parametrize("request_", [REQUEST, STREAMED])
def test_answer_arrives_with_its_calls_and_its_cost(ask: Ask, request_: ApiRequest) -> None:
    usage = {
        "input_tokens": 1_000,
        "cache_creation_input_tokens": 200,
        "cache_read_input_tokens": 3_000,
        "output_tokens": 50,
    }
    script = many(text("I look."), text("Then I act."), call("Skill", {"skill": "level-maker"}, usage=usage))
    with ApiServer(lambda _: script) as server:
        answer = replied(ask(server, request_))

    assert answer.text == "I look.\nThen I act."
    assert [(use.name, use.input) for use in answer.tool_uses] == [("Skill", {"skill": "level-maker"})]
    assert answer.tool_uses[0] == ToolUse(id=str(script.content[2]["id"]), name="Skill", input={"skill": "level-maker"})
    assert list(answer.content) == list(script.content)
    assert answer.stop_reason == "tool_use"
    # 1,000 x $1 + 200 x $2 + 3,000 x $0.5 + 50 x $10, for a million tokens each
    assert answer.usage == Usage(input_tokens=4_200, output_tokens=50, cost_usd=0.0034, requests=1)


def test_only_what_was_given_is_sent(ask: Ask) -> None:
    full = ApiRequest(
        system=({"type": "text", "text": "be brief", "cache_control": {"type": "ephemeral"}},),
        messages=({"role": "user", "content": "hello"},),
        max_tokens=7,
        tools=({"name": "t", "description": "d", "input_schema": {"type": "object"}},),
        tool_choice={"type": "auto"},
    )
    with ApiServer(lambda _: text("x")) as server:
        ask(server, REQUEST)
        ask(server, full)

    assert server.requests[0] == {
        "model": "m",
        "max_tokens": 100,
        "messages": [{"role": "user", "content": "hello"}],
    }
    assert server.requests[1] == {
        **server.requests[0],
        "max_tokens": 7,
        "system": [{"type": "text", "text": "be brief", "cache_control": {"type": "ephemeral"}}],
        "tools": [{"name": "t", "description": "d", "input_schema": {"type": "object"}}],
        "tool_choice": {"type": "auto"},
    }


def test_thinking_comes_back_as_it_was(ask: Ask) -> None:
    thought: dict[str, object] = {"type": "thinking", "thinking": "", "signature": "c2lnbmVk"}
    script = many(replace(text(""), content=(thought,)), text("Done."))
    with ApiServer(lambda _: script) as server:
        answer = replied(ask(server))

    assert list(answer.content) == [thought, {"type": "text", "text": "Done."}]
    assert answer.text == "Done."


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"input_tokens": 4, "output_tokens": 2}, Usage(input_tokens=4, output_tokens=2, cost_usd=24e-6, requests=1)),
        (
            {"input_tokens": 4, "cache_read_input_tokens": None, "output_tokens": 2},
            Usage(input_tokens=4, output_tokens=2, cost_usd=24e-6, requests=1),
        ),
        ({"input_tokens": 4}, Usage(input_tokens=4, requests=1)),
        ({"output_tokens": 2}, Usage(output_tokens=2, requests=1)),
        ({"input_tokens": 4, "cache_read_input_tokens": -1}, Usage(requests=1)),
        ({"input_tokens": "4", "output_tokens": True}, Usage(requests=1)),
        ({}, Usage(requests=1)),
    ],
)
def test_counts_that_are_missing_are_unknown_and_never_zero(
    ask: Ask, usage: dict[str, object], expected: Usage
) -> None:
    with ApiServer(lambda _: text("x", usage=usage)) as server:
        assert replied(ask(server)).usage == expected
    with ApiServer(lambda _: wrong(usage=None)) as server:
        assert replied(ask(server)).usage == Usage(requests=1)


@pytest.mark.parametrize("tail", ["/v1", "/v1/", "/v1/messages"])
def test_a_base_url_that_holds_what_is_added_to_it_is_told(ask: Ask, tail: str) -> None:
    with ApiServer(lambda _: fault(404)) as server:
        server.url += tail
        message = failed(ask(server)).message

    assert f"leave {tail.rstrip('/')} out of ANTHROPIC_BASE_URL" in message
    assert "such a model" not in message


def test_where_nobody_listens_the_address_is_told_with_what_to_check(ask: Ask) -> None:
    with ApiServer(lambda _: text("x")) as server:
        pass  # its port is free again
    message = failed(ask(server)).message

    assert message.startswith(f"nobody answers at {server.url}: check ANTHROPIC_BASE_URL, and that the server runs")


FAULTS = [
    (fault(400, message="bad sk-ant-made-up-for-a-test"), "api", "bad"),
    (fault(401), "auth", "HTTP 401"),
    (fault(403), "auth", "HTTP 403"),
    (fault(404), "api", "is there such a model 'm' at http://127.0.0.1:"),
    (fault(408, retry_after=0.01), "api", "HTTP 408"),
    (fault(409, retry_after=0.01), "api", "HTTP 409"),
    (fault(413), "api", "request_too_large"),
    (fault(422), "api", "HTTP 422"),
    (fault(429, retry_after=0.01), "rate_limit", "HTTP 429"),
    (fault(500, retry_after=0.01, message="two\nlines"), "api", "two\\nlines"),
    (fault(503, retry_after=0.01), "api", "HTTP 503"),
    (fault(529, retry_after=0.01), "api", "overloaded_error"),
    (replace(fault(400), body=b"<html>no JSON</html>"), "api", "<html>"),
    (replace(fault(400), body=b""), "api", "HTTP 400"),
    (replace(fault(400), body=b'{"detail": [1]}'), "api", "detail"),
    (cut(None), "api", "connection"),
    (malformed(), "api", "cannot be read"),
    (malformed(b"", b""), "api", "cannot be read"),
    (malformed(b"[]", b'event: message_start\ndata: {"type": "message_start"}\n\n'), "api", "cannot be read"),
    (malformed(b'"text"', b"event: message_stop\ndata: []\n\n"), "api", "cannot be read"),
    (malformed(b"\xff\xfe\xfd", b"event: message_start\ndata: \xff\n\n"), "api", "cannot be read"),
    (malformed(b"[" * 100_000, b"event: message_start\ndata: " + b"[" * 100_000 + b"\n\n"), "api", "cannot be read"),
    (malformed(b'{"type": "error", "error": {"type": "api_error"}}', b"data: {}\n\n"), "api", "cannot be read"),
    (wrong(content="no list"), "api", "cannot be read"),
    (wrong(content=None), "api", "cannot be read"),
    (wrong(content=[]), "api", "cannot be read"),
    (wrong(stop_reason=None), "api", "stop_reason"),
    (wrong(stop_reason=7), "api", "stop_reason"),
    (text("", usage={}), "api", "empty"),
    (text(" ", stop_reason="max_tokens"), "api", "empty"),
    (text("x", stop_reason="tool_use"), "api", "no tool is called"),
    (call("", {}), "api", "tool call"),
    (call("Skill", "level-maker"), "api", "tool call"),
    (call("Skill", None), "api", "tool call"),
]


@pytest.mark.parametrize(("answer", "kind", "words"), FAULTS)
@pytest.mark.parametrize("request_", [REQUEST, STREAMED])
def test_every_fault_of_the_server_is_a_failure_of_its_kind(
    ask: Ask, answer: Answer, kind: str, words: str, request_: ApiRequest
) -> None:
    with ApiServer(lambda _: answer) as server:
        failure = failed(ask(server, request_))

    assert failure.kind == kind
    assert words in failure.message or request_.stream


@pytest.mark.parametrize("block", ["no block", {"text": "no type"}, {"type": "text"}, {"type": "tool_use", "id": "x"}])
def test_block_that_is_none_is_a_failure(ask: Ask, block: object) -> None:
    with ApiServer(lambda _: wrong(content=[block])) as server:
        assert failed(ask(server)).kind == "api"


@pytest.mark.parametrize("after", [0, 30, 200])
def test_cut_body_is_a_failure(ask: Ask, after: int) -> None:
    with ApiServer(lambda _: cut(after)) as server:
        assert "connection" in failed(ask(server)).message
    with ApiServer(lambda _: cut(after, tidy=True)) as server:
        assert failed(ask(server)).kind == "api"


@pytest.mark.parametrize("tidy", [True, False])
def test_stream_cut_anywhere_before_its_end_is_a_failure(ask: Ask, tidy: bool) -> None:
    """Only the last event, `message_stop`, makes an answer whole."""
    whole = len(b"".join(message_events(text("One. Two."), {"model": "m"})))
    places = [*range(0, whole - 10, 97), whole - 10]
    cuts = iter(places)
    with ApiServer(lambda _: cut(next(cuts), text("One. Two."), tidy=tidy)) as server:
        assert [failed(ask(server, STREAMED)).kind for _ in places] == [FailureKind.API] * len(places)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("overloaded_error", "api"),
        ("rate_limit_error", "rate_limit"),
        ("api_error", "api"),
        ("authentication_error", "auth"),
        ("", "api"),
    ],
)
def test_error_inside_a_stream_is_a_failure(ask: Ask, kind: str, expected: str) -> None:
    with ApiServer(lambda _: error_event(kind, "too much")) as server:
        failure = failed(ask(server, STREAMED))

    assert failure.kind == expected
    assert "too much" in failure.message
    assert len(server.requests) == 1


def test_refusal_and_silence_after_a_tool_are_answers(ask: Ask) -> None:
    with ApiServer(lambda _: replace(text(""), content=(), stop_reason="refusal")) as server:
        assert replied(ask(server)).stop_reason == "refusal"
    with ApiServer(lambda _: replace(text(""), content=())) as server:
        assert replied(ask(server, AFTER_A_TOOL)).text == ""


def test_missing_rights_are_not_asked_for_twice(ask: Ask) -> None:
    with ApiServer(lambda _: fault(401, message="invalid x-api-key")) as server:
        assert "invalid x-api-key" in failed(ask(server)).message

    assert len(server.requests) == 1


def run(call: Callable[[MessagesApi], Awaitable[_T]], *, timeout_s: float = 20, max_retries: int = 5) -> _T:
    async def ran() -> _T:
        async with MessagesApi("m", prices=PRICES, timeout_s=timeout_s, max_retries=max_retries) as api:
            return await call(api)

    return asyncio.run(ran())


@pytest.mark.parametrize("request_", [REQUEST, STREAMED])
def test_broken_server_is_asked_again_until_it_answers(lead: Callable[[ApiServer], None], request_: ApiRequest) -> None:
    answers = iter([fault(500, retry_after=0.01), cut(None), fault(529, retry_after=0.01), text("at last")])
    with ApiServer(lambda _: next(answers)) as server:
        lead(server)
        answer = run(lambda api: api.ask(request_))

    assert isinstance(answer, ApiReply)
    assert answer.text == "at last"
    assert len(server.requests) == 4


@pytest.mark.parametrize("request_", [REQUEST, STREAMED])
def test_timeout_is_tried_once_more_and_no_oftener(lead: Callable[[ApiServer], None], request_: ApiRequest) -> None:
    with ApiServer(lambda _: delayed(text("late"), 5)) as server:
        lead(server)
        failure = failed(run(lambda api: api.ask(request_), timeout_s=0.2))

    assert failure.kind == FailureKind.TIMEOUT
    assert "0.2 s" in failure.message
    assert len(server.requests) == 2


def test_stream_that_drips_too_long_is_a_timeout(lead: Callable[[ApiServer], None]) -> None:
    """Each byte is in time; the whole is not."""
    with ApiServer(lambda _: slow(text("drip"), 0.1)) as server:
        lead(server)
        assert failed(run(lambda api: api.ask(STREAMED), timeout_s=0.4)).kind == FailureKind.TIMEOUT
        assert len(server.requests) == 2
        assert isinstance(run(lambda api: api.ask(STREAMED), timeout_s=20), ApiReply)


def test_one_timeout_does_no_harm(lead: Callable[[ApiServer], None]) -> None:
    answers = iter([delayed(text("late"), 5), text("in time"), slow(text("late"), 0.5), text("in time")])
    with ApiServer(lambda _: next(answers)) as server:
        lead(server)
        assert isinstance(run(lambda api: api.ask(REQUEST), timeout_s=1.5), ApiReply)
        assert isinstance(run(lambda api: api.ask(STREAMED), timeout_s=1.5), ApiReply)


def test_server_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://somebody:secret@127.0.0.1:9/path/?query=1")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "made-up")
    failure = failed(run(lambda api: api.ask(REQUEST), max_retries=0))

    assert failure.kind == FailureKind.API
    assert "http://127.0.0.1:9/path:" in failure.message
    assert "secret" not in failure.message


def test_profile_that_cannot_be_read_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_PROFILE", "no-such-profile")
    failure = failed(run(lambda api: api.ask(REQUEST)))

    assert failure.kind == FailureKind.AUTH
    assert "no-such-profile" in failure.message


def test_missing_credentials_are_a_failure() -> None:
    failure = failed(run(lambda api: api.ask(REQUEST)))

    assert failure.kind == FailureKind.AUTH
    assert "set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN" in failure.message


@pytest.mark.parametrize("url", ["localhost:8080", "ftp://host", "http://", "http://[::1", "http://host:99999999", "x"])
def test_base_url_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", url)

    with pytest.raises(InputError, match="ANTHROPIC_BASE_URL is no HTTP address"):
        MessagesApi("m")


def test_base_url_is_told_without_user_and_query(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MessagesApi("m").base_url == "https://api.anthropic.com"
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "")
    assert MessagesApi("m").base_url == "https://api.anthropic.com"
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://user:word@gateway.example:8443/llm/?key=1")
    assert MessagesApi("m").base_url == "https://gateway.example:8443/llm"


def test_connection_can_be_opened_again_in_another_loop(lead: Callable[[ApiServer], None]) -> None:
    async def asked(api: MessagesApi) -> object:
        async with api:
            return await api.ask(REQUEST)

    with ApiServer(lambda _: text("x")) as server:
        lead(server)
        api = MessagesApi("claude-opus-4-5")  # the SDK warns of this model's end
        assert isinstance(api, Connected)
        assert all(isinstance(asyncio.run(asked(api)), ApiReply) for _ in range(3))
        with pytest.raises(RuntimeError, match="not open"):
            asyncio.run(api.ask(REQUEST))


def test_many_calls_share_the_connection(lead: Callable[[ApiServer], None]) -> None:
    async def hundredfold(api: MessagesApi) -> list[ApiReply | Failure]:
        return await asyncio.gather(*(api.ask(REQUEST) for _ in range(100)))

    with ApiServer(lambda _: delayed(text("x"), 1.5)) as server:
        lead(server)
        answers = run(hundredfold)

    assert all(isinstance(answer, ApiReply) for answer in answers)
    assert server.most_at_once >= 64  # all of them, on a machine with time to spare


def test_batch_is_matched_by_custom_id(lead: Callable[[ApiServer], None]) -> None:
    def script(body: dict[str, object]) -> Answer:
        messages = body["messages"]
        assert isinstance(messages, list)
        return text(messages[0]["content"], usage={"input_tokens": 1_000_000, "output_tokens": 0})

    asked = {name: replace(REQUEST, messages=({"role": "user", "content": f"say {name}"},)) for name in "abcde"}

    async def through(api: MessagesApi) -> tuple[list[bool | Failure], Mapping[str, ApiReply | Failure]]:
        batch_id = await api.submit(asked)
        assert isinstance(batch_id, str)
        ended = [await api.batch_ended(batch_id) for _ in range(3)]
        results = await api.batch_results(batch_id)
        assert not isinstance(results, Failure)
        return ended, results

    with ApiServer(script) as server:
        server.batch_delay = 2
        server.batch_fate.update({"b": "expired", "c": "errored", "d": "canceled"})
        lead(server)
        ended, results = run(through)

    assert ended == [False, False, True]
    assert list(results) == ["e", "d", "c", "b", "a"]
    assert replied(results["a"]).text == "say a"
    assert replied(results["a"]).usage.cost_usd == 0.5  # half of a dollar for a million tokens
    assert {key: failed(results[key]).kind for key in "bcd"} == dict.fromkeys("bcd", FailureKind.API)
    assert "expired" in failed(results["b"]).message
    assert "scripted fault" in failed(results["c"]).message
    assert "cancelled" in failed(results["d"]).message


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_server_without_batches_is_told_from_one_without_the_model(
    lead: Callable[[ApiServer], None], status: int
) -> None:
    async def submitted() -> object:
        async with MessagesApi("m", prices=PRICES, max_retries=0) as api:
            return await api.submit({"a": REQUEST})

    with ApiServer(lambda _: text("x")) as server:
        server.batches.faults.create.append(fault(status))
        lead(server)
        message = failed(asyncio.run(submitted())).message

    assert "seems to have no message batches: leave --batch out" in message
    assert "such a model" not in message


def test_faults_of_the_batch_server_are_failures(lead: Callable[[ApiServer], None]) -> None:
    async def through(api: MessagesApi) -> list[object]:
        batch_id = await api.submit({"a": REQUEST})
        assert isinstance(batch_id, str)
        return [
            await api.submit({"a": REQUEST}),
            await api.submit({"a": REQUEST}),
            await api.batch_ended(batch_id),
            await api.batch_ended("../../x?y"),
            await api.batch_results(batch_id),
        ]

    async def results(api: MessagesApi) -> list[object]:
        batch_id = await api.submit({"a": REQUEST})
        assert isinstance(batch_id, str)
        return [
            await api.batch_results(batch_id),
            await api.batch_results(batch_id),
            await api.batch_results("unknown"),
        ]

    with ApiServer(lambda _: text("x")) as server:
        server.batches.faults.create.extend([Answer(body=b'{"id": "msgbatch_0001"}'), fault(413), malformed(b"{}")])
        server.batches.faults.retrieve.append(malformed(b'{"id": "b"}'))
        lead(server)
        answers = run(through, max_retries=0)
        server.batches.faults.results.extend([malformed(b'{"custom_id": "a"}\n'), cut(5, Answer(body=b"x" * 50))])
        results_ = run(results, max_retries=0)

    assert [failed(answer).kind for answer in [*answers, *results_]] == [FailureKind.API] * 8
    assert "GET /v1/messages/batches/..%2F..%2Fx%3Fy" in server.calls


QUESTION = Question(
    system="You judge.",
    text="How good is it?",
    tool="give_score",
    tool_description="Takes the score.",
    schema={"type": "object", "properties": {"score": {"type": "integer"}}},
    max_tokens=50,
)


@pytest.fixture
def complete(lead: Callable[[ApiServer], None]) -> Callable[[ApiServer], Completion]:
    def complete_once(server: ApiServer) -> Completion:
        lead(server)

        async def completed() -> Completion:
            async with ModelCompleter(MessagesApi("m", prices=PRICES)) as completer:
                assert completer.model == "m"
                return await completer.complete(QUESTION)

        return asyncio.run(completed())

    return complete_once


def test_question_is_answered_by_a_forced_call(complete: Callable[[ApiServer], Completion]) -> None:
    with ApiServer(lambda _: call("give_score", {"score": 4}, "Well.")) as server:
        completion = complete(server)

    assert completion.answer == {"score": 4}
    assert completion.failure is None
    assert completion.usage == Usage(input_tokens=10, output_tokens=5, cost_usd=60e-6, requests=1)
    assert server.requests == [
        {
            "model": "m",
            "max_tokens": 50,
            "system": [{"type": "text", "text": "You judge."}],
            "messages": [{"role": "user", "content": [{"type": "text", "text": "How good is it?"}]}],
            "tools": [{"name": "give_score", "description": "Takes the score.", "input_schema": dict(QUESTION.schema)}],
            "tool_choice": {"type": "tool", "name": "give_score"},
        }
    ]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (text("I would give it\na four."), "prose instead of calling 'give_score'; it said: 'I would give it"),
        (many(call("give_score", {"score": 4}), call("give_score", {"score": 5})), "'give_score', 'give_score'"),
        (call("other", {"score": 4}), "called 'other'"),
        (call("give_score", {"score": 4}, stop_reason="max_tokens"), "max_tokens"),
        (text("No.", stop_reason="refusal"), "refused"),
        (fault(401), "HTTP 401"),
        (fault(400, message="max_tokens: too large"), "max_tokens: too large"),
    ],
)
def test_anything_but_the_one_call_is_a_failure(
    complete: Callable[[ApiServer], Completion], answer: Answer, words: str
) -> None:
    with ApiServer(lambda _: answer) as server:
        completion = complete(server)

    assert completion.answer is None
    assert completion.failure is not None
    assert words in completion.failure.message
    assert "\n" not in completion.failure.message
    assert (completion.usage is None) == (answer.status != 200)
    assert len(server.requests) == 1


def test_model_that_cannot_be_forced_is_told_to_call(lead: Callable[[ApiServer], None]) -> None:
    """Newer models refuse a forced call; the refusal is met once and not again."""

    def script(body: dict[str, object]) -> Answer:
        if body["tool_choice"] != {"type": "auto"}:
            return fault(400, message='tool_choice: type "tool" and "any" are not supported for this model.')
        assert "`give_score`" in json.dumps(body["system"])
        return call("give_score", {"score": 2})

    async def twice() -> list[Completion]:
        async with ModelCompleter(MessagesApi("m")) as completer:
            return [await completer.complete(QUESTION) for _ in range(2)]

    with ApiServer(script) as server:
        lead(server)
        completions = asyncio.run(twice())

    assert [completion.answer for completion in completions] == [{"score": 2}, {"score": 2}]
    assert len(server.requests) == 3


PLAIN = PlainQuestion(system="You vote.", text="Is it good?", max_tokens=50)


@pytest.fixture
def vote(lead: Callable[[ApiServer], None]) -> Callable[[ApiServer, PlainQuestion], Completion]:
    def vote_once(server: ApiServer, question: PlainQuestion = PLAIN) -> Completion:
        lead(server)

        async def completed() -> Completion:
            async with ModelCompleter(MessagesApi("m", prices=PRICES, max_retries=1)) as completer:
                return await completer.complete(question)

        return asyncio.run(completed())

    return vote_once


def test_plain_question_is_answered_in_words(vote: Callable[..., Completion]) -> None:
    with ApiServer(lambda _: text("PASS, I think.")) as server:
        completion = vote(server)

    assert completion == Completion(
        text="PASS, I think.", usage=Usage(input_tokens=10, output_tokens=5, cost_usd=60e-6, requests=1)
    )
    assert server.requests == [
        {
            "model": "m",
            "max_tokens": 50,
            "system": [{"type": "text", "text": "You vote."}],
            "messages": [{"role": "user", "content": [{"type": "text", "text": "Is it good?"}]}],
        }
    ]


def test_picture_stands_before_the_words(vote: Callable[..., Completion]) -> None:
    with ApiServer(lambda _: text("FAIL")) as server:
        completion = vote(server, replace(PLAIN, image=Image(media_type="image/gif", base64="R0lGODlh")))

    assert completion.text == "FAIL"
    assert server.requests[0]["messages"] == [
        {
            "role": "user",
            "content": [
                {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": "R0lGODlh"}},
                {"type": "text", "text": "Is it good?"},
            ],
        }
    ]


@pytest.mark.parametrize("answer", [text(""), Answer(content=()), text("", stop_reason="max_tokens")])
def test_saying_nothing_is_an_answer_to_a_plain_question(vote: Callable[..., Completion], answer: Answer) -> None:
    with ApiServer(lambda _: answer) as server:
        completion = vote(server)

    assert (completion.text, completion.failure) == ("", None)


@pytest.mark.parametrize(
    ("answer", "kind", "calls"),
    [
        (fault(401), FailureKind.AUTH, 1),
        (fault(429, retry_after=0), FailureKind.RATE_LIMIT, 2),
        (text("No.", stop_reason="refusal"), FailureKind.API, 1),
    ],
)
def test_plain_question_that_is_not_answered_is_a_failure(
    vote: Callable[..., Completion], answer: Answer, kind: FailureKind, calls: int
) -> None:
    with ApiServer(lambda _: answer) as server:
        completion = vote(server)

    assert completion.text is None
    assert completion.failure is not None
    assert completion.failure.kind is kind
    assert len(server.requests) == calls


@pytest.fixture(autouse=True)
def _nothing_left_open(recwarn: pytest.WarningsRecorder) -> Iterator[None]:
    yield
    assert not list(recwarn)

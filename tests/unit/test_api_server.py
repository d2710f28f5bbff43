import asyncio
import json
from collections.abc import Callable

import anthropic
import httpx2
import pytest
from anthropic import AsyncAnthropic
from anthropic.types import Message, TextBlock, ToolUseBlock

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


def client(server: ApiServer) -> AsyncAnthropic:
    return AsyncAnthropic(base_url=server.url, api_key="made-up", max_retries=0)


async def asked(server: ApiServer, words: str = "hello") -> Message:
    async with client(server) as sdk:
        return await sdk.messages.create(
            model="some-model", max_tokens=100, messages=[{"role": "user", "content": words}]
        )


async def streamed(server: ApiServer) -> Message:
    async with (
        client(server) as sdk,
        sdk.messages.stream(
            model="some-model", max_tokens=100, messages=[{"role": "user", "content": "hello"}]
        ) as stream,
    ):
        return await stream.get_final_message()


def test_words_arrive() -> None:
    with ApiServer(lambda _: text("Good day.", usage={"input_tokens": 7, "output_tokens": 3})) as server:
        answer = asyncio.run(asked(server))

    assert [block.text for block in answer.content if isinstance(block, TextBlock)] == ["Good day."]
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (7, 3)
    assert server.requests[0]["messages"] == [{"role": "user", "content": "hello"}]
    assert server.calls == ["POST /v1/messages"]
    assert b"made-up" in server.raw[0]


def test_streamed_answer_is_the_same_message() -> None:
    script = many(text("First."), call("Skill", {"skill": "level-maker", "args": "5 层"}), call("Read", {"path": "a"}))
    with ApiServer(lambda _: script) as server:
        plain, piecewise = asyncio.run(asked(server)), asyncio.run(streamed(server))

    assert [block.to_dict() for block in piecewise.content] == [block.to_dict() for block in plain.content]
    assert isinstance(piecewise.content[1], ToolUseBlock)
    assert piecewise.content[1].input == {"skill": "level-maker", "args": "5 层"}
    assert piecewise.stop_reason == plain.stop_reason == "tool_use"
    assert piecewise.usage.output_tokens == plain.usage.output_tokens == 5


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 429, 500, 529])
def test_faults_arrive_with_their_status(status: int) -> None:
    with (
        ApiServer(lambda _: fault(status, message="no such luck", retry_after=0.5)) as server,
        pytest.raises(anthropic.APIStatusError, match="no such luck") as caught,
    ):
        asyncio.run(asked(server))

    assert caught.value.status_code == status
    assert caught.value.response.headers["retry-after"] == "0.5"


@pytest.mark.parametrize("ask", [asked, streamed])
@pytest.mark.parametrize("answer", [cut(None), cut(0), cut(50), cut(300)])
def test_cut_connections_break_the_call(answer: Answer, ask: Callable[..., object]) -> None:
    with (
        ApiServer(lambda _: answer) as server,
        pytest.raises((anthropic.APIConnectionError, httpx2.RemoteProtocolError, httpx2.ReadError)),
    ):
        asyncio.run(ask(server))  # type: ignore[arg-type]


def test_stream_may_end_early_and_tidily() -> None:
    with ApiServer(lambda _: cut(600, tidy=True)) as server:
        answer = asyncio.run(streamed(server))

    assert answer.stop_reason is None


def test_malformed_bodies_and_events_arrive_as_they_are() -> None:
    with ApiServer(lambda _: malformed()) as server:
        with pytest.raises(json.JSONDecodeError):
            asyncio.run(asked(server))
        with pytest.raises(json.JSONDecodeError):
            asyncio.run(streamed(server))


def test_error_event_breaks_a_stream() -> None:
    with (
        ApiServer(lambda _: error_event("overloaded_error", "too much")) as server,
        pytest.raises(anthropic.APIStatusError, match="too much"),
    ):
        asyncio.run(streamed(server))


def test_field_of_another_type_arrives() -> None:
    with ApiServer(lambda _: wrong(content="no list", usage=None)) as server:
        answer = asyncio.run(asked(server))

    assert dict(answer)["content"] == "no list"
    assert "usage" not in answer.model_fields_set


def test_delays_and_pauses_are_kept() -> None:
    async def times(server: ApiServer) -> tuple[float, float]:
        loop = asyncio.get_running_loop()
        began = loop.time()
        await asked(server)
        middle = loop.time()
        await streamed(server)
        return middle - began, loop.time() - middle

    with ApiServer(lambda body: slow(text("a"), 0.05) if body.get("stream") else delayed(text("a"), 0.2)) as server:
        plain, piecewise = asyncio.run(times(server))

    assert plain >= 0.2
    assert piecewise >= 0.3  # seven events


def test_requests_at_once_are_counted() -> None:
    async def both(server: ApiServer) -> None:
        await asyncio.gather(*(asked(server) for _ in range(5)))

    with ApiServer(lambda _: delayed(text("a"), 1.5)) as server:
        asyncio.run(both(server))

    assert server.most_at_once == 5
    assert sorted(server.at_once) == [1, 2, 3, 4, 5]


def test_fault_of_the_script_fails_the_test() -> None:
    def script(_: dict[str, object]) -> Answer:
        raise KeyError("what the script forgot")

    with (
        pytest.raises(KeyError, match="what the script forgot"),
        ApiServer(script) as server,
        pytest.raises(anthropic.InternalServerError),
    ):
        asyncio.run(asked(server))


def entry(custom_id: str, words: str) -> dict[str, object]:
    params = {"model": "some-model", "max_tokens": 100, "messages": [{"role": "user", "content": words}]}
    return {"custom_id": custom_id, "params": params}


def echo(body: dict[str, object]) -> Answer:
    messages = body["messages"]
    assert isinstance(messages, list)
    return text(messages[0]["content"])


async def batch(server: ApiServer, *custom_ids: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Send a batch, poll it to its end; its states, and the kinds of its results in their order."""
    async with client(server) as sdk:
        entries = [entry(custom_id, f"say {custom_id}") for custom_id in custom_ids]
        made = await sdk.messages.batches.create(requests=entries)  # type: ignore[arg-type]
        states = [made.processing_status]
        while states[-1] != "ended":
            states.append((await sdk.messages.batches.retrieve(made.id)).processing_status)
        results = await sdk.messages.batches.results(made.id)
        return list(states), [(line.custom_id, line.result.type) async for line in results]


def test_batch_is_polled_to_its_end_and_answers_in_reversed_order() -> None:
    with ApiServer(echo) as server:
        server.batch_delay = 2
        server.batch_fate.update({"b": "expired", "c": "errored", "d": "canceled"})
        states, kinds = asyncio.run(batch(server, "a", "b", "c", "d"))

    assert states == ["in_progress", "in_progress", "in_progress", "ended"]
    assert kinds == [("d", "canceled"), ("c", "errored"), ("b", "expired"), ("a", "succeeded")]
    assert [body["messages"] for body in server.requests] == [[{"role": "user", "content": "say a"}]]


def test_batch_can_be_cancelled_and_is_unknown_under_another_id() -> None:
    async def cancel(server: ApiServer) -> list[str]:
        async with client(server) as sdk:
            made = await sdk.messages.batches.create(requests=[entry("a", "x")])  # type: ignore[list-item]
            cancelled = await sdk.messages.batches.cancel(made.id)
            with pytest.raises(anthropic.NotFoundError):
                await sdk.messages.batches.retrieve("msgbatch_other")
            server.batch_delay = 0
            await sdk.messages.batches.retrieve(made.id)
            results = await sdk.messages.batches.results(made.id)
            return [cancelled.processing_status, *[line.result.type async for line in results]]

    with ApiServer(echo) as server:
        server.batch_delay = 5
        assert asyncio.run(cancel(server)) == ["canceling", "canceled"]


def test_batch_requests_can_be_answered_by_faults() -> None:
    async def create(server: ApiServer) -> str:
        async with client(server) as sdk:
            made = await sdk.messages.batches.create(requests=[entry("a", "x")])  # type: ignore[list-item]
            return made.id

    with ApiServer(echo) as server:
        server.batches.faults.create.append(fault(529))
        with pytest.raises(anthropic.APIStatusError):
            asyncio.run(create(server))
        assert asyncio.run(create(server)) == "msgbatch_0001"

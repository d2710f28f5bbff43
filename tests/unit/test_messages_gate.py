import asyncio
from collections.abc import Awaitable, Callable, Coroutine

import pytest

from skill_evaluator.agents.messages.api import MessagesApi
from skill_evaluator.agents.messages.gate import UNTOLD_S, Gate, retry_after_s
from skill_evaluator.agents.messages.request import ApiReply, ApiRequest
from skill_evaluator.model import Failure
from tests.api_server import Answer, ApiServer, delayed, fault, text

REQUEST = ApiRequest(system=(), messages=({"role": "user", "content": "hello"},), max_tokens=100)


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def in_a_loop(test: Callable[[], Coroutine[None, None, None]]) -> Callable[[], None]:
    def runs() -> None:
        asyncio.run(asyncio.wait_for(test(), 20))

    runs.__name__ = test.__name__
    return runs


async def soon(work: Awaitable[object]) -> bool:
    """Whether something is done without any wait."""
    task = asyncio.ensure_future(work)
    for _ in range(5):
        await asyncio.sleep(0)
    if not task.done():
        task.cancel()
        return False
    return True


@in_a_loop
async def test_gate_is_open_before_any_refusal() -> None:
    gate = Gate()

    assert all([await soon(gate.enter()) for _ in range(1_000)])
    assert gate.at_once == 1_000
    assert gate.limit is None


@in_a_loop
async def test_refusals_of_one_round_halve_once() -> None:
    gate = Gate(Clock())
    tickets = [await gate.enter() for _ in range(32)]
    for ticket in tickets:
        gate.refused(ticket, 0)

    assert gate.limit == 16
    assert gate.at_once == 0


@in_a_loop
async def test_each_round_of_refusals_halves_again_down_to_one() -> None:
    gate = Gate(Clock())
    limits: list[float] = []
    tickets = [await gate.enter() for _ in range(32)]
    while len(limits) < 7:
        for ticket in tickets:
            gate.refused(ticket, 0)
        assert gate.limit is not None
        limits.append(gate.limit)
        tickets = [await gate.enter() for _ in range(int(gate.limit))]

    assert limits == [16, 8, 4, 2, 1, 1, 1]


@in_a_loop
async def test_answers_make_room_for_one_more_in_each_round() -> None:
    gate = Gate(Clock())
    for ticket in [await gate.enter() for _ in range(8)]:
        gate.refused(ticket, 0)
    for _ in range(4):
        await gate.enter()
    assert not gate.may_start()
    for _ in range(4):
        gate.leave(answered=True)

    assert gate.limit is not None
    # 4 + 1/4 + 1/4.25 + 1/4.485 + 1/4.708
    assert gate.limit == pytest.approx(4.921, abs=0.001)
    gate.at_once = 4
    gate.leave(answered=True)
    assert int(gate.limit) == 5


@in_a_loop
async def test_closed_gate_opens_when_the_time_of_the_server_has_passed() -> None:
    """A server may ask for more than a minute."""
    clock = Clock()
    gate = Gate(clock)
    first, second = [await gate.enter() for _ in range(2)]
    gate.refused(first, 95.0)
    gate.refused(second, 20.0)

    assert gate.closed_s() == 95.0
    clock.now += 94.9
    assert not gate.may_start()
    assert not await soon(gate.enter())
    clock.now += 0.2
    assert gate.may_start()
    assert await soon(gate.enter())


@in_a_loop
async def test_gate_closes_for_a_moment_when_the_server_does_not_say_how_long() -> None:
    gate = Gate(Clock())
    gate.refused(await gate.enter(), None)

    assert gate.closed_s() == UNTOLD_S


@in_a_loop
async def test_waiting_requests_start_in_the_order_they_came() -> None:
    gate = Gate()
    order: list[int] = []

    async def enters(number: int) -> None:
        await gate.enter()
        order.append(number)
        await asyncio.sleep(0)
        gate.leave(answered=True)

    gate.refused(await gate.enter(), 0.05)
    await asyncio.gather(*(enters(number) for number in range(20)))

    assert order == list(range(20))
    assert gate.at_once == 0


@in_a_loop
async def test_newcomer_does_not_overtake_one_who_waits() -> None:
    clock = Clock()
    gate = Gate(clock)
    gate.refused(await gate.enter(), 60)
    first = asyncio.ensure_future(gate.enter())
    await asyncio.sleep(0)
    clock.now += 61
    second = asyncio.ensure_future(gate.enter())
    await asyncio.sleep(0)
    await asyncio.sleep(0)

    assert (first.done(), second.done()) == (True, False)
    gate.leave()
    await second


@in_a_loop
async def test_cancelled_wait_leaves_no_trace() -> None:
    gate = Gate()
    gate.refused(await gate.enter(), 0.05)
    waits = [asyncio.ensure_future(gate.enter()) for _ in range(3)]
    await asyncio.sleep(0)
    waits[0].cancel()
    await waits[1]
    waits[2].cancel()
    await asyncio.gather(*waits, return_exceptions=True)
    gate.leave()

    assert gate.at_once == 0
    assert await soon(gate.enter())


@in_a_loop
async def test_place_given_at_the_moment_of_a_cancellation_goes_to_the_next() -> None:
    gate = Gate()
    gate.refused(await gate.enter(), 0)
    await gate.enter()
    first, second = (asyncio.ensure_future(gate.enter()) for _ in range(2))
    await asyncio.sleep(0)
    gate.leave()
    first.cancel()
    await second
    gate.leave()

    assert first.cancelled()
    assert gate.at_once == 0


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, None),
        ({"retry-after": "90"}, 90.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}, 119.0),
        ({"retry-after": "Fri, 31 Dec 1999 23:00:00 GMT"}, 0.0),
    ],
)
def test_wait_is_read_from_the_headers(headers: dict[str, str], expected: float | None) -> None:
    # 1999-12-31 23:58:00 UTC
    assert retry_after_s(headers, now=lambda: 946_684_680.0) == expected


@pytest.fixture
def storm(monkeypatch: pytest.MonkeyPatch) -> Callable[[ApiServer, int], list[ApiReply | Failure]]:
    """Have 32 callers ask a server, so many times each."""

    def rages(server: ApiServer, times: int) -> list[ApiReply | Failure]:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)

        async def caller(api: MessagesApi) -> list[ApiReply | Failure]:
            return [await api.ask(REQUEST) for _ in range(times)]

        async def all_callers() -> list[ApiReply | Failure]:
            async with MessagesApi("m") as api:
                answers = await asyncio.gather(*(caller(api) for _ in range(32)))
            return [answer for several in answers for answer in several]

        return asyncio.run(all_callers())

    return rages


def test_storm_of_refusals_passes_without_a_failure(
    storm: Callable[[ApiServer, int], list[ApiReply | Failure]],
) -> None:
    """The SDK's own 2 retries would have failed most of these calls."""
    refusals = iter(range(120))

    def script(_: dict[str, object]) -> Answer:
        number = next(refusals, None)
        if number is None:
            return delayed(text("x"), 0.1)
        return delayed(fault(429, retry_after=0.03), 1.5 if number < 32 else 0.01)

    with ApiServer(script) as server:
        answers = storm(server, 5)

    assert [answer for answer in answers if isinstance(answer, Failure)] == []
    assert len(answers) == 160
    assert len(server.requests) == 280
    assert max(server.at_once[:32]) > 16
    assert max(server.at_once[32:48]) <= 16
    assert max(server.at_once[62:120]) <= 2
    assert max(server.at_once[-50:]) > 4


def test_server_that_takes_few_at_once_answers_everybody(
    storm: Callable[[ApiServer, int], list[ApiReply | Failure]],
) -> None:
    """It refuses whatever goes beyond 8 at a time, as a rate limit does."""
    server = ApiServer(lambda _: delayed(text("x"), 0.02) if server.at_once[-1] <= 8 else fault(529, retry_after=0.02))
    with server:
        answers = storm(server, 10)

    assert [answer for answer in answers if isinstance(answer, Failure)] == []
    assert len(answers) == 320
    assert len(server.requests) < 520

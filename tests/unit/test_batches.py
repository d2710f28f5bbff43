"""First requests sent as message batches: every run gets its answer or an error, and nothing is sent twice."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from skill_evaluator.agents.messages.batch import LONGEST_WAIT_S, MOST_FAILED_POLLS, Batches, Repetition
from skill_evaluator.agents.messages.batch_terms import MOST_BYTES, MOST_REQUESTS, BatchNews, BatchTerms, parts
from skill_evaluator.agents.messages.custom_ids import custom_id
from skill_evaluator.agents.messages.request import ApiReply, ApiRequest
from skill_evaluator.journal import KeptBatch
from skill_evaluator.model import Arm, Case, Failure, FailureKind, Usage
from tests.unit.test_runner import case

REPETITIONS: tuple[Repetition, ...] = tuple((case(number), Arm.WITH, 0) for number in range(3))
IDS = tuple(custom_id(*repetition) for repetition in REPETITIONS)
DOWN = Failure(kind=FailureKind.API, message="529")
EXPIRED = Failure(kind=FailureKind.API, message="expired")


def reply(text: str) -> ApiReply:
    return ApiReply(text=text, tool_uses=(), content=(), stop_reason="end_turn", usage=Usage(requests=1))


def first_request(asked: Case, _arm: Arm, _index: int) -> ApiRequest:
    return ApiRequest(system=(), messages=({"role": "user", "content": asked.prompt},), max_tokens=1)


class Server:
    """Answers each request with its prompt; polls and results fail as scripted."""

    def __init__(self, *, polls: Sequence[bool | Failure] = (), refusals: Sequence[Failure | None] = ()) -> None:
        self.sent: dict[str, Mapping[str, ApiRequest]] = {}
        self.fate: dict[str, ApiReply | Failure | None] = {}
        self.more: dict[str, ApiReply | Failure] = {}
        self.polled: list[str] = []
        self.refusals, self._polls = list(refusals), list(polls)
        self.result_failures: list[Failure] = []

    def take(self, batch_id: str, repetitions: Sequence[Repetition]) -> KeptBatch:
        """A batch that an earlier process sent."""
        self.sent[batch_id] = {custom_id(*repetition): first_request(*repetition) for repetition in repetitions}
        return KeptBatch(id=batch_id, custom_ids=tuple(self.sent[batch_id]))

    async def submit(self, requests: Mapping[str, ApiRequest]) -> str | Failure:
        await asyncio.sleep(0.001)
        refusal = self.refusals.pop(0) if self.refusals else None
        if refusal is not None:
            return refusal
        batch_id = f"new{len(self.sent)}"
        self.sent[batch_id] = requests
        return batch_id

    async def batch_ended(self, batch_id: str) -> bool | Failure:
        await asyncio.sleep(0)
        self.polled.append(batch_id)
        return self._polls.pop(0) if self._polls else True

    async def batch_results(self, batch_id: str) -> Mapping[str, ApiReply | Failure] | Failure:
        await asyncio.sleep(0)
        if self.result_failures:
            return self.result_failures.pop(0)
        prompts = {name: str(request.messages[0]["content"]) for name, request in self.sent[batch_id].items()}
        found = {name: self.fate.get(name, reply(f"{batch_id} {text}")) for name, text in reversed(prompts.items())}
        return {name: one for name, one in found.items() if one is not None} | self.more


class Desk:
    """What is told and kept, and how long was waited."""

    def __init__(self, server: Server, *, earlier: Sequence[KeptBatch] = (), failed: Sequence[str] = ()) -> None:
        self.kept: list[KeptBatch] = []
        self.news: list[BatchNews] = []
        self.waits: list[float] = []
        self.order: list[str] = []
        terms = BatchTerms(
            keep=self._keep, sleep=self._sleep, on_batch=self._hear, earlier=tuple(earlier), failed=tuple(failed)
        )
        self.batches = Batches(server, first_request, terms)

    def _keep(self, batch: KeptBatch) -> None:
        self.kept.append(batch)
        self.order.append("kept")

    def _hear(self, news: BatchNews) -> None:
        self.news.append(news)
        self.order.append(news.state)

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        await asyncio.sleep(0)

    def fetch(self, repetitions: Sequence[Repetition] = REPETITIONS) -> list[str]:
        """Texts of the answers, or messages of the failures, in the order of the repetitions."""
        asyncio.run(self.batches.fetch(repetitions))
        answers = [self.batches.taken(custom_id(*repetition)) for repetition in repetitions]
        return [one.message if isinstance(one, Failure) else one.text if one else "none" for one in answers]


def test_answers_are_matched_by_custom_id_and_given_once() -> None:
    server = Server(polls=[False, False])
    desk = Desk(server)

    assert desk.fetch() == ["new0 prompt 0", "new0 prompt 1", "new0 prompt 2"]
    assert desk.batches.taken(IDS[0]) is None
    assert desk.kept == [KeptBatch(id="new0", custom_ids=IDS)]
    assert desk.order == ["kept", "submitted", "waiting", "waiting", "fetched"]
    assert desk.waits == [1.0, 2.0]


def test_waits_double_up_to_a_minute() -> None:
    desk = Desk(Server(polls=[False] * 9))
    desk.fetch()
    assert desk.waits == [1, 2, 4, 8, 16, 32, LONGEST_WAIT_S, LONGEST_WAIT_S, 60]


def test_failed_and_missing_entries_are_errors_of_their_run_and_unknown_ones_are_told() -> None:
    server = Server()
    server.fate = {IDS[0]: EXPIRED, IDS[1]: None}
    server.more = {"stranger": reply("x")}
    desk = Desk(server)

    assert desk.fetch() == [
        "batch new0: expired",
        "batch new0: there is no result for this request",
        "new0 prompt 2",
    ]
    assert len(server.sent) == 1
    assert desk.news[-1].unknown == 1
    assert desk.batches.taken("stranger") is None


def test_a_poll_that_fails_is_tried_again_and_results_too() -> None:
    server = Server(polls=[DOWN, False, DOWN])
    server.result_failures = [DOWN]
    desk = Desk(server)

    assert desk.fetch()[0] == "new0 prompt 0"
    assert [news.state for news in desk.news] == [
        "submitted", "poll_failed", "waiting", "poll_failed", "poll_failed", "fetched"
    ]  # fmt: skip


def test_only_failed_polls_in_a_row_count_against_a_batch() -> None:
    half = [DOWN] * (MOST_FAILED_POLLS - 1)
    assert Desk(Server(polls=[*half, False, *half])).fetch()[0] == "new0 prompt 0"


@pytest.mark.parametrize(
    ("failure", "polls"), [(DOWN, MOST_FAILED_POLLS), (Failure(kind=FailureKind.AUTH, message="401"), 1)]
)
def test_a_batch_that_cannot_be_fetched_at_all_is_given_up_in_the_end(failure: Failure, polls: int) -> None:
    server = Server(polls=[failure] * 100)
    desk = Desk(server)

    asyncio.run(desk.batches.fetch(REPETITIONS))

    assert len(server.polled) == polls
    lost = desk.batches.taken(IDS[0])
    assert isinstance(lost, Failure)
    assert lost.kind is failure.kind
    assert "new0" in lost.message
    assert "--resume" in lost.message
    assert desk.news[-1].state == "lost"


def test_a_batch_that_is_not_taken_fails_its_runs_with_the_servers_words() -> None:
    server = Server(refusals=[DOWN])
    desk = Desk(server)
    assert desk.fetch() == ["the batch was not taken: 529"] * 3
    assert [(news.state, news.failure) for news in desk.news] == [("refused", DOWN)]
    assert server.polled == []


def test_batches_of_earlier_processes_are_fetched_and_nothing_in_them_is_sent_again() -> None:
    server = Server(polls=[False])
    desk = Desk(server, earlier=[server.take("old", REPETITIONS[:2])])

    assert desk.fetch() == ["old prompt 0", "old prompt 1", "new1 prompt 2"]
    assert list(server.sent["new1"]) == [IDS[2]]
    assert server.polled == ["old", "new1", "old"]


def test_runs_that_are_kept_already_are_neither_sent_nor_fetched() -> None:
    server = Server()
    desk = Desk(server, earlier=[server.take("old", REPETITIONS)])

    assert desk.fetch(REPETITIONS[:1]) == ["old prompt 0"]
    assert desk.batches.taken(IDS[1]) is None

    idle = Desk(server, earlier=[KeptBatch(id="gone", custom_ids=IDS[1:])])
    assert idle.fetch(()) == []
    assert server.polled == ["old"]


def test_a_failed_entry_is_asked_anew_only_for_a_run_that_is_an_error_already() -> None:
    class Healing(Server):
        async def batch_results(self, batch_id: str) -> Mapping[str, ApiReply | Failure] | Failure:
            found = await super().batch_results(batch_id)
            self.fate = {}
            return found

    server = Healing()
    server.fate = {IDS[0]: EXPIRED, IDS[1]: EXPIRED}
    desk = Desk(server, earlier=[server.take("old", REPETITIONS)], failed=(IDS[0], IDS[2]))

    assert desk.fetch() == ["new1 prompt 0", "batch old: expired", "old prompt 2"]
    assert list(server.sent["new1"]) == [IDS[0]]


def test_of_two_batches_that_asked_the_same_the_later_one_counts() -> None:
    server = Server()
    earlier = [server.take("first", REPETITIONS), server.take("second", REPETITIONS[:1])]
    assert Desk(server, earlier=earlier).fetch() == ["second prompt 0", "first prompt 1", "first prompt 2"]


def test_a_batch_that_could_not_be_fetched_is_not_asked_anew() -> None:
    """Nobody knows what became of it."""
    server = Server(polls=[DOWN] * MOST_FAILED_POLLS)
    desk = Desk(server, earlier=[server.take("old", REPETITIONS)], failed=IDS)

    assert all("could not be fetched" in text for text in desk.fetch())
    assert list(server.sent) == ["old"]


def test_a_stop_in_the_moment_of_sending_keeps_the_id() -> None:
    server = Server()
    desk = Desk(server)

    async def stopped() -> None:
        task = asyncio.ensure_future(desk.batches.fetch(REPETITIONS))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(stopped())
    assert [batch.id for batch in desk.kept] == ["new0"]
    assert desk.order == ["kept", "submitted", "left"]
    assert server.polled == []


def test_requests_are_split_by_number_and_by_size() -> None:
    small = ApiRequest(system=(), messages=(), max_tokens=1)
    large = replace(small, messages=({"role": "user", "content": "图" * (MOST_BYTES // 13)},))  # six bytes escaped

    assert [len(part) for part in parts((str(n), small) for n in range(2 * MOST_REQUESTS + 1))] == [
        MOST_REQUESTS, MOST_REQUESTS, 1
    ]  # fmt: skip
    assert [list(part) for part in parts(iter([("a", large), ("b", large), ("c", large), ("d", small)]))] == [
        ["a", "b"], ["c", "d"]
    ]  # fmt: skip
    assert list(parts(iter(()))) == []


def test_after_a_refused_batch_no_other_is_sent() -> None:
    many = [(case(number), Arm.WITH, 0) for number in range(MOST_REQUESTS + 1)]
    server = Server(refusals=[DOWN])
    desk = Desk(server)

    texts = desk.fetch(many)

    assert set(texts) == {"the batch was not taken: 529"}
    assert server.sent == {}

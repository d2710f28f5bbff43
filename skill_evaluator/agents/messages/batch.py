"""First requests of many runs sent as message batches: half the price, and no answer before all of them are done.

A batch's id is kept before anybody waits for it, so that whoever goes on after a kill fetches it and sends nothing
twice. An entry without an answer is an error of its run.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from skill_evaluator.agents.messages.batch_terms import BatchNews, BatchServer, BatchState, BatchTerms, parts
from skill_evaluator.agents.messages.custom_ids import custom_id
from skill_evaluator.agents.messages.request import ApiReply, ApiRequest
from skill_evaluator.journal import KeptBatch
from skill_evaluator.model import Arm, Case, Failure, FailureKind
from skill_evaluator.texts import tr

LONGEST_WAIT_S = 60.0
LAST_CHANCE_S = 30.0  # for a server to say that it has taken a batch, once the program is to end
MOST_FAILED_POLLS = 30  # in a row; about half an hour at the longest wait

Repetition = tuple[Case, Arm, int]


class Batches:
    """Sends the first requests of runs, waits for the answers, and hands them out."""

    def __init__(
        self, server: BatchServer, first_request: Callable[[Case, Arm, int], ApiRequest], terms: BatchTerms
    ) -> None:
        """Take over what earlier processes submitted.

        Args:
            server: Where batches are sent; its connections must be open while `fetch` runs.
            first_request: Gives what a run starts with.
            terms: How batches are kept and waited for.
        """
        self._server, self._first_request, self._terms = server, first_request, terms
        self._answers: dict[str, ApiReply | Failure] = {}
        self._open: dict[str, KeptBatch] = {}
        self._lost: set[str] = set()
        self._missed: Counter[str] = Counter()
        self._waited_s = 0.0

    def taken(self, custom_id: str) -> ApiReply | Failure | None:
        """Give the answer to a first request, which is not given again; None where there is none."""
        return self._answers.pop(custom_id, None)

    async def fetch(self, repetitions: Sequence[Repetition]) -> None:
        """Get an answer or a failure for every first request: out of earlier batches, else by new ones.

        Args:
            repetitions: The runs that are still to be made.
        """
        asked = {custom_id(*repetition): repetition for repetition in repetitions}
        standing = {name: batch for batch in self._terms.earlier for name in batch.custom_ids if name in asked}
        self._open = {batch.id: batch for batch in standing.values()}
        try:
            await self._submit({name: repetition for name, repetition in asked.items() if name not in standing})
            await self._collect(set(asked), standing)
            again = {name: asked[name] for name, batch in standing.items() if self._failed_again(name, batch)}
            await self._submit(again)
            await self._collect(set(again), {})
        except asyncio.CancelledError:
            for batch in self._open.values():
                self._tell("left", batch)
            raise

    def _failed_again(self, name: str, batch: KeptBatch) -> bool:
        """Whether a run is an error already because of an entry that can only be asked anew."""
        is_failure = isinstance(self._answers[name], Failure)
        return is_failure and name in self._terms.failed and batch.id not in self._lost

    async def _submit(self, repetitions: Mapping[str, Repetition]) -> None:
        """Send new batches; after one that was refused, no other is sent."""
        requests = ((name, self._first_request(*repetition)) for name, repetition in repetitions.items())
        refused: Failure | None = None
        for part in parts(requests):
            if refused is None:
                refused = await self._sent(part)
            if refused is not None:
                self._answers |= dict.fromkeys(part, refused)

    async def _sent(self, part: Mapping[str, ApiRequest]) -> Failure | None:
        sending = asyncio.ensure_future(self._server.submit(part))
        try:
            outcome = await asyncio.shield(sending)
        except asyncio.CancelledError:  # the server may have taken it: its id must not be lost
            done, _ = await asyncio.wait((sending,), timeout=LAST_CHANCE_S)
            if done:
                self._note(sending.result(), part)
            sending.cancel()
            raise
        return self._note(outcome, part)

    def _note(self, outcome: str | Failure, part: Mapping[str, ApiRequest]) -> Failure | None:
        if isinstance(outcome, Failure):
            news = BatchNews(state="refused", id="", requests=len(part), failure=outcome)
            self._terms.on_batch(news)
            return replace(outcome, message=f"the batch was not taken: {outcome.message}")
        batch = KeptBatch(id=outcome, custom_ids=tuple(part))
        self._open[batch.id] = batch
        try:
            self._terms.keep(batch)
        finally:
            self._tell("submitted", batch)
        return None

    async def _collect(self, wanted: Collection[str], standing: Mapping[str, KeptBatch]) -> None:
        """Wait until every open batch has ended or is given up."""
        wait_s = 1.0
        while self._open:
            for batch in tuple(self._open.values()):
                names = {name for name in batch.custom_ids if name in wanted and standing.get(name, batch) == batch}
                await self._poll(batch, names)
            if self._open:
                await self._terms.sleep(wait_s)
                self._waited_s += wait_s
                wait_s = min(2 * wait_s, LONGEST_WAIT_S)

    async def _poll(self, batch: KeptBatch, wanted: Collection[str]) -> None:
        outcome: bool | Failure | Mapping[str, ApiReply | Failure] = await self._server.batch_ended(batch.id)
        if outcome is True:
            outcome = await self._server.batch_results(batch.id)
        match outcome:
            case Failure():
                self._miss(batch, wanted, outcome)
            case bool():
                del self._missed[batch.id]
                self._tell("waiting", batch)
            case results:
                self._take(batch, wanted, results)

    def _miss(self, batch: KeptBatch, wanted: Collection[str], failure: Failure) -> None:
        """Try again later, but not without end."""
        self._missed[batch.id] += 1
        if failure.kind is not FailureKind.AUTH and self._missed[batch.id] < MOST_FAILED_POLLS:
            self._tell("poll_failed", batch, failure=failure)
            return
        message = tr(
            "batch {id} could not be fetched, --resume tries again: {message}", id=batch.id, message=failure.message
        )
        self._answers |= dict.fromkeys(wanted, replace(failure, message=message))
        self._lost.add(batch.id)
        del self._open[batch.id]
        self._tell("lost", batch, failure=failure)

    def _take(self, batch: KeptBatch, wanted: Collection[str], results: Mapping[str, ApiReply | Failure]) -> None:
        missing = Failure(kind=FailureKind.API, message="there is no result for this request")
        for name in wanted:
            found = results.get(name, missing)
            if isinstance(found, Failure):
                found = replace(found, message=f"batch {batch.id}: {found.message}")
            self._answers[name] = found
        del self._open[batch.id]
        self._tell("fetched", batch, unknown=len(results.keys() - set(batch.custom_ids)))

    def _tell(
        self,
        state: BatchState,
        batch: KeptBatch,
        *,
        unknown: int = 0,
        failure: Failure | None = None,
    ) -> None:
        news = BatchNews(state=state, id=batch.id, requests=len(batch.custom_ids), waited_s=self._waited_s)
        self._terms.on_batch(replace(news, unknown=unknown, failure=failure))

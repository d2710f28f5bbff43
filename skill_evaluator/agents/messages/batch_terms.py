"""How first requests are split into batches, under which terms these are waited for, and what is told of them."""

import json
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from skill_evaluator.agents.messages.request import ApiReply, ApiRequest
from skill_evaluator.journal import KeptBatch
from skill_evaluator.model import Failure

MOST_REQUESTS = 10_000
MOST_BYTES = 100_000_000

BatchState = Literal["submitted", "waiting", "poll_failed", "fetched", "lost", "left", "refused"]


@runtime_checkable
class BatchServer(Protocol):
    """Where batches are sent, such as `MessagesApi`; nothing the server does is raised."""

    async def submit(self, requests: Mapping[str, ApiRequest]) -> str | Failure:
        """Send requests by custom id; gives the batch's id."""
        ...

    async def batch_ended(self, batch_id: str) -> bool | Failure:
        """Ask whether the results can be fetched."""
        ...

    async def batch_results(self, batch_id: str) -> Mapping[str, ApiReply | Failure] | Failure:
        """Fetch the results by custom id, in any order."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchNews:
    """What happened to a batch.

    Attributes:
        state: `submitted`; `waiting`: asked for, not ended yet; `poll_failed`: it could not be asked for, and is tried
            again; `fetched`; `lost`: given up, its runs are errors; `left`: the program ends before the batch;
            `refused`: not taken, so its runs are errors.
        id: The batch, as the server names it; empty for one that was refused.
        requests: How many it holds.
        waited_s: How long it was waited for in this process, in seconds.
        unknown: Custom ids among its results that were not sent; they are ignored.
        failure: Why a poll failed or a batch was refused, or None.
    """

    state: BatchState
    id: str
    requests: int
    waited_s: float = 0.0
    unknown: int = 0
    failure: Failure | None = None


OnBatch = Callable[[BatchNews], None]


def untold(_news: BatchNews) -> None:
    """Tell nobody of a batch."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchTerms:
    """How batches are kept and waited for.

    Attributes:
        keep: Writes down a batch that was submitted.
        earlier: Batches that earlier processes submitted, in order.
        failed: Custom ids of runs that are kept as errors; an entry of an earlier batch that failed is asked anew for
            these alone.
        sleep: Lets seconds go by.
        on_batch: Told what happens.
    """

    keep: Callable[[KeptBatch], None]
    sleep: Callable[[float], Awaitable[None]]
    earlier: Sequence[KeptBatch] = ()
    failed: Collection[str] = ()
    on_batch: OnBatch = untold


def parts(requests: Iterator[tuple[str, ApiRequest]]) -> Iterator[dict[str, ApiRequest]]:
    """Split requests as the server wants them: by number and size.

    Source:
        Message Batches API: at most 100,000 requests or 256 MB a batch; smaller ones lose less when one is refused.
    """
    part: dict[str, ApiRequest] = {}
    left = MOST_BYTES
    for name, request in requests:
        size = _size(request)
        if part and (len(part) == MOST_REQUESTS or size > left):
            yield part
            part, left = {}, MOST_BYTES
        part[name] = request
        left -= size
    if part:
        yield part


def _size(request: ApiRequest) -> int:
    """Bytes of a request, never less than what is sent, since all is escaped."""
    return len(json.dumps((request.system, request.messages, request.tools, request.tool_choice), default=dict))

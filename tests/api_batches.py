"""Message batches of the scripted server: made, polled, cancelled, their results in reversed order."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

from tests.api_answers import Answer, fault, message

ROOT = "/v1/messages/batches"
MOMENT = "2026-11-30T00:00:00Z"


@dataclass(kw_only=True)
class Batch:
    """One batch.

    Attributes:
        id: Its id.
        entries: Bodies of the messages asked for, by custom id, in the order sent.
        results: Lines of the results in the same order.
        polls: How often it was asked for.
        cancelled: Whether it was cancelled before it ended.
    """

    id: str
    entries: dict[str, dict[str, object]]
    results: list[dict[str, object]]
    polls: int = 0
    cancelled: bool = False


@dataclass(kw_only=True)
class _Faults:
    create: list[Answer] = field(default_factory=list)
    retrieve: list[Answer] = field(default_factory=list)
    results: list[Answer] = field(default_factory=list)
    cancel: list[Answer] = field(default_factory=list)


class BatchShelf:
    """All batches of a server.

    Attributes:
        made: Batches by id, in order.
        delay: Polls answered with `in_progress` before a batch has ended.
        fate: Custom ids whose entry ends as `expired`, `errored` or `canceled`.
        faults: Answers given first, in order, instead of the right one: to `create`, `retrieve`, `results`, `cancel`.
    """

    def __init__(self, answer: Callable[[dict[str, object]], Answer]) -> None:
        self.made: dict[str, Batch] = {}
        self.delay = 0
        self.fate: dict[str, str] = {}
        self.faults = _Faults()
        self._answer = answer

    def answer(self, url: str, method: str, path: str, asked: Mapping[str, object]) -> Answer:
        """Answer one request that is not for a single message."""
        batch_id, _, verb = path.removeprefix(f"{ROOT}/").partition("/")
        if (method, path) == ("POST", ROOT):
            return self._first(self.faults.create) or _json(self._state(url, self._create(asked)))
        batch = self.made.get(batch_id) if path.startswith(f"{ROOT}/") else None
        if batch is None:
            return fault(404, message=f"nothing at {path}")
        match method, verb:
            case "GET", "":
                return self._first(self.faults.retrieve) or _json(self._poll(url, batch))
            case "GET", "results":
                return self._first(self.faults.results) or self._results(batch)
            case "POST", "cancel":
                return self._first(self.faults.cancel) or _json(self._cancel(url, batch))
            case _:
                return fault(404, message=f"nothing at {method} {path}")

    @staticmethod
    def _first(faults: list[Answer]) -> Answer | None:
        return faults.pop(0) if faults else None

    def _create(self, asked: Mapping[str, object]) -> Batch:
        entries = {
            str(entry["custom_id"]): cast("dict[str, object]", entry["params"])
            for entry in cast("list[dict[str, object]]", asked["requests"])
        }
        lines: list[dict[str, object]] = [
            {"custom_id": key, "result": self._result(key, params)} for key, params in entries.items()
        ]
        batch = Batch(id=f"msgbatch_{len(self.made) + 1:04}", entries=entries, results=lines)
        self.made[batch.id] = batch
        return batch

    def _result(self, custom_id: str, params: dict[str, object]) -> dict[str, object]:
        match self.fate.get(custom_id):
            case None:
                answer = self._answer(params)
            case "errored":
                answer = fault(400)
            case fate:
                return {"type": fate}
        if answer.body is not None:
            return {"type": "errored", "error": json.loads(answer.body)}
        return {"type": "succeeded", "message": message(answer, params)}

    def _poll(self, url: str, batch: Batch) -> dict[str, object]:
        batch.polls += 1
        return self._state(url, batch)

    def _cancel(self, url: str, batch: Batch) -> dict[str, object]:
        if batch.polls <= self.delay:
            batch.cancelled = True
            batch.results = [{**line, "result": {"type": "canceled"}} for line in batch.results]
        return self._state(url, batch)

    def _state(self, url: str, batch: Batch) -> dict[str, object]:
        status = "in_progress" if batch.polls <= self.delay else "ended"
        if batch.cancelled and status == "in_progress":
            status = "canceling"
        ended = status == "ended"
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": status,
            "request_counts": self._counts(batch, ended=ended),
            "created_at": MOMENT,
            "expires_at": MOMENT,
            "ended_at": MOMENT if ended else None,
            "archived_at": None,
            "cancel_initiated_at": MOMENT if batch.cancelled else None,
            "results_url": f"{url}{ROOT}/{batch.id}/results" if ended else None,
        }

    @staticmethod
    def _counts(batch: Batch, *, ended: bool) -> dict[str, int]:
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        for line in batch.results:
            kind = cast("dict[str, object]", line["result"])["type"]
            counts[str(kind) if ended else "processing"] += 1
        return counts

    def _results(self, batch: Batch) -> Answer:
        if batch.polls <= self.delay:
            return fault(404, message="the batch has not ended")
        lines = "".join(json.dumps(line) + "\n" for line in reversed(batch.results))
        return Answer(body=lines.encode())


def _json(content: Mapping[str, object]) -> Answer:
    return Answer(body=json.dumps(content).encode())

"""Asks one question until it is answered, given up, or nothing may be asked any more.

At most as many calls are under way as there are slots. A run that waits for its next attempt gives its slot to
others, but after a rate limit all wait: whoever sent too much is asked for nothing until that wait is over.
"""

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from skill_evaluator.model import Agent, Arm, Case, FailureKind, Run
from skill_evaluator.runner.ledger import Ledger
from skill_evaluator.runner.stop import Stop
from skill_evaluator.runner.terms import Asked, Terms, drawn_lot


class Asker:
    """Puts questions to an agent under the terms of a run."""

    def __init__(self, agent: Agent, terms: Terms, stop: Stop, *, slots: int) -> None:
        self.ledger = Ledger(terms)
        self._agent, self._terms, self._stop = agent, terms, stop
        self._slots = asyncio.Semaphore(slots)
        self._gate = _Gate()

    async def ask(self, case: Case, arm: Arm, index: int) -> Asked | None:
        """Ask once, and again as the terms say.

        Returns:
            The last attempt, or None where not even the first one could be started.
        """
        attempts: list[Run] = []
        costs: list[Decimal | None] = []
        while await self._call(case, arm, index, attempts, costs):
            wait_s = self._wait_s(case, arm, index, attempts)
            if wait_s is None:
                break
            await self._back_off(attempts[-1], wait_s)
        return _asked(attempts, costs) if attempts else None

    async def _call(self, case: Case, arm: Arm, index: int, attempts: list[Run], costs: list[Decimal | None]) -> bool:
        """Make one call and write down its answer; False where it may not be made."""
        async with self._slots:
            await self._gate.opened()
            if reached := self.ledger.ceiling():
                self._stop.call(reached)
            if self._stop.keeps_back():
                return False
            self.ledger.start(retry=bool(attempts))
            run = await self._agent.run(case, arm, index)
            costs.append(self.ledger.settle(run))
            attempts.append(run)
        return True

    def _wait_s(self, case: Case, arm: Arm, index: int, attempts: list[Run]) -> float | None:
        failures = [run.failure.kind for run in attempts if run.failure is not None]
        if attempts[-1].failure is None:
            return None
        lot = drawn_lot(self._terms.seed, case, arm, index, len(attempts))
        return self._terms.retries.wait_s(failures, lot=lot)

    async def _back_off(self, run: Run, wait_s: float) -> None:
        self._terms.on_retry(run, wait_s)
        limited = run.failure is not None and run.failure.kind is FailureKind.RATE_LIMIT
        with self._gate.closed() if limited else contextlib.nullcontext():
            await self._stop.outlasting(asyncio.ensure_future(self._terms.sleep(wait_s)))


class _Gate:
    """Closed as long as anybody waits out a rate limit."""

    def __init__(self) -> None:
        self._waiting = 0
        self._open = asyncio.Event()
        self._open.set()

    async def opened(self) -> None:
        await self._open.wait()

    @contextlib.contextmanager
    def closed(self) -> Iterator[None]:
        self._waiting += 1
        self._open.clear()
        try:
            yield
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._open.set()


def _asked(attempts: list[Run], costs: list[Decimal | None]) -> Asked:
    """The last attempt alone counts, but whatever one of them did to the skill was done."""
    changes = {file for run in attempts for file in run.skill_changes}
    known = [cost for cost in costs if cost is not None]
    return Asked(
        run=replace(attempts[-1], skill_changes=tuple(sorted(changes))),
        attempts=len(attempts),
        spent_usd=float(sum(known)) if known else None,
    )

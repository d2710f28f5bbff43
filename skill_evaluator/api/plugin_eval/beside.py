"""Grades runs beside the event loop: a pattern may take seconds, in which other sessions and stand-ins want answers."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from skill_evaluator.api.plugin_eval.finished import FinishedRun, grade, without_bulk
from skill_evaluator.api.plugin_eval.options import PlannedCase
from skill_evaluator.api.plugin_eval.traces import keep_trace
from skill_evaluator.api.plugin_eval.votes import RunVotes
from skill_evaluator.model import AskedRun
from skill_evaluator.reasons import reason_of
from skill_evaluator.texts import tr

T = TypeVar("T")


class Grading:
    """Keeps the trace of each run, grades it, and lets go of what nobody needs any more; one run after the other.

    Args:
        output_dir: Where the answer goes.
        secrets: What must not stand in what is kept.
        warn: Is told what a reader must know, in the thread of the event loop.
    """

    def __init__(self, output_dir: Path, secrets: Sequence[str], warn: Callable[[str], None]) -> None:
        self._output_dir, self._secrets, self._warn = output_dir, secrets, warn
        self._keeps_traces = True
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="grading")  # patterns run one at a time

    def __enter__(self) -> Self:
        """Be ready to grade."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for what is under way."""
        self._thread.shutdown()

    async def grade(
        self, planned: PlannedCase, asked: AskedRun, votes: RunVotes, skipped: Sequence[str] = ()
    ) -> FinishedRun:
        """Grade a run; a signal that comes meanwhile does not keep it from being graded."""
        path = await _to_its_end(self._thread, lambda: self._trace_path(planned, asked))
        if isinstance(path, OSError):
            self._keeps_traces = False
            self._warn(tr("traces are not kept from here on: {why}", why=reason_of(path)))
        return await _to_its_end(
            self._thread,
            lambda: self.grade_now(planned, asked, votes, skipped, "" if isinstance(path, OSError) else path),
        )

    def grade_now(
        self,
        planned: PlannedCase,
        asked: AskedRun,
        votes: RunVotes,
        skipped: Sequence[str] = (),
        trace_path: str = "",
    ) -> FinishedRun:
        """Grade a run in this thread, which is quick where it left nothing to grade."""
        secrets = self._secrets
        return without_bulk(grade(planned, asked, votes=votes, skipped=skipped, trace_path=trace_path, secrets=secrets))

    def _trace_path(self, planned: PlannedCase, asked: AskedRun) -> str | OSError:
        if not self._keeps_traces:
            return ""
        run = asked.run if asked.distrusted is None else replace(asked.run, trace=asked.distrusted)
        try:
            return keep_trace(run, planned.case, self._output_dir, self._secrets)
        except OSError as error:
            return error


async def _to_its_end(thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    doing = asyncio.get_running_loop().run_in_executor(thread, work)
    while not doing.done():
        with contextlib.suppress(asyncio.CancelledError):  # `work_off` starts no other run
            await asyncio.wait({doing})
    return doing.result()

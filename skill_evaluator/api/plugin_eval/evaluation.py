"""One suite on its way: runs in the order of the plan, graded as they end, told of in the order of the cases."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from skill_evaluator.api.plugin_eval.beside import Grading
from skill_evaluator.api.plugin_eval.clock import Clock
from skill_evaluator.api.plugin_eval.finished import FinishedRun, broken_run, failed_run
from skill_evaluator.api.plugin_eval.options import Listener, PlannedCase, SuiteOptions
from skill_evaluator.api.plugin_eval.plan import Job, SuitePlan
from skill_evaluator.api.plugin_eval.result import Ended
from skill_evaluator.api.plugin_eval.spending import Spending
from skill_evaluator.api.plugin_eval.votes import RunVotes, ask_about, skipped_graders
from skill_evaluator.model import INTERRUPTED, AskedRun, Completer, Connected, FailureKind, SuiteAgent
from skill_evaluator.runner.jobs import work_off
from skill_evaluator.runner.stop import Stop, until_done

if TYPE_CHECKING:
    from skill_evaluator.api.plugin_eval.watched import RunKey
    from skill_evaluator.stand_ins import Recording

_NO_VOTES = RunVotes()


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """Who is asked.

    Attributes:
        agent: Who runs the cases.
        judge: Who votes, and answers for stand-ins that a model plays; None where nobody need be asked.
        secrets: What must not stand in what is kept.
        recordings: What models that play servers answered, by run; it grows while runs go on.
    """

    agent: SuiteAgent
    judge: Completer | None = None
    secrets: Sequence[str] = ()
    recordings: "Mapping[RunKey, Sequence[Recording]]" = field(default_factory=dict)


class Evaluation:
    """A plan that is worked off; used once.

    Attributes:
        runs: What ended so far, in the order in which it ended.
        stop: Why nothing new is started.
        is_refused: Whether the first run that was asked was not let in.
    """

    def __init__(self, options: SuiteOptions, plan: SuitePlan, parts: Parts, listener: Listener) -> None:
        self.runs: list[FinishedRun] = []
        self.stop = Stop()
        self.is_refused = False
        self.spending = Spending(options.max_cost_usd)
        self._options, self._plan, self._parts, self._listener = options, plan, parts, listener
        self._left = Counter(job.planned.case.id for job in plan.jobs)
        self._untold: list[PlannedCase] = list(plan.cases)
        self._begun: dict[RunKey, Clock] = {}
        self._asked = 0
        self._grading = Grading(options.output_dir, parts.secrets, listener.warned)

    async def whole(self) -> None:
        """Make all runs that may be made; a signal ends it early and is told by `stop`."""
        with self._grading:
            await until_done(self._work(), self.stop)
        self._tell_rest()

    async def _work(self) -> None:
        if not any(self._may_start(job) for job in self._plan.jobs[:1]):
            return  # nothing is asked, so nothing is loaded either
        async with AsyncExitStack() as stack:
            parts: tuple[object, ...] = (self._parts.judge, self._parts.agent)
            for part in parts:
                if isinstance(part, Connected):
                    await stack.enter_async_context(part)
            await work_off(
                self._plan.jobs,
                self._do,
                concurrency=self._options.concurrency,
                may_start=self._may_start,
                on_cancelled=self._interrupted,
            )

    def _may_start(self, _: Job) -> bool:
        if self.spending.is_over:
            self.stop.call("max_cost")
        return not self.stop.keeps_back()

    async def _do(self, job: Job) -> None:
        if job.error is not None:
            self._keep_ungraded(job, _failed(job))
            return
        case = job.planned.case
        clock = self._begun[case.id, job.arm, job.index] = Clock()
        asked = failed_run(case, job.arm, job.index, "")
        try:
            asked = await self._parts.agent.ask(case, job.arm, job.index)
            run = await self._graded(job, asked)
        except Exception as fault:  # noqa: BLE001 - whatever is raised in one run costs that run, not the others
            begun = replace(asked, started_at=asked.started_at or clock.started_at, duration_s=clock.duration_s)
            run = self._grading.grade_now(job.planned, broken_run(begun, fault), _NO_VOTES)
        self._take(job, run)

    async def _graded(self, job: Job, asked: AskedRun) -> FinishedRun:
        self.spending.add(asked.cost_usd + (asked.stand_ins.cost_usd if asked.stand_ins else 0.0))
        self._look_for_refusal(asked)
        if self.spending.is_over:
            has_two_arms = job.planned.has_two_arms
            skipped = skipped_graders(job.planned.case, asked.run, has_two_arms=has_two_arms)
            return await self._grading.grade(job.planned, asked, _NO_VOTES, skipped)
        return await self._grading.grade(job.planned, asked, await self._voted(job, asked))

    async def _voted(self, job: Job, asked: AskedRun) -> RunVotes:
        """Ask the judge; where a signal comes first, the graders that have not all their votes fail."""
        votes, judge = _NO_VOTES, self._parts.judge
        if judge is None or asked.error == INTERRUPTED:
            return votes
        with contextlib.suppress(asyncio.CancelledError):  # the run is kept; `work_off` starts no other
            async for so_far in ask_about(job.planned.case, asked.run, judge, has_two_arms=job.planned.has_two_arms):
                votes = so_far
        self.spending.add(votes.cost_usd)
        return votes

    def _look_for_refusal(self, asked: AskedRun) -> None:
        """Stop where the very first run was not let in: the others would not be either."""
        self._asked += 1
        failure = asked.run.failure
        if self._asked == 1 and failure is not None and failure.kind is FailureKind.AUTH:
            self.is_refused = True
            self.stop.call("auth")

    def _interrupted(self, job: Job) -> None:
        """Keep that a run was under way when a signal came; what it left is not graded."""
        case, arm, index = job.planned.case, job.arm, job.index
        clock = self._begun.get((case.id, arm, index)) or Clock()
        asked = failed_run(case, arm, index, INTERRUPTED)
        self._keep_ungraded(job, replace(asked, started_at=clock.started_at, duration_s=clock.duration_s))

    def _keep_ungraded(self, job: Job, asked: AskedRun) -> None:
        self._take(job, self._grading.grade_now(job.planned, asked, _NO_VOTES))

    def _take(self, job: Job, run: FinishedRun) -> None:
        self.runs.append(run)
        if job.is_unbegun:
            self._listener.warned(f"{job.planned.case.id}: {job.error}")
        else:
            self._listener.finished(job.planned, run.asked, run.entry, job.arm, job.index)
        self._left[job.planned.case.id] -= 1
        while self._untold and not self._left[self._untold[0].case.id]:
            self._tell(self._untold.pop(0))

    def _tell(self, planned: PlannedCase) -> None:
        runs = [run for run in self.runs if run.planned is planned]
        if any(run.entry.started_at for run in runs):
            cost = sum(run.entry.cost_usd for run in runs)
            self._listener.case_done(planned, Ended(runs).score(planned.case), runs=len(runs), cost_usd=cost)

    def _tell_rest(self) -> None:
        """Tell of cases that were begun and did not come to their end."""
        while self._untold:
            self._tell(self._untold.pop(0))


def _failed(job: Job) -> AskedRun:
    asked = failed_run(job.planned.case, job.arm, job.index, job.error or "")
    return asked if job.is_unbegun else replace(asked, duration_s=0.0, started_at=datetime.now(UTC))

"""Puts the outputs of finished runs, and those of the baseline, before the judge."""

import asyncio
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from skill_evaluator.api.measure import Measured
from skill_evaluator.journal import JudgedBeside, KeptOutput
from skill_evaluator.judging import (
    Output,
    PanelPlan,
    VotePlan,
    ask_panels,
    ask_votes,
    baseline_outputs,
    hidden_names,
    plan_panels,
    plan_votes,
)
from skill_evaluator.metrics.judge import asked_ballots
from skill_evaluator.model import VOTES, AnyQuestion, Completer, Completion, Usage
from skill_evaluator.sendable import sendable


def judged_beside(measured: Measured) -> JudgedBeside:
    """Give what the judge sees of a baseline: what it has seen already, else what the one that is named now holds."""
    old = measured.baseline
    if measured.beside is not None or old is None:
        return measured.beside or JudgedBeside()
    asked = {case.prompt_sha256 for case in measured.cases if case.expect_trigger and case.rubric}
    return JudgedBeside(
        skill=old.skill.name,
        model=old.agent.model,
        outputs=tuple(
            KeptOutput(prompt_sha256=prompt, index=output.index, text=sendable(output.text))
            for prompt, outputs in baseline_outputs(old.cases).items()
            if prompt in asked
            for output in outputs
        ),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgePlan:
    """All that a judge is asked.

    Attributes:
        panels: Rubric items, two calls each.
        votes: Graders on single runs, three calls each.
    """

    panels: tuple[PanelPlan, ...]
    votes: tuple[VotePlan, ...]

    @property
    def calls(self) -> int:
        """How many calls that takes."""
        return 2 * len(self.panels) + VOTES * len(self.votes)


def planned(measured: Measured) -> JudgePlan:
    """Lay out what the judge is asked."""
    return JudgePlan(panels=_panels(measured), votes=plan_votes(measured.cases, measured.runs))


def _panels(measured: Measured) -> tuple[PanelPlan, ...]:
    header, beside = measured.header, judged_beside(measured)
    outputs: dict[str, list[Output]] = defaultdict(list)
    for one in beside.outputs:
        outputs[one.prompt_sha256].append(Output(index=one.index, text=one.text))
    return plan_panels(
        measured.cases,
        measured.runs,
        hidden=hidden_names(
            skills=[header.skill.name, *([beside.skill] if beside.skill else [])],
            identities=header.identities,
            models=[header.agent.model, header.config.judge_model, beside.model],
        ),
        seed=header.config.seed,
        baseline=outputs,
    )


async def judge(measured: Measured, plan: JudgePlan, completer: Completer, *, concurrency: int) -> Measured:
    """Ask for every panel in both orders, then for all votes; with nothing to judge, nobody is asked."""
    metered = Metered(completer)
    panels = await ask_panels(plan.panels, metered, concurrency=concurrency)
    votes = await ask_votes(plan.votes, metered, concurrency=concurrency)
    return replace(
        measured,
        panels=panels,
        votes=votes,
        judge_model=measured.header.config.judge_model,
        judge_usage=metered.usage,
    )


def calls_made(measured: Measured) -> int:
    """How many of the calls of a `JudgePlan` were made, or had been before."""
    votes = sum(len(made) for of_run in measured.votes.values() for made in of_run.values())
    return len(asked_ballots(measured.panels)) + votes


async def judge_again(measured: Measured, completer: Completer) -> Measured:
    """Take what is kept of the judge's answers; an answer fits the question alone that it was given to."""
    plan = planned(measured)
    return await judge(measured, plan, _Unhurried(completer), concurrency=max(1, plan.calls))


class _Unhurried:
    """Lets all questions be put before the first answer: after a judge that was not let in, none would be."""

    def __init__(self, completer: Completer) -> None:
        self.model = completer.model
        self._completer = completer

    async def complete(self, question: AnyQuestion) -> Completion:
        await asyncio.sleep(0)
        return await self._completer.complete(question)


class Metered:
    """Adds up what the answers took, in whatever order they come."""

    def __init__(self, completer: Completer) -> None:
        self.model = completer.model
        self._completer = completer
        self._usages: list[Usage] = []

    async def complete(self, question: AnyQuestion) -> Completion:
        """Ask, and remember what it took."""
        completion = await self._completer.complete(question)
        if completion.failure is None or completion.usage is not None:
            self._usages.append(completion.usage or Usage())
        return completion

    @property
    def usage(self) -> Usage | None:
        """What all answers took together: a sum is None as soon as one of them does not say; None without any."""
        if not self._usages:
            return None
        costs = [one.cost_usd for one in self._usages if one.cost_usd is not None]
        return Usage(
            input_tokens=_sum([one.input_tokens for one in self._usages]),
            output_tokens=_sum([one.output_tokens for one in self._usages]),
            cost_usd=math.fsum(costs) if len(costs) == len(self._usages) else None,
            requests=_sum([one.requests for one in self._usages]),
        )


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None

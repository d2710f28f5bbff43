"""Finished runs -> the answer of a suite."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from skill_evaluator import __version__
from skill_evaluator.api.plugin_eval.clock import Clock
from skill_evaluator.api.plugin_eval.finished import FinishedRun
from skill_evaluator.api.plugin_eval.grader_options import grader_of_case
from skill_evaluator.api.plugin_eval.options import PlannedCase, SuiteOptions
from skill_evaluator.api.plugin_eval.plan import SuitePlan, setup_of
from skill_evaluator.formats.suite.plugin import read_plugin
from skill_evaluator.formats.suite_claims import NamedSkill
from skill_evaluator.grading import CaseScore, SuiteScore, score_case, score_suite
from skill_evaluator.grading.suites import plain_sum
from skill_evaluator.metrics.suite_measures import measure_suite
from skill_evaluator.metrics.suite_numbers import Facts
from skill_evaluator.model import AgentInfo, Arm, Case, Limits, Metadata
from skill_evaluator.results import Note
from skill_evaluator.results.suite_result import (
    CaseNumbers,
    CaseOfSuite,
    PartialReason,
    PluginOfSuite,
    RunOfCase,
    SuiteNumbers,
    SuiteResult,
    SuiteSettings,
)


class Ended:
    """The runs of a suite that ended, by case.

    Args:
        runs: All of them, in any order.
    """

    def __init__(self, runs: Iterable[FinishedRun]) -> None:
        self._runs: dict[str, list[FinishedRun]] = defaultdict(list)
        for run in runs:
            self._runs[run.planned.case.id].append(run)

    def of(self, case: Case, arm: Arm) -> tuple[FinishedRun, ...]:
        """Give the runs of one arm of a case, by repetition."""
        runs = [run for run in self._runs.get(case.id, ()) if run.place[0] is arm]
        return tuple(sorted(runs, key=lambda run: run.place[1]))

    def score(self, case: Case) -> CaseScore:
        """Put the runs of a case together."""
        arms = [[run.graded for run in self.of(case, arm)] for arm in (Arm.WITH, Arm.WITHOUT)]
        return score_case(*arms)

    def has(self, case: Case) -> bool:
        """Whether any run of the case ended."""
        return case.id in self._runs


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcomes:
    """What happened while a suite was run.

    Attributes:
        runs: What ended.
        agent: Who was asked.
        started_at: When it began (UTC).
        duration_s: How long it took.
        partial_reason: Why some run of the plan is missing, or None.
        notes: What a reader must know before believing a number.
    """

    runs: Sequence[FinishedRun]
    agent: AgentInfo
    started_at: datetime
    duration_s: float
    partial_reason: PartialReason | None = None
    notes: tuple[str, ...] = ()


def suite_result(options: SuiteOptions, plan: SuitePlan, came: Outcomes) -> SuiteResult:
    """Put together what a suite came to, without what this product measures; see `measured`.

    Cases of which no run was started are left out.
    """
    ended = Ended(came.runs)
    begun = _begun(plan, ended)
    scores = score_suite([ended.score(planned.case) for planned in begun], threshold=options.threshold)
    return SuiteResult(
        claude_version=str(came.agent.settings.get("version") or ""),
        started_at=came.started_at,
        duration_s=came.duration_s,
        cost_usd=plain_sum(run.entry.cost_usd for run in came.runs),
        settings=_settings(options, plan),
        cases=tuple(_case(planned, ended) for planned in begun),
        numbers=_suite_numbers(scores),
        partial_reason=came.partial_reason,
        refused=tuple(str(folder) for folder in options.suite.refused),
    )


def measured(result: SuiteResult, options: SuiteOptions, plan: SuitePlan, came: Outcomes) -> SuiteResult:
    """Add what this product measures to an answer; its libraries are large, and may fail to load.

    Args:
        result: What `suite_result` made of the same.
        options: What was asked for.
        plan: What was to be run.
        came: What happened.
    """
    ended = Ended(came.runs)
    cases = [
        (part, planned.case, [run.asked.run for arm in Arm for run in ended.of(planned.case, arm)])
        for part, planned in zip(result.cases, _begun(plan, ended), strict=True)
    ]
    facts = Facts(
        version=__version__,
        agent=came.agent.name,
        notes=tuple(Note(code="told", values={"text": text}) for text in came.notes),
        is_partial=came.partial_reason is not None,
    )
    return replace(result, measures=measure_suite(cases, facts, skills=tuple(_skills(options))))


def _begun(plan: SuitePlan, ended: Ended) -> list[PlannedCase]:
    return [planned for planned in plan.cases if ended.has(planned.case)]


def nothing_run(options: SuiteOptions) -> SuiteResult:
    """Give the answer of a suite that has no case to run: no plugin is named, since none was loaded."""
    clock = Clock()
    plan = SuitePlan(cases=(), jobs=(), ablation=options.ablation or "none", is_default=options.ablation is None)
    return SuiteResult(
        claude_version="",
        started_at=clock.started_at,
        duration_s=0.0,
        cost_usd=0.0,
        settings=replace(_settings(options, plan), plugins=()),
        cases=(),
        numbers=_suite_numbers(score_suite([], threshold=options.threshold)),
        measures=measure_suite([], Facts(version=__version__, agent=options.agent)),
        refused=tuple(str(folder) for folder in options.suite.refused),
    )


def _case(planned: PlannedCase, ended: Ended) -> CaseOfSuite:
    case, setup = planned.case, setup_of(planned.case)
    limits = case.limits or Limits()
    metadata = case.metadata or Metadata(name=case.id, folder=case.id, written_as="prose")
    without = _entries(ended.of(case, Arm.WITHOUT))
    return CaseOfSuite(
        name=metadata.name,
        folder=metadata.folder,
        source=metadata.written_as,
        prompt=case.prompt,
        runs_per_case=limits.runs,
        timeout_s=limits.timeout_s,
        max_turns=limits.max_turns,
        graders=tuple(grader_of_case(grader) for grader in case.graders),
        with_plugin=_entries(ended.of(case, Arm.WITH)),
        without_plugin=without or None,
        numbers=_case_numbers(ended.score(case)),
        model=setup.model,
        advisories=planned.advisories,
    )


def _entries(runs: Iterable[FinishedRun]) -> tuple[RunOfCase, ...]:
    return tuple(run.entry for run in runs)


def _case_numbers(score: CaseScore) -> CaseNumbers:
    without = score.without_plugin
    return CaseNumbers(
        score=score.with_plugin.score,
        pass_rate=score.with_plugin.pass_rate,
        score_without=without.score if without and score.is_comparable else None,
        pass_rate_without=without.pass_rate if without else None,
        delta=score.delta,
    )


def _suite_numbers(score: SuiteScore) -> SuiteNumbers:
    return SuiteNumbers(
        cases_total=score.cases,
        cases_passed=score.passed,
        score=score.score,
        pass_rate=score.pass_rate,
        mean_delta=score.mean_delta,
    )


def _settings(options: SuiteOptions, plan: SuitePlan) -> SuiteSettings:
    return SuiteSettings(
        root=str(options.suite.root),
        ablation=plan.ablation,
        threshold=options.threshold,
        concurrency=options.concurrency,
        plugins=tuple(_plugins(options)),
        case_filter=options.case_filter,
        tag_filters=None if options.tag_filters is None else tuple(options.tag_filters),
        model=options.model,
        judge_model=options.judge_model,
    )


def _plugins(options: SuiteOptions) -> Iterator[PluginOfSuite]:
    for plugin in options.suite.plugins:
        problem = "manifest_invalid" if plugin.is_invalid else None
        yield PluginOfSuite(name=plugin.name, path=str(plugin.root), version=plugin.version, problem=problem)


def _skills(options: SuiteOptions) -> Iterator[NamedSkill]:
    for seen in options.suite.plugins:
        yield from (NamedSkill(plugin=seen.name, names=names) for names in read_plugin(seen.root).own_skills)

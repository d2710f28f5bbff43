"""From finished runs to a report; the same path for a run just made and for one read back from disk."""

import importlib.metadata
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from skill_evaluator import __version__
from skill_evaluator.advise import TuningEvidence, advise
from skill_evaluator.api.analyse import Analysed
from skill_evaluator.api.judged import notes_with_judge, warnings_with_judge
from skill_evaluator.api.narrow import below_floors
from skill_evaluator.api.run_notes import canary_notes, run_notes
from skill_evaluator.api.unseen import unseen_notes
from skill_evaluator.compare.reports import compare, compare_latency
from skill_evaluator.file_names import shown
from skill_evaluator.grading import VotesOfRun, grade_run
from skill_evaluator.journal import JournalEnd, JournalHeader, JudgedBeside, hash_run_folder
from skill_evaluator.judging import Votes
from skill_evaluator.metrics.cases import case_result
from skill_evaluator.metrics.failed import failed_cases
from skill_evaluator.metrics.judge import judge_result, judged_scores, wanted_scores
from skill_evaluator.metrics.siblings import as_scored
from skill_evaluator.metrics.split import split_result
from skill_evaluator.metrics.usage import latency_metrics
from skill_evaluator.metrics.verdict import decide_verdict
from skill_evaluator.model import Case, Run, Split, Usage
from skill_evaluator.results import (
    Canary,
    CaseResult,
    FailOn,
    JudgeResult,
    Metric,
    Note,
    Panel,
    Report,
    ReportVerdict,
    RubricScore,
    Volatile,
)

_NUMERIC_PACKAGES = ("numpy", "scipy", "scikit-learn")


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """All that a report is made from.

    Attributes:
        header: What was measured, as the journal keeps it.
        end: How the run ended.
        cases: The cases that were to be asked, in the order of the test set.
        runs: Finished runs by case id.
        run_dir: The folder of the journal.
        canary: What the probe showed.
        output_dir: Where the report is to be written, or None.
        baseline: An earlier report, or None.
        baseline_path: Where it was read from, or None.
        fail_on: Which regressions against it stop a build.
        on_shared_cases: Compare on the shared cases where the questions differ.
        panels: What the judge said, by case in the order of `cases`; empty where it was asked nothing.
        votes: What the judge said for graders that take votes, by run.
        judge_model: The model that judged, or None without a judge.
        judge_usage: Tokens and cost of all its calls; None within it where one of them does not say.
        analysed: What a model suggests.
        beside: What the judge was shown of a baseline, whichever is named now; None where it was asked nothing.
    """

    header: JournalHeader
    end: JournalEnd
    cases: Sequence[Case]
    runs: Mapping[str, Sequence[Run]]
    run_dir: Path
    canary: Canary = field(default_factory=Canary)
    output_dir: str | None = None
    baseline: Report | None = None
    baseline_path: str | None = None
    fail_on: FailOn = "significant"
    on_shared_cases: bool = False
    panels: Sequence[Panel] = ()
    votes: Votes = field(default_factory=dict)
    judge_model: str | None = None
    judge_usage: Usage | None = None
    analysed: Analysed = field(default_factory=Analysed)
    beside: JudgedBeside | None = None


def build_report(measured: Measured) -> Report:
    """Grade, count, judge and compare."""
    header = measured.header
    config = replace(header.config, judge_model=measured.judge_model or header.config.judge_model)
    rubrics = judged_scores(wanted_scores(measured.cases), measured.panels) if measured.judge_model else {}
    results = tuple(_case_result(case, measured, rubrics.get(case.id)) for case in measured.cases)
    judge = _judge(results, measured)
    splits = {
        split: split_result(
            [result for result in results if result.split is split], seed=config.seed, target=header.skill.name
        )
        for split in Split
    }
    violations = _violations(measured)
    verdict, reasons = decide_verdict(
        splits=splits,
        cases=results,
        config=config,
        agent=header.agent,
        violations=violations,
        stopped_by=measured.end.stopped_by,
        narrowed_below_floors=below_floors(measured.cases, config),
        canary=measured.canary,
        judge=judge,
    )
    report = Report(
        skill=header.skill,
        testset=header.testset,
        agent=header.agent,
        config=config,
        timestamp=header.timestamp,
        verdict=verdict,
        reasons=reasons,
        splits=splits,
        cases=results,
        failed_cases=failed_cases(results, measured.panels),
        suggestions=(*advise(_evidence(results, header)), *measured.analysed.suggestions),
        volatile=_volatile(measured),
        notes=_notes(measured, results, judge, scored=verdict is not ReportVerdict.INVALID),
        warnings=warnings_with_judge(header.warnings, judge),
        violations=violations,
        stopped_by=measured.end.stopped_by,
        canary=measured.canary,
        judge=judge,
        evaluator_version=__version__,
    )
    return _compared(report, measured)


def _notes(
    measured: Measured, results: Sequence[CaseResult], judge: JudgeResult | None, *, scored: bool
) -> tuple[Note, ...]:
    header = measured.header
    judge_model = measured.judge_model or header.config.judge_model
    return (
        *(
            note
            for note in notes_with_judge(header.notes, judge, measured.cases, judge_model=judge_model)
            if not (header.agent.estimate and note.code == "graders_not_judged")  # it is no judge that is missing there
        ),
        *canary_notes(measured.canary),
        *unseen_notes(measured.cases, header.agent),
        *measured.analysed.notes,
        *run_notes(
            results,
            measured.runs,
            run_dir=measured.run_dir,
            testset=header.testset_real_path,
            scored=scored,
        ),
    )


def _violations(measured: Measured) -> tuple[str, ...]:
    """Skill files that changed, in the original or in the copy of any run."""
    changed = {name for runs in measured.runs.values() for run in runs for name in run.skill_changes}
    return tuple(sorted(changed.union(measured.end.violations)))


def tuning_evidence(measured: Measured) -> TuningEvidence:
    """All that advice may rest on."""
    tuning = [case for case in measured.cases if case.split is Split.TUNING]
    return _evidence([_case_result(case, measured, None) for case in tuning], measured.header)


def _evidence(results: Sequence[CaseResult], header: JournalHeader) -> TuningEvidence:
    tuning = [result for result in results if result.split is Split.TUNING]
    return TuningEvidence.of(header.skill, tuning, pass_threshold=header.config.pass_threshold)


def _compared(report: Report, measured: Measured) -> Report:
    old = measured.baseline
    if old is None:
        return report
    volatile = replace(report.volatile, comparison=compare_latency(report, old), baseline_path=measured.baseline_path)
    comparison = compare(report, old, on_shared_cases=measured.on_shared_cases, fail_on=measured.fail_on)
    return replace(report, comparison=comparison, volatile=volatile)


def _judge(results: Sequence[CaseResult], measured: Measured) -> JudgeResult | None:
    if measured.judge_model is None:
        return None
    return judge_result(
        measured.panels,
        results,
        model=measured.judge_model,
        agent_model=measured.header.agent.model,
        usage=measured.judge_usage,
    )


def _case_result(case: Case, measured: Measured, rubric: Mapping[str, RubricScore] | None) -> CaseResult:
    runs = sorted(measured.runs.get(case.id, ()), key=lambda run: run.index)
    graded = [(run, grade_run(case, run, _votes_on(run, measured))) for run in runs]
    asked = as_scored(case, measured.header.agent)
    return case_result(asked, graded, planned_runs=measured.header.config.runs, rubric=rubric)


def _votes_on(run: Run, measured: Measured) -> VotesOfRun | None:
    """What the judge said of a run; None without a judge."""
    return None if measured.judge_model is None else measured.votes.get((run.case_id, run.index), {})


def _volatile(measured: Measured) -> Volatile:
    header = measured.header
    return Volatile(
        latency={split: _latency(split, measured) for split in Split},
        durations_s=_durations_s(measured),
        case_files=_case_files(measured),
        skill_path=header.skill_path,
        testset_path=header.testset_path,
        prices_path=header.prices_path,
        concurrency=header.concurrency,
        duration_s=measured.end.duration_s,
        calls=measured.end.calls,
        retries=measured.end.retries,
        spent_usd=measured.end.spent_usd,
        run_dir=Path(shown(measured.run_dir)).as_posix(),
        run_dir_sha256=hash_run_folder(measured.run_dir),
        output_dir=measured.output_dir,
        host=_host(),
    )


def _durations_s(measured: Measured) -> dict[str, tuple[float | None, ...]]:
    """The time of each run, in the order of the runs of a case; empty where none has any."""
    runs = {case.id: sorted(measured.runs.get(case.id, ()), key=lambda run: run.index) for case in measured.cases}
    durations_s = {case_id: tuple(run.duration_s for run in found) for case_id, found in runs.items()}
    return durations_s if any(one is not None for found in durations_s.values() for one in found) else {}


def _case_files(measured: Measured) -> dict[str, str]:
    """The files of cases that stand in a folder; those of one file need no saying."""
    return {
        case.id: Path(shown(Path(case.source.path))).as_posix()
        for case in measured.cases
        if Path(case.source.path) != Path(measured.header.testset_path)
    }


def _latency(split: Split, measured: Measured) -> dict[str, Metric]:
    cases = [case for case in measured.cases if case.split is split]
    triggering = [case for case in cases if case.expect_trigger is not None]
    output_only = [case for case in cases if case.expect_trigger is None]
    return latency_metrics(_runs_of(triggering, measured), output_only=_runs_of(output_only, measured))


def _runs_of(cases: Sequence[Case], measured: Measured) -> list[Run]:
    return [run for case in cases for run in measured.runs.get(case.id, ())]


def _host() -> dict[str, str]:
    versions = {package: importlib.metadata.version(package) for package in _NUMERIC_PACKAGES}
    return {"python": platform.python_version(), "platform": platform.system(), **versions}

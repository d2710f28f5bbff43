"""Runs the cases of an eval suite, grades them and writes the answer."""

import os
from collections.abc import Iterator, Sequence

from skill_evaluator.api.plugin_eval.clock import Clock
from skill_evaluator.api.plugin_eval.doubts import api_errors, graded_errors, too_few_files
from skill_evaluator.api.plugin_eval.evaluation import Evaluation, Parts
from skill_evaluator.api.plugin_eval.finished import FinishedRun
from skill_evaluator.api.plugin_eval.granting import refused_grants, refused_removals
from skill_evaluator.api.plugin_eval.meanwhile import has_room, load_meanwhile
from skill_evaluator.api.plugin_eval.options import EvaluatedSuite, Listener, SuiteOptions
from skill_evaluator.api.plugin_eval.output import report_path, write_report, write_result
from skill_evaluator.api.plugin_eval.parts import make_parts
from skill_evaluator.api.plugin_eval.plan import SuitePlan, plan_suite
from skill_evaluator.api.plugin_eval.result import Outcomes, measured, nothing_run, suite_result
from skill_evaluator.errors import EXIT_BY_SIGNAL, InputError
from skill_evaluator.report.suite.files import RESULT_FILE
from skill_evaluator.results.suite_result import PartialReason, SuiteResult
from skill_evaluator.runner.loop import run_alone
from skill_evaluator.texts import joined, ntr, tr

_OK, _FAILED, _PARTIAL = 0, 1, 2
_MOST_NAMED = 5
_BLAS_THREADS = "OPENBLAS_NUM_THREADS"
_LOADED_LATE = ("numpy", "jinja2")  # intervals and the report need them once the last run is over


def evaluate_suite(options: SuiteOptions, listener: Listener) -> EvaluatedSuite:
    """Run a suite, and write its answer into the output folder.

    Whatever keeps it from being run is in the answer, not raised.
    """
    plan = plan_suite(options)
    removals = refused_removals(options)
    for message in (*refused_grants(options), *removals, *plan.refused):
        listener.warned(joined(" ", ["✗", message]))
    if removals or not plan.cases:
        reasons = (*removals, *plan.refused, *_refused(options))
        return EvaluatedSuite(result=nothing_run(options), exit_status=_FAILED, reasons=reasons, had_cases=False)
    try:
        parts = make_parts(options, plan)
    except InputError as error:
        return EvaluatedSuite(result=None, exit_status=_FAILED, reasons=tuple(str(one) for one in error.findings))
    return evaluate_with(options, plan, parts, listener)


def evaluate_with(options: SuiteOptions, plan: SuitePlan, parts: Parts, listener: Listener) -> EvaluatedSuite:
    """Work a plan off with the agent and the judge that are given, and write the answer.

    Args:
        options: What was asked for.
        plan: What is to be run.
        parts: Who is asked.
        listener: Is told how it goes.
    """
    clock = Clock()
    listener.planned(plan.cases, ablation=plan.ablation, is_default=plan.is_default)
    for doubt in too_few_files(options.concurrency):
        listener.warned(doubt)
    evaluation = Evaluation(options, plan, parts, listener)
    if has_room() and not evaluation.spending.is_over:
        load_meanwhile(*_LOADED_LATE)
    run_alone(evaluation.whole())
    remarks = tuple(graded_errors(evaluation.runs))
    came = Outcomes(
        runs=evaluation.runs,
        agent=parts.agent.info,
        started_at=clock.started_at,
        duration_s=clock.duration_s,
        partial_reason=_partial_reason(evaluation),
        notes=tuple(dict.fromkeys((*remarks, *(note for run in evaluation.runs for note in run.asked.notes)))),
    )
    result = suite_result(options, plan, came)
    problems = write_result(result, options)  # before all that may fail: the runs are paid
    _keep_recordings(options, evaluation.runs, parts, listener)
    result = _with_measures(result, options, plan, came, listener)
    if result.measures is not None:
        problems = write_result(result, options)
    return _answered(options, plan, evaluation, result, problems, listener)


def _with_measures(
    result: SuiteResult, options: SuiteOptions, plan: SuitePlan, came: Outcomes, listener: Listener
) -> SuiteResult:
    """Give the answer with what this product measures, and without it where that cannot be worked out."""
    if not has_room():
        os.environ.setdefault(_BLAS_THREADS, "1")  # each thread would take memory, and without it ends the process
    try:
        return measured(result, options, plan, came)
    except Exception as fault:  # noqa: BLE001 - memory, a library that cannot be loaded, a bug: the result stands
        listener.warned(
            tr(
                "the statistics cannot be worked out ({name}: {fault}), so {result_file} is without "
                "`skillEvaluator`; all else in it is whole",
                name=type(fault).__name__,
                fault=fault,
                result_file=RESULT_FILE,
            )
        )
        return result


def _keep_recordings(options: SuiteOptions, runs: Sequence[FinishedRun], parts: Parts, listener: Listener) -> None:
    """Keep what models answered for servers in runs that ended well."""
    clean = [run for run in runs if run.entry.error is None and run.entry.aborted is None]
    recordings = [one for run in clean for one in parts.recordings.get((run.planned.case.id, *run.place), ())]
    if not recordings:
        return
    from skill_evaluator.stand_ins import write_recordings  # noqa: PLC0415 - loaded where there are stand-ins

    try:
        write_recordings(recordings, options.output_dir, secrets=parts.secrets)
    except (OSError, ValueError, RecursionError) as error:  # a model may nest deeper than JSON is written
        listener.warned(tr("what models answered for MCP servers is not kept: {error}", error=error))


def _answered(
    options: SuiteOptions,
    plan: SuitePlan,
    evaluation: Evaluation,
    result: SuiteResult,
    problems: Sequence[str],
    listener: Listener,
) -> EvaluatedSuite:
    reasons = [
        *refused_grants(options),
        *plan.refused,
        *_refused(options),
        *api_errors(evaluation.runs),
        *problems,
    ]
    unreported = write_report(result, options)
    for problem in unreported:
        listener.warned(problem)
    if result.partial_reason is None and evaluation.spending.is_over:
        listener.warned(
            tr(
                "the last run went over the cost ceiling of ${max_cost_usd:g}; no run is missing",
                max_cost_usd=options.max_cost_usd,
            )
        )
    kept = tuple(run.asked.kept for run in evaluation.runs if run.asked.kept is not None)
    status = _status(evaluation, result, is_faulty=bool(reasons))
    return EvaluatedSuite(
        result=result,
        exit_status=status,
        reasons=tuple(reasons),
        remarks=tuple(graded_errors(evaluation.runs)),
        kept=kept,
        report=None if unreported else report_path(options),
    )


def _partial_reason(evaluation: Evaluation) -> PartialReason | None:
    if evaluation.stop.reason in EXIT_BY_SIGNAL:
        return "interrupted"
    if evaluation.is_refused:
        return "auth_failed"
    return "cost_ceiling" if evaluation.stop.reason == "max_cost" else None


def _status(evaluation: Evaluation, result: SuiteResult, *, is_faulty: bool) -> int:
    if result.partial_reason == "interrupted":
        return EXIT_BY_SIGNAL[evaluation.stop.reason or "SIGINT"]
    if result.is_partial:
        return _PARTIAL
    is_below = result.numbers.cases_passed < result.numbers.cases_total
    return _FAILED if is_below or is_faulty else _OK


def _refused(options: SuiteOptions) -> Iterator[str]:
    folders = options.suite.refused
    if folders:
        named = ", ".join(folder.name for folder in folders[:_MOST_NAMED])
        more = "" if len(folders) <= _MOST_NAMED else ", ..."
        yield ntr(
            "{n} case does not load ({named}{more})",
            "{n} cases do not load ({named}{more})",
            len(folders),
            named=named,
            more=more,
        )

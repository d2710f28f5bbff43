"""The runs of a report as CSV: one line for each."""

from collections.abc import Iterator, Mapping
from typing import Final

from skill_evaluator.metrics.cases import is_success
from skill_evaluator.metrics.rubric import in_both_orders
from skill_evaluator.model import Usage
from skill_evaluator.report.ci.table import Cell, csv_text, fitting
from skill_evaluator.report.phrases import as_json
from skill_evaluator.results import CaseResult, Report, RunResult, RunState, TextSource

COLUMNS: Final = (
    *("case", "split", "type", "tags", "run", "state", "failure", "failure_message", "fired", "right", "seconds"),
    *("input_tokens", "output_tokens", "requests", "cost_usd", "cut_by", "skills", "tools"),
    *(
        "checks_passed",
        "checks_failed",
        "checks_open",
        "judge_scores",
        "case_right",
        "file",
        "line",
        "input",
        "output",
        "output_cut",
    ),
)
_TYPES: Final[Mapping[bool | None, str]] = {True: "should_trigger", False: "should_not_trigger", None: "output_only"}
_FIRED: Final = {RunState.TRIGGERED: True, RunState.NOT_TRIGGERED: False}
_Scores = Mapping[tuple[str, int], Mapping[str, float]]  # by case and run, then by rubric item


def report_to_csv(report: Report) -> str:
    """List every run that was made; a case of which none was has no line."""
    return csv_text(COLUMNS, _rows(report))


def _rows(report: Report) -> Iterator[list[Cell]]:
    scores = _judge_scores(report)
    for case in report.cases:
        durations = report.volatile.durations_s.get(case.id, ())
        for place, run in enumerate(case.runs):
            seconds = durations[place] if place < len(durations) else None
            output, cut = (None, None) if run.output is None else fitting(run.output)
            yield [
                *_of_case(case),
                *_of_run(case, run, seconds),
                *_of_checks(run, scores.get((case.id, run.index), {})),
                case.is_right,
                report.volatile.case_files.get(case.id, report.volatile.testset_path),
                case.line,
                case.prompt,
                output,
                cut,
            ]


def _of_case(case: CaseResult) -> list[Cell]:
    return [case.id, case.split, _TYPES[case.expect_trigger], as_json(list(case.tags))]


def _of_run(case: CaseResult, run: RunResult, seconds: float | None) -> list[Cell]:
    usage, failure = run.usage or Usage(), run.failure
    return [
        run.index + 1,
        run.state,
        None if failure is None else failure.kind,
        None if failure is None else failure.message,
        _FIRED.get(run.state),
        None if run.state is RunState.ERROR else is_success(run, expected=case.expect_trigger),
        seconds,
        *(usage.input_tokens, usage.output_tokens, usage.requests, usage.cost_usd),
        run.cut_by,
        as_json(list(run.skills_invoked)),
        None if run.tool_calls is None else as_json([call.name for call in run.tool_calls]),
    ]


def _of_checks(run: RunResult, scores: Mapping[str, float]) -> list[Cell]:
    """Name the graders by what they found, and the mean of both orders by rubric item."""
    named = [
        as_json([verdict.grader for verdict in run.verdicts if verdict.outcome.passed is passed])
        for passed in (True, False, None)
    ]
    return [*named, as_json(scores) if scores else None]


def _judge_scores(report: Report) -> _Scores:
    """Give the scores of a judge that can be believed; one that moved with the order of the texts is left out."""
    found: dict[tuple[str, int], dict[str, float]] = {}
    for panel in report.judge.panels if report.judge and report.judge.fit else ():
        for pair in in_both_orders(panel, TextSource.RUN):
            if pair.agrees and pair.forward.index is not None:
                found.setdefault((panel.case_id, pair.forward.index), {})[panel.item] = pair.total / 2
    return found

"""The runs of an eval suite as CSV: one line for each, with the plugin and without it."""

from collections.abc import Iterator
from typing import Final

from skill_evaluator.metrics.suite_notes import ending_of
from skill_evaluator.model import Arm
from skill_evaluator.report.ci.table import Cell, csv_text
from skill_evaluator.report.phrases import as_json
from skill_evaluator.report.suite.content import moment_text, whole_seconds
from skill_evaluator.results.suite_result import RunOfCase, SuiteResult

COLUMNS: Final = (
    *("case", "folder", "arm", "run", "score", "passed", "ending", "error", "turns", "seconds", "cost_usd"),
    *("judge_cost_usd", "started_at", "graders_passed", "graders_failed", "judge_votes", "trace", "input"),
)


def suite_result_to_csv(result: SuiteResult) -> str:
    """List every run that was made."""
    return csv_text(COLUMNS, _rows(result))


def _rows(result: SuiteResult) -> Iterator[list[Cell]]:
    for case in result.cases:
        for arm, runs in ((Arm.WITH, case.with_plugin), (Arm.WITHOUT, case.without_plugin or ())):
            for index, run in enumerate(runs, start=1):
                yield [case.name, case.folder, arm, index, *_of_run(run), case.prompt]


def _of_run(run: RunOfCase) -> list[Cell]:
    named = [as_json([grader.name for grader in run.graders if grader.passed is passed]) for passed in (True, False)]
    votes = {grader.name: list(grader.judge_votes) for grader in run.graders if grader.judge_votes is not None}
    return [
        *(run.score, run.passed, ending_of(run), run.error, run.turns, whole_seconds(run), run.cost_usd),
        run.judge_cost_usd,
        None if run.started_at is None else moment_text(run.started_at),
        *named,
        as_json(votes) if votes else None,
        run.trace_path,
    ]

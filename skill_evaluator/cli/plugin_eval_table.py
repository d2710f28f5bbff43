"""What came of a suite: the table and the lines below it, on standard output."""

import unicodedata
from collections.abc import Iterator, Sequence

from skill_evaluator.cli.language import spoken
from skill_evaluator.cli.plugin_eval_numbers import count_text, delta_text, dollars_text, percent_text, score_text
from skill_evaluator.cli.plugin_eval_triggers import trigger_lines
from skill_evaluator.metrics.suite_models import model_words
from skill_evaluator.metrics.suite_notes import Ending, as_measured, ending_of
from skill_evaluator.model import one_line
from skill_evaluator.report.phrases import phrases
from skill_evaluator.report.suite.overview import verdict
from skill_evaluator.report.suite.tiles import cost_words
from skill_evaluator.results.suite_result import CaseOfSuite, RunOfCase, SuiteResult

_WIDTHS = {"SCORE": 6, "WITH": 6, "WITHOUT": 9, "PASS%": 6, "DELTA": 7, "RUNS": 5, "COST": 8}
_LONGEST_NOTE = 160
_PARTIAL = {
    "cost_ceiling": "the cost ceiling was reached",
    "interrupted": "interrupted",
    "auth_failed": "the login was refused",
}


def summary_text(result: SuiteResult, *, refused: int) -> str:
    """Lay out the summary of a suite.

    Args:
        result: The answer.
        refused: Cases that did not load.
    """
    lines = ["", *_head(result), *_table(result.cases), "", _totals(result)]
    if result.measures is not None:
        lines += trigger_lines(result, result.measures)
    if refused:
        lines += ["", f"{count_text(refused, 'case')} did not load; why stands above."]
    said = verdict(result, phrases(spoken(), "plain"))
    return "\n".join([*lines, "", f"{said.word}: {said.words}."])


def _head(result: SuiteResult) -> Iterator[str]:
    if result.measures is not None and result.cases:
        model = model_words(result.settings.model, result.measures.models) or "not recorded"
        judge = f" · judge {result.settings.judge_model}" if result.settings.judge_model else ""
        program = f"{result.measures.agent} {result.claude_version}".strip()
        yield one_line(f"{program} · model {model}{judge}")


def _table(cases: Sequence[CaseOfSuite]) -> Iterator[str]:
    two_arms = any(case.without_plugin is not None for case in cases)
    heads = ("WITH", "WITHOUT", "DELTA", "RUNS", "COST") if two_arms else ("SCORE", "PASS%", "RUNS", "COST")
    width = max([4, *(_width(_name(case)) for case in cases)]) + 2
    yield _padded("CASE", width) + "".join(_padded(head, _WIDTHS[head]) for head in heads) + "NOTES"
    for case in cases:
        cells = _cells(case)
        yield _padded(_name(case), width) + "".join(_padded(cells[head], _WIDTHS[head]) for head in heads) + _note(case)


def _cells(case: CaseOfSuite) -> dict[str, str]:
    numbers, arms = case.numbers, (case.with_plugin, case.without_plugin or ())
    runs = [run for arm in arms for run in arm]
    score = score_text(as_measured(numbers.score, case.with_plugin))
    return {
        "SCORE": score,
        "PASS%": percent_text(as_measured(numbers.pass_rate, case.with_plugin)),
        "WITH": score,
        "WITHOUT": score_text(as_measured(numbers.score_without, case.without_plugin)),
        "DELTA": delta_text(as_measured(numbers.delta, *arms)),
        "RUNS": str(len(runs)),
        "COST": dollars_text(sum(run.cost_usd for run in runs)),
    }


def _note(case: CaseOfSuite) -> str:
    """Say why runs with the plugin were not perfect: the first error, else the weightiest grader that failed.

    A run without it that was interrupted is named too: its score is shown no more than that of the other arm would be.
    """
    note = next((run.error for run in case.with_plugin if run.error), None) or _failed(case.with_plugin)
    if any(ending_of(run) is Ending.INTERRUPTED for run in case.without_plugin or ()):
        note = "; ".join(filter(None, (note, "interrupted without the plugin")))
    line = one_line(" ".join(note.split()))
    return line if len(line) <= _LONGEST_NOTE else line[: _LONGEST_NOTE - 1] + "…"


def _failed(runs: Sequence[RunOfCase]) -> str:
    failed = [grader for run in runs for grader in run.graders if not grader.passed]
    if not failed:
        return ""
    worst = max(failed, key=lambda grader: grader.weight or 0.0)
    return f"{worst.name}: {worst.explanation}"


def _totals(result: SuiteResult) -> str:
    parts = [count_text(len(result.cases), "case")]
    arms = [arm for case in result.cases for arm in (case.with_plugin, case.without_plugin)]
    if (delta := as_measured(result.numbers.mean_delta, *arms)) is not None:
        parts.append(f"mean delta {delta_text(delta)}")
    parts += [
        f"{result.duration_s:.0f} s",
        f"{dollars_text(result.cost_usd)} ({cost_words(result, phrases(spoken(), 'plain'))})",
    ]
    if result.partial_reason is not None:
        parts.append(f"⚠ partial ({_PARTIAL[result.partial_reason]})")
    return " · ".join(parts)


def _name(case: CaseOfSuite) -> str:
    return one_line(" ".join(case.name.split()))


def _padded(text: str, width: int) -> str:
    return text + " " * max(1, width - _width(text))


def _width(text: str) -> int:
    """Count the columns of a terminal; those of an East Asian character are two."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )

"""What came of a suite: the table and the lines below it, on standard output."""

import unicodedata
from collections.abc import Iterator, Sequence

from skill_evaluator.cli.plugin_eval_numbers import count_text, delta_text, dollars_text, percent_text, score_text
from skill_evaluator.metrics.suite_notes import Ending, as_measured, ending_of
from skill_evaluator.model import one_line
from skill_evaluator.results.suite_result import CaseOfSuite, RunOfCase, SuiteMeasures, SuiteResult

_WIDTHS = {"SCORE": 6, "WITH": 6, "W/OUT": 6, "PASS%": 6, "Δ": 7, "RUNS": 5, "COST": 8}
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
    lines = ["", *_table(result.cases), "", _totals(result)]
    if result.measures is not None:
        lines += _triggers(result.measures)
    if refused:
        lines += ["", f"{count_text(refused, 'case')} did not load; why stands above."]
    return "\n".join(lines)


def _table(cases: Sequence[CaseOfSuite]) -> Iterator[str]:
    two_arms = any(case.without_plugin is not None for case in cases)
    heads = ("WITH", "W/OUT", "Δ", "RUNS", "COST") if two_arms else ("SCORE", "PASS%", "RUNS", "COST")
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
        "W/OUT": score_text(as_measured(numbers.score_without, case.without_plugin)),
        "Δ": delta_text(as_measured(numbers.delta, *arms)),
        "RUNS": str(len(runs)),
        "COST": dollars_text(sum(run.cost_usd for run in runs)),
    }


def _note(case: CaseOfSuite) -> str:
    """Say why runs with the plugin were not perfect: the first error, else the weightiest grader that failed.

    A run without it that was interrupted is named too: its score is not to be read beside that of the other arm.
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
        parts.append(f"mean Δ {delta_text(delta)}")
    parts += [f"{result.duration_s:.0f} s", dollars_text(result.cost_usd)]
    if result.partial_reason is not None:
        parts.append(f"⚠ partial: {_PARTIAL[result.partial_reason]}")
    return " · ".join(parts)


def _triggers(measures: SuiteMeasures) -> Iterator[str]:
    """Say how surely the skill fires, over the cases whose graders claim something of it."""
    counts = measures.counts
    positive = counts.true_positives + counts.false_negatives
    negative = counts.false_positives + counts.true_negatives
    if positive or negative:
        unmeasured = f" · {counts.unmeasured} unmeasured" if counts.unmeasured else ""
        recall = f"recall {counts.true_positives}/{positive}" if positive else "no case where it should fire"
        false = f"false triggers {counts.false_positives}/{negative}" if negative else "no case where it should not"
        yield f"Triggers: {recall} · {false}{unmeasured}"
    if measures.never_fired:
        yield "The skill never fired: its description may not fit the words of the prompts."


def _name(case: CaseOfSuite) -> str:
    return one_line(" ".join(case.name.split()))


def _padded(text: str, width: int) -> str:
    return text + " " * max(1, width - _width(text))


def _width(text: str) -> int:
    """Count the columns of a terminal; those of an East Asian character are two."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )

"""What came of a suite: the table and the lines below it, on standard output."""

from collections.abc import Iterator, Sequence
from typing import Literal

from skill_evaluator.cli.language import spoken
from skill_evaluator.cli.plugin_eval_numbers import delta_text, dollars_text, percent_text, score_text
from skill_evaluator.cli.plugin_eval_triggers import trigger_lines
from skill_evaluator.cli.wording import together
from skill_evaluator.cli.wrapping import cut, padded, wrapped
from skill_evaluator.metrics.suite_models import model_words
from skill_evaluator.metrics.suite_notes import Ending, as_measured, ending_of
from skill_evaluator.model import one_line
from skill_evaluator.report.escape import display_width
from skill_evaluator.report.phrases import phrases
from skill_evaluator.report.suite.overview import verdict
from skill_evaluator.report.suite.tiles import cost_words
from skill_evaluator.results.suite_result import CaseOfSuite, RunOfCase, SuiteResult
from skill_evaluator.texts import joined, localized, ntr, tr

_Head = Literal["SCORE", "WITH", "WITHOUT", "PASS%", "DELTA", "RUNS", "COST"]
_WIDTHS: dict[_Head, int] = {"SCORE": 6, "WITH": 6, "WITHOUT": 9, "PASS%": 6, "DELTA": 7, "RUNS": 5, "COST": 8}
_HEADS: dict[_Head, str] = {
    "SCORE": tr("SCORE"),
    "WITH": tr("WITH"),
    "WITHOUT": tr("WITHOUT"),
    "PASS%": tr("PASS%"),
    "DELTA": tr("DELTA"),
    "RUNS": tr("RUNS"),
    "COST": tr("COST"),
}
_LONGEST_NOTE = 160
_NARROWEST_NOTE = 20  # columns beside the numbers; a narrower one stands below them
_PARTIAL = {
    "cost_ceiling": tr("the cost ceiling was reached"),
    "interrupted": tr("interrupted"),
    "auth_failed": tr("the login was refused"),
}


def summary_text(result: SuiteResult, *, refused: int, width: int | None = None) -> str:
    """Lay out the summary of a suite.

    Args:
        result: The answer.
        refused: Cases that did not load.
        width: Columns of the terminal it is shown at; None where it is none.
    """
    below = [_totals(result)]
    if result.measures is not None:
        below += trigger_lines(result, result.measures)
    if refused:
        missing = ntr("{n} case did not load; why stands above.", "{n} cases did not load; why stands above.", refused)
        below += ["", missing]
    said = verdict(result, phrases(spoken(), "plain"))
    below += ["", tr("{verdict}: {words}.", verdict=said.word, words=said.words)]
    head, table = [wrapped(line, width) for line in _head(result)], _table(result.cases, width)
    return "\n".join(["", *head, *table, "", *(wrapped(_said(line), width) for line in below)])


def _head(result: SuiteResult) -> Iterator[str]:
    if result.measures is not None and result.cases:
        model = model_words(result.settings.model, result.measures.models)
        named = tr("model {model}", model=model) if model else tr("model not recorded")
        judge = tr("judge {model}", model=result.settings.judge_model) if result.settings.judge_model else ""
        program = f"{result.measures.agent} {result.claude_version}".strip()
        yield one_line(" · ".join(filter(None, [program, _said(named), _said(judge)])))


def _table(cases: Sequence[CaseOfSuite], width: int | None) -> Iterator[str]:
    two_arms = any(case.without_plugin is not None for case in cases)
    heads: tuple[_Head, ...] = (
        ("WITH", "WITHOUT", "DELTA", "RUNS", "COST") if two_arms else ("SCORE", "PASS%", "RUNS", "COST")
    )
    of_names = max([4, *(display_width(_name(case)) for case in cases)]) + 2
    widths = [max(_WIDTHS[head], display_width(_said(_HEADS[head])) + 1) for head in heads]
    rest = None if width is None else width - sum(widths)
    header = _numbers([_said(_HEADS[head]) for head in heads], widths)
    yield from _row(_said(tr("CASE")), header, _said(tr("NOTES")), of_names=of_names, rest=rest)
    for case in cases:
        cells = _cells(case)
        numbers = _numbers([cells[head] for head in heads], widths)
        yield from _row(_name(case), numbers, _note(case), of_names=of_names, rest=rest)


def _numbers(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(_padded(cell, width) for cell, width in zip(cells, widths, strict=True))


def _row(name: str, numbers: str, note: str, *, of_names: int, rest: int | None) -> Iterator[str]:
    """Lay a row out; what finds no room beside the numbers of a narrow terminal stands above and below them.

    Args:
        name: Of the case.
        numbers: Its numbers, padded.
        note: What to know of it.
        of_names: Columns of the longest name.
        rest: Columns that the numbers leave; None where there is no end.
    """
    if rest is None or rest - of_names >= _NARROWEST_NOTE:
        note = note if rest is None else cut(note, rest - of_names)
        yield _padded(name, of_names) + numbers + note
        return
    whole = rest + display_width(numbers)
    if rest >= of_names:
        yield (_padded(name, of_names) + numbers).rstrip()
    else:
        yield cut(name, whole)
        yield f"  {numbers}".rstrip()
    if note:
        yield wrapped(f"  {note}", whole)


def _cells(case: CaseOfSuite) -> dict[_Head, str]:
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
    """Say why runs with the plugin were not perfect: the first error or abort, else the weightiest grader that failed.

    A run without it that was interrupted is named too: its score is shown no more than that of the other arm would be.
    """
    note = next(filter(None, map(_ended, case.with_plugin)), None) or _failed(case.with_plugin)
    if any(ending_of(run) is Ending.INTERRUPTED for run in case.without_plugin or ()):
        note = _said(together([note, tr("interrupted without the plugin")]))
    line = one_line(" ".join(note.split()))
    return line if len(line) <= _LONGEST_NOTE else line[: _LONGEST_NOTE - 1] + "…"


def _ended(run: RunOfCase) -> str | None:
    if run.error or run.aborted is None:
        return run.error
    return f"{run.aborted.server}/{run.aborted.tool}: {run.aborted.reason}"


def _failed(runs: Sequence[RunOfCase]) -> str:
    failed = [grader for run in runs for grader in run.graders if not grader.passed]
    if not failed:
        return ""
    worst = max(failed, key=lambda grader: grader.weight or 0.0)
    return _said(joined(": ", [worst.name, worst.explanation]))


def _totals(result: SuiteResult) -> str:
    parts: list[str] = [ntr("{n} case", "{n} cases", len(result.cases))]
    arms = [arm for case in result.cases for arm in (case.with_plugin, case.without_plugin)]
    if (delta := as_measured(result.numbers.mean_delta, *arms)) is not None:
        parts.append(tr("mean delta {delta}", delta=delta_text(delta)))
    words = cost_words(result, phrases(spoken(), "plain"))
    cost = tr("{cost} ({what})", cost=dollars_text(result.cost_usd), what=words)
    parts += [tr("{seconds:.0f} s", seconds=result.duration_s), cost]
    if result.partial_reason is not None:
        parts.append(tr("⚠ partial ({why})", why=_PARTIAL[result.partial_reason]))
    return joined(" · ", parts)


def _name(case: CaseOfSuite) -> str:
    return one_line(" ".join(case.name.split()))


def _padded(text: str, width: int) -> str:
    return padded(f"{text} ", width)


def _said(text: str) -> str:
    return localized(text, spoken())

"""What was expected and what was decided, as a table of four shaded cells."""

from dataclasses import dataclass

from skill_evaluator.model import Split
from skill_evaluator.report.escape import Md
from skill_evaluator.report.output_only import is_output_only
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.scores import cases_of
from skill_evaluator.results import Report

_STEPS = 4  # shades of a cell, beside none


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """One count.

    Attributes:
        cases: How many.
        word: What they are called.
        look: A class of page.css that shades the cell, the stronger the more of its row it holds.
    """

    cases: int
    word: Md
    look: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfusionView:
    """The cases of a split: each row what was expected, its columns triggered or not.

    Attributes:
        rows: Under their names.
        unmeasured: How many cases stand in none of them, or None without any.
    """

    rows: tuple[tuple[Md, tuple[Cell, Cell]], ...]
    unmeasured: Md | None


def confusion_view(report: Report, split: Split, say: Phrases) -> ConfusionView | None:
    """Word the confusion matrix of a split; None without cases, and where no case asks for a trigger."""
    if is_output_only(report) or not cases_of(report, split):
        return None
    found = report.splits[split].confusion
    positives, negatives = found.true_positives + found.false_negatives, found.false_positives + found.true_negatives
    rows = (
        (
            say.name("positive", "class"),
            (
                _cell("true_positives", found.true_positives, positives, say, right=True),
                _cell("false_negatives", found.false_negatives, positives, say, right=False),
            ),
        ),
        (
            say.name("negative", "class"),
            (
                _cell("false_positives", found.false_positives, negatives, say, right=False),
                _cell("true_negatives", found.true_negatives, negatives, say, right=True),
            ),
        ),
    )
    unmeasured = say("html.unmeasured", cases=found.unmeasured) if found.unmeasured else None
    return ConfusionView(rows=rows, unmeasured=unmeasured)


def _cell(name: str, cases: int, of: int, say: Phrases, *, right: bool) -> Cell:
    step = -(-_STEPS * cases // of) if of else 0
    return Cell(cases=cases, word=say(f"html.{name}"), look=f"{'right' if right else 'wrong'} shade-{step}")

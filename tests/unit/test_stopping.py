"""What a page says of the gate."""

from dataclasses import replace
from pathlib import Path

import pytest

from skill_evaluator.api.saved import load_report
from skill_evaluator.model import Split
from skill_evaluator.report.phrases import phrases
from skill_evaluator.report.stopping import gate_words
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Change, Comparison, Evidence, Interval

FAILING = Path(__file__).parents[1] / "golden" / "failing.json"


def almost(*, marked: bool = True) -> Comparison:
    """Recall is worse by 95%, and its stricter interval holds 0."""
    comparison = load_report(FAILING).comparison
    assert comparison is not None
    paired = comparison.paired[Split.ACCEPTANCE]
    recall = replace(
        paired.changes["recall"],
        difference=-0.2,
        interval=Interval(low=-0.4, high=-0.01),
        gate_interval=Interval(low=-0.45, high=0.01),
        evidence=Evidence.REGRESSED,
    )
    mark = Change.REGRESSED if marked else Change.UNCHANGED
    changes = tuple(
        replace(change, mark=mark if change.name == "recall" else Change.UNCHANGED)
        for change in comparison.changes[Split.ACCEPTANCE]
    )
    return replace(
        comparison,
        changes={**comparison.changes, Split.ACCEPTANCE: changes},
        paired={**comparison.paired, Split.ACCEPTANCE: replace(paired, changes={"recall": recall}, gate_level=0.967)},
        fail_on="significant",
        stops=(),
    )


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "Marked, and shown at the 95% level but not at the 96.7% that stops a build: Recall."),
        ("zh", "有倒退标记，按 95% 的水平算有变化，但达不到拦下构建所需的 96.7%：召回率。"),
    ],
)
def test_a_regression_that_almost_stops_the_build_is_named(lang: Lang, words: str) -> None:
    shown = gate_words(almost(), phrases(lang))

    assert shown is not None
    assert shown.endswith(words)


def test_what_is_not_marked_is_not_said_to_be_almost_enough() -> None:
    shown = gate_words(almost(marked=False), phrases("en"))

    assert shown is not None
    assert "95%" not in shown

"""One card for each case: what was put in, expected and seen, run by run, and what a judge said."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Html, Md
from skill_evaluator.report.failures import FailedView
from skill_evaluator.report.in_html import html_line, html_text
from skill_evaluator.report.page.case_columns import RowView
from skill_evaluator.report.page.case_facts import CaseFacts
from skill_evaluator.report.page.case_layout import Layout
from skill_evaluator.report.page.case_runs import Detail, runs_html
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.results import Ballot, Panel, Scored, TextSource

_SHORTEST_INPUT = 200  # characters of an input that are shown in any case


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpectedView:
    """What was expected of a case, and what was seen instead; `sort` is None where it is as it should be."""

    SLOTS: ClassVar = ("sort", "expected", "actual")

    sort: Md | None
    expected: Md
    actual: Md


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgedView:
    """One score of the judge in either order; None where that order gave none."""

    heading: Md
    forward: Md
    backward: Md
    is_apart: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class PanelView:
    """One rubric item: its mean and target in words, and the scores of each run."""

    item: Html
    result: Md
    scores: tuple[JudgedView, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CardView:
    """One case as a card, beside what its row says; `more_runs` are left out."""

    SLOTS: ClassVar = ("input", "expected", "runs", "panels")

    is_open: bool
    input: Html
    expected: Html
    runs: Html
    more_runs: int
    panels: Html


def card_view(  # noqa: PLR0913 - what a card is made of
    one: CaseFacts,
    row: RowView,
    *,
    text: str,
    failures: Sequence[FailedView],
    panels: Sequence[Panel],
    detail: Detail,
    layout: Layout,
) -> CardView:
    """Word one case as a card.

    Args:
        one: The case.
        row: Its row.
        text: Its input, as a page shows it.
        failures: What the report says of it among the failed cases; empty for one that is right.
        panels: What a judge that is fit said of it.
        detail: How much of the texts there is room for.
        layout: Words and macros.
    """
    runs, more_runs = runs_html(one.case, detail, layout)
    expected = (layout.filled("expected", view) for view in _expected(one, row, failures, layout))
    judged = (_panel(panel, one, detail, layout.say) for panel in panels) if detail.characters else ()
    return CardView(
        is_open=one.is_failed and bool(one.case.runs),
        input=Html(html_text(text, limit=max(detail.characters, _SHORTEST_INPUT))),
        expected=Html("".join(expected)),
        runs=Html("\n".join(runs)),
        more_runs=more_runs,
        panels=Html("\n".join(layout.made("one_panel", panel) for panel in judged)),
    )


def _expected(one: CaseFacts, row: RowView, failures: Sequence[FailedView], layout: Layout) -> Iterator[ExpectedView]:
    for view in failures:
        yield ExpectedView(sort=view.sort, expected=view.expected, actual=view.actual)
    if not failures:
        yield ExpectedView(sort=None, expected=layout.say(f"cases.expect_{one.kind}"), actual=row.told)


def _panel(panel: Panel, one: CaseFacts, detail: Detail, say: Phrases) -> PanelView:
    forward, backward = _by_run(panel.forward), _by_run(panel.backward)
    score = one.case.rubric.get(panel.item)
    target = score.target if score else None
    dash = say("page.undefined")
    return PanelView(
        item=Html(html_line(panel.item, limit=max(detail.characters, 80))),
        result=say(
            "cases.rubric",
            mean=dash if score is None or score.mean is None else Md(numbers.apart(score.mean, score.target)),
            target=dash if target is None else target,
        ),
        scores=tuple(
            JudgedView(
                heading=say("cases.run", numbers=index + 1),
                forward=_score(forward.get(index), panel.forward, detail, say),
                backward=_score(backward.get(index), panel.backward, detail, say),
                is_apart=_is_apart(forward.get(index), backward.get(index)),
            )
            for index in sorted(forward.keys() | backward.keys())[: detail.items]
        ),
    )


def _by_run(ballot: Ballot | None) -> Mapping[int, Scored]:
    scores = ballot.scores if ballot else ()
    return {one.index: one for one in scores if one.source is TextSource.RUN and one.index is not None}


def _score(scored: Scored | None, ballot: Ballot | None, detail: Detail, say: Phrases) -> Md:
    if scored is not None:
        return say("cases.scored", score=scored.score, reason=say.quote(scored.reason, limit=detail.characters))
    if ballot is not None and ballot.failure is not None:
        message = say.quote(ballot.failure.message, limit=detail.characters)
        return say("cases.score_failed", kind=say.name(ballot.failure.kind, "failure"), message=message)
    return say("page.undefined")


def _is_apart(forward: Scored | None, backward: Scored | None) -> bool:
    return forward is not None and backward is not None and abs(forward.score - backward.score) > 1

"""All cases of a report as a table and as cards, a page of which stands in the HTML and the rest beside it, as data.

Rows and cards are laid out by the macros of `case_macros.html.j2` alone: what is not on the first page waits as the
HTML that they gave.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from skill_evaluator.metrics.rubric import panels_by_case
from skill_evaluator.model import Split
from skill_evaluator.report.escape import Html, Md, cut_middle, visible
from skill_evaluator.report.failures import FailedView, failed_heading, failed_splits
from skill_evaluator.report.output_only import shown_input
from skill_evaluator.report.page.case_blocks import Block, json_block, json_blocks, json_text
from skill_evaluator.report.page.case_cards import card_view
from skill_evaluator.report.page.case_columns import Column, RowView, columns, ranks, row_view
from skill_evaluator.report.page.case_facts import CaseFacts, Outcome, facts_of
from skill_evaluator.report.page.case_filters import Filter, filters, legend, tags_to_choose
from skill_evaluator.report.page.case_layout import Layout
from skill_evaluator.report.page.case_room import DETAILS, fit, leading
from skill_evaluator.report.page.case_runs import Detail
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.results import Panel, Report, ReportVerdict

ROWS_A_PAGE, CARDS_A_PAGE = 50, 10
ROOM = 13_500_000  # bytes of rows, index and cards together: with all else a page stays below 15 MB
_ROOM_OF_ROWS = 6_000_000
_INPUTS = 1_500_000  # characters of all inputs in the table together
_LONGEST_INPUT, _SHORTEST_INPUT = 300, 60


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseListView:
    """The list of cases, ready to be put into a page.

    Attributes:
        heading: Over the cards, with the number of failed cases.
        all_cases: How many there are, by split in words.
        columns: Those of the table.
        filters: Those that would leave something out.
        legend: What the signs of runs mean: the sign and its words.
        rows: The first page of the table.
        cards: The first page of cards, failed cases first.
        row_pages: How many pages the table has.
        card_pages: How many pages of cards there are.
        notes: What was left out for want of room, and what else to know.
        blocks: What the script reads.
    """

    heading: Md
    all_cases: Md
    columns: tuple[Column, ...]
    filters: tuple[Filter, ...]
    legend: tuple[tuple[Html, Md], ...]
    rows: tuple[Html, ...]
    cards: tuple[Html, ...]
    row_pages: int
    card_pages: int
    total: int
    notes: tuple[Md, ...]
    blocks: tuple[Block, ...]


def case_list(report: Report, say: Phrases) -> CaseListView:
    """Make the list of all cases.

    Args:
        report: What was measured.
        say: Words in the style `html`.

    Returns:
        The list, of at most `ROOM` bytes whatever the texts are: where they are long, those of cases that are right
        are cut first, and of very many cases those that are right are left out.
    """
    return _CaseList(report, say).view()


class _CaseList:
    """What the parts of one list share."""

    def __init__(self, report: Report, say: Phrases) -> None:
        self._report, self._say = report, say
        self._layout = Layout(say)
        self._failures = _failures(report, say)
        self._panels = _panels(report)
        everything = facts_of(report)
        self._columns = columns(everything, say)
        self._shown = frozenset(column.name for column in self._columns)
        self._limit = max(_SHORTEST_INPUT, min(_LONGEST_INPUT, _INPUTS // max(1, len(everything))))
        self._rows: dict[str, tuple[RowView, Html]] = {}
        self._facts = self._listed(everything)
        self._texts = [shown_input(one.case.prompt, one.case) for one in self._facts]

    def view(self) -> CaseListView:
        """Put everything together."""
        say, rows = self._say, [self._rows[one.case.id][1] for one in self._facts]
        tags = tags_to_choose(self._facts)
        row_blocks = json_blocks("rows", map(json_text, rows[ROWS_A_PAGE:]), ROWS_A_PAGE)
        index = self._index(tags)
        used = sum(len(block.content.encode()) for block in row_blocks.blocks) + len(json_text(index).encode())
        order, cards, notes = self._cards(ROOM - used - len("".join(rows[:ROWS_A_PAGE]).encode()))
        page = len(cards) if len(rows) <= ROWS_A_PAGE else CARDS_A_PAGE
        card_blocks = json_blocks("cards", cards[page:], page)
        index |= {"cards": order, "cardPage": max(1, page), "rowPage": ROWS_A_PAGE}
        index |= {"rowStarts": row_blocks.starts, "cardStarts": card_blocks.starts}
        return CaseListView(
            heading=self._heading(),
            all_cases=self._all_cases(),
            columns=self._columns,
            filters=tuple(filters(self._facts, self._columns, tags, say)),
            legend=tuple(legend(self._facts, say)),
            rows=tuple(rows[:ROWS_A_PAGE]),
            cards=tuple(Html(json.loads(card)) for card in cards[:page]),
            row_pages=_pages(len(rows), ROWS_A_PAGE),
            card_pages=_pages(len(cards), page),
            total=len(rows),
            notes=(*self._notes(), *notes),
            blocks=(json_block("index", index), *row_blocks.blocks, *card_blocks.blocks),
        )

    def _listed(self, everything: Sequence[CaseFacts]) -> Sequence[CaseFacts]:
        """Those whose rows there is room for; the most telling ones are laid out first."""
        ranked = sorted(everything, key=lambda one: list(Outcome).index(one.outcome))
        made = leading((self._row(one) for one in ranked), room=_ROOM_OF_ROWS)
        kept = {one.case.id for one in ranked[: len(made)]}
        return [one for one in everything if one.case.id in kept]

    def _row(self, one: CaseFacts) -> Html:
        row = row_view(one, shown_input(one.case.prompt, one.case), self._limit, self._layout)
        html = self._layout.filled("row", row, self._shown)
        self._rows[one.case.id] = row, html
        return html

    def _cards(self, room: int) -> tuple[list[int], list[str], Iterator[Md]]:
        """The cards that there is room for, as JSON, and the places of their cases; failed cases first."""
        facts = self._facts
        ranked = sorted(range(len(facts)), key=lambda place: not facts[place].is_failed)

        def make(rank: int, detail: Detail) -> str:
            return json_text(self._card(ranked[rank], detail))

        fitted = fit([facts[place].is_failed for place in ranked], make, room=room)
        order = [place for place, card in zip(ranked, fitted.items, strict=True) if card is not None]
        return order, [card for card in fitted.items if card is not None], self._cut(fitted.levels)

    def _card(self, place: int, detail: Detail) -> str:
        one = self._facts[place]
        row = self._rows[one.case.id][0]
        card = card_view(
            one,
            row,
            text=self._texts[place],
            failures=self._failures.get(one.case.id, ()),
            panels=self._panels.get(one.case.id, ()),
            detail=detail,
            layout=self._layout,
        )
        return self._layout.filled("card", card, row)

    def _index(self, tags: Mapping[str, int]) -> dict[str, object]:
        """What the script sorts, filters and searches by, one item for each row."""
        facts, limit = self._facts, self._limit
        searched = [
            visible(f"{cut_middle(one.case.id, limit, '…')} {cut_middle(text, limit, '…')}").lower()
            for one, text in zip(facts, self._texts, strict=True)
        ]
        return {
            "anchors": [one.anchor for one in facts],
            "ranks": ranks(facts, self._texts, self._columns),
            "tags": [[tags[tag] for tag in one.case.tags if tag in tags] for one in facts],
            "texts": searched,
        }

    def _all_cases(self) -> Md:
        counts = Counter(case.split for case in self._report.cases)
        return self._say("cases.all", acceptance=counts[Split.ACCEPTANCE], tuning=counts[Split.TUNING])

    def _heading(self) -> Md:
        """What stands over the cards, which go on with the cases that did not fail."""
        if not self._report.failed_cases:
            return self._say("cases.cards")
        heading = failed_heading(self._report, self._say)
        only_failed = all(one.is_failed for one in self._facts)
        return heading if only_failed else self._say("cases.cards_failed_first", heading=heading)

    def _notes(self) -> Iterator[Md]:
        is_seen = any(case.runs for case in self._report.cases)
        if self._report.verdict is ReportVerdict.INVALID and self._report.failed_cases and is_seen:
            yield self._say("page.failed_invalid")
        if len(self._facts) < len(self._report.cases):
            yield self._say("cases.left_out", shown=len(self._facts), cases=len(self._report.cases))

    def _cut(self, levels: Sequence[int]) -> Iterator[Md]:
        cut, bare = sum(level > 0 for level in levels), sum(level >= len(DETAILS) - 1 for level in levels)
        if cut:
            yield self._say("cases.cut", cases=cut, bare=bare)
        if dropped := levels.count(len(DETAILS)):
            yield self._say("cases.no_card", cases=dropped)


def _failures(report: Report, say: Phrases) -> Mapping[str, Sequence[FailedView]]:
    found: dict[str, list[FailedView]] = {}
    for split in failed_splits(report, say):
        for view in split.cases:
            found.setdefault(view.id, []).append(view)
    return found


def _panels(report: Report) -> Mapping[str, Sequence[Panel]]:
    """Of a judge that cannot be believed, and of an INVALID report, no score is shown."""
    judge = report.judge
    return panels_by_case(judge.panels) if judge and judge.fit and report.verdict is not ReportVerdict.INVALID else {}


def _pages(items: int, a_page: int) -> int:
    return max(1, -(-items // max(1, a_page)))

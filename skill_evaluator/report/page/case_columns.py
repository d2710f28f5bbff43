"""The columns of the list of cases: what a cell shows, and by what rank it sorts.

Ranks are worked out here, so that the page compares whole numbers alone; -1 is for what is not known, which stands
last either way.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import groupby
from typing import Any, ClassVar

from skill_evaluator.model import Split
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Html, Md
from skill_evaluator.report.in_html import html_code, html_line
from skill_evaluator.report.page.case_facts import CaseFacts, Flip, Mark, Outcome
from skill_evaluator.report.page.case_layout import Layout
from skill_evaluator.report.phrases import Phrases

UNKNOWN = -1
KINDS = ("positive", "negative", "output_only")
_DIGITS = re.compile(r"(\d+)")
_MOST_DIGITS = 20
_RANK_CHARACTERS = 200  # of a text; what differs only behind them sorts as equal
_MOST_MARKS = 40
_MOST_TAGS = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """One column.

    Attributes:
        name: As words and the page's script know it.
        label: Its heading.
    """

    name: str
    label: Md


@dataclass(frozen=True, kw_only=True, slots=True)
class MarkGroup:
    """Equal marks in a row: what they look like, and whether they are `good`, `bad` or neither."""

    tone: Html
    signs: Html


@dataclass(frozen=True, kw_only=True, slots=True)
class RowView:
    """One case as a row; texts are cut, and safe."""

    SLOTS: ClassVar = ("anchor", "id", "input", "tags", "strip", "told", "fluctuation", "seconds", "cost")

    anchor: Html
    outcome: Outcome
    id: Html
    input: Html
    split: Md
    kind: Md
    tags: Html
    strip: Html
    told: Md
    fluctuation: Md | None
    flip: Flip | None
    seconds: Md | None
    cost: Md | None


def columns(facts: Sequence[CaseFacts], say: Phrases) -> tuple[Column, ...]:
    """The columns that have something to show."""
    shown = {
        "tags": any(one.case.tags for one in facts),
        "flip": any(one.flip for one in facts),
        "seconds": any(one.seconds is not None for one in facts),
        "cost": any(one.cost_usd is not None for one in facts),
    }
    names = ("outcome", "id", "runs", "input", "split", "kind", "tags", "fluctuation", "flip", "seconds", "cost")
    return tuple(Column(name=name, label=say(f"cases.head_{name}")) for name in names if shown.get(name, True))


def row_view(one: CaseFacts, text: str, limit: int, layout: Layout) -> RowView:
    """Word one case as a row.

    Args:
        one: The case.
        text: Its input, as a page shows it.
        limit: Longest input that is shown whole, in characters; the other cells have half of it.
        layout: Words and macros.
    """
    case, say = one.case, layout.say
    line = partial(html_line, limit=limit // 2)
    more = len(case.tags) - _MOST_TAGS
    told = layout.kept(("told", case.expect_trigger, one.marks), lambda: runs_told(one, layout))
    tags = ", ".join(html_code(tag, limit=limit // 2) for tag in case.tags[:_MOST_TAGS])
    return RowView(
        anchor=Html(one.anchor),
        outcome=one.outcome,
        id=Html(line(case.id)),
        input=Html(html_line(text, limit=limit)),
        split=say(f"split.{case.split}"),
        kind=say(f"cases.kind_{one.kind}"),
        tags=Html(f"{tags} +{more}" if more > 0 else tags),
        strip=layout.kept(
            ("strip", case.expect_trigger, one.marks), lambda: layout.made("strip", mark_groups(one), told)
        ),
        told=told,
        fluctuation=None if case.fluctuation is None else Md(numbers.percent(case.fluctuation)),
        flip=one.flip,
        seconds=None if one.seconds is None else Md(numbers.seconds(one.seconds)),
        cost=None if one.cost_usd is None else Md(numbers.usd(one.cost_usd)),
    )


SIGNS: Mapping[Mark, Html] = {
    Mark.FIRED: Html("●"),
    Mark.QUIET: Html("○"),
    Mark.RIGHT: Html("✓"),
    Mark.WRONG: Html("✗"),
    Mark.OPEN: Html("–"),
    Mark.UNKNOWN: Html("?"),
    Mark.ERROR: Html("!"),
    Mark.NOT_RUN: Html("·"),
}


def mark_groups(one: CaseFacts) -> tuple[MarkGroup, ...]:
    """The runs of a case as signs, by repetition; of very many the first."""
    return tuple(
        MarkGroup(tone=_tone(mark, one.case.expect_trigger), signs=Html(SIGNS[mark] * len(list(group))))
        for mark, group in groupby(one.marks[:_MOST_MARKS])
    )


def runs_told(one: CaseFacts, layout: Layout) -> Md:
    """The same in words, such as `fired in 2 of 3 runs, 1 error`."""
    counts = {mark: one.marks.count(mark) for mark in Mark}
    output = one.case.expect_trigger is None
    return layout.told(
        "cases.told_output" if output else "cases.told",
        found=counts[Mark.RIGHT if output else Mark.FIRED],
        runs=len(one.marks) - counts[Mark.NOT_RUN],
        unknown=counts[Mark.OPEN if output else Mark.UNKNOWN],
        errors=counts[Mark.ERROR],
        not_run=counts[Mark.NOT_RUN],
    )


def ranks(facts: Sequence[CaseFacts], texts: Sequence[str], shown: Iterable[Column]) -> Mapping[str, Sequence[int]]:
    """By column: the place of each case in its order.

    Of `outcome`, `split`, `kind` and `flip` it is the place of the value in its closed set, which filters go by too.
    """
    flips, outcomes, splits = list(Flip), list(Outcome), list(Split)
    tags_key = lru_cache(lambda tags: tuple(map(natural, tags)) or None)
    keys: Mapping[str, Callable[[int, CaseFacts], Any]] = {
        "id": lambda _place, one: natural(one.case.id),
        "input": lambda place, _one: natural(texts[place]),
        "tags": lambda _place, one: tags_key(one.case.tags[:_MOST_TAGS]),
        "runs": lambda _place, one: _share(one),
        "fluctuation": lambda _place, one: one.case.fluctuation,
        "seconds": lambda _place, one: one.seconds,
        "cost": lambda _place, one: one.cost_usd,
    }
    closed: Mapping[str, Callable[[CaseFacts], int]] = {
        "outcome": lambda one: outcomes.index(one.outcome),
        "split": lambda one: splits.index(one.case.split),
        "kind": lambda one: KINDS.index(one.kind),
        "flip": lambda one: UNKNOWN if one.flip is None else flips.index(one.flip),
    }
    return {
        column.name: [closed[column.name](one) for one in facts]
        if column.name in closed
        else _ranked([keys[column.name](place, one) for place, one in enumerate(facts)])
        for column in shown
    }


def natural(text: str) -> tuple[tuple[str, int], ...]:
    """Give a key by which `c9` stands before `c10`, and case does not matter."""
    parts = _DIGITS.split(text[:_RANK_CHARACTERS].casefold())
    words_, digits = parts[::2], [*parts[1::2], "0"]
    return tuple((word, int(number[:_MOST_DIGITS])) for word, number in zip(words_, digits, strict=True))


def _ranked(keys: Sequence[Any]) -> list[int]:  # each column has keys of its own type
    """The place of each key among the distinct ones, in ascending order."""
    distinct: set[Hashable] = {key for key in keys if key is not None}
    places = {key: place for place, key in enumerate(sorted(distinct))}  # type: ignore[type-var]
    return [UNKNOWN if key is None else places[key] for key in keys]


def _share(one: CaseFacts) -> float | None:
    """The share of its runs that fired, or were right."""
    told = [mark for mark in one.marks if mark in {Mark.FIRED, Mark.QUIET, Mark.RIGHT, Mark.WRONG}]
    return sum(mark in {Mark.FIRED, Mark.RIGHT} for mark in told) / len(told) if told else None


def _tone(mark: Mark, expected: bool | None) -> Html:  # noqa: FBT001 - the name of the field says it
    match mark:
        case Mark.FIRED | Mark.QUIET:
            return Html("good" if (mark is Mark.FIRED) is expected else "bad")
        case Mark.RIGHT:
            return Html("good")
        case Mark.WRONG:
            return Html("bad")
        case _:
            return Html("odd")

"""What the list of cases can be narrowed by, and what its signs mean."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from skill_evaluator.model import Split
from skill_evaluator.report.escape import Html, Md
from skill_evaluator.report.in_html import html_line
from skill_evaluator.report.page.case_columns import KINDS, SIGNS, Column, ranks
from skill_evaluator.report.page.case_facts import CaseFacts, Flip, Mark, Outcome
from skill_evaluator.report.phrases import Phrases

_MOST_TAGS = 200  # to choose from
_LONGEST_TAG = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """One value of a filter: what the script compares with, and its name."""

    value: int
    label: Md | Html


@dataclass(frozen=True, kw_only=True, slots=True)
class Filter:
    """A filter that has more than one value; `name` is that of a column."""

    name: str
    label: Md
    choices: tuple[Choice, ...]


def filters(
    facts: Sequence[CaseFacts], shown: Sequence[Column], tags: Mapping[str, int], say: Phrases
) -> Iterator[Filter]:
    """The filters that would leave something out."""
    choices: Mapping[str, Sequence[tuple[int, Md]]] = {
        "outcome": [(place, say(f"cases.outcome_{one}")) for place, one in enumerate(Outcome)],
        "split": [(place, say.name(one, "split")) for place, one in enumerate(Split)],
        "kind": [(place, say(f"cases.kind_{one}")) for place, one in enumerate(KINDS)],
        "flip": [(place, say(f"cases.flip_{one}")) for place, one in enumerate(Flip)],
    }
    values = ranks(facts, (), [one for one in shown if one.name in choices])
    for name, listed in choices.items():
        found = {*values.get(name, ())}
        if len(found) > 1:
            kept = [Choice(value=value, label=label) for value, label in listed if value in found]
            yield Filter(name=name, label=say(f"cases.head_{name}"), choices=tuple(kept))
    if tags:
        listed_tags = [
            Choice(value=place, label=Html(html_line(tag, limit=_LONGEST_TAG))) for tag, place in tags.items()
        ]
        yield Filter(name="tags", label=say("cases.filter_tag"), choices=tuple(listed_tags))


def tags_to_choose(facts: Sequence[CaseFacts]) -> Mapping[str, int]:
    """The tags to choose from, numbered; of very many the most frequent."""
    counts = Counter(tag for one in facts for tag in one.case.tags)
    chosen = sorted(counts, key=lambda tag: (-counts[tag], tag))[:_MOST_TAGS]
    return {tag: place for place, tag in enumerate(sorted(chosen))}


def legend(facts: Sequence[CaseFacts], say: Phrases) -> Iterator[tuple[Html, Md]]:
    """The signs that stand in the list, with their words."""
    found = {mark for one in facts for mark in one.marks}
    for mark in Mark:
        if mark in found:
            yield SIGNS[mark], say(f"cases.mark_{mark}")

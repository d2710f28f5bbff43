"""Lays a short page out for a comment of a pull request, within what GitHub takes.

It is Markdown with `<details>`, so a text of others may only stand in a code span: there it mentions nobody, closes
nothing, and names no other issue.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from skill_evaluator.report.escape import Md, Table
from skill_evaluator.report.phrases import Phrases

if TYPE_CHECKING:
    from jinja2 import Template

LONGEST: Final = 65_000  # GitHub takes 65,536 characters
MOST_REASONS: Final = 10
_TEMPLATE: Final = "pull_request.md.j2"
_CASES_SHOWN: Final = (50, 20, 5, 0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """Lines that are folded below a heading; the heading is of our own words and numbers alone."""

    heading: Md
    lines: Sequence[Md]


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """What a comment says.

    Attributes:
        subject: What was tested: its kind, its name, and where it stands; two comments are about the same thing where
            all are equal.
        heading: Name and verdict.
        reasons: Why.
        table: The main numbers, or None where there are none to show.
        flips: What changed since the baseline, a paragraph each.
        blocks: Failed cases, folded.
        suggestion: What to try first, or None.
        command: How to measure again, or None.
        measured: By whom, with what.
    """

    subject: Sequence[str]
    heading: Md
    reasons: Sequence[Md]
    table: Table | None
    flips: Sequence[Md]
    blocks: Sequence[Block]
    suggestion: Md | None
    command: Md | None
    measured: Md


def marker(subject: Sequence[str]) -> Md:
    """Give a line that nobody sees, by which a later comment on the same thing finds this one."""
    told = json.dumps([*subject]).encode()
    return Md(f"<!-- skill-evaluator:{hashlib.sha256(told).hexdigest()[:16]} -->")


def fitted(page: Callable[[int], Page], say: Phrases) -> str:
    """Lay a page out with as many cases as there is room for.

    Args:
        page: Makes it with so many failed cases at most in each block.
        say: The words.
    """
    template = say.environment.get_template(_TEMPLATE)
    for most in _CASES_SHOWN:
        text = _laid_out(page(most), template)
        if len(text) <= LONGEST:
            return text
    shortest = page(0)
    return f"{marker(shortest.subject)}\n### {shortest.heading}\n\n{say('ci.too_long')}\n"


def _laid_out(page: Page, template: "Template") -> str:
    return template.render(
        marker=marker(page.subject),
        heading=page.heading,
        reasons=page.reasons,
        table=page.table,
        flips=page.flips,
        blocks=page.blocks,
        suggestion=page.suggestion,
        command=page.command,
        measured=page.measured,
    )

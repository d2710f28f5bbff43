"""Pages at a terminal: tables that fit are tables, and nothing is cut from those that do not."""

from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from skill_evaluator.cli.pages import laid_out
from skill_evaluator.report.escape import display_width

GOLDEN = Path(__file__).parents[1] / "golden"
WIDE = """\
| Report | Version | Scored | Agent | Model | Verdict | F1 |
|---|---|---|---|---|---|---|
| new | 1.1 | 2025-11-08 14:30 UTC | messages | example-model-1 | FAIL | 0.75 |
| old | 1.0 | 2025-11-07 08:00 UTC | messages | example-model-1 | PASS | 1.00 |
"""


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("name", ["failing.en", "failing.zh", "invalid.en", "estimate.zh"])
def test_no_cell_is_cut(name: str, width: int) -> None:
    """Every character of every cell is shown: whatever stands between them is space and lines of tables."""
    markdown = (GOLDEN / f"{name}.md").read_text("utf-8")
    tokens = MarkdownIt("js-default").parse(markdown)
    cells = [two.children for one, two in pairwise(tokens) if one.type == "td_open"]
    shown = laid_out(markdown, width, is_styled=False)
    left = {character: shown.count(character) for character in set(shown)}
    for cell in cells:
        for character in "".join(token.content for token in cell or ()).replace(" ", ""):
            left[character] = left.get(character, 0) - 1
    assert min(left.values()) >= 0
    assert shown.count("…") == markdown.count("…")
    assert max(map(display_width, shown.splitlines())) <= width


def test_two_things_that_are_compared_stand_side_by_side() -> None:
    lines = [line.split() for line in laid_out(WIDE, 70, is_styled=False).splitlines()]
    assert ["Report", "new", "old"] in lines
    assert ["Verdict", "FAIL", "PASS"] in lines


def test_what_does_not_fit_at_all_becomes_a_list() -> None:
    lines = laid_out(WIDE, 30, is_styled=False).splitlines()
    assert "• Report: new" in lines
    assert "  Model: example-model-1" in lines


def test_a_table_with_room_stays_a_table() -> None:
    lines = [line.split() for line in laid_out(WIDE, 100, is_styled=False).splitlines()]
    assert ["Report", "Version", "Scored", "Agent", "Model", "Verdict", "F1"] in lines


def test_letters_are_bold_only_where_escapes_are_wanted() -> None:
    assert "\x1b[1;4mTitle" in laid_out("# Title\n", 80, is_styled=True)
    assert "\x1b" not in laid_out((GOLDEN / "failing.en.md").read_text("utf-8"), 80, is_styled=False)

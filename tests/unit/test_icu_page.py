"""The examples of ICU messages in docs/formats.md get the codes that stand there."""

import re
from pathlib import Path

import pytest

from skill_evaluator.graders.translation import PlaceholderIntegrity
from skill_evaluator.graders.translation.placeholders.difference import GRAVITY
from skill_evaluator.model import Run

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
SECTION = PAGE.partition("**`icu`** is")[2].partition("\n### ")[0]
ROWS = re.findall(r"^\| `(ok|placeholder_\w+)` \| (.+?) \| (.+) \|$", SECTION, re.MULTILINE)
SOURCES = [source for _, source, _ in ROWS if source != "the same"]


def test_each_code_has_an_example() -> None:
    assert {code for code, _, _ in ROWS} == {*GRAVITY, "ok", "placeholder_undecided"}


@pytest.mark.parametrize(("code", "source", "target"), ROWS)
def test_an_example_gets_its_code(code: str, source: str, target: str) -> None:
    written, locale = re.match(r"`([^`]+)`(?: into `([^`]+)`)?", target).groups()  # type: ignore[union-attr]
    check = PlaceholderIntegrity(
        source=(SOURCES[0] if source == "the same" else source).split("`")[1],
        target_locale=locale or "de",
        syntax="icu",
        allow_reorder="`allow_reorder` false" not in source,
    )

    assert check.check(Run(case_id="a.b.001", output=written)).code == code

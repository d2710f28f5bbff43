"""The examples of numbers in docs/formats.md get the codes that stand there."""

import re
from pathlib import Path

import pytest

from skill_evaluator.graders.translation import NumberFidelity
from skill_evaluator.model import Run

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
SECTION = PAGE.split("\n### number_fidelity\n")[1].split("\n### ")[0]
ROWS = re.findall(r"^\| `(\w+)`.* \| (\w+) (\w+) \| `(.+)` \| `(.+)` \|$", SECTION, re.MULTILINE)
DOUBTS = [
    (source, target)
    for row in SECTION.split("**What is undecided**")[1].splitlines()
    if row.startswith("| ") and "`" in row
    for sources, targets in [row.rsplit(" | ", 2)[1:]]
    for source, target in zip(re.findall("`(.+?)`", sources), re.findall("`(.+?)`", targets), strict=True)
]


@pytest.mark.parametrize(("code", "source_locale", "target_locale", "source", "target"), ROWS)
def test_example_gets_its_code(code: str, source_locale: str, target_locale: str, source: str, target: str) -> None:
    check = NumberFidelity(source=source, source_locale=source_locale, target_locale=target_locale)

    assert check.check(Run(case_id="one", output=target)).code == code


def test_every_code_has_an_example() -> None:
    assert [row[0] for row in ROWS] == ["ok", "number_mutated", "number_missing", "number_extra", "number_undecided"]


@pytest.mark.parametrize(("source", "target"), DOUBTS)
def test_what_is_said_to_be_undecided_is(source: str, target: str) -> None:
    check = NumberFidelity(source=source, source_locale="en", target_locale="de")

    assert check.check(Run(case_id="one", output=target)).code == "number_undecided"


def test_page_has_its_doubts() -> None:
    assert len(DOUBTS) > 12

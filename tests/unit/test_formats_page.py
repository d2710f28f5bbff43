"""The examples of docs/formats.md are read, and as the page says."""

import re
from pathlib import Path

import pytest

from skill_evaluator.formats.import_files import import_files
from skill_evaluator.formats.skill_creator import import_triggers
from skill_evaluator.formats.skill_md import read_skill
from skill_evaluator.formats.suite import keys
from skill_evaluator.formats.suite.mock_files import MockFile, read_mock_file
from skill_evaluator.formats.suite.rules import CASE_RULES, SUITE_RULES
from skill_evaluator.formats.testset import read_testset
from skill_evaluator.formats.testset_keys import KEYS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text("utf-8")


def examples(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_test_set(tmp_path: Path) -> None:
    path = tmp_path / "testset.json"
    path.write_text(examples("json")[0], "utf-8")
    loaded = read_testset(path, enforce_floors=False)

    assert loaded.suite
    assert [(case.expect_trigger, case.split, case.tags) for case in loaded.suite.cases] == [
        (True, "acceptance", ("en", "routes")),
        (False, "tuning", ("zh",)),
    ]
    assert len(loaded.suite.cases[0].graders) == 6


@pytest.mark.parametrize(
    ("number", "sizes"),
    [(1, {"triggers": 2}), (2, {"map-maker": 1}), (3, {"map-maker": 2}), (4, {"map-maker": 3, "town-history": 3})],
)
def test_trigger_sets(tmp_path: Path, number: int, sizes: dict[str, int]) -> None:
    path = tmp_path / "triggers.json"
    path.write_text(examples("json")[number], "utf-8")

    assert {name: len(rows) for name, rows in import_triggers(path).sets.items()} == sizes


def test_evals(tmp_path: Path) -> None:
    path = tmp_path / "evals.json"
    path.write_text(examples("json")[5], "utf-8")
    (rows,) = import_files([path]).sets.values()

    assert [row["graders"][0]["type"] for row in rows] == ["llm", "llm", "file_exists"]  # type: ignore[index]


def test_skill(tmp_path: Path) -> None:
    (tmp_path / "SKILL.md").write_text(examples("markdown")[0], "utf-8")
    loaded = read_skill(tmp_path)

    assert loaded.skill
    assert not loaded.findings
    assert loaded.skill.version == "1.10"
    assert loaded.skill.triggers == ("a map of the town", "画一张地图", "draw the way to a place", "mark all wells")
    assert loaded.skill.non_triggers == ("globes", "floor plans", "history of a place")
    assert loaded.skill.allowed_tools == ("Read", "Bash(git log:*)")


def test_every_key_is_there() -> None:
    assert all(f"`{key}`" in PAGE for key in KEYS)


def test_every_code_of_the_sources_is_there() -> None:
    """Warnings, by the table of each reader."""
    folder = Path(__file__).resolve().parents[2] / "skill_evaluator" / "formats"
    warned = re.findall(r'_warn\(file, "([a-z-]+)"', (folder / "testset_doubts.py").read_text("utf-8"))
    warned += re.findall(r'yield "([a-z-]+)"', (folder / "skill_rules.py").read_text("utf-8"))

    assert len(warned) >= 14
    assert all(f"`{code}`" in PAGE for code in warned)


def test_every_rule_about_suites_has_one_row() -> None:
    rows = re.findall(
        r"^\| `([a-z0-9-]+)` \|", PAGE.partition("### Warnings of suites")[2].partition("###")[0], re.MULTILINE
    )

    assert sorted(rows) == sorted([*CASE_RULES, *SUITE_RULES, "evals-not-used", "not-utf8"])


def test_every_key_of_suites_is_there() -> None:
    options = {option for grader in keys.GRADERS.values() for option in grader.options}
    known = {*keys.PROMPT_MD_KEYS, *keys.CONTEXT_KEYS, *keys.GRADERS, *keys.EVERY_GRADER, *options, *keys.PLACES}

    assert all(f"`{key}`" in PAGE or f"`{key}:" in PAGE for key in known)
    assert all(f"{bounds.least} to {bounds.most}, default {bounds.default}" in PAGE for bounds in keys.BOUNDS.values())


def test_mock_files() -> None:
    fixed, agent = (
        read_mock_file(text, is_server=False) for text in examples("markdown") if "{{" in text or "agent" in text
    )

    assert isinstance(fixed, MockFile)
    assert isinstance(agent, MockFile)
    assert (fixed.kind, agent.kind) == ("fixed", "agent")
    assert set(fixed.expect) == {"harbour", "days"}
    assert agent.abort_when

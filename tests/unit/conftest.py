"""A small skill with a test set, and recorded answers to it."""

import json
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.unit import translation_setup

SKILL_MD = """\
---
name: level-maker
description: Designs and generates levels for puzzle games. Use when the user asks for a new level, a map or a stage.
  Do not use for checking asset files.
metadata:
  version: "1.0"
---

# Level maker

Write the level as JSON with `level_id`.
"""

POSITIVES = (
    "Design a level with three rooms for my puzzle game",
    "generate a new stage where the player pushes boxes",
    "I need a map for level 4 of the game, medium difficulty",
    "make me a short tutorial level",
    "a puzzle stage with a locked door please",
    "add one more level after the boss map",
)
NEGATIVES = (
    "What is the capital of Portugal?",
    "check that all texture files are power of two",
    "Translate this letter into German",
    "summarise the meeting notes from Tuesday",
    "fix the failing unit test in the parser",
    "book a table for two on Friday",
)


def rows() -> list[dict[str, object]]:
    """Twelve cases: three of each class in each split."""
    cases: list[dict[str, object]] = []
    for label, texts in (("p", POSITIVES), ("n", NEGATIVES)):
        for number, text in enumerate(texts):
            cases.append(
                {
                    "id": f"{label}{number}",
                    "type": "should_trigger" if label == "p" else "should_not_trigger",
                    "split": "acceptance" if number % 2 else "tuning",
                    "input": text,
                }
            )
    return cases


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """JavaScript patterns are given up after a tenth of their time, for tests of what follows from that."""
    monkeypatch.setattr("skill_evaluator.graders.javascript_engine.LIMIT_S", 0.1)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which all that a test makes in the folder for temporary files lies."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture
def skill_dir(tmp_path: Path) -> Path:
    """A folder with a sound SKILL.md and `testset.json` beside it."""
    folder = tmp_path / "level-maker"
    folder.mkdir()
    (folder / "SKILL.md").write_text(SKILL_MD, "utf-8")
    (folder / "testset.json").write_text(json.dumps(rows()), "utf-8")
    return folder


Answer = Mapping[str, object]
Record = Callable[..., Path]


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """Write down what an agent answered: perfect but for the answers given by case id (a list: by repetition)."""

    def write(answers: Mapping[str, Answer | list[Answer]] | None = None, *, runs: int = 3, name: str = "r") -> Path:
        path = tmp_path / f"{name}.jsonl"
        lines = []
        for row in rows():
            usual: Answer = {"skills_invoked": ["level-maker"] if row["type"] == "should_trigger" else []}
            given = (answers or {}).get(str(row["id"]), usual)
            for index in range(runs):
                answer = given[index] if isinstance(given, list) else given
                lines.append(json.dumps({"case_id": row["id"], "index": index, **answer}))
        path.write_text("\n".join(lines) + "\n", "utf-8")
        return path

    return write


@pytest.fixture
def translator(tmp_path: Path) -> Path:
    """A skill that translates."""
    folder = tmp_path / translation_setup.SKILL
    folder.mkdir()
    (folder / "SKILL.md").write_text(translation_setup.SKILL_MD, "utf-8")
    return folder


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    """A folder of translation cases: three of dev, and a locked one."""
    return translation_setup.cases_at(tmp_path / "ui")

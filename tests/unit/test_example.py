"""The committed example is what the README's first command gives."""

import json
import re
import shutil
from pathlib import Path
from typing import Any, Literal

import pytest

from skill_evaluator.cli import main
from skill_evaluator.report.render import render
from skill_evaluator.report.serialize import report_from_json

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "reports" / "example" / "skill-evaluator.json"


def steady(text: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(text)
    return {key: value for key, value in report.items() if key not in {"timestamp", "volatile"}}


def test_the_example_report_is_made_again_by_the_readmes_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(ROOT / "SKILL.md", tmp_path)
    shutil.copytree(ROOT / "testsets", tmp_path / "testsets")
    monkeypatch.chdir(tmp_path)

    arguments = ["--testset", "testsets/skill-evaluator.json", "--agent", "embedded", "--json", "--quiet"]
    assert main(["run", ".", *arguments]) == 0

    assert steady(capsys.readouterr().out) == steady(EXAMPLE.read_text("utf-8"))


@pytest.mark.parametrize(("lang", "name"), [("en", "skill-evaluator.md"), ("zh", "skill-evaluator.zh.md")])
def test_the_example_pages_show_the_example_report(lang: Literal["en", "zh"], name: str) -> None:
    report = report_from_json(EXAMPLE.read_text("utf-8"), name=str(EXAMPLE))

    assert render(report, "md", lang) == EXAMPLE.with_name(name).read_text("utf-8")


def test_the_example_page_shows_the_example_report() -> None:
    report = report_from_json(EXAMPLE.read_text("utf-8"), name=str(EXAMPLE))
    kept = EXAMPLE.with_suffix(".html").read_text("utf-8")

    # A chart may be drawn otherwise by another version of the program that draws it.
    made, kept = (re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL) for page in (render(report, "html", "en"), kept))
    assert made == kept


def test_the_example_names_no_machine() -> None:
    for path in EXAMPLE.parent.iterdir():
        assert not re.search(r"(?:/home|/root|/tmp|/Users|[A-Z]:\\)", path.read_text("utf-8")), path

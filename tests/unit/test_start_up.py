"""What a command does not need is not loaded."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import skill_evaluator
from skill_evaluator.cli import main
from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.report.suite.files import suite_result_to_json
from tests.unit.suite_results import recorded_result

HEAVY = (
    *("sklearn", "pandas", "scipy", "numpy", "anthropic", "httpx2", "httpx"),
    *("psutil", "jmespath", "filelock", "asyncio"),
    *("skill_evaluator.agents", "skill_evaluator.journal", "skill_evaluator.runner", "skill_evaluator.sandbox"),
    *("skill_evaluator.judging", "babel", "vl_convert", "lxml"),
)
PROGRAM = """
import sys
from skill_evaluator.cli import main
try:
    status = main(sys.argv[1:])
except SystemExit as stop:
    status = stop.code
print("loaded:", *(name for name in {heavy!r} if name in sys.modules), file=sys.stderr)
sys.exit(status)
"""


def loaded_by(*arguments: str, of: Sequence[str] = HEAVY) -> list[str]:
    program = [sys.executable, "-c", PROGRAM.format(heavy=of), *arguments]
    finished = subprocess.run(program, capture_output=True, text=True, encoding="utf-8", check=False)
    assert finished.returncode == 0, finished.stderr
    return finished.stderr.rpartition("loaded:")[2].split()


def test_help_loads_nothing_heavy() -> None:
    assert loaded_by("--help") == []
    assert loaded_by("run", "--help") == []


def test_public_names_are_there_and_load_nothing_before_they_are_asked_for() -> None:
    script = "import sys, skill_evaluator; print(sorted(name for name in sys.modules if name.startswith('skill_ev')))"
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert finished.stdout == "['skill_evaluator']\n"
    assert all(hasattr(skill_evaluator, name) for name in skill_evaluator.__all__)


def test_validate_help_loads_no_reader() -> None:
    program = [sys.executable, "-c", PROGRAM.format(heavy=("yaml", "quickjs", "skill_evaluator.graders"))]
    finished = subprocess.run([*program, "validate", "--help"], capture_output=True, text=True, check=True)

    assert finished.stderr == "loaded:\n"


def test_validate_of_a_suite_loads_nothing_heavy() -> None:
    plugin = Path(__file__).resolve().parents[2] / "testsets" / "harbour-plugin"

    assert loaded_by("validate", str(plugin)) == []


def test_validate_loads_nothing_heavy(skill_dir: Path) -> None:
    of_suites = ("formats.suite.suite", "formats.suite.case_files", "formats.suite.plugin", "graders.suite")
    unwanted = (*HEAVY, "regex", "quickjs", *(f"skill_evaluator.{name}" for name in of_suites))

    assert loaded_by("validate", str(skill_dir / "SKILL.md"), str(skill_dir / "testset.json"), of=unwanted) == []


@pytest.mark.parametrize("form", ["md", "json"])
def test_a_saved_report_is_shown_without_anything_heavy(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    main(["run", str(skill_dir), "--agent", "replay", "--recordings", str(record()), "--yes", "--quiet"])
    (report,) = (tmp_path / "reports").glob("*.json")

    others = ("compare.reports", "report.suite", "results.suite_result", "formats.loader", "graders")
    unwanted = (*HEAVY, "yaml", "regex", "quickjs", *(f"skill_evaluator.{name}" for name in others))

    assert loaded_by("report", str(report), "--format", form, of=unwanted) == []
    assert loaded_by("compare", str(report), str(report)) == []


def test_a_result_of_a_suite_loads_no_agent_and_numbers_only_to_draw_intervals(tmp_path: Path) -> None:
    known = recorded_result("own/tide-old")
    theirs, ours = tmp_path / "theirs.json", tmp_path / "ours.json"
    theirs.write_text(suite_result_to_json(known), encoding="utf-8")
    ours.write_text(suite_result_to_json(replace(known, measures=measures_of_result(known))), encoding="utf-8")

    assert loaded_by("report", str(ours), "--format", "html") == ["vl_convert"]
    assert loaded_by("compare", str(ours), str(ours)) == []
    assert set(loaded_by("report", str(theirs))) <= {"numpy"}


def test_a_run_without_a_server_loads_no_client(
    skill_dir: Path, record: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    recorded = str(record())

    loaded = loaded_by("run", str(skill_dir), "--agent", "replay", "--recordings", recorded, "--yes", "--quiet")

    assert not {"anthropic", "httpx", "httpx2"} & set(loaded)

"""What is installed is whole: templates, words, schemas and catalogue come with the wheel."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built and unpacked far from the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_the_installed_program_scores_and_renders(
    installed: Path, skill_dir: Path, record: Callable[..., Path], tmp_path: Path
) -> None:
    program = [sys.executable, "-P", "-c", "import sys; from skill_evaluator.cli import main; sys.exit(main())"]

    def run(*arguments: str) -> str:
        finished = subprocess.run(
            [*program, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(installed)},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert finished.returncode == 0, finished.stderr
        return finished.stdout

    where = run_python(installed, tmp_path, "import skill_evaluator; print(skill_evaluator.__file__)")
    assert Path(where.strip()).is_relative_to(installed)
    out = run("run", str(skill_dir), "--agent", "replay", "--recordings", str(record()), "--yes", "--quiet")
    assert "<promise>DONE</promise>" in out
    (report,) = (tmp_path / "reports").glob("*.json")
    assert "打分报告" in run("report", str(report), "--lang", "zh")
    assert "ESTIMATE" in run("run", str(skill_dir), "--agent", "embedded", "--yes", "--quiet")


def run_python(installed: Path, folder: Path, code: str) -> str:
    finished = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return finished.stdout


def test_data_files_are_in_the_wheel(installed: Path) -> None:
    files = {path.relative_to(installed).as_posix() for path in installed.rglob("*") if path.is_file()}

    assert {
        "skill_evaluator/py.typed",
        "skill_evaluator/report/report.schema.json",
        "skill_evaluator/formats/testset.schema.json",
        "skill_evaluator/formats/evalcase/candidate.schema.json",
        "skill_evaluator/results/assertion-result.schema.json",
        "skill_evaluator/formats/evalcase/case.schema.json",
        "skill_evaluator/formats/evalcase/manifest.schema.json",
        "skill_evaluator/templates/report.md.j2",
        "skill_evaluator/templates/judge_system.j2",
        "skill_evaluator/templates/judge_question.j2",
        "skill_evaluator/judging/off_topic.toml",
        "skill_evaluator/judging/known_names.toml",
        "skill_evaluator/agents/catalogue.json",
        "skill_evaluator/agents/messages/prices.json",
        "skill_evaluator/probe/brindlewick-tide-word/SKILL.md",
    } <= files
    assert not any(name.startswith(("tests/", "docs/")) for name in files)

"""`validate` over every recorded suite: FAIL where the real program refused or failed every run, and only there."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.cli import main
from tests.recorded_suites import ONLY_KNOWN_BY_RUNNING, RecordedRun, RecordedSuite, suites_by_name

# Graders that can only throw, or only fail: the suite loads and is graded, and the grader's verdict is no in every run.
THROWING = {"pattern-does-not-compile", "target-leads-outside", "baseline-not-read", "no-mock-to-look-at"}
NAMES = [name for name, suite in suites_by_name().items() if suite.reads_a_suite]
Finding = dict[str, Any]


@pytest.mark.usefixtures("conformance")
@pytest.mark.parametrize("name", NAMES or ["none"])
def test_a_recorded_suite_is_said_to_fail_where_it_did(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = suites_by_name()[name].placed_in(tmp_path)
    monkeypatch.chdir(suite.lay_out(tmp_path / "plugin"))

    status = main(["validate", *arguments(suite), "--json"])
    findings: list[Finding] = json.loads(capsys.readouterr().out)

    assert status == (1 if any(finding["level"] == "FAIL" for finding in findings) else 0)
    refused = [os.path.relpath(folder, tmp_path / "plugin") for folder in suite.refused]
    assert [folder for folder in refused if not fails(suite, findings, folder)] == []
    assert [folder for folder in decidable(suite) if not is_said_to_fail(suite, findings, folder)] == []
    assert unfounded(suite, findings) == []
    if suite.refused:
        assert (suite.expected["rc"], status) == (1, 1)
    if suite.expected["rc"] == 0:
        assert status == 0 or all(finding["code"] in THROWING for finding in fails_of_all(suite, findings))


@pytest.mark.usefixtures("conformance")
def test_many_recorded_cases_failed_for_what_stands_in_their_files() -> None:
    assert sum(len(decidable(suite)) for suite in suites_by_name().values()) > 40


def arguments(suite: RecordedSuite) -> list[str]:
    """The target and `--eval-dir` as they were given."""
    return [suite.target, *(part for folder in suite.options("--eval-dir") for part in ("--eval-dir", folder))]


def decidable(suite: RecordedSuite) -> list[str]:
    """Folders of cases of which every run failed before it began, for what stands in their files."""
    is_told = suite.name not in ONLY_KNOWN_BY_RUNNING
    return [folder for folder in suite.runs if is_told and suite.never_started(folder)]


def fails(suite: RecordedSuite, findings: Sequence[Finding], folder: str) -> list[Finding]:
    """The FAILs about a case, by its folder relative to the plugin; those of shared files are about each case."""
    place = os.path.relpath(folder, next(iter(suite.options("--eval-dir")), "evals"))
    names = {place, None, folder if place == "." else None}
    return [finding for finding in fails_of_all(suite, findings) if finding["case"] in names]


def fails_of_all(suite: RecordedSuite, findings: Sequence[Finding]) -> list[Finding]:
    """All FAILs but those about stand-ins that the command line had switched off."""
    return [
        finding
        for finding in findings
        if finding["level"] == "FAIL" and (suite.has_stand_ins or not str(finding["file"]).startswith("mocks/"))
    ]


def is_said_to_fail(suite: RecordedSuite, findings: Sequence[Finding], folder: str) -> bool:
    of_script = [found for found in findings if found["code"] == "bad-scaffold-script" and "--scaffold" in suite.args]
    return any("every run" in finding["message"] for finding in (*fails(suite, findings, folder), *of_script))


def unfounded(suite: RecordedSuite, findings: Sequence[Finding]) -> list[Finding]:
    """FAILs about cases of which a run was graded."""
    graded = {folder: runs for folder, runs in suite.runs.items() if not all(run.is_error for run in runs)}
    return [
        finding
        for folder, runs in graded.items()
        for finding in fails(suite, findings, folder)
        if not only_throws(finding, runs)
    ]


def only_throws(found: Finding, runs: Sequence[RecordedRun]) -> bool:
    """Whether it is about a grader whose recorded verdict is no in every run."""
    grader = Path(str(found["file"])).stem
    passed = [passed for run in runs for name, passed in run.verdicts if name == grader]
    return found["code"] in THROWING and not any(passed) and bool(passed)

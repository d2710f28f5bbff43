"""`validate` over every recorded suite: FAIL where the real program refused or failed every run, and only there."""

import base64
import contextlib
import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.cli import main

KINDS = ("static", "run", "cli")
# Graders that can only throw, or only fail: the suite loads and is graded, and the grader's verdict is no in every run.
THROWING = {"pattern-does-not-compile", "target-leads-outside", "baseline-not-read"}
Recorded = dict[str, Any]
Finding = dict[str, Any]


def recorded(folder: Path) -> Iterator[Recorded]:
    for kind in KINDS:
        for line in (folder / f"{kind}.jsonl").read_text("utf-8").splitlines():
            yield json.loads(line)


def lay_out(root: Path, files: Mapping[str, Mapping[str, str]]) -> None:
    for name, entry in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if "symlink" in entry:
            path.symlink_to(entry["symlink"])
        elif "text" in entry:
            path.write_bytes(entry["text"].encode())
        else:
            path.write_bytes(base64.b64decode(entry["base64"]))


def arguments(suite: Recorded) -> list[str] | None:
    """The target and `--eval-dir` as they were given; None for another command."""
    given: Sequence[str] = suite["args"][2:]
    if given[0] == "init":
        return None
    at = given.index("--eval-dir") if "--eval-dir" in given else None
    return [given[0], *([] if at is None else given[at : at + 2])]


@pytest.fixture(scope="module")
def answers(
    conformance: Path, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, tuple[Recorded, list[Finding]]]:
    """Each recorded suite with our findings about it."""
    found = {}
    for suite in recorded(conformance):
        root = tmp_path_factory.mktemp("suite")
        wanted = arguments(suite)
        if wanted is not None:
            lay_out(root, suite["files"])
            found[suite["name"]] = (suite, findings_of(root, wanted))
    return found


def findings_of(root: Path, wanted: Sequence[str]) -> list[Finding]:
    """What the command prints, in the folder of the plugin."""
    before = Path.cwd()
    printed = io.StringIO()
    os.chdir(root)
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            main(["validate", *wanted, "--json"])
    finally:
        os.chdir(before)
    findings: list[Finding] = json.loads(printed.getvalue())
    return findings


def fails(findings: Sequence[Finding], folder: str) -> list[Finding]:
    """The FAILs about a case, by its folder relative to the plugin; those of shared files are about each case."""
    place = folder.removeprefix("evals/").removeprefix("qa/x/")
    return [
        finding
        for finding in findings
        if finding["level"] == "FAIL" and finding["case"] in {place, None, "evals" if folder == "evals" else None}
    ]


def test_every_refused_case_has_a_fail(answers: Mapping[str, tuple[Recorded, list[Finding]]]) -> None:
    missed = [
        (name, refused)
        for name, (suite, findings) in answers.items()
        for refused in suite["expected"]["refused"]
        if not fails(findings, refused.removeprefix("<WORK>/plugin/"))
    ]

    assert not missed


def runs_of(suite: Recorded) -> Iterator[tuple[str, list[Recorded]]]:
    """The runs with the plugin of each case, by its folder."""
    for cases in suite["expected"].get("cases", {}).values():
        for case in cases:
            yield case["dir"], case["arms"].get("with", [])


def verdicts(runs: Sequence[Recorded], grader: str) -> list[bool]:
    return [graded["passed"] for run in runs for graded in run["graders"] if graded["name"] == grader]


def test_no_case_that_was_graded_without_an_error_has_a_fail(
    answers: Mapping[str, tuple[Recorded, list[Finding]]],
) -> None:
    """Graders that can only throw are excepted: their recorded verdict is no in every run."""
    wrong = []
    for name, (suite, findings) in answers.items():
        for folder, runs in runs_of(suite):
            if all(run["error"] for run in runs):
                continue
            found = [finding for finding in fails(findings, folder) if not is_switched_off(finding, suite)]
            wrong += [(name, finding) for finding in found if not only_throws(finding, runs)]

    assert not wrong


def is_switched_off(found: Finding, suite: Recorded) -> bool:
    return "off" in suite["args"] and str(found["file"]).startswith("mocks/")


def is_of_script(found: Finding, suite: Recorded) -> bool:
    """Say whether a finding is about a script; one fails runs with `--scaffold` alone, and else is a WARN."""
    return "--scaffold" in suite["args"] and found["code"] == "bad-scaffold-script"


def only_throws(found: Finding, runs: Sequence[Recorded]) -> bool:
    grader = Path(str(found["file"])).stem
    passed = verdicts(runs, grader)
    return found["code"] in THROWING and not any(passed) and bool(passed)


def test_where_every_run_failed_for_what_stands_in_the_files_a_fail_says_so(
    answers: Mapping[str, tuple[Recorded, list[Finding]]],
) -> None:
    checked, silent = 0, []
    for name, (suite, findings) in answers.items():
        # what a script does shows only when it is run
        was_never_asked = not suite["expected"]["agent_was_called"] and "--scaffold" not in suite["args"]
        is_decidable = name.startswith("static/") or was_never_asked
        for folder, runs in runs_of(suite):
            if not is_decidable or not runs or not all(run["error"] and not run["graders"] for run in runs):
                continue
            checked += 1
            told = fails(findings, folder) + [found for found in findings if is_of_script(found, suite)]
            if not any("every run" in found["message"] for found in told):
                silent.append((name, folder, fails(findings, folder)))

    assert not silent
    assert checked > 40


def test_the_exit_status_of_a_suite_without_cases_is_that_of_the_real_program(
    answers: Mapping[str, tuple[Recorded, list[Finding]]],
) -> None:
    for name in ("cli/evaldir-missing", "cli/target-missing-path", "static/cy-yml-ext"):
        suite, findings = answers[name]
        assert suite["expected"]["rc"] == 1
        assert any(found["level"] == "FAIL" for found in findings), name

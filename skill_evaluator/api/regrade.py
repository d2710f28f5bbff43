"""Grades and scores saved runs again; no agent is asked."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from skill_evaluator.api.measure import Measured, build_report
from skill_evaluator.api.narrow import narrow, testset_info
from skill_evaluator.api.saved import load_baseline, load_report
from skill_evaluator.errors import InputError
from skill_evaluator.formats.testset import read_testset
from skill_evaluator.journal import TESTSET_FILE, Journal, JournalEnd, hash_run_folder, read_journal
from skill_evaluator.model import Case, Finding, Level, Run
from skill_evaluator.results import Note, Report

KILLED = "kill"


def regrade(
    path: Path,
    *,
    testset: Path | None = None,
    pass_threshold: float | None = None,
    baseline: Path | None = None,
    output_dir: Path | None = None,
) -> Report:
    """Make a report from saved runs.

    Args:
        path: A run folder, or a report's JSON whose run folder is still there.
        testset: Other expectations for the same questions; None takes the test set kept with the runs.
        pass_threshold: Another threshold; None keeps the run's.
        baseline: An earlier report to compare with, or None.
        output_dir: Where the report is to be written, or None.

    Raises:
        InputError: If the runs are gone or changed, or an input cannot be used.
    """
    folder = path if path.is_dir() else _run_folder_of(path)
    journal = read_journal(folder)
    loaded = read_testset(testset or folder / TESTSET_FILE)
    if loaded.suite is None:
        raise InputError([finding for finding in loaded.findings if finding.level is Level.FAIL])
    config = journal.header.config
    cases = narrow(loaded.suite.cases, tags=config.tags, case_globs=config.case_globs)
    header = journal.header
    if testset is not None:
        header = replace(header, testset=testset_info(loaded.suite, cases), testset_path=str(testset))
    if pass_threshold is not None:
        header = replace(header, config=replace(config, pass_threshold=pass_threshold))
    runs = _runs_by_case(journal, cases)
    header = replace(header, notes=header.notes + _notes(runs, testset, pass_threshold))
    return build_report(
        Measured(
            header=header,
            end=journal.end or JournalEnd(duration_s=0.0, stopped_by=KILLED),
            cases=cases,
            runs=runs,
            run_dir=folder,
            output_dir=str(output_dir) if output_dir else None,
            baseline=load_baseline(baseline) if baseline else None,
            baseline_path=str(baseline) if baseline else None,
        )
    )


def _run_folder_of(report_path: Path) -> Path:
    """Find the runs a report was made from, and make sure that they are the same still."""
    volatile = load_report(report_path).volatile
    if volatile.run_dir is None or not Path(volatile.run_dir).is_dir():
        message = (
            f"the runs it was made from are gone: {volatile.run_dir!r} is no folder here; "
            "call from the folder where they were made, or name the run folder itself"
        )
        raise InputError([_fault(report_path, message)])
    folder = Path(volatile.run_dir)
    if hash_run_folder(folder) != volatile.run_dir_sha256:
        message = f"the runs in {volatile.run_dir!r} are not those it was made from: their hash differs"
        raise InputError([_fault(report_path, message)])
    return folder


def _runs_by_case(journal: Journal, cases: Sequence[Case]) -> Mapping[str, Sequence[Run]]:
    """Runs belong to the case that asks the same question: under its own id, or, after renaming, under another."""
    asked: dict[tuple[str, str], list[Run]] = defaultdict(list)
    ids: dict[str, list[str]] = defaultdict(list)
    for entry in journal.entries:
        asked[entry.run.case_id, entry.prompt_sha256].append(entry.run)
        if entry.run.case_id not in ids[entry.prompt_sha256]:
            ids[entry.prompt_sha256].append(entry.run.case_id)
    found = {}
    for case in cases:
        known = ids.get(case.prompt_sha256, [])
        old = case.id if case.id in known else next(iter(known), case.id)
        found[case.id] = [replace(run, case_id=case.id) for run in asked.get((old, case.prompt_sha256), ())]
    return found


def _notes(runs: Mapping[str, Sequence[Run]], testset: Path | None, pass_threshold: float | None) -> tuple[Note, ...]:
    """Say what was changed against the run; the same report made again says nothing new."""
    notes = []
    if testset is not None or pass_threshold is not None:
        values = {"testset": str(testset) if testset else None, "pass_threshold": pass_threshold}
        notes.append(Note(code="regraded", values=values))
    missing = [case_id for case_id, found in runs.items() if not found]
    if missing and testset is not None:
        notes.append(Note(code="no_saved_runs", values={"cases": missing}))
    return tuple(notes)


def _fault(path: Path, message: str) -> Finding:
    return Finding(level=Level.FAIL, code="runs-gone", file=str(path), message=message)

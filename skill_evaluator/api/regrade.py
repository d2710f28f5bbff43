"""Grades and scores saved runs again; no agent is asked."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from skill_evaluator.agents.claims import claim
from skill_evaluator.api.faults import collecting
from skill_evaluator.api.kinds import baseline_faults, regrade_faults
from skill_evaluator.api.measure import Measured, build_report
from skill_evaluator.api.narrow import narrow, testset_info, testset_notes
from skill_evaluator.api.options import threshold_faults
from skill_evaluator.api.request import RegradeRequest
from skill_evaluator.api.review import review_again
from skill_evaluator.api.saved import load_baseline, load_report
from skill_evaluator.api.suite_testset import testset_bytes
from skill_evaluator.api.targets import Targets, target_faults
from skill_evaluator.api.testset_kinds import suite_of_bytes, testset_doubts
from skill_evaluator.api.unseen import unseen_doubts
from skill_evaluator.errors import InputError
from skill_evaluator.file_names import shown
from skill_evaluator.formats.evalcase.kept_mark import is_kept
from skill_evaluator.formats.skill_md import read_skill
from skill_evaluator.journal import KILLED, Journal, JournalEnd, JournalHeader, hash_run_folder, read_journal
from skill_evaluator.model import Case, Finding, Level, Loaded, Run, Skill, Suite
from skill_evaluator.results import Note, Report
from skill_evaluator.texts import tr


def regrade(request: RegradeRequest) -> Report:
    """Make a report from saved runs.

    Raises:
        InputError: If the runs are gone or changed, or an input cannot be used.
    """
    folder = request.path if request.path.is_dir() else _run_folder_of(request.path)
    journal = read_journal(folder)
    skill = read_skill(Path(journal.header.skill_path)).skill
    faults = [*threshold_faults(request.pass_threshold), *target_faults(_targets(request, journal, skill))]
    loaded = _testset(request, journal)
    faults += [finding for finding in loaded.findings if finding.level is Level.FAIL]
    baseline = collecting(faults, lambda: load_baseline(request.baseline) if request.baseline else None)
    faults += regrade_faults(loaded.suite, request.testset, of_translations=is_kept(journal.testset))
    faults += baseline_faults(loaded.suite, baseline, request.baseline)
    if faults or loaded.suite is None:
        raise InputError(faults)
    config = journal.header.config
    cases = narrow(loaded.suite.cases, tags=config.tags, case_globs=config.case_globs)
    runs = _runs_by_case(journal, loaded.suite, cases)
    header = _header(request, journal, loaded, cases)
    if header != journal.header:
        header = replace(header, warnings=_warnings(header, journal, loaded, cases, skill))
    measured = Measured(
        header=replace(header, notes=header.notes + _notes(request, journal, runs)),
        end=journal.end or JournalEnd(duration_s=None, stopped_by=KILLED),
        cases=cases,
        runs=runs,
        run_dir=folder,
        canary=journal.canary,
        beside=journal.beside,
        output_dir=shown(request.output_dir),
        baseline=baseline,
        baseline_path=shown(request.baseline) if request.baseline else None,
        fail_on=request.fail_on,
        on_shared_cases=request.on_shared_cases,
    )
    return build_report(review_again(measured, journal.answers))


def _run_folder_of(report_path: Path) -> Path:
    """Find the runs a report was made from, and make sure that they are the same still."""
    volatile = load_report(report_path).volatile
    if volatile.run_dir is None or not Path(volatile.run_dir).is_dir():
        message = tr(
            "the runs it was made from are gone: {run_dir!r} is no folder here; "
            "call from the folder where they were made, or name the run folder itself",
            run_dir=volatile.run_dir,
        )
        raise InputError([_fault(report_path, message)])
    folder = Path(volatile.run_dir)
    if hash_run_folder(folder) != volatile.run_dir_sha256:
        message = tr(
            "the runs in {run_dir!r} are not those it was made from: their hash differs", run_dir=volatile.run_dir
        )
        raise InputError([_fault(report_path, message)])
    return folder


def _targets(request: RegradeRequest, journal: Journal, skill: Skill | None) -> Targets:
    inputs = [request.path, request.testset, request.baseline, *journal.path.iterdir()]
    return Targets(
        folders=(("--output-dir", request.output_dir),),
        json_file=request.json_file,
        side_files=request.side_files,
        inputs=[path for path in inputs if path is not None],
        skill=skill,
    )


def _testset(request: RegradeRequest, journal: Journal) -> Loaded:
    """The test set kept with the runs, or the one given in its place, which may be a suite or translation cases."""
    if request.testset is None:
        return suite_of_bytes(journal.testset, journal.header.testset_path)
    findings: list[Finding] = []
    name = journal.header.skill.name
    raw = testset_bytes(request.testset, skill=name, seed=journal.header.config.seed, findings=findings)
    if raw is None:
        return Loaded(suite=None, findings=tuple(findings))
    loaded = suite_of_bytes(raw, str(request.testset), skill_name=name)
    return replace(loaded, findings=(*findings, *loaded.findings))


def _header(request: RegradeRequest, journal: Journal, loaded: Loaded, cases: Sequence[Case]) -> JournalHeader:
    """What the report is about, with whatever was given in another form this time."""
    header, suite = journal.header, loaded.suite
    if request.pass_threshold is not None:
        header = replace(header, config=replace(header.config, pass_threshold=request.pass_threshold))
    if request.testset is None or suite is None:
        return header
    notes = [note for note in header.notes if note.code not in {"rubric_not_scored", "graders_not_judged", "narrowed"}]
    return replace(
        header,
        testset=testset_info(suite, cases),
        testset_path=shown(request.testset),
        notes=(*notes, *testset_notes(suite, cases, judge_model=header.config.judge_model)),
    )


def _warnings(
    header: JournalHeader, journal: Journal, loaded: Loaded, cases: Sequence[Case], skill: Skill | None
) -> tuple[Finding, ...]:
    """Those about the skill stay; those about the test set are made anew, for this threshold and these cases."""
    kept = [finding for finding in journal.header.warnings if finding.file != journal.header.testset_path]
    measured = skill if skill and skill.sha256 == header.skill.sha256 else None
    threshold = header.config.pass_threshold
    return (
        *kept,
        *loaded.findings,
        *unseen_doubts(cases, header.agent, header.testset_path),
        *testset_doubts(
            loaded.suite,
            cases,
            header.testset_path,
            skill=measured,
            pass_threshold=threshold,
            judge_model=header.config.judge_model,
        ),
    )


def _runs_by_case(journal: Journal, suite: Suite, cases: Sequence[Case]) -> Mapping[str, Sequence[Run]]:
    """Runs belong to the case that asks the same question: under its own id, or, after renaming, under another."""
    asked: dict[tuple[str, str], list[Run]] = defaultdict(list)
    for entry in journal.entries:
        asked[entry.run.case_id, entry.prompt_sha256].append(entry.run)
    ids = {case.id for case in cases}
    unasked = [case for case in suite.cases if case.id not in ids]
    claimed = claim([*cases, *unasked], sorted(asked))  # sorted: the order in which runs finished is chance
    return {
        case.id: [
            replace(run, case_id=case.id) for run in asked.get((claimed.get(case.id, ""), case.prompt_sha256), ())
        ]
        for case in cases
    }


def _notes(request: RegradeRequest, journal: Journal, runs: Mapping[str, Sequence[Run]]) -> tuple[Note, ...]:
    """Say what was changed against the run; the same report made again says nothing new."""
    notes = []
    if request.testset is not None or request.pass_threshold is not None:
        testset = shown(request.testset) if request.testset else None
        notes.append(Note(code="regraded", values={"testset": testset, "pass_threshold": request.pass_threshold}))
    missing = [case_id for case_id, found in runs.items() if not found]
    if missing and request.testset is not None:
        notes.append(Note(code="no_saved_runs", values={"cases": missing}))
    if journal.torn:
        notes.append(Note(code="torn_journal"))
    return tuple(notes)


def _fault(path: Path, message: str) -> Finding:
    return Finding(level=Level.FAIL, code="runs-gone", file=str(path), message=message)

"""Runs a prepared request: asks the agent, keeps every answer, makes the report."""

import hashlib
import itertools
import os
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from skill_evaluator.api.measure import Measured, build_report
from skill_evaluator.api.narrow import testset_info
from skill_evaluator.api.preflight import prepare
from skill_evaluator.api.request import Prepared, Request
from skill_evaluator.errors import UnmeasuredError
from skill_evaluator.file_names import shown, slug, stamp
from skill_evaluator.formats.skill_md import skill_file_hashes
from skill_evaluator.journal import JournalEnd, JournalHeader, JournalWriter
from skill_evaluator.model import Case, Run, Skill, one_line
from skill_evaluator.redaction import secrets_of
from skill_evaluator.results import Report, SkillInfo
from skill_evaluator.runner import Executed, execute, plan_runs

Progress = Callable[[Run], None]
Clock = Callable[[], datetime]


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def evaluate(request: Request, *, progress: Progress = lambda _run: None, clock: Clock = now) -> Report:
    """Score a skill with a test set: what `skill-evaluator run` does, without asking or writing a report.

    Args:
        request: The options.
        progress: Told of each finished run.
        clock: Gives the time the report is dated with.

    Returns:
        The report; partial, with `stopped_by` set, when a signal ended the run.

    Raises:
        InputError: With every fault, before anything is run.
    """
    return run_prepared(prepare(request), progress=progress, clock=clock)


def run_prepared(prepared: Prepared, *, progress: Progress = lambda _run: None, clock: Clock = now) -> Report:
    """Ask the agent, keep every answer in the journal, and make the report of what was kept."""
    header = _header(prepared, clock())
    before = skill_file_hashes(prepared.skill.path)
    started_s = time.monotonic()
    secrets = secrets_of(os.environ)
    with _new_journal(prepared, header, secrets) as journal:

        def keep(case: Case, run: Run) -> Run:
            try:
                kept = journal.append(run, prompt_sha256=case.prompt_sha256)
            except OSError as error:
                raise _lost(journal.folder, error) from error
            progress(kept)
            return kept

        plan = plan_runs(prepared.cases, runs=header.config.runs, seed=header.config.seed)
        executed = execute(plan, prepared.agent, concurrency=header.concurrency, on_finished=keep)
        end = JournalEnd(
            duration_s=time.monotonic() - started_s,
            stopped_by=executed.stopped_by,
            violations=_changed(before, skill_file_hashes(prepared.skill.path)),
        )
        journal.finish(end)
    return build_report(
        Measured(
            header=header,
            end=end,
            cases=prepared.cases,
            runs=_by_case(executed),
            run_dir=journal.folder,
            output_dir=shown(prepared.request.output_dir),
            baseline=prepared.baseline,
            baseline_path=shown(prepared.request.baseline) if prepared.request.baseline else None,
        )
    )


def _header(prepared: Prepared, time_: datetime) -> JournalHeader:
    return JournalHeader(
        agent=prepared.agent.info,
        skill=_skill_info(prepared.skill),
        testset=testset_info(prepared.suite, prepared.cases),
        config=prepared.config,
        timestamp=time_.strftime("%Y-%m-%dT%H:%M:%SZ"),
        skill_path=shown(prepared.request.skill),
        testset_path=shown(prepared.testset_path),
        concurrency=prepared.request.concurrency,
        testset_file_sha256=hashlib.sha256(prepared.testset_bytes).hexdigest(),
        warnings=prepared.warnings,
        notes=prepared.notes,
    )


def _skill_info(skill: Skill) -> SkillInfo:
    return SkillInfo(
        name=skill.name,
        version=skill.version_label,
        description=skill.description,
        sha256=skill.sha256,
        files=skill.files,
        when_to_use=skill.when_to_use,
    )


def _new_journal(prepared: Prepared, header: JournalHeader, secrets: Sequence[str]) -> JournalWriter:
    """Make a run folder of its own, also where another run starts in the same second."""
    base = prepared.request.state_dir / "runs" / f"{stamp(header.timestamp)}-{slug(header.skill.name)}"
    for number in itertools.count(1):
        folder = base if number == 1 else base.with_name(f"{base.name}-{number}")
        try:
            return JournalWriter(folder, header, prepared.testset_bytes, secrets=secrets)
        except FileExistsError:
            continue
        except OSError as error:
            raise _lost(folder, error) from error
    raise AssertionError("counting never ends")


def _lost(folder: Path, error: OSError) -> UnmeasuredError:
    return UnmeasuredError(
        f"FAIL {one_line(shown(folder))}: runs cannot be kept ({error.strerror}), so none is asked any more; "
        "make room, or call from another folder; what was kept so far can be regraded"
    )


def _by_case(executed: Executed) -> Mapping[str, list[Run]]:
    runs: dict[str, list[Run]] = defaultdict(list)
    for case, run in executed.runs:
        runs[case.id].append(run)
    return runs


def _changed(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name)))

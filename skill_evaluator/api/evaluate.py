"""Runs a prepared request: asks the agent, keeps every answer, makes the report."""

import contextlib
import hashlib
import itertools
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from skill_evaluator.api.measure import Measured, build_report
from skill_evaluator.api.narrow import testset_info
from skill_evaluator.api.preflight import prepare
from skill_evaluator.api.request import Prepared, Request
from skill_evaluator.api.terms import canary_before, spent_before, terms_of
from skill_evaluator.errors import UnmeasuredError
from skill_evaluator.file_names import shown, slug, stamp
from skill_evaluator.formats.skill_md import skill_file_hashes
from skill_evaluator.journal import JournalEnd, JournalHeader, JournalWriter
from skill_evaluator.model import Case, Run, Skill, one_line
from skill_evaluator.redaction import secrets_of
from skill_evaluator.results import Canary, Report, SkillInfo
from skill_evaluator.runner import Asked, PlannedRun, Sleep, execute, plan_runs, wait

Progress = Callable[[Run], None]
Clock = Callable[[], datetime]


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def evaluate(
    request: Request, *, progress: Progress = lambda _run: None, clock: Clock = now, sleep: Sleep = wait
) -> Report:
    """Score a skill with a test set: what `skill-evaluator run` does, without asking or writing a report.

    Args:
        request: The options.
        progress: Told of each finished run.
        clock: Gives the time the report is dated with.
        sleep: Lets the given seconds go by before a failed call is tried again; for callers with a clock of their own.

    Returns:
        The report; partial, with `stopped_by` set, when a signal, a ceiling or the agent ended the run early.

    Raises:
        InputError: With every fault, before anything is run.
    """
    return run_prepared(prepare(request), progress=progress, clock=clock, sleep=sleep)


def run_prepared(
    prepared: Prepared, *, progress: Progress = lambda _run: None, clock: Clock = now, sleep: Sleep = wait
) -> Report:
    """Ask the agent, keep every answer in the journal, and make the report of what was kept.

    The arguments are those of `evaluate`.
    """
    before = skill_file_hashes(prepared.skill.path)
    started_s = time.monotonic()
    secrets = secrets_of(os.environ)
    with _open_journal(prepared, clock, secrets) as journal:
        header, earlier = journal.header, journal.earlier_end
        measured = [entry.run for entry in journal.kept if entry.run.failure is None]

        def keep(case: Case, asked: Asked) -> Run:
            with _keeping(journal.folder):
                kept = journal.append(
                    asked.run,
                    prompt_sha256=case.prompt_sha256,
                    attempts=asked.attempts,
                    spent_usd=asked.spent_usd,
                )
            progress(kept)
            return kept

        def keep_canary(canary: Canary) -> Canary:
            with _keeping(journal.folder):
                return journal.keep_canary(canary)

        plan = _still_to_ask(prepared, measured)
        if plan and prepared.probed:
            keep_canary(canary_before(prepared))
        executed = execute(
            plan,
            prepared.agent,
            concurrency=prepared.request.concurrency,
            on_finished=keep,
            on_canary=keep_canary,
            terms=terms_of(prepared, sleep=sleep, spent=spent_before(journal.kept, earlier)),
        )
        # A killed process could not count its last calls, nor can whoever went on after it.
        known = not journal.resumed or (earlier is not None and earlier.calls is not None)
        end = JournalEnd(
            duration_s=_whole_duration_s(journal, time.monotonic() - started_s),
            stopped_by=executed.stopped_by,
            violations=_changed(before, skill_file_hashes(prepared.skill.path), earlier.violations if earlier else ()),
            calls=executed.spent.calls if known else None,
            retries=executed.spent.retries if known else None,
            spent_usd=executed.spent.cost_usd or None,
        )
        with _keeping(journal.folder):
            journal.finish(end)
    return build_report(
        Measured(
            header=replace(header, concurrency=prepared.request.concurrency),
            end=end,
            cases=prepared.cases,
            runs=_by_case([*measured, *(run for _, run in executed.runs)]),
            run_dir=journal.folder,
            canary=journal.canary,
            output_dir=shown(prepared.request.output_dir),
            baseline=prepared.baseline,
            baseline_path=shown(prepared.request.baseline) if prepared.request.baseline else None,
            fail_on=prepared.request.fail_on,
            on_shared_cases=prepared.request.on_shared_cases,
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
        testset_real_path=shown(Path(os.path.realpath(prepared.testset_path))),
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


def _open_journal(prepared: Prepared, clock: Clock, secrets: Sequence[str]) -> JournalWriter:
    if prepared.resumed is None:
        return _new_journal(prepared, _header(prepared, clock()), secrets)
    try:
        return JournalWriter.reopen(prepared.resumed.folder, secrets=secrets)
    except OSError as error:
        raise _lost(prepared.resumed.folder, error) from error


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


@contextlib.contextmanager
def _keeping(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _lost(folder, error) from error


def _lost(folder: Path, error: OSError) -> UnmeasuredError:
    return UnmeasuredError(
        f"FAIL {one_line(shown(folder))}: runs cannot be kept ({error.strerror}), so none is asked any more; "
        "make room, or call from another folder; what was kept so far can be regraded"
    )


def _by_case(finished: Sequence[Run]) -> Mapping[str, list[Run]]:
    runs: dict[str, list[Run]] = defaultdict(list)
    for run in finished:
        runs[run.case_id].append(run)
    return runs


def _still_to_ask(prepared: Prepared, measured: Sequence[Run]) -> tuple[PlannedRun, ...]:
    """The plan without what is kept from an earlier process; errors are asked again."""
    config = prepared.config
    done = {(run.case_id, run.arm, run.index) for run in measured}
    plan = plan_runs(prepared.cases, runs=config.runs, seed=config.seed)
    return tuple(one for one in plan if (one.case.id, one.arm, one.index) not in done)


def _whole_duration_s(journal: JournalWriter, duration_s: float) -> float | None:
    """What all processes took together; None where an earlier one was killed before it could say."""
    if not journal.resumed:
        return duration_s
    earlier = journal.earlier_end.duration_s if journal.earlier_end else None
    return None if earlier is None else earlier + duration_s


def _changed(before: Mapping[str, str], after: Mapping[str, str], earlier: Sequence[str]) -> tuple[str, ...]:
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    return tuple(sorted(changed.union(earlier)))

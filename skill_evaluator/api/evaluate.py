"""Runs a prepared request: asks the agent, keeps every answer, makes the report."""

import math
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from skill_evaluator.agents.messages.batch_terms import OnBatch, untold
from skill_evaluator.api.batching import batching
from skill_evaluator.api.keeping import Clock, keeping, open_journal
from skill_evaluator.api.measure import Measured, build_report
from skill_evaluator.api.preflight import prepare
from skill_evaluator.api.request import Prepared, Request
from skill_evaluator.api.review import OnReview, Reviewed, review, review_again, unwatched
from skill_evaluator.api.terms import answers_usd, canary_before, spent_before, terms_of
from skill_evaluator.file_names import shown
from skill_evaluator.formats.skill_md import skill_file_hashes
from skill_evaluator.journal import JournalEnd, JournalWriter
from skill_evaluator.model import Case, Run
from skill_evaluator.results import Canary, Report
from skill_evaluator.runner import (
    Asked,
    Executed,
    OnProbe,
    OnRetry,
    PlannedRun,
    Sleep,
    Terms,
    execute,
    plan_runs,
    unheard,
    unseen,
    wait,
)
from skill_evaluator.sandbox.installed import changed_files

Progress = Callable[[Run], None]


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def evaluate(  # noqa: PLR0913 - all by name
    request: Request,
    *,
    progress: Progress = lambda _run: None,
    on_retry: OnRetry = unheard,
    on_review: OnReview = unwatched,
    on_batch: OnBatch = untold,
    on_probe: OnProbe = unseen,
    clock: Clock = now,
    sleep: Sleep = wait,
) -> Report:
    """Score a skill with a test set: what `skill-evaluator run` does, without asking or writing a report.

    Args:
        request: The options.
        progress: Told of each finished run.
        on_retry: Told of each failed call that is tried again, and in how many seconds.
        on_review: Told of each answer of the judge and of the analyst.
        on_batch: Told what happens to message batches.
        on_probe: Told of each question of the canary, before and after it is asked.
        clock: Gives the time the report is dated with.
        sleep: Lets the given seconds go by before a failed call is tried again, or a batch is asked for; for callers
            with a clock of their own.

    Returns:
        The report; partial, with `stopped_by` set, when a signal, a ceiling or the agent ended the run early.

    Raises:
        InputError: With every fault, before anything is run.
    """
    return run_prepared(
        prepare(request),
        progress=progress,
        on_retry=on_retry,
        on_review=on_review,
        on_batch=on_batch,
        on_probe=on_probe,
        clock=clock,
        sleep=sleep,
    )


def run_prepared(  # noqa: PLR0913 - all by name
    prepared: Prepared,
    *,
    progress: Progress = lambda _run: None,
    on_retry: OnRetry = unheard,
    on_review: OnReview = unwatched,
    on_batch: OnBatch = untold,
    on_probe: OnProbe = unseen,
    clock: Clock = now,
    sleep: Sleep = wait,
) -> Report:
    """Ask the agent, keep every answer in the journal, and make the report of what was kept.

    The arguments are those of `evaluate`.
    """
    measured = ask_prepared(
        prepared,
        progress=progress,
        on_retry=on_retry,
        on_review=on_review,
        on_batch=on_batch,
        on_probe=on_probe,
        clock=clock,
        sleep=sleep,
    )
    return build_report(measured)


def ask_prepared(  # noqa: PLR0913 - all by name
    prepared: Prepared,
    *,
    progress: Progress = lambda _run: None,
    on_retry: OnRetry = unheard,
    on_review: OnReview = unwatched,
    on_batch: OnBatch = untold,
    on_probe: OnProbe = unseen,
    clock: Clock = now,
    sleep: Sleep = wait,
) -> Measured:
    """Ask the agent and keep every answer in the journal; what is made of the answers is up to the caller.

    The arguments are those of `evaluate`.
    """
    before = skill_file_hashes(prepared.skill.path)
    started_s = time.monotonic()
    with open_journal(prepared, clock) as journal:
        kept = [entry.run for entry in journal.kept if entry.run.failure is None]
        spent = spent_before(journal.kept, journal.earlier_end, journal.answers)
        terms = terms_of(prepared, sleep=sleep, on_retry=on_retry, spent=spent)
        before_plan = batching(prepared, journal, sleep=sleep, on_batch=on_batch)
        terms = replace(terms, before_plan=before_plan, on_probe=on_probe)
        executed = _ask(prepared, journal, kept, progress=progress, terms=terms)
        runs = (*kept, *_errors_that_stand(journal, executed), *(run for _, run in executed.runs))
        measured = _measured(prepared, journal, JournalEnd(duration_s=None, stopped_by=executed.stopped_by), runs)
        reviewed = _review(measured, prepared, journal, executed, progress=on_review)
        changed = changed_files(before, skill_file_hashes(prepared.skill.path))
        spent_usd = math.fsum((_spent_on_runs(prepared, journal, executed), reviewed.spent_usd)) or None
        end = _end(journal, executed, reviewed, changed=changed, duration_s=time.monotonic() - started_s)
        end = replace(end, spent_usd=spent_usd)
        with keeping(journal.folder):
            journal.finish(end)
    return replace(reviewed.measured, end=end)


def _review(
    measured: Measured, prepared: Prepared, journal: JournalWriter, executed: Executed, *, progress: OnReview
) -> Reviewed:
    """Ask judge and analyst about a whole run; of one that ended early, say what they said before."""
    if executed.stopped_by is not None:
        return Reviewed(measured=review_again(measured, journal.answers), stopped_by=executed.stopped_by)
    spent_usd = _spent_on_runs(prepared, journal, executed)
    return review(measured, prepared, journal, spent_usd=spent_usd, progress=progress)


def _spent_on_runs(prepared: Prepared, journal: JournalWriter, executed: Executed) -> float:
    """What was spent before the review; recorded answers cost somebody once, and nothing now."""
    return executed.spent.cost_usd if prepared.probed else answers_usd(journal.answers)


def _ask(
    prepared: Prepared, journal: JournalWriter, measured: Sequence[Run], *, progress: Progress, terms: Terms
) -> Executed:
    """Ask what is not kept yet; each answer is on the disk before the next one is asked for."""

    def keep(case: Case, asked: Asked) -> Run:
        with keeping(journal.folder):
            kept = journal.append(
                asked.run, prompt_sha256=case.prompt_sha256, attempts=asked.attempts, spent_usd=asked.spent_usd
            )
        progress(kept)
        return kept

    def keep_canary(canary: Canary) -> Canary:
        with keeping(journal.folder):
            return journal.keep_canary(canary)

    plan = _still_to_ask(prepared, measured)
    if plan and prepared.probed:
        keep_canary(canary_before(prepared))
    return execute(
        plan,
        prepared.agent,
        concurrency=prepared.request.concurrency,
        on_finished=keep,
        on_canary=keep_canary,
        terms=terms,
    )


def _end(
    journal: JournalWriter, executed: Executed, reviewed: Reviewed, *, changed: Sequence[str], duration_s: float
) -> JournalEnd:
    """Say how all processes together ended.

    A killed one could not count its last calls, nor can whoever went on after it.
    """
    earlier = journal.earlier_end
    known = not journal.resumed or (earlier is not None and earlier.calls is not None)
    return JournalEnd(
        duration_s=_whole_duration_s(journal, duration_s),
        stopped_by=reviewed.stopped_by,
        violations=tuple(sorted({*changed, *(earlier.violations if earlier else ())})),
        calls=executed.spent.calls if known else None,
        retries=executed.spent.retries if known else None,
    )


def _errors_that_stand(journal: JournalWriter, executed: Executed) -> tuple[Run, ...]:
    """Failed runs of earlier processes that this one was stopped from asking again."""
    again = {(run.case_id, run.arm, run.index) for _, run in executed.runs}
    errors = (entry.run for entry in journal.kept if entry.run.failure is not None)
    return tuple(run for run in errors if (run.case_id, run.arm, run.index) not in again)


def _measured(prepared: Prepared, journal: JournalWriter, end: JournalEnd, runs: Sequence[Run]) -> Measured:
    request = prepared.request
    return Measured(
        header=replace(journal.header, concurrency=request.concurrency),
        end=end,
        cases=prepared.cases,
        runs=_by_case(runs),
        run_dir=journal.folder,
        canary=journal.canary,
        beside=journal.beside,
        output_dir=shown(request.output_dir),
        baseline=prepared.baseline,
        baseline_path=shown(request.baseline) if request.baseline else None,
        fail_on=request.fail_on,
        on_shared_cases=request.on_shared_cases,
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

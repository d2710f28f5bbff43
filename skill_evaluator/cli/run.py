"""`run`: plan, ask, show, write."""

import argparse
from dataclasses import replace

from skill_evaluator.api.evaluate import run_prepared
from skill_evaluator.api.preflight import prepare
from skill_evaluator.api.request import Request
from skill_evaluator.api.testset_kinds import is_of_translations
from skill_evaluator.cli.before_calls import agreed_to_plan, asking_request
from skill_evaluator.cli.console import say
from skill_evaluator.cli.news import telling_batches, telling_canary, telling_retries
from skill_evaluator.cli.progress import showing_progress
from skill_evaluator.cli.side_files import side_files
from skill_evaluator.cli.writing import json_file, present
from skill_evaluator.errors import EXIT_BY_SIGNAL
from skill_evaluator.report.phrases import stopped_text


def execute(options: argparse.Namespace) -> int:
    """Score a skill and return the exit status of the verdict."""
    prepared = prepare(_request(options))
    if not agreed_to_plan(prepared, options):
        return 1
    by_trigger = not is_of_translations(prepared.suite)
    with showing_progress(prepared.calls, quiet=options.quiet, by_trigger=by_trigger) as progress:
        report = run_prepared(
            prepared,
            progress=progress,
            on_retry=telling_retries(quiet=options.quiet),
            on_review=progress.reviewed,
            on_batch=telling_batches(quiet=options.quiet),
            on_probe=telling_canary(quiet=options.quiet),
        )
    if report.stopped_by:
        say(stopped_text(report.stopped_by, options.lang, folder=report.volatile.run_dir or ""))
    status = present(report, options)
    return EXIT_BY_SIGNAL.get(report.stopped_by or "", status)


def _request(options: argparse.Namespace) -> Request:
    return replace(
        asking_request(options, options.testset),
        batch=options.batch,
        judge_model=options.judge_model,
        advise_model=options.advise_model,
        runs=options.runs,
        pass_threshold=options.pass_threshold,
        baseline=options.baseline,
        fail_on=options.fail_on,
        on_shared_cases=options.on_shared_cases,
        output_dir=options.output_dir,
        json_file=json_file(options),
        side_files=side_files(options),
        draft=options.draft,
    )

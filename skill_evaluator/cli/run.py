"""`run`: plan, ask, show, write."""

import argparse
import os
from collections.abc import Iterator

from skill_evaluator.api.evaluate import run_prepared
from skill_evaluator.api.preflight import prepare
from skill_evaluator.api.request import Prepared, Request
from skill_evaluator.cli.console import say
from skill_evaluator.cli.progress import showing_progress
from skill_evaluator.cli.writing import json_file, present
from skill_evaluator.file_names import shown

_EXIT_BY_SIGNAL = {"SIGINT": 130, "SIGTERM": 143}


def execute(options: argparse.Namespace) -> int:
    """Score a skill and return the exit status of the verdict."""
    prepared = prepare(
        Request(
            skill=options.skill,
            testset=options.testset,
            agent=options.agent,
            agent_config=options.agent_config,
            model=options.model,
            timeout_s=options.timeout_s,
            recordings=options.recordings,
            neighbours=tuple(options.neighbours),
            runs=options.runs,
            concurrency=options.concurrency,
            pass_threshold=options.pass_threshold,
            baseline=options.baseline,
            output_dir=options.output_dir,
            json_file=json_file(options),
            tags=tuple(options.tag),
            case_globs=tuple(options.case),
            seed=options.seed,
            draft=options.draft,
            resume=options.resume,
        )
    )
    for warning in prepared.warnings:
        say(str(warning))
    if not options.quiet:
        say(_plan(prepared))
    with showing_progress(prepared.calls, quiet=options.quiet) as progress:
        report = run_prepared(prepared, progress=progress)
    if report.stopped_by:
        folder = report.volatile.run_dir
        say(f"stopped by {report.stopped_by}; what had finished is kept: skill-evaluator regrade {folder}")
    status = present(report, options)
    return _EXIT_BY_SIGNAL.get(report.stopped_by or "", status)


def _plan(prepared: Prepared) -> str:
    info = prepared.agent.info
    calls = f"{len(prepared.cases)} cases x {prepared.config.runs} runs = {prepared.planned} calls"
    model = f"no model, rules {info.model}" if info.estimate else f"model {info.model or 'not recorded'}"
    plan = f"{calls} of agent {info.name} ({model}); cost: none"
    if prepared.request.agent is None and os.environ.get("ANTHROPIC_API_KEY"):
        plan += "\na key is set, but this version asks no model: the embedded agent gives an estimate"
    return "\n".join([plan, *_resumption(prepared)])


def _resumption(prepared: Prepared) -> Iterator[str]:
    resumed = prepared.resumed
    if resumed is not None:
        again = f", {resumed.errors} errors are asked again" if resumed.errors else ""
        kept = f"{resumed.measured} runs are kept{again}"
        yield f"continues {shown(resumed.folder)}: {kept}, {prepared.calls} calls to go"
    elif prepared.request.resume:
        yield "nothing to continue here: no run of this skill was left unfinished, so a new one is started"

"""`plugin-eval`: find the suite, ask for trust, run, show."""

import argparse
import functools
import importlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from skill_evaluator.api.plugin_eval.options import EvaluatedSuite, SuiteOptions
from skill_evaluator.api.plugin_eval.targets import Target, find_target, results_dir
from skill_evaluator.cli.language import spoken
from skill_evaluator.cli.plugin_eval_loaded import tell_loaded, tell_no_suite
from skill_evaluator.cli.plugin_eval_output import is_somewhere, may_write, report_file, show_answer
from skill_evaluator.cli.plugin_eval_plan import plan_text
from skill_evaluator.cli.plugin_eval_progress import Telling
from skill_evaluator.cli.plugin_eval_trust import is_trusted
from skill_evaluator.cli.side_files import side_files
from skill_evaluator.formats.suite.suite import LoadedSuite, no_suite, read_suite
from skill_evaluator.model import Finding

_EXECUTION = "skill_evaluator.api.plugin_eval.execution"  # heavy: imported once something is going to be run


def execute(options: argparse.Namespace) -> int:
    """Run a suite and return its exit status."""
    if not is_somewhere(options.target):
        return 1
    target = find_target(options.target)
    loaded = read_suite(
        target.path,
        eval_dir=options.eval_dir,
        plugin=target.plugin,
        case_globs=(options.case,) if options.case else (),
        tags=tuple(options.tag or ()),
    )
    if isinstance(loaded, Finding):
        tell_no_suite(loaded, target)
        return 1 if options.json is None else _without_suite(options, target)
    is_json = options.json is not None
    is_quiet = is_json or options.quiet
    tell_loaded(loaded, target, is_quiet=is_quiet)
    asked = _asked(options, target, loaded)
    is_allowed = target.is_named or options.trust_plugin or is_trusted(_folders(loaded), is_json=is_json)
    if not is_allowed or not may_write(asked, is_json=is_json):
        return 1
    telling = Telling(
        threshold=asked.threshold,
        is_quiet=is_quiet,
        is_verbose=options.verbose,
        runs_scripts=asked.scaffold,
        plan=functools.partial(plan_text, asked=asked),
        tells_plan=not options.quiet,
    )
    try:
        evaluated: EvaluatedSuite = importlib.import_module(_EXECUTION).evaluate_suite(asked, telling)
    finally:
        telling.end()
    return show_answer(evaluated, asked, json=options.json, lang=options.lang, told=telling.warnings)


def _without_suite(options: argparse.Namespace, target: Target) -> int:
    """Give whoever reads JSON an answer without cases."""
    from skill_evaluator.api.plugin_eval.result import nothing_run  # noqa: PLC0415 - heavy, as below

    asked = _asked(options, target, no_suite(target.path))
    evaluated = EvaluatedSuite(result=nothing_run(asked), exit_status=1, had_cases=False)
    return show_answer(evaluated, asked, json=options.json, lang=options.lang)


def _asked(options: argparse.Namespace, target: Target, loaded: LoadedSuite) -> SuiteOptions:
    name = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z").translate({58: "-", 46: "-"})
    usual = results_dir(target, loaded.eval_dir, options.eval_dir, name)
    return SuiteOptions(
        suite=loaded,
        output_dir=options.output_dir or usual,
        report=report_file(options.report),
        json_file=Path(options.json) if options.json else None,
        side_files=side_files(options),
        is_named=target.is_named,
        runs=options.runs,
        concurrency=options.concurrency,
        model=options.model or None,
        judge_model=options.judge_model or None,
        ablation=options.ablation,
        threshold=1.0 if options.threshold is None else options.threshold,
        max_cost_usd=options.max_cost_usd,
        allow_tools=tuple(options.allow_tools or ()),
        disallow_tools=tuple(options.disallow_tools or ()),
        scaffold=options.scaffold,
        mocks=options.mocks,
        allow_real_servers=options.allow_real_servers,
        keep_temp=options.keep_temp,
        agent=options.agent,
        program=None if options.program is None else str(options.program),
        case_filter=options.case or None,
        tag_filters=None if options.tag is None else tuple(options.tag),
        lang=spoken(),
    )


def _folders(loaded: LoadedSuite) -> Iterator[Path]:
    """Give the roots of all plugins whose code a run would load, and the folder of the suite."""
    yield loaded.plugin or loaded.root
    for case in loaded.suite.cases:
        yield from case.setup.plugins if case.setup else ()

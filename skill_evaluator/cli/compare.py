"""`compare`: what changed between two saved reports, or two saved answers of an eval suite."""

import argparse

from skill_evaluator.api.saved import SuitePair, load_any_pair
from skill_evaluator.cli.console import say, show_json, show_page
from skill_evaluator.cli.github import tell_comparison
from skill_evaluator.results import Report, ReportVerdict
from skill_evaluator.results.suite_result import SuiteResult

_NO_RESULT = (ReportVerdict.INVALID, ReportVerdict.DRAFT)  # a gate that let these pass would let a broken run pass


def execute(options: argparse.Namespace) -> int:
    """Print the comparison; it changes the exit status only where `--fail-on` was given."""
    pair = load_any_pair(options.new, options.old)
    if isinstance(pair, SuitePair):
        return _compare_suites(pair.new, pair.old, options)
    return _compare_reports(pair.new, pair.old, options)


def _compare_reports(new: Report, old: Report, options: argparse.Namespace) -> int:
    from skill_evaluator.compare.reports import compare  # noqa: PLC0415 - only the kind at hand is loaded
    from skill_evaluator.report.render import gate_line, render_comparison  # noqa: PLC0415
    from skill_evaluator.report.serialize import comparison_to_json  # noqa: PLC0415

    comparison = compare(new, old, on_shared_cases=options.on_shared_cases, fail_on=options.fail_on)
    if options.json:
        show_json(comparison_to_json(comparison))
    else:
        show_page(render_comparison(new, old, comparison, options.lang))
    stops = gate_line(comparison, options.lang) if comparison.stops else ""
    if stops:
        say(stops)
    tell_comparison(lambda: render_comparison(new, old, comparison, options.lang), stops, options.lang)
    return _status(options, stops=bool(comparison.stops), measured=new.verdict not in _NO_RESULT)


def _compare_suites(new: SuiteResult, old: SuiteResult, options: argparse.Namespace) -> int:
    from skill_evaluator.compare.suites import compare_suites  # noqa: PLC0415 - only the kind at hand is loaded
    from skill_evaluator.report.suite.comparison import (  # noqa: PLC0415
        suite_comparison_to_json,
        suite_comparison_to_markdown,
        suite_gate_line,
    )

    comparison = compare_suites(new, old, on_shared_cases=options.on_shared_cases, fail_on=options.fail_on)
    if options.json:
        show_json(suite_comparison_to_json(comparison))
    else:
        show_page(suite_comparison_to_markdown(comparison, options.lang))
    stops = suite_gate_line(comparison, options.lang) if comparison.stops else ""
    if stops:
        say(stops)
    tell_comparison(lambda: suite_comparison_to_markdown(comparison, options.lang), stops, options.lang)
    return _status(options, stops=bool(comparison.stops), measured=bool(new.cases) and not new.is_partial)


def _status(options: argparse.Namespace, *, stops: bool, measured: bool) -> int:
    if options.fail_on != "never" and not measured:
        return 2
    return 1 if stops else 0

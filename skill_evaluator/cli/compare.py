"""`compare`: what changed between two saved reports."""

import argparse

from skill_evaluator.api.saved import load_pair
from skill_evaluator.cli.console import say, show, show_page
from skill_evaluator.compare import compare
from skill_evaluator.report.render import gate_line, render_comparison
from skill_evaluator.report.serialize import comparison_to_json
from skill_evaluator.results import ReportVerdict

_NO_RESULT = (ReportVerdict.INVALID, ReportVerdict.DRAFT)  # a gate that let these pass would let a broken run pass


def execute(options: argparse.Namespace) -> int:
    """Print the comparison; it changes the exit status only where `--fail-on` was given."""
    new, old = load_pair(options.new, options.old)
    comparison = compare(new, old, on_shared_cases=options.on_shared_cases, fail_on=options.fail_on)
    if options.json:
        show(comparison_to_json(comparison))
    else:
        show_page(render_comparison(new, old, comparison, options.lang))
    if comparison.stops:
        say(gate_line(comparison, options.lang))
    if options.fail_on != "never" and new.verdict in _NO_RESULT:
        return 2
    return 1 if comparison.stops else 0

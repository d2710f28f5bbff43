"""`compare`: what changed between two saved reports."""

import argparse

from skill_evaluator.api.saved import load_pair
from skill_evaluator.cli.console import show, show_page
from skill_evaluator.compare import compare
from skill_evaluator.report.render import render_comparison
from skill_evaluator.report.serialize import comparison_to_json


def execute(options: argparse.Namespace) -> int:
    """Print the comparison; the mark never changes the exit status."""
    new, old = load_pair(options.new, options.old)
    comparison = compare(new, old)
    if options.json:
        show(comparison_to_json(comparison))
    else:
        show_page(render_comparison(new, old, comparison, options.lang))
    return 0

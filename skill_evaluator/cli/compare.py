"""`compare`: what changed between two saved reports."""

import argparse

from skill_evaluator.api.saved import compare_reports
from skill_evaluator.cli.console import show
from skill_evaluator.report.render import render_comparison
from skill_evaluator.report.serialize import comparison_to_json


def execute(options: argparse.Namespace) -> int:
    """Print the comparison; the mark never changes the exit status."""
    comparison = compare_reports(options.new, options.old)
    show(comparison_to_json(comparison) if options.json else render_comparison(comparison, options.lang))
    return 0

"""`report`: a saved report in another format or language."""

import argparse

from skill_evaluator.api.saved import load_report
from skill_evaluator.cli.console import show, show_page
from skill_evaluator.report.render import render


def execute(options: argparse.Namespace) -> int:
    """Print a saved report; the exit status says only whether it could be read."""
    report = load_report(options.report)
    (show_page if options.format == "md" else show)(render(report, options.format, options.lang))
    return 0

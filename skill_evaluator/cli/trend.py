"""`trend`: several saved reports, or results of eval suites, over time."""

import argparse

from skill_evaluator.api.trend import load_trend
from skill_evaluator.cli.console import say, show, show_json, show_page
from skill_evaluator.report.phrases import phrases
from skill_evaluator.report.trend import trend_to_json, trend_to_markdown
from skill_evaluator.texts import ntr

_NOTHING = 2  # exit status where no file measured anything that can be shown


def execute(options: argparse.Namespace) -> int:
    """Print the trend; the exit status says whether anything can be shown in it."""
    found = load_trend(options.reports)
    match options.format:
        case "html":
            from skill_evaluator.report.page.trend import trend_to_html  # noqa: PLC0415 - heavy, loaded when asked for

            show(trend_to_html(found, options.lang))
        case "json":
            show_json(trend_to_json(found))
        case _:
            show_page(trend_to_markdown(found, phrases(options.lang)))
    if not found.lines:
        say(ntr("{n} file, and it is left out", "{n} files, and all of them are left out", len(found.left_out)))
    return 0 if found.lines else _NOTHING

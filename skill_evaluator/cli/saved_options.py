"""The options of the commands that read what was saved: `compare`, `report`, `trend` and `regrade`."""

from typing import TYPE_CHECKING

from skill_evaluator.cli.options import add_gate, add_scoring, add_writing, command, path
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    from skill_evaluator.cli.options import Commands


def add_compare(commands: "Commands") -> None:
    """Declare `compare`."""
    compare = command(
        commands,
        "compare",
        module="compare",
        summary=tr("what changed between two reports, or two results of an eval suite"),
        text=tr(
            "Compare two reports, metric by metric, by the rule that more than 5 points worse is a regression.\n\n"
            "reads   two JSON files of one kind: reports of `run`, or files aggregate-result.json of this program or\n"
            "        of `claude plugin eval`\n"
            "writes  nothing\n"
            "costs   nothing; the exit status is 0 whatever the mark, unless --fail-on is given:\n"
            "        then 1 for a regression, and 2 for a new report that is INVALID or DRAFT, or a partial result"
        ),
    )
    compare.add_argument("new", metavar="NEW.json", type=path, help=tr("the later report"))
    compare.add_argument("old", metavar="OLD.json", type=path, help=tr("the earlier one"))
    add_gate(compare, default="never")
    compare.add_argument("--json", action="store_true", help=tr("the comparison as JSON"))


def add_report(commands: "Commands") -> None:
    """Declare `report`."""
    report = command(
        commands,
        "report",
        module="report",
        summary=tr("show a saved report"),
        text=tr(
            "Show a saved report, or the result of an eval suite, in another format or language.\n\n"
            "reads   one JSON file: a report of `run`, or an aggregate-result.json of this program or of\n"
            "        `claude plugin eval`; told apart by content\n"
            "writes  nothing but standard output\n"
            "costs   nothing"
        ),
    )
    report.add_argument("report", metavar="REPORT.json", type=path)
    report.add_argument(
        "--format",
        choices=("md", "html", "json", "junit", "csv", "github"),
        default="md",
        help=tr(
            "default md, drawn for reading on a terminal and plain in a pipe; html is a page of one file, with charts; "
            "junit is XML for programs that show tests; csv has a line for each run; github is Markdown for a comment"
        ),
    )


def add_trend(commands: "Commands") -> None:
    """Declare `trend`."""
    trend = command(
        commands,
        "trend",
        module="trend",
        summary=tr("several saved reports over time"),
        text=tr(
            "Show saved reports, or results of eval suites, in the order of time: one table, and as a page one chart\n"
            "for each rate. What cannot be held against the newest one is left out and named: partial, draft and\n"
            "INVALID ones, those of other cases or another model, those whose judge was not asked.\n"
            "Estimates are on a line of their own.\n\n"
            "reads   JSON files: reports of `run`, or files aggregate-result.json; told apart by content\n"
            "writes  nothing but standard output\n"
            "costs   nothing; the exit status is 0, and 2 where every file is left out"
        ),
    )
    trend.add_argument("reports", metavar="REPORT.json", type=path, nargs="+", help=tr("in any order"))
    trend.add_argument(
        "--format",
        choices=("md", "html", "json"),
        default="md",
        help=tr("default md; html is one file with charts, to be kept with > trend.html"),
    )


def add_regrade(commands: "Commands") -> None:
    """Declare `regrade`."""
    regrade = command(
        commands,
        "regrade",
        module="regrade",
        summary=tr("grade and score saved runs again; asks no agent"),
        text=tr(
            "Grade and score saved runs again, with the test set kept with them or with a changed one.\n\n"
            "reads   a run folder, or a report whose run folder is still there\n"
            "writes  the new report once you agree\n"
            "costs   nothing: no agent is asked"
        ),
    )
    regrade.add_argument("path", metavar="REPORT.json|RUN_DIR", type=path, help=tr("what to grade again"))
    regrade.add_argument("--testset", metavar="FILE", type=path, help=tr("other expectations for the same questions"))
    add_scoring(regrade, usual=tr("the run's own"))
    add_writing(regrade)

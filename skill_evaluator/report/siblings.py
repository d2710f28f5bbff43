"""Which skill fired for which: a matrix of runs for each split, where more than one skill could."""

from skill_evaluator.model import Split
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.results import FiredCount, Report
from skill_evaluator.skill_names import neighbour_names


def fired_tables(report: Report, say: Phrases) -> tuple[tuple[Md, Table], ...]:
    """One table for each split under its heading, rows expected and columns fired.

    Returns:
        Nothing where the skill under test stood alone, and for an estimate, which is about that one only.
    """
    if report.agent.estimate or not (neighbour_names(report.agent) or _others(report)):
        return ()
    found = [(split, report.splits[split].fired) for split in Split]
    return tuple((say(f"page.split_{split}"), _matrix(rows, report, say)) for split, rows in found if rows)


def names_siblings(report: Report) -> bool:
    """Whether some case expects another skill."""
    return any(case.expected_skill is not None for case in report.cases)


def _others(report: Report) -> set[str | None]:
    rows = [row for split in Split for row in report.splits[split].fired]
    return {name for row in rows for name in (row.expected, row.fired)} - {None, report.skill.name}


def _matrix(rows: tuple[FiredCount, ...], report: Report, say: Phrases) -> Table:
    """Names as in the table of the JSON: in order, no skill last."""
    runs = {(row.expected, row.fired): row.runs for row in rows}
    expected, fired = (
        sorted({getattr(row, key) for row in rows}, key=lambda name: (name is None, name or ""))
        for key in ("expected", "fired")
    )
    header = [
        say("page.fired_corner"),
        *(say("page.fired_none") if name is None else say.quote(name) for name in fired),
    ]
    other = say("page.fired_other", name=report.skill.name)
    return table(
        header,
        [
            [other if row is None else say.quote(row), *(Md(runs.get((row, column), 0)) for column in fired)]
            for row in expected
        ],
    )

"""Reports of every kind, for tests of pages."""

from dataclasses import replace
from pathlib import Path

from skill_evaluator.api.saved import load_any
from skill_evaluator.metrics.usage import latency_of
from skill_evaluator.model import Split
from skill_evaluator.results import Report

GOLDEN = Path(__file__).parents[1] / "golden"
OLDER = Path(__file__).parents[1] / "data" / "reports"


def golden(name: str) -> Report:
    """One of the reports whose Markdown is kept: `failing`, `passing`, `invalid`, `estimate`."""
    return loaded(GOLDEN / f"{name}.json")


def loaded(path: Path) -> Report:
    """A report of a file."""
    report = load_any(path)
    assert isinstance(report, Report)
    return report


def timed(report: Report) -> Report:
    """The same with the seconds of each run: 1 for the first of a case, 2 for the second, and so on; and its cost."""
    durations = {case.id: tuple(float(run.index + 1) for run in case.runs) for case in report.cases}
    latency = {
        split: latency_of([s for case in report.cases if case.split is split for s in durations[case.id]])
        for split in Split
    }
    volatile = replace(report.volatile, durations_s=durations, latency=latency, spent_usd=0.4321, duration_s=61.2)
    return replace(report, volatile=volatile)

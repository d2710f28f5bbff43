"""Reports that earlier versions of this program wrote."""

import json
from collections.abc import Iterator
from pathlib import Path

from skill_evaluator.api.saved import load_report
from skill_evaluator.report.serialize import report_to_json
from skill_evaluator.results import SCHEMA_VERSION, CanaryState

VERSION_1 = Path(__file__).parents[1] / "data" / "reports" / "version-1.json"


def test_a_report_of_version_1_is_read() -> None:
    report = load_report(VERSION_1)

    assert report.canary.state is CanaryState.NOT_NEEDED
    assert report.schema_version == SCHEMA_VERSION


def test_what_a_report_of_version_1_said_stays_as_it_was() -> None:
    before = json.loads(VERSION_1.read_text("utf-8"))
    after = json.loads(report_to_json(load_report(VERSION_1)))

    del before["schema_version"]
    assert list(changed(before, after)) == []


def test_what_version_1_did_not_know_is_told_as_unknown_or_empty() -> None:
    report = load_report(VERSION_1)

    assert (report.volatile.calls, report.volatile.retries) == (None, None)
    assert report.suggestions == ()
    assert report.skill.when_to_use is None
    assert report.comparison is not None
    assert (report.comparison.paired, report.comparison.stops) == ({}, ())


def changed(before: object, after: object, place: str = "") -> Iterator[str]:
    """Name the places where an old value is gone or another one; new keys are none."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key, value in before.items():
            yield from changed(value, after.get(key, "gone"), f"{place}/{key}")
    elif before != after:
        yield place

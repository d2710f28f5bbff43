"""Reports that earlier versions of this program wrote."""

import json
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

    same = before.keys() - {"schema_version"}
    assert {key: after[key] for key in same} == {key: before[key] for key in same}

"""Reports keep the seconds of each run and the file of each case, and believe no latency that these contradict."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.cli import main
from skill_evaluator.errors import InputError
from skill_evaluator.report.serialize import report_from_json
from tests.unit.conftest import rows
from tests.unit.translation_setup import SKILL, SOURCES, recordings_at


@pytest.fixture
def timed(skill_dir: Path, record: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - JSON, to be bent
    """A report of runs of 1, 2 and 3 seconds by repetition; the last run of `p1` failed after 9 seconds."""
    monkeypatch.chdir(tmp_path)
    answers: dict[str, Any] = {
        str(row["id"]): [
            {"skills_invoked": ["level-maker"] if row["type"] == "should_trigger" else [], "duration_s": second}
            for second in (1.0, 2.0, 3.0)
        ]
        for row in rows()
    }
    answers["p1"][2] = {"error": {"kind": "timeout", "message": "no answer"}, "duration_s": 9.0}
    recordings = str(record(answers))
    main(["run", str(skill_dir), "--agent", "replay", "--recordings", recordings, "--yes", "--quiet"])
    (path,) = (tmp_path / "reports").glob("*.json")
    return json.loads(path.read_text("utf-8"))


def faults(content: object) -> list[tuple[str, str | None]]:
    with pytest.raises(InputError) as caught:
        report_from_json(json.dumps(content), name="r.json")
    return [(finding.code, finding.pointer) for finding in caught.value.findings]


def test_a_report_keeps_the_seconds_of_each_run_in_order(timed: Any) -> None:  # noqa: ANN401 - JSON
    durations_s = timed["volatile"]["durations_s"]

    assert durations_s["n0"] == [1.0, 2.0, 3.0]
    assert durations_s["p1"] == [1.0, 2.0, 9.0]
    assert set(durations_s) == {row["id"] for row in rows()}
    assert timed["volatile"]["case_files"] == {}  # all stand in the one file that is named already
    assert timed["volatile"]["latency"]["acceptance"]["latency_p50"]["value"] == 2.0
    assert timed["volatile"]["latency"]["acceptance"]["latency_p50"]["denominator"] == 17  # the failed one is out
    report_from_json(json.dumps(timed), name="r.json")


def test_a_latency_that_its_runs_do_not_have_is_refused(timed: Any) -> None:  # noqa: ANN401 - JSON
    timed["volatile"]["latency"]["acceptance"]["latency_p50"]["value"] = 1.5

    assert faults(timed) == [("report-changed", "/volatile/latency/acceptance/latency_p50/value")]


def test_seconds_that_do_not_give_the_latency_are_refused(timed: Any) -> None:  # noqa: ANN401 - JSON
    for case_id in ("p1", "p3", "p5", "n1", "n3", "n5"):
        timed["volatile"]["durations_s"][case_id][:2] = [5.0, 5.0]

    assert ("report-changed", "/volatile/latency/acceptance/latency_p50/value") in faults(timed)


@pytest.mark.parametrize(
    ("case_id", "seconds", "pointer"),
    [
        ("n0", [1.0, 2.0], "/volatile/durations_s/n0"),
        ("n0", [1.0, 2.0, 3.0, 4.0], "/volatile/durations_s/n0"),
        ("n0", [1.0, -2.0, 3.0], "/volatile/durations_s/n0/1"),
        ("a/b", [1.0], "/volatile/durations_s/a~1b"),
    ],
)
def test_seconds_that_cannot_be_are_named_by_their_place(
    timed: Any,  # noqa: ANN401 - JSON
    case_id: str,
    seconds: list[float],
    pointer: str,
) -> None:
    timed["volatile"]["durations_s"][case_id] = seconds

    assert faults(timed) == [("report-impossible", pointer)]


def test_a_case_whose_seconds_are_missing_is_named(timed: Any) -> None:  # noqa: ANN401 - JSON
    del timed["volatile"]["durations_s"]["n0"]

    assert faults(timed) == [("report-impossible", "/volatile/durations_s/n0")]


def test_without_any_seconds_only_the_form_of_a_latency_is_told(timed: Any) -> None:  # noqa: ANN401 - JSON
    timed["volatile"]["durations_s"] = {}

    report_from_json(json.dumps(timed), name="r.json")


def test_cases_of_a_folder_keep_the_files_they_stand_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, translator: Path, cases: Path
) -> None:
    del translator, cases
    monkeypatch.chdir(tmp_path)
    recordings_at(Path("r.jsonl"))

    main(["run", SKILL, "--testset", "ui", "--agent", "replay", "--recordings", "r.jsonl", "--yes", "--json", "o.json"])

    volatile = json.loads(Path("o.json").read_text("utf-8"))["volatile"]
    assert volatile["testset_path"] == "ui"
    assert volatile["case_files"] == {f"ui.{name}": "ui/cases/dev/ui.jsonl" for name in SOURCES}
    assert volatile["durations_s"] == {}  # recordings without times

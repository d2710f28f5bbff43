"""Nothing that a report's own cases contradict is believed."""

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_evaluator.cli import main
from skill_evaluator.compare.reports import compare
from skill_evaluator.errors import InputError
from skill_evaluator.report.render import render, render_comparison
from skill_evaluator.report.serialize import report_from_json

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
NAMES = ("failing", "estimate", "invalid", "passing")
STORED = {name: (GOLDEN / f"{name}.json").read_text("utf-8") for name in NAMES}
LATE = {
    "name": "latency_p50",
    "value": 1e9,
    "interval": None,
    "numerator": None,
    "denominator": 32,
    "unit": "s",
    "higher_is_better": False,
}


def document(name: str = "failing") -> Any:  # noqa: ANN401 - JSON, to be bent
    return json.loads(STORED[name])


def faults(content: object) -> list[tuple[str, str | None]]:
    with pytest.raises(InputError) as caught:
        report_from_json(json.dumps(content), name="r.json")
    return [(finding.code, finding.pointer) for finding in caught.value.findings]


def put(content: Any, pointer: str, value: object) -> None:  # noqa: ANN401 - JSON
    *steps, last = pointer.split("/")[1:]
    for step in steps:
        content = content[int(step)] if isinstance(content, list) else content[step]
    content[int(last) if isinstance(content, list) else last] = value


@pytest.mark.parametrize(
    "path", [*sorted(GOLDEN.glob("*.json")), *sorted((ROOT / "reports" / "example").glob("*.json"))]
)
def test_a_stored_report_agrees_with_itself(path: Path) -> None:
    report_from_json(path.read_text("utf-8"), name=path.name)


ERROR = {"error": {"kind": "timeout", "message": "no answer"}}


@pytest.mark.parametrize(
    ("answers", "options"),
    [
        ({}, ()),
        ({"p1": ERROR, "n3": [ERROR, {"skills_invoked": []}, {"skills_invoked": ["level-maker"]}]}, ()),
        ({"p1": {"skills_invoked": [], "text": "no", "usage": {"input_tokens": 7, "cost_usd": 0.1}}}, ()),
        ({}, ("--draft",)),
        ({}, ("--case", "p*")),
        ({}, ("--case", "p0", "--case", "n0")),
    ],
)
def test_a_report_of_a_run_agrees_with_itself(
    answers: dict[str, object],
    options: tuple[str, ...],
    skill_dir: Path,
    record: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    recordings = str(record(answers))
    main(["run", str(skill_dir), "--agent", "replay", "--recordings", recordings, "--yes", "--quiet", *options])
    (path,) = (tmp_path / "reports").glob("*.json")

    report_from_json(path.read_text("utf-8"), name="r.json")


def test_a_verdict_is_worked_out_again() -> None:
    content = document()
    content["verdict"], content["reasons"] = "PASS", []

    assert faults(content) == [("report-changed", "/verdict"), ("report-changed", "/reasons/0")]


def test_a_score_changed_in_both_places_is_still_contradicted_by_the_cases() -> None:
    content = document()
    content["metrics"]["f1"] = content["splits"]["acceptance"]["metrics"]["f1"]["value"] = 0.99

    assert faults(content)[-1] == ("report-changed", "/splits/acceptance/metrics/f1/value")


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/splits/acceptance/metrics/recall/value", 5.0),
        ("/splits/acceptance/metrics/recall/numerator", 4),
        ("/splits/acceptance/metrics/recall/interval/low", 0.5),
        ("/splits/acceptance/metrics/pass_hat_k/value", 0.9),
        ("/splits/acceptance/metrics/input_tokens/value", 1.0),
        ("/splits/acceptance/run_metrics/f1/value", 0.9),
        ("/splits/acceptance/do_nothing/recall/value", 0.5),
        ("/splits/acceptance/confusion/true_positives", 4),
        ("/splits/acceptance/unstable_share/numerator", 0),
        ("/splits/acceptance/spread/f1", 0.0),
        ("/splits/acceptance/tags/english/metrics/f1/value", 1.0),
        ("/splits/tuning/error_shares/negative/numerator", 0),
        ("/cases/0/valid_runs", 3),
        ("/cases/0/decision", False),
        ("/cases/0/fluctuation", 0.5),
        ("/cases/0/successes", 4),
        ("/cases/0/aspects/output", False),
        ("/failed_cases/0/actual/measured_runs", 9),
        ("/testset/cases", 99),
        ("/comparison/mark", "improved"),
        ("/comparison/changes/acceptance/2/difference", 0.3),
        ("/comparison/changes/acceptance/2/new", 0.9),
        ("/volatile/latency/acceptance/latency_p95/unit", "ratio"),
        ("/comparison/paired/acceptance/shared", 9),
        ("/comparison/paired/acceptance/mcnemar_p", 0.01),
        ("/comparison/paired/acceptance/gate_level", 0.95),
        ("/comparison/paired/acceptance/worsened/0", "p03"),  # that one is right
        ("/comparison/paired/acceptance/changes/precision/evidence", "regressed"),
        ("/comparison/paired/acceptance/changes/recall/evidence", "within_noise"),  # four cases are too few
        ("/comparison/changes/acceptance/1/old", 0.9),  # the flips tell the old recall
        ("/comparison/shared_only", True),
    ],
)
def test_each_number_is_worked_out_from_the_cases(pointer: str, value: object) -> None:
    content = document()
    put(content, pointer, value)

    assert ("report-changed", pointer) in faults(content)


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/splits/acceptance/metrics/f1/interval", {"low": 0.9, "high": 0.1}),
        ("/splits/acceptance/run_metrics/f1/interval", {"low": 0.9, "high": 7.0}),
        ("/cases/3/id", "p01"),
        ("/cases/0/runs/1/index", 10**12),
        ("/cases/0/runs/0/usage", {"input_tokens": 10**400, "output_tokens": 1, "cost_usd": None}),
        ("/volatile/latency/acceptance/latency_p50", LATE),
        ("/comparison/changes/acceptance/2/old", 1e300),
        ("/volatile/calls", -1),
        ("/volatile/retries", 1),
        ("/canary/faults", [{"code": "canary_silent", "values": {}}]),
        ("/canary/state", "unfinished"),
        ("/comparison/paired/acceptance/only_old", -1),
        ("/comparison/paired/acceptance/changes/f1/cases", 9),
        ("/comparison/paired/acceptance/changes/f1/difference", -1.5),
        ("/comparison/paired/acceptance/changes/f1/interval", {"low": 0.5, "high": 0.1}),
        ("/comparison/paired/acceptance/changes/f1/gate_interval", {"low": -0.1, "high": 0.0}),
        ("/comparison/paired/acceptance/changes/f1/gate_interval", None),
    ],
)
def test_what_no_run_can_leave_is_refused(pointer: str, value: object) -> None:
    content = document()
    put(content, pointer, value)

    found = faults(content)
    assert {code for code, _ in found} == {"report-impossible"}
    assert pointer in [place for _, place in found]


SILENT = {"code": "canary_silent", "values": {"probe": "p", "invoked": []}}


def test_a_failed_canary_leaves_no_other_verdict_than_invalid() -> None:
    content = document()
    content["canary"] = {"state": "failed", "faults": [SILENT], "listing_checked": True}
    content["stopped_by"] = "canary"

    found = faults(content)
    assert found[0] == ("report-changed", "/verdict")
    assert ("report-changed", "/reasons/0/code") in found


@pytest.mark.parametrize(
    ("canary", "stopped_by", "pointer"),
    [
        ({"state": "failed", "faults": [SILENT], "listing_checked": True}, None, "/canary/state"),
        ({"state": "passed", "faults": [], "listing_checked": True}, "canary", "/canary/state"),
        ({"state": "failed", "faults": [], "listing_checked": True}, "canary", "/canary/faults"),
        ({"state": "passed", "faults": [SILENT], "listing_checked": True}, None, "/canary/faults"),
    ],
)
def test_a_canary_that_cannot_be_is_refused(canary: object, stopped_by: str | None, pointer: str) -> None:
    content = document()
    content["canary"], content["stopped_by"] = canary, stopped_by

    assert faults(content) == [("report-impossible", pointer)]


def test_an_estimate_has_no_canary() -> None:
    content = document("estimate")
    content["canary"]["state"] = "passed"

    assert faults(content) == [("report-impossible", "/canary/state")]


@pytest.mark.parametrize(
    ("key", "ids"),
    [("only_new", ["nobody"]), ("unmeasured", ["nobody"]), ("improved", ["p05"]), ("worsened", ["p05", "n01", "p05"])],
)
def test_a_case_that_the_report_does_not_bear_out_is_refused(key: str, ids: list[str]) -> None:
    """p05 is wrong, so that it cannot have become right; and nobody is asked twice."""
    content = document()
    content["comparison"]["paired"]["acceptance"][key] = ids

    assert any(place.startswith("/comparison/paired/acceptance/") for _, place in faults(content) if place)


def test_a_rate_cannot_be_taken_out_of_those_that_stop_a_build() -> None:
    content = document()
    assert content["comparison"]["stops"] == ["pass_hat_k"]
    content["comparison"]["stops"] = []

    assert faults(content) == [("report-changed", "/comparison/stops/0")]


def test_evidence_of_a_rate_that_nobody_knows_is_refused() -> None:
    content = document()
    changes = content["comparison"]["paired"]["acceptance"]["changes"]
    changes["luck"] = changes["f1"]

    assert faults(content) == [("report-impossible", "/comparison/paired/acceptance/changes/luck")]


def test_a_comparison_of_version_1_has_no_paired_evidence_and_still_loads() -> None:
    content = json.loads((ROOT / "tests" / "data" / "reports" / "version-2.json").read_text("utf-8"))
    for key in ("paired", "shared_only", "fail_on", "stops"):
        del content["comparison"][key]
    del content["canary"], content["suggestions"]
    content["schema_version"] = 1
    comparison = report_from_json(json.dumps(content), name="r.json").comparison

    assert comparison is not None
    assert (comparison.paired, comparison.shared_only, comparison.fail_on, comparison.stops) == ({}, False, "never", ())


def test_an_estimate_cannot_be_passed_off_as_a_measurement() -> None:
    content = document("estimate")
    content["agent"]["estimate"] = False

    assert faults(content) == [("report-impossible", "/agent/estimate")]


def test_a_failed_case_cannot_be_left_out() -> None:
    content = document()
    content["failed_cases"] = []

    assert faults(content) == [("report-changed", "/failed_cases/0")]


def test_a_draft_cannot_pass() -> None:
    content = document("passing")
    content["config"]["draft"] = True

    assert faults(content)[:2] == [("report-changed", "/verdict"), ("report-changed", "/reasons/0")]


def test_a_metric_that_nobody_knows_is_refused_and_so_is_one_that_is_missing() -> None:
    content = document()
    metrics = content["splits"]["acceptance"]["metrics"]
    metrics["foo"] = {**metrics.pop("f1"), "name": "foo"}

    assert faults(content)[-2:] == [
        ("report-changed", "/splits/acceptance/metrics/f1"),
        ("report-changed", "/splits/acceptance/metrics/foo"),
    ]


def test_a_report_without_its_cases_is_refused_in_a_few_findings() -> None:
    found = faults({**document(), "cases": []})

    assert len(found) <= 11
    assert {code for code, _ in found} <= {"report-changed", "report-changed-more", "report-impossible"}


def test_a_contradiction_says_both_sides_and_the_remedy() -> None:
    with pytest.raises(InputError, match=r'"PASS" stands here, .* "FAIL": .*edited or damaged.*regrade RUN_DIR'):
        report_from_json(json.dumps({**document(), "verdict": "PASS"}), name="r.json")


def test_noise_in_the_last_digits_is_no_contradiction() -> None:
    content = document()
    put(
        content,
        "/splits/acceptance/unstable_share/value",
        content["splits"]["acceptance"]["unstable_share"]["value"] + 1e-12,
    )

    report_from_json(json.dumps(content), name="r.json")


def nodes(value: object) -> list[tuple[Any, Any]]:
    """Every place in a JSON value, as its container and key."""
    found: list[tuple[Any, Any]] = []
    keys: Any = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        found.append((value, key))
        found += nodes(value[key])  # type: ignore[index]  # it has this key
    return found


ODD: tuple[object, ...] = (
    None,
    True,
    0,
    1,
    -1,
    10**30,
    1e300,
    0.5,
    "",
    "x",
    "-x",
    [],
    {},
    [[]],
    {"a": None},
    ["a@b", 1],
)
PLACES = {name: len(nodes(document(name))) for name in NAMES}


def bend(content: Any, chance: random.Random, places: list[tuple[Any, Any]]) -> None:  # noqa: ANN401 - JSON
    container, key = chance.choice(places)
    if (isinstance(container, list) and key >= len(container)) or (
        isinstance(container, dict) and key not in container
    ):
        return  # an earlier change took it away
    match chance.choice(("delete", "odd", "other", "twice")):
        case "delete":
            del container[key]
        case "odd":
            container[key] = copy.deepcopy(chance.choice(ODD))
        case "other":
            other, place = chance.choice(nodes(content))
            container[key] = copy.deepcopy(other[place])
        case _ if isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key]))
        case _:
            container[f"{key}2"] = copy.deepcopy(container[key])


@settings(max_examples=150)
@given(st.sampled_from(NAMES), st.integers(0, 2**32), st.integers(1, 3), st.booleans())
def test_any_file_ends_in_findings_or_a_page(name: str, seed: int, changes: int, free: bool) -> None:
    """Half of the changes hit what is free to be anything, since the others are nearly always refused."""
    content, chance = document(name), random.Random(seed)  # noqa: S311 - no secret hangs on it
    parts = [content[key] for key in ("notes", "warnings", "agent", "config", "volatile", "skill", "comparison")]
    for _ in range(changes):
        bend(content, chance, [place for part in parts for place in nodes(part)] if free else nodes(content))
    try:
        made = report_from_json(json.dumps(content), name="r.json")
    except InputError:
        return  # it cannot be raised without a finding
    old = report_from_json(STORED["passing"], name="old.json")
    for lang in ("en", "zh"):
        render(made, "md", lang)
        render_comparison(made, old, compare(made, old), lang)

"""`aggregate-result.json`: written as the real program writes it, and read back, its files and ours."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.api.saved import load_any
from skill_evaluator.errors import InputError
from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.report.phrases import phrases
from skill_evaluator.report.suite.files import suite_result_to_json
from skill_evaluator.report.suite.javascript_layout import javascript_text
from skill_evaluator.report.suite.overview import verdict
from skill_evaluator.report.suite.reading import suite_result_from_json
from skill_evaluator.results.suite_result import SuiteResult
from tests.unit.suite_results import FIRED, QUIET, TIN, case, found, recorded, recorded_result, run, suite


@pytest.mark.parametrize("name", sorted(recorded()))
def test_files_of_the_real_program_are_written_back_byte_for_byte(name: str) -> None:
    """Keys, their order, their presence and the look of numbers are all in this."""
    text = recorded()[name]

    assert suite_result_to_json(suite_result_from_json(text, name=name)) == text


@pytest.mark.parametrize("name", sorted(recorded()))
def test_a_result_with_our_block_is_read_back_equal(name: str) -> None:
    known = recorded_result(name)
    ours = replace(known, measures=measures_of_result(known))

    assert without_doubt(suite_result_from_json(suite_result_to_json(ours), name=name)) == without_doubt(ours)


def without_doubt(result: SuiteResult) -> SuiteResult:
    """A file of the real program leaves open which runs ended on an API error; one of ours never does."""
    return replace(
        result,
        cases=tuple(
            replace(
                one,
                with_plugin=tuple(replace(each, is_api_error=False) for each in one.with_plugin),
                without_plugin=None
                if one.without_plugin is None
                else tuple(replace(each, is_api_error=False) for each in one.without_plugin),
            )
            for one in result.cases
        ),
    )


def test_our_block_comes_last_under_one_key() -> None:
    known = recorded_result("own/tide-old")
    content = json.loads(suite_result_to_json(replace(known, measures=measures_of_result(known))))

    assert list(content)[-1] == "skillEvaluator"
    assert {key: value for key, value in content.items() if key != "skillEvaluator"} == json.loads(
        recorded()["own/tide-old"]
    )
    assert content["skillEvaluator"]["trigger"]["byCase"]["recall"]["numerator"] == 2


def test_our_file_tells_which_runs_ended_on_an_api_error() -> None:
    failed = replace(run(score=0.0, error="exit 1"), is_api_error=True)
    ours = suite(case("a", run(), failed, without=[failed, run()]))
    ours = replace(ours, measures=measures_of_result(ours))

    (read,) = suite_result_from_json(suite_result_to_json(ours), name="r").cases
    assert [one.is_api_error for one in read.with_plugin] == [False, True]
    assert [one.is_api_error for one in read.without_plugin or ()] == [True, False]


def test_a_saved_result_still_tells_which_cases_did_not_load() -> None:
    ours = replace(suite(case("a", run())), refused=("/plugins/pantry/evals/broken",))
    ours = replace(ours, measures=measures_of_result(ours))
    read = suite_result_from_json(suite_result_to_json(ours), name="r")

    assert read.refused == ours.refused
    assert verdict(read, phrases("en", "plain")) == verdict(ours, phrases("en", "plain"))
    assert verdict(read, phrases("en", "plain")).state == "fail"
    earlier = json.loads(suite_result_to_json(ours))
    del earlier["skillEvaluator"]["refused"]
    assert suite_result_from_json(json.dumps(earlier), name="r").refused == ()


def test_numbers_look_as_in_javascript() -> None:
    """1 without a point, thirds unrounded, tiny ones with its exponent, and null for what JSON lacks."""
    numbers = [run(score=score) for score in (1.0, 2 / 3, 1e-7, float("nan"), float("inf"))]
    text = suite_result_to_json(suite(case("a", *numbers)))

    assert [line.strip() for line in text.splitlines() if '"score"' in line][:5] == [
        '"score": 1,',
        '"score": 0.6666666666666666,',
        '"score": 1e-7,',
        '"score": null,',
        '"score": null,',
    ]


def test_texts_that_no_file_can_hold_are_escaped() -> None:
    text = suite_result_to_json(suite(case("half \ud800 of a pair, \u2028, 题", run())))

    assert r"half \ud800 of a pair, " + "\u2028, 题" in text
    assert suite_result_from_json(text, name="r").cases[0].name == "half \ud800 of a pair, \u2028, 题"


def test_a_value_that_json_lacks_is_a_bug() -> None:
    with pytest.raises(TypeError, match="set"):
        javascript_text({"a": {1}})


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    content = json.loads(recorded()["own/tide-old"])
    change(content)
    return json.dumps(content)


FAULTS: list[tuple[Callable[[dict[str, Any]], object], str, str]] = [
    (lambda c: c.pop("aggregates"), "/aggregates", "missing"),
    (lambda c: c["cases"][0].pop("name"), "/cases/0/name", "missing"),
    (lambda c: c["cases"][1]["arms"]["with"][0].update(score="1"), "/cases/1/arms/with/0/score", "valid number"),
    (lambda c: c["cases"][0].update(source="yaml"), "/cases/0/source", "'prose'"),
    (lambda c: c.update(startedAt="yesterday"), "/startedAt", "2026-05-01T08:43:23.665Z"),
    (lambda c: c.update(startedAt="2026-05-01T08:43:23"), "/startedAt", "time zone"),
    (lambda c: c.update(partial=True), "", "partialReason"),
    (lambda c: c.update(skillEvaluator={"version": 1}), "/skillEvaluator/version", "valid string"),
    (lambda c: c["suite"].update(threshold=True), "/suite/threshold", "valid number"),
]


@pytest.mark.parametrize(("change", "pointer", "words"), FAULTS)
def test_each_fault_is_told_with_its_place(
    change: Callable[[dict[str, Any]], object], pointer: str, words: str
) -> None:
    with pytest.raises(InputError) as caught:
        suite_result_from_json(changed(change), name="old.json")

    told = [finding for finding in caught.value.findings if (finding.pointer or "") == pointer]
    assert told, caught.value
    assert words in told[0].message
    assert told[0].file == "old.json"


def test_faults_of_all_places_are_told_at_once() -> None:
    def damage(content: dict[str, Any]) -> None:
        content.pop("suite")
        content["cases"][0]["graders"][0]["weight"] = "1"
        content["skillEvaluator"] = {"version": "1"}

    with pytest.raises(InputError) as caught:
        suite_result_from_json(changed(damage), name="old.json")

    pointers = [finding.pointer for finding in caught.value.findings]
    assert {"/suite", "/cases/0/graders/0/weight", "/skillEvaluator/trigger"} <= set(pointers)


def test_keys_of_later_versions_of_the_real_program_are_passed_over() -> None:
    def add(content: dict[str, Any]) -> None:
        content["cases"][0]["arms"]["with"][0]["thinkingSeconds"] = 4
        content["host"] = {"os": "linux"}

    read = suite_result_from_json(changed(add), name="new.json")

    assert suite_result_to_json(read) == recorded()["own/tide-old"]


@pytest.mark.parametrize(
    ("version", "words"), [(2, "upgrade skill-evaluator"), ("1", "schemaVersion"), (None, "schemaVersion"), (True, "1")]
)
def test_other_versions_are_refused(version: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        suite_result_from_json(changed(lambda content: content.update(schemaVersion=version)), name="r.json")


def test_kinds_of_files_are_told_apart_by_content(tmp_path: Path) -> None:
    path = tmp_path / "anything.txt"
    path.write_text(recorded()["own/tide-old"], encoding="utf-8")
    assert isinstance(load_any(path), SuiteResult)

    path.write_text('{"schema_version": 4, "note": "schemaVersion"}', encoding="utf-8")
    with pytest.raises(InputError, match="this key is missing"):
        load_any(path)


@pytest.mark.parametrize("text", ["", "[1]", '{"schemaVersion": NaN}', '{"schemaVersion": 1', '{"a": 1, "a": 2}'])
def test_what_is_no_result_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"no JSON|an array"):
        suite_result_from_json(text, name="r.json")


def test_graders_of_hand_made_results_survive() -> None:
    ours = suite(
        case("a", run(found(TIN, passed=True), found(FIRED, passed=False, scored=False)), graders=[TIN, QUIET])
    )

    assert suite_result_from_json(suite_result_to_json(ours), name="r").cases == ours.cases

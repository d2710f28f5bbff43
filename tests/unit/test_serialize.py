import json
import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import EnumType
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from skill_evaluator.errors import InputError
from skill_evaluator.model import Aspect, Outcome, Severity, Split, Verdict
from skill_evaluator.report.schema import schema_text
from skill_evaluator.report.serialize import comparison_to_json, parse_report, report_from_json, report_to_json
from skill_evaluator.results import MAX_RUNS, SCHEMA_VERSION, Config, FailedCase, Note, Report, ReportVerdict

GOLDEN = Path(__file__).parents[1] / "golden"
NAMES = ("failing", "estimate", "invalid", "passing")
SCHEMA = Draft202012Validator(json.loads(schema_text()))

json_values: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=3,
)
json_objects = st.dictionaries(st.text(max_size=5), json_values, max_size=2)
some_json = st.dictionaries(st.text(max_size=5), json_values, min_size=1, max_size=2)


def golden(name: str) -> str:
    return (GOLDEN / f"{name}.json").read_text("utf-8")


def report(name: str = "failing") -> Report:
    return report_from_json(golden(name), name=name)


def document(name: str = "failing") -> Any:  # noqa: ANN401 - JSON, to be bent
    return json.loads(golden(name))


def read(content: object) -> Report:
    return report_from_json(json.dumps(content), name="r.json")


def faults(content: object) -> list[tuple[str, str | None]]:
    with pytest.raises(InputError) as caught:
        read(content)
    assert {finding.file for finding in caught.value.findings} == {"r.json"}
    return [(finding.code, finding.pointer) for finding in caught.value.findings]


def values_of(hint: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401, PLR0911 - type hints have no common type
    """Any value of a type hint that occurs in a report."""
    arguments = get_args(hint)
    match get_origin(hint):
        case origin if origin in {types.UnionType, Union}:
            return st.one_of([st.none() if one is type(None) else values_of(one) for one in arguments])
        case origin if origin is Literal:
            return st.sampled_from(arguments)
        case origin if origin is tuple:
            return st.lists(values_of(arguments[0]), max_size=2).map(tuple)
        case origin if origin is not None and issubclass(origin, Mapping):
            inner = json_values if arguments[1] is object else values_of(arguments[1])
            return st.dictionaries(values_of(arguments[0]), inner, max_size=2)
        case _ if isinstance(hint, EnumType):
            return st.sampled_from(list(hint))
        case _ if is_dataclass(hint):
            return instances_of(hint)
        case _:
            return PLAIN[hint]


PLAIN = {
    str: st.text(max_size=5),
    int: st.integers(),
    bool: st.booleans(),
    float: st.floats(allow_nan=False, allow_infinity=False),
}


def instances_of(cls: Any, **chosen: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:  # noqa: ANN401 - see above
    hints = {one.name: get_type_hints(cls)[one.name] for one in fields(cls)}
    known = {**SPECIAL.get(cls, {}), **chosen}
    return st.deferred(
        lambda: st.builds(cls, **{name: known[name] if name in known else values_of(hints[name]) for name in hints})
    )


SPECIAL: Mapping[type, Mapping[str, st.SearchStrategy[Any]]] = {
    FailedCase: {"expected": some_json, "actual": some_json},
    Outcome: {"evidence": some_json},
    Config: {"runs": st.integers(1, MAX_RUNS), "seed": st.integers(0), "pass_threshold": st.floats(0, 1)},
}
splits = st.fixed_dictionaries({split: values_of(get_type_hints(Report)["splits"].__args__[1]) for split in Split})
reports: st.SearchStrategy[Report] = instances_of(Report, splits=splits, schema_version=st.just(SCHEMA_VERSION))


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example])
@given(reports)
def test_any_report_is_read_back_equal_and_fits_the_schema(made: Report) -> None:
    text = report_to_json(made)

    assert parse_report(text, name="r.json") == made
    assert not list(SCHEMA.iter_errors(json.loads(text)))


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_report_is_written_again_byte_for_byte(name: str) -> None:
    assert report_to_json(report(name)) == golden(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_report_fits_the_published_schema(name: str) -> None:
    assert not list(SCHEMA.iter_errors(document(name)))


def test_the_published_schema_is_the_one_the_types_give() -> None:
    published = files("skill_evaluator.report").joinpath("report.schema.json").read_text("utf-8")

    assert published == schema_text()
    Draft202012Validator.check_schema(json.loads(published))


def test_the_schema_wants_every_key_and_knows_no_other() -> None:
    without = document()
    del without["config"]["draft"]

    assert len(list(SCHEMA.iter_errors(without))) == 1
    assert len(list(SCHEMA.iter_errors({**document(), "extra": 1}))) == 1


def test_the_file_opens_with_what_a_reader_wants_first() -> None:
    assert list(document())[:7] == [
        *("schema_version", "evaluator_version", "skill_name", "timestamp", "model", "verdict", "metrics")
    ]


def test_headline_numbers_are_those_of_the_acceptance_split_unrounded() -> None:
    made = report()
    content = document()

    expected = {name: metric.value for name, metric in made.splits[Split.ACCEPTANCE].metrics.items()}
    assert content["metrics"] == expected
    assert content["metrics"]["f1"] == 6 / 8  # 3 of 4 fired rightly, 1 wrongly, 1 missed
    assert content["skill_name"] == made.skill.name
    assert (content["model"], document("estimate")["model"]) == ("example-model-1", "none")
    assert [one["cause"] for one in content["suggestions"]] == ["answered_directly", "false_triggers"]


def test_an_invalid_report_has_no_headline_numbers_but_keeps_its_counts() -> None:
    content = document("invalid")

    assert set(content["metrics"].values()) == {None}
    assert content["splits"]["acceptance"]["confusion"]["unmeasured"] == 7
    scored = report_to_json(replace(report("passing"), verdict=ReportVerdict.INVALID))
    assert set(json.loads(scored)["metrics"].values()) == {None}
    assert json.loads(scored)["splits"]["acceptance"]["metrics"]["f1"]["value"] == 1.0


def turned(mapping: Mapping[Any, Any]) -> dict[Any, Any]:
    return dict(reversed(list(mapping.items())))


def test_equal_reports_give_equal_text_whatever_the_order_of_their_mappings() -> None:
    made = report()
    other = replace(
        made,
        splits=turned(made.splits),
        agent=replace(made.agent, settings=turned(made.agent.settings)),
        volatile=replace(made.volatile, host=turned(made.volatile.host)),
        reasons=tuple(Note(code=note.code, values=turned(note.values)) for note in made.reasons),
    )

    assert other == made
    assert report_to_json(other) == report_to_json(made)
    assert list(json.loads(report_to_json(other))["splits"]) == ["acceptance", "tuning"]


def test_text_of_any_script_stands_as_it_is() -> None:
    assert "做个最终关" in golden("failing")
    assert golden("failing").endswith("}\n")


def test_half_a_surrogate_pair_becomes_a_replacement_character() -> None:
    text = report_to_json(replace(report(), violations=("\ud83d\ude00 \ud800",)))

    text.encode()
    assert parse_report(text, name="r.json").violations == ("😀 \ufffd",)
    escaped = json.dumps({**document(), "violations": ["\udfff"]})
    assert parse_report(escaped, name="r.json").violations == ("\ufffd",)


def test_a_number_that_is_not_finite_is_never_written() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        report_to_json(replace(report(), notes=(Note(code="x", values={"y": float("nan")}),)))


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("", "report-not-json", "no JSON"),
        ("# 📊 Skill score", "report-not-json", "no JSON"),
        ("{}", "report-version-missing", "no report of this program"),
        ("[]", "report-not-object", "an array"),
        ('"x"', "report-not-object", "a string"),
        ("null", "report-not-object", "a constant"),
        ("3", "report-not-object", "a number"),
        ('{"schema_version": NaN}', "report-not-json", "NaN is no number"),
        ('{"schema_version": -Infinity}', "report-not-json", "-Infinity is no number"),
        ('{"schema_version": 1e999}', "report-not-json", "1e999 is too large"),
        ('{"schema_version": 1, "a": {"b": 1, "b": 2}}', "report-not-json", "'b' stands twice"),
        ("[" * 100_000, "report-not-json", "no JSON"),
        ('{"schema_version": 7, "new": true}', "report-version-newer", "upgrade skill-evaluator"),
        ('{"schema_version": 0}', "report-version-unknown", "reads version 6"),
        ('{"schema_version": "1"}', "report-version-unknown", "reads version 6"),
        ('{"schema_version": true}', "report-version-unknown", "reads version 6"),
        (
            '{"skill_name": "x", "metrics": {"f1": 0.9}}',
            "report-version-missing",
            "score that version of the skill again",
        ),
        ('{"schemaVersion": 1, "cases": [], "aggregates": {}}', "report-of-plugin-eval", "claude plugin eval"),
    ],
)
def test_another_kind_of_file_is_refused_with_what_to_do(text: str, code: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        report_from_json(text, name="r.json")

    [finding] = caught.value.findings
    assert (finding.code, finding.file) == (code, "r.json")


def test_a_file_too_large_for_a_report_is_one_finding() -> None:
    with pytest.raises(InputError, match="larger than 256 MB") as caught:
        report_from_json(" " * (256 * 2**20 + 1), name="r.json")

    assert [finding.code for finding in caught.value.findings] == ["report-too-large"]


@pytest.mark.parametrize("depth", [250, 500, 900, 1_500, 100_000])
def test_a_report_nested_too_deep_is_one_finding(depth: int) -> None:
    text = golden("passing").replace(
        '"notes": []', f'"notes": [{{"code": "x", "values": {{"y": {"[" * depth + "]" * depth}}}}}]'
    )
    assert text != golden("passing")
    with pytest.raises(InputError, match="nested too deep") as caught:
        report_from_json(text, name="r.json")

    assert [finding.code for finding in caught.value.findings] == ["report-not-json"]


def test_a_fault_of_the_json_has_its_line() -> None:
    with pytest.raises(InputError) as caught:
        report_from_json('{\n"a": 1,\n}', name="r.json")

    assert str(caught.value).startswith("FAIL r.json:2: ")
    assert "a comma stands before }" in str(caught.value)


def test_all_faults_are_named_at_once_with_their_places() -> None:
    content = document()
    content["verdict"] = "GOOD"
    content["config"]["runs"] = "3"
    content["config"]["odd/key~"] = 1
    del content["skill"]["sha256"]
    content["splits"]["tuning"]["metrics"]["f1"]["value"] = True
    content["cases"][2]["runs"][0]["verdicts"][0]["outcome"]["evidence"] = {}
    content["volatile"]["latency"]["half"] = {}

    assert sorted(faults(content), key=str) == [
        ("report-key-missing", "/skill/sha256"),
        ("report-key-unknown", "/config/odd~1key~0"),
        ("report-value", "/cases/2/runs/0/verdicts/0/outcome"),
        ("report-value", "/config/runs"),
        ("report-value", "/splits/tuning/metrics/f1/value"),
        ("report-value", "/verdict"),
        ("report-value", "/volatile/latency/half"),
    ]


def test_a_fault_says_what_was_found() -> None:
    with pytest.raises(InputError, match=r'/verdict: "GOOD": should be .*PASS.*; use the file as it was written'):
        read({**document(), "verdict": "GOOD"})


def bend_f1(content: Any) -> None:  # noqa: ANN401 - JSON
    content["metrics"]["f1"] = 0.99


def bend_split(content: Any) -> None:  # noqa: ANN401 - JSON
    content["splits"]["acceptance"]["metrics"]["recall"]["value"] = 1.0


def bend_verdict(content: Any) -> None:  # noqa: ANN401 - JSON
    content["verdict"] = "INVALID"


def bend_names(content: Any) -> None:  # noqa: ANN401 - JSON
    content["skill_name"], content["model"] = "other", "better-model"


@pytest.mark.parametrize(
    ("bend", "pointers"),
    [
        (bend_f1, ["/metrics/f1"]),
        (bend_split, ["/metrics/recall", "/splits/acceptance/metrics/recall/value"]),
        (bend_names, ["/skill_name", "/model"]),
    ],
)
def test_numbers_that_the_rest_of_the_file_contradicts_are_refused(
    bend: Callable[[Any], None], pointers: list[str]
) -> None:
    content = document()
    bend(content)

    assert faults(content) == [("report-changed", pointer) for pointer in pointers]


def test_a_score_cannot_be_hidden_behind_another_verdict() -> None:
    content = document()
    bend_verdict(content)

    assert {code for code, _ in faults(content)} == {"report-changed", "report-changed-more"}
    assert faults(content)[0] == ("report-changed", "/verdict")


def test_a_suggestion_is_read_by_its_keys() -> None:
    assert faults({**document(), "suggestions": ["x"]}) == [("report-value", "/suggestions/0")]


def test_a_comparison_stands_alone_as_it_stands_in_its_report() -> None:
    comparison = report().comparison
    assert comparison is not None

    assert json.loads(comparison_to_json(comparison)) == document()["comparison"]


def test_free_values_that_are_tuples_come_back_as_lists() -> None:
    outcome = Outcome(passed=False, code="x", message="m", evidence={"names": ("a", "b")})
    verdict = Verdict(grader="g", aspect=Aspect.OUTPUT, severity=Severity.HARD, weight=1.0, outcome=outcome)
    made = report()
    run = replace(made.cases[0].runs[0], verdicts=(verdict,))
    written = report_to_json(replace(made, cases=(replace(made.cases[0], runs=(run,)), *made.cases[1:])))

    again = parse_report(written, name="r.json").cases[0].runs[0].verdicts[0].outcome
    assert again.evidence == {"names": ["a", "b"]}


def test_findings_name_the_file_as_the_user_did() -> None:
    with pytest.raises(InputError) as caught:
        report_from_json("{}", name="reports/old.json")

    assert [finding.file for finding in caught.value.findings] == ["reports/old.json"]

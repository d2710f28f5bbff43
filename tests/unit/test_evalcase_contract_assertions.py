"""The contract EvalCase v1, section 4: the vocabulary of assertions, and what the two of the first hour mean."""

import inspect
import json
import re
from pathlib import Path

import pytest

from skill_evaluator.formats.evalcase.params import DEFAULTS, EXPECTED
from skill_evaluator.graders.translation import ASSERTIONS
from tests.case_rows import EXAMPLE, Row
from tests.contract_bench import CASE_SCHEMA, PAGE, ROOT, Bench, asserting, example
from tests.contract_sentences import sentence

# Names, params and what counts where a param is left out. Additions are fine; what stands here stays as it is.
VOCABULARY: dict[str, dict[str, object]] = {
    "protocol_complete": {"expected_items": None, "terminator": None, "allow_extra_items": False, "format": "auto"},
    "placeholder_integrity": {"syntax": "auto", "allow_reorder": True, "pattern": None},
    "number_fidelity": {},
    "required_tokens": {},
    "forbidden_renderings": {"renderings": None},
    "max_chars": {"limit": None, "unit": "graphemes"},
}
LATER = ("number_fidelity", "required_tokens", "forbidden_renderings", "max_chars")
LINES = {"format": "lines", "expected_items": 2}


@pytest.fixture
def bench(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Bench:
    return Bench(tmp_path, capsys)


def protocol(bench: Bench, response: str | None, **params: object) -> str:
    return bench.code(asserting("protocol_complete", params), "any text", raw_response=response)


def placeholder(bench: Bench, source: str, text: str, **params: object) -> str:
    whole = {"syntax": "printf", **params}
    return bench.code(asserting("placeholder_integrity", whole, source=source), text)


@sentence("4.0.1")
def test_an_assertion_is_an_object_with_name_severity_and_params(bench: Bench) -> None:
    assert bench.said(example(assertions=["placeholder_integrity"])) == ["wrong-value /assertions/0"]
    assert bench.said(example(assertions=[{"severity": "hard"}])) == ["missing-field /assertions/0"]
    assert bench.said(asserting("placeholder_integrity", {"syntax": "printf", "allow_reorder": True})) == []


@sentence("4.0.2")
def test_severity_is_hard_or_report_and_decides_or_does_not(bench: Bench) -> None:
    assert bench.said(asserting("max_chars", {"limit": 1}, severity="soft")) == ["wrong-value /assertions/0/severity"]
    for severity in ("hard", "report"):
        (result,) = bench.results(asserting("max_chars", {"limit": 1}, severity=severity), "long")
        assert (result["severity"], result["passed"]) == (severity, False)


@sentence("4.0.3")
def test_our_own_cases_of_protocols_and_placeholders_are_hard() -> None:
    for name in ("protocol", "placeholders"):
        lines = (ROOT / "testsets/translation/cases/dev" / f"{name}.jsonl").read_text("utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        kinds = {(one["name"], one["severity"]) for row in rows for one in row["assertions"]}
        assert {severity for which, severity in kinds if which in {"protocol_complete", "placeholder_integrity"}} == {
            "hard"
        }


@sentence("4.1.1")
def test_a_response_is_whole_however_bad_the_translation_is(bench: Bench) -> None:
    case = asserting("protocol_complete", LINES)

    assert bench.code(case, "%s", raw_response="rubbish\nmore rubbish") == "ok"
    assert (
        bench.code(case, "欢迎，%s！\n你有 %d 枚硬币。", raw_response="欢迎，%s！你有 %d 枚硬币。")
        == "protocol_missing_item"
    )


@sentence("4.1.2", "4.1.3", "4.1.4", "4.1.13", "4.1.14")
@pytest.mark.parametrize(
    ("name", "params", "key"),
    [
        ("protocol_complete", {"expected_items": 0}, "expected_items"),
        ("protocol_complete", {"expected_items": "2"}, "expected_items"),
        ("protocol_complete", {"expected_items": True}, "expected_items"),
        ("protocol_complete", {"terminator": ""}, "terminator"),
        ("protocol_complete", {"terminator": 1}, "terminator"),
        ("protocol_complete", {"allow_extra_items": "yes"}, "allow_extra_items"),
        ("placeholder_integrity", {"syntax": "perl"}, "syntax"),
        ("placeholder_integrity", {"allow_reorder": 1}, "allow_reorder"),
    ],
)
def test_params_of_another_kind_are_refused(bench: Bench, name: str, params: Row, key: str) -> None:
    assert bench.said(asserting(name, params)) == [f"wrong-value /assertions/0/params/{key}"]


@sentence("4.1.3", "4.1.5")
@pytest.mark.parametrize(
    ("response", "params"),
    [
        ("one\ntwo", LINES),
        ("one\ntwo\n[[END]]", {**LINES, "terminator": "[[END]]"}),
        ('["one", "two"]', {"expected_items": 2}),
        ('<item id="1">one</item><item id="2">two</item>', {"expected_items": 2}),
        ("1. one\n2. two", {"expected_items": 2}),
        ("one", {}),
    ],
)
def test_a_whole_response_passes(bench: Bench, response: str, params: Row) -> None:
    assert protocol(bench, response, **params) == "ok"


@sentence("4.1.4", "4.1.7")
def test_extra_items_fail_unless_they_are_allowed(bench: Bench) -> None:
    assert protocol(bench, "a\nb\nc", **LINES) == "protocol_extra_item"
    assert protocol(bench, "a\nb\nc", **LINES, allow_extra_items=False) == "protocol_extra_item"
    assert protocol(bench, "a\nb\nc", **LINES, allow_extra_items=True) == "ok"


@sentence("4.1.6", "4.1.8", "4.1.9", "4.1.10")
@pytest.mark.parametrize(
    ("response", "params", "code"),
    [
        ("one", LINES, "protocol_missing_item"),
        ("one", {**LINES, "allow_extra_items": True}, "protocol_missing_item"),
        ("1. one\n3. three", {"expected_items": 3}, "protocol_missing_item"),
        ('["one", "two', {"format": "json"}, "protocol_malformed_item"),
        ("<item>one<item>two</item>", {"format": "tagged"}, "protocol_malformed_item"),
        ("one\ntwo", {**LINES, "terminator": "[[END]]"}, "protocol_missing_terminator"),
        ("one\ntwo\n[[EN", {**LINES, "terminator": "[[END]]"}, "protocol_malformed_terminator"),
        ("one\ntwo\n[[END]]\nBye", {**LINES, "terminator": "[[END]]"}, "protocol_malformed_terminator"),
    ],
)
def test_a_response_that_is_not_whole_fails(bench: Bench, response: str, params: Row, code: str) -> None:
    assert protocol(bench, response, **params) == code


@sentence("4.1.11", "4.1.12")
def test_one_of_two_equal_placeholders_is_missed(bench: Bench) -> None:
    assert placeholder(bench, "%s %s", "%s") == "placeholder_count_mismatch"
    assert placeholder(bench, "%s %s", "%s %s") == "ok"
    assert "placeholder_set" not in ASSERTIONS
    assert bench.said(asserting("placeholder_set")) == ["unknown-assertion /assertions/0/name"]


@sentence("4.1.13")
@pytest.mark.parametrize(
    ("syntax", "source", "kept", "lost"),
    [
        ("printf", "Pay %d", "付 %d", "付"),
        ("python", "Pay {sum}", "付 {sum}", "付 {Sum}"),
        ("icu", "Pay {sum, number}", "付 {sum, number}", "付 {sum}"),
        ("custom", "Pay $SUM$", "付 $SUM$", "付 $SUMME$"),
        ("auto", "Pay %d", "付 %d", "付"),
    ],
)
def test_five_syntaxes(bench: Bench, syntax: str, source: str, kept: str, lost: str) -> None:
    pattern = {"pattern": r"\$[A-Z]+\$"} if syntax == "custom" else {}

    assert placeholder(bench, source, kept, syntax=syntax, **pattern) == "ok"
    assert placeholder(bench, source, lost, syntax=syntax, **pattern) != "ok"


@sentence("4.1.15")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("%s, %d", "ok"),
        ("%s", "placeholder_missing"),
        ("%s %s %d", "placeholder_count_mismatch"),
        ("%s %d %i", "placeholder_extra"),
        ("%s %5d", "placeholder_mutated"),
    ],
)
def test_count_and_content_are_kept(bench: Bench, text: str, code: str) -> None:
    assert placeholder(bench, EXAMPLE["source"], text) == code


@sentence("4.1.14", "4.1.16")
@pytest.mark.parametrize(
    ("syntax", "source", "text", "default", "strict"),
    [
        ("python", "{a} of {b}", "{b} / {a}", "ok", "placeholder_reordered"),
        ("printf", "%1$s of %2$s", "%2$s / %1$s", "ok", "placeholder_reordered"),
        ("printf", "%s of %d", "%2$d / %1$s", "ok", "placeholder_reordered"),
        ("icu", "{a} of {b}", "{b} / {a}", "ok", "placeholder_reordered"),
        # Without numbers the order says which argument is shown.
        ("printf", "%s of %d", "%d / %s", "placeholder_reordered", "placeholder_reordered"),
        ("python", "{a} of {b}", "{a} / {b}", "ok", "ok"),
    ],
)
def test_another_order(bench: Bench, syntax: str, source: str, text: str, default: str, strict: str) -> None:
    assert placeholder(bench, source, text, syntax=syntax) == default
    assert placeholder(bench, source, text, syntax=syntax, allow_reorder=True) == default
    assert placeholder(bench, source, text, syntax=syntax, allow_reorder=False) == strict


@sentence("4.2.1", "4.2.2")
@pytest.mark.parametrize(
    ("name", "params", "good", "bad"),
    [
        ("number_fidelity", None, "2,5 km", "25 km"),
        ("required_tokens", None, "HP", "PV"),
        ("forbidden_renderings", {"renderings": ["Partei"]}, "Gruppe", "Partei"),
        ("max_chars", {"limit": 6}, "Gruppe", "Gruppen"),
    ],
)
def test_the_other_four_names_can_be_executed(bench: Bench, name: str, params: Row | None, good: str, bad: str) -> None:
    source = "2.5 km" if name == "number_fidelity" else "Party"
    case = asserting(name, params, source=source, target_locale="de", required_tokens=["HP"])

    assert bench.code(case, good) == "ok"
    assert bench.code(case, bad) != "ok"


@sentence("4.2.3")
@pytest.mark.parametrize(
    ("name", "params", "expected"),
    [
        ("number_fidelity", {"digits": 2}, "unknown-field /assertions/0/params/digits"),
        ("required_tokens", {"tokens": ["a"]}, "unknown-field /assertions/0/params/tokens"),
        ("forbidden_renderings", {"renderings": []}, "wrong-value /assertions/0/params/renderings"),
        ("max_chars", {"limit": 0}, "wrong-value /assertions/0/params/limit"),
        ("max_chars", {}, "missing-field /assertions/0/params"),
    ],
)
def test_the_structure_of_the_other_four_is_validated(bench: Bench, name: str, params: Row, expected: str) -> None:
    assert bench.said(asserting(name, params)) == [expected]


@sentence("4.2.1", "4.2.4")
def test_names_are_known_documented_and_published_alike(bench: Bench) -> None:
    assert set(LATER) <= set(ASSERTIONS)
    assert CASE_SCHEMA["$defs"]["assertion"]["properties"]["name"]["enum"] == list(ASSERTIONS)
    assert set(re.findall(r"^### ([a-z]+_[a-z]+)$", PAGE, re.MULTILINE)) == set(ASSERTIONS)
    assert bench.said(asserting("length_ratio")) == ["unknown-assertion /assertions/0/name"]


@sentence("4.2.5")
def test_names_params_and_defaults_are_as_they_were() -> None:
    assert {name: list(params) for name, params in VOCABULARY.items()} == {
        name: list(params) for name, params in EXPECTED.items()
    }
    for name, params in VOCABULARY.items():
        fixed = {key: value for key, value in params.items() if value is not None}
        assert dict(DEFAULTS.get(name, {})) == fixed
        parameters = inspect.signature(ASSERTIONS[name]).parameters
        assert {key: parameters[key].default for key in fixed} == fixed

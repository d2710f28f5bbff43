"""The published JSON Schemas of translation cases say the same as the reader, as far as a schema can."""

import json
from collections.abc import Mapping
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skill_evaluator.formats.evalcase
from skill_evaluator.formats.evalcase import keys, params
from skill_evaluator.formats.evalcase.form import Fault
from skill_evaluator.formats.evalcase.locales import NORMAL_FORM, locale_fault
from skill_evaluator.formats.evalcase.manifest import read_manifest
from skill_evaluator.formats.evalcase.rows import check_row
from skill_evaluator.formats.visible import visible
from skill_evaluator.model import Level
from tests.case_rows import asserting, row

FOLDER = Path(skill_evaluator.formats.evalcase.__file__).parent
CASE_SCHEMA = json.loads((FOLDER / "case.schema.json").read_text("utf-8"))
MANIFEST_SCHEMA = json.loads((FOLDER / "manifest.schema.json").read_text("utf-8"))
CASE = jsonschema.Draft202012Validator(CASE_SCHEMA)
MANIFEST = jsonschema.Draft202012Validator(MANIFEST_SCHEMA)
# As the description of the schema says.
BEYOND_A_SCHEMA = {"bad-license", "bad-pattern", "credential", "hidden-prompt"}


def faults(raw: Mapping[str, object]) -> list[Fault]:
    found = check_row(raw, frozenset())
    return [fault for fault in found if fault.level is Level.FAIL and fault.code not in BEYOND_A_SCHEMA]


def test_schemas_are_schemas_and_name_every_field() -> None:
    jsonschema.Draft202012Validator.check_schema(CASE_SCHEMA)
    jsonschema.Draft202012Validator.check_schema(MANIFEST_SCHEMA)
    inner = CASE_SCHEMA["$defs"]

    assert list(CASE_SCHEMA["properties"]) == list(keys.CASE)
    assert CASE_SCHEMA["required"] == list(keys.REQUIRED)
    assert list(inner["provenance"]["properties"]) == list(keys.PROVENANCE)
    assert inner["provenance"]["properties"]["kind"]["enum"] == list(keys.KINDS)
    assert inner["assertion"]["properties"]["name"]["enum"] == list(keys.NAMES)
    assert {
        one["if"]["properties"]["name"]["const"]: list(one["then"]["properties"]["params"]["properties"])
        for one in inner["assertion"]["allOf"]
    } == {name: list(known) for name, known in params.EXPECTED.items()}
    assert list(MANIFEST_SCHEMA["properties"]) == list(keys.MANIFEST)


Odd: st.SearchStrategy[object] = st.sampled_from(
    ["", " ", "x", "A", "hard", "custom", "python", "a\n", "\n", "界", None, True, 0, 1, -1, [], {}]
)
Values = st.recursive(
    Odd,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["name", "pattern", "kind", "params", "x"]), inner, max_size=2)
    ),
    max_leaves=4,
)
Params = st.dictionaries(
    st.sampled_from([*{key for known in params.EXPECTED.values() for key in known}, "zzz"]),
    st.sampled_from(["a", {"pattern": "a"}, {"pattern": ""}, {"x": 1}, "bytes", "lines", "icu"]).map(lambda one: [one])
    | Odd
    | st.sampled_from(["bytes", "lines", "icu"]),
    max_size=3,
)
Assertion = st.fixed_dictionaries(
    {"name": st.sampled_from([*keys.NAMES, *keys.NAMES, "zzz"])},
    optional={"severity": st.sampled_from(["hard", "report"]), "params": Params},
) | st.builds(
    lambda name, known: {"name": name, "severity": "hard", "params": known},
    st.sampled_from(keys.NAMES),
    st.sampled_from(
        [
            {},
            {"limit": 1},
            {"limit": 3, "unit": "bytes"},
            {"renderings": ["a", {"pattern": "a"}]},
            {"expected_items": 2, "terminator": " ", "allow_extra_items": True, "format": "json"},
            {"syntax": "custom", "pattern": "a"},
            {"syntax": "icu", "allow_reorder": False},
        ]
    ),
)
Sound = {
    "id": st.sampled_from(["a", "a.b-c.1", "a..b", "A", "a_b", "a.b\n", "a-", ".a"]),
    "domain": st.sampled_from(["game-ui", "a", "a--b", "a.b", "x" * 64, "x" * 65]),
    "source": st.text(max_size=2),
    "assertions": st.lists(Assertion, max_size=2),
    "provenance": st.fixed_dictionaries(
        {"kind": st.sampled_from([*keys.KINDS, "other"]), "license": st.just("CC0-1.0")},
        optional={"source": st.text(max_size=2), "transformation": Odd, "zzz": Odd},
    ),
    "context": st.dictionaries(st.just("a"), Values, max_size=1),
    "required_tokens": st.lists(st.sampled_from(["%s", " ", ""]), max_size=2),
    "references": st.lists(st.sampled_from(["x", ""]), max_size=2),
    "difficulty": st.sampled_from([*keys.DIFFICULTIES, "hard"]),
    "tags": st.lists(st.sampled_from(["a", "b", "a b", " a", "a ", "A", "aB", "游戏", "a\n", ""]), max_size=2),
}


@given(
    st.fixed_dictionaries({}, optional=Sound), st.dictionaries(st.sampled_from([*keys.CASE, "zzz"]), Values, max_size=1)
)
def test_schema_and_reader_agree_on_any_case(usual: Mapping[str, object], changes: Mapping[str, object]) -> None:
    raw = {**row(), **usual, **changes}

    assert CASE.is_valid(raw) == (not faults(raw)), faults(raw)


@pytest.mark.parametrize("field", keys.REQUIRED)
def test_schema_and_reader_want_the_same_fields(field: str) -> None:
    """Section 3.1: these fields must be there."""
    raw = row(**{field: ...})

    assert not CASE.is_valid(raw)
    assert [(fault.code, fault.values["key"]) for fault in faults(raw)] == [("missing-field", field)]


@pytest.mark.parametrize(
    "raw",
    [
        asserting("max_chars", limit=1),
        asserting("max_chars"),
        row(assertions=[{"name": "max_chars", "severity": "hard"}]),
        asserting("forbidden_renderings", renderings=[]),
        asserting("placeholder_integrity", pattern="a"),
        asserting("placeholder_integrity", syntax="printf", pattern="a"),
        asserting("placeholder_integrity", syntax="custom"),
        asserting("placeholder_integrity", syntax="custom", pattern="a"),
        asserting("required_tokens"),
        row(assertions=[{"name": "required_tokens", "severity": "hard"}], required_tokens=["a"]),
        row(assertions=[{"name": "required_tokens", "severity": "hard"}], required_tokens=[]),
    ],
)
def test_schema_and_reader_agree_on_params(raw: Mapping[str, object]) -> None:
    assert CASE.is_valid(raw) == (not faults(raw))


@given(st.from_regex(NORMAL_FORM, fullmatch=True) | st.text("abAB1-_x\n", max_size=9))
def test_a_tag_that_is_taken_has_the_form_of_the_schema(tag: str) -> None:
    if locale_fault(tag) is None:
        assert CASE.is_valid(row(source_locale=tag))


@given(
    st.dictionaries(st.sampled_from(["accepted_licenses", "schema_version", "zzz"]), Values, max_size=3)
    | st.fixed_dictionaries({"schema_version": st.just(1)}, optional={"accepted_licenses": st.lists(Odd, max_size=2)})
)
def test_schema_and_reader_agree_on_any_manifest(tmp_path_factory: pytest.TempPathFactory, raw: object) -> None:
    path = tmp_path_factory.getbasetemp() / "manifest.yaml"
    path.write_text(json.dumps(raw), "utf-8")  # JSON is YAML
    found = [finding for finding in read_manifest(path).findings if finding.code != "bad-license"]

    assert MANIFEST.is_valid(raw) == (not found), visible(str(found))

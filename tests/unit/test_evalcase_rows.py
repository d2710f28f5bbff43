"""One translation case: every fault is told with its place, and what is sound is taken."""

import json
from collections.abc import Mapping

import pytest

from skill_evaluator.formats.evalcase import keys
from skill_evaluator.formats.evalcase.building import build_case
from skill_evaluator.formats.evalcase.json_line import read_object
from skill_evaluator.formats.evalcase.rows import check_row
from skill_evaluator.formats.json_text import pointer_to
from skill_evaluator.graders.translation import ASSERTIONS
from skill_evaluator.model import Level, Source
from tests.case_rows import EXAMPLE, Row, asserting, row


def said(raw: Mapping[str, object], accepted: frozenset[str] = frozenset()) -> list[str]:
    """Faults as `code place`, doubts with a question mark."""
    return [
        f"{fault.code} {pointer_to(*fault.parts)}{'?' if fault.level is Level.WARN else ''}"
        for fault in check_row(raw, accepted)
    ]


def message(raw: Mapping[str, object]) -> str:
    (fault,) = check_row(raw, frozenset())
    return fault.message


def test_the_example_of_section_7_is_taken_and_written_back() -> None:
    case = build_case(EXAMPLE, Source(path="x.jsonl", line=1), locked=False)

    assert said(EXAMPLE) == []
    assert json.dumps(case.row) == json.dumps(EXAMPLE)
    assert (case.required_tokens, case.references, case.context) == (("%s", "%d"), (), {})
    assert (case.difficulty, case.tags) == ("basic", ("printf", "placeholder"))
    assert case.assertions[0].params == {"syntax": "printf", "allow_reorder": True}


def test_optional_fields_are_empty_where_they_are_left_out() -> None:
    """Section 3.2: the lists are [] by default."""
    case = build_case(row(), Source(path="x"), locked=False)

    assert said(row()) == []
    assert (case.required_tokens, case.references, case.tags, case.difficulty) == ((), (), (), None)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"schema_version": True}, "wrong-value /schema_version"),
        ({"schema_version": 1.0}, "wrong-value /schema_version"),
        ({"schema_version": "1"}, "wrong-value /schema_version"),
        ({"schema_version": 2}, "other-version /schema_version"),
        ({"schema_version": 0}, "other-version /schema_version"),
        ({"id": ""}, "wrong-value /id"),
        ({"id": "Placeholder.printf.001"}, "bad-id /id"),
        ({"id": "placeholder..001"}, "bad-id /id"),
        ({"id": "placeholder_printf.001"}, "bad-id /id"),
        ({"id": "plätze.001"}, "bad-id /id"),
        ({"id": "a.b\n"}, "bad-id /id"),
        ({"domain": "Game UI"}, "bad-domain /domain"),
        ({"domain": "x" * 65}, "bad-domain /domain"),
        ({"source": "  \n"}, "wrong-value /source"),
        ({"source": None}, "wrong-value /source"),
        ({"source": ["x"]}, "wrong-value /source"),
        ({"context": "menu"}, "wrong-value /context"),
        ({"context": None}, "wrong-value /context"),
        ({"required_tokens": "%s"}, "wrong-value /required_tokens"),
        ({"required_tokens": ["%s", 1]}, "wrong-value /required_tokens/1"),
        ({"required_tokens": [""]}, "wrong-value /required_tokens/0"),
        ({"references": [None]}, "wrong-value /references/0"),
        ({"difficulty": "hard"}, "wrong-value /difficulty"),
        ({"tags": ["Printf"]}, "bad-tag /tags/0"),
        ({"tags": ["Ä"]}, "bad-tag /tags/0"),
        ({"tags": [" a"]}, "bad-tag /tags/0"),
        ({"tags": ["a", "b", "a"]}, "repeated-tag /tags/2"),
        ({"refs": []}, "unknown-field /refs"),
        ({"assertions": []}, "wrong-value /assertions"),
        ({"assertions": {}}, "wrong-value /assertions"),
        ({"assertions": ["placeholder_integrity"]}, "wrong-value /assertions/0"),
        ({"assertions": [None]}, "wrong-value /assertions/0"),
        ({"assertions": [{"severity": "hard"}]}, "missing-field /assertions/0"),
        ({"assertions": [{"name": "number_fidelity"}]}, "missing-field /assertions/0"),
        ({"assertions": [{"name": "number_fidelity", "severity": "warn"}]}, "wrong-value /assertions/0/severity"),
        ({"assertions": [{"name": "placeholder_set", "severity": "hard"}]}, "unknown-assertion /assertions/0/name"),
        ({"assertions": [{"name": "number_fidelity", "severity": "hard", "x": 1}]}, "unknown-field /assertions/0/x"),
        (
            {"assertions": [{"name": "number_fidelity", "severity": "hard", "params": None}]},
            "wrong-value /assertions/0/params",
        ),
        ({"provenance": {"license": "MIT"}}, "missing-field /provenance"),
        ({"provenance": {"kind": "synthetic"}}, "missing-field /provenance"),
        ({"provenance": {"kind": "derived", "license": "MIT"}}, "wrong-value /provenance/kind"),
        ({"provenance": {"kind": "synthetic", "license": "MIT", "url": "x"}}, "unknown-field /provenance/url"),
        ({"provenance": {"kind": "synthetic", "license": "MIT", "source": " "}}, "wrong-value /provenance/source"),
        ({"provenance": "MIT"}, "wrong-value /provenance"),
    ],
)
def test_one_fault_at_its_place(changes: Row, expected: str) -> None:
    assert said(row(**changes)) == [expected]


@pytest.mark.parametrize("case_id", ["placeholder.printf.001", "protocol.item-count.002", "a", "a.b", "a1-b2.c.d.e"])
def test_ids_are_segments_joined_by_dots(case_id: str) -> None:
    """Section 3.3: the form of three parts is only recommended."""
    assert said(row(id=case_id)) == []


def test_all_faults_of_a_case_are_told_at_once() -> None:
    raw = row(id="A", source_locale="zh_CN", sorce="x", provenance={"kind": "synthetic", "license": "unknown"})

    assert said(raw) == [
        "unknown-field /sorce",
        "bad-id /id",
        "bad-locale /source_locale",
        "bad-license /provenance/license",
    ]


def test_a_later_version_is_refused_with_the_way_to_go_on() -> None:
    """Other fields may mean anything there, so nothing else is said."""
    assert message(row(schema_version=2, novel=1)) == (
        '"schema_version" is 2, and this program reads 1; take a later skill-evaluator, which reads both, or write the '
        "case again with the fields of version 1"
    )


@pytest.mark.parametrize(
    ("raw", "part"),
    [
        (row(sorce="x"), 'unknown field "sorce"; did you mean "source"?'),
        (asserting("placeholder_set"), 'unknown assertion "placeholder_set"; did you mean "placeholder_integrity"?'),
        (row(assertions=["max_char"]), 'so write {"name": "max_chars", "severity": "hard"}'),
        (row(id="Game UI.A_1"), 'write "game-ui.a-1"'),
        (row(source=5), '"source" is 5 (a number); expected the text to translate'),
        (row(difficulty=None), "leave the field out if there is nothing to say"),
        (asserting("number_fidelity", x=1), 'unknown field "x" in "params"; there are none, so remove it'),
        (asserting("max_chars", limit=3, units="bytes"), 'did you mean "unit"?'),
    ],
)
def test_a_message_says_what_to_write(raw: Row, part: str) -> None:
    assert part in message(raw)


@pytest.mark.parametrize("kind", keys.KINDS)
def test_the_four_kinds_of_section_3_4(kind: str) -> None:
    told = {"kind": kind, "license": "MIT", "source": "https://example.org/x", "transformation": "names replaced"}

    assert said(row(provenance=told)) == []


def test_a_doubt_about_material_of_others_that_does_not_say_where_it_is_from() -> None:
    """Section 3.4: source for derived material, and anonymous regressions."""
    silent = {"license": "MIT"}

    assert said(row(provenance={**silent, "kind": "synthetic"})) == []
    assert said(row(provenance={**silent, "kind": "public-domain"})) == ["no-source /provenance?"]
    assert said(row(provenance={**silent, "kind": "authorized-regression"})) == [
        "no-source /provenance?",
        "not-anonymised /provenance?",
    ]


def test_other_doubts() -> None:
    twice = [{"name": "number_fidelity", "severity": "hard"}] * 2

    assert said(row(target_locale="en-US")) == ["same-locale /target_locale?"]
    assert said(row(assertions=twice)) == ["repeated-assertion /assertions/1?"]


@pytest.mark.parametrize(
    ("licence", "expected"),
    [
        ("GPL-3.0-or-later", []),
        ("MIT OR (Apache-2.0 AND CC0-1.0)", []),
        ("GPL-2.0-only WITH Classpath-exception-2.0", []),
        ("LicenseRef-ferry-games", []),
        ("May be passed on with this note", []),
        ("mit", ["license-spelling /provenance/license?"]),
        ("MIT or Apache-2.0", ["license-spelling /provenance/license?"]),
        *(
            (bad, ["bad-license /provenance/license"])
            for bad in (
                *(
                    "unknown",
                    "Unknown",
                    "UNKNOWN.",
                    "ｕｎｋｎｏｗｎ",
                    "fair-use",
                    "fair use",
                    "Fair_Use",
                    "FairUse",
                    "none",
                    "N/A",
                ),
                *(
                    "NOASSERTION",
                    "LicenseRef-unknown",
                    "MIT OR LicenseRef-Fair-Use",
                    "MIT AND",
                    "Ferry licence",
                    "(" * 5000,
                ),
                *("may be passed on with this note", "x" * 100_000),
            )
        ),
        ("", ["wrong-value /provenance/license"]),
        (" ", ["wrong-value /provenance/license"]),
        (None, ["wrong-value /provenance/license"]),
    ],
)
def test_licences(licence: object, expected: list[str]) -> None:
    """Section 3.4: an SPDX expression or a statement that a maintainer takes; never unknown, fair-use or empty."""
    raw = row(provenance={"kind": "synthetic", "license": licence})

    assert said(raw, frozenset({"May be passed on with this note", "unknown"})) == expected


GOOD_PARAMS: list[tuple[str, Row]] = [
    ("protocol_complete", {}),
    ("protocol_complete", {"expected_items": 3, "terminator": "<END>", "allow_extra_items": True, "format": "tagged"}),
    ("placeholder_integrity", {}),
    ("placeholder_integrity", {"syntax": "auto"}),
    ("placeholder_integrity", {"syntax": "python"}),
    ("placeholder_integrity", {"syntax": "icu"}),
    ("placeholder_integrity", {"syntax": "custom", "pattern": r"\$\w+", "allow_reorder": False}),
    ("number_fidelity", {}),
    ("forbidden_renderings", {"renderings": ["Lotse", {"pattern": "(?i)pilot"}]}),
    ("max_chars", {"limit": 1}),
    ("max_chars", {"limit": 20, "unit": "graphemes"}),
    ("max_chars", {"limit": 20, "unit": "codepoints"}),
    ("max_chars", {"limit": 20, "unit": "bytes"}),
]


@pytest.mark.parametrize(("name", "params"), GOOD_PARAMS)
def test_sound_params_make_a_check(name: str, params: Row) -> None:
    """Section 4: the names and params of the vocabulary."""
    raw = asserting(name, **params)

    assert said(raw) == []
    assert isinstance(build_case(raw, Source(path="x"), locked=False).assertions[0].check, ASSERTIONS[name])


@pytest.mark.parametrize("params", [{}, {"params": {"unit": "bytes"}}])
def test_a_param_beside_the_params_is_not_called_missing_in_them(params: Row) -> None:
    raw = row(assertions=[{"name": "max_chars", "severity": "hard", "limit": 10, **params}])

    assert said(raw) == ["unknown-field /assertions/0/limit"]


def test_a_param_beside_the_params_is_checked_like_those_in_them() -> None:
    raw = row(assertions=[{"name": "max_chars", "severity": "hard", "limit": "10"}])

    assert said(raw) == ["unknown-field /assertions/0/limit", "wrong-value /assertions/0/params/limit"]


@pytest.mark.parametrize(
    ("name", "params", "expected"),
    [
        ("protocol_complete", {"expected_items": 0}, "wrong-value /expected_items"),
        ("protocol_complete", {"expected_items": True}, "wrong-value /expected_items"),
        ("protocol_complete", {"expected_items": 2.0}, "wrong-value /expected_items"),
        ("protocol_complete", {"terminator": ""}, "wrong-value /terminator"),
        ("protocol_complete", {"terminator": None}, "wrong-value /terminator"),
        ("protocol_complete", {"allow_extra_items": 1}, "wrong-value /allow_extra_items"),
        ("protocol_complete", {"format": "xml"}, "wrong-value /format"),
        ("placeholder_integrity", {"syntax": "java"}, "wrong-value /syntax"),
        ("placeholder_integrity", {"syntax": "custom"}, "missing-field "),
        ("placeholder_integrity", {"syntax": "icu", "pattern": "a"}, "misplaced-pattern /pattern"),
        ("placeholder_integrity", {"pattern": "a"}, "misplaced-pattern /pattern"),
        ("placeholder_integrity", {"syntax": "custom", "pattern": "("}, "bad-pattern /pattern"),
        ("placeholder_integrity", {"syntax": "custom", "pattern": ""}, "wrong-value /pattern"),
        ("placeholder_integrity", {"allow_reorder": "yes"}, "wrong-value /allow_reorder"),
        ("number_fidelity", {"limit": 1}, "unknown-field /limit"),
        ("forbidden_renderings", {}, "missing-field "),
        ("forbidden_renderings", {"renderings": []}, "wrong-value /renderings"),
        ("forbidden_renderings", {"renderings": "Lotse"}, "wrong-value /renderings"),
        ("forbidden_renderings", {"renderings": ["a", ""]}, "wrong-value /renderings/1"),
        ("forbidden_renderings", {"renderings": [{}]}, "missing-field /renderings/0"),
        ("forbidden_renderings", {"renderings": [{"pattern": "["}]}, "bad-pattern /renderings/0/pattern"),
        ("forbidden_renderings", {"renderings": [{"pattern": "a", "flags": "i"}]}, "unknown-field /renderings/0/flags"),
        ("max_chars", {}, "missing-field "),
        ("max_chars", {"limit": 0}, "wrong-value /limit"),
        ("max_chars", {"limit": "20"}, "wrong-value /limit"),
        ("max_chars", {"limit": 3, "unit": "words"}, "wrong-value /unit"),
    ],
)
def test_params_that_are_refused(name: str, params: Row, expected: str) -> None:
    code, place = expected.split(" ")

    assert said(asserting(name, **params)) == [f"{code} /assertions/0/params{place}"]


def test_missing_params_of_an_assertion_that_needs_some() -> None:
    raw = row(assertions=[{"name": "max_chars", "severity": "hard"}])

    assert said(raw) == ["missing-field /assertions/0"]


def test_required_tokens_need_tokens_in_the_case() -> None:
    """Section 3.2: the assertion looks at the tokens of its case."""
    raw = asserting("required_tokens")

    assert said(raw) == ["no-tokens /assertions/0/name"]
    assert said({**raw, "required_tokens": ["%s"]}) == []
    assert said(row(required_tokens=["%s"])) == []


def test_a_hostile_pattern_is_shown_cut() -> None:
    assert len(message(asserting("forbidden_renderings", renderings=[{"pattern": "(" * 100_000}]))) < 400


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        ("", "not-json", "empty"),
        ("{", "not-json", "each case as an object on one line"),
        ("[", "not-json", "each case as an object on one line"),
        ('{"a": 1} {"b": 2}', "not-json", "give each its own line"),
        ('{"a": 1', "not-json", "cut off"),
        ("\ufeff{}", "not-json", "byte order mark"),
        ("[1]", "wrong-value", "one case"),
        ("null", "wrong-value", "null"),
        ('{"a": "\\ud800"}', "half-character", "half of a character"),
        ("[" * 65 + "]" * 65, "too-deep", "64 levels"),
        ("[" * 200_000, "too-deep", "64 levels"),
        ('{"a": NaN}', "not-a-number", "NaN"),
        ('{"a": 1e999}', "not-a-number", "1e999"),
        ('{"a": 1, "a": 2}', "duplicate-key", "keep one"),
        ('{"x": "ghp_' + "a1" * 18 + '" oops}', "not-json", "credential"),
    ],
)
def test_a_line_that_is_no_sound_json(text: str, code: str, part: str) -> None:
    faults = read_object(text)[1]

    assert [fault.code for fault in faults] == [code]
    assert part in faults[0].message
    assert "ghp_" not in faults[0].message


def test_half_characters_that_make_a_whole_one_are_fine() -> None:
    assert read_object('{"a": "\\ud83d\\ude00"}') == ({"a": "\U0001f600"}, [])

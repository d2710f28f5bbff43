"""The contract EvalCase v1, section 3: the fields of a case."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from skill_evaluator.cli import main
from skill_evaluator.formats.evalcase.prompts import prompt_of
from skill_evaluator.formats.evalcase.reading import open_cases
from skill_evaluator.model import EvalCase
from tests.case_rows import EXAMPLE, Row, case_folder, written
from tests.contract_bench import CASE_SCHEMA, PAGE, Bench, asserting, example
from tests.contract_sentences import sentence

SCHEMA = Draft202012Validator(CASE_SCHEMA)


@pytest.fixture
def bench(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Bench:
    return Bench(tmp_path, capsys)


def taken(bench: Bench, row: Row) -> EvalCase:
    """Read a case that reader and schema take without a fault."""
    assert bench.said(row) == []
    assert SCHEMA.is_valid(row)
    (case,) = open_cases(bench.root / "validated")
    return case


def refused(bench: Bench, row: Row, *expected: str) -> None:
    """Hold reader and schema to refusing a case."""
    assert bench.said(row) == list(expected)
    assert not SCHEMA.is_valid(row)


@sentence("3.0")
def test_one_object_a_line(bench: Bench) -> None:
    assert bench.said(example(id="a.1"), example(id="a.2")) == []
    pretty = b'[\n{"schema_version": 1}\n]\n'
    folder = case_folder(bench.root, {"cases/dev/a.jsonl": pretty + written(example()).replace(b"\n", b" ") * 2})

    assert [(one["line"], one["code"]) for one in bench.findings(folder)][-1] == (4, "not-json")


REQUIRED = ["schema_version", "id", "source_locale", "target_locale", "domain", "source", "assertions", "provenance"]


@sentence("3.1.1", "3.1.2", "3.1.3", "3.1.4", "3.1.5", "3.1.7", "3.1.8", "3.1.9")
@pytest.mark.parametrize("field", REQUIRED)
def test_a_required_field_must_be_there_and_of_its_type(bench: Bench, field: str) -> None:
    refused(bench, example(**{field: ...}), "missing-field")
    refused(bench, example(**{field: None}), f"wrong-value /{field}")
    assert CASE_SCHEMA["required"] == REQUIRED


@sentence("3.1.1", "3.1.2", "3.1.3", "3.1.4", "3.1.5", "3.1.7", "3.1.8", "3.1.9")
@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("schema_version", "1", "wrong-value"),
        ("schema_version", True, "wrong-value"),
        ("schema_version", 0, "other-version"),
        ("id", "Placeholder.001", "bad-id"),
        ("id", 1, "wrong-value"),
        ("source_locale", "en_US", "bad-locale"),
        ("source_locale", "EN-us", "bad-locale"),
        ("target_locale", "zh-hans", "bad-locale"),
        ("target_locale", "Chinese", "bad-locale"),
        ("domain", "Game UI", "bad-domain"),
        ("domain", "x" * 65, "bad-domain"),
        ("source", ["text"], "wrong-value"),
        ("source", " ", "wrong-value"),
        ("assertions", [], "wrong-value"),
        ("assertions", {"name": "max_chars"}, "wrong-value"),
        ("provenance", "synthetic", "wrong-value"),
    ],
)
def test_a_required_field_holds_nothing_else(bench: Bench, field: str, value: object, code: str) -> None:
    refused(bench, example(**{field: value}), f"{code} /{field}")


@sentence("3.1.3", "3.1.4")
@pytest.mark.parametrize("tag", ["en-US", "zh-Hans", "zh-Hant-TW", "es-419", "de"])
def test_normal_tags_are_taken(bench: Bench, tag: str) -> None:
    assert taken(bench, example(source_locale="fr", target_locale=tag)).target_locale == tag
    assert taken(bench, example(source_locale=tag, target_locale="fr")).source_locale == tag


@sentence("3.1.6")
def test_the_page_says_that_a_domain_names_no_project(bench: Bench) -> None:
    """Which names are private no program knows."""
    (line,) = [line for line in PAGE.splitlines() if line.startswith("| `domain` |")]

    assert "not the name of a project" in line
    assert taken(bench, example()).domain == "game-ui"


@sentence("3.1.7")
def test_a_source_is_handed_over_letter_by_letter(bench: Bench) -> None:
    text = "  “Tide”\tat\r\n7:05 – 潮\u200d🌊  "

    case = taken(bench, example(source=text))
    assert case.source == text
    assert text in prompt_of(case)


DEFAULTS: Mapping[str, object] = {
    "context": {},
    "required_tokens": (),
    "references": (),
    "difficulty": None,
    "tags": (),
}


@sentence("3.2.1", "3.2.2", "3.2.3", "3.2.4", "3.2.5")
@pytest.mark.parametrize("field", DEFAULTS)
def test_an_optional_field_may_be_left_out(bench: Bench, field: str) -> None:
    assert getattr(taken(bench, example(**{field: ...})), field) == DEFAULTS[field]


@sentence("3.2.1", "3.2.2", "3.2.3", "3.2.4", "3.2.5")
@pytest.mark.parametrize(
    ("field", "value", "read"),
    [
        ("context", {"page": "start", "max_length": 20}, {"page": "start", "max_length": 20}),
        ("required_tokens", ["%s", "HP"], ("%s", "HP")),
        ("references", ["你好", "您好"], ("你好", "您好")),
        ("difficulty", "basic", "basic"),
        ("difficulty", "intermediate", "intermediate"),
        ("difficulty", "advanced", "advanced"),
        ("tags", ["printf", "游戏"], ("printf", "游戏")),
    ],
)
def test_an_optional_field_is_read(bench: Bench, field: str, value: object, read: object) -> None:
    assert getattr(taken(bench, example(**{field: value})), field) == read


@sentence("3.2.1", "3.2.2", "3.2.3", "3.2.4", "3.2.5")
@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("context", "start screen", "wrong-value /context"),
        ("required_tokens", "%s", "wrong-value /required_tokens"),
        ("required_tokens", [1], "wrong-value /required_tokens/0"),
        ("references", [""], "wrong-value /references/0"),
        ("difficulty", "hard", "wrong-value /difficulty"),
        ("tags", ["Printf"], "bad-tag /tags/0"),
        ("tags", "printf", "wrong-value /tags"),
    ],
)
def test_an_optional_field_holds_nothing_else(bench: Bench, field: str, value: object, expected: str) -> None:
    refused(bench, example(**{field: value}), expected)


@sentence("3.2.2")
def test_tokens_are_asked_for_by_their_assertion_alone(bench: Bench) -> None:
    tokens = ["HP", "%s"]

    assert bench.code(asserting("required_tokens", required_tokens=tokens), "%s") == "token_missing"
    assert bench.code(asserting("max_chars", {"limit": 9}, required_tokens=tokens), "%s") == "ok"
    refused(bench, asserting("required_tokens", required_tokens=[]), "no-tokens /assertions/0/name")


@sentence("3.2.3")
def test_references_are_not_scored(bench: Bench) -> None:
    with_some = example(references=["Nothing of the kind"])

    assert bench.results(with_some, "%s %d") == bench.results(example(references=...), "%s %d")


@sentence("3.2.6", "3.2.7")
def test_unknown_fields_are_refused_wherever_they_stand(bench: Bench) -> None:
    refused(bench, example(weight=2), "unknown-field /weight")
    refused(bench, example(provenance={**EXAMPLE["provenance"], "owner": "x"}), "unknown-field /provenance/owner")
    refused(bench, asserting("max_chars", {"limit": 3, "from": 1}), "unknown-field /assertions/0/params/from")
    refused(
        bench,
        example(assertions=[{**EXAMPLE["assertions"][0], "weight": 2}]),
        "unknown-field /assertions/0/weight",
    )


@sentence("3.2.7")
def test_an_unknown_field_changes_nothing_of_what_known_ones_are_held_to(bench: Bench) -> None:
    assert bench.said(example(weight=2, domain="Game UI")) == ["unknown-field /weight", "bad-domain /domain"]


@sentence("3.3.1")
@pytest.mark.parametrize("case_id", ["a", "a.b", "item-count.002", "0.1"])
def test_ids_that_are_taken(bench: Bench, case_id: str) -> None:
    assert taken(bench, example(id=case_id)).id == case_id


@sentence("3.3.1")
@pytest.mark.parametrize("case_id", ["A.b", "a..b", ".a", "a.", "a_b", "a b", "ä.b", "界.001", "a/b", "a.b\n"])
def test_ids_that_are_refused(bench: Bench, case_id: str) -> None:
    refused(bench, example(id=case_id), "bad-id /id")


@sentence("3.3.2")
def test_the_form_of_an_id_that_is_best_is_named_and_none_that_is_forced(bench: Bench) -> None:
    assert "`<dimension>.<subtype>.<three digits>`" in PAGE
    assert bench.said(example(id="short"), level="WARN") == []


@sentence("3.3.3")
def test_the_ids_that_are_shown(bench: Bench) -> None:
    ids = ["placeholder.printf.001", "placeholder.python.004", "protocol.item-count.002", "protocol.terminator.003"]

    assert bench.said(*(example(id=one) for one in ids)) == []


def since(bench: Bench, now: Row) -> int:
    """Validate a case against the example as it was before."""
    before = case_folder(bench.root / "before", {"cases/dev/a.jsonl": [example()]})
    folder = case_folder(bench.root / "now", {"cases/dev/b.jsonl": [now]})
    return main(["validate", str(folder), "--since", str(before)])


@sentence("3.3.4")
@pytest.mark.parametrize(
    "changes",
    [
        {"source": "Goodbye, %s! You have %d coins."},
        {"target_locale": "zh-Hant"},
        {"source_locale": "en-GB"},
        {"required_tokens": ["%s"]},
        {"assertions": [{"name": "max_chars", "severity": "hard", "params": {"limit": 9}}]},
        {"assertions": [{**EXAMPLE["assertions"][0], "severity": "report"}]},
        {"assertions": [{**EXAMPLE["assertions"][0], "params": {"syntax": "printf", "allow_reorder": False}}]},
    ],
)
def test_an_id_is_not_used_again_for_another_meaning(
    bench: Bench, changes: Row, capsys: pytest.CaptureFixture[str]
) -> None:
    assert since(bench, example(**changes)) == 1
    assert "give this case a new id" in capsys.readouterr().out


@sentence("3.3.4")
def test_an_id_stands_once_in_dev_and_locked_together(bench: Bench) -> None:
    folder = case_folder(
        bench.root, {"cases/dev/a.jsonl": [example()], "cases/locked/b.jsonl": [example(source="%d of %s")]}
    )

    assert [(one["code"], one["pointer"]) for one in bench.findings(folder)] == [("duplicate-id", "/id")]


@sentence("3.3.5")
def test_a_changed_case_with_a_new_id_is_fine_and_so_is_what_does_not_change_the_meaning(bench: Bench) -> None:
    assert since(bench, example(id="placeholder.printf.002", source="Goodbye, %s! %d coins.")) == 0
    assert since(bench, example(tags=["coins"], difficulty="advanced", references=["你好 %s，%d"])) == 0


def provenance(**changes: object) -> Row:
    """Give the example with another provenance."""
    whole = {**EXAMPLE["provenance"], **changes}
    return example(provenance={key: value for key, value in whole.items() if value is not ...})


@sentence("3.4.1")
def test_provenance_needs_kind_and_license(bench: Bench) -> None:
    refused(bench, provenance(kind=...), "missing-field /provenance")
    refused(bench, provenance(license=...), "missing-field /provenance")
    assert taken(bench, provenance()).provenance.license == "GPL-3.0-or-later"


@sentence("3.4.2")
def test_four_kinds(bench: Bench) -> None:
    for kind in ("synthetic", "public-domain", "compatible-licensed", "authorized-regression"):
        assert taken(bench, provenance(kind=kind)).provenance.kind == kind
    refused(bench, provenance(kind="scraped"), "wrong-value /provenance/kind")


@sentence("3.4.3")
@pytest.mark.parametrize(
    "text", ["CC0-1.0", "MIT OR Apache-2.0", "GPL-2.0-only WITH Classpath-exception-2.0", "LicenseRef-Own"]
)
def test_expressions_of_spdx_are_taken(bench: Bench, text: str) -> None:
    assert taken(bench, provenance(license=text)).provenance.license == text


@sentence("3.4.3")
def test_a_statement_is_taken_once_a_maintainer_accepts_it(bench: Bench) -> None:
    statement = "May be passed on with the name of the harbour office"
    files = {"cases/dev/a.jsonl": [provenance(license=statement)]}

    assert [one["code"] for one in bench.findings(case_folder(bench.root, files))] == ["bad-license"]
    manifest = f"schema_version: 1\naccepted_licenses:\n  - {statement}\n".encode()
    assert bench.findings(case_folder(bench.root, {"manifest.yaml": manifest})) == []


@sentence("3.4.4")
@pytest.mark.parametrize("text", ["unknown", "fair-use", "", "Unknown", "Fair Use", "   "])
def test_words_that_grant_nothing_are_refused_even_if_a_manifest_lists_them(bench: Bench, text: str) -> None:
    (said,) = bench.said(provenance(license=text))
    assert said in {"bad-license /provenance/license", "wrong-value /provenance/license"}

    manifest = f'schema_version: 1\naccepted_licenses: ["{text}"]\n'.encode()
    folder = case_folder(
        bench.root / "listed", {"cases/dev/a.jsonl": [provenance(license=text)], "manifest.yaml": manifest}
    )
    assert len([one for one in bench.findings(folder) if one["level"] == "FAIL"]) == 2


@sentence("3.4.5")
def test_derived_material_that_does_not_say_its_source_is_doubted(bench: Bench) -> None:
    for kind in ("public-domain", "compatible-licensed"):
        assert bench.said(provenance(kind=kind), level="WARN") == ["no-source /provenance"]
        assert bench.said(provenance(kind=kind, source="https://example.org/tides"), level="WARN") == []
    whole = taken(
        bench, provenance(kind="public-domain", source="https://example.org/t", transformation="cut")
    ).provenance
    assert (whole.source, whole.transformation) == ("https://example.org/t", "cut")


@sentence("3.4.6")
def test_a_regression_says_how_it_was_anonymised(bench: Bench) -> None:
    row = provenance(kind="authorized-regression", source="ticket 4")

    assert bench.said(row, level="WARN") == ["not-anonymised /provenance"]
    row["provenance"] = {
        **EXAMPLE["provenance"],
        "kind": "authorized-regression",
        "source": "t",
        "transformation": "names",
    }
    assert bench.said(row, level="WARN") == []

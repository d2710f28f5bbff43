"""What holds of all six checks of translations, whatever the texts."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.formats.evalcase.checks import check_of
from skill_evaluator.graders.translation import ASSERTIONS
from skill_evaluator.model import Outcome, Run

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
LOCALES = st.sampled_from(["en-US", "de", "de-CH", "fr", "ar", "hi", "ja", "zh-Hans", "pl", "tlh", "und"])
PIECES = [
    *("%s", "%1$s", "%2$d", "%(name)s", "%", "%%", "{0}", "{name}", "{", "}", "{{", "{n, plural, one {#} other {# x}}"),
    *("1,234.5", "1.234,5", "1\u202f234", "-5", "007", "1.2.3", "१२", "½", "10²³", "万", "5 million", "07:30", "12"),
    *("<b1>", "</b1>", "&#39;", "'", '["a", "b"]', '<item id="1">', "</item>", "1. ", "\n", "END", "\r\n", "\u200f"),
    *("files", "文件", " ", "IV", "é", "e\u0301", "👨\u200d👩\u200d👧", "\0", "\ud800", "\u202e"),
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=12).map("".join)
PARAMS: Mapping[str, st.SearchStrategy[dict[str, Any]]] = {
    "protocol_complete": st.fixed_dictionaries(
        {},
        optional={
            "expected_items": st.integers(1, 4),
            "terminator": st.sampled_from(["END", "<END>", "]"]),
            "allow_extra_items": st.booleans(),
            "format": st.sampled_from(["auto", "json", "tagged", "numbered", "lines"]),
        },
    ),
    "placeholder_integrity": st.fixed_dictionaries(
        {"syntax": st.sampled_from(["auto", "printf", "python", "icu"])}, optional={"allow_reorder": st.booleans()}
    )
    | st.just({"syntax": "custom", "pattern": r"<\w+>|\d"}),
    "number_fidelity": st.just({}),
    "required_tokens": st.just({}),
    "forbidden_renderings": st.just({"renderings": ["files", {"pattern": r"\d\d"}]}),
    "max_chars": st.fixed_dictionaries(
        {"limit": st.integers(1, 20)}, optional={"unit": st.sampled_from(["graphemes", "codepoints", "bytes"])}
    ),
}
SHARED = {"ok", "not_run", "output_cut"}  # codes of every check
BIGGEST_EVIDENCE = 20_000  # characters of JSON


def outcome_of(name: str, params: dict[str, Any], source: str, text: str | None, locales: tuple[str, str]) -> Outcome:
    row = {
        "source": source,
        "source_locale": locales[0],
        "target_locale": locales[1],
        "required_tokens": ["files", "12"],
    }
    return check_of(name, params, row).check(Run(case_id="one", output=text, raw_response=text))


def documented(name: str) -> set[str]:
    section = PAGE.split(f"\n### {name}\n")[1].split("\n### ")[0]
    return SHARED | set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", section))


@pytest.mark.parametrize("name", sorted(ASSERTIONS))
def test_any_text_gets_an_outcome_of_the_contract(name: str) -> None:
    codes = documented(name)

    @given(st.data(), TEXTS, TEXTS | st.none(), LOCALES, LOCALES)
    def holds(data: st.DataObject, source: str, text: str | None, origin: str, target: str) -> None:
        outcome = outcome_of(name, data.draw(PARAMS[name]), source, text, (origin, target))
        evidence = json.dumps(outcome.evidence, ensure_ascii=False, allow_nan=False)

        assert outcome.code in codes
        assert (outcome.passed is True) == (outcome.code == "ok")
        assert outcome.evidence or outcome.passed is not False
        assert len(evidence) + len(outcome.message) < BIGGEST_EVIDENCE
        assert (evidence + outcome.message).encode()  # no lone surrogates
        assert "\n" not in outcome.message.strip() or name != "number_fidelity"

    holds()


@pytest.mark.parametrize("name", sorted(ASSERTIONS))
def test_same_texts_get_the_same_outcome(name: str) -> None:
    @given(st.data(), TEXTS, TEXTS)
    def holds(data: st.DataObject, source: str, text: str) -> None:
        params = data.draw(PARAMS[name])
        assert outcome_of(name, params, source, text, ("en", "de")) == outcome_of(
            name, params, source, text, ("en", "de")
        )

    holds()


@given(TEXTS, LOCALES)
def test_source_as_its_own_translation_keeps_its_numbers(source: str, locale: str) -> None:
    assert outcome_of("number_fidelity", {}, source, source, (locale, locale)).passed is True


@given(TEXTS, LOCALES, LOCALES)
def test_source_as_its_own_translation_is_never_wrong_in_another_locale(source: str, origin: str, target: str) -> None:
    """Its numbers may mean something else there."""
    assert outcome_of("number_fidelity", {}, source, source, (origin, target)).passed is not False


@given(TEXTS, st.sampled_from(["auto", "printf", "python"]))
def test_source_as_its_own_translation_keeps_its_placeholders(source: str, syntax: str) -> None:
    """Where the source is malformed itself, nobody can tell."""
    outcome = outcome_of("placeholder_integrity", {"syntax": syntax}, source, source, ("en", "en"))

    assert outcome.passed is not False


@given(TEXTS, TEXTS, LOCALES)
def test_texts_in_each_others_place_have_as_many_numbers(source: str, text: str, locale: str) -> None:
    there = outcome_of("number_fidelity", {}, source, text, (locale, locale))
    back = outcome_of("number_fidelity", {}, text, source, (locale, locale))
    swapped = {"number_missing": "number_extra", "number_extra": "number_missing"}

    assert (there.passed, back.code) == (back.passed, swapped.get(there.code, there.code))


@given(st.lists(st.integers(101, 10**9), min_size=1, max_size=5), st.data())
def test_number_is_counted_as_often_as_it_stands(numbers: list[int], data: st.DataObject) -> None:
    """In any order; one more or one less is found."""
    source = "total: " + " of ".join(map(str, numbers))
    shuffled = data.draw(st.permutations(numbers))
    extra = data.draw(st.sampled_from(numbers))
    is_round = len(str(extra).rstrip("0")) <= 2

    def code(written: list[int]) -> str:
        return outcome_of(
            "number_fidelity", {}, source, "gesamt: " + " von ".join(map(str, written)), ("en", "de")
        ).code

    less = shuffled.copy()
    less.remove(extra)
    assert code(shuffled) == "ok"
    assert code([*shuffled, extra]) == ("number_undecided" if is_round else "number_extra")
    assert code(less) == ("number_undecided" if is_round else "number_missing")


@given(st.lists(st.sampled_from(["%s", "%d", "%5.1f"]), min_size=1, max_size=5), st.data())
def test_placeholder_is_counted_as_often_as_it_stands(placeholders: list[str], data: st.DataObject) -> None:
    source = " of ".join(placeholders)
    place = data.draw(st.integers(0, len(placeholders) - 1))
    doubled = [*placeholders, placeholders[place]]
    less = placeholders[:place] + placeholders[place + 1 :]

    def passed(written: list[str]) -> bool | None:
        text = " von ".join(written)
        return outcome_of("placeholder_integrity", {"syntax": "printf"}, source, text, ("en", "de")).passed

    assert passed(placeholders) is True
    assert passed(doubled) is False
    assert passed(less) is False


@given(TEXTS)
def test_longer_text_is_never_shorter(text: str) -> None:
    for unit in ("graphemes", "codepoints", "bytes"):
        params = {"limit": 5, "unit": unit}
        if outcome_of("max_chars", params, "", text, ("en", "de")).passed is False:
            assert outcome_of("max_chars", params, "", text + " more", ("en", "de")).passed is False


@given(TEXTS, TEXTS)
def test_text_with_its_tokens_keeps_them_and_wording_stays_forbidden(before: str, after: str) -> None:
    text = f"{before} files 12 {after}"

    assert outcome_of("required_tokens", {}, "", text, ("en", "de")).passed is True
    forbidden = outcome_of("forbidden_renderings", {"renderings": ["files 12"]}, "", text, ("en", "de"))
    assert forbidden.passed is False

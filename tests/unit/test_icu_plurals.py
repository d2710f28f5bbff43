import pytest

from skill_evaluator.graders.translation.placeholders.icu_plurals import plural_rules


@pytest.mark.parametrize(
    ("tag", "lacking", "for_one_number"),
    [
        ("en-US", ["one"], {"one"}),
        ("de-DE-u-co-phonebk", ["one"], {"one"}),
        ("fr-XK", ["one"], {"one"}),  # a region that CLDR does not have for the language
        ("fr", ["one"], {"one"}),  # and for 0; `many` is for millions
        ("zh-Hans", [], set()),
        ("cs", ["few", "one"], {"one"}),  # `many` is for fractions
        ("ru", ["few", "many", "one"], set()),  # 1, 21, 31 ...
        ("ar", ["few", "many", "one", "two", "zero"], {"zero", "one", "two"}),
        ("lv", ["one", "zero"], set()),
    ],
)
def test_which_categories_counts_need(tag: str, lacking: list[str], for_one_number: set[str]) -> None:
    rules = plural_rules(tag, is_ordinal=False)

    assert rules is not None
    assert sorted(rules.lacking(["other"], 0)) == lacking
    assert rules.for_one_number == for_one_number


@pytest.mark.parametrize(
    ("selectors", "offset", "lacking"),
    [
        (["one", "other"], 0, []),
        (["=1", "other"], 0, []),
        (["=0", "other"], 0, ["one"]),
        (["=2", "other"], 1, []),  # two, less one
        (["=1", "other"], 1, ["one"]),
    ],
)
def test_a_text_for_the_number_stands_in_for_its_category(
    selectors: list[str], offset: int, lacking: list[str]
) -> None:
    rules = plural_rules("de", is_ordinal=False)

    assert rules is not None
    assert rules.lacking(selectors, offset) == lacking


def test_ranks_have_rules_of_their_own() -> None:
    ranks, counts = plural_rules("en", is_ordinal=True), plural_rules("en", is_ordinal=False)

    assert ranks is not None
    assert counts is not None
    assert ranks.categories == {"one", "two", "few", "other"}
    assert counts.categories == {"one", "other"}


@pytest.mark.parametrize("tag", ["qu", "la", "xx", "und", "tlh", "", "x-private", "\ud800", "en\x00", "-", "a" * 9999])
def test_a_language_that_cldr_has_no_rules_for_is_not_one_without_plurals(tag: str) -> None:
    assert plural_rules(tag, is_ordinal=False) is None


def test_counts_may_have_rules_where_ranks_have_none() -> None:
    assert plural_rules("br", is_ordinal=False) is not None
    assert plural_rules("br", is_ordinal=True) is None

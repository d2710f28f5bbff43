"""Locales of cases are BCP-47 tags in their normal form."""

import pytest
from babel.localedata import locale_identifiers

from skill_evaluator.formats.evalcase.locales import locale_fault


@pytest.mark.parametrize(
    "tag",
    [
        *(
            "en-US",
            "zh-Hans",
            "zh-Hant-TW",
            "zh-CN",
            "de",
            "es-419",
            "sr-Latn",
            "pt-BR",
            "nb",
            "no",
            "sr-ME",
            "ca-valencia",
        ),
        *("de-1901", "sl-rozaj-biske-1994", "en-u-ca-gregory", "en-XA", "ja-Jpan-JP", "en-x-pirate", "yue"),
    ],
)
def test_tags_that_are_taken(tag: str) -> None:
    """Section 3.1: such as en-US and zh-Hans."""
    assert locale_fault(tag) is None


@pytest.mark.parametrize(
    ("tag", "named"),
    [
        ("zh_CN", "zh-CN"),
        ("zh_hans_cn", "zh-Hans-CN"),
        ("en-us", "en-US"),
        ("EN", "en"),
        ("zh-hans", "zh-Hans"),
        ("iw", "he"),
        ("eng", "en"),
        ("en-UK", "en-GB"),
        ("i-klingon", "tlh"),
        ("zh-yue", "yue"),
    ],
)
def test_another_spelling_is_refused_and_the_normal_form_named(tag: str, named: str) -> None:
    fault = locale_fault(tag)

    assert fault
    assert fault.endswith(f'write "{named}"')


@pytest.mark.parametrize(
    "tag",
    [
        "english",
        "xx",
        "en-",
        "-en",
        "en--US",
        "en-US-US",
        "en US",
        "en-US\n",
        "ｅｎ",
        "en-123",
        "x-pirate",
        "root",
        "1",
        "e" * 9999,
    ],
)
def test_what_is_no_tag_of_a_language_is_refused(tag: str) -> None:
    assert locale_fault(tag)


def test_every_locale_of_cldr_is_taken_with_hyphens_and_refused_with_underscores() -> None:
    """Babel carries the data of CLDR by names with underscores, and with variants in upper case."""
    names = [name.replace("_POSIX", "") for name in locale_identifiers()]

    assert len(names) > 500
    for name in names:
        parts = [part.lower() if len(part) > 4 else part for part in name.split("_")]
        assert locale_fault("-".join(parts)) is None, name
        assert (
            "_" not in name
            or locale_fault(name) == f'has an underscore, where BCP-47 has a hyphen; write "{"-".join(parts)}"'
        )

"""Dates and numbers in the way of each language."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from babel.dates import format_date
from babel.numbers import format_decimal

from skill_evaluator.report import numbers
from skill_evaluator.report.moments import moment, moment_of
from skill_evaluator.report.phrases import phrases


def test_a_chinese_date_is_that_of_the_locale_data() -> None:
    day = datetime(2025, 1, 8, 4, 5, tzinfo=UTC)
    assert moment_of(day, "zh") == f"{format_date(day, 'long', locale='zh')} 04:05 UTC" == "2025年1月8日 04:05 UTC"


def test_a_time_of_another_zone_is_shown_in_utc() -> None:
    assert moment_of(datetime(2025, 1, 1, 1, 0, tzinfo=timezone(timedelta(hours=8))), "en") == "2024-12-31 17:00 UTC"


@pytest.mark.parametrize(("lang", "shown"), [("en", "2025-11-08 14:30 UTC"), ("zh", "2025年11月8日 14:30 UTC")])
def test_a_timestamp_is_shown_to_the_minute(lang: str, shown: str) -> None:
    assert moment("2025-11-08T14:30:59Z", phrases("zh" if lang == "zh" else "en")) == shown


@pytest.mark.parametrize("text", ["yesterday", "2025-11-08T14:30:00+08:00"])
def test_what_is_no_such_time_is_quoted(text: str) -> None:
    assert moment(text, phrases("zh")) == f"`{text}`"


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_both_languages_write_numbers_alike(locale: str) -> None:
    """So one look serves both: the locale data has the same signs in the same places."""
    assert format_decimal(1_234_567, locale=locale) == numbers.tokens(1_234_567)
    assert format_decimal(0.25, locale=locale, format="0.00") == numbers.ratio(0.25)

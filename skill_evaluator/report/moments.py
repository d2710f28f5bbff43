"""How a point in time is shown, in each language."""

from collections.abc import Mapping
from datetime import UTC, datetime

from skill_evaluator.report.escape import Md
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.words import Lang

_DATES: Mapping[Lang, str] = {"en": "{0:%Y-%m-%d %H:%M} UTC", "zh": "{0.year}年{0.month}月{0.day}日 {0:%H:%M} UTC"}


def moment(timestamp: str, say: Phrases) -> Md:
    """Show `2025-11-08T14:30:00Z` as `2025-11-08 14:30 UTC`, in Chinese as `2025年11月8日 14:30 UTC`.

    What is no such time is quoted.
    """
    try:
        time = datetime.strptime(timestamp, "%Y-%m-%dT%H:%M:%S%z")
    except ValueError:
        return say.quote(timestamp)
    return say.quote(timestamp) if time.utcoffset() else moment_of(time, say.lang)


def moment_of(time: datetime, lang: Lang) -> Md:
    """Show a point in time to the minute.

    Args:
        time: With its zone.
        lang: Whose dates are meant.

    Source:
        Unicode CLDR 46, long date of `zh`: y年M月d日.
    """
    return Md(_DATES[lang].format(time.astimezone(UTC)))

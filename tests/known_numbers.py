"""Which numbers the words of a report may hold: those of its JSON in each form they may have, and a few constants."""

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from statistics import NormalDist, median
from typing import Any

from tests import number_looks as look
from tests.shown_tables import SPLITS, cases_of

_Z_95, _Z_80 = NormalDist().inv_cdf(0.975), NormalDist().inv_cdf(0.8)
_FEWEST_RUNS = 3  # of a case that is measured
# What sentences hold that no report changes: levels, limits and scales of the definitions, in both languages.
_CONSTANTS = (
    r"95%(?=\*{0,2} (?:interval|区间|level|水准|confidence|置信度)|[:：]| of \d| no longer| 不超过|的把握)",
    r"(?:[Mm]ore than|[Aa]t most|超过|最多允许|不超过) (?:10%|20%|0\.10)",
    r"(?:10|20)% 以上|(?:at|为) 0\.10(?: or below|或以下)",
    r"(?:at most|不超过) 0\.10|above 0\.10|高于 0\.10",
    r"(?:more than|超过) 5(?: points|%| 个百分点)?|within 5 as|5 以内|为 5%",  # when a metric is marked as changed
    r"(?:do|than) 5 cases|5 道以上|不足 5 道",  # when paired cases show a change without an interval
    r"a change of 5 points|正确率 5 个百分点",
    r"第 50 与第 95 百分位",
    r"a 5\b|打 5 分",  # a control
    r"about 4 in 10|(?:十|10) (?:道|个)[^，。]{0,20}(?:4|四)",  # how often estimates are wrong
)


def without_constants(text: str) -> str:
    for pattern in _CONSTANTS:
        text = re.sub(pattern, " ", text)
    return text


def known_numbers(report: Mapping[str, Any]) -> set[str]:
    """Every number of a report in each documented form, and what can be counted in it."""
    values = [*_leaves(report), *_worked_out(report)]
    found = {form for value in values for form in _forms(value)}
    limits = (report["config"]["pass_threshold"], 0.1)
    shares = {value for value in values if 0 <= value <= 1}
    found |= {look.beside(value, limit) for value in shares for limit in limits}
    scores = [one for case in report["cases"] for one in case["rubric"].values() if one["mean"] is not None]
    found |= {look.beside(one["mean"], one["target"]) for one in scores}
    return found | {str(number) for number in _counts(report)}


def without_moments(text: str, report: Mapping[str, Any]) -> str:
    """A text without the moments that the report names, in the form of either language."""
    told = (report["timestamp"], (report["comparison"] or {}).get("old_timestamp"))
    for moment in (datetime.fromisoformat(one) for one in told if one):
        time = f"{moment:%H:%M} UTC"
        chinese = f"{moment.year}年{moment.month}月{moment.day}日"
        text = text.replace(f"{moment:%Y-%m-%d} {time}", " ").replace(f"{chinese} {time}", " ")
    return text


def _worked_out(report: Mapping[str, Any]) -> Iterator[float]:
    """What is shown of runs and not kept as a number: medians and sums of cases, shares of items, and power."""
    durations = report["volatile"]["durations_s"]
    for case in report["cases"]:
        known: list[Any] = [(run["usage"] or {}).get("cost_usd") for run in case["runs"]]
        if known and None not in known:
            yield sum(known)
        pairs = zip(case["runs"], durations.get(case["id"], ()), strict=False)
        valid = [seconds for run, seconds in pairs if seconds is not None and run["state"] != "error"]
        if valid:
            yield median(valid)
    for split in SPLITS:
        for item in report["splits"][split]["rubric"]:
            scores = [case["rubric"][item] for case in cases_of(report, split) if item in case["rubric"]]
            judged = [one["passed"] for one in scores if one["passed"] is not None]
            yield judged.count(True) / max(1, len(judged))
    yield from _power(report)


def _power(report: Mapping[str, Any]) -> Iterator[float]:
    """How much one case is, and by Connor's formula how many a change takes and what the present ones show."""
    paired = (report["comparison"] or {"paired": {}})["paired"].get("acceptance")
    cases = cases_of(report, "acceptance")
    asked = sum(bool(case["expect_trigger"]) for case in cases) or sum(case["decision"] is not None for case in cases)
    if not paired or not asked:
        return
    yield 1 / asked
    number = paired["shared"] - len(paired["unmeasured"])
    flips = (len(paired["worsened"]) + len(paired["improved"])) / max(1, number)
    yield float(math.ceil(_cases_for(0.05, flips)))
    # The number of cases falls as the change grows, so the smallest change is where it meets the present number.
    place = bisect_left(range(1, 94_556), -number, key=lambda step: -_cases_for(step / 100_000, flips))
    yield place / 100_000


def _cases_for(change: float, flips: float) -> float:
    share = min(1.0, max(flips, change + 2 * 0.972 * 0.028))
    far = _Z_95 * math.sqrt(share)
    near = _Z_80 * math.sqrt(max(0.0, share - change**2))
    return ((far + near) / change) ** 2


def _leaves(value: Any) -> Iterator[float]:  # noqa: ANN401 - any JSON
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for one in inner:
        yield from _leaves(one)


def _forms(value: float) -> Iterator[str]:
    if float(value).is_integer():
        yield from (str(int(value)), format(int(value), ","))
    if isinstance(value, int):
        return
    yield from (look.points(value), look.points(value).lstrip("+"), look.change(value), look.dollars(value))
    if value >= 0:
        yield from (look.seconds(value), look.tokens(value))
    if 0 <= value <= 1:
        yield from (look.share(value), look.per_cent(value), look.probability(value), look.limit(value))
    if 1 <= value <= 5:
        yield look.score(value)


def _counts(report: Mapping[str, Any]) -> Iterator[int]:
    """What can be counted: items of each list, and cases and runs by what became of them."""
    yield from _lengths(report)
    yield len({one["id"] for one in report["failed_cases"]})
    yield sum(case["valid_runs"] < _FEWEST_RUNS for case in report["cases"])
    for split in SPLITS:
        cases = cases_of(report, split)
        yield len(cases)
        yield len({one["id"] for one in report["failed_cases"] if one["split"] == split})
        yield from Counter(one["sort"] for one in report["failed_cases"] if one["split"] == split).values()
        states = Counter(run["state"] for case in cases for run in case["runs"])
        yield from states.values()
        yield states["triggered"] + states["not_triggered"]
        yield sum(states.values()) - states["error"]


def _lengths(value: Any) -> Iterator[int]:  # noqa: ANN401 - any JSON
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, list):
        yield len(value)
    for one in inner:
        yield from _lengths(one)

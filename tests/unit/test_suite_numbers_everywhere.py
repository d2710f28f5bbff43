"""Every number that is shown of an eval suite is that of its file, at its place and in the documented form.

The files are those that the real program wrote; what this program adds is held against its own JSON block.
"""

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import pytest
from lxml import etree

from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.report.ci.suite_csv import suite_result_to_csv
from skill_evaluator.report.ci.suite_junit import suite_result_to_junit
from skill_evaluator.report.ci.suite_pull_request import suite_result_to_comment
from skill_evaluator.report.suite.added import added_content
from skill_evaluator.report.suite.files import suite_result_to_json
from skill_evaluator.report.suite.html import suite_result_to_html
from skill_evaluator.report.suite.markdown import suite_result_to_markdown
from skill_evaluator.report.suite.reading import suite_result_from_json
from skill_evaluator.report.words import Lang
from tests import number_looks as look
from tests.page_readers import html_tables, markdown_tables, numbers_in, page_of, strip_places, text_of
from tests.unit.suite_results import recorded, recorded_result

WORSE = "worse with the plugin"
NAMES = (
    *("own/tide-new", "own/tide-old", "own/tide-never", "own/tide-flags", "run/llm-focus-all", "run/max-turns-hit"),
    *("run/arms-default-three-graders-mixed-weights", "run/two-arm-tool-order-skill", "run/api-400-with-arm", WORSE),
)
IN_BOTH = ("own/tide-old",)
RATES = ("precision", "recall", "falseTriggerRate")
_A_PIXEL = 1 / 144
_MINUTES_FROM_S = 120


def worse(text: str) -> str:
    """A result with its arms the other way round, and differences that are next to nothing."""
    report = json.loads(text)
    for case in report["cases"]:
        found = case["aggregates"]
        case["arms"] = {"with": case["arms"]["without"], "without": case["arms"]["with"]}
        found.update(score=found["scoreWithout"], scoreWithout=found["score"], delta=-found["delta"])
    scores = [case["aggregates"]["score"] for case in report["cases"]]
    report["cases"][0]["aggregates"]["delta"] = -0.0004
    report["aggregates"].update(
        overallScore=math.fsum(scores) / len(scores),
        casesPassed=sum(score >= report["suite"]["threshold"] for score in scores),
        meanDelta=-0.1364,
    )
    return json.dumps(report)


class Shown:
    """A result, the JSON of its file and of what is added to it, and its page in one language."""

    def __init__(self, name: str, lang: Lang) -> None:
        text = worse(recorded()["own/tide-old"]) if name == WORSE else recorded()[name]
        self.result, self.lang = suite_result_from_json(text, name=name), lang
        self.json: Any = json.loads(text)
        added = added_content(self.result, measures_of_result(self.result))
        self.added: Any = json.loads(json.dumps(added))

    @cached_property
    def page(self) -> Any:  # noqa: ANN401 - lxml has no types
        return page_of(suite_result_to_html(self.result, self.lang))

    @property
    def runs(self) -> list[Mapping[str, Any]]:
        return [run for case in self.json["cases"] for run in case["arms"]["with"]]


# Of the module, so that all tests of one result follow each other and it is laid out once.
@pytest.fixture(
    scope="module", params=[(name, "en") for name in NAMES] + [(name, "zh") for name in IN_BOTH], ids=" ".join
)
def shown(request: pytest.FixtureRequest) -> Shown:
    return Shown(*request.param)


def is_lost(*arms: list[Mapping[str, Any]] | None) -> bool:
    """Whether the model's service ended all runs of an arm, so that its 0 is no score."""
    return any(arm and all(not run["graders"] and "API Error" in str(run["error"]) for run in arm) for arm in arms)


def arms(case: Mapping[str, Any]) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]] | None]:
    return case["arms"]["with"], case["arms"].get("without")


def score_of(case: Mapping[str, Any]) -> str:
    return look.DASH if is_lost(arms(case)[0]) else look.share(case["aggregates"]["score"])


def delta_of(case: Mapping[str, Any]) -> str:
    return look.DASH if is_lost(*arms(case)) else look.difference(case["aggregates"].get("delta"))


def without_of(case: Mapping[str, Any]) -> str:
    return look.DASH if is_lost(arms(case)[1]) else look.share(case["aggregates"].get("scoreWithout"))


def whole_seconds(seconds: float) -> list[str]:
    whole = int(look.fixed(seconds, 0))
    return [str(whole)] if whole < _MINUTES_FROM_S else [str(whole // 60), str(whole % 60)]


def ends(metric: Mapping[str, Any] | None, form: Any = look.share) -> list[str]:  # noqa: ANN401 - a look
    """The numbers of an interval in words."""
    return [] if metric is None or metric["low"] is None else ["95%", form(metric["low"]), form(metric["high"])]


def with_counts(metric: Mapping[str, Any] | None) -> str:
    if metric is None or metric["value"] is None:
        return look.DASH
    if metric["numerator"] is None:
        return look.share(metric["value"])
    return f"{look.share(metric['value'])} ({metric['numerator']}/{metric['denominator']})"


def tiles(shown: Shown) -> Iterator[tuple[str, list[str], tuple[float, float, float] | None]]:
    """Value, the numbers of what stands below, and where value and interval lie on the strip."""
    report, added = shown.json, shown.added
    found, threshold = report["aggregates"], report["suite"]["threshold"]
    lost = any(is_lost(arms(case)[0]) for case in report["cases"])
    score = None if lost else found["overallScore"]
    yield look.share(score), ends(added["score"]), _strip(score, added["score"])
    baselines = [case["aggregates"]["scoreWithout"] for case in report["cases"] if "scoreWithout" in case["aggregates"]]
    if report["suite"]["ablation"] == "with-without" or baselines:
        delta = found.get("meanDelta")
        yield look.difference(delta), ends(added["delta"], look.difference), _strip(delta, added["delta"])
        mean = math.fsum(baselines) / len(baselines) if baselines else None
        yield look.share(mean), [str(len(baselines))], _strip(mean, None)
    yield f"{found['casesPassed']}/{found['casesTotal']}", [look.limit(threshold)], None
    yield f"{sum(run['passed'] for run in shown.runs)}/{len(shown.runs)}", ["1.00"], None
    for name in RATES:
        metric = added["trigger"]["byCase"].get(name)
        value = metric and metric["value"]
        yield with_counts(metric), ends(metric), _strip(value, metric)
    if (other := added["trigger"]["otherSkillFired"]) and other["of"]:
        yield f"{len(other['cases'])}/{other['of']}", [], None
    judge = math.fsum(run["judgeCostUsd"] for case in report["cases"] for arm in arms(case) for run in arm or ())
    judged = [look.dollars(judge)] if judge else []
    yield look.dollars(report["costUsd"]), [*judged, *whole_seconds(report["durationSeconds"])], None


def _strip(value: float | None, metric: Mapping[str, Any] | None) -> tuple[float, float, float] | None:
    if value is None:
        return None
    has_ends = metric is not None and metric["low"] is not None
    return (value, metric["low"], metric["high"]) if metric is not None and has_ends else (value, value, value)


def test_tiles(shown: Shown) -> None:
    found = shown.page.xpath("//ul[contains(@class, 'figures')]/li")
    for (value, below, strip), tile in zip(tiles(shown), found, strict=True):
        assert text_of(tile.xpath("p[@class='value']")[0]) == value
        assert sorted(numbers_in(text_of(tile.xpath("*[@class='detail']")[0]))) == sorted(below)
        drawings = tile.xpath(".//*[local-name()='svg']")
        assert len(drawings) == (strip is not None)
        for drawing in drawings:
            assert strip is not None
            places = strip_places(drawing)
            signed = 2 * _A_PIXEL
            assert places["ink"] == pytest.approx(strip[0], abs=signed)
            if strip[1:] != (strip[0], strip[0]):
                assert places["chart"] == pytest.approx(strip[1:], abs=signed)


def test_tiles_of_the_markdown(shown: Shown) -> None:
    table, *_ = markdown_tables(suite_result_to_markdown(shown.result, shown.lang))
    for (value, below, _strip), row in zip(tiles(shown), table, strict=True):
        assert row[1] == value
        assert sorted(numbers_in(row[2])) == sorted(below)


def test_rows_of_cases(shown: Shown) -> None:
    """Scores of both arms and in how many runs the skill fired, in both formats."""
    page = shown.page.xpath("//table[@class='suite-cases']/tbody/tr")
    markdown = markdown_tables(suite_result_to_markdown(shown.result, shown.lang))[1]
    two_arms = any(arms(case)[1] is not None for case in shown.json["cases"])
    for case, told, row, line in zip(shown.json["cases"], shown.added["cases"], page, markdown, strict=True):
        scores = [score_of(case), *([without_of(case), delta_of(case)] if two_arms else [])]
        cells = [text_of(cell) for cell in row.xpath("./td")]
        claims = told["claims"] or ([told] if told["expectTrigger"] is not None else [])
        fired = [f"{one['fired']}/{one['valid']}" if one["valid"] else look.DASH for one in claims] or [look.DASH]
        assert cells[: len(scores)] == scores
        assert cells[-1].replace(" ", "") == "".join(fired)
        assert line[2 : 2 + len(scores)] == scores
        assert line[-2].replace("、", ", ") == ", ".join(fired)


def test_tables_of_triggering(shown: Shown) -> None:
    """The confusion of cases, the rates by case and by run, and those of each skill."""
    trigger = shown.added["trigger"]
    counts = [
        [trigger[name] for name in row]
        for row in (("truePositives", "falsePositives"), ("falseNegatives", "trueNegatives"))
    ]
    found = [*html_tables(shown.page)]
    markdown = markdown_tables(suite_result_to_markdown(shown.result, shown.lang))[2:]
    if not any(map(any, counts)) and not trigger["unmeasured"]:
        return
    rates = [[trigger[by].get(name) for by in ("byCase", "byRun")] for name in (*RATES[:2], "f1", RATES[2])]
    assert [row[1:] for row in found[0]] == [[str(number) for number in row] for row in counts]
    for table in (found[1], markdown[0]):
        for row, pair in zip(table, rates, strict=True):
            _hold_rates(row[1:], pair)
    if len(trigger["bySkill"]) > 1:
        for table in (found[2], markdown[1]):
            for row, skill in zip(table, trigger["bySkill"], strict=True):
                _hold_rates(row[1:], [skill["byCase"].get(name) for name in ("recall", "falseTriggerRate")])


def _hold_rates(cells: list[str], metrics: list[Mapping[str, Any] | None]) -> None:
    for place, metric in enumerate(metrics):
        value, *interval = cells[2 * place : 2 * place + 2]
        assert value == with_counts(metric)
        for cell in interval:
            assert numbers_in(cell) == ends(metric)


def test_cards_of_cases(shown: Shown) -> None:
    """Scores, bars, limits and costs of each case, and of each run its score, turns, seconds and cost."""
    cards = shown.page.xpath("//article")
    for case, card in zip(shown.json["cases"], cards, strict=True):
        runs = [run for arm in arms(case) for run in arm or ()]
        scores = [score_of(case), *([] if arms(case)[1] is None else [without_of(case), delta_of(case)])]
        head = [text_of(one) for one in card.xpath("./header//*[@class='fact']")]
        assert [numbers_in(one) for one in head] == [[score] if score != look.DASH else [] for score in scores]
        score = 0 if is_lost(arms(case)[0]) else case["aggregates"]["score"]
        assert _per_cent(card.xpath("./*[contains(@class, 'bar')]/i/@style")[0]) == pytest.approx(
            100 * score, abs=0.005
        )
        threshold = 100 * shown.json["suite"]["threshold"]
        assert _per_cent(card.xpath("./*[contains(@class, 'bar')]/b/@style")[0]) == pytest.approx(threshold, abs=0.005)
        cost = math.fsum(run["costUsd"] for run in runs)
        facts = [numbers_in(text_of(one)) for one in card.xpath("./p[@class='quiet']/*[@class='fact']")][-3:]
        assert facts == [[str(len(runs))], [look.dollars(cost)], [str(case["maxTurns"]), str(case["timeoutSeconds"])]]
        found = card.xpath("./section[@class='run'][./h4]")
        for run, section in zip(runs, found, strict=True):
            _hold_run(run, section)


def _per_cent(style: str) -> float:
    return float(style.split(":")[1].strip().rstrip("%"))


def _hold_run(run: Mapping[str, Any], section: Any) -> None:  # noqa: ANN401 - lxml has no types
    facts = [numbers_in(text_of(one)) for one in section.xpath("./h4/*[@class='fact']")]
    score = [] if is_lost([run]) else [look.share(run["score"])]
    assert facts == [score, [str(run["turns"])], whole_seconds(run["durationSeconds"]), [look.dollars(run["costUsd"])]]
    heads = section.xpath("./*[contains(@class, 'grader')]")
    weights = [numbers_in(text_of(one.xpath(".//*[@class='fact']")[0])) for one in heads]
    assert weights == [[f"{grader['weight']:g}"] for grader in run["graders"]]
    for grader, head in zip(run["graders"], heads, strict=True):
        votes = [one.get("class") == "chip good" for one in head.xpath("./p/*[contains(@class, 'chip')]")]
        assert not votes or votes == grader["judgeVotes"]


def test_junit(shown: Shown) -> None:
    root: Any = etree.fromstring(suite_result_to_junit(shown.result, shown.lang).encode())
    verdict, cases = root.findall("testsuite")
    properties = {one.get("name"): json.loads(one.get("value")) for one in verdict.iter("property")}
    found = shown.json["aggregates"]
    assert properties == {
        "threshold": shown.json["suite"]["threshold"],
        "score": found["overallScore"],
        "delta": found.get("meanDelta"),
        "cases_passed": found["casesPassed"],
        "cases_total": found["casesTotal"],
    }
    tests = cases.findall("testcase")
    times = [sum(run["durationSeconds"] for arm in arms(case) for run in arm or ()) for case in shown.json["cases"]]
    assert [float(one.get("time")) for one in tests] == times
    assert (int(cases.get("tests")), float(cases.get("time"))) == (len(tests), sum(times))
    below = int(cases.get("failures")) + int(cases.get("errors"))
    assert below == found["casesTotal"] - found["casesPassed"]


def test_csv(shown: Shown) -> None:
    rows = [*csv.DictReader(io.StringIO(suite_result_to_csv(shown.result).removeprefix("\ufeff"), newline=""))]
    runs = [
        (case, place, run)
        for case in shown.json["cases"]
        for arm in arms(case)
        for place, run in enumerate(arm or (), start=1)
    ]
    for (case, place, run), row in zip(runs, rows, strict=True):
        assert (row["case"], int(row["run"])) == (case["name"], place)
        keys = {"score": "score", "turns": "turns", "seconds": "durationSeconds", "cost_usd": "costUsd"}
        for column, key in {**keys, "judge_cost_usd": "judgeCostUsd"}.items():
            assert float(row[column]) == run[key]
        votes = {one["name"]: one["judgeVotes"] for one in run["graders"] if "judgeVotes" in one}
        assert json.loads(row["judge_votes"] or "{}") == votes


def test_comment_of_a_pull_request(shown: Shown) -> None:
    report, added = shown.json, shown.added
    (table,) = markdown_tables(suite_result_to_comment(shown.result, shown.lang))
    found = report["aggregates"]
    lost = any(is_lost(arms(case)[0]) for case in report["cases"])
    expected = [
        [look.DASH if lost else look.share(found["overallScore"]), look.DASH, _between(added["score"])],
        [look.DASH, f"{found['casesPassed']}/{found['casesTotal']}", look.DASH],
    ]
    if found.get("meanDelta") is not None:
        low_high = [] if not added["delta"] else ends(added["delta"], look.difference)[1:]
        expected.append([look.difference(found["meanDelta"]), look.DASH, " – ".join(low_high) or look.DASH])
    for name in (*RATES[:2], "f1", RATES[2]):
        metric = added["trigger"]["byCase"].get(name)
        if metric and metric["value"] is not None:
            expected.append([look.share(metric["value"]), look.counted(metric), _between(metric)])
    assert sorted(row[1:] for row in table) == sorted(expected)


def _between(metric: Mapping[str, Any] | None) -> str:
    return "–".join(ends(metric)[1:]) or look.DASH


def test_seconds_of_a_run_just_made_are_those_of_its_file() -> None:
    """The clock tells more than the file keeps; what other programs read says the same as the file."""
    result = recorded_result("own/tide-old")
    first, *others = result.cases
    runs = tuple(replace(run, duration_s=6.4321 + place) for place, run in enumerate(first.with_plugin))
    result = replace(result, cases=(replace(first, with_plugin=runs), *others))
    found = json.loads(suite_result_to_json(result))["cases"][0]["arms"]

    rows = [*csv.DictReader(io.StringIO(suite_result_to_csv(result).removeprefix("\ufeff"), newline=""))]
    kept = [run["durationSeconds"] for arm in ("with", "without") for run in found[arm]]
    assert [row["seconds"] for row in rows[: len(kept)]] == [str(seconds) for seconds in kept]
    junit: Any = etree.fromstring(suite_result_to_junit(result, "en").encode())
    assert float(junit.findall("testsuite")[1].find("testcase").get("time")) == sum(kept)

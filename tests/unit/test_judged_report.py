"""A report that was judged: what stands in it, what a reader sees, and what is refused."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.compare.reports import compare
from skill_evaluator.errors import InputError
from skill_evaluator.metrics.paired import paired_result
from skill_evaluator.metrics.pairing import pair_cases
from skill_evaluator.model import Case, Split, Usage
from skill_evaluator.report.render import render, summary
from skill_evaluator.report.serialize import report_from_json, report_to_json
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Ballot, Change, Evidence, Panel, Report, ReportVerdict
from tests.unit.judged_setup import always_five, failed, fair, judged_cases, judged_report, panel, shown

HOSTILE = "a|b `x` ``y <script>alert(1)</script> [l](http://e.org)\n# h\n| c |\n|---|\n```\n\x1b[31m\u202e\x00"
LANGS: tuple[Lang, ...] = ("en", "zh")
IDS = [f"p{number}" for number in range(6)]


def panels_of(*scores: Sequence[int], baseline: int = 0) -> list[Panel]:
    """One panel for each positive, with what its three runs are worth; the baseline's outputs are all worth 2."""
    judges = [fair(one, [2] * baseline) for one in scores]
    return [panel(judge, id_, baseline=baseline, seed=7) for id_, judge in zip(IDS, judges, strict=True)]


GOOD, BAD = [4, 5, 4], [3, 4, 4]
PANELS = panels_of(GOOD, GOOD, BAD, BAD, GOOD, GOOD)
UNFIT = [panel(always_five, id_) for id_ in IDS]


def section(page: str, heading: str) -> str:
    [found] = re.findall(rf"^## {re.escape(heading)}.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return str(found)


def document(report: Report) -> Any:  # noqa: ANN401 - JSON, to be bent
    return json.loads(report_to_json(report))


def refused(content: object) -> list[str]:
    with pytest.raises(InputError) as caught:
        report_from_json(json.dumps(content), name="r.json")
    return [f"{finding.code} {finding.pointer}" for finding in caught.value.findings]


def test_a_fair_judge_gives_exact_means_and_rates(tmp_path: Path) -> None:
    report = judged_report(tmp_path, PANELS)
    acceptance, tuning = (report.splits[split] for split in Split)  # p1, p3, p5; p0, p2, p4

    assert (acceptance.metrics["rubric_pass_rate"].numerator, acceptance.metrics["rubric_pass_rate"].value) == (
        2,
        2 / 3,
    )
    assert acceptance.rubric["clarity"].value == pytest.approx((13 / 3 + 11 / 3 + 13 / 3) / 3)
    assert tuning.rubric["clarity"].denominator == 3
    assert report.judge is not None
    assert report.judge.fit
    assert report.config.judge_model == "judge-1"
    assert [(one.id, one.sort) for one in report.failed_cases] == [("p3", "rubric"), ("p2", "rubric")]


def test_a_failed_item_tells_scores_and_reasons_of_every_run(tmp_path: Path) -> None:
    panels = [shown([2, 5, 3], [3, 2, 3], "p1")]
    [found] = judged_report(tmp_path, [*panels, *PANELS[4:]]).failed_cases

    assert found.expected == {"item": "clarity", "target": 4}
    assert found.actual["mean"] == 2.75
    runs: Any = found.actual["runs"]
    assert [(run["run"], run["scores"], run["counted"]) for run in runs] == [
        (0, [2, 3], True),
        (1, [5, 2], False),
        (2, [3, 3], True),
    ]
    assert runs[0]["reasons"] == ["reason 4", "reason 2"]


NOT_ASKED = [Panel(case_id=id_, item="clarity", forward=None, backward=None) for id_ in IDS]
FAILED = [failed(id_) for id_ in IDS]


@pytest.mark.parametrize(  # the last column stands in the one-line summary
    ("panels", "code", "summed_up"),
    [
        (panels_of(*[[5, 5, 5]] * 6), None, ""),
        (panels_of(*[[1, 1, 1]] * 6), "rubric_below", ""),
        (UNFIT, "verdict_judge_unfit", "cannot be believed"),
        (FAILED, "verdict_judge_unanswered", "too few valid answers"),
        (NOT_ASKED, "verdict_judge_unasked", "not asked"),
        ([], "verdict_judge_idle", ""),
    ],
)
def test_the_judge_decides_nothing_and_is_told_of_under_the_verdict(
    panels: list[Panel], code: str | None, summed_up: str, tmp_path: Path
) -> None:
    report = judged_report(tmp_path, panels)

    assert report.verdict is ReportVerdict.PASS
    assert [note.code for note in report.reasons] == ([code] if code else [])
    assert report_from_json(report_to_json(report), name="r.json") == report
    for lang in LANGS:
        page = render(report, "md", lang)
        told = page.partition("---\n\n## ")[0]
        assert any(said in told for said in ("cannot be believed", "不可信")) is (panels is UNFIT)
    assert summed_up in summary(report, "en")
    assert ("no rubric was scored" in summary(report, "en")) is bool(summed_up)


def test_items_below_their_target_are_counted_in_the_acceptance_split(tmp_path: Path) -> None:
    """Acceptance cases are p1, p3 and p5."""
    scores = [[1, 1, 1], [1, 1, 1], [1, 1, 1], [5, 5, 5], [5, 5, 5], [1, 1, 1]]
    (note,) = judged_report(tmp_path, panels_of(*scores)).reasons

    assert note.values == {"items": 2, "of": 3}


def test_a_stop_after_the_runs_leaves_verdict_and_scores(tmp_path: Path) -> None:
    panels = [*panels_of(*[[5, 5, 5]] * 6)[:2], *NOT_ASKED[2:]]
    report = judged_report(tmp_path, panels, stopped_by="max_cost")
    page = render(report, "md", "en")

    assert report.verdict is ReportVerdict.PASS
    assert [note.code for note in report.reasons] == ["stopped_after_runs"]
    assert "Only 4 of 12 calls" in section(page, "⚖️ Judge")
    assert "--resume" in page.partition("Key metrics")[0]
    assert "partial, stopped by the ceiling on costs" in summary(report, "en")
    assert report_from_json(report_to_json(report), name="r.json") == report


def test_a_judge_that_had_nothing_to_score_is_not_called_unbelievable(tmp_path: Path) -> None:
    report = judged_report(tmp_path, [])
    english, chinese = (render(report, "md", lang) for lang in LANGS)

    assert [note.code for note in report.notes] == ["rubric_nothing"]
    assert "no score could be given" in section(english, "⚖️ Judge")
    assert "cannot be believed" not in english
    assert "不可信" not in section(chinese, "⚖️ 评审")


@pytest.mark.parametrize(("best", "told"), [(2, True), (3, False)])
def test_a_judge_that_scored_nothing_above_a_control_is_told(best: int, told: bool, tmp_path: Path) -> None:
    panels = panels_of([1, 2, 1], *[[1, 1, 1]] * 4, [1, 1, best])
    pages = [render(judged_report(tmp_path, panels), "md", lang) for lang in LANGS]

    assert ("None of the 18 scores is above 2" in pages[0]) is told
    assert ("18 个评分全都不高于 2" in pages[1]) is told


@pytest.mark.parametrize("panels", [UNFIT, [failed(id_) for id_ in IDS]])
def test_an_unfit_judge_s_scores_stand_nowhere(panels: list[Panel], tmp_path: Path) -> None:
    report = judged_report(tmp_path, panels)

    assert all(not case.rubric for case in report.cases)
    assert all(not split.rubric for split in report.splits.values())
    assert {split.metrics["rubric_pass_rate"].value for split in report.splits.values()} == {None}
    assert [note.code for note in report.notes] == ["rubric_unfit" if panels is UNFIT else "rubric_unanswered"]
    assert report.judge is not None
    assert report.judge.kappa.value is None
    words = ("cannot be believed", "不可信") if panels is UNFIT else ("too few valid answers", "有效回答太少")
    for lang, said in zip(LANGS, words, strict=True):
        page = render(report, "md", lang)
        assert said in section(page, {"en": "⚖️ Judge", "zh": "⚖️ 评审"}[lang])
        assert {"en": "Mean (1 to 5)", "zh": "平均分"}[lang] not in page.partition("---\n\n## ")[0]


def test_without_a_judge_nothing_is_said_of_one(tmp_path: Path) -> None:
    report = judged_report(tmp_path, PANELS, judge_model=None)

    assert report.judge is None
    assert report.failed_cases == ()
    assert [note.code for note in report.notes] == ["rubric_not_scored"]
    page = render(report, "md", "en").replace("The rubric of 6 cases was not scored: that takes a judge model.", "")
    assert not re.search("rubric|judge", page, re.IGNORECASE)


def test_an_invalid_report_shows_no_score_of_the_judge(tmp_path: Path) -> None:
    report = judged_report(tmp_path, PANELS, stopped_by="kill")

    found = section(render(report, "md", "en"), "⚖️ Judge")
    assert "no score is shown" in found
    assert "12 calls" in found
    assert "|" not in found


def test_the_judge_s_section_tells_all_that_its_scores_hang_on(tmp_path: Path) -> None:
    cases = judged_cases({"clarity": 4}, {"clarity": 4})
    panels = panels_of(GOOD, GOOD, [5, 5, 5], BAD, GOOD, GOOD, baseline=2)
    usage = Usage(input_tokens=12_345, output_tokens=678, cost_usd=0.5)
    report = judged_report(tmp_path, panels, cases=cases, agent_model="judge-1", usage=usage)
    found = section(render(report, "md", "en"), "⚖️ Judge")

    assert re.search(r"\| `clarity` \| 4\.1 +\| 3/3 +\| 2/3 +\| 0\.67 +\| 4\.1 now, 2\.0 before \(3 cases\)", found)
    assert found.count("| 0/6") == 4
    assert "0 of 18 scores (0.0%)" in found
    assert "0 of 12 calls (0.0%)" in found
    # people gave 4 six times; the judge 4, 4, 5, 4, 4, 4
    assert "one side gave every item the same score; 6 of 6 items lie within one point" in found
    assert "The judge is the model that was tested" in found
    assert "12 calls of the judge; tokens read: 12,345, written: 678; cost: $0.5000." in found


def test_calls_that_were_left_out_are_told(tmp_path: Path) -> None:
    panels = [*PANELS[:5], replace(PANELS[5], forward=None, backward=None)]

    assert "Only 10 of 12 calls" in render(judged_report(tmp_path, panels), "md", "en")


@pytest.mark.parametrize("panels", [PANELS, UNFIT, [failed(id_) for id_ in IDS]])
def test_a_judged_page_is_in_one_language(panels: list[Panel], tmp_path: Path) -> None:
    pages = [render(judged_report(tmp_path, panels), "md", lang) for lang in LANGS]
    english, chinese = (re.sub(r"(`+)[^`].*?\1", "", page) for page in pages)

    assert not re.search(r"[\u3000-\u9fff\uff00-\uffef]", english)
    allowed = r"Skill|UTC|Wilson|P50|P95|T[PN]|F[PN]|2TP"
    assert not re.search(r"[A-Za-z]{2}", re.sub(allowed, "", chinese))


def test_hostile_words_of_a_judge_do_no_harm(tmp_path: Path) -> None:
    """Whatever it says, the page has the same headings and as many table rows, and no line starts with its words."""

    def page(text: str) -> str:
        cases = judged_cases({text: 4})
        panels = [replace(one, item=text, **said(one, text)) for one in PANELS]
        return render(judged_report(tmp_path, panels, cases=cases, judge_model=text), "md", "en")

    plain, hostile = page("clarity"), page(HOSTILE)
    assert [line for line in hostile.split("\n") if line.startswith("#")] == [
        line for line in plain.split("\n") if line.startswith("#")
    ]
    assert len(hostile.split("\n")) == len(plain.split("\n"))
    outside = re.sub(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)", "", hostile)
    assert "<script>" not in outside
    assert "\x1b" not in hostile


def said(one: Panel, text: str) -> dict[str, Any]:
    assert one.forward is not None
    assert one.backward is not None
    return {
        name: Ballot(scores=tuple(replace(score, reason=text) for score in ballot.scores))
        for name, ballot in (("forward", one.forward), ("backward", one.backward))
    }


@pytest.mark.parametrize(
    "panels", [PANELS, UNFIT, [], [failed(id_) for id_ in IDS], panels_of(*[GOOD] * 6, baseline=3)]
)
def test_a_judged_report_is_read_back_equal(panels: list[Panel], tmp_path: Path) -> None:
    report = judged_report(tmp_path, panels, usage=Usage(requests=12))

    assert report_from_json(report_to_json(report), name="r.json") == report


def test_items_of_any_order_that_all_missed_their_target_are_read_back_equal(tmp_path: Path) -> None:
    items = {"tone": 5, "clarity": 5, "": 5, "完整": 5, "Brevity": 5}
    panels = [panel(fair(BAD), id_, item) for id_ in IDS for item in items]
    report = judged_report(tmp_path, panels, cases=judged_cases(items))
    again = report_from_json(report_to_json(report), name="r.json")

    assert again == report
    assert [one.expected["item"] for one in again.failed_cases if one.id == "p1"] == list(items)
    for lang in LANGS:
        assert render(again, "md", lang) == render(report, "md", lang)


def test_items_are_listed_in_the_order_of_the_test_set(tmp_path: Path) -> None:
    items = {"tone": 4, "clarity": 4, "完整": 4, "Brevity": 4}
    panels = [panel(fair(GOOD), id_, item) for id_ in IDS for item in items]
    report = judged_report(tmp_path, panels, cases=judged_cases(items))

    for one in (report, report_from_json(report_to_json(report), name="r.json")):
        found = section(render(one, "md", "en"), "⚖️ Judge")
        assert re.findall(r"^\| `(\w+)` ", found, re.MULTILINE) == 2 * list(items)  # both splits


Bend = Callable[[Any], object]


def first_score(content: Any, order: str = "forward", source: str = "run") -> Any:  # noqa: ANN401 - JSON
    return next(one for one in content["judge"]["panels"][0][order]["scores"] if one["source"] == source)


@pytest.mark.parametrize(
    ("bend", "pointer"),
    [
        (lambda it: it["cases"][0]["rubric"]["clarity"].update(mean=5.0), "/cases/0/rubric/clarity/mean"),
        (lambda it: it["cases"][2]["rubric"]["clarity"].update(passed=True), "/cases/2/rubric/clarity/passed"),
        (lambda it: it["cases"][2]["rubric"]["clarity"].update(target=3), "/cases/2/rubric/clarity/passed"),
        (
            lambda it: it["cases"][0]["rubric"]["clarity"].update(baseline_mean=1.0),
            "/cases/0/rubric/clarity/baseline_mean",
        ),
        (
            lambda it: it["splits"]["acceptance"]["metrics"]["rubric_pass_rate"].update(value=0.9),
            "/splits/acceptance/metrics/rubric_pass_rate/value",
        ),
        (
            lambda it: it["splits"]["tuning"]["rubric"]["clarity"].update(value=4.9),
            "/splits/tuning/rubric/clarity/value",
        ),
        (lambda it: it["judge"]["kappa"].update(value=0.9), "/judge/kappa/value"),
        (lambda it: it["judge"].update(fit=False), "/judge/fit"),
        (lambda it: it["judge"].update(same_model=True), "/judge/same_model"),
        (lambda it: it["judge"].update(model="another"), "/judge/model"),
        (lambda it: it["judge"]["errors"].update(denominator=99), "/judge/errors/denominator"),
        (lambda it: it["judge"]["controls"]["empty"].update(value=0.5), "/judge/controls/empty/value"),
        (lambda it: it["failed_cases"][0]["actual"].update(mean=3.9), "/failed_cases/0/actual/mean"),
        (
            lambda it: it["failed_cases"][0]["actual"]["runs"][0].update(reasons=["x", "y"]),
            "/failed_cases/0/actual/runs/0/reasons/0",
        ),
        (lambda it: it["metrics"].update(rubric_pass_rate=1.0), "/metrics/rubric_pass_rate"),
        (lambda it: first_score(it).update(score=5), "/cases/0/rubric/clarity/mean"),
    ],
    ids=map(str, range(99)),
)
def test_what_the_judge_s_own_words_contradict_is_refused(bend: Bend, pointer: str, tmp_path: Path) -> None:
    content = document(judged_report(tmp_path, PANELS))
    bend(content)

    assert f"report-changed {pointer}" in refused(content)


def test_an_unfit_judge_cannot_be_made_fit_by_hand(tmp_path: Path) -> None:
    content = document(judged_report(tmp_path, UNFIT))
    content["judge"].update(fit=True, reasons=[])

    assert {"report-changed /judge/fit", "report-changed /judge/reasons"} <= {
        re.sub(r"/reasons/.*", "/reasons", fault) for fault in refused(content)
    }


@pytest.mark.parametrize(
    ("bend", "pointer"),
    [
        (lambda it: first_score(it).update(score=6), "/forward/scores/"),
        (lambda it: first_score(it).update(score=0), "/forward/scores/"),
        (lambda it: first_score(it).update(index=3), "/forward/scores/"),
        (lambda it: first_score(it).update(index=None), "/forward/scores/"),
        (lambda it: first_score(it).update(control="empty"), "/forward/scores/"),
        (lambda it: first_score(it, source="control").update(index=0), "/forward/scores/"),
        (
            lambda it: first_score(it, "backward", "control").update(source="baseline", index=0, control=None),
            "/backward/scores",
        ),
        (lambda it: it["judge"]["panels"][0]["forward"]["scores"].append(first_score(it)), "/forward/scores/"),
        (
            lambda it: it["judge"]["panels"][0]["backward"]["scores"].remove(first_score(it, "backward")),
            "/backward/scores",
        ),
        (
            lambda it: it["judge"]["panels"][0]["forward"].update(failure={"kind": "api", "message": "m"}),
            "/forward/scores",
        ),
        (lambda it: it["judge"]["panels"][0]["forward"].update(scores=[]), "/forward/scores"),
        (lambda it: it["judge"]["panels"][0]["backward"]["scores"].reverse(), "/backward/scores"),
        (lambda it: it["judge"]["panels"][0].update(case_id="nobody"), "/case_id"),
        (lambda it: it["judge"]["panels"][0].update(case_id="n0"), "/case_id"),
        (lambda it: it["judge"]["panels"][0].update(case_id="p1"), "/item"),
        (lambda it: it["judge"]["panels"][0].update(item="another"), "/item"),
    ],
    ids=map(str, range(99)),
)
def test_what_no_judge_can_say_is_refused(bend: Bend, pointer: str, tmp_path: Path) -> None:
    content = document(judged_report(tmp_path, PANELS))
    bend(content)
    first = refused(content)[0]

    assert first.startswith(f"report-impossible /judge/panels/0{pointer}")


@pytest.mark.parametrize(
    ("bend", "pointer"),
    [
        (lambda it: it["cases"][0]["rubric"]["clarity"].update(target=6), "/cases/0/rubric/clarity/target"),
        (lambda it: it["cases"][0]["rubric"]["clarity"].update(human=0), "/cases/0/rubric/clarity/human"),
        (lambda it: it["config"].update(judge_model=None), "/config/judge_model"),
        (lambda it: it.update(judge=None), "/config/judge_model"),
        (
            lambda it: it["judge"].update(
                usage={"input_tokens": -1, "output_tokens": None, "cost_usd": None, "requests": None}
            ),
            "/judge/usage",
        ),
        (lambda it: it["cases"][0].update(rubric={}), "/judge/panels/0/item"),
    ],
    ids=map(str, range(99)),
)
def test_what_cannot_be_around_a_judge_is_refused(bend: Bend, pointer: str, tmp_path: Path) -> None:
    content = document(judged_report(tmp_path, PANELS))
    bend(content)

    assert refused(content)[0] == f"report-impossible {pointer}"


def test_a_run_that_did_not_trigger_was_not_judged(tmp_path: Path) -> None:
    content = document(judged_report(tmp_path, PANELS))
    content["cases"][0]["runs"][1]["state"] = "not_triggered"

    assert refused(content)[0].startswith("report-impossible /judge/panels/0/forward/scores/")


def test_reading_a_judged_report_loads_no_numpy(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(report_to_json(judged_report(tmp_path, PANELS)), "utf-8")
    program = (
        "import sys; from pathlib import Path; from skill_evaluator.report.serialize import report_from_json as read;"
        "read(Path(sys.argv[1]).read_text('utf-8'), name='r'); sys.exit('numpy' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", program, str(path)], check=False).returncode == 0


def rate(report: Report, old: Report) -> Any:  # noqa: ANN401 - one change
    return next(one for one in compare(report, old).changes[Split.ACCEPTANCE] if one.name == "rubric_pass_rate")


def test_the_rubric_pass_rate_is_compared_in_points(tmp_path: Path) -> None:
    old, new = judged_report(tmp_path, panels_of(*[GOOD] * 6)), judged_report(tmp_path, PANELS)

    assert rate(new, old).difference == pytest.approx(-1 / 3)
    assert rate(new, old).mark is Change.REGRESSED


def test_other_judges_cannot_be_compared(tmp_path: Path) -> None:
    old, new = judged_report(tmp_path, PANELS, judge_model="judge-2"), judged_report(tmp_path, PANELS)

    assert (rate(new, old).mark, rate(new, old).why) == (Change.NOT_COMPARABLE, ("judge",))
    assert "rubric_pass_rate" not in compare(new, old).paired[Split.ACCEPTANCE].changes
    assert "rubric_pass_rate" in compare(new, new).paired[Split.ACCEPTANCE].changes


def test_a_judge_on_one_side_alone_leaves_nothing_to_compare(tmp_path: Path) -> None:
    old, new = judged_report(tmp_path, (), judge_model=None), judged_report(tmp_path, PANELS)

    assert rate(new, old).why == rate(old, new).why == ("undefined",)


def test_the_same_cases_show_whether_the_outputs_became_worse(tmp_path: Path) -> None:
    """Six cases whose only item failed and now passes: all changed alike."""
    cases = tuple(replace(case, split=Split.ACCEPTANCE) for case in judged_cases({"clarity": 4}))
    new, old = (judged_report(tmp_path, panels_of(*[one] * 6), cases=cases) for one in (BAD, GOOD))
    found = paired_result(pair_cases(new.cases, old.cases), seed=0).changes["rubric_pass_rate"]

    assert (found.cases, found.difference, found.evidence) == (6, -1.0, Evidence.REGRESSED)
    assert compare(new, old, fail_on="significant").stops == ("rubric_pass_rate",)
    assert compare(new, old, fail_on="never").stops == ()


def test_a_report_with_a_judged_comparison_is_read_back(tmp_path: Path) -> None:
    old = judged_report(tmp_path, panels_of(*[GOOD] * 6))
    report = judged_report(tmp_path, PANELS, baseline=old)

    assert report_from_json(report_to_json(report), name="r.json") == report


def test_negatives_with_a_rubric_are_not_judged(tmp_path: Path) -> None:
    cases: list[Case] = [replace(case, rubric={"clarity": 4}) for case in judged_cases({"clarity": 4})]
    report = judged_report(tmp_path, PANELS, cases=cases)

    assert {case.id for case in report.cases if case.rubric} == set(IDS)


def test_the_command_that_measures_again_names_the_judge(tmp_path: Path) -> None:
    assert "--judge-model judge-1" in render(judged_report(tmp_path, PANELS), "md", "en")

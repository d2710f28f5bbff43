import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from skill_evaluator.compare.reports import compare
from skill_evaluator.errors import InputError
from skill_evaluator.metrics.failed import failed_cases
from skill_evaluator.metrics.split import split_result
from skill_evaluator.model import AgentInfo, Finding, Level, Split
from skill_evaluator.report.rederived import case_again
from skill_evaluator.report.render import RENDERERS, render, render_comparison, summary
from skill_evaluator.report.serialize import parse_report, report_from_json, report_to_json
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Canary, CanaryState, Change, FailedCase, MetricChange, Note, Report, ReportVerdict
from skill_evaluator.template_files import template_folder

GOLDEN = Path(__file__).parents[1] / "golden"
NAMES = ("failing", "estimate", "invalid", "passing")
LANGS: tuple[Lang, ...] = ("en", "zh")
PARSER = MarkdownIt("js-default", {"html": True})
# Strings that a report chooses from a closed set; all others are somebody's text.
CLOSED = frozenset(
    {
        *("verdict", "split", "sort", "state", "kind", "level", "aspect", "severity", "mark", "unit", "code", "why"),
        *(
            "name",
            "metric",
            "class",
            "would_be",
            "cause",
            "timestamp",
            "old_timestamp",
            "signal",
            "evidence",
            "fail_on",
            "source",
            "cut_by",
        ),
    }
)
HOSTILE = (
    "a|b `x` ``y <script>alert(1)</script> </details> [l](http://e.org) ![i](j)\n# h\n"
    "| c |\n|---|\n```\n<!-- \x1b[31m\u202e\x00"
)


def document(name: str = "failing") -> Any:  # noqa: ANN401 - JSON, to be bent
    return json.loads((GOLDEN / f"{name}.json").read_text("utf-8"))


def report(name: str = "failing") -> Report:
    return report_from_json((GOLDEN / f"{name}.json").read_text("utf-8"), name=name)


def markdown(made: Report, lang: Lang = "en") -> str:
    return render(made, "md", lang)


def section(text: str, heading: str) -> str:
    """What stands under the first heading that starts so."""
    [found] = re.findall(rf"^## {re.escape(heading)}.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return str(found)


def without_code(text: str, instead: str = "") -> str:
    return re.sub(r"(`+)[^`].*?\1", instead, text)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", NAMES)
def test_a_report_looks_as_agreed(name: str, lang: Lang) -> None:
    """`UPDATE_GOLDEN=1 pytest` writes the pages again; look at the difference before you keep it."""
    page = GOLDEN / f"{name}.{lang}.md"
    shown = markdown(report(name), lang)
    if os.environ.get("UPDATE_GOLDEN"):
        page.write_text(shown, "utf-8", newline="\n")

    assert shown == page.read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_in_one_language(name: str) -> None:
    english, chinese = (without_code(markdown(report(name), lang)) for lang in LANGS)

    assert not re.search(r"[\u3000-\u9fff\uff00-\uffef]", english)
    allowed = r"Skill|AUC|UTC|Wilson|P50|P95|SKILL\.md|JSON|YAML|T[PN]|F[PN]|2TP"
    assert not re.search(r"[A-Za-z]{2}", re.sub(allowed, "", chinese))


def test_the_seed_s_headings_stand_in_its_order() -> None:
    shown = markdown(report(), "zh")

    order = [
        "📊 Skill 打分报告",
        "打分时间",
        "❌ 整体结果",
        "核心指标",
        "准确率",
        "召回率",
        "综合分",
        "输出通过率",
        "误触率",
        "响应时间 P95",
    ]
    places = [
        shown.index(words) for words in [*order[:4], "| 准确率", "| 召回率", "| 综合分", "| 输出通过率", "| 误触率"]
    ]
    places += [shown.index("❌ 失败题目"), shown.index("📈 对比上一版")]
    assert places == sorted(places)
    assert all(words in shown for words in order)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ("No model was run", "4 in 10", "fire with this agent", "0.89")),
        ("zh", ("没有运行任何模型", "四成", "用这种估算", "0.89")),
    ],
)
def test_the_first_line_of_an_estimate_says_what_it_is(lang: Lang, said: tuple[str, ...]) -> None:
    first = markdown(report("estimate"), lang).splitlines()[0]

    assert [words for words in said if words not in first] == []
    assert markdown(report("failing"), lang).splitlines()[0].startswith("# 📊")


def test_an_estimate_says_what_was_not_run_and_names_instability_for_what_it_is() -> None:
    shown = markdown(report("estimate"))

    scores = section(shown, "Key metrics")
    reason = "Not run (the agent asks no model, so there is no output, no tool call, no time and no cost)"
    assert f"{reason}: Output pass rate," in scores
    assert shown.count("Not run (") == 1
    assert "| Output pass rate" not in scores
    assert "## Depends on what else is installed" in shown
    assert "## Stability" not in shown
    assert "the result would be FAIL" in section(shown, "⚠️ Result: ESTIMATE")


@pytest.mark.parametrize("lang", LANGS)
def test_an_invalid_report_shows_its_cause_and_no_score(lang: Lang) -> None:
    made = replace(report(), verdict=ReportVerdict.INVALID, reasons=report("invalid").reasons)

    shown = markdown(made, lang)

    assert "`401 invalid x-api-key`" in shown
    assert "0.75" not in shown.replace("--pass-threshold 0.85", "")
    assert ("Key metrics" in shown, "核心指标" in shown, "📈" in shown, "%|" in shown) == (False, False, False, False)
    result = next(line for line in shown.splitlines() if line.startswith("## "))
    assert ("INVALID" in result) or ("无效" in result)


def test_acceptance_comes_first_and_the_splits_are_apart() -> None:
    shown = markdown(report())

    assert shown.index("## Key metrics (acceptance") < shown.index("## Tuning cases")
    failed = section(shown, "❌ Failed cases")
    assert failed.index("### Acceptance cases: 4 of 8") < failed.index("### Tuning cases: 2 of 8")
    assert failed.index("`p05`") < failed.index("### Tuning") < failed.index("`p02`")


def test_every_metric_has_its_counts_interval_and_words() -> None:
    rows = {row[0]: row[1:] for row in cells(section(markdown(report()), "Key metrics"))}

    assert rows["Precision"] == ["0.75", "3/4", "0.30–0.95", "—", "of 4 that triggered, 3 were right"]
    assert rows["False-trigger rate"][:4] == ["0.25", "1/4", "0.05–0.70", "0.00"]
    assert rows["Recall"][3] == "0.00"


def cells(text: str) -> list[list[str]]:
    return [
        [cell.strip() for cell in line.strip("| ").split("|")] for line in text.splitlines() if line.startswith("|")
    ]


def test_an_undefined_metric_is_a_dash_with_its_reason_and_never_nothing() -> None:
    made = report()
    acceptance = made.splits[Split.ACCEPTANCE]
    metrics = {name: replace(metric, value=None, interval=None) for name, metric in acceptance.metrics.items()}
    empty = replace(made, splits={**made.splits, Split.ACCEPTANCE: replace(acceptance, metrics=metrics)})

    scores = section(markdown(empty), "Key metrics")

    rows = {row[0]: row for row in cells(scores)}
    assert [rows[name][1] for name in ("Precision", "Recall", "F1", "False-trigger rate")] == ["—"] * 4
    assert rows["Precision"][5] == "Undefined (nothing triggered)"
    assert "- Undefined (no case that triggered is checked for it): Output pass rate," in scores
    assert "its price is not known): Input tokens, Output tokens, Cost." in scores
    assert "F1 = —" in markdown(empty)


def test_a_score_just_below_the_threshold_does_not_look_like_it() -> None:
    made = report("passing")
    acceptance = made.splits[Split.ACCEPTANCE]
    metrics = {**acceptance.metrics, "f1": replace(acceptance.metrics["f1"], value=0.8496)}
    reasons = (Note(code="f1_below", values={"f1": 0.8496, "threshold": 0.85}),)
    splits = {**made.splits, Split.ACCEPTANCE: replace(acceptance, metrics=metrics)}

    shown = markdown(replace(made, splits=splits, reasons=reasons, verdict=ReportVerdict.FAIL))

    assert "(F1 = 0.8496, threshold = 0.85)" in shown
    assert "F1 0.8496 is below the threshold 0.85." in shown


def test_every_failed_case_has_input_expected_actual_and_its_runs() -> None:
    made = report()

    failed = section(markdown(made), "❌ Failed cases")

    assert len(re.findall(r"^- \*\*`", failed, re.MULTILINE)) == len(made.failed_cases)
    assert failed.count("Expected: ") == failed.count("Actual: ") == len(made.failed_cases)
    entry = failed[failed.index("- **`p05`") : failed.index("- **`n01`")]
    assert entry.splitlines() == [
        "- **`p05`** [should trigger] `a puzzle stage with a locked door please` → did not trigger",
        "  - Expected: the skill triggers. Actual: triggered in 1 of 4 valid runs.",
        "  - Runs 1–3: did not trigger; other skills fired: `map-maker`",
        "  - Run 4: triggered",
    ]
    assert "Run 2: timed out: `no answer within 300 s`" in failed


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", NAMES)
def test_failures_as_they_are_measured_need_no_raw_json(name: str, lang: Lang) -> None:
    made = report(name)

    shown = markdown(replace(made, failed_cases=failed_cases(made.cases)), lang)

    assert made.failed_cases == failed_cases(made.cases)
    assert not re.search(r'`\{"(trigger|checks|grader|passed_runs|planned_runs|run|expected|fields)"', shown)


def test_a_failure_of_another_shape_is_shown_raw() -> None:
    odd = FailedCase(id="c", split=Split.TUNING, sort="output", input="i", expected={"new": 1}, actual={"runs": "?"})

    shown = markdown(replace(report(), failed_cases=(odd,)))

    assert 'Expected: `{"new": 1}`. Actual: `{"runs": "?"}`.' in shown


def test_the_comparison_names_both_versions_and_the_rule() -> None:
    shown = section(markdown(report()), "📈 Against the last version `1.0`")

    assert "New: version `1.1`, scored 2025-11-08 14:30 UTC. Old: version `1.0`" in shown
    assert ["F1", "0.75", "1.00", "-25.0 points", "❌ regressed"] in cells(shown)
    assert ["Response time P95", "1.8 s", "1.8 s", "0.0%", "unchanged"] in cells(shown)
    assert "worse by more than 5 points" in shown
    assert "Of 4 cases that should trigger, one is 25.0 points of recall." in shown


def test_what_is_not_comparable_says_why() -> None:
    made = report()
    assert made.comparison is not None
    why = ("split_hash", "agent", "model", "runs", "undefined", "something_new")
    change = MetricChange(name="f1", new=0.75, old=0.9, difference=None, mark=Change.NOT_COMPARABLE, why=why)
    comparison = replace(
        made.comparison,
        mark=Change.NOT_COMPARABLE,
        changes={Split.ACCEPTANCE: (change,)},
        notes=(Note(code="same_skill"),),
    )

    shown = render_comparison(made, report("passing"), comparison, "en")

    reason = (
        "the cases differ, the agents differ, the models differ, the numbers of runs differ, undefined in one of them, "
        "`something_new`"
    )
    assert ["F1", "0.75", "0.90", "—", f"not comparable: {reason}"] in cells(shown)
    assert "\n## 📈 Against the last version `1.0`: not comparable\n" in shown
    assert "- Both reports measured the same skill files." in shown
    assert "不可比：题目不同、智能体不同" in render_comparison(made, report("passing"), comparison, "zh")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("empty", list(Split))
@pytest.mark.parametrize("name", NAMES)
def test_a_split_without_cases_is_said_to_be_empty(name: str, empty: Split, lang: Lang) -> None:
    """Floors ask for both classes in acceptance alone, and options may leave either split empty."""
    made = without_cases(report(name), empty)
    said = {
        ("en", Split.TUNING): "No tuning cases.",
        ("zh", Split.TUNING): "没有调优题。",
        ("en", Split.ACCEPTANCE): "No acceptance cases, so there is no score.",
        ("zh", Split.ACCEPTANCE): "没有验收题，因此没有得分。",
    }

    shown = markdown(made, lang)

    assert (said[lang, empty] in shown) is (made.verdict is not ReportVerdict.INVALID)
    assert parse_report(report_to_json(made), name="empty") == made


def without_cases(made: Report, empty: Split) -> Report:
    cases = tuple(case for case in made.cases if case.split is not empty)
    return replace(
        made,
        cases=cases,
        failed_cases=failed_cases(cases),
        splits={**made.splits, empty: split_result((), seed=0)},
        volatile=replace(made.volatile, latency={**made.volatile.latency, empty: {}}),
    )


def test_a_score_that_rests_on_triggers_alone_says_so_below_the_verdict() -> None:
    made = replace(report("passing"), reasons=(Note(code="checks_failed", values={"cases": 2}),))

    lines = section(markdown(made), "✅ Result: PASS").splitlines()

    assert lines[2].startswith("- F1 reaches the threshold")
    assert lines[3] == "- 2 cases failed output checks; the verdict rests on triggers alone."


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "en",
            "- Only 4 cases of the acceptance split should trigger: 95% confidence takes 22, even without an error.",
        ),
        ("zh", "- 验收集里应触发的题只有 4 道：即使全对，95% 置信度也至少要 22 道。"),
    ],
)
def test_classes_too_small_are_told_once_right_below_the_reasons(lang: Lang, said: str) -> None:
    shown = markdown(report(), lang)

    assert said in section(shown, {"en": "❌ Result", "zh": "❌ 整体结果"}[lang]).splitlines()
    assert len(re.findall(r"95% confidence|95% 置信度", shown)) == 1


def test_classes_too_small_stay_with_the_warnings_where_there_is_no_score() -> None:
    made = replace(report("invalid"), warnings=report().warnings)

    shown = markdown(made)

    assert "95% confidence" in section(shown, "⚠️ Warnings")
    assert shown.count("95% confidence") == 1


def test_a_small_class_of_another_shape_is_quoted_in_its_own_words() -> None:
    finding = Finding(level=Level.WARN, code="class-too-small", message="too <b> few")

    assert "- `too <b> few`" in section(markdown(replace(report(), warnings=(finding,))), "❌ Result")


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "- No interval for F1, pass^k: all resamples give the same value, so the bootstrap shows no spread"),
        ("zh", "- 综合分、全对概率没有区间：所有重抽样的结果都相同，自助法看不出差距"),
    ],
)
def test_a_value_without_interval_says_why(lang: Lang, said: str) -> None:
    assert said in markdown(report("passing"), lang)
    assert said[:14] not in markdown(report("failing"), lang)


@pytest.mark.parametrize(("lang", "said"), [("en", "the score to beat"), ("zh", "要超过的底线")])
def test_the_column_of_a_skill_that_never_fires_is_explained(lang: Lang, said: str) -> None:
    assert said in markdown(report(), lang)


@pytest.mark.parametrize("name", NAMES)
def test_chinese_pages_use_the_words_of_the_glossary(name: str) -> None:
    shown = markdown(report(name), "zh")

    assert not re.search(r"综合分波动|题集|打分项|已有的记录", shown)
    prose = "\n".join(line for line in shown.splitlines() if not line.startswith("|"))
    assert not re.search(r"[\u3000-\u9fff\uff00-\uffef] +[\u3000-\u9fff\uff00-\uffef]", without_code(prose, "x"))


def test_the_table_of_tags_shows_counts() -> None:
    rows = cells(section(markdown(report()), "By tag"))

    assert rows[2] == ["acceptance", "`english`", "6", "1.00 (3/3)", "0.75 (3/4)", "0.86", "0.00 (0/2)"]
    assert rows[3] == ["acceptance", "`中文`", "2", "0.00 (0/1)", "—", "—", "0.50 (1/2)"]


@pytest.mark.parametrize(("lang", "said"), [("en", "Model: not recorded |"), ("zh", "模型: 没有记录 |")])
def test_a_replay_of_an_unknown_model_does_not_say_that_there_was_none(lang: Lang, said: str) -> None:
    made = replace(report("passing"), agent=AgentInfo(name="replay"))

    assert said in markdown(made, lang)
    assert json.loads(report_to_json(made))["model"] == "none"


def test_a_comparison_of_two_reports_says_what_they_found_first() -> None:
    new, old = report("failing"), report("passing")

    shown = render_comparison(new, old, compare(new, old), "en")

    assert shown.startswith("# 📈 Comparison: `level-maker`\n")
    rows = cells(shown)
    assert rows[0] == ["Report", "Version", "Scored", "Agent", "Model", "Verdict", "F1", "Acceptance", "Tuning"]
    asked = ["`messages`", "`example-model-1`"]
    assert rows[2] == ["new", "`1.1`", "2025-11-08 14:30 UTC", *asked, "FAIL", "0.75", "8 cases", "8 cases"]
    assert rows[3][-4:] == ["PASS", "1.00", "8 cases", "8 cases"]
    assert "Of 4 cases that should trigger, one is 25.0 points of recall." in shown


def test_a_comparison_gives_no_score_to_an_invalid_report() -> None:
    new, old = replace(report("failing"), verdict=ReportVerdict.INVALID), report("passing")

    shown = render_comparison(new, old, compare(new, old), "en")

    assert cells(shown)[2][-4:] == ["INVALID", "—", "8 cases", "8 cases"]


@pytest.mark.parametrize("lang", LANGS)
def test_no_text_of_others_changes_a_comparison(lang: Lang) -> None:
    made = report()
    skill = replace(made.skill, name=HOSTILE, version=HOSTILE)
    new = replace(made, skill=skill, agent=replace(made.agent, name=HOSTILE, model=HOSTILE), timestamp=HOSTILE)

    comparison = compare(new, new)
    kinds = types_of(PARSER.parse(render_comparison(new, new, comparison, lang)))

    marked = sum(1 + sum(one.new is not None for one in changes) for changes in comparison.changes.values())
    assert kinds.count("tr_open") == 3 + marked + sum(1 + len(one.changes) for one in comparison.paired.values())
    assert not FORBIDDEN & set(kinds)


@pytest.mark.parametrize(
    ("mark", "sides"), [(Change.REGRESSED, ("0.13 s", "0.12 s")), (Change.UNCHANGED, ("0.1 s",) * 2)]
)
def test_times_that_are_marked_as_changed_are_not_shown_alike(mark: Change, sides: tuple[str, str]) -> None:
    made = report("failing")
    times = {
        split: tuple(replace(change, new=0.13, old=0.12, mark=mark) for change in changes)
        for split, changes in made.volatile.comparison.items()
    }
    shown = markdown(replace(made, volatile=replace(made.volatile, comparison=times)))

    (row, *_) = [line for line in shown.splitlines() if line.startswith("| Response time P95") and line.count("|") == 6]
    assert tuple(cell.strip() for cell in row.split("|")[2:4]) == sides


def test_two_reports_of_one_version_are_told_apart_by_their_time() -> None:
    new = report("failing")
    old = replace(report("passing"), skill=new.skill, config=new.config, timestamp="2025-11-07T08:00:00Z")

    english, chinese = (render_comparison(new, old, compare(new, old), lang) for lang in LANGS)

    heading = "## 📈 Version `1.1` of 2025-11-08 14:30 UTC against that of 2025-11-07 08:00 UTC: F1 -25.0 points"
    assert f"\n{heading}" in english
    assert "\n## 📈 版本 `1.1`（2025年11月8日 14:30 UTC）对比同版本（2025年11月7日 08:00 UTC）: 综合分 -25.0" in chinese


@pytest.mark.parametrize(
    ("name", "english", "chinese"),
    [
        ("estimate", "ESTIMATE (F1 = 0.75, threshold = 0.85)", "估算 (综合分=0.75, 及格线=0.85)"),
        ("failing", "FAIL (F1 = 0.75, threshold = 0.85)", "未通过 (综合分=0.75, 及格线=0.85)"),
        (
            "invalid",
            "INVALID: nothing reliable was measured (42 runs failed: authentication failed)",
            "无效：没有测到可靠的数据（42 次运行失败：身份验证失败）",
        ),
    ],
)
def test_a_report_is_summed_up_in_one_plain_line(name: str, english: str, chinese: str) -> None:
    assert [summary(report(name), lang) for lang in LANGS] == [english, chinese]


@pytest.mark.parametrize(
    ("verdict", "reason", "english", "chinese"),
    [
        (
            ReportVerdict.FAIL,
            Note(code="false_trigger_above", values={"value": 0.25, "limit": 0.1}),
            "FAIL (false-trigger rate 0.25 above 0.10; F1 = 0.75)",
            "未通过 (误触率 0.25 高于 0.10；综合分=0.75)",
        ),
        (
            ReportVerdict.UNSTABLE,
            Note(code="unstable_cases", values={"unstable": 3, "measured": 18}),
            "UNSTABLE (3 of 18 cases unstable; F1 = 0.75)",
            "不稳定 (18 道题中有 3 道不稳定；综合分=0.75)",
        ),
        (
            ReportVerdict.INVALID,
            Note(code="canary_failed", values={"kind": "auth", "message": "401"}),
            "INVALID: nothing reliable was measured (the canary failed: authentication failed)",
            "无效：没有测到可靠的数据（探测失败：身份验证失败）",
        ),
        (
            ReportVerdict.FAIL,
            Note(code="brand_new"),
            "FAIL (F1 = 0.75, threshold = 0.85)",
            "未通过 (综合分=0.75, 及格线=0.85)",
        ),
    ],
)
def test_a_summary_names_what_decided_it(verdict: ReportVerdict, reason: Note, english: str, chinese: str) -> None:
    made = replace(report("failing"), verdict=verdict, reasons=(reason,))

    assert [summary(made, lang) for lang in LANGS] == [english, chinese]


def test_a_summary_without_a_score_has_a_dash() -> None:
    made = replace(without_cases(report(), Split.ACCEPTANCE), verdict=ReportVerdict.DRAFT)

    assert summary(made, "en") == "DRAFT (F1 = —, threshold = 0.85)"


@pytest.mark.parametrize("code", ["brand_new", "f1_below"])
def test_a_code_of_another_version_is_shown_raw(code: str) -> None:
    note = Note(code=code, values={"x": "<b>"})

    shown = markdown(replace(report(), reasons=(note,), notes=(note,)))

    assert f'- `{code}`: `{{"x": "<b>"}}`' in shown


def test_a_warning_without_words_is_quoted_with_its_place() -> None:
    finding = Finding(level=Level.WARN, code="brand-new", message="odd <b>", file="t.json", line=7)

    assert "- `odd <b>` (`t.json:7`)" in markdown(replace(report(), warnings=(finding,)))


def test_many_warnings_are_counted() -> None:
    finding = Finding(level=Level.WARN, code="brand-new", message="odd")

    assert "- 30 more warnings in the JSON file." in markdown(replace(report(), warnings=(finding,) * 50))


def test_the_command_measures_the_same_again() -> None:
    made = report()
    config = replace(made.config, tags=("a b",), case_globs=("p*",), draft=True, seed=7)
    notes = (Note(code="replayed", values={"recordings": "runs/x.jsonl"}),)

    shown = markdown(replace(made, config=config, agent=AgentInfo(name="replay", model="m"), notes=notes))

    assert (
        "`skill-evaluator run skills/level-maker/SKILL.md --testset skills/level-maker/testset.json --agent replay "
        "--recordings runs/x.jsonl --runs 4 --seed 7 --pass-threshold 0.85 --tag 'a b' --case 'p*' --draft "
        "--baseline reports/level-maker-1.0.json`"
    ) in shown


def test_calls_are_counted_and_a_skipped_canary_is_skipped_again() -> None:
    made = report()
    skipped = Canary(state=CanaryState.SKIPPED)
    shown = markdown(replace(made, canary=skipped, volatile=replace(made.volatile, calls=45, retries=7)))

    assert "- 45 calls of the agent, 7 of them to repeat a failed one." in shown
    assert " --no-canary --baseline" in shown
    assert "calls of the agent" not in markdown(made)
    once = replace(made, canary=skipped, volatile=replace(made.volatile, calls=1, retries=0))
    assert "- 1 call of the agent." in markdown(once)


def test_an_answer_from_recordings_is_no_call() -> None:
    made = report()

    assert "call of the agent" not in markdown(replace(made, volatile=replace(made.volatile, calls=1, retries=0)))


def test_values_that_start_with_a_dash_hang_on_their_option() -> None:
    made = report()
    config = replace(made.config, tags=("-x",), case_globs=("-1*", "it's"))

    shown = markdown(replace(made, config=config, volatile=replace(made.volatile, skill_path="-s/SKILL.md")))

    assert """ --tag=-x '--case=-1*' --case 'it'"'"'s'""" in shown
    assert "skill-evaluator run ./-s/SKILL.md --testset" in shown


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "` with the neighbours `a`, `b@c` (`--neighbours`"),
        ("zh", "`，并装上邻居 `a`、`b@c`（`--neighbours`"),
    ],
)
def test_neighbours_whose_folders_are_not_known_are_named_beside_the_command(lang: Lang, said: str) -> None:
    agent = replace(report("estimate").agent, settings={"neighbours": ["a@0123456789ab", "b@c@0123456789ab"]})

    assert said in markdown(replace(report("estimate"), agent=agent), lang)
    assert "(`--neighbours`" not in markdown(replace(report("estimate"), agent=replace(agent, settings={})), lang)


@pytest.mark.parametrize("lang", LANGS)
def test_a_run_that_was_killed_has_no_time(lang: Lang) -> None:
    made = report()

    assert markdown(replace(made, volatile=replace(made.volatile, duration_s=None)), lang) == markdown(made, lang)


def test_a_time_that_is_none_is_quoted() -> None:
    assert "Scored: `yesterday` |" in markdown(replace(report(), timestamp="yesterday"))


def test_an_unknown_format_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="'pdf' is not known; choose one of md, html, json"):
        render(report(), "pdf", "en")


def test_renderers_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        RENDERERS["x"] = lambda _report, _lang: ""  # type: ignore[index]  # that is the point


def test_templates_are_found_in_a_built_package_and_in_a_checkout(tmp_path: Path) -> None:
    package = tmp_path / "skill_evaluator"
    for folder in (tmp_path / "templates", package / "templates"):
        folder.mkdir(parents=True)
    with pytest.raises(FileNotFoundError, match="install skill-evaluator again"):
        template_folder(package)

    (tmp_path / "templates" / "report.md.j2").touch()
    assert template_folder(package) == tmp_path / "templates"
    (package / "templates" / "report.md.j2").touch()
    assert template_folder(package) == package / "templates"
    assert (template_folder() / "report.md.j2").is_file()


def with_text(content: object, text: str, key: str = "") -> Any:  # noqa: ANN401 - JSON
    """Put a text in the place of every string of a report that is not out of a closed set."""
    match content:
        case dict():
            return {one: with_text(value, text, one) for one, value in content.items()}
        case list():
            return [with_text(one, text, key) for one in content]
        case str() if key not in CLOSED:
            return text
        case _:
            return content


def page_of(text: str, lang: Lang, bend: Callable[[Any], None] = lambda _content: None) -> str:
    content = with_text(document(), text)
    content["skill"]["name"] = content["skill_name"] = text
    for split in content["splits"].values():
        split["tags"] = {text: next(iter(split["tags"].values()))}
    for case in content["cases"]:
        for run in case["runs"]:
            for call in run["tool_calls"] or ():
                call["name"] = text
    content["agent"]["settings"] = {text: text}
    bend(content)
    return markdown(parse_report(json.dumps(content), name="hostile"), lang)


def types_of(tokens: list[Token]) -> list[str]:
    return [kind for token in tokens for kind in (token.type, *types_of(token.children or []))]


BENIGN = {lang: types_of(PARSER.parse(page_of("x", lang))) for lang in LANGS}
FORBIDDEN = {"html_inline", "html_block", "link_open", "image", "fence", "code_block", "s_open"}


@settings(max_examples=25)
@given(
    st.lists(
        st.sampled_from(
            [
                *("|", "\\", "`", "```", "<script>", "</details>", "<!--", "\n", "\n# ", "\n- ", "[a](b)", "![a](b)"),
                *(
                    "\n```\n",
                    "**",
                    "_",
                    "~~",
                    "\r",
                    "\t",
                    " ",
                    "http://e.org",
                    "&amp;",
                    "\x1b[0m",
                    "\x00",
                    "\u202e",
                    "中",
                ),
                *("\n|---|\n", "---", "\n\n", "{{", "{%", "x"),
            ]
        ),
        min_size=1,
        max_size=10,
    ).map("".join),
    st.sampled_from(LANGS),
)
@example(HOSTILE, "en")
@example("`" * 500 + "|" * 500, "en")
def test_no_text_of_others_changes_the_page(text: str, lang: Lang) -> None:
    shown = page_of(text, lang)

    kinds = types_of(PARSER.parse(shown))
    assert kinds == BENIGN[lang]
    assert not FORBIDDEN & set(kinds)
    tables = re.findall(r"(?:^\|.*\n)+", shown, re.MULTILINE)
    assert tables
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1
    assert len(shown) < 200_000
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", shown)


@pytest.mark.parametrize("lang", LANGS)
def test_a_long_text_is_cut_and_says_so(lang: Lang) -> None:
    said = {"en": "999600 characters left out", "zh": "略去 999600 个字符"}
    made = report()
    text = "a" * 1_000_000
    failed = tuple(replace(one, input=text) for one in made.failed_cases)

    shown = markdown(replace(made, failed_cases=failed, violations=(text,)), lang)

    assert shown.count(said[lang]) == len(failed)
    assert len(shown) < 30_000


def test_hostile_codes_and_keys_are_quoted_too() -> None:
    def bend(content: Any) -> None:  # noqa: ANN401 - JSON
        content["notes"] = [{"code": HOSTILE, "values": {HOSTILE: HOSTILE}}]
        content["comparison"]["changes"]["acceptance"][0]["name"] = HOSTILE
        content["comparison"]["changes"]["acceptance"][0]["why"] = [HOSTILE]
        content["failed_cases"][1]["expected"] = {"checks": [{"params": {HOSTILE: HOSTILE}}, {HOSTILE: 1}]}
        content["failed_cases"][1]["actual"] = {
            "runs": [{"run": 0, "checks": [{"code": HOSTILE, "evidence": [HOSTILE]}]}]
        }

    kinds = set(types_of(PARSER.parse(page_of(HOSTILE, "en", bend))))

    assert not FORBIDDEN & kinds


@pytest.mark.parametrize(
    ("lang", "line"), [("en", "- No run was started of 8 cases: `"), ("zh", "- 8 道题一次也没有运行：`")]
)
def test_cases_that_were_never_started_share_one_line(lang: Lang, line: str) -> None:
    """After a failed canary there is nothing to say of each of them."""
    whole = report()
    cases = tuple(case_again(replace(case, runs=())) for case in whole.cases)
    text = markdown(replace(whole, cases=cases, failed_cases=failed_cases(cases)), lang)

    assert text.count(line) == 2
    assert not [case.id for case in cases if f"**`{case.id}`**" in text]

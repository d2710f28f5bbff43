"""Whatever a report can hold has words, in every language, and whatever it cannot hold is shown raw."""

import re
from collections.abc import Mapping
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2.meta import find_undeclared_variables

from skill_evaluator.graders.translation.placeholders.difference import GRAVITY as PLACEHOLDER_CODES
from skill_evaluator.model import FailureKind, Finding, Level, Severity, Split
from skill_evaluator.report.phrases import TerminalKey, phrases, stopped_text, terminal_text, word_note
from skill_evaluator.report.words import Lang, words
from skill_evaluator.results import Cause, Change, ControlKind, Evidence, FailureSort, Note, ReportVerdict, RunState
from skill_evaluator.runner import StopCode

LANGS: tuple[Lang, ...] = ("en", "zh")
METRICS = (
    *("precision", "recall", "f1", "false_trigger_rate", "output_pass_rate", "params_pass_rate"),
    *(
        "tool_order_pass_rate",
        "judged_pass_rate",
        "expected_skill_rate",
        "rubric_pass_rate",
        "pass_hat_k",
        "latency_p50",
        "latency_p95",
        "input_tokens",
        "output_tokens",
        "cost_usd",
    ),
)
OTHER_CODES = (
    *("protocol_missing_item", "protocol_extra_item", "protocol_malformed_item", "protocol_missing_terminator"),
    *("protocol_malformed_terminator", "protocol_no_response", "placeholder_undecided", "number_missing"),
    *("number_extra", "number_mutated", "number_undecided", "token_missing", "token_count_mismatch"),
    *("forbidden_rendering_found", "rendering_timeout", "too_long"),
)
CLOSED_SETS: Mapping[str, tuple[str, ...]] = {
    "verdict": tuple(ReportVerdict),
    "split": tuple(Split),
    "class": ("positive", "negative", "output_only"),
    "severity": tuple(Severity),
    "code": (*PLACEHOLDER_CODES, *OTHER_CODES),
    "control": tuple(ControlKind),
    "state": tuple(RunState),
    "run": (*RunState, "judged"),
    "failure": tuple(FailureKind),
    "change": tuple(Change),
    "evidence": tuple(Evidence),
    "sort": get_args(FailureSort),
    "actual": get_args(FailureSort),
    "why": ("split_hash", "checks", "agent", "model", "runs", "judge", "undefined"),
    "signal": (*get_args(StopCode), "kill"),
    "go_on": get_args(StopCode),
    "remedy": tuple(kind for kind in FailureKind if kind is not FailureKind.SKILL_NOT_LISTED),
    "metric": METRICS,
    "said": METRICS,
    "field": ("missing", "type", "value"),
    "cause": tuple(Cause),
}
IDS = ["c1", "c2"]
SHORT = (
    *("false_trigger_above", "violation", "unstable_cases", "spread", "interrupted", "canary_failed", "canary_silent"),
    *("canary_silent_model", "canary_fired_on_sum", "canary_fired_on_sum_model", "skill_not_listed", "cause"),
    *("error_share", "nothing_measured", "undecided_share", "too_few_valid_runs"),
)
NOTES: Mapping[str, Mapping[str, object]] = {
    "nothing_measured": {},
    "undecided_share": {"cases": IDS, "of": 9},
    "right_below": {"failed": 2, "decided": 9, "value": 7 / 9, "threshold": 1.0},
    "report_only_failed": {"assertions": [{"assertion": "max_chars", "cases": IDS}]},
    "interrupted": {"signal": "SIGINT", "finished": 7, "planned": 36},
    "error_share": {"class": "negative", "split": "acceptance", "errors": 4, "planned": 12},
    "too_few_valid_runs": {"cases": IDS, "needed": 3},
    "skill_not_listed": {},
    "canary_failed": {"kind": "auth", "message": "401"},
    "canary_silent": {"probe": "p", "asked": "use p", "invoked": ["a"], "said": "no"},
    "canary_fired_on_sum": {"probe": "p", "asked": "1 + 1", "said": None},
    "canary_silent_model": {"probe": "p", "asked": "use p", "invoked": [], "said": "no"},
    "canary_fired_on_sum_model": {"probe": "p", "asked": "1 + 1", "said": "2"},
    "canary_skipped": {},
    "listing_not_checked": {},
    "files_not_looked_at": {"cases": 2},
    "siblings_not_installed": {"cases": IDS, "skills": ["town-history"]},
    "siblings_not_estimated": {"cases": 2},
    "testset_seen": {"cases": IDS},
    "cut_runs": {"runs": 2, "cases": IDS},
    "cause": {"kind": "timeout", "message": "no answer", "runs": 2},
    "draft_requested": {},
    "draft_runs": {"runs": 1},
    "draft_narrowed": {"cases": 4},
    "f1_below": {"f1": 0.71, "threshold": 0.85},
    "false_trigger_above": {"value": 0.25, "limit": 0.1},
    "violation": {"files": ["SKILL.md"]},
    "unstable_cases": {"unstable": 2, "measured": 9},
    "spread": {"metric": "recall", "value": 0.3},
    "estimate": {"would_be": "UNSTABLE"},
    "rubric_not_scored": {"cases": 3},
    "analyst_failed": {"model": "m-1", "kind": "api", "message": "no answer"},
    "analyst_not_asked": {"model": "m-1"},
    "judge_not_asked": {"cases": 2},
    "judge_partly_asked": {"calls": 2, "of": 8},
    "analyst_silent": {"model": "m-1"},
    "analyst_unknown_cases": {"model": "m-1", "suggestions": 2},
    "analyst_malformed": {"model": "m-1", "suggestions": 1},
    "rubric_nothing": {"cases": 2},
    "rubric_unfit": {"cases": 3},
    "rubric_unanswered": {"cases": 3},
    "rubric_below": {"items": 1, "of": 6},
    "stopped_after_runs": {"signal": "max_cost", "runs": 36},
    "verdict_judge_unfit": {"model": "m-1"},
    "verdict_judge_unanswered": {"model": "m-1", "answered": 1, "calls": 12},
    "verdict_judge_unasked": {"model": "m-1", "asked": 1, "of": 12},
    "verdict_judge_idle": {"model": "m-1"},
    "judge_controls": {
        "taken": 4,
        "answered": 10,
        "controls": [{"kind": str(kind), "panels": 4} for kind in ControlKind],
    },
    "judge_inconsistent": {"apart": 3, "scored": 12},
    "judge_errors": {"failed": 3, "calls": 12, "kind": "api", "message": "prose"},
    "judge_nothing": {},
    "single_run_ties": {"cases": IDS},
    "replayed": {"agent": "messages"},
    "unmeasured_cases": {"cases": IDS},
    "output_not_run": {"cases": 4},
    "checks_undecided": {"why": [{"message": "The run was kept without its trace.", "cases": IDS, "graders": ["g"]}]},
    "narrowed": {"cases": 4, "of": 24},
    "same_skill": {},
    "other_skill": {"new": "a", "old": "b"},
    "other_evaluator": {"new": "0.2.0", "old": "0.1.0"},
    "settings_differ": {"settings": ["max_turns"]},
    "checks_failed": {"cases": 2},
    "regraded": {"testset": "other.json", "pass_threshold": 0.9},
    "no_saved_runs": {"cases": IDS},
    "redacted": {"runs": 2},
    "torn_journal": {},
    "estimates": {},
    "same_version": {"version": "1.0"},
}
FIELD = {"path": "a.b", "expected": 4, "actual": "4", "why": "type"}
OUTCOMES: Mapping[str, Mapping[str, object]] = {
    "contains_ok": {},
    "contains_missing": {"missing": "level_id", "output": "text"},
    "not_contains_ok": {},
    "not_contains_found": {"found": "sorry", "output": "text", "at": 3},
    "regex_ok": {},
    "regex_missing": {"pattern": r"\d+", "output": "text"},
    "regex_timeout": {"pattern": "(a+)+", "limit_s": 1.0},
    "params_ok": {},
    "params_no_json": {"expected": {"a": 1}, "output": "text"},
    "params_mismatch": {
        "fields": [FIELD, {**FIELD, "why": "value"}, {"path": "c", "expected": None, "why": "missing"}]
    },
    "tools_ok": {},
    "tools_missing": {"expected": ["a", "b"], "actual": ["a"], "missing": ["b"]},
    "tools_out_of_order": {"expected": ["a", "b"], "actual": ["b", "a"]},
    "tools_extra": {"expected": ["a"], "actual": ["a", "b"], "extra": ["b"]},
    "not_run": {},
    "output_cut": {},
}
GRADER = {"case": "c1", "grader": "g"}
FINDINGS: Mapping[str, Mapping[str, object]] = {
    "near-duplicate-across-splits": {"case": "c1", "other": "c2"},
    "acceptance-input-in-skill": {"case": "c1"},
    "positive-names-skill": {"case": "c1", "skill": "level-maker"},
    "class-too-small": {"split": "acceptance", "class": "positive", "cases": 4, "smallest": 22},
    "one-sided-tag": {"tag": "t", "class": "negative"},
    "prompt-looks-like-option": {"case": "c1"},
    "prompt-starts-with-slash": {"case": "c1"},
    "grader-weight-unused": {"cases": IDS},
    "pattern-matches-anything": GRADER,
    "files-for-contents": GRADER,
    "quote-in-trace": GRADER,
    "path-never-matches": GRADER,
    "count-always-met": GRADER,
    "count-of-one": GRADER,
    "criteria-without-conditions": GRADER,
    "count-never-met": {**GRADER, "min": 2, "max": 1},
    "tool-misnamed": {**GRADER, "tool": "read", "nearest": "Read"},
    "not-read": {"file": "notes.txt"},
    "same-locale": {"case": "c1"},
    "no-source": {"case": "c1"},
    "not-anonymised": {"case": "c1"},
    "license-spelling": {"case": "c1", "found": '"mit"'},
    "repeated-assertion": {"case": "c1"},
    "rubric-not-scored": {"cases": 3},
    "self-judging": {"model": "m-1"},
    "sibling-not-installed": {"cases": IDS, "skills": ["town-history"]},
    "context-not-looked-at": {"cases": 3},
    "graders-not-looked-at": {"cases": 3},
    "catch-all-description": {"wording": "any request"},
    "recordings-left-out": {"runs": 3, "recorded": 5},
    "skill-name-differs": {"names": ["Plant-Doctor"], "skill": "plant-doctor"},
    "baseline-invalid": {},
    "baseline-draft": {},
    "baseline-partial": {},
    "report-changed": {"found": "0.4", "expected": "0.9"},
    "report-impossible": {"found": "5", "rule": "0..1"},
    "report-changed-more": {"more": 3},
    "report-too-large": {"limit_mb": 256},
}
WORDS = {"words": ["stage", "最终关"]}
MISSED = {"cases": 2, "missed": 3}
FIRED = {"cases": 2, "fired": 3}
FAILED = {"cases": 2, "failed": 3}
FIELD_FAULT = {"path": "a.b", "expected": 4, "actual": "4"}
ADVICE: Mapping[str, Mapping[str, object]] = {
    "shared_words": {**WORDS, **MISSED},
    "shared_words_direct": {**WORDS, **MISSED},
    "no_shared_words": MISSED,
    "answered_covered": MISSED,
    "answered_uncovered": MISSED,
    "sibling_fired": {**MISSED, "skill": "map-maker"},
    "one_kind": {**WORDS, **FIRED},
    "one_kind_broad": {**WORDS, **FIRED, "broad": ["level"]},
    "no_kind": FIRED,
    "no_kind_broad": {**FIRED, "broad": ["level"]},
    "found_field_missing": {**FIELD_FAULT, **FAILED},
    "found_field_type": {**FIELD_FAULT, **FAILED},
    "found_field_value": {**FIELD_FAULT, **FAILED},
    "found_params_no_json": FAILED,
    "found_contains_missing": {**FAILED, "missing": "level_id"},
    "found_not_contains_found": {**FAILED, "found": "sorry"},
    "found_regex_missing": {**FAILED, "pattern": "^a"},
    "found_regex_timeout": {**FAILED, "pattern": "(a+)+"},
    "found_tools_missing": {**FAILED, "missing": ["b"], "actual": ["a"]},
    "found_tools_out_of_order": {**FAILED, "expected": ["a", "b"], "actual": ["b", "a"]},
    "found_tools_extra": {**FAILED, "expected": ["a"], "extra": ["b"]},
    "found_grader": {**FAILED, "grader": "contains[0]"},
    "found_various": {**FAILED, "faults": 7, "names": ["a", "b"]},
    "add_words": WORDS,
    "add_single_words": WORDS,
    "widen": {},
    "say_when_needed": {},
    "say_when_needed_words": WORDS,
    "delimit": {"skill": "map-maker"},
    "delimit_words": {**WORDS, "skill": "map-maker"},
    "exclude_words": WORDS,
    "exclude_own_words": WORDS,
    "stress_exclusion": WORDS,
    "narrow_words": WORDS,
    "narrow": {},
    "mend_field_missing": FIELD_FAULT,
    "mend_field_type": FIELD_FAULT,
    "mend_field_value": FIELD_FAULT,
    "mend_params_no_json": {},
    "mend_contains_missing": {"missing": "level_id"},
    "mend_not_contains_found": {"found": "sorry"},
    "mend_regex_missing": {"pattern": "^a"},
    "mend_regex_timeout": {"pattern": "(a+)+"},
    "mend_tools_missing": {"missing": ["b"], "actual": ["a"]},
    "mend_tools_out_of_order": {"expected": ["a", "b"], "actual": ["b", "a"]},
    "mend_tools_extra": {"expected": ["a"], "extra": ["b"]},
    "mend_grader": {"grader": "contains[0]"},
    "mend_various": {"names": ["a", "b"]},
    "analyst_analysis": {"text": "They speak of stages."},
    "analyst_proposal": {"text": "Say: for stages."},
}
CODES = [
    *(("advice", code, values) for code, values in ADVICE.items()),
    *(("note", code, values) for code, values in NOTES.items()),
    *(("short", code, NOTES[code]) for code in SHORT),
    *(("outcome", code, values) for code, values in OUTCOMES.items()),
    *(("finding", code, values) for code, values in FINDINGS.items()),
    ("brief", "class-too-small", FINDINGS["class-too-small"]),
]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def outside_quotes(text: str) -> str:
    return re.sub(r"(`+)[^`].*?\1", "", text)


def test_every_word_of_advice_is_tried_here() -> None:
    assert {f"advice.{code}" for code in ADVICE} == {key for key in words("en") if key.startswith("advice.")}


def test_all_languages_have_the_same_words() -> None:
    assert words("en").keys() == words("zh").keys()


@pytest.mark.parametrize("key", sorted(words("en")))
def test_all_languages_name_the_same_values(key: str) -> None:
    named = [find_undeclared_variables(phrases(lang).environment.parse(words(lang)[key])) for lang in LANGS]

    assert named[0] == named[1]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("kind", "member"), [(kind, member) for kind, members in CLOSED_SETS.items() for member in members]
)
def test_every_member_of_a_closed_set_has_words(kind: str, member: str, lang: Lang) -> None:
    assert f"{kind}.{member}" in words(lang)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("kind", "code", "values"), CODES)
def test_every_code_is_said_in_words_of_one_language(
    kind: str, code: str, values: Mapping[str, object], lang: Lang
) -> None:
    said = phrases(lang).coded(kind, code, values)

    assert f"`{code}`" not in said
    plain = re.sub(r"SKILL\.md|JSON|\bMB\b", "", outside_quotes(said))
    assert not re.search(r"[\u3400-\u9fff]" if lang == "en" else r"[A-Za-z]{2}", plain), said


@pytest.mark.parametrize("lang", LANGS)
def test_a_code_without_words_is_shown_raw(lang: Lang) -> None:
    said = phrases(lang).coded("note", "brand_new", {"b": [1], "a": "x"})

    assert "`brand_new`" in said
    assert '`{"a": "x", "b": [1]}`' in said
    assert phrases(lang).coded("note", "brand_new", {}) == "`brand_new`"
    assert phrases(lang).name("brand_new", "metric") == "`brand_new`"


@pytest.mark.parametrize(("kind", "code"), [(kind, code) for kind, code, values in CODES if values])
@settings(max_examples=10)
@given(data=st.data())
def test_values_of_any_shape_never_raise(kind: str, code: str, data: st.DataObject) -> None:
    names = {**NOTES, **OUTCOMES, **FINDINGS, **ADVICE}[code]

    values = {name: data.draw(json_values) for name in sorted(names)}
    assert phrases("zh").coded(kind, code, values)


@pytest.mark.parametrize(
    ("code", "values", "said"),
    [
        ("f1_below", {"f1": 0.8496, "threshold": 0.85}, "F1 0.8496 is below the threshold 0.85."),
        ("draft_runs", {"runs": 1}, "Only 1 run of each case; stability takes at least 3."),
        (
            "nothing_measured",
            {"class": "output_only"},
            "Nothing was measured in the acceptance split: of no case could it be decided whether the output is right.",
        ),
        (
            "canary_failed",
            {"kind": "agent_missing", "message": "no program 'x'"},
            """The agent failed a question that was put to it before anything was scored (the agent was not found): \
"no program 'x'". Install the agent's program, or correct its name in the configuration.""",
        ),
        (
            "interrupted",
            {"signal": "max_calls", "finished": 4, "planned": 36},
            "The run was stopped by the ceiling on calls (`--max-calls`): 4 of 36 runs had finished.",
        ),
        ("draft_runs", {"runs": 2}, "Only 2 runs of each case; stability takes at least 3."),
        ("cause", {"kind": "crash", "message": "exit 3", "runs": 1}, '1 run failed, the agent crashed: "exit 3"'),
        (
            "spread",
            {"metric": "f1", "value": 0.1001},
            "F1 lies 0.1001 apart between repetitions; at most 0.10 is stable.",
        ),
        ("checks_failed", {"cases": 1}, "1 case failed output checks; the verdict rests on triggers alone."),
        ("regraded", {"testset": None, "pass_threshold": None}, "Graded again from saved runs."),
        ("regraded", {"testset": "t.json", "pass_threshold": None}, 'Graded again from saved runs, with "t.json".'),
        (
            "regraded",
            {"testset": None, "pass_threshold": 0.9},
            "Graded again from saved runs, with the threshold 0.90.",
        ),
        (
            "regraded",
            {"testset": "t.json", "pass_threshold": 0.9},
            'Graded again from saved runs, with "t.json", with the threshold 0.90.',
        ),
    ],
)
def test_notes_can_be_told_at_a_terminal(code: str, values: Mapping[str, object], said: str) -> None:
    assert word_note(Note(code=code, values=values), "en") == said


def test_a_long_list_names_the_first_and_counts_the_rest() -> None:
    said = word_note(Note(code="unmeasured_cases", values={"cases": [f"c{number}" for number in range(35)]}), "en")

    assert said.endswith('"c29" and 5 more.')


def test_a_finding_is_told_in_chinese_or_quoted_in_its_own_words() -> None:
    known = Finding(level=Level.WARN, code="prompt-starts-with-slash", message="m", case="c1", values={"case": "c1"})
    unknown = Finding(level=Level.WARN, code="brand-new", message="something is odd\x1b[31m")

    assert phrases("zh", "plain").finding(known) == '题目 "c1" 的输入以斜杠开头，智能体可能把它当成命令。'
    assert phrases("zh", "plain").finding(unknown) == '"something is odd␛[31m"'


@pytest.mark.parametrize("lang", LANGS)
def test_no_sign_of_per_cent_stands_apart_from_its_number(lang: Lang) -> None:
    assert [text for text in words(lang).values() if re.search(r"\d\s+%(?!\})", text)] == []


@pytest.mark.parametrize(
    ("key", "values", "english", "chinese"),
    [
        ("write_question", {}, "Write these files? [y/N]", "写入这些文件吗？[y/N]"),
        (
            "not_written",
            {"folder": "runs/1"},
            "no report was written; the runs are kept in runs/1, and skill-evaluator regrade makes a report of them",
            "没有写报告；运行记录保存在 runs/1，用 skill-evaluator regrade 可以由它生成报告",
        ),
        (
            "no_terminal",
            {"folder": "runs/1", "files": "a.md, a.json"},
            (
                "not written, since there is no terminal to ask at: a.md, a.json; --yes writes; "
                "the runs are kept in runs/1"
            ),
            "没有可以询问的终端，所以没有写入：a.md, a.json；加上 --yes 就会写；运行记录保存在 runs/1",
        ),
        (
            "stopped",
            {"by": "x", "folder": "runs/1"},
            "stopped by x; what had finished is kept in runs/1",
            "运行停止，原因：x；已完成的部分保存在 runs/1",
        ),
        ("wrote", {"file": "a\x1b[31m\n\u202e.md"}, "wrote a␛[31m↵⟨U+202E⟩.md", "已写入 a␛[31m↵⟨U+202E⟩.md"),
    ],
)
def test_the_terminal_is_told_in_plain_words(
    key: TerminalKey, values: Mapping[str, str], english: str, chinese: str
) -> None:
    assert [terminal_text(key, lang, **values) for lang in LANGS] == [english, chinese]


@pytest.mark.parametrize(
    ("code", "lang", "said"),
    [
        (
            "SIGINT",
            "en",
            """stopped by an interrupt (Ctrl-C); what had finished is kept in runs/1; \
to go on from there: the same command with --resume""",
        ),
        (
            "max_cost",
            "zh",
            """运行停止，原因：费用达到上限（`--max-cost-usd`）；已完成的部分保存在 runs/1；\
要接着测：同一条命令加上 --resume，并调高 --max-cost-usd""",
        ),
        ("brand_new", "en", 'stopped by "brand_new"; what had finished is kept in runs/1'),
    ],
)
def test_whoever_is_stopped_is_told_how_to_go_on(code: str, lang: Lang, said: str) -> None:
    assert stopped_text(code, lang, folder="runs/1") == said


def test_every_text_for_a_terminal_can_be_asked_for() -> None:
    assert {key.partition(".")[2] for key in words("en") if key.startswith("terminal.")} == set(get_args(TerminalKey))

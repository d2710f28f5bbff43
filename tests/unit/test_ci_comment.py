import re
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from skill_evaluator.model import Finding, Level, Split
from skill_evaluator.report import numbers
from skill_evaluator.report.ci.comment import LONGEST
from skill_evaluator.report.ci.findings import findings_to_comment
from skill_evaluator.report.ci.pull_request import report_to_comment
from skill_evaluator.report.ci.suite_pull_request import suite_result_to_comment
from skill_evaluator.report.words import Lang
from tests.unit.ci_setup import NAMES, document, hostile_report, report
from tests.unit.suite_results import case, recorded, recorded_result, run, suite

LANGS: tuple[Lang, ...] = ("en", "zh")
GITHUB_TAKES = 65_536
PARSER = MarkdownIt("js-default", {"html": True})
HOSTILE = (
    "@octocat </details></summary> #1 `x` ``y | <!-- --> [l](http://e.org) ![i](j)\n\n# h\n```\n"
    "::error::x\x1b[31m\u202e\x00"
)
# What our own template puts there: its marker, and folded blocks with a heading each.
OURS = re.compile(r"<!-- skill-evaluator:[0-9a-f]{16} -->|</?details>|<summary>[^<>@`]*</summary>")


def tokens_of(text: str) -> list[Token]:
    return [inner for token in PARSER.parse(text) for inner in (token, *(token.children or []))]


def html_of(text: str) -> str:
    return "".join(token.content for token in tokens_of(text) if token.type in {"html_block", "html_inline"})


def prose_of(text: str) -> str:
    """All that is no code, in which GitHub looks for names and numbers of issues."""
    return " ".join(token.content for token in tokens_of(text) if token.type in {"text", "html_block", "html_inline"})


def holds_together(text: str) -> None:
    assert OURS.sub("", html_of(text)).strip() == ""
    assert html_of(text).count("<details>") == html_of(text).count("</details>")
    assert not {"link_open", "image", "fence", "code_block"} & {token.type for token in tokens_of(text)}
    assert not re.search("@|#[0-9]|[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e]", prose_of(text))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", NAMES)
def test_every_number_of_the_table_is_that_of_the_json(name: str, lang: Lang) -> None:
    text, content = report_to_comment(report(name), lang), document(name)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    changes = {
        one["name"]: one for one in (content["comparison"] or {"changes": {"acceptance": []}})["changes"]["acceptance"]
    }

    if content["verdict"] == "INVALID":
        assert rows == []
        return
    known = {"precision": ("Precision", "准确率"), "recall": ("Recall", "召回率"), "f1": ("F1", "综合分")}
    for key, names in known.items():
        metric = content["splits"]["acceptance"]["metrics"][key]
        [row] = [row for row in rows if row[0] == names[LANGS.index(lang)]]
        assert row[1] == numbers.ratio(metric["value"])
        if metric["denominator"] is not None and key != "f1":
            assert row[2] == f"{metric['numerator']}/{metric['denominator']}"
        if changes:
            assert row[4].startswith(numbers.points(changes[key]["difference"]))


def test_a_comment_says_what_a_reviewer_asks_first() -> None:
    text = report_to_comment(report("failing"), "en")

    assert text.splitlines()[1] == "### ❌ `level-maker`: FAIL (F1 = 0.75, threshold = 0.85)"
    assert "2 went from right to wrong, 0 from wrong to right" in text
    assert "Now wrong: `p05`, `n01`." in text
    assert "<summary>Failed acceptance cases (4)</summary>" in text
    assert "- `p05`: right in the baseline, wrong now: did not trigger." in text
    assert "**To try first:** " in text
    assert "`skill-evaluator run skills/level-maker/SKILL.md " in text
    assert len(text) < 6_000


def test_an_invalid_report_shows_no_number_and_no_baseline() -> None:
    text = report_to_comment(report("invalid"), "en")

    assert "INVALID: nothing reliable was measured" in text
    assert not re.search(r"^\|", text, re.MULTILINE)


def test_comments_on_one_skill_are_known_by_their_first_line() -> None:
    first = {report_to_comment(report(name), lang).splitlines()[0] for name in NAMES for lang in LANGS}
    other = replace(report(), skill=replace(report().skill, name="other --> @octocat"))

    assert len(first) == 1
    assert re.fullmatch(r"<!-- skill-evaluator:[0-9a-f]{16} -->", first.pop())
    assert report_to_comment(other, "en").splitlines()[0] not in first


@settings(max_examples=12)
@given(
    st.lists(
        st.sampled_from(
            [
                "@octocat",
                "#1",
                "</details>",
                "</summary>",
                "<!--",
                "-->",
                "`",
                "```",
                "|",
                "\n\n",
                "\n# ",
                "[a](b)",
                "$",
                "x",
                " ",
            ]
        ),
        min_size=1,
        max_size=8,
    ).map("".join),
    st.sampled_from(LANGS),
)
@example(HOSTILE, "en")
@example("\ud800\ufffe", "zh")
@example("`" * 3000, "en")
def test_no_text_of_others_gets_out_of_its_code_span(text: str, lang: Lang) -> None:
    for name in ("failing", "invalid"):
        shown = report_to_comment(hostile_report(text, name), lang)
        holds_together(shown)
        assert len(shown) < GITHUB_TAKES


@pytest.mark.parametrize("text", ["x" * 100_000, "\x01" * 100_000, "`" * 500 + "|" * 500])
def test_a_comment_fits_whatever_is_in_it(text: str) -> None:
    made = hostile_report(text)
    many = tuple(replace(one, id=f"{one.id[-3:]}-{place}") for place in range(100) for one in made.cases)
    failed = tuple(replace(one, id=f"{one.id[-3:]}-{place}") for place in range(100) for one in made.failed_cases)

    shown = report_to_comment(replace(made, cases=many, failed_cases=failed, reasons=made.reasons * 100), "zh")

    assert LONGEST < GITHUB_TAKES
    assert len(shown) <= LONGEST
    holds_together(shown)


def test_as_many_failed_cases_are_listed_as_there_is_room_for() -> None:
    made = report()
    [first, *_] = [one for one in made.failed_cases if one.split is Split.ACCEPTANCE]
    cases = tuple(replace(made.cases[0], id=f"c{place}") for place in range(200))
    failed = tuple(replace(first, id=one.id) for one in cases)

    text = report_to_comment(replace(made, cases=cases, failed_cases=failed), "en")

    assert text.count("\n- `c") == 50
    assert "- 150 more cases in the JSON file." in text


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", sorted(recorded()))
def test_results_of_suites_hold_together(name: str, lang: Lang) -> None:
    text = suite_result_to_comment(recorded_result(name), lang)

    holds_together(text)
    assert len(text) < GITHUB_TAKES


def test_a_suite_full_of_texts_of_others_holds_together() -> None:
    hostile = replace(case(HOSTILE, run(error=HOSTILE), score=0.0), prompt=HOSTILE)
    made = suite(*[hostile] * 300)
    named = replace(made, refused=(HOSTILE,), settings=replace(made.settings, root=HOSTILE, plugins=()))

    text = suite_result_to_comment(named, "en")

    holds_together(text)
    assert len(text) < GITHUB_TAKES


@pytest.mark.parametrize("lang", LANGS)
def test_findings_are_a_table_that_names_the_worst_first(lang: Lang) -> None:
    warning = Finding(level=Level.WARN, code="w", message=HOSTILE, file=HOSTILE, line=3)
    fault = Finding(level=Level.FAIL, code="f", message="a fault", file="t.json", line=7)

    text = findings_to_comment([*[warning] * 60, fault], lang)

    holds_together(text.replace("`skill-evaluator validate`", ""))
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 50
    assert "`t.json:7`" in rows[2]
    assert ("11 more findings" if lang == "en" else "另有 11 条") in text


def test_a_finding_of_a_case_names_the_file_first_and_the_case_beside_it() -> None:
    fault = Finding(level=Level.FAIL, code="f", message="a fault", file="t.json", line=7, case="vat")

    assert "| `t.json:7` `vat` |" in findings_to_comment([fault], "en")


def test_the_first_suggestion_is_marked_so_that_a_chinese_sentence_can_follow() -> None:
    text = report_to_comment(report("failing"), "zh")

    assert "**建议先试**：" in text  # a mark after punctuation would not close before a letter


def first_line(text: str) -> str:
    return text.split("\n", 1)[0]


def test_a_later_comment_replaces_the_one_on_the_same_thing_alone() -> None:
    made = report("failing")
    later = replace(made, timestamp="2031-01-01T00:00:00Z", verdict=report("passing").verdict)
    others = [
        replace(made, skill=replace(made.skill, name="another")),
        replace(made, volatile=replace(made.volatile, skill_path="forks/level-maker/SKILL.md")),
        replace(made, volatile=replace(made.volatile, testset_path="more/testset.json")),
    ]
    lines = [first_line(report_to_comment(one, "en")) for one in (made, *others)]

    assert first_line(report_to_comment(later, "zh")) == lines[0]
    assert len({*lines}) == len(lines)


def test_a_suite_shares_its_comment_with_no_other_thing_of_its_name() -> None:
    result = suite(case("a", run()))
    skill = report("failing")
    of_suite = [
        first_line(suite_result_to_comment(replace(result, settings=replace(result.settings, root=root)), "en"))
        for root in ("/home/runner/work/plugins/harbour", "/srv/other/plugins/harbour", "/srv/other/forks/harbour")
    ]
    name = ", ".join(plugin.name for plugin in result.settings.plugins) or result.settings.root
    of_skill = first_line(report_to_comment(replace(skill, skill=replace(skill.skill, name=name)), "en"))

    assert of_suite[0] == of_suite[1]  # the same folder on two machines
    assert len({*of_suite, of_skill}) == 3

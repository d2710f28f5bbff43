"""Results of eval suites in Chinese throughout, and notes that files hold in English."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import get_args

import pytest
from lxml import html as lxml_html

from skill_evaluator.compare.suites import compare_suites
from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.metrics.suite_notes import Ending
from skill_evaluator.report.phrases import phrases
from skill_evaluator.report.suite.comparison import suite_comparison_to_json, suite_comparison_to_markdown
from skill_evaluator.report.suite.files import suite_result_to_json
from skill_evaluator.report.suite.html import suite_result_to_html
from skill_evaluator.report.suite.markdown import suite_result_to_markdown
from skill_evaluator.report.suite.notes import as_sentence, in_words, known_again
from skill_evaluator.report.suite.reading import suite_result_from_json
from skill_evaluator.report.words import Lang, words
from skill_evaluator.results import FailOn, Note
from skill_evaluator.results.suite_result import PartialReason, SuiteResult
from tests.unit.suite_results import FIRED, TIN, case, found, recorded, recorded_result, run, suite
from tests.unit.test_suite_page import hostile

TWO_WORDS = re.compile(r"[A-Za-z]{2,}[^A-Za-z\u2e80-\uffef]+[A-Za-z]{2,}")
NOTES: Mapping[str, Mapping[str, object]] = {
    "never_fired": {"runs": 1},
    "never_fired_skill": {"skill": "jar washer", "runs": 4, "names": ["near", "wash"]},
    "passed_silent": {"cases": 1},
    "false_unscored": {"cases": 2},
    "api_errors": {"runs": 1},
    "interrupts": {"runs": 2},
    "turn_cap": {"runs": 1},
    "time_limit": {"runs": 12},
    "unasked_judge": {"runs": 1},
    "all_silent": {},
    "some_silent": {"silent": 1, "cases": 5},
    "no_negatives": {},
    "few_claims": {"positives": 1, "negatives": 0, "least": 5},
    "graded_errors": {"runs": 1},
}


def of_ours(markdown: str) -> str:
    """What stands outside of code spans."""
    return re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "«»", markdown)


def said_by(page: str) -> Iterator[str]:
    """Every text of a page that is no quotation, and every label."""
    tree = lxml_html.fromstring(page)
    for node in [node for node in tree.iter() if _is_quotation(node)]:
        tail = node.tail
        node.clear()
        node.tail = tail
    yield from (str(text) for text in tree.itertext())
    yield from (str(node.get("aria-label")) for node in tree.iter() if node.get("aria-label"))


def _is_quotation(node: lxml_html.HtmlElement) -> bool:
    """Names, folders and types of graders stand without a sign of quotation, as their place tells what they are."""
    parent = node.getparent()
    is_link = node.tag == "a" and str(node.get("href")).startswith("#case")
    is_folder = node.get("class") == "quiet" and parent is not None and parent.tag == "header"
    is_type = (
        node.get("class") == "fact"
        and parent is not None
        and parent.getparent() is not None
        and (parent.getparent().tag == "details")
    )
    return node.tag in _QUOTING or node.get("class") == "name" or is_link or is_folder or is_type


_QUOTING = ("title", "style", "script", "svg", "code", "pre", "dl", "h1", "h3")


@pytest.mark.parametrize("name", sorted(recorded()))
def test_results_of_the_real_program_are_shown_in_chinese_alone(name: str) -> None:
    result = recorded_result(name)

    assert TWO_WORDS.findall(of_ours(suite_result_to_markdown(result, "zh"))) == []
    assert [text for text in said_by(suite_result_to_html(result, "zh")) if TWO_WORDS.search(text)] == []


def test_a_comparison_is_shown_in_chinese_alone() -> None:
    new, old = recorded_result("own/tide-new"), recorded_result("own/tide-old")
    other = replace(new, claude_version="", settings=replace(new.settings, threshold=0.5, model="opus"))
    for pair in ((new, old), (old, new), (other, old), (old, suite())):
        for fail_on in get_args(FailOn):
            text = suite_comparison_to_markdown(compare_suites(*pair, fail_on=fail_on), "zh")
            assert TWO_WORDS.findall(of_ours(text)) == []


@pytest.mark.parametrize("code", sorted(NOTES))
def test_a_note_is_known_again_in_the_english_that_files_hold(code: str) -> None:
    note = Note(code=code, values=NOTES[code])

    assert known_again(as_sentence(note)) == note


def test_every_note_is_tried_here() -> None:
    codes = {key.removeprefix("suite_note.") for key in words("en") if key.startswith("suite_note.")}

    assert codes == {*NOTES, "told"}


@pytest.mark.parametrize("code", sorted(NOTES))
def test_a_note_is_said_in_chinese(code: str) -> None:
    said = in_words(Note(code=code, values=NOTES[code]), phrases("zh"))

    assert not re.search("[A-Za-z]", of_ours(said)), said


def test_names_beyond_the_fifth_are_counted_in_files_and_on_pages() -> None:
    note = Note(code="never_fired_skill", values={"skill": "s", "runs": 7, "names": list("abcdefg")})
    again = known_again(as_sentence(note))

    assert as_sentence(note).endswith("(a, b, c, d, e and 2 more).")
    assert as_sentence(again) == as_sentence(note)
    assert in_words(again, phrases("zh")) == in_words(note, phrases("zh"))
    assert in_words(note, phrases("zh")).endswith("（`a`、`b`、`c`、`d`、`e` 等（另有 2 个））。")


def test_a_sentence_that_nobody_knows_is_kept_and_quoted() -> None:
    note = known_again("A hook wrote [x](http://evil.example).")

    assert as_sentence(note) == "A hook wrote [x](http://evil.example)."
    assert in_words(note, phrases("en")) == "`A hook wrote [x](http://evil.example).`"
    assert in_words(known_again("A hook wrote x."), phrases("en")) == "A hook wrote x."
    assert in_words(known_again("A hook wrote x."), phrases("zh")) == "`A hook wrote x.`"


@pytest.mark.parametrize(
    "sentence", ["9" * 5000 + " runs ended", "The skill  never fired: in none of 99999999999 runs", ""]
)
def test_odd_sentences_are_only_quoted(sentence: str) -> None:
    assert known_again(sentence) == Note(code="told", values={"text": sentence})


def test_notes_stand_in_files_as_english_sentences_and_are_read_back() -> None:
    silent = suite(case("p", run(found(FIRED, passed=False)), graders=[FIRED]))
    measured = replace(silent, measures=measures_of_result(silent))
    written = suite_result_to_json(measured)

    assert json.loads(written)["skillEvaluator"]["notes"][:2] == [
        "The skill never fired: in none of 1 run in which it should have.",
        (
            "1 positive case scored 1.00 all the same: the graders that count pass without it. Graders of the tool "
            "Skill count with `arm: both` in them, or in a single arm (--ablation none)."
        ),
    ]
    again = suite_result_from_json(written, name="r.json")
    assert again.measures is not None
    assert measured.measures is not None
    assert again.measures.notes == measured.measures.notes
    assert "- 技能从未触发：应触发的 1 次运行里一次也没有。" in suite_result_to_markdown(again, "zh")


def test_notes_of_a_comparison_stand_in_its_json_as_english_sentences() -> None:
    content = json.loads(suite_comparison_to_json(compare_suites(suite(), replace(suite(), claude_version="2.2.0"))))

    assert content["notes"][0] == "The versions of Claude Code differ: 2.1.332 and 2.2.0."


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_way_to_end_has_words(lang: Lang) -> None:
    said = words(lang)

    assert {f"suite_ending.{ending}" for ending in Ending} <= said.keys()
    assert {f"suite_partial.{reason}" for reason in get_args(PartialReason)} <= said.keys()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hostile_texts_stay_quotations_in_both_languages(lang: Lang) -> None:
    result: SuiteResult = hostile()
    markdown, page = suite_result_to_markdown(result, lang), suite_result_to_html(result, lang)

    assert "<" not in of_ours(markdown)
    assert not {"\x1b", "\u202e", "\x00"} & {*markdown, *page}
    assert "<img" not in page
    assert page.count("<script>") == page.count("</script>") == 1


def test_the_page_says_its_language() -> None:
    result = suite(case("a", run(found(TIN, passed=True))))

    assert '<html lang="zh-Hans">' in suite_result_to_html(result, "zh")
    assert '<html lang="en">' in suite_result_to_html(result)

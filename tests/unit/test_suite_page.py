"""The HTML page of a suite's result: all there, harmless, and the same bytes each time."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.model import Aborted
from skill_evaluator.model.stand_ins import StandInServer, StandInTool, StandInUse
from skill_evaluator.report.phrases import phrases
from skill_evaluator.report.suite.bounds import that_fit
from skill_evaluator.report.suite.cards import cards
from skill_evaluator.report.suite.html import suite_result_to_html
from skill_evaluator.report.suite.markdown import suite_result_to_markdown
from skill_evaluator.results.suite_result import GraderResult, PluginOfSuite, SuiteResult
from tests.unit.suite_results import FIRED, TIN, case, found, recorded, recorded_result, run, suite
from tests.unit.test_suite_measures import by_two_skills

HOSTILE = "</script></pre></title><img src=x onerror=alert(1)><style>*{}</style>\x1b[2J\u202e{{ 7*7 }} \"'&"
_VOID = {"meta", "br", "img", "link", "hr", "input"}
_INLINE = {"code", "strong"}
_UNREAD = {"style", "script", "svg"}


class Page(HTMLParser):
    """Counts tags and keeps what they say."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        self.texts += [] if tag in _INLINE else [" "]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.texts += [] if tag in _INLINE else [" "]

    def handle_data(self, data: str) -> None:
        if not _UNREAD & set(self.open):
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())


def hostile() -> SuiteResult:
    grader = GraderResult(name=HOSTILE, passed=False, weight=1.0, explanation=HOSTILE, evidence=HOSTILE)
    bad = replace(run(grader, score=0.0, error=HOSTILE), judge_cost_usd=0.1)
    ended = replace(run(score=0.0), aborted=Aborted(server=HOSTILE, tool=HOSTILE, reason=HOSTILE))
    one = case(
        HOSTILE, bad, ended, graders=[replace(TIN, name=HOSTILE, type=HOSTILE, config={HOSTILE: HOSTILE})], score=0
    )
    result = suite(replace(one, folder=HOSTILE, prompt=HOSTILE, advisories=(HOSTILE,)))
    plugin = PluginOfSuite(name=HOSTILE, path="/p", version=HOSTILE, problem=HOSTILE)
    settings = replace(result.settings, plugins=(plugin,), model=HOSTILE, case_filter=HOSTILE, tag_filters=(HOSTILE,))
    return replace(result, settings=settings, claude_version=HOSTILE, refused=(HOSTILE,))


@pytest.mark.parametrize("name", sorted(recorded()))
def test_every_page_is_well_formed_and_asks_for_nothing(name: str) -> None:
    page = Page(suite_result_to_html(recorded_result(name)))

    assert page.open == []
    assert page.tags.count("script") == 1
    assert not {"link", "img", "iframe", "object"} & set(page.tags)
    assert not {"action", "formaction"} & {name for _, name, _ in page.attributes}
    assert all((value or "").startswith("#") for _, key, value in page.attributes if key in {"src", "href"})
    assert not [key for _, key, _ in page.attributes if key.startswith("on")]
    assert ("meta", "http-equiv", "Content-Security-Policy") in page.attributes


def test_text_of_others_never_becomes_markup() -> None:
    text = suite_result_to_html(hostile())
    page, plain = Page(text), Page(suite_result_to_html(suite(case("a", run(found(TIN, passed=False))))))

    assert page.open == []
    assert set(page.tags) <= {*plain.tags, "ul", "li", "code", "section"}
    assert (page.tags.count("style"), page.tags.count("script")) == (1, 1)
    assert not [key for _, key, _ in page.attributes if key.startswith("on")]
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "⟨U+202E⟩{{ 7*7 }}" in page.text


def test_text_of_others_never_becomes_markdown() -> None:
    """What stands outside of code spans is ours."""
    text = suite_result_to_markdown(hostile())

    assert "<" not in re.sub(r"`[^`]*`", "", text)
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_long_texts_lose_their_middle_in_view() -> None:
    long = "start " + "x" * 1_000_000 + " end"
    grader = GraderResult(name="g", passed=False, weight=1.0, explanation=long, evidence=long)
    text = suite_result_to_html(suite(replace(case("a", run(grader, score=0.0), score=0.0), prompt=long)))

    assert len(text) < 150_000
    assert text.count("characters are left out here") == 3
    assert "start x" in text
    assert "x end" in text


def test_the_same_result_gives_the_same_bytes() -> None:
    result = recorded_result("own/tide-old")

    assert suite_result_to_html(result) == suite_result_to_html(recorded_result("own/tide-old"))
    assert suite_result_to_markdown(result) == suite_result_to_markdown(result)


def test_failed_graders_are_open_and_passed_ones_are_not() -> None:
    text = suite_result_to_html(suite(case("a", run(found(TIN, passed=True), found(FIRED, passed=False)))))

    opened = re.findall(r"<details class=\"grader\" open>\s*<summary>.*?class=\"name\">(\w+)<", text, re.DOTALL)
    closed = re.findall(r"<details class=\"grader\">\s*<summary>.*?class=\"name\">(\w+)<", text, re.DOTALL)
    assert (opened, closed) == (["fired"], ["tin"])


def test_main_numbers_stand_on_tiles() -> None:
    """tide-old: 2 of 5 positives fired, 1 of 5 negatives; 7 of 11 cases reached 1.00 in 14 of 22 runs."""
    text = Page(suite_result_to_html(recorded_result("own/tide-old"))).text

    assert "FAIL 7 of 11 cases reached the threshold of 1.00" in text
    for tile in (
        "Suite score 0.68",
        "Delta +0.14 what the plugin adds",
        "Score without the plugin 0.55",
        "Cases at threshold 7/11",
        "Perfect runs 14/22",
        "Trigger precision 0.67 (2/3)",
        "Trigger recall 0.40 (2/5)",
        "False triggers 0.20 (1/5)",
    ):
        assert tile in text, tile


def test_votes_evidence_and_graders_that_do_not_count_are_shown() -> None:
    text = Page(suite_result_to_html(recorded_result("own/tide-old"))).text

    assert "Votes of the judge: PASS FAIL PASS" in text
    assert "fired only an indicator" in text
    assert "What the judge was shown: high 06:12" in text
    assert "only an indicator weight 1 with the plugin only not scored" in text


def test_runs_with_the_plugin_come_before_those_without() -> None:
    text = suite_result_to_html(recorded_result("own/tide-old"))
    (card,) = re.findall(r'id="case-1".*?</article>', text, re.DOTALL)

    arms = re.findall(r'class="arm">([^<]+)<|<h4>run (\d)', card)
    assert arms == [("With the plugin", ""), ("", "1"), ("", "2"), ("Without the plugin", ""), ("", "1"), ("", "2")]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("run/cost-ceiling-two-arm", "PARTIAL the cost ceiling was reached before all runs were started"),
        ("run/api-401", "PARTIAL the model's service refused the credentials"),
        ("run/api-400-with-arm", "FAIL 1 run ended on an API error; 0 of 1 case reached the threshold"),
        ("run/max-turns-hit", "stopped at the turn cap"),
        ("run/timeout-hit", "stopped at the time limit"),
        ("run/mock-agent-abort", "a stand-in ended it"),
        ("run/mock-viol-type-null", "ended abnormally"),
        ("run/write-not-granted", "cannot pass with the granted tools"),
        ("static/st-manifest-bad-json", "cannot be used as it is: manifest invalid"),
        ("own/tide-never", "The skill never fired: in none of 2 runs in which it should have."),
    ],
)
def test_what_went_wrong_is_in_plain_sight(name: str, words: str) -> None:
    page = suite_result_to_html(recorded_result(name))

    assert words in Page(page).text


def test_a_score_that_nobody_measured_is_not_shown_as_zero() -> None:
    stopped, whole = run(score=0.0, error="interrupted"), run(found(TIN, passed=True))
    result = replace(
        suite(case("a", stopped, score=0.0), case("b", whole, without=[stopped], delta=1.0)),
        partial_reason="interrupted",
    )
    page, markdown = Page(suite_result_to_html(result)).text, suite_result_to_markdown(result)

    assert "interrupted: its score is no measure of it" in page
    for shown in (page, markdown):
        assert "2 runs ended by an interrupt" in shown
        assert "0.00" not in shown.replace("$0.00", "")
        assert "+1.00" not in shown


def test_stand_ins_are_listed() -> None:
    servers = (
        StandInServer(server="tracker", kind="shadow", tools=(StandInTool(tool="open", responder="fixed"),)),
        StandInServer(server="github", kind="shadow", is_withheld=True),
    )
    use = StandInUse(servers=servers, total=3, errors=1, unmocked=(("tracker/close", 2),), warnings=("odd",))
    text = Page(suite_result_to_html(suite(case("a", replace(run(), stand_ins=use))))).text

    for words in (
        "tracker: open (fixed)",
        "github: not started",
        "3 calls answered, 1 with a tool error",
        "called without a stand-in: tracker/close (2 times)",
        "odd",
    ):
        assert words in text


def test_a_suite_that_passes_says_so() -> None:
    text = Page(suite_result_to_html(suite(case("a", run(found(TIN, passed=True)))))).text

    assert "PASS 1 of 1 case reached the threshold of 1.00" in text


def test_a_bar_has_its_tick_at_the_threshold() -> None:
    text = suite_result_to_html(suite(case("a", run(score=0.75), score=0.75), threshold=0.8))

    assert '<i style="width: 75.00%"></i><b style="left: 80.00%"></b>' in text
    assert "✗ below threshold" in text


def test_a_suite_without_cases_has_a_page() -> None:
    text = Page(suite_result_to_html(suite())).text

    assert "FAIL 0 of 0 cases" in text
    assert "No case was run." in text


def test_cases_that_waver_are_named() -> None:
    fired, silent = run(found(FIRED, passed=True)), run(found(FIRED, passed=False), score=0.0)
    wavering = suite(case("shaky", fired, fired, silent, graders=[FIRED], score=2 / 3))

    assert "shaky 2/3 0.00 to 1.00" in Page(suite_result_to_html(wavering)).text
    assert "- `shaky`: fired 2/3, score 0.00 to 1.00" in suite_result_to_markdown(wavering)


def test_markdown_tells_what_failed_first_and_no_more_than_five_times() -> None:
    failed = run(found(TIN, passed=False), found(FIRED, passed=False), score=0.0)
    text = suite_result_to_markdown(suite(case("a", failed, failed, failed, graders=[TIN, FIRED], score=0.0)))

    assert "| ❌ | `a`" in text
    assert "- with the plugin, run 1 of 3: `tin`: `so`" in text
    assert "- and 1 more: the HTML report has all of them" in text


def test_control_characters_are_shown_by_signs_line_by_line() -> None:
    text = suite_result_to_html(suite(replace(case("a", run(found(TIN, passed=True))), prompt="a\r\nb\tc\x00\r")))

    assert "<pre>a\nb\tc␀␍</pre>" in text


def test_each_skill_and_the_wrong_one_are_shown() -> None:
    measures = replace(by_two_skills(), models=("haiku", "opus"))
    names = ("right", "near", "wash", "quiet")
    result = suite(*(case(name, run(found(TIN, passed=True))) for name in names))
    result = replace(result, measures=measures)
    page, markdown = Page(suite_result_to_html(result)).text, suite_result_to_markdown(result)

    assert "jar-washer: yes label-maker: no" in page
    assert "Another skill fired 2/3" in page
    assert "Another skill than the one asked for fired in 2 of 3 cases: near, wash" in page
    assert "model haiku, opus" in page
    assert "`jar-washer`: yes, `label-maker`: no" in markdown
    assert "Another skill than the one asked for fired in 2 of 3 cases: `near`, `wash`" in markdown
    assert re.search(r"\| `jar-washer` +\| 0\.00 \(0/2\)", markdown)


@pytest.mark.parametrize(
    ("fired", "tile"), [(False, "Trigger precision — nothing fired"), (True, "False triggers — no case was run that")]
)
def test_a_rate_that_is_undefined_says_why(*, fired: bool, tile: str) -> None:
    result = suite(case("p", run(found(FIRED, passed=fired)), graders=[FIRED]))

    assert tile in Page(suite_result_to_html(result)).text


def test_a_suite_with_cases_that_did_not_load_does_not_pass() -> None:
    result = replace(suite(case("a", run(found(TIN, passed=True)))), refused=("/p/evals/bad",))

    assert (
        "FAIL 1 of 1 case reached the threshold of 1.00; 1 case did not load" in Page(suite_result_to_html(result)).text
    )


def test_nothing_graded_is_no_zero() -> None:
    refused = replace(run(score=0.0, error="exit 1: Invalid API key"), is_api_error=True)
    result = replace(suite(case("a", refused, score=0.0, graders=[FIRED])), partial_reason="auth_failed")
    text = Page(suite_result_to_html(result)).text

    assert "Suite score —" in text
    assert "Trigger recall — no run tells" in text
    assert "stay quiet, so" not in text
    assert "nothing was graded" in text


def test_the_verdict_tells_what_the_plugin_does_to_the_cases() -> None:
    """+0.5, -1 and 0: a mean of -1/6; the fourth case cannot be compared."""
    good, bad = run(found(TIN, passed=True)), run(found(TIN, passed=False), score=0.0)
    cases = (
        case("better", good, without=[bad], delta=0.5),
        case("worse", bad, without=[good], score=0.0, delta=-1.0),
        case("same", good, without=[good], delta=0.0),
        case("open", good, without=[good]),
    )
    text = Page(suite_result_to_html(suite(*cases))).text

    assert "What the plugin adds: -0.17 to the score without it; better in 1, the same in 1, worse in" in text
    assert "worse in 1 of 3 cases; 1 more case cannot be compared." in text
    assert "worse 0.00 worse with the plugin (-1.00) tin so" in text


def test_what_to_look_at_first_is_the_worst_and_names_three() -> None:
    cases = [
        case(f"c{index}", run(found(TIN, passed=False), score=score), score=score)
        for index, score in enumerate((0.5, 1.0, 0.0, 0.25, 0.75))
    ]
    text = Page(suite_result_to_html(suite(*cases))).text

    assert "Look at these first c2 0.00 tin so c3 0.25 tin so c0 0.50 tin so and 1 more case below" in text


def test_rows_carry_what_they_are_put_in_order_and_filtered_by() -> None:
    good = run(found(TIN, passed=True))
    one = case('a"b', good, score=2 / 3, without=[good], delta=-1 / 3)
    page = Page(suite_result_to_html(suite(one, case("c", run(score=0.0, error="interrupted"), score=0.0))))
    kept = [(key, value) for tag, key, value in page.attributes if tag == "tr" and key.startswith("data-")]

    assert kept[:5] == [
        ("data-card", "case-1"),
        ("data-name", 'a"b'),
        ("data-score", "0.6666666666666666"),
        ("data-delta", "-0.3333333333333333"),
        ("data-is", "below worse"),
    ]
    assert kept[7:] == [("data-score", ""), ("data-delta", ""), ("data-is", "below trouble")]


def test_numbers_are_drawn_to_scale() -> None:
    """The strip is 144 wide, so 7 of 11 cases' mean score of 15/22 lies at 98.2, and the threshold at its end."""
    text = suite_result_to_html(recorded_result("own/tide-old"))
    (first, *others) = re.findall(r"<svg.*?</svg>", text, re.DOTALL)

    assert len(others) == 5
    assert "translate(98.18" in first
    assert "var(--limit)" in first


def test_a_large_result_stays_a_page_that_opens() -> None:
    """500 cases, two arms of five runs, each with a long explanation and evidence."""
    long = "evidence <b> & 证据 " * 1500
    runs = [run(GraderResult(name="g", passed=False, weight=1.0, explanation=long, evidence=long), score=0.0)] * 5
    result = suite(*(replace(case(f"c{index}", *runs, score=0.0, without=runs), prompt=long) for index in range(500)))
    text = suite_result_to_html(result)

    assert len(text.encode()) < 15_000_000
    assert "texts of more than 300 characters lose their middle" in text
    assert len(re.findall(r"c\d+</a></th>", text)) == 500


def test_beyond_some_thousand_graders_those_that_passed_are_shown_without_their_words() -> None:
    passed, failed = (GraderResult(name="g", passed=one, weight=1.0, explanation=f"so {one}") for one in (True, False))
    text = suite_result_to_html(suite(case("a", run(*[passed] * 6_000, failed, score=0.5), score=0.5)))

    assert "what graders that passed say is left out" in text
    assert ("so True" in text, "so False" in text) == (False, True)


def test_cards_that_do_not_fit_are_left_out_those_that_passed_first() -> None:
    bad = case("bad", run(found(TIN, passed=False), score=0.0), score=0.0)
    result = suite(*(case(f"p{index}", run(found(TIN, passed=True))) for index in range(3)), bad)
    shown = cards(result, measures_of_result(result), phrases("en", "html"))

    assert [*that_fit(shown, lambda _: "x" * 5_000_000)] == ["case-1", "case-4"]
    assert len(that_fit(shown, lambda _: "x")) == 4


def test_a_page_in_chinese_writes_its_date_in_chinese() -> None:
    page = suite_result_to_html(suite(case("shelf", run(found(TIN, passed=True)))), "zh")

    assert "2026年5月1日 08:43 UTC" in page

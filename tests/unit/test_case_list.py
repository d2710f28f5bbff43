"""Every case of a report stands on its page: as a row, and as a card with what happened in its runs."""

import json
from dataclasses import replace
from typing import Any

import pytest

from skill_evaluator.model import Failure, FailureKind, Outcome, ToolCall
from skill_evaluator.report.escape import Html
from skill_evaluator.report.page.case_blocks import json_blocks, json_text
from skill_evaluator.report.page.case_columns import KINDS, natural
from skill_evaluator.report.page.case_facts import Flip, Mark, case_anchors, facts_of
from skill_evaluator.report.page.case_facts import Outcome as How
from skill_evaluator.report.page.case_list import CARDS_A_PAGE, ROWS_A_PAGE, case_list
from skill_evaluator.report.page.case_room import DETAILS, fit
from skill_evaluator.report.page.case_runs import Detail
from skill_evaluator.report.phrases import phrases
from skill_evaluator.report.words import Lang
from skill_evaluator.results import (
    Ballot,
    CaseResult,
    JudgeResult,
    Metric,
    Panel,
    Report,
    RubricScore,
    RunState,
    Scored,
    TextSource,
    VoteCount,
)
from tests.unit.case_pages import data, document, golden, made_case, page_of, with_cases

LIMIT_BYTES = 15_000_000


def texts(nodes: Any) -> list[str]:  # noqa: ANN401 - lxml has no types
    return [" ".join(node.text_content().split()) for node in nodes]


def cell(tree: Any, case: str, head: str) -> str:  # noqa: ANN401 - lxml has no types
    heads = texts(tree.xpath("//thead//th"))
    [row] = tree.xpath(f"//tr[@id='row-{case}']")
    return texts(row.xpath("td|th"))[heads.index(head)]


def card(tree: Any, case: str) -> Any:  # noqa: ANN401 - lxml has no types
    [found] = tree.xpath(f"//details[@id='case-{case}']")
    return found


def test_a_row_tells_what_the_report_says_of_its_case() -> None:
    tree = document(golden())

    assert (cell(tree, "p05", "Outcome"), cell(tree, "p05", "Since the baseline")) == ("✗ wrong", "▼ worsened")
    assert (cell(tree, "p05", "Runs"), cell(tree, "p05", "Fluctuation")) == ("○○○●", "25.0%")
    assert tree.xpath("//tr[@id='row-p05']//*[@role='img']/@aria-label") == ["fired in 1 of 4 runs"]
    assert (cell(tree, "n07", "Outcome"), cell(tree, "n03", "Outcome")) == ("≈ unstable", "✓ right")
    assert (cell(tree, "n07", "Type"), cell(tree, "n07", "Tags")) == ("should stay quiet", "中文")
    assert cell(tree, "p01", "Cost") == "$0.0124"  # four runs at $0.0031


def test_acceptance_cases_stand_first() -> None:
    splits = texts(document(golden()).xpath("//tbody/tr/td[4]"))
    cases = golden().cases

    assert splits == sorted(splits)
    assert splits.count("acceptance") == sum(case.split == "acceptance" for case in cases)


def test_what_no_case_has_is_no_column() -> None:
    cases = tuple(replace(made_case(number), tags=()) for number in range(4))
    bare = tuple(replace(case, runs=tuple(replace(run, usage=None) for run in case.runs)) for case in cases)

    heads = texts(document(with_cases(bare)).xpath("//thead//th"))

    assert heads == ["Outcome", "Case", "Runs", "Input", "Split", "Type", "Fluctuation"]


def test_seconds_are_the_median_of_valid_runs() -> None:
    case = made_case(1)
    failed = replace(case.runs[2], state=RunState.ERROR, failure=Failure(kind=FailureKind.TIMEOUT, message="no answer"))
    report = with_cases((replace(case, runs=(*case.runs[:2], failed), valid_runs=2),))
    timed = replace(report, volatile=replace(report.volatile, durations_s={"c1": (1.0, 4.0, 300.0)}))

    [facts] = facts_of(timed)

    assert facts.seconds == 2.5
    assert facts.marks == (Mark.FIRED, Mark.FIRED, Mark.ERROR)
    assert cell(document(timed), "c1", "Median seconds") == "2.5"


def test_a_cost_that_one_run_does_not_tell_is_not_known() -> None:
    case = made_case(1)
    silent = replace(case.runs[0], usage=None)

    [facts] = facts_of(with_cases((replace(case, runs=(silent, *case.runs[1:])),)))

    assert facts.cost_usd is None


def test_failed_cases_are_open_and_stand_first() -> None:
    cards = document(golden()).xpath("//details[starts-with(@id, 'case-')]")
    failed = {failed.id for failed in golden().failed_cases}

    assert [one.get("id").removeprefix("case-") in failed for one in cards] == [True] * 6 + [False] * 10
    assert [one.get("open") is not None for one in cards] == [True] * 6 + [False] * 10


def test_a_card_tells_input_expected_and_actual() -> None:
    told = " ".join(texts([card(document(golden()), "p01")]))

    assert "Design a level with three rooms for my puzzle game" in told
    assert "Expected tools are called in this order: read_file, write_file" in told.replace(
        "Expectedtools", "Expected tools"
    )
    assert "0 of 4 runs called the tools as expected" in told
    assert "called in another order: write_file, read_file" in told
    assert '{"level_id": "L4", "difficulty": "medium", "level": 4}' in told


def test_equal_runs_are_told_once_under_their_numbers() -> None:
    found = card(document(golden()), "n06")

    assert texts(found.xpath(".//section/h4")) == ["Runs 1, 3, 4: triggered", "Run 2: timed out"]
    assert "no answer within 300 s" in found.text_content()


def test_tool_calls_are_shown_in_order_with_what_they_were_given() -> None:
    case = made_case(1, runs=1)
    calls = (ToolCall(name="Read", arguments={"path": "a"}), ToolCall(name="Bash", arguments=None))

    found = card(document(with_cases((replace(case, runs=(replace(case.runs[0], tool_calls=calls),)),))), "c1")

    assert texts(found.xpath(".//ol/li")) == ['Read {"path": "a"}', "Bash"]


def test_votes_are_shown_one_by_one() -> None:
    case = made_case(1, runs=1)
    evidence = {"votes": [True, False, None], "failures": [], "criteria": "is short"}
    outcome = Outcome(passed=None, code="judge_call_failed", message="A call failed.", evidence=evidence)
    verdict = replace(case.runs[0].verdicts[0], outcome=outcome)

    found = card(document(with_cases((replace(case, runs=(replace(case.runs[0], verdicts=(verdict,)),)),))), "c1")

    assert "Votes: for, against, none" in found.text_content()
    assert "no verdict: a call of the judge failed" in found.text_content()


def judged(*, fit: bool) -> Report:
    case = replace(
        made_case(1), rubric={"is clear": RubricScore(target=4, mean=4.5, passed=True, runs=1, inconsistent=1)}
    )
    order = [(TextSource.RUN, 0, 5, "clear <b>"), (TextSource.RUN, 1, 5, "good"), (TextSource.BASELINE, 0, 1, "old")]
    forward, back = (
        Ballot(
            scores=tuple(
                Scored(source=s, index=i, score=score + less if s == "run" and i else score, reason=why)
                for s, i, score, why in order
            )
        )
        for less in (0, -3)
    )
    panel = Panel(case_id="c1", item="is clear", forward=forward, backward=back)
    return replace(with_cases((case,)), judge=_judge(panel, fit=fit))


def _judge(panel: Panel, *, fit: bool) -> JudgeResult:
    none = Metric(name="x", value=None, numerator=0, denominator=0)
    votes = VoteCount(planned=0, asked=0, failed=0, divided=none)
    return JudgeResult(
        model="m",
        same_model=False,
        fit=fit,
        reasons=(),
        panels=(panel,),
        errors=none,
        inconsistent=none,
        controls={},
        kappa=none,
        votes=votes,
    )


def test_scores_of_a_judge_are_shown_in_both_orders_with_their_reasons() -> None:
    found = card(document(judged(fit=True)), "c1")

    assert "Mean 4.50, target 4" in found.text_content()
    assert texts(found.xpath(".//section[h5]//dd")) == ["5: clear <b>", "5: clear <b>", "5: good", "2: good"]
    assert found.text_content().count("Left out of the mean") == 1
    assert "old" not in texts(found.xpath(".//section[h5]//dd"))


def test_of_an_unfit_judge_no_score_is_shown() -> None:
    assert "clear" not in card(document(judged(fit=False)), "c1").text_content()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_row_and_card_lead_to_each_other(lang: Any) -> None:  # noqa: ANN401 - a language
    tree = document(golden(), lang)
    names = {node.get("id") for node in tree.xpath("//*[@id]")}
    links = tree.xpath("//a/@href")

    assert len(links) == 2 * len(golden().cases)
    assert all(link.removeprefix("#") in names for link in links)


def test_an_id_that_is_not_plain_is_called_by_its_place() -> None:
    cases = (made_case(1), replace(made_case(2), id='a b"<'), replace(made_case(3), id=":2"))

    assert case_anchors(cases) == {"c1": "c1", 'a b"<': ":2", ":2": ":3"}


def test_ids_sort_by_the_numbers_in_them() -> None:
    assert sorted(["c10", "C9", "b", "c9a"], key=natural) == ["b", "C9", "c9a", "c10"]


def test_what_is_not_known_has_no_rank() -> None:
    case = made_case(1)
    dear = replace(made_case(2), runs=tuple(replace(run, usage=None) for run in case.runs))

    index = data(document(with_cases((case, dear, made_case(3)))), "index")

    assert dict(zip(index["anchors"], index["ranks"]["cost"], strict=True)) == {"c1": 0, "c3": 0, "c2": -1}


def test_what_is_not_on_the_first_page_waits_as_the_same_markup() -> None:
    tree = document(with_cases(tuple(made_case(number, right=number % 3 > 0) for number in range(120))))
    index = data(tree, "index")

    assert len(tree.xpath("//tbody/tr")) == ROWS_A_PAGE
    assert len(tree.xpath("//details[starts-with(@id, 'case-')]")) == CARDS_A_PAGE
    rows = [row for number in range(len(index["rowStarts"])) for row in data(tree, f"rows-{number}")]
    cards = [one for number in range(len(index["cardStarts"])) for one in data(tree, f"cards-{number}")]
    assert (len(rows), len(cards), len(index["cards"])) == (70, 110, 120)
    assert all(row.startswith('<tr id="row-c') for row in rows)
    assert rows[0].startswith(f'<tr id="row-{index["anchors"][50]}"')
    assert cards[0].startswith(f'<details class="card case" id="case-{index["anchors"][index["cards"][10]]}"')


def test_without_a_script_the_page_says_what_is_missing() -> None:
    cases = tuple(made_case(number) for number in range(60))

    [words] = texts(document(with_cases(cases)).xpath("//noscript"))

    assert words.startswith("Without JavaScript only the first 50 cases of 60 are listed and 10 told in full")


def test_the_same_report_gives_the_same_bytes() -> None:
    assert page_of(golden()) == page_of(golden())


def test_json_cannot_end_its_element() -> None:
    harmful = ["</script>", "<!--", "<SCRIPT", "</Script x", "<b>"]
    written = json_text(harmful)

    assert json.loads(written) == harmful
    assert not any(start in written.lower() for start in ("</script", "<!--", "<script"))


def test_blocks_tell_where_each_starts() -> None:
    items = [json.dumps("x" * 8_000) for _ in range(7)]

    made = json_blocks("rows", items, 50)

    assert [len(json.loads(block.content)) for block in made.blocks] == [3, 3, 1]
    assert made.starts == (50, 53, 56)


def filler(_place: int, detail: Detail) -> str:
    return "x" * (10 + min(detail.characters, 5_000))


def test_failed_cases_keep_their_texts_longest() -> None:
    fitted = fit([True, False, False, False], filler, room=8_100)

    assert fitted.levels == [0, 2, 2, 2]
    assert sum(len(item or "") for item in fitted.items) <= 8_100


def test_what_a_card_leaves_goes_to_the_next() -> None:
    sizes = (100, 5_010)

    fitted = fit([True, True], lambda place, detail: "x" * min(sizes[place], 10 + detail.characters), room=5_200)

    assert fitted.levels == [0, 0]


def test_where_there_is_no_room_at_all_there_is_no_card() -> None:
    fitted = fit([False, False], filler, room=12)

    assert (fitted.items, fitted.levels) == ([None, "x" * 10], [len(DETAILS), len(DETAILS) - 1])


@pytest.mark.parametrize("text", ["word " * 4_000, "\u202e" * 20_000, "<&\"'" * 5_000, "题" * 20_000])
def test_a_page_stays_below_its_limit_whatever_the_texts(text: str) -> None:
    cases = tuple(_long(made_case(number, right=number % 9 > 0), text) for number in range(200))

    page = page_of(with_cases(cases))

    assert len(page.encode()) < LIMIT_BYTES
    assert "To keep this file below 15 MB" in page


def _long(case: CaseResult, text: str) -> CaseResult:
    calls = (ToolCall(name=text, arguments={"text": text}),) * 5
    runs = tuple(
        replace(run, output=f"{run.index} {text}", skills_invoked=(text,) * 30, tool_calls=calls) for run in case.runs
    )
    return replace(case, id=f"{case.id}{text}", prompt=text, tags=(text, *map(str, range(50))), runs=runs)


def test_of_very_many_cases_those_that_are_right_are_left_out() -> None:
    cases = [
        replace(made_case(number, runs=1), prompt="\u202e" * 70, tags=("\u202e" * 40,) * 3) for number in range(6_000)
    ]
    cases[5_990] = made_case(5_990, runs=1, right=False)

    view = case_list(with_cases(tuple(cases)), phrases("en", "html"))

    assert view.total < len(cases)
    assert any("those left out are right" in note for note in view.notes)
    assert 'id="case-c5990"' in view.cards[0]
    assert sum(len(block.content.encode()) for block in view.blocks) < LIMIT_BYTES


def test_an_invalid_report_says_that_its_cases_are_no_score() -> None:
    view = case_list(golden("invalid"), phrases("en", "html"))

    assert view.notes[0] == "These were seen before the measurement broke down; they are no score."
    assert isinstance(view.rows[0], Html)


def test_every_outcome_flip_mark_and_type_has_words() -> None:
    keys = [
        *(f"outcome_{one}" for one in How),
        *(f"flip_{one}" for one in Flip),
        *(f"mark_{one}" for one in Mark),
        *(f"{family}_{kind}" for kind in KINDS for family in ("kind", "expect")),
    ]

    assert all(phrases(lang, "html")(f"cases.{key}") for key in keys for lang in LANGS)


LANGS: tuple[Lang, ...] = ("en", "zh")


def test_the_heading_over_the_cards_says_that_others_come_after_the_failed_ones() -> None:
    failing = golden()
    alone = replace(failing, cases=tuple(case for case in failing.cases if is_named(case, failing)))

    assert texts(document(failing).xpath("//h3[@id='cards-heading']")) == ["❌ Failed cases (6), then the others"]
    assert texts(document(alone).xpath("//h3[@id='cards-heading']")) == ["❌ Failed cases (6)"]
    assert texts(document(replace(failing, failed_cases=())).xpath("//h3[@id='cards-heading']")) == ["Cases one by one"]


def is_named(case: CaseResult, report: Report) -> bool:
    return any(failed.id == case.id for failed in report.failed_cases)


def test_nothing_is_said_to_have_been_seen_where_nothing_was_run() -> None:
    invalid = golden("invalid")
    unasked = replace(invalid, cases=tuple(replace(case, runs=()) for case in invalid.cases))

    assert "before the measurement broke down" in page_of(invalid)
    assert "before the measurement broke down" not in page_of(unasked)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_page_that_has_all_cases_does_not_say_that_some_are_missing_without_a_script(lang: Lang) -> None:
    [words] = texts(document(with_cases((made_case(1), made_case(2))), lang).xpath("//noscript"))

    assert (
        words
        == {
            "en": "Without JavaScript nothing can be sorted, filtered or searched; all cases are here.",
            "zh": "没有启用 JavaScript：不能排序、筛选和搜索；题目已全部列出。",
        }[lang]
    )

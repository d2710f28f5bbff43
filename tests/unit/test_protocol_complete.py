"""A response is whole: its items, as many as there should be, and what ends it; nothing else."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.graders.translation import ProtocolComplete
from skill_evaluator.graders.translation.protocol.faults import GRAVITY, SHOWN
from skill_evaluator.graders.translation.protocol.reading import Format
from skill_evaluator.model import OUTPUT_GAP, Outcome, Run
from tests.hostile import ODD_TEXTS

ITEM, MISSING, EXTRA = "protocol_malformed_item", "protocol_missing_item", "protocol_extra_item"
BAD_END, NO_END = "protocol_malformed_terminator", "protocol_missing_terminator"

ONE, TWO = '<item id="1">a</item>', '<item id="2">b</item>'


def look(
    response: str | None,
    *,
    items: int | None = 2,
    end: str | None = None,
    extra: bool = False,
    written: Format = "auto",
) -> Outcome:
    check = ProtocolComplete(expected_items=items, terminator=end, allow_extra_items=extra, format=written)
    return check.check(Run(case_id="c", output="not looked at", raw_response=response))


def codes(outcome: Outcome) -> list[object]:
    """Give every code, the gravest first; none where it passed."""
    if outcome.passed:
        assert outcome.code == "ok"
        return []
    found = outcome.evidence["codes"]
    assert isinstance(found, list)
    assert outcome.code == found[0]
    return found


@pytest.mark.parametrize(
    ("written", "response"),
    [
        ("json", '["a", "b"]'),
        ("json", '\n [ "a"\n,\t"b" ] \n'),
        ("json", '\ufeff["a", "b"]'),
        ("json", '["a\\n]", "\\"b\\", [\\"c\\"]"]'),
        ("json", '[{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]'),
        ("json", '[{"id": "x", "text": "a"}, {"id": "y", "text": "b"}]'),
        ("json", '[{"id": 2, "text": "b"}, {"id": 1, "text": "a"}]'),
        ("json", '[{"text": "a", "notes": null}, {"text": "b", "tags": []}]'),
        ("tagged", f"{ONE}{TWO}"),
        ("tagged", f"{ONE}\n\n{TWO}\n"),
        ("tagged", f"<items>\n{ONE}\n{TWO}\n</items>"),
        ("tagged", f'<?xml version="1.0"?>\n<items lang="de">{ONE}{TWO}</items>'),
        ("tagged", "<item id='1'>a <b>bold</b> <items/></item><item id = \"2\" >1 < 2</item >"),
        ("tagged", "<item>a</item><item>b</item>"),
        ("tagged", '<item id="b">a</item><item id="a">b</item>'),
        ("tagged", '<item id="1">\na\n</item>\n<item id="2">\n</items>\n</item>'),
        ("numbered", "1. a\n2. b"),
        ("numbered", "0. a\n1. b"),
        ("numbered", "7. a\n8. b"),
        ("numbered", "1.一\n2.二"),
        ("numbered", "\n  1. a\n\n     more of a\n     1. inside\n  2. b\n"),
        ("numbered", "1. a\n1.5 km\n1.0.2 is out\n2... b\n2. b"),
        ("numbered", "1. a\r\n2. b\r\n"),
        ("lines", "a\nb"),
        ("lines", "\n a \n \t\n\nb\n"),
        ("lines", "a\r\nb\r\n"),
        ("lines", "a\rb"),
        ("lines", "a\u2028a\nb\x0bb"),
        ("lines", "[Player] joins\n[Player] leaves"),
        ("lines", '{"id": 1}\n{"id": 2}'),
        ("lines", "[{0}] left\n100. try"),
    ],
)
def test_a_whole_response_passes_under_its_format_and_without_one(written: Format, response: str) -> None:
    assert codes(look(response, written=written)) == []
    outcome = look(response)
    assert codes(outcome) == []
    assert outcome.evidence == {"format": written, "items": 2}


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ('["a"]', [MISSING]),
        ("[]", [MISSING]),
        ('["a", "b", "c"]', [EXTRA]),
        ('["a", "b"', [ITEM]),
        ('["a", "b', [ITEM]),
        ('["a",', [ITEM, MISSING]),
        ('["a"', [ITEM, MISSING]),
        ("[", [ITEM, MISSING]),
        ('["a" "b"]', [ITEM]),
        ('["a", "b",]', [ITEM]),
        ('["a", "b"]]', [ITEM]),
        ('["a", "b"] ["c"]', [ITEM]),
        ('["a", "b\nc"]', [ITEM]),
        ('["a", "b" // c\n]', [ITEM]),
        ("['a', 'b']", [ITEM]),
        ('["a", ""]', [ITEM]),
        ('["a", " \\n"]', [ITEM]),
        ('["a", null]', [ITEM]),
        ('["a", 2]', [ITEM]),
        ('["a", NaN]', [ITEM]),
        ("[1, 2]", [ITEM]),
        ('[{"text": "a", "n": NaN}, {"text": "b"}]', [ITEM]),
        ('["a", ["b"]]', [ITEM]),
        ('["a", {"id": 2, "text": "b"}]', [ITEM]),
        ('[{"id": 1, "text": "a"}, {"text": "b"}]', [ITEM]),
        ('[{"id": 1, "text": "a"}, {"id": 1, "text": "b"}]', [ITEM]),
        ('[{"id": 1, "text": "a"}, {"id": "1", "text": "b"}]', [ITEM]),
        ('[{"id": 1, "text": "a"}, {"id": 2, "text": ""}]', [ITEM]),
        ('[{"id": 1, "text": "a"}, {"id": 2}]', [ITEM]),
        ('[{"id": 1, "text": "a"}, {"id": true, "text": "b"}]', [ITEM]),
        ('[{"id": 1, "text": "a"}, {"id": 2, "text": "b", "text": "c"}]', [ITEM]),
        ('[{"text": "a"}, {}]', [ITEM]),
        ('[{"id": 1, "text": "a"}, {"id": 3, "text": "c"}]', [MISSING, EXTRA]),
        ('{"items": ["a", "b"]}', [ITEM]),
        ('Here:\n["a", "b"]', [ITEM]),
        ('["a", "b"]\nDone.', [ITEM]),
        ('```json\n["a", "b"]\n```', [ITEM]),
        ("a\nb", [ITEM]),
        ("", [MISSING]),
        (" \n", [MISSING]),
    ],
)
def test_json(response: str, expected: list[str]) -> None:
    assert codes(look(response, written="json")) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (ONE, [MISSING]),
        (TWO, [MISSING]),
        (f"{ONE}{TWO}<item id='3'>c</item>", [EXTRA]),
        ('<item id="1">a<item id="2">b</item>', [ITEM]),
        ('<item id="1">a<item id="2">b</item></item>', [ITEM]),
        (f"{ONE}b</item>", [ITEM]),
        (f'{ONE}<item id="2">b', [ITEM]),
        (f'{ONE}<item id="2">b</it', [ITEM]),
        (f'{ONE}<item id="2"', [ITEM]),
        (f"{ONE}<it", [ITEM, MISSING]),
        (f"{ONE}{TWO}</item>", [ITEM, EXTRA]),
        (f'{ONE}<item id="1">b</item>', [ITEM]),
        (f'{ONE}<item id="01">b</item>', [ITEM]),
        (f'{ONE}<item id="2"></item>', [ITEM]),
        (f'{ONE}<item id="2"> \n</item>', [ITEM]),
        (f'{ONE}<item id="2"/>', [ITEM]),
        (f'{ONE}<item id="">b</item>', [ITEM]),
        (f"{ONE}<item>b</item>", [ITEM]),
        (f"{ONE}<item id=2>b</item>", [ITEM]),
        (f"{ONE} and {TWO}", [ITEM]),
        (f"Here: {ONE}{TWO}", [ITEM]),
        (f"{ONE}{TWO} Done.", [ITEM]),
        (f"<items>{ONE}{TWO}", [ITEM]),
        (f"<items>{ONE}{TWO}</item-list>", [ITEM]),
        (f"{ONE}{TWO}</items>", [ITEM]),
        (f"```xml\n{ONE}{TWO}\n```", [ITEM]),
        ('<item id="1">a</item><item id="3">b</item>', [MISSING, EXTRA]),
        ("a\nb", [ITEM, MISSING]),
        ("", [MISSING]),
    ],
)
def test_tagged(response: str, expected: list[str]) -> None:
    assert codes(look(response, written="tagged")) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("1. a", [MISSING]),
        ("2. b", [MISSING]),
        ("1. a\n2. b\n3. c", [EXTRA]),
        ("1. a\n3. b", [MISSING, EXTRA]),
        ("1. a\n1. b", [ITEM]),
        ("2. b\n1. a", [ITEM]),
        ("1. a\n2.", [ITEM]),
        ("1.\n2. b", [ITEM]),
        ("1. a\n2) b", [MISSING]),
        ("1. a\n2 b", [MISSING]),
        ("1. a\n 2. b", [MISSING]),
        ("Here:\n1. a\n2. b", [ITEM]),
        ("```\n1. a\n2. b", [ITEM]),
        ("a\nb", [ITEM]),
        ("", [MISSING]),
    ],
)
def test_numbered(response: str, expected: list[str]) -> None:
    assert codes(look(response, written="numbered")) == expected


@pytest.mark.parametrize(
    ("response", "expected"), [("a", [MISSING]), ("a\nb\nc", [EXTRA]), ("", [MISSING]), ("\n \n", [MISSING])]
)
def test_lines(response: str, expected: list[str]) -> None:
    assert codes(look(response, written="lines")) == expected


BODIES = {"json": '["a", "b"]', "tagged": f"{ONE}\n{TWO}", "numbered": "1. a\n2. b", "lines": "a\nb"}


@pytest.mark.parametrize(
    ("ending", "expected"),
    [
        ("\n<END>", []),
        ("\n<END>\n", []),
        (" <END> \n\n", []),
        ("<END>", []),
        ("\r\n<END>\r\n", []),
        ("", [NO_END]),
        ("\n", [NO_END]),
        ("\n<EN", [BAD_END]),
        ("\n<", [BAD_END]),
        ("<EN", [BAD_END]),
        ("\n<end>", [BAD_END]),
        ("\n<EMD>", [BAD_END]),
        ("\nEND", [BAD_END]),
        ("\n<END>\n<END>", [BAD_END]),
        ("<END><END>", [BAD_END]),
        ("\n<END> <END>", [BAD_END]),
        ("\n<END>\nthanks", [BAD_END]),
        ("\n<END> thanks", [BAD_END]),
        ("<END>\nthanks", [BAD_END]),
    ],
)
@pytest.mark.parametrize("written", BODIES)
def test_terminator_ends_the_response_once_and_whole(written: Format, ending: str, expected: list[str]) -> None:
    for called in (written, "auto"):
        outcome = look(BODIES[written] + ending, end="<END>", written=called)
        assert codes(outcome) == expected, (called, outcome)


@pytest.mark.parametrize(
    "response",
    [
        '["a <END>", "b"]',
        '["a", "<END>"]',
        '["a\\n<END>\\n", "b"]',
        '<item id="1">a\n<END>\n</item><item id="2">b <END></item>',
        "1. a <END> a\n2. b",
        "a <END> a\nb",
    ],
)
def test_terminator_inside_of_an_item_ends_nothing(response: str) -> None:
    assert codes(look(response, end="<END>")) == [NO_END]
    assert codes(look(f"{response}\n<END>", end="<END>")) == []


@pytest.mark.parametrize(
    ("end", "response", "expected"),
    [
        ("END", "a\nb\nEND", []),
        ("END", "a\nb END", []),
        ("END", "a\nTHE WEEKEND", [NO_END]),
        ("END", "a\nENDING", [NO_END]),
        ("END", "a\nEN", [NO_END]),  # two items are expected, so it is one
        ("END", "a\nb\nEN", [BAD_END]),
        ("END", "a\nb\nEND\nEND", [BAD_END]),
        ("END\n", "a\nb\nEND", []),
        ("\n\nEND", "a\nb\nEND", []),
        ("---\nEND", "a\nb\n---\nEND\n", []),
        ("---\r\nEND", "a\nb\n---\nEND\n", []),
        ("---\nEND", "a\nb\n---\n", [BAD_END]),
        ("\n\n", "a\nb\n\n", []),
        ("\n\n", "a\nb\n", [NO_END]),
        ("\n\n", f"\n\n{ONE}\n\n{TWO}\n\n", []),
        ("\n\n", f"{ONE}\n\n{TWO}\n", [NO_END]),
        ("\n", '["a", "b"]', [NO_END]),
        ("\n", '["a", "b"]\n', []),
        ("]", '["a", "b"]', []),
        ("}]", '[{"text": "a"}, {"text": "b"}]', []),
        ("}]", '[{"text": "a"}, {"text": "b"} ]', [NO_END]),
        ("]", '["a", "b"', [ITEM, NO_END]),
        ("]", '["a", "b"]\n]', []),
        ("</items>", f"<items>{ONE}{TWO}</items>", []),
        ("</items>", f"<items>{ONE}{TWO}", [NO_END]),
        ("</items>", f"<items>{ONE}{TWO}</ite", [BAD_END]),
        ("END", f"{ONE}END{TWO}", [BAD_END]),
        ("END", f"{ONE}END{TWO}END", [BAD_END]),
        ("END", f"{ONE}<item id='2'>b\nEND", [ITEM]),
        ("END", '["a", "b\nEND', [ITEM]),
        ("完了", "1. 開始\n2. 終了\n完了", []),
        ("完了", "1. 開始\n2. 終了\n完", [BAD_END]),
    ],
)
def test_terminators_of_all_kinds(end: str, response: str, expected: list[str]) -> None:
    assert codes(look(response, end=end)) == expected


def test_items_after_the_terminator_are_there_and_other_words_are_none() -> None:
    assert codes(look("a\n<END>\nb", end="<END>")) == [BAD_END]
    assert codes(look("1. a\n<END>\n2. b", end="<END>")) == [BAD_END]
    assert codes(look("a\nb\n<END>\nthanks", end="<END>")) == [BAD_END]
    assert codes(look("a\n<END>\n", end="<END>")) == [MISSING]


def test_no_response_is_a_failure() -> None:
    outcome = look(None)

    assert (outcome.passed, outcome.code) == (False, "protocol_no_response")
    assert outcome.evidence == {"codes": ["protocol_no_response"], "raw_response": None}


def test_missing_and_extra_items_are_named_by_number_or_id() -> None:
    assert look("1. a\n3. c", items=4).evidence["missing_items"] == [2, 4]
    assert look("0. a\n2. c", items=3).evidence["missing_items"] == [1]
    assert look('[{"id": 2, "text": "b"}]', items=3).evidence["missing_items"] == [1, 3]
    assert look(f"{ONE}{TWO}<item id='7'>c</item>").evidence["extra_items"] == [7]
    assert "missing_items" not in look("a", items=4).evidence
    assert look("a", items=4).evidence["missing"] == 3


def test_ids_that_do_not_count_from_1_are_names() -> None:
    assert codes(look('<item id="101">a</item><item id="205">b</item>')) == []
    assert codes(look('<item id="101">a</item>')) == [MISSING]
    assert codes(look('[{"id": "x", "t": "a"}, {"id": "y", "t": "b"}]', items=1)) == [EXTRA]


def test_item_whose_id_is_lost_may_be_any_that_is_not_there() -> None:
    outcome = look(f"{ONE}<item>b</item>", items=3)

    assert codes(outcome) == [ITEM, MISSING]
    assert outcome.evidence["missing"] == 1
    assert "missing_items" not in outcome.evidence


def test_how_many_items_follow_a_break_is_not_guessed() -> None:
    outcome = look('["a", "b" "c", "d"]', items=9)

    assert codes(outcome) == [ITEM]
    assert outcome.evidence["count_known"] is False
    assert outcome.evidence["items"] == 2


@pytest.mark.parametrize(
    "response", ['["a", "b", "c"]', f"{ONE}{TWO}<item id='3'>c</item>", "1. a\n2. b\n3. c", "a\nb\nc"]
)
def test_extra_items_may_be_allowed(response: str) -> None:
    assert codes(look(response, extra=True)) == []
    assert codes(look(response, items=4, extra=True)) == [MISSING]


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("[]", []),
        ('["a"]', []),
        ("a", []),
        ("1. a\n2. b", []),
        ("1. a\n3. c", [MISSING]),
        ("5. a\n7. c", [MISSING]),
        ("1. a\n1. b", [ITEM]),
        ('<item id="1">a</item><item id="9">b</item>', []),
        ("", [MISSING]),
        ('["a"', [ITEM]),
    ],
)
def test_without_a_number_only_the_structure_is_looked_at(response: str, expected: list[str]) -> None:
    assert codes(look(response, items=None)) == expected


@pytest.mark.parametrize(
    ("response", "written"),
    [
        ('```json\n["a", "b"]\n```', "json"),
        ('  ```\n["a", "b"]\n```\n', "json"),
        ('~~~~json\n["a", "b"]\n~~~~', "json"),
        ("```\n1. a\n2. b\n```", "numbered"),
        ("```text\na\nb\n```", "lines"),
        (f"```xml\n<items>{ONE}{TWO}</items>\n```", "tagged"),
    ],
)
def test_fence_around_a_response_is_taken_away_where_no_format_is_named(response: str, written: str) -> None:
    outcome = look(response)
    assert codes(outcome) == []
    assert outcome.evidence == {"format": written, "items": 2, "fenced": True}


def test_terminator_may_stand_in_the_fence_or_after_it() -> None:
    assert codes(look('```json\n["a", "b"]\n```\n<END>', end="<END>")) == []
    assert codes(look('```json\n["a", "b"]\n<END>\n```', end="<END>")) == []


def test_fence_that_is_not_closed_was_cut() -> None:
    assert codes(look('```json\n["a", "b"]\n')) == [ITEM]


@pytest.mark.parametrize(
    ("response", "written"),
    [
        ('Here:\n["a", "b"]\nDone', "json"),
        ('[so", "b"]', "json"),
        ('{\n  "items": ["a", "b"]\n}', "json"),
        ("[1, 2]", "json"),
        ("a</item>", "tagged"),
        ("Here:\n1. a\n2. b", "numbered"),
        ("2. b\n3. c", "numbered"),
        ('["Enter"] opens\nb', "json"),
        ("a\n[Enter] opens", "lines"),
        ('a\n["Enter"] opens', "lines"),
        ("a\n1999. A year", "lines"),
        ("1990. A year\nb", "lines"),
        ("<b>a</b>\n<i>b</i>", "lines"),
    ],
)
def test_format_is_what_a_response_plainly_is(response: str, written: str) -> None:
    assert look(response).evidence["format"] == written


@pytest.mark.parametrize("response", [" " * 400_000, "-" + " " * 400_000, '{ "' + " " * 400_000, "1)" * 200_000])
def test_long_lines_come_to_an_end(response: str) -> None:
    """A pattern that goes back in them would take hours."""
    assert look(response).passed is False


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ('{"id": 1, "text": "a"}\n{"id": 2, "text": "b"}', []),
        ('{"id": 1, "text": "a"}\n{"id": 2, "text": "b', [ITEM]),
        ('{"translation": "a', [ITEM]),
        ('{"a": NaN}', [ITEM]),
        ('{"a": ' + "9" * 5_000 + "}", []),
        ('{"a": ' + "[" * 100_000, [ITEM]),
        ('{"Esc"} leaves\n{"Enter"} opens', []),
        ('a\n{"b": ', []),
        ("- a\n- b", []),
        ("- a\n-", [ITEM]),
        ("1) a\n2) b\n3)", [ITEM]),
        ("(1) a\n(2)", [ITEM]),
        ("a\n-", []),
        ("- a\n3)", []),
    ],
)
def test_lines_that_were_cut_are_found_where_they_plainly_are_more_than_text(
    response: str, expected: list[str]
) -> None:
    assert codes(look(response, items=None)) == expected
    assert codes(look(response, items=None, written="lines")) == []


def test_several_faults_are_all_told_the_gravest_first() -> None:
    outcome = look('["a", ""]', items=3, end="<END>")

    assert codes(outcome) == [ITEM, MISSING, NO_END]
    assert outcome.evidence == {
        "codes": [ITEM, MISSING, NO_END],
        "format": "json",
        "items": 2,
        "expected": 3,
        "missing": 1,
        "faults": [
            {"code": ITEM, "message": "Item 2 is empty.", "excerpt": '["a", ""]'},
            {"code": MISSING, "message": "1 item is missing."},
            {"code": NO_END, "message": "The terminator is missing.", "excerpt": ""},
        ],
    }
    assert outcome.message == "Item 2 is empty."


def test_evidence_stays_short_whatever_the_response() -> None:
    outcome = look('["' + "secret " * 100_000 + '", ' + '"", ' * 5_000 + '"b"', items=1_000_000_000)

    faults = outcome.evidence["faults"]
    assert isinstance(faults, list)
    assert len(faults) == SHOWN + 1
    assert outcome.evidence["malformed"] == 5_001
    assert len(json.dumps(outcome.evidence)) < 4_000


@pytest.mark.parametrize("response", ['["a", "b', '["a", "b\\', '["a", "\\u12', '["a", "b"', '[{"text": "a"}, {"te'])
def test_nothing_follows_where_the_response_ends_in_the_middle_of_an_item(response: str) -> None:
    assert codes(look(response, items=3)) == [ITEM, MISSING]
    assert look(response, items=3).evidence["missing"] == 1


def test_message_says_how_often_the_terminator_is_there() -> None:
    assert look("a\nb\nEND\nEND", end="END").message == "The terminator is there 2 times."
    assert look(f"{ONE}END{TWO}END", end="END").message == "The terminator is there 2 times."
    assert look("a\nb\nEND\nc", end="END").message == "There is text after the terminator."


def test_billions_of_missing_items_are_counted_without_listing_them() -> None:
    outcome = look("1. a", items=2_000_000_000)

    assert outcome.evidence["missing"] == 1_999_999_999
    assert outcome.evidence["missing_items"] == [*range(2, 2 + SHOWN)]
    assert outcome.message == "1999999999 items are missing: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ...."


@pytest.mark.parametrize("depth", [500, 100_000])
def test_deep_json_is_one_malformed_item(depth: int) -> None:
    assert codes(look("[" * depth, written="json"))[0] == ITEM
    assert codes(look('["a", ' + "[" * depth + "]" * depth + "]"))[0] == ITEM


def test_number_too_long_for_an_integer_is_only_a_number() -> None:
    assert codes(look('[{"id": 1, "text": "a", "n": ' + "1" * 10_000 + '}, {"id": 2, "text": "b"}]')) == []


def test_response_that_lost_its_middle_is_not_judged() -> None:
    check = ProtocolComplete(expected_items=2)
    cut = Run(case_id="c", output="x", raw_response=f"a{OUTPUT_GAP}b", output_cut=True)
    assert (check.check(cut).passed, check.check(cut).code) == (None, "output_cut")
    whole = Run(case_id="c", output="x", raw_response="a\nb", output_cut=True)
    assert check.check(whole).passed is True
    same_words = Run(case_id="c", output="x", raw_response=f"a{OUTPUT_GAP}")
    assert check.check(same_words).passed is True


PIECES = (
    *("[", "]", "{", "}", '"', ",", ":", "a", "1. ", "2. ", "\n", "\r\n", " ", "<item", ' id="1"', ">", "</item>", "/"),
    *("<END>", "<EN", "END", "```", "```json\n", "<items>", "</items>", "\\", '"id": 1', "1.", "null", OUTPUT_GAP),
)
RESPONSES = st.lists(st.sampled_from([*PIECES, *ODD_TEXTS]), max_size=25).map("".join) | st.text()


@given(
    response=RESPONSES,
    items=st.none() | st.integers(1, 4),
    end=st.none()
    | st.sampled_from(["<END>", "END", "]", "\n", "`", "</items>", "\ud800", " . "])
    | st.text(min_size=1),
    extra=st.booleans(),
    written=st.sampled_from(["auto", "json", "tagged", "numbered", "lines"]),
)
def test_any_response_gets_one_ordered_answer_that_a_file_can_hold(
    response: str, items: int | None, end: str | None, *, extra: bool, written: Format
) -> None:
    outcome = look(response, items=items, end=end, extra=extra, written=written)

    found = codes(outcome)
    assert outcome == look(response, items=items, end=end, extra=extra, written=written)
    assert found == [code for code in GRAVITY if code in found]
    assert not (extra and EXTRA in found)
    assert not (end is None and {BAD_END, NO_END} & {*found})
    json.dumps(outcome.evidence, ensure_ascii=False).encode()
    assert not any(unicodedata.category(char) == "Cc" for char in outcome.message)


@given(
    st.lists(st.text(min_size=1).filter(lambda text: text.strip() != ""), min_size=1), st.sampled_from(["<END>", "END"])
)
def test_json_of_any_texts_is_whole_and_cutting_it_is_found(texts: list[str], end: str) -> None:
    body = json.dumps(texts)

    assert codes(look(f"{body}\n{end}", items=len(texts), end=end)) == []
    assert codes(look(body[:-1], items=len(texts), written="json"))[0] == ITEM
    assert codes(look(body, items=len(texts) + 1)) == [MISSING]


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ('```json\n["a"]\n```', "The response begins with a code fence, not with a JSON array."),
        ("[“新”, “旧”]", "The JSON array is broken: expecting value where “ stands."),
        ('["新"，"旧"]', "The JSON array is broken: a comma or the closing bracket is missing where ， stands."),
        ('["a", \x07]', "The JSON array is broken: expecting value where '\\x07' stands."),
        ('["a", "b', "The JSON array is broken: unterminated string."),
        ('["a", ', "The JSON array is broken: expecting value."),
    ],
)
def test_what_breaks_an_array_is_named(raw: str, told: str) -> None:
    outcome = ProtocolComplete(format="json").check(Run(case_id="c", output="", raw_response=raw))

    assert outcome.message.startswith(told)

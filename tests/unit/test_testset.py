import hashlib
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.formats.testset import (
    find_testset,
    floor_faults,
    read_bytes,
    read_testset,
    read_testset_bytes,
    split_sha256,
)
from skill_evaluator.formats.testset_keys import KEYS
from skill_evaluator.formats.testset_rules import same_words
from skill_evaluator.graders import Contains, Matches, NotContains, Params, ToolOrder
from skill_evaluator.model import Aspect, Case, Finding, Grader, Level, Loaded, Split, Suite, Turn

Row = Mapping[str, object]
WORDS = (
    *("draw a map of the harbour", "who won the match", "plan a round trip by train", "cook rice without a lid"),
    *("mark every bakery nearby", "explain the offside rule", "show contour lines up north", "mend a bicycle tube"),
    *("add a legend in French", "choose a birthday present", "print the valley on A3", "write a limerick on rain"),
)


def rows(**changes: object) -> list[dict[str, object]]:
    """Twelve sound cases, six of each class; every other pair is for acceptance; the changes go into the first."""
    made: list[dict[str, object]] = [
        {
            "id": f"c{number:02}",
            "type": "should_not_trigger" if number % 2 else "should_trigger",
            "split": "acceptance" if number % 4 < 2 else "tuning",
            "input": words,
        }
        for number, words in enumerate(WORDS)
    ]
    made[0] |= changes
    return made


def save(folder: Path, content: object) -> Path:
    path = folder / "testset.json"
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=2)
    path.write_text(text, "utf-8")
    return path


def load(folder: Path, content: object, *, enforce_floors: bool = True) -> Loaded:
    return read_testset(save(folder, content), enforce_floors=enforce_floors)


def suite_of(loaded: Loaded) -> Suite:
    assert loaded.suite, loaded.findings
    return loaded.suite


def faults(loaded: Loaded) -> list[Finding]:
    found = [finding for finding in loaded.findings if finding.level is Level.FAIL]
    assert (loaded.suite is None) == bool(found)
    return found


def first_case(folder: Path, **changes: object) -> Case:
    return suite_of(load(folder, rows(**changes))).cases[0]


def test_a_sound_set_is_read_in_order(tmp_path: Path) -> None:
    suite = suite_of(load(tmp_path, rows()))

    assert (suite.name, suite.format) == ("testset.json", "testset")
    assert [case.id for case in suite.cases] == [f"c{number:02}" for number in range(12)]
    first, second = suite.cases[:2]
    assert (first.prompt, first.expect_trigger, first.split) == (WORDS[0], True, Split.ACCEPTANCE)
    assert (second.expect_trigger, second.graders, second.tags, second.rubric) == (False, (), (), {})
    assert (first.source.path, first.source.line, second.source.line) == (str(tmp_path / "testset.json"), 2, 8)


def test_byte_order_mark_and_windows_line_ends(tmp_path: Path) -> None:
    text = json.dumps(rows(), indent=1)
    plain = suite_of(load(tmp_path, text))
    windows = suite_of(load(tmp_path, "\ufeff" + text.replace("\n", "\r\n")))

    assert plain == windows


def test_chinese_words_mean_the_same(tmp_path: Path) -> None:
    words = {
        "should_trigger": "应触发",
        "should_not_trigger": "不应触发",
        "tuning": "调优集",
        "acceptance": "验收集",
    }
    chinese = [{key: words.get(str(value), value) for key, value in row.items()} for row in rows()]
    english, translated = suite_of(load(tmp_path, rows())), suite_of(load(tmp_path, chinese))

    assert translated == english


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"expected_trigger": True}, True),
        ({"type": None, "expected_trigger": True}, True),
        ({"type": None, "expected_trigger": False}, False),
        ({"type": "不应触发", "expected_trigger": False}, False),
    ],
)
def test_type_and_expected_trigger_may_stand_alone(
    tmp_path: Path, changes: Mapping[str, object], expected: bool
) -> None:
    content = rows(**changes)
    content[0] = {key: value for key, value in content[0].items() if value is not None}

    assert suite_of(load(tmp_path, content)).cases[0].expect_trigger is expected


def test_every_expectation_becomes_a_check(tmp_path: Path) -> None:
    case = first_case(
        tmp_path,
        expected_output_contains=["level_id", "关卡", "level_id"],
        expected_output_not_contains=["TODO"],
        expected_output_regex=r"^\d+$",
        expected_params={"a.b": 1, "c": {"d": [True, None]}},
        expected_tool_calls=["read", "write", "read"],
        rubric={"清晰度": 4},
        tag=["menu", "short", "menu"],
    )

    assert case.graders == (
        Grader(name='contains "level_id"', check=Contains(text="level_id")),
        Grader(name='contains "关卡"', check=Contains(text="关卡")),
        Grader(name='does not contain "TODO"', check=NotContains(text="TODO")),
        Grader(name=r"matches /^\d+$/", check=Matches(pattern=r"^\d+$")),
        Grader(
            name="has the expected fields",
            check=Params(expected={"a.b": 1, "c": {"d": [True, None]}}),
            aspect=Aspect.PARAMS,
        ),
        Grader(
            name="calls the tools in order",
            check=ToolOrder(names=("read", "write", "read")),
            aspect=Aspect.TOOL_ORDER,
        ),
    )
    assert (case.rubric, case.tags) == ({"清晰度": 4}, ("menu", "short"))


@pytest.mark.parametrize(
    ("calls", "check"),
    [
        ({"names": ["a"]}, ToolOrder(names=("a",))),
        ({"names": ["a"], "match": "subsequence"}, ToolOrder(names=("a",))),
        ({"names": ["a"], "match": "exact"}, ToolOrder(names=("a",), match="exact")),
        ({"names": [], "match": "exact"}, ToolOrder(names=(), match="exact")),
        ({"names": []}, None),
        ([], None),
    ],
)
def test_tool_calls_are_a_list_or_say_how_to_match(tmp_path: Path, calls: object, check: ToolOrder | None) -> None:
    graders = first_case(tmp_path, expected_tool_calls=calls).graders

    assert [grader.check for grader in graders] == ([check] if check else [])


def test_empty_expectations_expect_nothing(tmp_path: Path) -> None:
    empty: dict[str, object] = {"expected_output_contains": [], "expected_params": {}, "rubric": {}, "tag": []}
    content = rows(**empty)
    content[1] |= empty
    suite, plain = suite_of(load(tmp_path, content)), suite_of(load(tmp_path, rows()))

    assert suite.sha256 == plain.sha256
    assert (suite.cases[0].graders, suite.cases[0].tags, suite.cases[0].rubric) == ((), (), {})


Fault = tuple[Mapping[str, object], str, str, int, str]
# One fault in the first row, which is laid out from line 2 on: id 3, type 4, split 5, input 6, further keys from 7.
FAULTS: list[Fault] = [
    ({"expected_tigger": True}, "unknown-key", "/expected_tigger", 7, 'did you mean "expected_trigger"?'),
    ({"query": "x"}, "unknown-key", "/query", 7, 'did you mean "input"?'),
    ({"should_trigger": True}, "unknown-key", "/should_trigger", 7, 'did you mean "expected_trigger"?'),
    ({"zzz": 1}, "unknown-key", "/zzz", 7, "known are id, input"),
    ({"graders": {}}, "wrong-value", "/graders", 7, '"graders" is {} (an object); expected a list of graders'),
    ({"expected_skill": "a"}, "sibling-on-positive", "/expected_skill", 7, "should fire instead"),
    ({"files": ["a"]}, "wrong-value", "/files", 7, '["a"] (a list); expected an object'),
    ({"files": {"a": 1}}, "wrong-value", "/files/a", 8, "is 1 (a number); expected the text of the file"),
    ({"files": {"": "x"}}, "bad-path", "/files/", 8, "is empty"),
    ({"files": {"/a": "x"}}, "bad-path", "/files/~1a", 8, "is absolute"),
    ({"files": {"a/../b": "x"}}, "bad-path", "/files/a~1..~1b", 8, "leads upwards"),
    ({"files": {"C:a": "x"}}, "bad-path", "/files/C:a", 8, "starts with a drive"),
    ({"files": {"a\\b": "x"}}, "bad-path", "/files/a\\b", 8, "holds a backslash"),
    ({"files": {"a\0b": "x"}}, "bad-path", "/files/a\\x00b", 8, "holds a control character"),
    ({"files": {"a//b": "x"}}, "bad-path", "/files/a~1~1b", 8, 'a part that is empty or "."'),
    ({"files": {"./a": "x"}}, "bad-path", "/files/.~1a", 8, 'a part that is empty or "."'),
    ({"files": {"a.txt": "x", "A.txt": "y"}}, "path-clash", "/files/A.txt", 9, '"a.txt" and "A.txt"'),
    ({"files": {"a": "x", "a/b": "y"}}, "path-clash", "/files/a~1b", 9, '"a" and "a/b"'),
    ({"context": {}}, "wrong-value", "/context", 7, "{} (an object); expected a list of earlier turns"),
    ({"context": ["hi"]}, "wrong-value", "/context/0", 8, 'item 1 of "context" is "hi" (text); expected an object'),
    ({"context": [{"role": "assistant", "text": "x"}]}, "context-first-turn", "/context/0", 8, "add that turn"),
    ({"context": [{"role": "user", "text": "x"}]}, "context-last-turn", "/context/0", 8, "the user's next message"),
    ({"context": [{"role": "system", "text": "x"}]}, "wrong-value", "/context/0/role", 9, '"user" or "assistant"'),
    ({"human_scores": []}, "wrong-value", "/human_scores", 7, "expected an object of rubric items"),
    ({"human_scores": {"x": 3}}, "score-without-item", "/human_scores/x", 8, 'no item of "rubric"; add it there'),
    (
        {"rubric": {"clarity": 4}, "human_scores": {"claritiy": 3}},
        "score-without-item",
        "/human_scores/claritiy",
        11,
        'did you mean "clarity"?',
    ),
    ({"rubric": {"x": 4}, "human_scores": {"x": 0}}, "wrong-value", "/human_scores/x", 11, "0 (a number)"),
    ({"rubric": {"x": 4}, "human_scores": {"x": 3.0}}, "wrong-value", "/human_scores/x", 11, "3.0 (a number)"),
    ({"expected_trigger": "false"}, "wrong-value", "/expected_trigger", 7, '"false" (text); expected true or false'),
    ({"expected_trigger": 1}, "wrong-value", "/expected_trigger", 7, "1 (a number)"),
    ({"expected_trigger": False}, "type-disagrees", "/expected_trigger", 7, '"type" is "should_trigger" but'),
    ({"id": 7}, "wrong-value", "/id", 3, "7 (a number); expected a name of its own in double quotes"),
    ({"id": ""}, "wrong-value", "/id", 3, '"" (an empty text)'),
    ({"input": " \n"}, "wrong-value", "/input", 6, "an empty text"),
    ({"input": None}, "wrong-value", "/input", 6, '"input" is null'),
    ({"type": "应该触发"}, "wrong-value", "/type", 4, "应触发"),
    ({"type": True}, "wrong-value", "/type", 4, "true (a truth value)"),
    ({"split": "test"}, "wrong-value", "/split", 5, '"acceptance" (验收集'),
    ({"tag": 3}, "wrong-value", "/tag", 7, "3 (a number)"),
    ({"tag": ""}, "wrong-value", "/tag", 7, "an empty text"),
    ({"tag": None}, "wrong-value", "/tag", 7, "leave the key out"),
    ({"tag": ["a", 3]}, "wrong-value", "/tag/1", 9, 'item 2 of "tag" is 3'),
    ({"expected_output_contains": "x"}, "wrong-value", "/expected_output_contains", 7, "expected a list of texts"),
    ({"expected_output_contains": [""]}, "wrong-value", "/expected_output_contains/0", 8, "item 1 of"),
    ({"expected_output_regex": "(a"}, "bad-regex", "/expected_output_regex", 7, "not a regular expression"),
    ({"expected_output_regex": ["a", "*"]}, "bad-regex", "/expected_output_regex/1", 9, "not a regular expression"),
    ({"expected_params": [1]}, "wrong-value", "/expected_params", 7, "[1] (a list); expected an object"),
    ({"expected_tool_calls": "read"}, "wrong-value", "/expected_tool_calls", 7, '"read" (text)'),
    ({"expected_tool_calls": [1]}, "wrong-value", "/expected_tool_calls/0", 8, "1 (a number)"),
    ({"expected_tool_calls": {}}, "missing-key", "/expected_tool_calls", 7, '"names" is missing'),
    (
        {"expected_tool_calls": {"names": ["a"], "match": "any"}},
        "wrong-value",
        "/expected_tool_calls/match",
        11,
        '"subsequence" or "exact"',
    ),
    (
        {"expected_tool_calls": {"names": ["a"], "order": 1}},
        "unknown-key",
        "/expected_tool_calls/order",
        11,
        "known are names, match",
    ),
    ({"rubric": ["x"]}, "wrong-value", "/rubric", 7, "expected an object"),
    ({"rubric": {"x": 6}}, "wrong-value", "/rubric/x", 8, "a whole number from 1 to 5"),
    ({"rubric": {"x": True}}, "wrong-value", "/rubric/x", 8, "true (a truth value)"),
    ({"rubric": {"x": 2.5}}, "wrong-value", "/rubric/x", 8, "2.5 (a number)"),
]  # fmt: skip


def test_files_are_carried_and_change_what_is_asked(tmp_path: Path) -> None:
    plain, empty = first_case(tmp_path), first_case(tmp_path, files={})
    one, other = (first_case(tmp_path, files={"notes/a.txt": text}) for text in ("x", "y"))

    assert (plain.files, one.files) == ({}, {"notes/a.txt": "x"})
    assert (empty.prompt_sha256, empty.sha256) == (plain.prompt_sha256, plain.sha256)
    assert len({case.prompt_sha256 for case in (plain, one, other)}) == 3
    assert len({case.sha256 for case in (plain, one, other)}) == 3
    asked = json.dumps({"input": WORDS[0]}, separators=(",", ":"))
    assert plain.prompt_sha256 == hashlib.sha256(asked.encode()).hexdigest()


def test_one_request_about_two_files_is_no_repeat(tmp_path: Path) -> None:
    content = rows(files={"a.txt": "x"})
    content[1] |= {"input": content[0]["input"], "files": {"a.txt": "y"}}

    assert {finding.code for finding in load(tmp_path, content).findings} == {"class-too-small"}

    content[1]["files"] = content[0]["files"]
    assert [fault.code for fault in faults(load(tmp_path, content))] == ["contradictory-input"]


TALK = [{"role": "user", "text": "hi"}, {"role": "assistant", "text": "hello"}]


def test_context_is_carried_and_changes_what_is_asked(tmp_path: Path) -> None:
    plain, empty = first_case(tmp_path), first_case(tmp_path, context=[])
    talk, longer = (first_case(tmp_path, context=turns) for turns in (TALK, [*TALK, *TALK]))

    assert talk.context == (Turn(role="user", text="hi"), Turn(role="assistant", text="hello"))
    assert (empty.prompt_sha256, empty.sha256) == (plain.prompt_sha256, plain.sha256)
    assert len({case.prompt_sha256 for case in (plain, talk, longer)}) == 3
    asked = json.dumps({"context": TALK, "input": WORDS[0]}, separators=(",", ":"))
    assert talk.prompt_sha256 == hashlib.sha256(asked.encode()).hexdigest()


def test_turns_of_one_side_may_follow_each_other(tmp_path: Path) -> None:
    turns = [TALK[0], TALK[0], TALK[1], TALK[1]]

    assert [turn.role for turn in first_case(tmp_path, context=turns).context] == ["user"] * 2 + ["assistant"] * 2


def test_all_faults_of_a_conversation_at_once(tmp_path: Path) -> None:
    turns = [{"role": "assistant", "content": "x"}, {"text": " "}, 7, {"role": "user", "text": "x"}]
    found = faults(load(tmp_path, rows(context=turns)))

    assert [(fault.code, fault.pointer, fault.line) for fault in found] == [
        ("missing-key", "/0/context/0", 8),
        ("context-first-turn", "/0/context/0", 8),
        ("unknown-key", "/0/context/0/content", 10),
        ("missing-key", "/0/context/1", 12),
        ("wrong-value", "/0/context/1/text", 13),
        ("wrong-value", "/0/context/2", 15),
        ("context-last-turn", "/0/context/3", 16),
    ]
    assert 'did you mean "text"?' in found[2].message


def test_one_request_after_two_conversations_is_no_repeat(tmp_path: Path) -> None:
    content = rows(context=TALK)
    content[1] |= {"input": content[0]["input"], "context": [*TALK, *TALK]}

    assert {finding.code for finding in load(tmp_path, content).findings} == {"class-too-small"}

    content[1]["context"] = TALK
    assert [fault.code for fault in faults(load(tmp_path, content))] == ["contradictory-input"]


def test_a_negative_may_name_the_skill_that_should_fire(tmp_path: Path) -> None:
    content = rows()
    content[1]["expected_skill"] = "sport-rules"
    plain, named = suite_of(load(tmp_path, rows())).cases[1], suite_of(load(tmp_path, content)).cases[1]

    assert (plain.expected_skill, named.expected_skill) == (None, "sport-rules")
    assert (named.prompt_sha256, named.sha256 == plain.sha256) == (plain.prompt_sha256, False)


@pytest.mark.parametrize("name", ["map-maker", "maps:map-maker"])
def test_the_skill_under_test_is_no_sibling_of_its_own(name: str) -> None:
    content = rows(expected_tigger=True)
    content[1]["expected_skill"] = name
    raw = json.dumps(content, indent=1).encode()
    found = read_testset_bytes(raw, "t.json", skill_name="map-maker").findings

    assert [(fault.code, fault.pointer, fault.case) for fault in found] == [
        ("unknown-key", "/0/expected_tigger", "c00"),
        ("sibling-is-target", "/1/expected_skill", "c01"),
    ]
    del content[0]["expected_tigger"]
    assert not faults(read_testset_bytes(json.dumps(content).encode(), "t.json"))
    assert not faults(read_testset_bytes(json.dumps(content).encode(), "t.json", skill_name="map-maker-2"))


def test_scores_of_a_person_are_carried(tmp_path: Path) -> None:
    rubric = first_case(tmp_path, rubric={"clarity": 4, "depth": 3})
    scored = first_case(tmp_path, rubric={"clarity": 4, "depth": 3}, human_scores={"clarity": 2})

    assert (rubric.human_scores, scored.human_scores) == ({}, {"clarity": 2})
    assert (scored.prompt_sha256, scored.sha256 == rubric.sha256) == (rubric.prompt_sha256, False)


@pytest.mark.parametrize(
    ("calls", "names"),
    [
        ([], ()),
        (["read", "write", "read"], ("read", "write")),
        ({"names": ["b", "a", "b"], "match": "exact"}, ("b", "a")),
    ],
)
def test_tools_that_stand_in_are_named_once_each(tmp_path: Path, calls: object, names: tuple[str, ...]) -> None:
    assert first_case(tmp_path, expected_tool_calls=calls).stand_ins == names


@pytest.mark.parametrize(("changes", "code", "pointer", "line", "words"), FAULTS)
def test_fault_says_where_what_and_what_to_do(
    tmp_path: Path, changes: Mapping[str, object], code: str, pointer: str, line: int, words: str
) -> None:
    (fault,) = faults(load(tmp_path, rows(**changes)))

    assert (fault.code, fault.pointer, fault.line) == (code, f"/0{pointer}", line)
    assert fault.case == (None if pointer == "/id" else "c00")
    assert words in fault.message


@pytest.mark.parametrize("key", ["id", "input", "split", "type"])
def test_missing_key_points_at_the_case(tmp_path: Path, key: str) -> None:
    content = rows()
    del content[0][key]
    (fault,) = faults(load(tmp_path, content))

    assert (fault.code, fault.pointer, fault.line) == ("missing-key", "/0", 2)
    assert f'"{key}" is missing; expected' in fault.message


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("expected_output_contains", ["x"]),
        ("expected_output_not_contains", ["x"]),
        ("expected_output_regex", "x"),
        ("expected_params", {"x": 1}),
        ("expected_tool_calls", ["x"]),
        ("rubric", {"x": 1}),
        ("human_scores", {"x": 1}),
    ],
)
def test_a_negative_has_no_output_to_look_at(tmp_path: Path, key: str, value: object) -> None:
    content = rows()
    content[1][key] = value
    (fault,) = faults(load(tmp_path, content))

    assert (fault.code, fault.pointer, fault.case) == ("check-on-negative", f"/1/{key}", "c01")
    assert "can never be looked at" in fault.message


def test_all_faults_of_a_file_at_once(tmp_path: Path) -> None:
    """Of several rows and several in one row, of the text and of the whole, in the order of the lines."""
    content: list[object] = [*rows(expected_tigger=1, tag=3)]
    content[2] = {**rows()[2], "expected_trigger": "false"}
    content[3] = "oops"
    content[4] = {**rows()[4], "id": "c00"}
    text = json.dumps(content, indent=1).replace('"c05",', '"c05", "id": "c05",')
    found = faults(load(tmp_path, text))

    assert [(fault.code, fault.pointer) for fault in found] == [
        ("unknown-key", "/0/expected_tigger"),
        ("wrong-value", "/0/tag"),
        ("wrong-value", "/2/expected_trigger"),
        ("wrong-value", "/3"),
        ("duplicate-id", "/4/id"),
        ("duplicate-key", "/5/id"),
    ]
    assert [fault.line for fault in found] == sorted(fault.line or 0 for fault in found)
    assert "line 2" in found[4].message


def test_one_input_with_two_labels_names_both_cases(tmp_path: Path) -> None:
    content = rows()
    content[3]["input"] = f"  {WORDS[0].replace(' ', chr(10))}"
    (fault,) = faults(load(tmp_path, content))

    assert (fault.code, fault.case, fault.pointer) == ("contradictory-input", "c03", "/3/input")
    assert "'c00' (line 2)" in fault.message
    assert fault.values == {"case": "c03", "other": "c00"}


def test_one_input_twice_is_doubtful(tmp_path: Path) -> None:
    content = rows()
    content[4]["input"] = WORDS[0]
    loaded = load(tmp_path, content)

    assert suite_of(loaded).cases
    (finding,) = [finding for finding in loaded.findings if finding.code == "duplicate-input"]
    assert (finding.level, finding.values) == (Level.WARN, {"case": "c04", "other": "c00"})


def keep(*ids: int) -> list[dict[str, object]]:
    return [rows()[number] for number in ids]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (keep(*range(9)), {"too-few-cases": "9 cases; at least 10 are needed, so add 1"}),
        ([], {"too-few-cases": "0 cases; at least 10 are needed, so add 10"}),
        (
            [*keep(0, 2, 4, 6, 8, 10, 1, 3), rows(id="x1", input="a thing")[0], rows(id="x2", input="another")[0]],
            {"too-few-of-class": "2 cases of type should_not_trigger; at least 3 are needed, so add 1"},
        ),
        (
            [{**row, "split": "tuning"} if row["type"] == "should_not_trigger" else row for row in rows()],
            {"acceptance-lacks-class": "no should_not_trigger case in the acceptance split"},
        ),
        (
            [{**row, "split": "tuning"} if row["type"] == "should_trigger" else row for row in rows()],
            {"acceptance-lacks-class": "no should_trigger case in the acceptance split"},
        ),
        (
            keep(2, 3),
            {
                "too-few-cases": "2 cases; at least 10",
                "too-few-of-class": "1 case of type should_not_trigger",
                "acceptance-lacks-class": "no should_not_trigger case",
            },
        ),
    ],
)  # fmt: skip
def test_too_small_sets_are_refused(tmp_path: Path, content: Sequence[Row], expected: Mapping[str, str]) -> None:
    found = {fault.code: fault.message for fault in faults(load(tmp_path, content))}

    assert found.keys() == expected.keys()
    assert all(words in found[code] for code, words in expected.items())
    loose = load(tmp_path, content, enforce_floors=False)
    assert [fault.code for fault in floor_faults(suite_of(loose).cases)][:1] == list(found)[:1]


@pytest.mark.parametrize(("key", "number"), [("type", 3), ("type", 5), ("split", 1)])
def test_a_typing_error_is_not_reported_as_a_missing_case(tmp_path: Path, key: str, number: int) -> None:
    content = rows()
    for row in content[number::4]:
        row[key] = f"{row[key]}s"

    assert {fault.code for fault in faults(load(tmp_path, content))} == {"wrong-value"}


def test_narrowed_cases_are_counted_alike(tmp_path: Path) -> None:
    cases = suite_of(load(tmp_path, rows())).cases

    assert floor_faults(cases) == ()
    assert [fault.code for fault in floor_faults(cases[:9])] == ["too-few-cases"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", "but this is an object"),
        ('"x"', "but this is text"),
        ("null", "but this is null"),
        ("3", "but this is a number"),
        ('[{"query": "x", "should_trigger": true}]', "skill-evaluator import"),
        ('{"skill_name": "x", "evals": [{"query": "x", "should_trigger": true}]}', "skill-evaluator import"),
        ('{"should_trigger": ["x"], "should_not_trigger": ["y"]}', "skill-evaluator import"),
        ('{"cases": [{"prompt": "x", "expect": "map"}]}', "skill-evaluator import"),
        ('[{"prompt": "x", "expectations": ["y"]}]', "output evaluations"),
        ('{"cases": [{"id": "a", "type": "should_trigger", "input": "x"}]}', "keep only [ ... ]"),
        ('{"schema_version": 1, "verdict": "PASS"}', "a report of an earlier run"),
    ],
)
def test_other_json_is_named_in_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    (fault,) = faults(load(tmp_path, text))

    assert fault.code == "not-a-testset"
    assert words in fault.message


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "not-json"),
        (b"[", "not-json"),
        (b"\xff\xfe[\x00]\x00", "not-utf8"),
        (b'[{"id": "\xe4"}]', "not-utf8"),
        (b"[" * 100_000, "too-deep"),
        (b'["\\ud800"]', "half-character"),
    ],
)
def test_unreadable_text_is_one_finding(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "testset.json"
    path.write_bytes(content)

    assert [fault.code for fault in faults(read_testset(path))] == [code]


def test_unreadable_path_is_one_finding(tmp_path: Path) -> None:
    assert [fault.code for fault in faults(read_testset(tmp_path))] == ["is-a-folder"]
    assert [fault.code for fault in faults(read_testset(tmp_path / "x.json"))] == ["not-found"]


def test_hash_of_a_case_is_over_what_matters(tmp_path: Path) -> None:
    """Worked out here from the written definition: canonical JSON of what is not empty."""
    case = first_case(tmp_path, tag=["b", "a"], expected_output_contains=["z", "y"], expected_params={"b": 1, "a": 2})
    canonical = (
        '{"contains":["y","z"],"expect_trigger":true,"input":"' + WORDS[0] + '","params":{"a":2,"b":1},'
        '"split":"acceptance","tags":["a","b"]}'
    )

    assert case.sha256 == hashlib.sha256(canonical.encode()).hexdigest()
    assert case.prompt_sha256 == hashlib.sha256(f'{{"input":"{WORDS[0]}"}}'.encode()).hexdigest()


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "other"},
        {"type": "应触发", "expected_trigger": True},
        {"split": "验收集"},
        {"expected_output_contains": []},
        {"tag": []},
    ],
)
def test_what_does_not_matter_keeps_the_hash(tmp_path: Path, changes: Mapping[str, object]) -> None:
    assert first_case(tmp_path, **changes).sha256 == first_case(tmp_path).sha256


@pytest.mark.parametrize(
    "changes",
    [
        {"input": "another request"},
        {"split": "tuning"},
        {"expected_output_contains": ["x"]},
        {"expected_output_not_contains": ["x"]},
        {"expected_output_regex": "x"},
        {"expected_params": {"x": 1}},
        {"expected_params": {"x": "1"}},
        {"expected_params": {"x": True}},
        {"expected_tool_calls": ["x"]},
        {"expected_tool_calls": {"names": ["x"], "match": "exact"}},
        {"expected_tool_calls": {"names": [], "match": "exact"}},
        {"rubric": {"x": 1}},
        {"tag": "x"},
    ],
)
def test_whatever_matters_changes_the_hash(tmp_path: Path, changes: Mapping[str, object]) -> None:
    plain, changed = first_case(tmp_path), first_case(tmp_path, **changes)

    assert changed.sha256 != plain.sha256
    assert (changed.prompt_sha256 != plain.prompt_sha256) == ("input" in changes)


def test_hashes_do_not_depend_on_order(tmp_path: Path) -> None:
    suite = suite_of(load(tmp_path, rows(tag=["a", "b"])))
    shuffled = [dict(reversed(row.items())) for row in reversed(rows(tag=["b", "a"]))]
    other = suite_of(load(tmp_path, shuffled))

    assert other.sha256 == suite.sha256
    assert [split_sha256(other, split) for split in Split] == [split_sha256(suite, split) for split in Split]
    assert len({suite.sha256, *(split_sha256(suite, split) for split in Split)}) == 3


def test_hash_of_a_split_minds_its_own_cases_only(tmp_path: Path) -> None:
    changed = rows()
    changed[2]["input"] = "a tuning case asks something else"
    before, after = suite_of(load(tmp_path, rows())), suite_of(load(tmp_path, changed))

    assert split_sha256(before, Split.ACCEPTANCE) == split_sha256(after, Split.ACCEPTANCE)
    assert split_sha256(before, Split.TUNING) != split_sha256(after, Split.TUNING)


def test_test_set_beside_a_skill_is_found(tmp_path: Path) -> None:
    assert find_testset(tmp_path) is None
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals/testset.json").touch()
    assert find_testset(tmp_path) == tmp_path / "evals/testset.json"
    (tmp_path / "testset.json").touch()
    assert find_testset(tmp_path) == tmp_path / "testset.json"


Values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats() | st.sampled_from(["", "x", "tuning", "(a", "/"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["names", "a"]), inner, max_size=2),
    max_leaves=6,
)
Rows = st.lists(st.dictionaries(st.sampled_from([*KEYS, "query", ""]), Values, max_size=6) | Values, max_size=12)
Bytes = (
    st.binary(max_size=120)
    | Rows.map(lambda value: json.dumps(value).encode())
    | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace"))
)


@given(content=Bytes)
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any-testset.json"
    path.write_bytes(content)

    for enforce_floors in (True, False):
        assert all(str(fault).encode() for fault in faults(read_testset(path, enforce_floors=enforce_floors)))


SAME = ("Draw a MAP of the harbour", "draw a map\u200b of the har\u00adbour", "\ufeffｄｒａｗ a map of　the harbour ")


@pytest.mark.parametrize("words", SAME)
@pytest.mark.parametrize("kind", ["should_trigger", "should_not_trigger"])
def test_the_same_words_with_opposite_labels_are_refused(tmp_path: Path, words: str, kind: str) -> None:
    content = rows()
    content[2] |= {"input": words, "type": kind}
    codes = [finding.code for finding in load(tmp_path, content).findings if finding.code.endswith("-input")]

    assert codes == ["duplicate-input" if kind == "should_trigger" else "contradictory-input"]


def test_bytes_are_read_as_their_file_is(tmp_path: Path) -> None:
    path = save(tmp_path, rows())
    raw = read_bytes(path)

    assert raw == path.read_bytes()
    assert isinstance(raw, bytes)
    path.unlink()
    loaded = read_testset_bytes(raw, str(path))
    assert loaded == read_testset(save(tmp_path, rows()))
    assert faults(read_testset_bytes(b"[{}]", str(path)))


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs /dev/fd")
def test_a_pipe_is_refused_and_never_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "testset.json"
    os.mkfifo(pipe)
    reading, writing = os.pipe()
    os.write(writing, json.dumps(rows()).encode())
    paths = [pipe, Path(f"/dev/fd/{reading}"), Path("/dev/zero")]
    found = [read_testset(path).findings for path in paths]
    os.close(reading)
    os.close(writing)

    for (finding,) in found:
        assert (finding.code, finding.message) == ("not-regular", "is no regular file; save it to a file first")
    assert find_testset(tmp_path) == pipe


def test_no_folder_makes_the_search_for_a_test_set_fail(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name in ("x" * 5000, "y/" * 5000, "a\0b", "loop", "gone"):
        assert find_testset(tmp_path / name) is None


def test_five_thousand_cases_are_checked_quickly(tmp_path: Path) -> None:
    """Made from few templates, so that most pairs share most of their pieces."""
    verbs, things = ("draw", "plan", "check", "make", "show"), ("map", "route", "legend", "chart", "tile", "mark")
    content = [
        {**rows()[n % 4], "id": f"c{n}", "tag": f"t{n}",
         "input": f"please {verbs[n % 5]} the {things[n % 6]} number {n} for the {things[n % 4]} at {n * 7 % 97}"}
        for n in range(5000)
    ]  # fmt: skip
    path = save(tmp_path, content)
    started = time.process_time()

    assert len(suite_of(read_testset(path)).cases) == 5000
    assert time.process_time() - started < 20  # of this process: about 2 s; 27 s when each pair was compared


def test_characters_that_nobody_sees_are_those_that_unicode_names() -> None:
    unseen = regex.compile(r"\p{Default_Ignorable_Code_Point}")
    known = {chr(code) for code in range(sys.maxunicode + 1) if unseen.match(chr(code))}
    fillers = {"\u3164", "\uffa0"}  # compatibility forms of U+1160, which is one too

    assert {char for char in known if same_words(f"é{char}é") != same_words("éé")} == set()
    assert fillers < known
    assert [
        char for char in map(chr, range(0xA1, 0x3000)) if char not in known and same_words(f"x{char}y") == "xy"
    ] == []

"""Candidate JSONL is read strictly, and all its faults are told at once."""

import json
import os
from pathlib import Path

import pytest

from skill_evaluator.agents.candidates import read_candidates
from skill_evaluator.errors import InputError
from skill_evaluator.model import Failure, FailureKind, Finding, Run, ToolCall, Usage


def read(tmp_path: Path, *rows: object) -> tuple[Run, ...]:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return tuple(run for _, run in read_candidates(path, skill_name="level-maker"))


def refused(path: Path) -> tuple[Finding, ...]:
    with pytest.raises(InputError) as caught:
        read_candidates(path, skill_name="level-maker")
    return caught.value.findings


def test_full_line_becomes_a_run(tmp_path: Path) -> None:
    row = {
        "case_id": "题一",
        "text": "完成",
        "raw_response": "raw",
        "index": 0,
        "skills_invoked": ["other", "demo:level-maker"],
        "tool_calls": ["read", {"name": "write", "arguments": {"path": "a"}, "result": "ok"}],
        "duration_s": 2,
        "usage": {"input_tokens": 10, "output_tokens": 2, "cost_usd": 0.5},
    }

    assert read(tmp_path, row) == (
        Run(
            case_id="题一",
            index=0,
            triggered=True,
            output="完成",
            raw_response="raw",
            skills_invoked=("other", "demo:level-maker"),
            tool_calls=(
                ToolCall(name="read", arguments=None),
                ToolCall(name="write", arguments={"path": "a"}, result="ok"),
            ),
            duration_s=2.0,
            usage=Usage(input_tokens=10, output_tokens=2, cost_usd=0.5),
        ),
    )


def test_an_input_that_was_not_recorded_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    calls = ["a", {"name": "b"}, {"name": "c", "arguments": None}, {"name": "d", "arguments": {}}]

    (run,) = read(tmp_path, {"case_id": "a", "tool_calls": calls})
    assert [call.arguments for call in run.tool_calls or ()] == [None, None, None, {}]


def test_short_line_says_no_more_than_it_does(tmp_path: Path) -> None:
    assert read(tmp_path, {"case_id": "a"}) == (Run(case_id="a"),)


@pytest.mark.parametrize(
    ("row", "triggered"),
    [
        ({}, None),
        ({"text": "hello", "tool_calls": []}, None),
        ({"skills_invoked": []}, False),
        ({"skills_invoked": ["level-maker-pro"]}, False),
        ({"skills_invoked": ["level-maker-pro", "level-maker"]}, True),
        ({"triggered": True}, True),
        ({"triggered": False}, False),
        ({"triggered": True, "skills_invoked": ["level-maker"]}, True),
        ({"triggered": False, "skills_invoked": ["other"]}, False),
        ({"triggered": None, "skills_invoked": ["level-maker"]}, True),
    ],
)
def test_trigger_is_what_was_recorded_and_never_guessed(
    tmp_path: Path, row: dict[str, object], triggered: bool | None
) -> None:
    (run,) = read(tmp_path, {"case_id": "a", **row})

    assert run.triggered is triggered


def test_recorded_error_says_nothing_about_the_trigger(tmp_path: Path) -> None:
    error = {"kind": "rate_limit", "message": "slow down"}

    (run,) = read(tmp_path, {"case_id": "a", "skills_invoked": ["level-maker"], "error": error})
    assert run.failure == Failure(kind=FailureKind.RATE_LIMIT, message="slow down")
    assert run.triggered is None


def test_repeated_lines_are_repetitions_in_order(tmp_path: Path) -> None:
    runs = read(tmp_path, *({"case_id": case, "text": str(n)} for n, case in enumerate("abaab")))

    assert [(run.case_id, run.index, run.output) for run in runs] == [
        ("a", 0, "0"),
        ("b", 0, "1"),
        ("a", 1, "2"),
        ("a", 2, "3"),
        ("b", 1, "4"),
    ]


def test_byte_order_mark_crlf_empty_lines_and_line_separators_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"case_id": "a", "text": "x\xe2\x80\xa8y"}\r\n\r\n{"case_id": "b"}')

    (first, run), (second, _) = read_candidates(path, skill_name="s")
    assert (first, second) == (1, 3)
    assert run.output == "x\u2028y"


def test_all_faults_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    lines = (
        '{"case_id": "a", "skils_invoked": [], "colour": 1}',
        "{oops",
        '["case_id"]',
        '{"text": "x"}',
        '{"case_id": "b", "triggered": "false", "tool_calls": [{"nme": "read"}, 5]}',
        '{"case_id": "c", "error": {"kind": "slow", "message": "m"}, "usage": {"tokens": 1}}',
        '{"case_id": "d", "index": 0}',
        '{"case_id": "d", "index": 0}',
        '{"case_id": "e", "triggered": false, "skills_invoked": ["level-maker"]}',
        '{"case_id": "f", "triggered": true, "error": {"kind": "api", "message": "m"}}',
        '{"case_id": "g", "duration_s": NaN}',
        '{"case_id": "h", "index": -1, "duration_s": -2}',
        '{"case_id": ""}',
        '{"case_id": "i", "index": true}',
    )
    path.write_text("\n".join(lines), "utf-8")

    findings = refused(path)
    assert [(finding.line, finding.code, finding.pointer) for finding in findings] == [
        (1, "unknown-key", "/skils_invoked"),
        (1, "unknown-key", "/colour"),
        (2, "not-json", None),
        (3, "not-json", None),
        (4, "missing-key", "/case_id"),
        (5, "wrong-value", "/triggered"),
        (5, "missing-key", "/tool_calls/0/name"),
        (5, "unknown-key", "/tool_calls/0/nme"),
        (5, "wrong-value", "/tool_calls/1"),
        (6, "wrong-value", "/error/kind"),
        (6, "unknown-key", "/usage/tokens"),
        (8, "duplicate-index", None),
        (9, "contradiction", None),
        (10, "contradiction", None),
        (11, "not-json", None),
        (12, "wrong-value", "/index"),
        (12, "wrong-value", "/duration_s"),
        (13, "wrong-value", "/case_id"),
        (14, "wrong-value", "/index"),
    ]
    by_pointer = {finding.pointer: finding for finding in findings}
    assert "did you mean 'skills_invoked'?" in by_pointer["/skils_invoked"].message
    assert "case_id" in by_pointer["/colour"].message
    assert "did you mean 'name'?" in by_pointer["/tool_calls/0/nme"].message
    assert "'false'" in by_pointer["/triggered"].message
    assert "line 7" in findings[11].message
    assert {finding.file for finding in findings} == {str(path)}
    assert by_pointer["/usage/tokens"].case == "c"


def test_file_that_is_no_utf_8_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "gbk.jsonl"
    path.write_bytes('{"case_id": "题"}'.encode("gbk"))

    (finding,) = refused(path)
    assert finding.code == "not-utf-8"
    assert "byte 13" in finding.message


def test_missing_file_is_refused_in_words(tmp_path: Path) -> None:
    (finding,) = refused(tmp_path / "none.jsonl")

    assert finding.code == "unreadable"


def test_session_given_as_candidates_says_where_it_belongs(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text('{"type": "system", "subtype": "init"}\n{"type": "result"}\n', "utf-8")

    (finding,) = refused(path)
    assert finding.code == "stream-as-candidates"
    assert "<case id>.<n>.jsonl" in finding.message


def written(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    return path


@pytest.mark.parametrize("index", ["1000", "2025", "300000000", "1" + "0" * 30])
def test_repetition_beyond_all_sense_is_refused_with_its_line(tmp_path: Path, index: str) -> None:
    (finding,) = refused(written(tmp_path, '{"case_id": "a"}', f'{{"case_id": "a", "index": {index}}}'))

    assert (finding.line, finding.code, finding.pointer) == (2, "wrong-value", "/index")
    assert finding.message == f"`index` should be a whole number from 0 to 999, found {index}"


def test_more_lines_of_a_case_than_repetitions_make_sense_are_refused(tmp_path: Path) -> None:
    row = '{"case_id": "a"}'

    assert len(read_candidates(written(tmp_path, *[row] * 1000), skill_name="s")) == 1000
    (finding,) = refused(written(tmp_path, *[row] * 1002))
    assert (finding.line, finding.code) == (1001, "too-many-repetitions")


def test_gap_among_the_repetitions_of_a_case_is_refused_with_its_line(tmp_path: Path) -> None:
    rows = [("a", 0), ("b", 1), ("a", 4), ("a", 1), ("a", 3), ("b", 0)]

    (finding,) = refused(written(tmp_path, *(json.dumps({"case_id": case, "index": n}) for case, n in rows)))
    assert (finding.line, finding.code, finding.case) == (5, "index-gap", "a")
    assert "repetition 2 of this case is recorded nowhere" in finding.message


def test_broken_line_is_not_told_again_as_a_gap(tmp_path: Path) -> None:
    lines = ['{"case_id": "a", "index": 0}', "{oops", '{"case_id": "a", "index": 2}']

    assert [finding.code for finding in refused(written(tmp_path, *lines))] == ["not-json"]


@pytest.mark.parametrize(
    "more",
    [
        '"tool_calls": [{"name": "t", "arguments": {"a": 1e400}}]',
        '"tool_calls": [{"name": "t", "arguments": {"a": [-1e400]}}]',
        '"text": "first", "text": "second"',
        '"tool_calls": [{"name": "t", "arguments": {"a": 1, "a": 2}}]',
        '"index": ' + "9" * 5000,
    ],
)
def test_what_json_readers_would_silently_change_is_refused(tmp_path: Path, more: str) -> None:
    (finding,) = refused(written(tmp_path, "", f'{{"case_id": "a", {more}}}'))

    assert (finding.line, finding.code) == (2, "not-json")
    assert len(finding.message) < 200
    assert "set_int_max" not in finding.message


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ('"duration_s": 1e10', "/duration_s"),
        ('"duration_s": 1' + "0" * 400, "/duration_s"),
        ('"usage": {"cost_usd": 1e308}', "/usage/cost_usd"),
        ('"usage": {"input_tokens": 1' + "0" * 400 + "}", "/usage/input_tokens"),
        ('"usage": {"output_tokens": 1000000000001}', "/usage/output_tokens"),
    ],
)
def test_figures_that_cannot_be_are_refused(tmp_path: Path, more: str, pointer: str) -> None:
    (finding,) = refused(written(tmp_path, f'{{"case_id": "a", {more}}}'))

    assert (finding.line, finding.code, finding.pointer) == (1, "wrong-value", pointer)
    assert len(finding.message) < 200


def test_largest_figures_are_taken(tmp_path: Path) -> None:
    usage = {"input_tokens": 10**12, "output_tokens": 0, "cost_usd": 10**9}

    (run,) = read(tmp_path, {"case_id": "a", "index": 0, "duration_s": 10**9, "usage": usage})
    assert run.usage == Usage(input_tokens=10**12, output_tokens=0, cost_usd=1e9)


@pytest.mark.parametrize("names", [[], ["other"], ["level-maker-pro"]])
def test_skill_that_fired_without_being_among_the_invoked_is_a_contradiction(tmp_path: Path, names: list[str]) -> None:
    row = {"case_id": "a", "triggered": True, "skills_invoked": names}

    (finding,) = refused(written(tmp_path, json.dumps(row)))
    assert (finding.line, finding.code, finding.case) == (1, "contradiction", "a")
    assert "'level-maker'" in finding.message
    assert "leave" in finding.message


@pytest.mark.parametrize("depth", [99, 100, 101, 300, 900])
def test_arguments_nested_too_deep_for_the_journal_are_refused(tmp_path: Path, depth: int) -> None:
    """The arguments are one level themselves."""
    nested = '{"a": ' + "[" * (depth - 1) + "]" * (depth - 1) + "}"
    row = f'{{"case_id": "a", "text": "\\ud83d", "tool_calls": [{{"name": "t", "arguments": {nested}}}]}}'
    path = written(tmp_path, row)

    if depth <= 100:
        assert len(read_candidates(path, skill_name="s")) == 1
        return
    (finding,) = refused(path)
    assert finding.line == 1
    assert "deep" in finding.message or "levels" in finding.message


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"triggered": "yes"}, "`triggered` should be true or false, found 'yes'"),
        ({"triggered": 1}, "`triggered` should be true or false, found 1"),
        ({"text": None, "raw_response": 5}, "`raw_response` should be text, found 5"),
        ({"text": ["x"]}, "`text` should be text, found a list"),
        ({"index": True}, "`index` should be a whole number from 0 to 999, found true"),
        ({"skills_invoked": "level-maker"}, "`skills_invoked` should be a list of names, found 'level-maker'"),
        ({"skills_invoked": [None]}, "`skills_invoked/0` should be text, found null"),
        ({"error": {"kind": "api", "message": {}}}, "`error/message` should be text, found an object"),
        (
            {"error": {"kind": "slow", "message": ""}},
            (
                "`error/kind` should be one of timeout, api, auth, rate_limit, crash, agent_missing, "
                "skill_not_listed, found 'slow'"
            ),
        ),
        ({"usage": 3}, "`usage` should be an object, found 3"),
        ({"usage": {"cost_usd": -0.5}}, "`usage/cost_usd` should be a number from 0 to 1,000,000,000, found -0.5"),
        ({"duration_s": "1"}, "`duration_s` should be a number of seconds from 0 to 1,000,000,000, found '1'"),
        ({"text": "x" * 3, "case_id": ""}, "`case_id` should be text that is not empty, found ''"),
        (
            {"tool_calls": [5]},
            "`tool_calls/0` should be a name, or an object with name, arguments and result, found 5",
        ),
    ],
)
def test_wrong_value_says_what_it_should_be_in_everyday_words(
    tmp_path: Path, more: dict[str, object], message: str
) -> None:
    first, *_ = refused(written(tmp_path, json.dumps({"case_id": "a", **more})))

    assert first.message == message


TESTSET = [
    {"id": "p0", "input": "make a level", "type": "should_trigger", "split": "tuning"},
    {"id": "p1", "input": "what is 2 + 2", "expected_trigger": False, "split": "acceptance"},
]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(TESTSET),
        json.dumps(TESTSET, indent=2),
        "[\n" + ",\n".join(json.dumps(row) for row in TESTSET) + "\n]\n",
        "\n".join(json.dumps(row) for row in TESTSET),
    ],
)
def test_test_set_given_as_recordings_is_told_in_one_finding(tmp_path: Path, text: str) -> None:
    (finding,) = refused(written(tmp_path, text))

    assert finding.code == "testset-as-recordings"
    assert "is a test set; recordings are what an agent answered" in finding.message


def test_one_answer_over_several_lines_is_told_in_one_finding(tmp_path: Path) -> None:
    (finding,) = refused(written(tmp_path, json.dumps({"case_id": "a"}, indent=2)))

    assert finding.code == "not-json-lines"


@pytest.mark.parametrize("indent", [None, 2])
def test_answers_in_one_json_list_are_told_in_one_finding(tmp_path: Path, indent: int | None) -> None:
    (finding,) = refused(written(tmp_path, json.dumps([{"case_id": "a"}, {"case_id": "b"}], indent=indent)))

    assert finding.code == "not-json-lines"
    assert "one object a line" in finding.message


def test_lines_that_are_no_objects_are_shown_by_kind(tmp_path: Path) -> None:
    findings = refused(written(tmp_path, "[" * 900 + "]" * 900, "5", '"x"', "null"))

    assert [finding.message.rpartition("found ")[2] for finding in findings] == ["a list", "5", "'x'", "null"]


def test_pipe_is_refused_unopened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    (finding,) = refused(tmp_path / "pipe")
    assert finding.code == "unreadable"
    assert "regular file" in finding.message

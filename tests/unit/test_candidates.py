"""Candidate JSONL is read strictly, and all its faults are told at once."""

import json
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
        "index": 1,
        "skills_invoked": ["other", "demo:level-maker"],
        "tool_calls": ["read", {"name": "write", "arguments": {"path": "a"}, "result": "ok"}],
        "duration_s": 2,
        "usage": {"input_tokens": 10, "output_tokens": 2, "cost_usd": 0.5},
    }

    assert read(tmp_path, row) == (
        Run(
            case_id="题一",
            index=1,
            triggered=True,
            output="完成",
            raw_response="raw",
            skills_invoked=("other", "demo:level-maker"),
            tool_calls=(ToolCall(name="read"), ToolCall(name="write", arguments={"path": "a"}, result="ok")),
            duration_s=2.0,
            usage=Usage(input_tokens=10, output_tokens=2, cost_usd=0.5),
        ),
    )


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
        ({"triggered": True, "skills_invoked": []}, True),  # its SKILL.md was opened
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

"""Files of candidates: what is taken, and every fault of the others at once."""

import codecs
import json
import os
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import skill_evaluator.formats.evalcase
from skill_evaluator.errors import InputError
from skill_evaluator.formats.evalcase import candidates as module
from skill_evaluator.formats.evalcase.candidates import CandidateSource, open_candidates
from skill_evaluator.model import Candidate
from tests.unit.translation_files import case_row, write_rows

SCHEMA = json.loads(
    Path(skill_evaluator.formats.evalcase.__file__).with_name("candidate.schema.json").read_text("utf-8")
)
SOUND = '{"case_id": "a.001", "text": "Bonjour %s"}'


def opened(tmp_path: Path, content: bytes | str) -> CandidateSource:
    file = tmp_path / "candidates.jsonl"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return open_candidates(file)


def told(source: CandidateSource) -> list[tuple[int | None, str]]:
    return [(finding.line, finding.code) for finding in source.findings]


def found(source: CandidateSource, *ids: str) -> list[Candidate | None]:
    with source.opened() as rows:
        return [rows.find(case_id) for case_id in ids]


def test_reads_candidates_by_their_case_in_any_order(tmp_path: Path) -> None:
    source = opened(tmp_path, SOUND + '\n\n{"case_id": "b.002", "text": "", "raw_response": "1. x\\n"}\n')

    assert not source.findings
    assert source.count == 2
    assert found(source, "b.002", "a.001", "c.003") == [
        Candidate(case_id="b.002", text="", raw_response="1. x\n"),
        Candidate(case_id="a.001", text="Bonjour %s"),
        None,
    ]


@pytest.mark.parametrize(
    "content",
    [
        SOUND.encode(),
        codecs.BOM_UTF8 + SOUND.encode() + b"\n",
        b"\r\n" + SOUND.encode() + b"\r\n\r\n",
        SOUND.replace('"}', '", "raw_response": null}').encode(),
        SOUND.replace("Bonjour", "\\u0042onjour").encode(),
    ],
)
def test_marks_line_ends_blank_lines_and_escapes_do_not_matter(tmp_path: Path, content: bytes) -> None:
    assert found(opened(tmp_path, content), "a.001") == [Candidate(case_id="a.001", text="Bonjour %s")]


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ('{"case_id": "a", "text": "b", "raw_respons": null}', "unknown-field", "raw_response"),
        ('{"case_id": "a", "text": "b", "zzz": 1}', "unknown-field", "known are case_id, text, raw_response"),
        ('{"case_id": "a"}', "missing-field", "text"),
        ('{"case_id": "a", "text": null}', "wrong-value", "null"),
        ('{"case_id": "a", "text": ["b"]}', "wrong-value", "list"),
        ('{"case_id": "a", "text": {"b": 1}}', "wrong-value", "object"),
        ('{"case_id": "", "text": "b"}', "wrong-value", "case_id"),
        ('{"case_id": 7, "text": "b"}', "wrong-value", "7"),
        ('{"case_id": "a", "text": "b", "raw_response": 1}', "wrong-value", "raw_response"),
        ('{"case_id": "a", "text": "b", "text": "c"}', "duplicate-key", "text"),
        ('{"case_id": "a", "text": "\\ud83d"}', "half-character", "half of a character"),
        ("[]", "wrong-value", "a list"),
        ('"a"', "wrong-value", "an object in braces"),
        ("{'case_id': 'a'}", "not-json", "double quotes"),
        ('{"case_id": "a", "text": "b"', "not-json", "cut off"),
        ("[" * 100_000, "too-deep", "nested"),
        ("9" * 10_000, "not-a-number", "digits"),
        ('{"case_id": "a", "text": "b", "c": NaN}', "unknown-field", "c"),
    ],
)
def test_a_line_that_is_no_candidate_is_told_with_what_to_do(tmp_path: Path, line: str, code: str, words: str) -> None:
    source = opened(tmp_path, f"{SOUND}\n{line}\n")

    assert told(source) == [(2, code)]
    assert words in source.findings[0].message + str(source.findings[0].pointer)


def test_all_faults_of_all_lines_are_told_at_once(tmp_path: Path) -> None:
    lines = ['{"text": 1, "case": 2}', SOUND, "{", b"\xff".decode("latin-1"), SOUND]
    content = "\n".join(lines).encode("latin-1")

    source = opened(tmp_path, content)

    assert told(source) == [
        (1, "unknown-field"),
        (1, "missing-field"),
        (1, "wrong-value"),
        (3, "not-json"),
        (4, "not-utf8"),
        (5, "duplicate-candidate"),
    ]
    assert "line 2" in source.findings[-1].message


def test_a_file_in_another_encoding_is_told_of_once(tmp_path: Path) -> None:
    source = opened(tmp_path, "\n".join([SOUND] * 50).encode("utf-16"))

    assert told(source) == [(1, "not-utf8")]
    assert "UTF-16" in source.findings[0].message


def test_a_raw_response_may_be_long_and_a_line_beyond_the_bound_is_passed_over(tmp_path: Path) -> None:
    long = json.dumps({"case_id": "long", "text": "", "raw_response": "x" * 5_000_000})
    too_long = json.dumps({"case_id": "too-long", "text": "", "raw_response": "x" * module.MAX_LINE_BYTES})

    source = opened(tmp_path, f"{long}\n{too_long}\n{SOUND}\n")

    assert told(source) == [(2, "line-too-long")]
    assert "16,777,216 bytes" in source.findings[0].message
    assert source.count == 2


def test_a_file_of_cases_in_place_of_candidates_is_told_once(tmp_path: Path) -> None:
    source = open_candidates(write_rows(tmp_path / "cases.jsonl", [case_row(f"a.{number:03}") for number in range(9)]))

    assert told(source) == [(1, "cases-file")]
    assert "CASES CANDIDATES" in source.findings[0].message


@pytest.mark.parametrize("name", ["nowhere.jsonl", ".", "pipe"])
def test_what_is_no_regular_file_is_one_fault(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")

    source = open_candidates(tmp_path / name)

    assert [finding.line for finding in source.findings] == [None]
    assert source.count == 0


def test_very_many_unknown_fields_and_very_long_ones_are_told_in_few_words(tmp_path: Path) -> None:
    row: dict[str, object] = {"case_id": "a", "text": "b", "k" * 1_000_000: 1, "n" * 20: "v" * 1_000_000}
    row |= {f"unknown{number}": None for number in range(1_000)}

    source = opened(tmp_path, json.dumps(row))

    assert len(source.findings) <= 30
    assert all(len(str(finding)) < 1_000 for finding in source.findings)


def test_candidates_that_nobody_asks_for_are_told_in_the_order_of_the_file(tmp_path: Path) -> None:
    source = opened(tmp_path, "".join(f'{{"case_id": "{name}", "text": ""}}\n' for name in "abcd"))

    with source.opened() as rows:
        rows.find("c")
        left_over = list(rows.left_over())

    assert [(finding.line, finding.code) for finding in left_over] == [(1, "no-case"), (2, "no-case"), (4, "no-case")]
    assert '"d"' in left_over[-1].message


@pytest.mark.parametrize(
    "changed", ['{"case_id": "a.001", "text": "Bonjour %d"}', '{"case_id": "b.001", "text": "Bonjour %s"}', "", "{"]
)
def test_a_file_that_changes_after_it_was_checked_is_never_misread(tmp_path: Path, changed: str) -> None:
    source = opened(tmp_path, SOUND)
    (tmp_path / "candidates.jsonl").write_text(changed, "utf-8")

    with source.opened() as rows, pytest.raises(InputError, match="was changed while") as caught:
        rows.find("a.001")

    assert caught.value.findings[0].line == 1


def test_a_file_that_goes_after_it_was_checked_is_told(tmp_path: Path) -> None:
    source = opened(tmp_path, SOUND)
    (tmp_path / "candidates.jsonl").unlink()

    with pytest.raises(InputError, match="no such file"), source.opened():
        pass


@pytest.mark.parametrize(
    ("row", "is_sound"),
    [
        ({"case_id": "a", "text": ""}, True),
        ({"case_id": "a", "text": "b", "raw_response": None}, True),
        ({"case_id": "a", "text": "b", "raw_response": "c"}, True),
        ({"case_id": "a"}, False),
        ({"case_id": "", "text": "b"}, False),
        ({"case_id": "a", "text": None}, False),
        ({"case_id": "a", "text": "b", "raw_response": 1}, False),
        ({"case_id": "a", "text": "b", "more": 1}, False),
        ([], False),
    ],
)
def test_the_published_schema_takes_what_is_read_and_refuses_the_rest(
    tmp_path: Path, row: object, *, is_sound: bool
) -> None:
    Draft202012Validator.check_schema(SCHEMA)

    assert Draft202012Validator(SCHEMA).is_valid(row) is is_sound
    assert (not opened(tmp_path, json.dumps(row)).findings) is is_sound

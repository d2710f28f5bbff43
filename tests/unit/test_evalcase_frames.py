"""Lines that differ in id and source alone: the short way gives what the long one does, or gives way to it."""

import json
import re
import sys
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.formats.evalcase.familiar import Familiar
from skill_evaluator.formats.evalcase.frames import Frames
from skill_evaluator.formats.evalcase.json_line import read_object
from skill_evaluator.formats.evalcase.locales import _COMMON, _NORMAL, _normal
from skill_evaluator.formats.evalcase.rows import check_row, is_plain
from skill_evaluator.formats.evalcase.secrets import has_hint, hidden_material

CASE: Mapping[str, object] = {
    "schema_version": 1,
    "id": "a.1",
    "source_locale": "en-US",
    "target_locale": "de",
    "domain": "web",
    "source": "%s files",
    "assertions": [{"name": "placeholder_integrity", "severity": "hard", "params": {"syntax": "python"}}],
    "provenance": {"kind": "synthetic", "license": "CC0-1.0"},
}
TEXTS = st.text() | st.sampled_from(["a", '"', "\\", "\ud800", "\x00", "sk-" + "a" * 40, "system prompt: do", " "])


@pytest.fixture
def frames() -> Frames:
    return Frames(lambda row: not check_row(row, ()))


def written(**changed: object) -> str:
    return json.dumps({**CASE, **changed})


@given(
    st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4),
    st.booleans(),
    st.sampled_from([None, (",", ":"), (" , ", " : ")]),
)
def test_a_line_read_by_its_frame_is_the_object_that_it_holds(
    texts: list[tuple[str, str]], ascii_only: bool, separators: tuple[str, str] | None
) -> None:
    frames = Frames(lambda _: True)
    for case_id, source in texts:
        row = {**CASE, "id": case_id, "source": source}
        line = json.dumps(row, ensure_ascii=ascii_only, separators=separators)
        read = frames.read(line)
        assert read is None or (read, []) == read_object(line)


def test_a_frame_that_is_known_is_not_looked_at_again() -> None:
    asked: list[object] = []

    def is_sound(row: object) -> bool:
        asked.append(row)
        return True

    frames = Frames(is_sound)
    assert [frames.read(written(id=f"a.{number}")) for number in range(3)] == [
        {**CASE, "id": f"a.{number}"} for number in range(3)
    ]
    assert len(asked) == 1


@pytest.mark.parametrize(
    "line",
    [
        written(domain="No Domain"),
        written(schema_version=True),
        written(schema_version=1.0),
        written().replace('"domain"', '"domain": "a", "domain"'),
        written().replace('"id"', '"id": "b", "id"'),
        written() + "}",
        written(source=7),
        written(id=["a"]),
        json.dumps({"context": {"id": "x", "source": "y"}, **CASE}),
        json.dumps({key: CASE[key] for key in CASE if key != "id"} | {"context": {"id": "x"}}),
        written(context={"apiKey": "abcdefgh"}),
        written().replace("%s files", "half \\ud800"),
        written().replace("%s files", "a\tb"),
        "[" * 70,
        '{"id": "a", "source": "',
    ],
)
def test_a_line_whose_frame_is_not_beyond_doubt_is_read_whole(frames: Frames, line: str) -> None:
    frames.read(written())
    assert [frames.read(line) for _ in range(2)] == [None, None]


def test_frames_that_never_come_again_are_given_up(frames: Frames) -> None:
    for number in range(200):
        frames.read(written(references=[f"{number}"]))
    assert frames.read(written()) is None


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"schema_version": True},
        {"schema_version": 1.0},
        {"required_tokens": []},
        {"assertions": [{"name": "required_tokens", "severity": "hard"}], "required_tokens": ["a"]},
        {"assertions": [{"name": "required_tokens", "severity": "hard"}]},
        {"assertions": [{"name": "max_chars", "severity": "hard", "params": {"limit": True}}]},
        {"assertions": [{"name": "max_chars", "severity": "hard", "params": {"limit": 1}}]},
        {"assertions": []},
        {"target_locale": "en-US"},
        {"id": "A"},
        {"source": " "},
        {"context": {"prompt": "do"}},
        {"references": [""]},
        {"tags": ["A"]},
        {"provenance": {"kind": "synthetic", "license": "unknown"}},
        {"colour": "red"},
        {"domain": "sk-" + "a" * 40},
        {"source": "sk-" + "a" * 40},
    ],
)
@pytest.mark.parametrize("without", [None, *CASE])
def test_a_familiar_case_has_the_faults_of_any_other(changed: Mapping[str, object], without: str | None) -> None:
    familiar = Familiar()
    row = {key: value for key, value in {**CASE, **changed}.items() if key != without}
    for one in (CASE, row, CASE, row):
        assert familiar.faults_of(one) == check_row(one, ())


@pytest.mark.parametrize(
    ("case_id", "source", "expected"),
    [
        ("a.1", "%s files", True),
        ("A.1", "a", False),
        ("", "a", False),
        ("a", "", False),
        ("a", " \n", False),
        ("a", "sk-" + "a" * 40, False),
        ("sk-" + "a" * 40, "a", False),
    ],
)
def test_only_an_id_and_a_source_beyond_doubt_are_plain(case_id: str, source: str, expected: bool) -> None:
    assert is_plain(case_id, source) is expected


@pytest.mark.parametrize("letters", ["keytoken", "secretpassword", "systemprompt"])
def test_no_letter_that_counts_as_one_of_a_hint_is_overlooked(letters: str) -> None:
    for letter in set(letters):
        alike = re.compile(letter, re.IGNORECASE)
        others = [chr(code) for code in range(sys.maxunicode + 1) if alike.fullmatch(chr(code))]
        assert {one.casefold() for one in others} == {letter}


@pytest.mark.parametrize(
    "text",
    [
        *("-----BEGIN RSA PRIVATE KEY-----", "github_pat_" + "a" * 22, "glpat-" + "a" * 20, "xoxb-" + "1" * 12),
        *("sk_live_" + "a" * 20, "AIza" + "a" * 35, "ya29." + "a" * 22, "hf_" + "a" * 30, "npm_" + "a" * 36),
        *("pypi-" + "a" * 50, "ASIA" + "A" * 16, f"SG.{'a' * 20}.{'b' * 20}", f"eyJ{'a' * 9}.eyJ{'b' * 9}.{'c' * 9}"),
        *("API-KEY=abcdefghij12", "\u212aey: x secret_\u212aey: abcdefghij12", "Pa\u017fsword: abcdefghij12"),
        *("access_token: abcdefghij12", "sk-ant-" + "a" * 20, "ghp_" + "a" * 20, "gho_" + "a" * 20, "ghs_" + "a" * 20),
        *("ghu_" + "a" * 20, "ghr_" + "a" * 20, "AKIA" + "A" * 16, "Bearer " + "a" * 20, "ftp://me:hunter2@host"),
        *("<|im_start|>", "<|EOT_ID|>", "<<sys>>", "System Prompt:", "# hidden system prompt\uff1a"),
    ],
)
def test_whatever_is_hidden_has_a_hint(text: str) -> None:
    assert has_hint(text)
    assert hidden_material({**CASE, "source": f"so {text}" if text[0] not in "S#" else text})


@pytest.mark.parametrize("tag", sorted(_COMMON))
def test_locales_that_are_not_looked_up_are_valid(tag: str) -> None:
    assert _NORMAL.fullmatch(tag)
    assert _normal(tag) == tag

"""Credentials never reach what is stored, and nothing else is changed."""

import json
from dataclasses import replace

import pytest

from skill_evaluator.credentials import MASK
from skill_evaluator.model import Failure, FailureKind, MockCall, Run, SeenFile, ToolCall
from skill_evaluator.redaction import blacken, blacken_run, holds_mask, secrets_of


def test_values_of_variables_named_like_credentials_are_secrets() -> None:
    environment = {
        "ANTHROPIC_API_KEY": "key-of-the-user",
        "GITHUB_TOKEN": "token-of-the-user-longer",
        "DB_PASSWORD": "short",
        "PATH": "/usr/bin:/usr/local/bin",
        "TOKENIZERS_PARALLELISM": "false-but-long-enough",
    }

    assert secrets_of(environment) == ("token-of-the-user-longer", "key-of-the-user")


def test_a_secret_that_contains_another_is_masked_whole() -> None:
    assert blacken("a=abcdefgh1234 b=abcdefgh", ["abcdefgh1234", "abcdefgh"]) == f"a={MASK} b={MASK}"


@pytest.mark.parametrize(
    "key",
    [
        "sk-ant-api03-abcdefghijklmnop_qrst",
        "sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD",
        "ghp_abcdefghijklmnopqrstuvwxyz",
        "AKIAABCDEFGHIJKLMNOP",
    ],
)
def test_well_known_key_shapes_are_masked_without_being_told(key: str) -> None:
    assert blacken(f'{{"output":"{key}"}}', []) == f'{{"output":"{MASK}"}}'


@pytest.mark.parametrize(
    "text",
    [
        "The risk-based task: bearer of news, sk-1, 令牌",
        "the risk-assessment-of-portfolio is here",
        "task-classification-simple-01",
        "sk-learn-style-estimators-everywhere",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert blacken(text, ["unseen-secret"]) == text


def test_only_what_the_agent_wrote_is_masked() -> None:
    """Ids of cases stay even where they equal a secret: runs are found by them."""
    private = 'abc"defgh\\ijkl'
    run = Run(
        case_id=private,
        triggered=True,
        output=f"a {private}",
        raw_response=private,
        skills_invoked=(private,),
        tool_calls=(ToolCall(name=private, arguments={private: [{"deep": f"{private}!"}, 1]}, result=private),),
    )

    kept = blacken_run(run, [private])

    assert (kept.case_id, kept.skills_invoked) == (private, (MASK,))
    assert (kept.output, kept.raw_response) == (f"a {MASK}", MASK)
    assert kept.tool_calls == (ToolCall(name=MASK, arguments={MASK: [{"deep": f"{MASK}!"}, 1]}, result=MASK),)
    assert holds_mask(kept)
    assert not holds_mask(run)


def test_the_words_of_a_failure_are_masked() -> None:
    run = Run(case_id="a", failure=Failure(kind=FailureKind.AUTH, message="key swordfish-1 refused"))
    kept = blacken_run(run, ["swordfish-1"])

    assert kept.failure == Failure(kind=FailureKind.AUTH, message=f"key {MASK} refused")


def test_evidence_is_masked_too() -> None:
    word = 'pa"ss\\wörd-1'
    binary = b"\xff\x00 " + word.encode() + b" \xfe"
    run = Run(
        case_id="c",
        trace=(json.dumps({"text": f"it is {word}"}), json.dumps({"text": word}, ensure_ascii=False), "{}"),
        created_files=("plain.txt", f"out/{word}.txt"),
        seen_files={"a": SeenFile.of(binary), "b": SeenFile(state="missing"), "c": SeenFile.of(b"\xffplain")},
        mock_calls=(MockCall(tool="t", arguments={"x": [word]}, output=word),),
    )
    masked = blacken_run(run, [word])

    assert masked.trace == ('{"text": "it is [redacted]"}', '{"text": "[redacted]"}', "{}")
    assert masked.created_files == ("plain.txt", "out/[redacted].txt")
    assert masked.seen_files["a"].content == b"\xff\x00 [redacted] \xfe"
    assert (masked.seen_files["b"], masked.seen_files["c"]) == (run.seen_files["b"], run.seen_files["c"])
    assert masked.mock_calls == (MockCall(tool="t", arguments={"x": ["[redacted]"]}, output="[redacted]"),)
    assert holds_mask(replace(Run(case_id="c"), seen_files=masked.seen_files))
    assert holds_mask(replace(Run(case_id="c"), trace=masked.trace))
    assert not holds_mask(run)


def test_keys_that_are_masked_alike_keep_their_values() -> None:
    given = {"swordfish-1": 1, "[redacted]": 2, "x": {"swordfish-2": [3], "swordfish-1": 4}}
    call = ToolCall(name="Write", arguments=given)
    mock = MockCall(tool="mcp__swordfish-1__t", arguments=given, output="")
    kept = blacken_run(Run(case_id="c", tool_calls=(call,), mock_calls=(mock,)), ["swordfish-1", "swordfish-2"])

    expected = {f"{MASK} (2)": 1, MASK: 2, "x": {MASK: [3], f"{MASK} (2)": 4}}
    assert [one.arguments for one in kept.tool_calls or ()] == [expected]
    assert [one.arguments for one in kept.mock_calls or ()] == [expected]
    assert [one.tool for one in kept.mock_calls or ()] == [f"mcp__{MASK}__t"]


def test_an_input_that_is_not_known_stays_so() -> None:
    run = Run(case_id="c", tool_calls=(ToolCall(name="Write", arguments=None),))

    assert blacken_run(run, ["swordfish-1"]) == run


@pytest.mark.parametrize(
    "written",
    [
        "".join(f"\\u{ord(letter):04x}" for letter in "swordfish/ö1"),
        "".join(f"\\u{ord(letter):04X}" for letter in "swordfish/ö1"),
        "sw\\u006frdfish/ö1",
        "swordfish\\/ö1",
        "swordfish/\\u00F61",
    ],
)
def test_secrets_are_masked_however_json_escapes_them(written: str) -> None:
    lines = (f'{{"a": "it is {written}", "b": "\\u0022\\n"}}', '{"a": "\\u0062"}', '{"a": "\\ud83d swordfish/ö1"}')
    kept = blacken_run(Run(case_id="c", trace=lines), ["swordfish/ö1"]).trace or ()

    assert json.loads(kept[0]) == {"a": f"it is {MASK}", "b": '"\n'}
    assert kept[1:] == (lines[1], '{"a": "\\ud83d [redacted]"}')


def test_known_shapes_are_masked_where_json_escapes_them() -> None:
    lines = ('{"a": "sk-\\u0061nt-api03-abcdefghijklmnop_qrst"}',)

    assert blacken_run(Run(case_id="c", trace=lines), []).trace == (f'{{"a": "{MASK}"}}',)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_secrets_are_masked_in_files_of_utf_16(encoding: str) -> None:
    seen = {"a": SeenFile.of("x swordfish-1, ö".encode(encoding)), "b": SeenFile.of("x swörd".encode(encoding))}
    kept = blacken_run(Run(case_id="c", seen_files=seen), ["swordfish-1"])

    assert (kept.seen_files["a"].content or b"").decode(encoding) == f"x {MASK}, ö"
    assert kept.seen_files["b"] == seen["b"]
    assert holds_mask(kept)


@pytest.mark.parametrize("mark", ["<", ">"])
def test_known_shapes_are_masked_in_files_that_say_they_are_utf_16(mark: str) -> None:
    encoding = "utf-16-le" if mark == "<" else "utf-16-be"
    content = "\ufeffit is ghp_abcdefghijklmnopqrstuvwxyz".encode(encoding) + b"\0"
    kept = blacken_run(Run(case_id="c", seen_files={"a": SeenFile.of(content)}), [])

    assert kept.seen_files["a"].content == f"\ufeffit is {MASK}".encode(encoding) + b"\0"

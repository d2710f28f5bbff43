"""Grader `regex`: a pattern over a text of the run."""

import json

import pytest

from skill_evaluator.graders.suite import FileTarget, Llm, Regex, Target
from skill_evaluator.graders.suite.views import WHY_NO_LIST, view
from skill_evaluator.model import OUTPUT_GAP, MockCall, Outcome, Run, SeenFile
from tests.unit.suite_runs import assistant, text, tool_use


def said(words: str) -> Run:
    return Run(case_id="c", output=words)


@pytest.mark.parametrize(
    ("pattern", "flags", "match", "words", "passed"),
    [
        ("ok", "", "contains", "it is ok", True),
        ("OK", "", "contains", "it is ok", False),
        ("OK", "i", "contains", "it is ok", True),
        ("^answer$", "", "contains", "answer", True),
        ("^answer$", "", "contains", "answer\n", False),  # the message is not trimmed
        ("^$", "", "contains", "", True),
        ("", "", "contains", "", True),
        ("k", "y", "contains", "ok", False),
        ("ok", "", "not_contains", "it is ok", False),
        ("no", "", "not_contains", "it is ok", True),
        ("o", "", "count:2", "o o", True),
        ("o", "", "count:02", "o o", True),
        ("o", "g", "count:2", "o o", True),
        ("o", "", "count:1", "o o", False),
        ("x", "", "count:0", "o o", True),
        ("", "", "count:3", "ok", True),
        ("aa", "", "count:2", "aaaa", True),
        ("o", "", "count:" + "9" * 5_000, "o o", False),
        ("o", "", "count:" + "0" * 5_000 + "2", "o o", True),
    ],
)
def test_the_last_message_is_searched(pattern: str, flags: str, match: str, words: str, passed: bool) -> None:
    assert Regex(pattern=pattern, flags=flags, match=match).check(said(words)).passed is passed


@pytest.mark.parametrize("match", ["contains", "not_contains", "count:0"])
@pytest.mark.parametrize(
    ("pattern", "flags"),
    [("(?i)ok", ""), ("(?P<n>o)k", ""), ("o++k", ""), ("(ok", ""), ("ok{", "u"), ("ok", "uv"), ("ok", "ii")],
)
def test_a_pattern_that_does_not_compile_fails_however_it_should_match(pattern: str, flags: str, match: str) -> None:
    outcome = Regex(pattern=pattern, flags=flags, match=match).check(said("ok"))

    assert (outcome.passed, outcome.code) == (False, "pattern_invalid")
    assert outcome.evidence["pattern"] == pattern
    assert outcome.evidence["reason"]


def test_a_pattern_that_does_not_compile_fails_where_there_is_no_text() -> None:
    assert Regex(pattern="(ok", target="trace").check(said("ok")).code == "pattern_invalid"


def test_what_was_looked_for_and_the_text_are_the_evidence() -> None:
    outcome = Regex(pattern="nope", flags="i").check(said("it is ok"))

    assert outcome == Outcome(
        passed=False,
        code="pattern_missing",
        message="Nothing in last_message matches 'nope'.",
        evidence={
            "pattern": "nope",
            "flags": "i",
            "match": "contains",
            "target": "last_message",
            "text": "it is ok",
        },
    )


def test_what_must_not_be_there_is_shown_where_it_stands() -> None:
    outcome = Regex(pattern="secret\\d", match="not_contains").check(said("😀" * 10_000 + "secret1" + "x" * 10_000))

    assert outcome.code == "pattern_found"
    assert (outcome.evidence["found"], outcome.evidence["at"]) == ("secret1", 10_000)
    assert "secret1" in str(outcome.evidence["text"])
    assert len(str(outcome.evidence["text"])) < 3_000


def test_a_wrong_count_is_told() -> None:
    outcome = Regex(pattern="o", match="count:1").check(said("o o"))

    assert outcome.message == "'o' matches 2 times in last_message, 'count:1' was expected."
    assert outcome.evidence["matches"] == 2


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(
    ("match", "passed"), [("contains", False), ("not_contains", True), ("count:0", True), ("count:1", False)]
)
def test_a_pattern_that_takes_too_long_is_not_found_and_said_to(match: str, passed: bool) -> None:
    outcome = Regex(pattern="^(a+)+$", match=match).check(said("a" * 40 + "b"))

    assert (outcome.passed, outcome.code) == (passed, "pattern_timeout")
    assert "was not done with last_message after 1 s" in outcome.message
    assert outcome.evidence["limit_s"] == 1.0


def test_evidence_can_always_be_written() -> None:
    outcome = Regex(pattern="\udc00x", match="not_contains").check(said("a\ud800x" * 5_000))

    assert outcome.passed is False
    json.dumps(outcome.evidence, ensure_ascii=False).encode()


def test_the_trace_is_its_lines() -> None:
    run = Run(case_id="c", output="", trace=('{"type":"system"}', assistant(text('say "dq"\nALPHA'))))

    assert Regex(pattern='^\\{"type":"system"\\}\\n\\{', target="trace").check(run).passed is True
    assert Regex(pattern='"dq"', target="trace").check(run).passed is False
    assert Regex(pattern='\\\\"dq\\\\"\\\\nALPHA', target="trace").check(run).passed is True


def test_files_are_the_new_paths() -> None:
    run = Run(case_id="c", created_files=(".hidden", "a.txt", "sub/b.md"))

    assert Regex(pattern="^\\.hidden\\na\\.txt\\nsub/b\\.md$", target="files").check(run).passed is True
    assert Regex(pattern="^.+$", flags="m", match="count:3", target="files").check(run).passed is True
    assert Regex(pattern="hello", target="files").check(run).passed is False


@pytest.mark.parametrize(("pattern", "match"), [("^$", "contains"), (".", "not_contains"), (".", "count:0")])
def test_no_new_files_are_an_empty_text(pattern: str, match: str) -> None:
    assert Regex(pattern=pattern, match=match, target="files").check(Run(case_id="c", created_files=())).passed is True


def test_calls_of_stand_ins_are_lines_of_json() -> None:
    calls = (
        MockCall(tool="mcp__plugin_demo_tracker__t", arguments={"b": 1.0, "1": "é"}, output='a "b"'),
        MockCall(tool="mcp__x__t", arguments={}, output="no", is_error=True, verdict="tool_error"),
    )
    run = Run(case_id="c", mock_calls=calls)
    lines = (
        '{"tool":"mcp__plugin_demo_tracker__t","input":{"1":"é","b":1},"output":"a \\"b\\"","verdict":"ok"}\n'
        '{"tool":"mcp__x__t","input":{},"output":"no","isError":true,"verdict":"tool_error"}'
    )
    pattern = "^" + "".join(f"\\x{ord(char):02x}" if not char.isalnum() else char for char in lines) + "$"

    assert Regex(pattern=pattern, target="mock_calls").check(run).passed is True
    assert Regex(pattern="^$", target="mock_calls").check(Run(case_id="c", mock_calls=())).passed is True


@pytest.mark.parametrize("match", ["contains", "not_contains", "count:0"])
def test_without_any_stand_in_a_look_at_its_calls_fails(match: str) -> None:
    outcome = Regex(pattern="x", match=match, target="mock_calls").check(said("ok"))

    assert (outcome.passed, outcome.code) == (False, "no_stand_in")


def with_file(path: str, seen: SeenFile) -> Run:
    return Run(case_id="c", output="", seen_files={path: seen})


def test_a_file_is_searched() -> None:
    run = with_file("sub/a.txt", SeenFile.of("hello\r\né\n".encode() + b"\xff"))

    for pattern in ("^hello\\r\\n", "é\\n\ufffd$"):
        assert Regex(pattern=pattern, target=FileTarget(path="sub/a.txt")).check(run).passed is True


@pytest.mark.parametrize("match", ["contains", "not_contains", "count:0"])
@pytest.mark.parametrize(
    ("path", "state", "code"),
    [
        ("nope.txt", "missing", "file_missing"),
        ("sub", "not_a_file", "file_not_a_file"),
        ("link", "outside", "file_outside"),
        ("dark", "unreadable", "file_unreadable"),
    ],
)
def test_a_file_that_cannot_be_read_fails(path: str, state: str, code: str, match: str) -> None:
    seen = SeenFile(state=state)  # type: ignore[arg-type]  # one of the states
    outcome = Regex(pattern="x", match=match, target=FileTarget(path=path)).check(with_file(path, seen))

    assert (outcome.passed, outcome.code) == (False, code)
    assert outcome.evidence["path"] == path


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/etc/passwd", "file_outside"),
        ("../x", "file_outside"),
        ("sub/../../x", "file_outside"),
        ("", "file_not_a_file"),
        (".", "file_not_a_file"),
        ("sub/..", "file_not_a_file"),
    ],
)
def test_a_path_that_leads_nowhere_fails_whatever_the_run_kept(path: str, code: str) -> None:
    outcome = Regex(pattern="x", match="not_contains", target=FileTarget(path=path)).check(said("ok"))

    assert (outcome.passed, outcome.code) == (False, code)


_SETTLED = Run(case_id="c", triggered=True, output="so far", tool_calls=(), output_cut=True, created_files=())


@pytest.mark.parametrize(
    ("run", "target", "reason"),
    [
        (Run(case_id="c"), "last_message", "The agent makes no output, so this was not looked at."),
        (said("x"), "trace", "The run was kept without its trace."),
        (said("x"), "files", f"The run was kept without its created_files.{WHY_NO_LIST}"),
        (said("x"), FileTarget(path="a/../b.txt"), "The run keeps nothing of the file 'a/../b.txt'."),
        (
            with_file("a", SeenFile(state="too_large")),
            FileTarget(path="a"),
            "The file 'a' was too large to keep.",
        ),
        (_SETTLED, "last_message", "Nothing more was asked once the skill had fired, so this was not looked at."),
        (_SETTLED, "files", "Nothing more was asked once the skill had fired, so this was not looked at."),
        (_SETTLED, FileTarget(path="a"), "Nothing more was asked once the skill had fired, so this was not looked at."),
    ],
)
def test_what_was_not_kept_leaves_the_question_open(run: Run, target: Target, reason: str) -> None:
    for match in ("contains", "not_contains", "count:0"):
        outcome = Regex(pattern="x", match=match, target=target).check(run)
        assert (outcome.passed, outcome.message) == (None, reason)


def test_an_output_that_lost_its_middle_leaves_the_question_open() -> None:
    run = Run(case_id="c", output=f"ok{OUTPUT_GAP}ok", output_cut=True)

    assert Regex(pattern="ok").check(run).code == "output_cut"


@pytest.mark.parametrize("match", ["contains", "not_contains", "count:1"])
def test_an_answer_that_was_broken_off_leaves_the_question_open(match: str) -> None:
    """As checks of the output do: nobody knows how it would have gone on."""
    run = Run(case_id="c", output="ok", output_cut=True, cut_by="max_tokens", trace=(assistant(text("ok")),))

    for pattern in ("ok", "zzz"):
        outcome = Regex(pattern=pattern, match=match).check(run)
        assert (outcome.passed, outcome.code) == (None, "output_cut")
    asked = Llm(criteria="x").ask(run)
    assert isinstance(asked, Outcome)
    assert (asked.passed, asked.code) == (None, "output_cut")
    assert Regex(pattern="ok", target="trace").check(run).passed is True


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([assistant(text("one"), text("two"))], "two"),
        ([assistant(text("one")), assistant(text(" \n")), assistant(tool_use("Read"))], "one"),
        ([assistant(text("one")), assistant(text("sub"), parent="toolu_1")], "one"),
        ([assistant(text("one")), '{"type":"result","result":"text"}', '{"type":"user","text":"x"}'], "one"),
        ([assistant(text(" padded \n"))], " padded \n"),
        ([assistant(tool_use("Read"))], "one\ntwo"),
        (['{"type":"assistant","message":{"content":[{"type":"te\\u0078t","text":"esc"}]}}'], "esc"),
        ([assistant(text("one")), '{"text":' * 200_000 + "1" + "}" * 200_000], "one"),
        (
            [
                assistant(text("one")),
                '{"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"no"}]}}',
            ],
            "one",
        ),
    ],
)
def test_the_last_message_is_the_last_text_block_of_the_session(lines: list[str], expected: str) -> None:
    """Recorded: the last text block of the main agent, not all blocks of its last message."""
    run = Run(case_id="c", output="one\ntwo", trace=tuple(lines))

    assert view(run, "last_message") == expected


@pytest.mark.parametrize("output", ["no", "one"])
def test_what_the_program_said_by_itself_counts_where_it_is_the_output_of_the_run(output: str) -> None:
    made_up = '{"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"no"}]}}'
    run = Run(case_id="c", output=output, trace=(assistant(text("one")), made_up))

    assert view(run, "last_message") == output


def test_a_text_that_is_too_long_leaves_the_question_open() -> None:
    outcome = Regex(pattern="x", match="not_contains").check(said("y" * (16 * 1024 * 1024 + 1)))

    assert (outcome.passed, outcome.code) == (None, "pattern_limits")

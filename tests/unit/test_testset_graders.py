"""Graders in a test set: the words of eval suites, read with the strictness of test sets."""

import json
from collections.abc import Sequence

import pytest

from skill_evaluator.formats.testset import read_testset_bytes
from skill_evaluator.formats.testset_rows import Row, read_row
from skill_evaluator.graders.suite import FileTarget, Llm, Regex, ToolUsed
from skill_evaluator.model import Aspect, Case, GraderArm, Level, Loaded, Needs
from tests.unit.conftest import rows

REGEX = {"type": "regex", "pattern": "a+"}


def loaded(*graders: object, case: str = "p0") -> Loaded:
    content = [{**row, **({"graders": list(graders)} if row["id"] == case else {})} for row in rows()]
    return read_testset_bytes(json.dumps(content, indent=1).encode(), "testset.json")


def case_with(*graders: object) -> Case:
    found = loaded(*graders)
    assert found.suite is not None, found.findings
    return found.suite.cases[0]


def faults_of(*graders: object) -> Sequence[tuple[str, str | None]]:
    return [(found.code, found.pointer) for found in loaded(*graders).findings if found.level is Level.FAIL]


def test_graders_are_read_in_the_words_of_suites() -> None:
    target = {"source": "file", "path": "out/report.md"}
    case = case_with(
        {
            "type": "regex",
            "pattern": "total: \\d+",
            "flags": "i",
            "match": "count:2",
            "target": target,
            "name": "total",
        },
        {"type": "tool_used", "tool": "Read", "min": 0, "max": 0},
        {"type": "llm", "criteria": "PASS if it is short."},
    )
    total, read, short = case.graders

    assert (total.name, total.check) == (
        "total",
        Regex(pattern="total: \\d+", flags="i", match="count:2", target=FileTarget(path="out/report.md")),
    )
    assert (read.name, read.check, read.aspect) == ("tool_used 1", ToolUsed(tool="Read", min=0, max=0), Aspect.OUTPUT)
    assert (short.name, short.check, short.aspect) == ("llm 1", Llm(criteria="PASS if it is short."), Aspect.JUDGED)
    assert case.needs == Needs(trace=True, files=("out/report.md",))
    assert case.stand_ins == ()  # a tool that must not be called need not be there


def test_names_are_made_where_there_are_none() -> None:
    case = case_with(REGEX, {**REGEX, "name": "regex 2"}, REGEX, {"type": "file_exists", "path": "*.md"})

    assert [grader.name for grader in case.graders] == ["regex 1", "regex 2", "regex 3", "file_exists 1"]
    assert case.needs == Needs(created_files=True)


def test_tools_that_are_waited_for_are_offered() -> None:
    order = {"type": "tool_order", "before": "lint", "after": {"tool": "push", "input_match": "main"}}

    assert case_with(order, {"type": "tool_used", "tool": "test"}).stand_ins == ("lint", "push", "test")


def test_all_faults_of_all_graders_are_told_at_once_with_their_places() -> None:
    found = loaded(
        {"type": "regexp", "pattern": "a"},
        {"type": "regex", "pattern": "(", "target": "mock_calls"},
        {"type": "tool_used", "tool": "Read", "min": -1, "most": 2},
        7,
        {"type": "baseline", "criteria": "c", "baseline_file": "b.jsonl"},
    ).findings

    assert [(one.code, one.pointer) for one in found if one.level is Level.FAIL] == [
        ("grader-type", "/0/graders/0/type"),
        ("bad-regex", "/0/graders/1/pattern"),
        ("no-stand-ins", "/0/graders/1/target"),
        ("wrong-value", "/0/graders/2/min"),
        ("unknown-option", "/0/graders/2/most"),
        ("wrong-value", "/0/graders/3"),
        ("baseline-not-here", "/0/graders/4/type"),
    ]
    assert len({one.line for one in found}) == 7  # each on the line where it stands
    assert all(one.case == "p0" for one in found)


@pytest.mark.parametrize(
    ("grader", "expected"),
    [
        ({"type": "regex", "pattern": "a", "flags": "uv"}, ("bad-regex", "/0/graders/0/pattern")),
        ({"type": "tool_used", "tool": "Read", "input_match": "["}, ("bad-regex", "/0/graders/0/input_match")),
        (
            {"type": "tool_order", "before": "a", "after": {"tool": "b", "input_match": "+"}},
            ("bad-regex", "/0/graders/0/after/input_match"),
        ),
        (
            {"type": "regex", "pattern": "a", "target": {"source": "file", "path": "../up"}},
            ("path-outside", "/0/graders/0/target/path"),
        ),
        (
            {"type": "llm", "criteria": "a", "focus": {"source": "file", "path": "/etc/passwd"}},
            ("path-outside", "/0/graders/0/focus/path"),
        ),
        ({**REGEX, "name": "  "}, ("wrong-value", "/0/graders/0/name")),
    ],
)
def test_what_only_grading_would_find_is_a_fault(grader: object, expected: tuple[str, str]) -> None:
    assert faults_of(grader) == [expected]


def test_names_stand_once_in_a_case() -> None:
    assert faults_of({**REGEX, "name": "n"}, {**REGEX, "name": "n"}) == [("duplicate-name", "/0/graders/1/name")]


def test_graders_of_a_negative_are_refused() -> None:
    (fault,) = [one for one in loaded(REGEX, case="n0").findings if one.level is Level.FAIL]

    assert (fault.code, fault.case) == ("check-on-negative", "n0")
    assert loaded(case="n0").suite is not None  # an empty list asks for nothing


def test_weight_and_arm_are_taken_and_said_to_mean_nothing() -> None:
    found = loaded({**REGEX, "weight": 2}, {**REGEX, "arm": "both"}, {**REGEX, "weight": 1})

    (warning,) = [one for one in found.findings if one.code == "grader-weight-unused"]
    assert (warning.level, warning.values) == (Level.WARN, {"cases": ["p0"]})
    assert found.suite is not None
    assert [(one.weight, one.arm) for one in found.suite.cases[0].graders] == [
        (2, None),
        (1, GraderArm.BOTH),
        (1, None),
    ]


def test_a_grader_that_can_never_pass_is_doubted() -> None:
    found = loaded({"type": "tool_used", "tool": "Read", "max": 0}).findings

    (doubt,) = [one for one in found if one.code == "count-never-met"]
    assert (doubt.level, doubt.case) == (Level.WARN, "p0")
    assert "`max: 0` without `min: 0` can never pass" in doubt.message


@pytest.mark.parametrize(
    ("grader", "code", "said"),
    [
        ({"type": "regex", "pattern": "a*"}, "pattern-matches-anything", "is found in any text"),
        ({"type": "regex", "pattern": "Dear Anna, hello", "target": "files"}, "files-for-contents", "looks like text"),
        ({"type": "regex", "pattern": 'say "x" now', "target": "trace"}, "quote-in-trace", "has a quote inside text"),
        ({"type": "file_exists", "path": "./a.md"}, "path-never-matches", "write it without './'"),
        ({"type": "tool_used", "tool": "Read", "min": 2, "max": 1}, "count-never-met", "`min: 2` is above `max: 1`"),
        ({"type": "tool_used", "tool": "Read", "min": 0}, "count-always-met", "passes whatever the agent does"),
        ({"type": "llm", "criteria": "It is nice."}, "criteria-without-conditions", "when to answer PASS or FAIL"),
        ({"type": "tool_used", "tool": "bash"}, "tool-misnamed", "'bash' is close to 'Bash'; is that one meant?"),
    ],
)
def test_graders_are_doubted_as_those_of_suites_are(grader: object, code: str, said: str) -> None:
    found = loaded({**grader, "name": "mine"} if isinstance(grader, dict) else grader)

    assert found.suite is not None
    (doubt,) = [one for one in found.findings if one.code == code]
    assert (doubt.level, doubt.case) == (Level.WARN, "p0")
    assert doubt.message.startswith("the grader 'mine': ")
    assert said in doubt.message


def test_sound_graders_are_not_doubted() -> None:
    found = loaded(REGEX, {"type": "tool_used", "tool": "Read"}, {"type": "file_exists", "path": "*.md"})

    assert {one.code for one in found.findings} == {one.code for one in loaded().findings}


@pytest.mark.parametrize("path", ["../a.md", "/etc/passwd", "a/../../b"])
def test_files_out_of_the_workspace_are_refused_in_every_type(path: str) -> None:
    assert faults_of({"type": "file_exists", "path": path}) == [("path-outside", "/0/graders/0/path")]


def test_flags_inside_a_pattern_are_told_with_what_to_write() -> None:
    found = loaded({"type": "regex", "pattern": "(?i)x"}, {"type": "tool_used", "tool": "a", "input_match": "(?i)x"})
    first, second = [one.message for one in found.findings if one.level is Level.FAIL]

    assert first.endswith("write `flags: i`")
    assert second.endswith("write `(?i:...)` around it")


def test_nothing_is_below_a_frontmatter_in_json() -> None:
    (fault,) = [one for one in loaded({"type": "regex"}).findings if one.level is Level.FAIL]

    assert fault.message == "item 1 of \"graders\": a grader of type regex needs 'pattern'; add it"


def test_hashes_mind_what_is_looked_at_and_nothing_else() -> None:
    plain, empty = loaded(case="none").suite, loaded().suite
    one, other = case_with(REGEX, {**REGEX, "pattern": "b"}), case_with({**REGEX, "pattern": "b"}, REGEX)
    named = case_with({**REGEX, "name": "n", "weight": 3, "arm": "both"}, {**REGEX, "pattern": "b"})

    assert plain is not None
    assert empty is not None
    assert plain.sha256 == empty.sha256
    # Of a case without graders, as it was before there were any.
    assert plain.cases[0].sha256 == "00d5a3bffdce2096dda0ffd889e211a7fe239345f3eb12d84c938aa7b06f44cd"
    assert one.sha256 == other.sha256 == named.sha256 != plain.cases[0].sha256
    assert case_with(REGEX).sha256 != case_with({**REGEX, "pattern": "b"}).sha256
    assert one.prompt_sha256 == plain.cases[0].prompt_sha256


def test_a_row_keeps_graders_of_any_number() -> None:
    row = {"id": "a", "input": "a", "split": "tuning", "type": "应触发", "graders": [REGEX] * 200}
    read = read_row(row)

    assert isinstance(read, Row)
    assert len({grader.name for grader in read.graders.read}) == 200

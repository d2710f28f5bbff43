"""Options of graders: which the real program loads, and what is said about the others.

Loaded or refused: tried out with Claude Code 2.1.332.
"""

import math
import time
from pathlib import Path

import pytest

from skill_evaluator.formats.suite.case_files import CaseFiles
from skill_evaluator.formats.suite.case_graders import read_graders
from skill_evaluator.formats.suite.faults import KeyPath, SuiteFault
from skill_evaluator.formats.suite.frontmatter import SuiteText, read_suite_text
from skill_evaluator.formats.suite.grader_options import read_grader
from skill_evaluator.graders.suite import (
    Baseline,
    CallOrder,
    FileExists,
    FileTarget,
    Llm,
    Regex,
    Selector,
    ToolUsed,
)
from skill_evaluator.model import Aspect, Check, Grader, GraderArm, JudgedCheck

TOOL = "type: tool_used\ntool: Read"
FILE = "type: file_exists\npath: a"


def read(frontmatter: str, body: str = "") -> Grader | tuple[SuiteFault, ...]:
    """Read a file of graders/ named g.md."""
    text = read_suite_text(f"---\n{frontmatter}\n---\n{body}\n")
    assert isinstance(text, SuiteText), text
    return read_grader(text.values, name="g", body=text.body)


@pytest.mark.parametrize(
    ("frontmatter", "body", "check"),
    [
        ("type: regex", " a\n b ", Regex(pattern="a\n b")),
        ("type: regex\npattern: x", "a", Regex(pattern="x")),
        ('type: regex\npattern: ""', "a", Regex(pattern="")),
        ('type: regex\npattern: "  "', "", Regex(pattern="  ")),
        ("type: regex", "\x85", Regex(pattern="\x85")),
        ("type: regex\nflags: ii", "a", Regex(pattern="a", flags="ii")),
        ("type: regex\nflags: dgimsuvy", "(", Regex(pattern="(", flags="dgimsuvy")),
        ("type: regex\nmatch: not_contains", "a", Regex(pattern="a", match="not_contains")),
        ("type: regex\nmatch: count:01", "a", Regex(pattern="a", match="count:01")),
        ("type: regex\ntarget: mock_calls", "a", Regex(pattern="a", target="mock_calls")),
        (
            'type: regex\ntarget: {source: file, path: ""}',
            "a",
            Regex(pattern="a", target=FileTarget(path="")),
        ),
        ("type: tool_used\ntool: ''", "ignored", ToolUsed(tool="")),
        (f"{TOOL}\nmin: 2.0\nmax: 1e3", "", ToolUsed(tool="Read", min=2, max=1000)),
        (f"{TOOL}\nmin: 5\nmax: 0\ninput_match: (", "", ToolUsed(tool="Read", min=5, max=0, input_match="(")),
        (
            "type: tool_order\nbefore: A\nafter: {tool: B, input_match: c}",
            "",
            CallOrder(before=Selector(tool="A"), after=Selector(tool="B", input_match="c")),
        ),
        (
            "type: tool_order\nbefore: ''\nafter: {tool: ''}",
            "",
            CallOrder(before=Selector(tool=""), after=Selector(tool="")),
        ),
        ("type: file_exists\npath: ''", "ignored", FileExists(path="")),
        (f"{FILE}\nexists: false", "", FileExists(path="a", exists=False)),
        ("type: llm", "PASS if ok", Llm(criteria="PASS if ok")),
        ("type: llm\ncriteria: ''", "", Llm(criteria="")),
        ("type: llm\nfocus: {source: file, path: x}", "c", Llm(criteria="c", focus=FileTarget(path="x"))),
        ("type: baseline\nbaseline_file: /b.txt", "c", Baseline(criteria="c", baseline_file="/b.txt")),
    ],
)
def test_options_become_fields_of_the_check(frontmatter: str, body: str, check: Check | JudgedCheck) -> None:
    grader = read(frontmatter, body)

    assert isinstance(grader, Grader), grader
    assert (grader.name, grader.weight, grader.arm, grader.check) == ("g", 1.0, None, check)


@pytest.mark.parametrize(
    ("frontmatter", "body", "code", "place"),
    [
        ("", "x", "grader-type", ()),
        ("pattern: x", "", "grader-type", ()),
        ("type:", "x", "grader-type", ("type",)),
        ("type: [regex]", "x", "grader-type", ("type",)),
        ("type: Regex", "x", "grader-type", ("type",)),
        ("type: 'regex '", "x", "grader-type", ("type",)),
        ("type: contains\npattern: x", "", "grader-type", ("type",)),
        ("type: __proto__", "x", "grader-type", ("type",)),
        ("type: regex", "", "missing-option", ()),
        ("type: regex", "\u00a0\ufeff", "missing-option", ()),
        ("type: regex\npattern: 5", "", "wrong-value", ("pattern",)),
        ("type: regex\npattern:", "x", "wrong-value", ("pattern",)),
        ("type: regex\nflags: x", "x", "wrong-value", ("flags",)),
        ('type: regex\nflags: "i\\n"', "x", "wrong-value", ("flags",)),
        ("type: regex\nflags: [i]", "x", "wrong-value", ("flags",)),
        ("type: regex\nmatch: exact", "x", "wrong-value", ("match",)),
        ('type: regex\nmatch: "count: 1"', "x", "wrong-value", ("match",)),
        ('type: regex\nmatch: "count:1\\n"', "x", "wrong-value", ("match",)),
        ("type: regex\nmatch: count:\u0661", "x", "wrong-value", ("match",)),
        ("type: regex\nmatch:", "x", "wrong-value", ("match",)),
        ("type: regex\ntarget: stdout", "x", "wrong-value", ("target",)),
        ("type: regex\ntarget: {source: file}", "x", "wrong-value", ("target",)),
        ("type: regex\ntarget: {source: trace}", "x", "wrong-value", ("target",)),
        ("type: regex\ntarget: {source: file, path: x, enc: y}", "x", "wrong-value", ("target",)),
        ("type: regex\nfocus: trace", "x", "unknown-option", ("focus",)),
        ("type: regex\n5: trace", "x", "unknown-option", ("5",)),
        ("type: llm\nmodel: haiku", "x", "unknown-option", ("model",)),
        ("type: llm\ntarget: trace", "x", "unknown-option", ("target",)),
        ("type: llm\nfocus: all", "x", "wrong-value", ("focus",)),
        ("type: llm\ncriteria: [a]", "x", "wrong-value", ("criteria",)),
        ("type: baseline", "x", "missing-option", ()),
        ("type: baseline\nbaseline_file: b.jsonl", "", "missing-option", ()),
        ("type: tool_used", "Read", "missing-option", ()),
        (f"{TOOL}\nmin: 1.5", "", "wrong-value", ("min",)),
        (f"{TOOL}\nmin: '1'", "", "wrong-value", ("min",)),
        (f"{TOOL}\nmin: -1", "", "wrong-value", ("min",)),
        (f"{TOOL}\nmax: .inf", "", "wrong-value", ("max",)),
        (f"{TOOL}\nmax:", "", "wrong-value", ("max",)),
        (f"{TOOL}\ninput_match: {{a: b}}", "", "wrong-value", ("input_match",)),
        ("type: tool_order\nbefore: Read", "", "missing-option", ()),
        ("type: tool_order\nbefore: [Read]\nafter: B", "", "wrong-value", ("before",)),
        ("type: tool_order\nbefore: {input_match: a}\nafter: B", "", "wrong-value", ("before",)),
        ("type: tool_order\nbefore: {tool: A, foo: 1}\nafter: B", "", "wrong-value", ("before",)),
        ("type: tool_order\nbefore: {tool: A, input_match: }\nafter: B", "", "wrong-value", ("before",)),
        ("type: file_exists", "out.txt", "missing-option", ()),
        (f"{FILE}\nexists: yes", "", "wrong-value", ("exists",)),
        (f"{FILE}\nexists: 1", "", "wrong-value", ("exists",)),
        (f"{FILE}\nweight: 0", "", "wrong-value", ("weight",)),
        (f"{FILE}\nweight: -1", "", "wrong-value", ("weight",)),
        (f"{FILE}\nweight: '2'", "", "wrong-value", ("weight",)),
        (f"{FILE}\nweight: true", "", "wrong-value", ("weight",)),
        (f"{FILE}\nweight: .nan", "", "wrong-value", ("weight",)),
        (f"{FILE}\nweight:", "", "wrong-value", ("weight",)),
        (f"{FILE}\narm: without-only", "", "wrong-value", ("arm",)),
        (f"{FILE}\narm:", "", "wrong-value", ("arm",)),
        (f"{FILE}\nname: 5", "", "wrong-value", ("name",)),
        (f"{FILE}\ndescription: d", "", "unknown-option", ("description",)),
    ],
)
def test_what_the_real_program_refuses_is_one_fault(frontmatter: str, body: str, code: str, place: KeyPath) -> None:
    faults = read(frontmatter, body)

    assert isinstance(faults, tuple)
    assert [(fault.code, fault.path, fault.effect) for fault in faults] == [(code, place, "refused")]


def test_all_faults_of_a_grader_come_at_once() -> None:
    faults = read("type: regex\nweight: 0\narm: x\nflags: q\nfoo: 1")

    assert isinstance(faults, tuple)
    assert [fault.path for fault in faults] == [("weight",), ("arm",), ("foo",), (), ("flags",)]
    assert "did you mean" not in faults[0].message


@pytest.mark.parametrize(("written", "weight"), [("0.5", 0.5), ("1e-9", 1e-9), (".inf", math.inf), ("1e400", math.inf)])
def test_a_weight_is_any_number_above_0(written: str, weight: float) -> None:
    grader = read(f"{FILE}\nweight: {written}")

    assert isinstance(grader, Grader)
    assert grader.weight == weight


def test_arm_and_name_and_aspect_are_read() -> None:
    grader = read("type: llm\narm: both\nname: ''", "c")

    assert isinstance(grader, Grader)
    assert (grader.arm, grader.name, grader.aspect) == (GraderArm.BOTH, "", Aspect.JUDGED)


def test_a_grader_of_a_list_must_name_itself() -> None:
    values = {"type": "file_exists", "path": "a"}

    faults = read_grader(values, name=None, body=None)
    named = read_grader({**values, "name": "n"}, name=None, body=None)

    assert isinstance(faults, tuple)
    assert [fault.code for fault in faults] == ["missing-option"]
    assert isinstance(named, Grader)
    assert named.name == "n"


def test_the_nearest_known_word_is_named() -> None:
    faults = read("type: regex\ntargte: trace", "x")

    assert isinstance(faults, tuple)
    assert "did you mean target?" in faults[0].message


def test_ten_thousand_graders_are_compared_by_name_in_no_time() -> None:
    listed = tuple({"name": f"g{index}", "type": "regex", "pattern": "x"} for index in range(20_000))
    files = CaseFiles(folder=Path("/c"), texts={})
    started = time.process_time()

    assert not read_graders(files, listed).faults
    assert time.process_time() - started < 20  # it took minutes when each looked at all before it

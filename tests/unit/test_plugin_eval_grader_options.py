"""Graders as the answer tells of them. Expected values: files that Claude Code 2.1.332 wrote for such graders."""

import math

import pytest

from skill_evaluator.api.plugin_eval.grader_options import grader_of_case
from skill_evaluator.graders.suite import Baseline, CallOrder, FileExists, FileTarget, Llm, Regex, Selector, ToolUsed
from skill_evaluator.model import Check, Grader, GraderArm, JsonObject, JudgedCheck


@pytest.mark.parametrize(
    ("check", "type_", "config"),
    [
        (Regex(pattern="."), "regex", {"target": "last_message", "pattern": ".", "flags": "", "match": "contains"}),
        (
            Regex(pattern=".", flags="i", match="count:2", target=FileTarget(path="a.txt")),
            "regex",
            {"target": {"source": "file", "path": "a.txt"}, "pattern": ".", "flags": "i", "match": "count:2"},
        ),
        (Llm(criteria="PASS if ok"), "llm", {"criteria": "PASS if ok", "focus": "last_message"}),
        (Baseline(criteria="c", baseline_file="b.jsonl"), "baseline", {"baseline_file": "b.jsonl", "criteria": "c"}),
        (ToolUsed(tool="Read"), "tool_used", {"tool": "Read"}),
        (
            ToolUsed(tool="Skill", input_match="x", min=0, max=0),
            "tool_used",
            {"tool": "Skill", "input_match": "x", "min": 0, "max": 0},
        ),
        (
            CallOrder(before=Selector(tool="Read"), after=Selector(tool="Bash", input_match="x")),
            "tool_order",
            {"before": {"tool": "Read"}, "after": {"tool": "Bash", "input_match": "x"}},
        ),
        (FileExists(path="x"), "file_exists", {"path": "x", "exists": True}),
    ],
)
def test_options_are_told_with_their_defaults(check: Check | JudgedCheck, type_: str, config: JsonObject) -> None:
    told = grader_of_case(Grader(name="g", check=check))
    assert (told.type, list(told.config.items()), told.weight) == (type_, list(config.items()), 1)
    assert told.markdown == config.get("criteria")


def test_the_arm_is_told_where_one_is_set_and_a_weight_that_json_cannot_hold_is_not() -> None:
    told = grader_of_case(Grader(name="g", check=FileExists(path="x"), arm=GraderArm.WITH_ONLY, weight=math.inf))
    assert (told.config, told.weight) == ({"path": "x", "exists": True, "arm": "with-only"}, None)


def test_a_grader_of_another_kind_is_a_bug() -> None:
    class Other:
        def check(self, _run: object) -> None: ...

    with pytest.raises(ValueError, match="no grader of eval suites"):
        grader_of_case(Grader(name="g", check=Other()))  # type: ignore[arg-type]

"""The scripted server's language, and the comparison of answers, of which recorded suites make use."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.api_answers import Answer
from tests.conformance.rules import Script
from tests.conformance.suite_run import Answered, differences, facts_of

RESULT_OF_TOOL = [{"type": "text", "text": "three jars"}]
REQUEST: Mapping[str, Any] = {
    "model": "claude-opus-5-5",
    "stream": True,
    "system": [{"type": "text", "text": "Be brief."}],
    "tools": [{"name": "Read"}, {"name": "Glob"}],
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "<system-reminder>git</system-reminder>"}]},
        {"role": "user", "content": "Label it ü."},
        {"role": "system", "content": "Working directory: /some/where\nskills: pantry:label-maker"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "Read", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": RESULT_OF_TOOL}]},
    ],
}


def answered(*rules: Mapping[str, Any], default: Mapping[str, Any] | None = None) -> Answer:
    return Script.of({"rules": rules, "default": default or {"text": "by default"}})(REQUEST)


@pytest.mark.parametrize(
    ("when", "applies"),
    [
        ({}, True),
        ({"last_user_contains": "Label it ü"}, True),
        ({"last_user_contains": ["Label", "nothing"]}, False),
        ({"last_user_contains": "git"}, False),
        ({"any_user_contains": ["git", "three jars"]}, True),
        ({"last_user_regex": "^Label.*ü\\.$"}, True),
        ({"system_contains": ["Be brief", "label-maker"]}, True),
        ({"system_regex": "brief.+pantry"}, True),
        ({"has_tool": "Read"}, True),
        ({"has_tool": ["Read", "Write"]}, False),
        ({"no_tool": ["Write", "Edit"]}, True),
        ({"no_tool": ["Write", "Glob"]}, False),
        ({"has_tools": False}, False),
        ({"tool_result": True}, True),
        ({"tool_results": 1}, True),
        ({"tool_results": 0}, False),
        ({"tool_results_min": 2}, False),
        ({"tool_result_contains": "jars"}, True),
        ({"model": "opus"}, True),
        ({"body_contains": '"text":"Label it ü."'}, False),
        ({"body_contains": '"content":"Label it ü."'}, True),
        ({"body_regex": '"stream":true'}, True),
        ({"streaming": False}, False),
        ({"nth": 1}, True),
        ({"nth": [2, 3]}, False),
    ],
)
def test_a_rule_answers_where_all_of_its_conditions_hold(when: Mapping[str, Any], applies: bool) -> None:
    said = answered({"when": when, "respond": {"text": "by the rule"}}).content[0]["text"]

    assert said == ("by the rule" if applies else "by default")


def test_an_unknown_condition_is_an_error() -> None:
    with pytest.raises(KeyError):
        answered({"when": {"mood": "good"}, "respond": {"text": "x"}})


def test_answers_come_in_turn_and_the_last_one_stays() -> None:
    script = Script.of({"rules": [{"when": {"nth": [2, 3, 4]}, "respond": [{"text": "a"}, {"text": "b {{n}}"}]}]})

    assert [script(REQUEST).content[0]["text"] for _ in range(5)] == ["ok", "a", "b 2", "b 3", "ok"]


def test_an_answer_holds_what_was_written() -> None:
    use = {"name": "Read", "input": {"file_path": "{{cwd}}/a", "was": ["{{last_user}}", "{{last_result}}"]}}
    answer = answered(default={"thinking": "hm", "text": "so", "tool_use": [use], "usage": {"input_tokens": 7}})

    kinds = [block["type"] for block in answer.content]
    assert kinds == ["thinking", "text", "tool_use"]
    assert answer.content[2]["input"] == {"file_path": "/some/where/a", "was": ["Label it ü.", "three jars"]}
    assert (answer.stop_reason, answer.usage["input_tokens"], answer.usage["output_tokens"]) == ("tool_use", 7, 20)


def test_a_status_is_an_error_that_is_not_tried_again() -> None:
    answer = answered(default={"status": 413, "delay": 2})

    assert (answer.status, answer.headers["x-should-retry"], answer.delay_s) == (413, "false", 2)
    assert b"request_too_large" in (answer.body or b"")


RUN: Mapping[str, object] = {"score": 0.1 + 0.2, "passed": False, "error": None, "graders": []}
RESULT: Mapping[str, Any] = {
    "partial": False,
    "suite": {"ablation": "none", "threshold": 1, "plugins": [{"name": "pantry"}]},
    "aggregates": {"overallScore": 0.30000000000000004},
    "cases": [
        {"name": "c", "dir": "evals/c", "graders": [], "aggregates": {"score": 0.3}, "arms": {"with": [RUN]}},
        {"name": "c", "dir": "evals/d", "graders": [], "aggregates": {"score": 0.3}, "arms": {"with": [RUN]}},
    ],
}


def facts(stderr: str = "", **changed: object) -> Mapping[str, Any]:
    result = {**RESULT, **changed}
    return facts_of(Answered(status=0, stdout="", stderr=stderr, result=result, agent_was_called=True))


def test_facts_are_all_but_words() -> None:
    told = facts("✗ <WORK>/plugin/evals/b/case.yaml: bad\n✗ <WORK>/plugin/evals/a: worse\n✗ c  score 0.30\n")

    assert told["refused"] == ["<WORK>/plugin/evals/a", "<WORK>/plugin/evals/b"]
    assert [case["dir"] for case in told["cases"]["c"]] == ["evals/c", "evals/d"]
    assert told["cases"]["c"][0]["arms"]["with"][0] == {
        "score": 0.3, "passed": False, "error": False, "skippedPaidGraders": False, "graders": []
    }  # fmt: skip


def test_how_far_an_interrupted_suite_came_is_no_fact() -> None:
    cases = [{**RESULT["cases"][0], "arms": {"with": [{**RUN, "error": "interrupted"}]}}]

    assert not {"cases", "aggregates"} & set(facts(cases=cases))


def test_each_difference_is_told_with_its_place() -> None:
    unlike = list(differences({"a": [1, {"b": 2}], "c": 3}, {"a": [1, {"b": 4}], "d": 3}))

    assert unlike == ["a[1].b: expected 2, got 4", "c: expected 3, got (none)", "d: expected (none), got 3"]

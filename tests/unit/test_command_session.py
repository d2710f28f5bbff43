"""What is made of the events of a program, and of the text it prints."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.agents.command_opened import SkillFiles
from skill_evaluator.agents.command_output import Output, output_reader
from skill_evaluator.agents.command_reader import read_config
from skill_evaluator.agents.command_template import filled
from skill_evaluator.agents.command_text import LINE_LIMIT, BoundedText, Lines, cut
from skill_evaluator.model import OUTPUT_GAP, ToolCall
from tests.unit.command_setup import READ

ROOT = "/tmp/skill-evaluator-1-2-3-abcd"  # noqa: S108 - a name, nothing is written there
FILES = SkillFiles(
    {f"{ROOT}/skills/map/SKILL.md": "map"}, workspace=Path(f"{ROOT}/workspace"), home=Path(f"{ROOT}/home")
)


def reader(folder: Path, *, format_: str = "jsonl", read: str = READ) -> Output:
    path = folder / "agent.toml"
    path.write_text(f'argv = ["agent", "{{prompt}}"]\nformat = "{format_}"\n{read}', "utf-8")
    return output_reader(read_config(path), FILES, ROOT)


def fed(output: Output, *events: object, end: str = "\n") -> Output:
    lines = [event if isinstance(event, str) else json.dumps(event) for event in events]
    output.feed(("\n".join(lines) + end).encode())
    output.close()
    return output


def call(**more: object) -> dict[str, object]:
    return {"type": "tool", "id": "1", "name": "read", **more}


def test_order_is_kept_and_broken_lines_are_passed_over(tmp_path: Path) -> None:
    output = fed(
        reader(tmp_path),
        {"type": "start", "skills": ["a", "map"]},
        "not json",
        "[1]",
        "",
        {"type": "skill", "name": "a"},
        {"type": "skill", "name": ["map", "a"]},
        {"type": "text", "text": "first"},
        {"type": "text", "text": ["se", "cond"]},
        {"tokens_in": 5},
        {"tokens_in": 7, "tokens_out": 1.0, "usd": 0.5},
        {"tokens_in": True, "usd": -1, "tokens_out": "9"},
    )

    assert output.fault is None
    assert output.listed == frozenset({"a", "map"})
    assert output.skills_invoked == ("a", "map", "a")
    assert output.text == "second"
    assert output.usage is not None
    assert (output.usage.input_tokens, output.usage.output_tokens, output.usage.cost_usd) == (7, 1, 0.5)


def test_texts_are_joined_and_figures_added_up_where_asked(tmp_path: Path) -> None:
    read = READ.replace("[read]", '[read]\ntext_mode = "joined"\nusage_mode = "sum"')
    output = fed(
        reader(tmp_path, read=read), *({"type": "text", "text": text, "tokens_in": 3} for text in ("a", "b", "c"))
    )

    assert output.text == "abc"
    assert output.usage is not None
    assert (output.usage.input_tokens, output.usage.output_tokens) == (9, None)


def test_a_call_told_twice_is_one_call(tmp_path: Path) -> None:
    output = fed(
        reader(tmp_path),
        call(),
        call(input={"a": 1}),
        {"type": "tool", "name": "write", "input": "x"},
        {"type": "result", "id": "1", "result": [{"text": "one"}, {"text": "two"}]},
        {"type": "result", "id": "unknown", "result": "z"},
    )

    assert output.tool_calls == (
        ToolCall(name="read", arguments={"a": 1}, result="one\ntwo"),
        ToolCall(name="write", arguments={"input": "x"}, result=None),
    )


@pytest.mark.parametrize(
    ("given", "opened"),
    [
        ({"file_path": f"{ROOT}/skills/map/SKILL.md"}, True),
        ({"command": f"cat {ROOT}/skills/map/SKILL.md"}, True),
        ({"command": f"bash -lc 'sed -n 1,9p \"{ROOT}/skills/map/SKILL.md\" | head'"}, True),
        ({"command": ["cat", "../skills/map/SKILL.md"]}, True),
        ({"a": {"b": [f"file://{ROOT}/skills/./map/SKILL.md"]}}, True),
        ({"file_path": "~/../skills/map/SKILL.md"}, True),
        ({"command": "cat $HOME/../skills/map/SKILL.md;ls"}, True),
        ({"file_path": f"{ROOT}/skills/map-pro/SKILL.md"}, False),
        ({"file_path": f"{ROOT}/skills/map/SKILL.md.bak"}, False),
        ({"file_path": f"{ROOT}/skills/map/references/a.md"}, False),
        ({"file_path": "/elsewhere/skills/map/SKILL.md"}, False),
        ({"file_path": f"{ROOT}/skills/map"}, False),
        ("SKILL.md", False),
        (None, False),
        ({"text": "SKILL.md " * 2000 + "\0" + "x" * 100_000}, False),
    ],
)
def test_a_skill_fires_when_its_own_file_is_opened(tmp_path: Path, given: object, *, opened: bool) -> None:
    assert FILES.opened_by(given) == (["map"] if opened else [])
    assert fed(reader(tmp_path), call(input=given)).skills_invoked == (("map",) if opened else ())


def test_an_opening_that_failed_counts_nothing_and_one_that_was_named_counts_once(tmp_path: Path) -> None:
    opening = call(input={"file_path": f"{ROOT}/skills/map/SKILL.md"})

    failed = fed(reader(tmp_path), opening, {"type": "result", "id": "1", "failed": True})
    named = fed(reader(tmp_path), opening, {"type": "skill", "name": "map"})
    twice = fed(reader(tmp_path), opening, {**opening, "id": "2"})

    assert failed.skills_invoked == ()
    assert named.skills_invoked == twice.skills_invoked == ("map",)


def test_the_folder_of_the_run_has_the_same_name_in_every_run(tmp_path: Path) -> None:
    output = fed(
        reader(tmp_path),
        call(input={"path": f"{ROOT}/workspace/a", "list": [f"{ROOT}/home"]}, result=f"wrote {ROOT}/workspace/a"),
        {"type": "text", "text": f"see {ROOT}/workspace/a"},
        {"type": "error", "message": f"no {ROOT}/home"},
    )

    assert output.tool_calls == (
        ToolCall(
            name="read",
            arguments={"path": "/RUN/workspace/a", "list": ["/RUN/home"]},
            result="wrote /RUN/workspace/a",
        ),
    )
    assert (output.text, output.error) == ("see /RUN/workspace/a", "no /RUN/home")


def test_a_document_is_read_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    read = '[read]\nskill = "calls[].skill"\ntext = "answer"\nlisted = "skills"\n'
    document = json.dumps({"calls": [{"skill": "a"}, {"skill": "map"}], "answer": "hi", "skills": ["map"]}, indent=1)

    sound = fed(reader(tmp_path, format_="json", read=read), document)
    broken = fed(reader(tmp_path, format_="json", read=read), document[:-3])
    empty = fed(reader(tmp_path, format_="json", read=read), "", end="")

    assert (sound.fault, sound.skills_invoked, sound.text, sound.listed) == (
        None,
        ("a", "map"),
        "hi",
        frozenset({"map"}),
    )
    assert broken.fault == f"the output is no JSON document ({len(document) - 2} bytes)"
    assert empty.fault == "the output is empty"


def test_plain_text_names_skills_by_a_pattern(tmp_path: Path) -> None:
    read = "[read]\nskill_pattern = 'Using skill (?P<skill>[a-z-]+)'\n"
    output = fed(reader(tmp_path, format_="text", read=read), "Using skill a", "Using skill map", f"in {ROOT}", end="")

    assert (output.fault, output.skills_invoked) == (None, ("a", "map"))
    assert output.text == "Using skill a\nUsing skill map\nin /RUN"
    assert fed(reader(tmp_path, format_="text", read=read), "", " ").fault == "the output is empty"


def test_a_pattern_that_backtracks_for_ever_is_an_error_and_no_miss(tmp_path: Path) -> None:
    read = "[read]\nskill_pattern = '(?P<skill>(a|aa)+)b$'\n"
    output = fed(reader(tmp_path, format_="text", read=read), "a" * 60 + "c")

    assert "skill_pattern was not done" in str(output.fault)


def test_an_endless_circle_is_an_error(tmp_path: Path) -> None:
    output = fed(reader(tmp_path), *({"type": "skill", "name": "map"} for _ in range(10_001)))

    assert "more than 10,000" in str(output.fault)


def test_a_line_beyond_the_bound_is_passed_over_and_counted() -> None:
    lines = Lines(limit=10)

    got = [line for chunk in (b"abc\nlonger ", b"than ", b"ten\nde", b"f") for line in lines.split(chunk)]

    assert [*got, *lines.rest()] == [b"abc", None, b"def"]
    assert LINE_LIMIT == 128 * 1024 * 1024


@given(st.lists(st.binary(max_size=6).map(lambda raw: raw.replace(b"a", b"\n")), max_size=8))
def test_lines_do_not_depend_on_chunks(chunks: list[bytes]) -> None:
    lines = Lines()
    got = [line for chunk in chunks for line in lines.split(chunk)]
    whole = b"".join(chunks)

    assert [*got, *lines.rest()] == (whole.removesuffix(b"\n").split(b"\n") if whole else [])


@given(st.lists(st.text("abc", max_size=9), max_size=20), st.integers(1, 8))
def test_head_and_tail_are_kept(pieces: list[str], half: int) -> None:
    text, whole = BoundedText(limit=2 * half), "".join(pieces)
    for piece in pieces:
        text.add(piece)

    assert text.is_cut == (len(whole) > 2 * half)
    assert text.text == (whole[:half] + OUTPUT_GAP + whole[-half:] if text.is_cut else whole)


def test_results_and_arguments_are_kept_to_a_bound(tmp_path: Path) -> None:
    (made,) = fed(reader(tmp_path), call(input={"a": ["x" * 50_000]}, result="y" * 50_000)).tool_calls or ()

    assert made.result == "y" * 10_000 + "\n[... 30000 characters left out ...]\n" + "y" * 10_000
    assert made.arguments == {"a": [cut("x" * 50_000)]}
    assert not made.has_whole_input


@pytest.mark.parametrize(
    ("told", "kept", "whole"),
    [
        ({}, None, False),
        ({"input": None}, None, False),
        ({"input": {}}, {}, True),
        ({"input": {"a": [1, "[...]"]}}, {"a": [1, "[...]"]}, True),
        ({"input": "ls"}, {"input": "ls"}, True),
        ({"input": {"a": [0] * 20_001}}, {"a": [*[0] * 20_000, "[... 1 items left out ...]"]}, False),
    ],
)
def test_an_input_that_is_not_told_is_not_taken_for_an_empty_one(
    tmp_path: Path, told: dict[str, object], kept: object, *, whole: bool
) -> None:
    (made,) = fed(reader(tmp_path), call(**told)).tool_calls or ()

    assert (made.arguments, made.has_whole_input) == (kept, whole)


KEYS = ("type", "id", "name", "input", "result", "failed", "text", "usd", "tokens_in", "message", "skills")
Leaves = st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5)
json_values: st.SearchStrategy[Any] = st.recursive(
    Leaves | st.just(f"{ROOT}/skills/map/SKILL.md"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=8,
)
events = st.fixed_dictionaries(
    {"type": st.sampled_from(["start", "skill", "tool", "result", "text", "error"])},
    optional={key: json_values for key in KEYS if key != "type"},
)


def test_no_event_breaks_the_reader(tmp_path: Path) -> None:
    @given(st.lists(events | json_values, max_size=5))
    def holds(given_: list[Any]) -> None:
        output = fed(reader(tmp_path), *given_)

        assert isinstance(output.skills_invoked, tuple)
        assert output.tool_calls is not None
        calls = [(one.name, dict(one.arguments or {}), one.result) for one in output.tool_calls]
        assert json.dumps(calls, allow_nan=False).encode()

    holds()


def test_values_are_put_in_once() -> None:
    assert filled("{prompt} {{home}} {home}", {"prompt": "{home}", "home": "/h"}) == "{home} {home} /h"


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_a_number_that_is_none_takes_nothing_else_of_its_line_with_it(tmp_path: Path, number: str) -> None:
    """Python's own `json.dumps` writes NaN; a skill's call that stands beside it must not be lost."""
    output = fed(reader(tmp_path), f'{{"type": "skill", "name": "map", "usd": {number}, "tokens_in": 7}}')

    assert output.fault is None
    assert output.skills_invoked == ("map",)
    assert output.usage is not None
    assert (output.usage.input_tokens, output.usage.cost_usd) == (7, None)


@pytest.mark.parametrize(
    ("end", "fault"),
    [
        ('{"type": "skill", "na', "the output ends in the middle of an event"),
        ('{"type": "skill", "name": "map"}', None),
        ("Goodbye!", None),
        ('{"type": "skill", "na\n', None),
    ],
)
def test_an_output_that_ends_in_the_middle_of_an_event_says_nothing_for_sure(
    tmp_path: Path, end: str, fault: str | None
) -> None:
    """The lost end may have been the skill's call: that is an error, and no miss."""
    assert fed(reader(tmp_path), {"type": "text", "text": "x"}, end, end="").fault == fault


def test_an_event_that_is_too_long_to_read_is_an_error_but_noise_is_not(tmp_path: Path) -> None:
    padding = "x" * LINE_LIMIT
    event = fed(reader(tmp_path), {"type": "text", "text": "a"}, {"type": "skill", "name": "map", "padding": padding})
    noise = fed(reader(tmp_path), {"type": "skill", "name": "map"}, padding + "{")

    assert event.fault == "an event is longer than 134,217,728 bytes, so what it says is not known"
    assert noise.fault is None
    assert noise.skills_invoked == ("map",)


def test_an_agent_may_number_the_calls_of_each_turn_anew(tmp_path: Path) -> None:
    output = fed(
        reader(tmp_path),
        call(input={"path": "a"}),
        {"type": "result", "id": "1", "result": "one"},
        call(input={"path": "b"}),
        {"type": "result", "id": "1", "result": "two"},
        {"type": "tool", "id": "1", "name": "write", "input": {"path": "c"}},
        {"type": "result", "id": "1", "result": "three"},
    )

    assert output.tool_calls == (
        ToolCall(name="read", arguments={"path": "a"}, result="one"),
        ToolCall(name="read", arguments={"path": "b"}, result="two"),
        ToolCall(name="write", arguments={"path": "c"}, result="three"),
    )

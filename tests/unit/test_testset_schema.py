"""The published JSON Schema says the same of a test set as the reader does, for whoever edits one elsewhere."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skill_evaluator.formats
from skill_evaluator.formats.testset import read_testset
from skill_evaluator.formats.testset_keys import KEYS, REQUIRED
from skill_evaluator.formats.testset_rows import Row, read_row
from skill_evaluator.model import Level

Raw = Mapping[str, object]
SCHEMA = json.loads(Path(skill_evaluator.formats.__file__).with_name("testset.schema.json").read_text("utf-8"))
WHOLE = jsonschema.Draft202012Validator(SCHEMA)
CASE = jsonschema.Draft202012Validator({**SCHEMA["$defs"]["case"], "$defs": SCHEMA["$defs"]})


def row(number: int, **changes: object) -> dict[str, object]:
    kind = "should_not_trigger" if number % 2 else "should_trigger"
    split = "acceptance" if number % 4 < 2 else "tuning"
    made = {"id": f"c{number}", "type": kind, "split": split, "input": f"{number} things", **changes}
    return {key: value for key, value in made.items() if value != "gone"}


def rows(count: int = 12, **changes: object) -> list[dict[str, object]]:
    return [row(0, **changes), *(row(number) for number in range(1, count))]


SETS: list[Sequence[Raw]] = [
    rows(),
    rows(expected_output_regex=["a"], tag="x", expected_tool_calls={"names": [], "match": "exact"}, rubric={"x": 5}),
    rows(type="应触发", split="验收集", expected_trigger=True, expected_params={"a": {"b": None}}),
    rows(type="gone", expected_trigger=True),
    rows(type="gone"),
    rows(id="gone"),
    rows(zzz=1),
    rows(expected_trigger=False),
    rows(tag=[""]),
    rows(9),
    [row(number) for number in (0, 2, 4, 6, 8, 10, 12, 14, 1, 3)],
    [row(number) for number in (1, 3, 5, 7, 9, 11, 13, 15, 0, 2)],
    [row(number, split="调优集") if number % 2 else row(number) for number in range(12)],
    [row(number) if number % 2 else row(number, split="调优集") for number in range(12)],
    [row(number, type="gone", expected_trigger=number % 2 == 0) for number in range(12)],
    [row(number, expected_output_contains=["x"]) for number in range(12)],
    [row(number, files={"notes/todo.txt": "buy milk", "空.md": ""}) for number in range(12)],
    rows(files={"../up": "x"}),
    rows(files={"a": 1}),
    rows(files=["a"]),
    rows(context=[{"role": "user", "text": "hi"}, {"role": "assistant", "text": "hello"}], human_scores={}),
    rows(context=[{"role": "assistant", "text": "hello"}]),
    rows(context=[{"role": "user", "text": "hi"}, {"role": "assistant", "text": "hello", "name": "x"}]),
    rows(rubric={"clarity": 4}, human_scores={"clarity": 3}),
    rows(expected_skill="town-history"),
    [row(number, expected_skill="town-history") if number % 2 else row(number) for number in range(12)],
    [row(number, expected_output_contains=[], rubric={}, expected_tool_calls=[]) for number in range(12)],
    [],
]


@pytest.mark.parametrize("content", SETS)
def test_schema_and_reader_agree_on_sets(tmp_path: Path, content: Sequence[Raw]) -> None:
    path = tmp_path / "testset.json"
    path.write_text(json.dumps(content), "utf-8")
    found = read_testset(path).findings

    assert WHOLE.is_valid(content) == (not [finding for finding in found if finding.level is Level.FAIL]), found


def test_schema_is_one_and_names_every_key() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    case = SCHEMA["$defs"]["case"]

    assert list(case["properties"]) == list(KEYS)
    assert case["required"] == list(REQUIRED)


KEYS_INSIDE = ["names", "a", "role", "text", "type", "pattern", "tool"]
# As its own description says.
BEYOND_A_SCHEMA = {"context-last-turn", "score-without-item", "duplicate-name", "bad-regex", "path-outside"}
Words = st.sampled_from(["", " ", "x", "user", "assistant", "tuning", "验收集", "应触发", "should_not_trigger"])
Values = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 6) | Words,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(KEYS_INSIDE), inner, max_size=2),
    max_leaves=4,
)  # fmt: skip
Paths = st.from_regex(r"(\.{0,3}[ab:/\\\n\0]){1,5}", fullmatch=True) | st.sampled_from(
    [
        "a",
        "a/b.txt",
        "a.",
        "...",
        ".a",
        "a..b/c",
        "C:a",
        "Cc:a",
        "..",
        ".",
        "",
        "a/..",
        "a/../b",
        "a/./b",
        "a//b",
        "a/",
        "/a",
    ]
)
Places = st.sampled_from(
    ["last_message", "trace", "files", "mock_calls", {"source": "file", "path": "a"}, {"source": "file"}, {}, 1]
)
Selectors = st.sampled_from(["Read", {"tool": "Read"}, {"tool": "Read", "input_match": "a"}, {"tool": 1}, {}, None])
Numbers = st.sampled_from([0, 1, 2.0, 1.5, -1, True, None, "1"])
Texts = st.sampled_from(["", "a", "count:2", "count:", "contains", "contains\n", "g", "q", None, 3])
Options = {
    "pattern": Texts,
    "flags": Texts,
    "match": Texts,
    "target": Places,
    "tool": Texts,
    "input_match": Texts,
    "min": Numbers,
    "max": Numbers,
    "before": Selectors,
    "after": Selectors,
    "path": Texts,
    "exists": st.sampled_from([True, False, None, 0]),
    "criteria": Texts,
    "focus": Places,
    "baseline_file": Texts,
    "name": st.sampled_from(["n", "", " ", 1, None]),
    "weight": st.sampled_from([1, 0.5, 0, -1, True, "2", None]),
    "arm": st.sampled_from(["with-only", "both", "without", None]),
    "zzz": st.just(1),
}
OF_TYPE = {
    "regex": ("pattern", "flags", "match", "target"),
    "tool_used": ("tool", "input_match", "min", "max"),
    "tool_order": ("before", "after"),
    "file_exists": ("path", "exists"),
    "llm": ("criteria", "focus"),
    "baseline": ("baseline_file", "criteria"),
    "zzz": (),
}
AnyGrader = st.one_of(
    [
        st.builds(
            lambda kind, own, other: {"type": kind, **own, **other},
            st.just(kind),
            st.fixed_dictionaries({}, optional={key: Options[key] for key in (*keys, "name", "weight", "arm")}),
            st.dictionaries(st.sampled_from(list(Options)), st.just("a"), max_size=1),
        )
        for kind, keys in OF_TYPE.items()
    ]
) | st.sampled_from([1, None, {}, {"pattern": "a"}])
Sound = {
    "id": st.just("x"),
    "input": st.just("x"),
    "split": st.sampled_from(["tuning", "验收集"]),
    "type": st.sampled_from(["should_trigger", "不应触发"]),
    "expected_trigger": st.booleans(),
    "expected_output_contains": st.lists(st.just("x"), max_size=2),
    "expected_output_not_contains": st.lists(st.just("x"), max_size=2),
    "expected_output_regex": st.just("x") | st.lists(st.just("x"), max_size=2),
    "expected_params": st.dictionaries(st.just("a"), Values, max_size=1),
    "expected_tool_calls": st.lists(st.just("x"), max_size=2)
    | st.fixed_dictionaries({"names": st.lists(st.just("x"), max_size=1)}, optional={"match": st.just("exact")}),
    "context": st.lists(st.sampled_from(["user", "assistant"]), max_size=3).map(
        lambda roles: [{"role": role, "text": "x"} for role in roles]
    ),
    "files": st.dictionaries(Paths, st.text(max_size=2), max_size=1),
    "expected_skill": st.just("x"),
    "rubric": st.dictionaries(st.just("a"), st.integers(1, 5), max_size=1),
    "human_scores": st.dictionaries(st.just("a"), st.integers(1, 5), max_size=1),
    "graders": st.lists(st.sampled_from([{"type": "regex", "pattern": "a"}, {"type": "tool_used", "tool": "Read"}])),
    "tag": st.just("x") | st.lists(st.just("x"), max_size=2),
}
Usual = st.fixed_dictionaries(
    {key: Sound[key] for key in REQUIRED}, optional={key: Sound[key] for key in KEYS if key not in REQUIRED}
)
Changes = st.dictionaries(st.sampled_from([*KEYS, "zzz"]), Values, max_size=1)


@given(Usual, Changes)
def test_schema_and_reader_agree_on_any_case(usual: Raw, changes: Raw) -> None:
    case = {**usual, **changes}
    read = read_row(case)

    faults = () if isinstance(read, Row) else [fault for fault in read if fault.code not in BEYOND_A_SCHEMA]
    assert CASE.is_valid(case) == (not faults), read


@given(Paths)
def test_schema_and_reader_agree_on_any_path_of_a_file(path: str) -> None:
    case = {"id": "x", "input": "x", "split": "tuning", "type": "should_trigger", "files": {path: "x"}}

    assert CASE.is_valid(case) == isinstance(read_row(case), Row)


@given(st.lists(AnyGrader, max_size=2))
def test_schema_and_reader_agree_on_any_graders(graders: Sequence[object]) -> None:
    case = {"id": "x", "input": "x", "split": "tuning", "type": "should_trigger", "graders": graders}
    read = read_row(case)

    faults = () if isinstance(read, Row) else [fault for fault in read if fault.code not in BEYOND_A_SCHEMA]
    assert CASE.is_valid(case) == (not faults), read

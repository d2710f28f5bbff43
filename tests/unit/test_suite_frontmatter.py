"""How files of a suite are cut: expected bodies and values were recorded with Claude Code 2.1.332."""

from pathlib import Path

import pytest

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.frontmatter import SuiteText, read_suite_text, read_suite_yaml
from tests.recorded_suites import recorded_suites

BLOCK = "---\nmax_turns: 3\n---\n"
WHOLE = object()  # no block: the text is the body


@pytest.mark.parametrize(
    ("text", "turns", "body"),
    [
        (f"{BLOCK}Say ok.\n", 3, "Say ok."),
        ("---  \nmax_turns: 3\n---  \nSay ok.\n", 3, "Say ok."),
        ("---\t\nmax_turns: 3\n---\t\nSay ok.\n", 3, "Say ok."),
        ("---\u00a0\nmax_turns: 3\n---\u00a0\nSay ok.\n", 3, "Say ok."),
        ("---\v\nmax_turns: 3\n---\nSay ok.\n", 3, "Say ok."),
        ("---\u2028\nmax_turns: 3\n---\nSay ok.\n", 3, "Say ok."),
        ("---\n\n  \n  max_turns: 3\n---\nSay ok.\n", 3, "Say ok."),
        ("---\r\nmax_turns: 3\r\n---\r\nSay ok.\r\nline two\r\n", 3, "Say ok.\r\nline two"),
        ("---\nmax_turns: 3\n---", 3, ""),
        ("---\n---\nSay ok.\n", None, "Say ok."),
        ("---\n# nothing\n---\n\nSay ok.\n", None, "Say ok."),
        ("---\nnull\n---\nSay ok.\n", None, "Say ok."),
        ("---\nmax_turns: 3\n...\n---\nSay ok.\n", 3, "Say ok."),
        (f"{BLOCK}\nSay ok.\n\n---\n\nmore: text\n", 3, "Say ok.\n\n---\n\nmore: text"),
        ("---\nmax_turns: 3\n---\ntimeout: 4\n---\nSay ok.\n", 3, "timeout: 4\n---\nSay ok."),
        (f"{BLOCK}\ufeffSay ok.\ufeff\u3000\n", 3, "Say ok."),
        (f"{BLOCK}\u0085Say ok.\u0085\n", 3, "\u0085Say ok.\u0085"),
        (f"{BLOCK}\x1cSay ok.\x1c\n", 3, "\x1cSay ok.\x1c"),
        (f"{BLOCK}Say\0 ok.\n", 3, "Say\0 ok."),
        # The first three dashes end a block, wherever they stand.
        ("---\nmax_turns: 3\n ---\nSay ok.\n", 3, "Say ok."),
        ("---\nmax_turns: 3\n---x\nSay ok.\n---\nbody", 3, "x\nSay ok.\n---\nbody"),
        ("---\nmax_turns: 3\n----\nSay ok.\n", 3, "-\nSay ok."),
        ("---\nmax_turns: 3\n---\rSay ok.\n---\nbody", 3, "Say ok.\n---\nbody"),
        ("---\nmax_turns: 3 # \u2028---\nSay ok.\n---\nbody", 3, "Say ok.\n---\nbody"),
        ("---\nmax_turns: 3 # ----- turns -----\n---\nSay ok.\n", 3, "-- turns -----\n---\nSay ok."),
        ("---\nmax_turns: 3\nexpected_outcome: a --- b\n---\nSay ok.\n", 3, "b\n---\nSay ok."),
        ("---\n---x\nmax_turns: 3\n---\nSay ok.\n", None, "x\nmax_turns: 3\n---\nSay ok."),
        # No block.
        ("Say ok.\n", WHOLE, "Say ok."),
        ("\ufeff Say ok.\n", WHOLE, "Say ok."),
        (f"\n{BLOCK}Say ok.\n", WHOLE, f"{BLOCK}Say ok."),
        (f" {BLOCK}Say ok.\n", WHOLE, f"{BLOCK}Say ok."),
        (f"\ufeff{BLOCK}Say ok.\n", WHOLE, f"{BLOCK}Say ok."),
        ("----\nmax_turns: 3\n----\nSay ok.\n", WHOLE, "----\nmax_turns: 3\n----\nSay ok."),
        ("--- # x\nmax_turns: 3\n---\nSay ok.\n", WHOLE, "--- # x\nmax_turns: 3\n---\nSay ok."),
        ("---\rmax_turns: 3\r---\rSay ok.\r", WHOLE, "---\rmax_turns: 3\r---\rSay ok."),
        ("---", WHOLE, "---"),
        ("---   ", WHOLE, "---"),
        ("", WHOLE, ""),
    ],
)
def test_a_file_is_a_block_and_the_text_below_it(text: str, turns: object, body: str) -> None:
    read = read_suite_text(text)

    assert isinstance(read, SuiteText)
    assert read.body == body
    assert read.has_frontmatter == (turns is not WHOLE)
    assert read.values.get("max_turns") == (None if turns is WHOLE else turns)


@pytest.mark.parametrize(
    ("text", "code", "line", "words"),
    [
        ("---\nmax_turns: 3\nSay ok.\n", "frontmatter-open", 1, "never closed"),
        ("---\nmax_turns: 3\n...\nSay ok.\n", "frontmatter-open", 1, "never closed"),
        ("---\r\n", "frontmatter-open", 1, "never closed"),
        ("---\n- a\n---\nSay ok.\n", "not-a-mapping", 1, "a list"),
        ("---\n[]\n---\nSay ok.\n", "not-a-mapping", 1, "a list"),
        ("---\nhello\n---\nSay ok.\n", "not-a-mapping", 1, "a single value"),
        ("---\n0\n---\nSay ok.\n", "not-a-mapping", 1, "a single value"),
        ("---\nfalse\n---\nSay ok.\n", "not-a-mapping", 1, "a single value"),
        ("---\n''\n---\nSay ok.\n", "not-a-mapping", 1, "a single value"),
        ("---\na: 1\ntags: *nope\n---\nSay ok.\n", "not-yaml", 3, "undefined alias 'nope'"),
        ("---\nname: `foo`\n---\nSay ok.\n", "not-yaml", 2, "cannot start any token"),
        ("---\nname: %foo\n---\nSay ok.\n", "not-yaml", 2, "cannot start any token"),
        ("---\nenv:\n\tEVAL_A: x\n---\nSay ok.\n", "not-yaml", 3, r"'\t' that cannot start any token"),
        ("---\n\ntype: [regex\n---\nok\n", "not-yaml", 4, "expected ',' or ']'"),
        ("---\nname: a\0\n---\nok\n", "not-yaml", 2, "U+0000"),
        ("---\na: 'b---c'\n---\nok\n", "not-yaml", 2, "it ends at the '---' inside line 2"),
        ("---\na: &a {<<: *a}\n---\nok\n", "not-yaml", 2, "refers to what it stands in"),
    ],
)
def test_what_the_program_refuses_is_one_fault_with_its_line(text: str, code: str, line: int, words: str) -> None:
    fault = read_suite_text(text)

    assert isinstance(fault, SuiteFault)
    assert (fault.code, fault.line, fault.path, fault.effect) == (code, line, (), "refused")
    assert words in fault.message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{BLOCK}ok", None),
        ("---\r\na: 1\r\n---\r\nok", None),
        ("---\na: 1\n--- \u3000\nok", None),
        ("---\na: 1\nb: x --- y\n---\nok", 3),
        ("---\na: |\n  x\n  ---\n  y\n---\nok", 4),
        ("---\na: 1\n---- \nok", 3),
    ],
)
def test_a_block_that_ends_inside_a_line_says_so(text: str, line: int | None) -> None:
    read = read_suite_text(text)

    assert isinstance(read, SuiteText)
    assert read.ends_inside == line


def test_lines_are_those_of_the_file() -> None:
    read = read_suite_text("---\n\n# why\nname: x\ntags:\n  - a\n  - b\nname: y\n---\nbody")

    assert isinstance(read, SuiteText)
    assert [read.line(path) for path in [("name",), ("tags",), ("tags", 1), ("tags", 1, "z"), ("none",), ()]] == [
        8,
        5,
        7,
        7,
        None,
        None,
    ]
    assert [(key.path, key.line, key.first) for key in read.repeated] == [(("name",), 8, 4)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('\ufeffschema_version: "1.0"\n', {"\ufeffschema_version": "1.0"}),
        ("---\na: 1\n", {"a": 1}),
        ("a: 1\n...\n", {"a": 1}),
        ("", {}),
        ("# nothing\n", {}),
        ("a: yes\nb: |\n  x", {"a": "yes", "b": "x\n"}),
        ("a: |\r\n  x\r\n  y\r\n", {"a": "x\ny\n"}),
    ],
)
def test_a_yaml_file_is_a_mapping(text: str, values: object) -> None:
    read = read_suite_yaml(text)

    assert isinstance(read, SuiteText)
    assert (read.values, read.body, read.has_frontmatter) == (values, "", False)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("- a\n", "not-a-mapping", 1),
        ("a: 1\n---\n", "not-a-mapping", 1),
        ("x", "not-a-mapping", 1),
        ("a: [", "not-yaml", 1),
    ],
)
def test_a_yaml_file_that_is_no_mapping_is_a_fault(text: str, code: str, line: int) -> None:
    fault = read_suite_yaml(text)

    assert isinstance(fault, SuiteFault)
    assert (fault.code, fault.line) == (code, line)


def test_recorded_prompts_come_out_as_the_program_shows_them(conformance: Path) -> None:
    compared = 0
    for suite in recorded_suites(conformance, "static", "run"):
        for case in (case for cases in suite.cases.values() for case in cases):
            file = suite.files.get(f"{case['dir']}/prompt.md", {})
            if case["source"] != "prose" or "text" not in file:
                continue
            read = read_suite_text(file["text"].removeprefix("\ufeff"))
            assert isinstance(read, SuiteText), suite.name
            assert read.body == case["promptMarkdown"], suite.name
            compared += 1

    assert compared > 250

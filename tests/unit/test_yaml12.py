import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.formats.yaml12 import MAX_CHARS, MAX_DEPTH, PARSERS, YamlError, parse_yaml, read_yaml

# Expected values: the examples of YAML 1.2.2, chapter 10.3.2, and its text on what changed since 1.1.
CORE_SCHEMA = [
    ("yes", "yes"),
    ("no", "no"),
    ("on", "on"),
    ("y", "y"),
    ("true", True),
    ("FALSE", False),
    ("~", None),
    ("null", None),
    ("", None),
    ("0", 0),
    ("010", 10),
    ("0o7", 7),
    ("0x3A", 58),
    ("-19", -19),
    ("1_000", "1_000"),
    ("190:20:30", "190:20:30"),
    ("2001-12-14", "2001-12-14"),
    ("12e03", 12000.0),
    ("-2E+05", -200000.0),
    (".5", 0.5),
    (".inf", float("inf")),
    ("-.INF", float("-inf")),
    ("!!str 12", "12"),
    ('"12"', "12"),
    ("=", "="),
]


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(("written", "value"), CORE_SCHEMA)
def test_scalars_follow_the_core_schema(written: str, value: object, parser: str) -> None:
    parsed = read_yaml(f"key: {written}", parser=parser).value

    assert parsed == {"key": value}
    assert isinstance(parsed, dict)
    assert type(parsed["key"]) is type(value)


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: >-\n  one\n  two\n", "one two"),
        ("a: |\n  one\n  two\n", "one\ntwo\n"),
        ("a: one\n  two\n", "one two"),
        ('a: "one\n  two"\n', "one two"),
        ("a: 'it''s' # why\n", "it's"),
        ("a: b # trailing\n", "b"),
        ("a:\tb\n", "b"),
        ("a: 该触发时 # 注释\n", "该触发时"),
        ('a: "\\ud83d\\ude00"\n', "😀"),
        ("<<: {a: 1}\na: 2\n", 2),
        ("b: &x [1]\na: *x\n", [1]),
        ("a: x\u2028y\x85z\ufeff\n", "x\u2028y\x85z\ufeff"),
        ("a: !!int '3'\n", 3),
        ("a: !!seq [1]\n", [1]),
        ("a: -0x1\n", "-0x1"),
    ],
)
def test_every_way_to_write_a_text(text: str, value: object, parser: str) -> None:
    parsed = read_yaml(text, parser=parser).value

    assert isinstance(parsed, dict)
    assert parsed["a"] == value


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "'a' stands twice (first in line 1)"),
        ("a: 1\nb: !!python/object:os.system x\n", 2, "python/object"),
        ("a: !thing x\n", 1, "'!thing'"),
        ("a: !!int x\n", 1, "'int'"),
        ("a: !!map [1]\n", 1, "'map'"),
        ("a: &x 1\nb: &x 2\n", 2, "the anchor 'x' stands twice"),
        ("a: 1\nb: *x\n", 2, "undefined alias 'x'"),
        ("a: x\u2028y\nb: [", 2, "expected"),
        ("a: b: c\n", 1, "mapping values are not allowed"),
        ("a: 1\nb: [1\n", 3, "expected ',' or ']'"),
        ("a: &x [*x]\n", 1, "refers to what it stands in"),
        ("a: 1\nb: \x07\n", 2, "U+0007"),
        ('a: "\\ud83d"\n', 1, "half of a character"),
        ('a: "\\UFFFFFFFF"\n', 1, "stands for no character"),
        ("? [x]\n: 1\n", 1, "where a key belongs"),
        ("a: 1\n--- \nb: 2\n", 2, "another document"),
        ("\n" + "[" * 60 + "]" * 60, 2, f"deeper than {MAX_DEPTH} levels"),
        ("a: " + "9" * 5000, 1, "digits"),
        ("x" * (MAX_CHARS + 1), 1, "longer than"),
    ],
)
def test_fault_names_its_line(text: str, line: int, words: str, parser: str) -> None:
    with pytest.raises(YamlError) as caught:
        read_yaml(text, parser=parser)

    assert caught.value.line == line
    assert words in caught.value.message


def test_aliases_cannot_grow_without_bound() -> None:
    bomb = "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n" + "".join(
        f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)
    )
    chain = "a0: &a0 [1]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 500))
    started = time.process_time()

    for text in (bomb, chain):
        with pytest.raises(YamlError, match="written out"):
            parse_yaml(text)

    assert time.process_time() - started < 5


@pytest.mark.parametrize("parser", PARSERS)
def test_entries_keep_what_numbers_lose(parser: str) -> None:
    text = read_yaml("name: 画\nmetadata:\n  version: 1.10 # two digits\n", parser=parser)

    entry = text.entries["metadata", "version"]
    assert (entry.written, entry.line, entry.plain, entry.tail) == ("1.10", 3, True, "# two digits")


@given(st.text(alphabet=st.sampled_from(list("ab:-?[]{},&*!|>'\"%@`#\\uU0129xd~\n\t \r.é﻿\x85\u2028<=")), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    line = 1
    try:
        parse_yaml(text)
    except YamlError as error:
        line = error.line

    assert 1 <= line <= len(text) + 2

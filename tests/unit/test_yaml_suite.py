"""The YAML of suites: the same values as the program that runs suites, whichever parser makes the events."""

import json
import math
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.formats.yaml12 import PARSERS, STRICT, SUITE, Dialect, RepeatedKey, YamlError, read_yaml
from tests.recorded_suites import ALL_KINDS, recorded_suites

# Recorded from `Bun.YAML.parse` of Bun 1.4.5; numbers that JSON does not have are written "#Infinity" and so on.
TABLE = Path(__file__).parent.parent / "data" / "bun_yaml.jsonl"
EXACT_MAX = 2**53


def js_int(digits: str) -> int | float:
    return int(digits) if abs(int(digits)) <= EXACT_MAX else float(digits)


ROWS = [json.loads(line, parse_int=js_int) for line in TABLE.read_text("utf-8").splitlines()]


def as_json(value: object) -> object:
    match value:
        case float() if math.isnan(value):
            return "#NaN"
        case float() if math.isinf(value):
            return "#Infinity" if value > 0 else "#-Infinity"
        case list():
            return [as_json(item) for item in value]
        case dict():
            return {key: as_json(item) for key, item in value.items()}
        case _:
            return value


def suite_value(text: str, parser: str | None = None) -> object:
    return read_yaml(text, dialect=SUITE, parser=parser).value


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("row", ROWS, ids=[repr(row["yaml"]) for row in ROWS])
def test_values_are_those_of_bun_but_for_what_is_noted(row: Mapping[str, object], parser: str) -> None:
    text = str(row["yaml"])
    if row.get("ours_fails") or (row.get("bun_fails") and "ours" not in row):
        with pytest.raises(YamlError):
            read_yaml(text, dialect=SUITE, parser=parser)
        return

    value = as_json(suite_value(text, parser))

    assert value == row.get("ours", row.get("bun"))
    assert ("ours" in row) == ("why" in row)
    assert repr(value) == repr(as_json(value)), "True is no 1"


def test_few_texts_differ_from_bun() -> None:
    assert len(ROWS) > 300
    assert sum("why" in row for row in ROWS) == 11


@pytest.mark.parametrize(
    ("written", "value"),
    [("1.0", 1), ("1e3", 1000), ("0x10", 16), ("9007199254740993", 9007199254740992), ("1e21", 1e21), ("1.5", 1.5)],
)
def test_a_whole_number_is_an_int_as_long_as_javascript_counts_exactly(written: str, value: float) -> None:
    read = suite_value(f"[{written}]")

    assert read == [value]
    assert isinstance(read, list)
    assert type(read[0]) is type(value)


@pytest.mark.parametrize("parser", PARSERS)
def test_every_value_keeps_its_line(parser: str) -> None:
    text = "a: 1\nb:\n  - x\n  -\n    c: &c {d: [2]}\n\u2028: 画 # why\nf: *c\ng: {<<: *c, e: 3}\n"

    entries = read_yaml(text, dialect=SUITE, parser=parser).entries

    assert {path: entry.line for path, entry in entries.items()} == {
        ("a",): 1,
        ("b",): 2,
        ("b", 0): 3,
        ("b", 1): 5,
        ("b", 1, "c"): 5,
        ("b", 1, "c", "d"): 5,
        ("b", 1, "c", "d", 0): 5,
        ("\u2028",): 6,
        ("f",): 7,
        ("f", "d"): 5,
        ("f", "d", 0): 5,
        ("g",): 8,
        ("g", "d"): 5,
        ("g", "d", 0): 5,
        ("g", "e"): 8,
    }
    assert (entries["\u2028",].written, entries["\u2028",].tail) == ("画", "# why")
    assert len(entries) == len(list(entries))
    assert () not in entries
    assert ("b", 2) not in entries


def test_entries_of_several_documents_begin_with_their_number() -> None:
    assert read_yaml("a: 1\n---\nb: 2\n", dialect=SUITE).entries[1, "b"].line == 3


@pytest.mark.parametrize("parser", PARSERS)
def test_a_key_that_stands_again_is_told_with_both_lines(parser: str) -> None:
    text = "a: 1\nb: [{c: 1, c: 2}]\na: 2\n1: x\n'1': y\n<<: {d: 1, e: 1}\n<<: {d: 2}\nd: 3\ne: 1\ne: 2\n"

    read = read_yaml(text, dialect=SUITE, parser=parser)

    assert read.value == {"a": 2, "b": [{"c": 2}], "1": "y", "d": 3, "e": 2}
    assert read.repeated == (
        RepeatedKey(path=("b", 0, "c"), line=2, first=2),
        RepeatedKey(path=("a",), line=3, first=1),
        RepeatedKey(path=("1",), line=5, first=4),
        RepeatedKey(path=("e",), line=10, first=9),
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-EXACT_MAX, EXACT_MAX) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize("parser", PARSERS)
@given(
    data=JSON.filter(lambda data: "<<" not in json.dumps(data)),
    ascii_only=st.booleans(),
    indent=st.sampled_from([None, 1]),
)
def test_json_is_yaml(parser: str, data: object, *, ascii_only: bool, indent: int | None) -> None:
    written = json.dumps(data, ensure_ascii=ascii_only, indent=indent).replace("Infinity", "1e999").replace("\x7f", "")

    read = suite_value(written, parser)

    assert read == json.loads(written)


def texts_of(conformance: Path) -> Iterator[str]:
    for suite in recorded_suites(conformance, *ALL_KINDS):
        for name, file in suite.files.items():
            if name.endswith((".yaml", ".md", ".json")) and "text" in file:
                yield file["text"]


def test_both_parsers_read_all_recorded_files_alike(conformance: Path) -> None:
    texts = set(texts_of(conformance))
    blocks = {text.split("---")[1] for text in texts if text.count("---") > 1}

    for text in texts | blocks:
        answers = [outcome(text.removeprefix("\ufeff"), parser) for parser in PARSERS]
        assert answers == answers[:1] * len(answers), text

    assert len(blocks) > 200


def outcome(text: str, parser: str) -> object:
    try:
        return as_json(suite_value(text, parser))
    except YamlError as error:
        return error.line


BOMB = "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n" + "".join(
    f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)
)
MERGES = "a0: &a0 {" + ", ".join(f"k{n}: 1" for n in range(100)) + "}\n"
MERGES += "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}], x{n}: 1}}\n" for n in range(1, 30))


@pytest.mark.parametrize("dialect", [STRICT, SUITE], ids=["strict", "suite"])
@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (BOMB, "written out"),
        (MERGES, "written out"),
        ("a0: &a0 [1]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 500)), "written out"),
        ("[" * 20_000, "nested"),
        ("{a: " * 20_000, "nested"),
        ("- " * 20_000, "nested deeper than"),
        ("\n".join(" " * depth + "a:" for depth in range(300)), "nested deeper than"),
        ("[" + "1," * 100_001 + "]", "values"),
        ("s: &s " + "x" * 100_000 + "\n? [" + "*s," * 9_000 + "]\n: 1", "where a key belongs"),
        ("x" * (SUITE.max_chars + 1), "longer than"),
        ("a: b\0", "U+0000"),
    ],
    ids=["aliases", "merges", "chain", "[", "{", "-", "lines", "items", "key", "chars", "nul"],
)
def test_what_could_grow_without_bound_is_refused_at_once(text: str, words: str, parser: str, dialect: Dialect) -> None:
    started = time.process_time()

    with pytest.raises(YamlError, match=words.replace("+", r"\+")):
        read_yaml(text, dialect=dialect, parser=parser)

    assert time.process_time() - started < 20


# What the real program does with a case.yaml that holds these below a key that it does not know.
@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: &a [*a]", {"a": [[]]}),
        ("a: &a {b: *a}", {"a": {"b": {}}}),
        ("a: &a [1, {x: [*a]}]", {"a": [1, {"x": [[]]}]}),
        ("a: &a {*a : 1}", {"a": {"[object Object]": 1}}),
        ("a: &a {b: &a [1, *a]}", {"a": {"b": [1, []]}}),
        ("a: &a {<<: *a}", None),
        ("a: &a {b: 1, <<: [*a]}", None),
    ],
)
def test_what_holds_itself_is_empty_there_and_cannot_be_merged(text: str, value: object, parser: str) -> None:
    with pytest.raises(YamlError, match=r"refers to what it stands in|stands twice"):
        read_yaml(text, dialect=STRICT, parser=parser)
    if value is not None:
        assert suite_value(text, parser) == value
        return
    with pytest.raises(YamlError, match="refers to what it stands in"):
        read_yaml(text, dialect=SUITE, parser=parser)


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 1\n: x", {"a": 1, "null": "x"}),
        ("a:\n  : x", {"a": {"null": "x"}}),
        ("a: {: x}", {"a": {"null": "x"}}),
        ("a: {b: 1, : x}", {"a": {"b": 1, "null": "x"}}),
        (":", {"null": None}),
        ("a: 1\n:\n", {"a": 1, "null": None}),
        ("- : x\n- : y\n", [{"null": "x"}, {"null": "y"}]),
        ("? a\n: x", {"a": "x"}),
        ("a: |\n  : x\nb: 1", {"a": ": x\n", "b": 1}),
    ],
)
def test_an_empty_key_is_null(text: str, value: object, parser: str) -> None:
    assert suite_value(text, parser) == value


def test_more_values_than_may_be_are_told_as_what_they_are() -> None:
    wide = "".join(f"k{index}: 1\n" for index in range(60_000))
    with pytest.raises(YamlError, match=r"line 50000: more than 100,000 keys and values$"):
        read_yaml(wide, dialect=SUITE)


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("dialect", [STRICT, SUITE], ids=["strict", "suite"])
@pytest.mark.parametrize("text", ["x: 1\na: b\nc\n", "x: 1\na: b\nc\nd: 1\n", "x: 1\na:\nc\n", "x: 1\na: b\nc"])
def test_text_that_should_be_a_key_is_told_with_its_own_line(text: str, dialect: Dialect, parser: str) -> None:
    with pytest.raises(YamlError, match=r"^line 3: could not find expected ':'"):
        read_yaml(text, dialect=dialect, parser=parser)


@pytest.mark.parametrize("parser", PARSERS)
def test_limits_are_those_of_the_dialect(parser: str) -> None:
    deep = "[" * SUITE.max_depth + "]" * SUITE.max_depth

    read_yaml(deep, dialect=SUITE, parser=parser)
    with pytest.raises(YamlError, match="deeper than 200 levels"):
        read_yaml(f"[{deep}]", dialect=SUITE, parser=parser)


@pytest.mark.parametrize("dialect", [STRICT, SUITE], ids=["strict", "suite"])
@pytest.mark.parametrize("parser", PARSERS)
def test_levels_are_counted_with_aliases_written_out(parser: str, dialect: Dialect) -> None:
    half = dialect.max_depth // 2
    chain = "a0: &a0 [1]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, dialect.max_depth - 1))
    longer = f"{chain}b: [*a{dialect.max_depth - 2}]\n"

    def nested(around: int) -> str:
        return f"a: &a [&b {'[' * half}{']' * half}]\nc: {'[' * around}*a{']' * around}\n"

    for text in (chain, nested(dialect.max_depth - half - 2)):
        read_yaml(text, dialect=dialect, parser=parser)
    for text in (longer, nested(dialect.max_depth - half - 1)):
        with pytest.raises(YamlError, match="written out"):
            read_yaml(text, dialect=dialect, parser=parser)


@pytest.mark.parametrize("parser", PARSERS)
def test_a_cross_reference_is_no_bomb(parser: str) -> None:
    text = "a: &a [1]\n" + "".join(f"b{n}: *a\n" for n in range(1000))

    read = read_yaml(text, dialect=SUITE, parser=parser)

    assert isinstance(read.value, dict)
    assert read.value["b999"] == [1]
    assert read.entries["b999", 0].line == 1
    assert read.entries["b999",].line == 1001


@given(
    st.text(
        alphabet=st.sampled_from(list("ab:-?[]{},&*!|>'\"%@`#\\uU0129xd~\n\t \r.é\ufeff\x85\u2028<=\x07")), max_size=60
    )
)
def test_any_text_is_read_or_refused(text: str) -> None:
    for parser in PARSERS:
        line = 1
        try:
            read = read_yaml(text, dialect=SUITE, parser=parser)
            assert len(dict(read.entries)) == len(read.entries)
        except YamlError as error:
            line = error.line

        assert 1 <= line <= text.count("\n") + text.count("\r") + 1

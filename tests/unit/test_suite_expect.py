from pathlib import Path

import pytest

from skill_evaluator.formats.suite.expect_calls import violation
from skill_evaluator.formats.suite.expect_guards import MAX_GUARDS, Guard, read_guards
from skill_evaluator.formats.suite.expect_patterns import ExpectPattern, looks_like_pattern, read_pattern
from skill_evaluator.formats.suite.faults import SuiteFault, Values
from skill_evaluator.formats.suite.frontmatter import SuiteText, read_suite_text
from tests.recorded_suites import RecordedSuite, recorded_suites

EXPECTING = ("run/mock-ok", "run/mock-viol", "run/mock-len", "run/mock-ts-viol", "run/mock-ts-agent-expect")


def expect_of(suite: RecordedSuite) -> Values:
    """Give the `expect` of the only mock file."""
    read = read_suite_text(str(suite.files["evals/mocks/tracker/t.md"]["text"]))
    assert isinstance(read, SuiteText)
    expect = read.values.get("expect", {})
    return expect if isinstance(expect, dict) else {}


def test_calls_break_an_expectation_where_the_real_program_ended_the_run(conformance: Path) -> None:
    compared = 0
    for suite in recorded_suites(conformance, "run"):
        if not suite.name.startswith(EXPECTING) or suite.never_started("evals/c"):
            continue
        runs = suite.runs["evals/c"]
        broken = [
            any(violation(expect_of(suite), given) for given in suite.inputs(index)) for index in range(len(runs))
        ]
        assert (suite.name, broken) == (suite.name, [run.is_aborted for run in runs])
        compared += 1

    assert compared >= 45


@pytest.mark.parametrize(
    "text",
    [
        *(r"/\d{3}/", r"/[^a-z]\w/", "/a/b/", "/x{,3}/", "/x{2,3}?/", "/[]/", "/[(|)]/", "/^$/", "/x$/i", r"/\bx/s"),
        *("/x/si", r"/\01/", r"/[\1]/", r"/\u{41}/", "/x{9000}/", "/a{1,2}b{0,9}/", "///", "/\n/"),
    ],
)
def test_a_pattern_of_the_dialect_is_read(text: str) -> None:
    assert looks_like_pattern(text)
    assert isinstance(read_pattern(text), ExpectPattern)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("/x|y/", "alternative"),
        ("/(x)/", "group"),
        ("/(?=x)y/", "group"),
        ("/x^y/", "a ^ inside"),
        ("/^^x/", "a ^ inside"),
        ("/x$$/", "a $ inside"),
        ("/$x/", "a $ inside"),
        (r"/x\1/", "refers back"),
        (r"/\k/", "refers back"),
        ("/x/g", "the flag g"),
        ("/x/ii", "no JavaScript regular expression"),
        ("/usr/local", "no JavaScript regular expression"),
        ("/*x/", "no JavaScript regular expression"),
        ("/x{3,1}/", "no JavaScript regular expression"),
        ("/[a/", "no JavaScript regular expression"),
        ("/[z-a]/", "no JavaScript regular expression"),
        (r"/\b*/", "no JavaScript regular expression"),
        ("/x\\/", "no JavaScript regular expression"),
        ("/x{99999999999}/", "repeats so much"),
        ("/x{" + "9" * 5000 + "}/", "repeats so much"),
        ("/" + "x*" * 2000 + "/", "repeats so much"),
    ],
)
def test_a_pattern_outside_of_the_dialect_is_told(text: str, words: str) -> None:
    problem = read_pattern(text)

    assert isinstance(problem, str)
    assert words in problem


@pytest.mark.parametrize("text", ["//", "/", "/x", "x/", "/x/ ", "/X/I", "/a/1", "//i", "/(/é"])
def test_other_texts_with_slashes_are_meant_as_they_stand(text: str) -> None:
    assert not looks_like_pattern(text)


@pytest.mark.parametrize(
    ("pattern", "loads", "fails"),
    [
        # As asked of the real program.
        ("x{1,N}", 1759, 1760),
        ("^x{1,N}", 7063, 7064),
        (r"\x41" * 50 + "x{1,N}", 1679, 1707),
        ("😀" * 40 + "x{1,N}", 1710, 1736),
        (".*x{1,N}", 420, 421),
        ("x{50,N}", 1784, 1785),
    ],
)
def test_repeats_are_bounded_where_the_real_program_bounds_them(pattern: str, loads: int, fails: int) -> None:
    assert isinstance(read_pattern(f"/{pattern.replace('N', str(loads))}/"), ExpectPattern)
    assert isinstance(read_pattern(f"/{pattern.replace('N', str(fails))}/"), str)


@pytest.mark.parametrize(
    ("expect", "count"),
    [
        ({f"k{number}": "string" for number in range(MAX_GUARDS)}, 32),
        ({"a": {f"k{number}": "string" for number in range(16)}, "b": {f"k{number}": 5 for number in range(16)}}, 32),
        ({"a": {}, "b": True}, 1),
        ({}, 0),
    ],
)
def test_guards_are_counted_with_those_inside(expect: Values, count: int) -> None:
    guards = read_guards(expect)

    assert len(guards) == count
    assert all(isinstance(guard, Guard) for guard in guards)


def test_too_many_guards_are_one_fault() -> None:
    [fault] = read_guards({"a": {f"k{number}": "string" for number in range(33)}})

    assert isinstance(fault, SuiteFault)
    assert (fault.code, fault.effect, fault.path) == ("too-many-expectations", "fails", ("expect",))


def test_each_bad_expectation_is_told_with_its_place() -> None:
    faults = read_guards({"a": None, "b": {"c": []}, "d": [["x"]], "e": float("nan"), "f": "/(/", "g": "fine"})

    assert [fault.path for fault in faults if isinstance(fault, SuiteFault)] == [
        ("expect", "a"),
        ("expect", "b", "c"),
        ("expect", "d"),
        ("expect", "e"),
        ("expect", "f"),
    ]


@pytest.mark.parametrize(
    ("expect", "given", "words"),
    [
        ({"a": "string"}, {"a": 5}, "a = 5 is not of the type string"),
        ({"a.b": 5}, {"a": {"b": "6"}}, 'a.b = "6" is not "5"'),
        ({"a": ["x", 5]}, {}, 'a = (missing) is none of ["x","5"]'),
        ({"a": "/x/i"}, {"a": None}, "a = null does not match /x/i"),
        ({"a": "hello"}, {"a": "y" * 100}, 'a = "' + "y" * 79 + '… is not "hello"'),
        ({"a.1": "x"}, {"a": ["y", "x"]}, None),
        ({"a.01": "x"}, {"a": ["y", "x"]}, None),
        ({"a.-1": "x"}, {"a": ["x"]}, "(missing)"),
        ({"a": "1e+21"}, {"a": 1e21}, None),
        ({"a": "integer"}, {"a": 5}, 'is not "integer"'),
        ({"a": "boolean"}, {"a": True}, None),
        ({"a": "number"}, {"a": True}, "is not of the type number"),
        ({"a": "/x/"}, {"a": "x" * 3001}, None),
        ({"a": "/x*x*x*y/"}, {"a": "x" * 8000 + "y"}, "more than the"),
        ({"a\n": "string"}, {"a\n": 5}, "a\\n = 5"),
    ],
)
def test_the_first_broken_guard_is_told(expect: Values, given: Values, words: str | None) -> None:
    broken = violation(expect, given)

    assert broken is None if words is None else words in (broken or "")

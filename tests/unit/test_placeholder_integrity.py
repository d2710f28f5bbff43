import re
from pathlib import Path
from typing import Literal

import pytest

from skill_evaluator.graders.translation import PlaceholderIntegrity
from skill_evaluator.graders.translation.placeholders.difference import GRAVITY
from skill_evaluator.graders.translation.placeholders.formats import compare_custom
from skill_evaluator.model import Outcome, Run

Syntax = Literal["auto", "printf", "python", "icu", "custom"]


def checked(
    syntax: Syntax, source: str, target: str | None, *, pattern: str | None = None, allow_reorder: bool = True
) -> Outcome:
    check = PlaceholderIntegrity(
        source=source, target_locale="de", syntax=syntax, pattern=pattern, allow_reorder=allow_reorder
    )
    return check.check(Run(case_id="one", output=target))


def test_example_of_the_contract_comes_out_as_it_stands_there() -> None:
    outcome = checked("printf", "Welcome, %s! You have %d coins.", "Welcome, %s!")

    assert outcome == Outcome(
        passed=False,
        code="placeholder_missing",
        message="Expected placeholder %d is missing.",
        evidence={"expected": ["%s", "%d"], "actual": ["%s"]},
    )


FULL_WIDTH = " It would be kept if it were not in full-width characters."


@pytest.mark.parametrize(
    ("syntax", "source", "target", "is_told"),
    [
        ("printf", "%d coins", "％d 枚金币", True),
        ("printf", "%d coins", "％ｄ枚金币！", True),
        ("python", "Hi {name}", "｛name｝你好", True),
        ("auto", "Hi {name}", "｛name｝你好", True),
        ("icu", "{n, number}", "{n，number}", True),
        ("printf", "%d coins", "你有金币！", False),
        ("python", "Hi {name}", "｛名字｝你好", False),
    ],
)
def test_placeholder_in_full_width_characters_is_named_as_such(
    syntax: Syntax, source: str, target: str, *, is_told: bool
) -> None:
    outcome = checked(syntax, source, target)

    assert outcome.passed is False
    assert outcome.message.endswith(FULL_WIDTH) == is_told


# Worked out from the C standard, POSIX and the manual of gettext.
PRINTF = [
    ("%s %s", "%s", "placeholder_count_mismatch"),
    ("%s", "%s %s", "placeholder_count_mismatch"),
    ("%s %d", "%2$d %1$s", "ok"),
    ("%s %d", "%1$s %2$d", "ok"),
    ("%1$s %2$d", "%s %d", "ok"),
    ("%1$s %2$d", "%d %s", "placeholder_mutated"),  # the first is taken for a number now
    ("%s %d", "%d %s", "placeholder_reordered"),
    ("%s %s", "%s %s", "ok"),  # which is which is for a reader to say
    ("%s", "%d", "placeholder_mutated"),
    ("%s %d", "%s %s", "placeholder_mutated"),
    ("%s %s %d", "%s %d %d", "placeholder_mutated"),
    ("%s %d", "%d %x", "placeholder_missing"),
    ("%5d", "%d", "placeholder_mutated"),
    ("%.2f", "%.3f", "placeholder_mutated"),
    ("%ld", "%d", "placeholder_mutated"),
    ("%d", "%i", "placeholder_mutated"),
    ("%-05d", "%0-5d", "ok"),  # flags have no order
    ("%'d", "%d", "placeholder_mutated"),
    ("%d", "%Id", "ok"),  # digits of the locale, for translators to ask for
    ("%*d %s", "%3$s %2$*1$d", "ok"),
    ("%*d %s", "%3$s %1$*2$d", "placeholder_missing"),  # the width is taken for the number
    ("%.*f", "%f", "placeholder_mutated"),
    ("%m: %s", "%s: %m", "ok"),  # takes no argument
    ("%s", "%s %m", "placeholder_extra"),
    ("%<PRId64>", "%<PRId64>", "ok"),
    ("%<PRId64>", "%<PRIu64>", "placeholder_mutated"),
    ("%<PRId64>", "%<PRIe64>", "placeholder_malformed"),
    ("100%% of %s", "%s: 100%%", "ok"),
    ("100%% of %s", "%s", "ok"),  # text, for other checks
    ("%s%%", "%s%", "placeholder_malformed"),
    ("%d%%", "%d % de", "placeholder_extra"),  # `% d` takes an argument
    ("100% sure", "zu 100% sicher", "ok"),  # to printf both hold `% s`
    ("100% sure", "gewiss", "placeholder_missing"),
    ("%s", "%1$s %s", "placeholder_malformed"),
    ("%1$s", "%0$s", "placeholder_malformed"),
    ("%s", "%hs", "placeholder_malformed"),
    ("%s", "%y", "placeholder_malformed"),
    ("%s", "%٣d", "placeholder_malformed"),  # digits of C are ASCII
    ("%c%%%c", "%c%%%c", "ok"),
    ("plain", "schlicht", "ok"),
    ("plain", "schlicht %s", "placeholder_extra"),
    ("20%!", "20%!", "placeholder_undecided"),
    ("20%! %s", "20%!", "placeholder_missing"),
]
PYTHON = [
    ("%(a)s %(b)d", "%(b)d %(a)s", "ok"),
    ("%(a)s", "%(b)s", "placeholder_mutated"),
    ("%(a)s", "%(a)d", "placeholder_mutated"),
    ("%(a)s %(a)s", "%(a)s", "placeholder_count_mismatch"),
    ("%(a)s %(b)s", "%(a)s %(a)s", "placeholder_missing"),
    ("%(a)s", "%s", "placeholder_mutated"),
    ("%(a)s", "%(a)s %s", "placeholder_malformed"),
    ("%(a)s", "%(a) s", "placeholder_mutated"),
    ("%(a)s", "%(a)", "placeholder_malformed"),
    ("%(a(b))s", "%(a(b))s", "ok"),
    ("%s %d", "%d %s", "placeholder_reordered"),
    ("%s %d", "%2$d %1$s", "placeholder_malformed"),  # printf only
    ("%s", "%1s", "placeholder_mutated"),
    ("{a} {b}", "{b} {a}", "ok"),
    ("{a}", "{b}", "placeholder_mutated"),
    ("{a} {a}", "{a}", "placeholder_count_mismatch"),
    ("{a.b[0]!r:>10}", "{a.b[0]!r:>10}", "ok"),
    ("{a.b[0]!r:>10}", "{a.b[1]!r:>10}", "placeholder_mutated"),
    ("{a!r}", "{a}", "placeholder_mutated"),
    ("{a!r}", "{a!x}", "placeholder_malformed"),
    ("{} {}", "{1} {0}", "ok"),
    ("{0} {1}", "{} {}", "ok"),
    ("{} {:d}", "{:d} {}", "placeholder_reordered"),
    ("{} {}", "{0} {}", "placeholder_malformed"),
    ("{} {}", "{}", "placeholder_count_mismatch"),
    ("{a:{w}}", "{a:{v}}", "placeholder_mutated"),
    ("{:{}} {}", "{0:{1}} {2}", "ok"),
    ("{:{}} {}", "{0:{2}} {1}", "placeholder_mutated"),
    ("{a:{w:{x}}}", "{a}", "placeholder_undecided"),  # nested too deep for Python
    ("{{a}} {b}", "{{x}} {b}", "ok"),
    ("{{a}} {b}", "{a} {b}", "placeholder_extra"),
    ("{a}", "{a", "placeholder_malformed"),
    ("{a}", "{a}}", "placeholder_malformed"),
    ("%(a)s {b}", "{b} %(a)s", "ok"),
    ("%(a)s {b}", "%(a)s", "placeholder_missing"),
    ("{a} 5% off", "5% de {a}", "ok"),  # braces are used, so percent signs are text
    ("%(a)s {{ x }}", "{{ y }} %(a)s", "ok"),
    ("%(a)s", "%(a)s {b}", "placeholder_extra"),
    ("{a}", "{a} %(b)s", "placeholder_extra"),
    ("100% sure", "100% sicher", "ok"),
    ("plain", "schlicht", "ok"),
]


@pytest.mark.parametrize(("source", "target", "code"), PRINTF)
def test_printf(source: str, target: str, code: str) -> None:
    assert checked("printf", source, target).code == code


@pytest.mark.parametrize(("source", "target", "code"), PYTHON)
def test_python(source: str, target: str, code: str) -> None:
    assert checked("python", source, target).code == code


@pytest.mark.parametrize(
    ("syntax", "source", "target"),
    [("printf", "%1$s %2$s", "%2$s %1$s"), ("printf", "%s %d", "%2$d %1$s"), ("python", "{a} {b}", "{b} {a}")],
)
def test_any_order_is_a_fault_where_none_is_allowed(syntax: Syntax, source: str, target: str) -> None:
    assert checked(syntax, source, target).code == "ok"
    outcome = checked(syntax, source, target, allow_reorder=False)

    assert outcome.code == "placeholder_reordered"
    assert "not allowed" in outcome.message


def test_every_match_of_a_pattern_of_ones_own_counts() -> None:
    assert checked("custom", "[a] [a] %s", "[a] [a]", pattern=r"\[\w\]").code == "ok"
    assert checked("custom", "[a] [a]", "[a]", pattern=r"\[\w\]").code == "placeholder_count_mismatch"
    assert checked("custom", "[a] [b]", "[b] [c]", pattern=r"\[\w\]").code == "placeholder_mutated"
    assert checked("custom", "aXb", "ab", pattern="X?").code == "placeholder_missing"  # empty matches are none


def test_pattern_that_takes_too_long_decides_nothing() -> None:
    found = compare_custom("a" * 60 + "b", "b", pattern=r"(a|aa)+$", allow_reorder=True, timeout_s=0.01)

    assert found.faults == ()
    assert found.undecided == "the pattern was not done after 0.01 s"


@pytest.mark.parametrize(("syntax", "pattern"), [("custom", None), ("printf", "x"), ("custom", "(")])
def test_pattern_stands_with_custom_only_and_must_compile(syntax: Syntax, pattern: str | None) -> None:
    with pytest.raises(ValueError, match=r"pattern|regular expression"):
        checked(syntax, "a", "a", pattern=pattern)


def test_several_faults_are_all_in_the_evidence_and_the_gravest_is_told() -> None:
    outcome = checked("printf", "%s %s %d", "%s %")

    assert outcome.code == "placeholder_malformed"
    assert outcome.evidence == {
        "expected": ["%s", "%s", "%d"],
        "actual": ["%s"],
        "codes": ["placeholder_malformed", "placeholder_missing", "placeholder_count_mismatch"],
    }
    assert outcome.message.endswith("(and 2 more)")


def test_codes_are_those_that_are_documented() -> None:
    assert {code for _, _, code in [*PRINTF, *PYTHON]} == {*GRAVITY, "ok", "placeholder_undecided"}


def test_no_output_and_part_of_one_decide_nothing() -> None:
    assert checked("printf", "%s", None).code == "not_run"
    check = PlaceholderIntegrity(source="%s", target_locale="de", syntax="printf")
    assert check.check(Run(case_id="one", output="%s", output_cut=True)).code == "output_cut"


@pytest.mark.parametrize("name", ["\x1b[31m", "\u202e", "\ud800", "\0", "n" * 5000])
def test_hostile_names_break_no_terminal_and_no_file(name: str) -> None:
    for text in (f"%({name})s", f"{{a[{name}]}}"):
        outcome = checked("python", text, "")

        assert outcome.passed is False
        assert outcome.message.isprintable()
        assert len(outcome.message) < 400
        assert len(str(outcome.evidence)) < 1000
        str(outcome.evidence).encode()


@pytest.mark.parametrize(
    "text",
    [
        "%" + "0" * 200_000,
        "%(" * 100_000,
        "%(()" * 60_000,
        "{a[" * 70_000,
        "{a:" * 70_000,
        "{" * 200_001,
        "{:{" * 70_000,
        "%d %s " * 4_000,
        "{a}{}" * 4_000,
        "%*" * 100_000,
        "%-+ #0" * 40_000,
    ],
)
@pytest.mark.parametrize("syntax", ["printf", "python"])
def test_long_texts_come_to_an_end(syntax: Syntax, text: str) -> None:
    """Reading one of them again from every sign in it would take many minutes."""
    half = text[: len(text) // 2]

    assert checked(syntax, text, half).code != "not_run"
    assert checked(syntax, half, "%d %s {b}" + text).code != "not_run"


def test_each_code_is_documented_with_an_example_that_gets_it() -> None:
    text = (
        (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8").partition("\n**`icu`** is")[0]
    )
    rows = re.findall(r"^\| `(ok|placeholder_\w+)`[^|]*\| `([^|`]+)` \| `([^|`]+)` \|$", text, re.MULTILINE)

    assert {code for code, _, _ in rows} == {*GRAVITY, "ok", "placeholder_undecided"}
    for code, source, target in rows:
        assert checked("python" if "(" in source else "printf", source, target).code == code

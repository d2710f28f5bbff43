import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.graders.translation.placeholders.difference import Compared
from skill_evaluator.graders.translation.placeholders.icu import compare_icu, is_icu

FILES = "{n, plural, one {# file in {dir}} other {# files in {dir}}}"
SENT = "{g, select, female {She sent {what}} other {They sent {what}}}"


def compared(source: str, target: str, locale: str = "de", *, allow_reorder: bool = True) -> Compared:
    return compare_icu(source, target, target_locale=locale, allow_reorder=allow_reorder)


def codes(found: Compared) -> list[str]:
    return [fault.code for fault in found.faults]


@pytest.mark.parametrize(
    ("locale", "source", "target"),
    [
        ("de", "Hi {name}", "Hallo {name}"),
        ("de", "{a} of {b}", "{b} von {a}"),
        ("de", "{ a , number , ::percent }", "{a,number,::percent}"),
        ("de", FILES, "{n, plural, one {# Datei in {dir}} other {In {dir} sind # Dateien}}"),
        ("ru", FILES, "{n, plural, one {# в {dir}} few {# в {dir}} many {# в {dir}} other {# в {dir}}}"),
        ("zh-Hans", FILES, "{n, plural, other {{dir} 中有 # 个文件}}"),
        ("fr", FILES, "{n, plural, one {# {dir}} many {# de {dir}} other {# {dir}}}"),
        (
            "ar",
            "{n, plural, one {# x} other {# y}}",
            "{n, plural, zero {a} one {#} two {c} few {#} many {#} other {#}}",
        ),
        ("de", "{n, plural, one {a file} other {# files}}", "{n, plural, one {eine Datei} other {# Dateien}}"),
        ("de", "{n, plural, one {a file} other {# files}}", "{n, plural, one {# Datei} other {# Dateien}}"),
        ("ru", "{n, plural, one {a file} other {# files}}", "{n, plural, one {#} few {#} many {#} other {#}}"),
        ("ru", "{n, plural, one {it} other {#{d}}}", "{n, plural, one {#{d}} few {#{d}} many {#{d}} other {#{d}}}"),
        ("de", "{n, plural, =0 {none} other {some}}", "{n, plural, =0 {keine} other {einige}}"),
        ("de", "{n, plural, other {#}}", "{n, plural, =0 {keine} one {#} other {#}}"),
        ("de", "{n, plural, =1 {one} other {#}}", "{n, plural, one {eins} other {#}}"),
        ("de", "{n, plural, one {one} other {#}}", "{n, plural, =1 {eins} other {#}}"),
        (
            "de",
            "{n, plural, offset:1 =1 {you} one {you and # other} other {you and #}}",
            "{n, plural, offset:1 =1 {du} one {du und #} other {du und #}}",
        ),
        (
            "en",
            "{n, selectordinal, one {#.} other {#.}}",
            "{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}",
        ),
        ("de", SENT, "{g, select, other {Man schickte {what}} female {Sie schickte {what}}}"),
        (
            "de",
            "{who} has {n, plural, one {# file} other {# files}}",
            "{n, plural, one {{who} hat # Datei} other {# Dateien hat {who}}}",
        ),
        ("zh-Hans", FILES, "{dir}中有{n, plural, other {#}}个文件"),
        ("de", FILES, "In {dir}: {n, plural, one {# Datei} other {# Dateien}}"),
        ("de", SENT, "{g, select, female {Sie} other {Man}} schickte {what}"),
        (
            "de",
            "{n, plural, one {{a} {b} #} other {{b} {a} #}} {c}",
            "{a} {n, plural, one {{c} # {b}} other {# {b} {c}}}",
        ),
        (
            "ja",
            "There {n, plural, one {is} other {are}} {n, plural, one {# file} other {# files}}",
            "{n, plural, other {# 個}} {n, plural, other {ある}}",
        ),
        ("de", "<b>{name}</b>", "{name}"),  # tags are text
        (
            "ar",
            "{n, plural, =0 {none} one {# {d}} other {# {d}}}",
            "{n, plural, =0 {a} zero {# {d}} one {# {d}} two {# {d}} few {# {d}} many {# {d}} other {# {d}}}",
        ),
        ("de", "It's '{not}' {one}", "Es ist '{keins}' {one}"),
    ],
)
def test_what_is_kept(locale: str, source: str, target: str) -> None:
    found = compared(source, target, locale)

    assert found.faults == ()
    assert found.undecided is None


@pytest.mark.parametrize(
    ("locale", "source", "target", "code", "message"),
    [
        ("de", "Hi {name}", "Hallo", "placeholder_missing", "Expected placeholder {name} is missing."),
        ("de", "Hi", "{x}", "placeholder_extra", "{x} is a placeholder that the source does not have."),
        ("de", "{name}", "{nome}", "placeholder_mutated", "{name} has become {nome}."),
        ("de", "{n, number}", "{n}", "placeholder_mutated", "{n, number} has become {n}."),
        (
            "de",
            "{n, date, short}",
            "{n, date, long}",
            "placeholder_mutated",
            "{n, date, short} has become {n, date, long}.",
        ),
        ("de", "{n, number, ::.0}", "{n, number, ::.00}", "placeholder_mutated", "has become {n, number, ::.00}."),
        ("de", "{a} {a}", "{a}", "placeholder_count_mismatch", "{a} stands once where the source has it 2 times."),
        ("de", "{a}", "{a} {a}", "placeholder_count_mismatch", "{a} stands 2 times where the source has it once."),
        (
            "de",
            FILES,
            "{n, plural, one {# in {dir}} other {#}}",
            "placeholder_missing",
            "Expected placeholder {dir} is missing in the branch `other` of {n, plural}.",
        ),
        (
            "de",
            FILES,
            "{n, plural, one {# in {dir}} other {in {dir}}}",
            "placeholder_missing",
            "Expected placeholder # is missing in the branch `other` of {n, plural}.",
        ),
        (
            "de",
            FILES,
            "{n, plural, one {# in {dir}} other {{n} in {dir}}}",
            "placeholder_mutated",
            "# has become {n} in",
        ),
        ("de", FILES, "{n, plural, one {# #  {dir}} other {# {dir}}}", "placeholder_count_mismatch", "branch `one`"),
        (
            "ru",
            FILES,
            "{n, plural, one {в {dir}} few {# {dir}} many {# {dir}} other {# {dir}}}",
            "placeholder_missing",
            "# is missing in the branch `one` of {n, plural}.",
        ),
        (
            "ru",
            "{n, plural, one {a file} other {# files}}",
            "{n, plural, one {файл} few {#} many {#} other {#}}",
            "placeholder_missing",
            "# is missing in the branch `one` of {n, plural}.",
        ),
        (
            "ru",
            FILES,
            "{n, plural, one {# {dir}} many {# {dir}} other {# {dir}}}",
            "placeholder_missing",
            "The branch `few` of {n, plural} is missing: ru has that plural category.",
        ),
        (
            "zh-Hans",
            FILES,
            "{n, plural, one {# {dir}} other {# {dir}}}",
            "placeholder_extra",
            "The branch `one` of {n, plural} is never shown: zh-Hans has no such plural category.",
        ),
        (
            "en",
            "{n, selectordinal, other {#.}}",
            "{n, selectordinal, one {#st} two {#nd} other {#th}}",
            "placeholder_missing",
            "The branch `few` of {n, selectordinal} is missing: en has that ordinal category.",
        ),
        (
            "de",
            "{n, plural, =0 {none} one {#} other {#}}",
            "{n, plural, one {#} other {#}}",
            "placeholder_missing",
            "The branch `=0` of {n, plural} is missing.",
        ),
        (
            "de",
            "{n, plural, offset:1 =1 {a} one {#} other {#}}",
            "{n, plural, offset:1 one {#} other {#}}",
            "placeholder_missing",
            "The branch `=1` of {n, plural, offset:1} is missing.",
        ),
        (
            "de",
            FILES,
            "{n, plural, offset:1 one {# {dir}} other {# {dir}}}",
            "placeholder_mutated",
            "{n, plural} has become {n, plural, offset:1}.",
        ),
        ("de", FILES, "{n, selectordinal, other {# {dir}}}", "placeholder_mutated", "become {n, selectordinal}."),
        (
            "de",
            SENT,
            "{g, select, weiblich {{what}} other {{what}}}",
            "placeholder_mutated",
            "The key `female` of {g, select} has become `weiblich`.",
        ),
        (
            "de",
            SENT,
            "{g, select, other {{what}}}",
            "placeholder_missing",
            "The branch `female` of {g, select} is missing.",
        ),
        (
            "de",
            SENT,
            "{g, select, female {{what}} male {{what}} other {{what}}}",
            "placeholder_extra",
            "The branch `male` of {g, select} is not in the source.",
        ),
        ("de", SENT, "{g, select, female {} other {{what}}} {what}", "placeholder_missing", "{what} is missing in"),
        (
            "de",
            "{who} has {n, plural, one {#} other {#}}",
            "{n, plural, one {{who} hat #} other {hat #}}",
            "placeholder_missing",
            "Expected placeholder {who} is missing.",
        ),
        (
            "de",
            "{n, plural, other {{g, select, a {{x}} other {}}}}",
            "{n, plural, one {{g, select, a {{x}} other {}}} other {{g, select, a {} other {}}}}",
            "placeholder_missing",
            "{x} is missing in the branch `a` of {g, select} in the branch `other` of {n, plural}.",
        ),
        ("fr", "of {name}", "de l'{name}", "placeholder_missing", "An apostrophe before a brace makes text of"),
        (
            "de",
            "{n, plural, one {it} other {# in {d}}}",
            "{n, plural, one {{d}} other {# {d}}}",
            "placeholder_extra",
            "{d}",
        ),
        (
            "de",
            "{n, plural, one {a} other {#}}",
            "{n, plural, one {##} other {#}}",
            "placeholder_count_mismatch",
            "# stands",
        ),
        (
            "lv",
            "{n, plural, zero {} one {#} other {}}",
            "{n, plural, zero {} one {} other {}}",
            "placeholder_missing",
            "#",
        ),
        ("de", "{name}", "{name", "placeholder_malformed", "The translation cannot be formatted: at character 6"),
        ("de", FILES, "{n, plural, one {#}}", "placeholder_malformed", "where a branch `other` is expected"),
    ],
)
def test_what_is_not_kept(locale: str, source: str, target: str, code: str, message: str) -> None:
    found = compared(source, target, locale)

    assert (code, True) in [(fault.code, message in fault.message) for fault in found.faults]
    assert found.undecided is None


def test_what_was_in_branches_already_does_not_stand_in_for_what_was_beside_them() -> None:
    branches = "{n, plural, one {{x}} other {{x}}}"
    found = compared("{x} " + branches, branches)

    assert [fault.message for fault in found.faults] == ["Expected placeholder {x} is missing."]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("{n, plural, one {# {x}} other {#}}", "{x} {n, plural, one {#} other {#}}"),
        ("{g, select, a {{n, plural, other {#}}} other {}}", "{n, plural, other {#}}"),
        ("{n, plural, one {# {x}} other {# {x}}}", "{x} {x} {n, plural, one {#} other {#}}"),
        ("{n, plural, other {{m, plural, other {#}}}}", "{n, plural, other {# {m, plural, other {}}}}"),
        ("{n, plural, other {# {m, plural, other {}}}}", "{n, plural, other {{m, plural, other {#}}}}"),
    ],
)
def test_what_moved_and_shows_something_else_is_not_kept(source: str, target: str) -> None:
    assert codes(compared(source, target, "ja"))


def test_what_moved_out_of_branches_has_changed_places() -> None:
    target = "{dir}: {n, plural, one {#} other {#}}"

    assert codes(compared(FILES, target, allow_reorder=False))


def test_what_moved_between_branches_is_told_for_both() -> None:
    found = compared(FILES, "{n, plural, one {#} other {# {dir} {dir}}}")

    assert codes(found) == ["placeholder_missing", "placeholder_count_mismatch"]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("{a} {b}", "{b} {a}"),
        (FILES, "{n, plural, one {# {dir}} other {{dir} #}}"),
        ("{a} {n, plural, other {#}}", "{n, plural, one {#} other {#}} {a}"),
    ],
)
def test_order_counts_where_it_must_stay(source: str, target: str) -> None:
    assert codes(compared(source, target)) == []
    assert codes(compared(source, target, allow_reorder=False)) == ["placeholder_reordered"]


@pytest.mark.parametrize(
    ("locale", "source", "target", "reason"),
    [
        (
            "de",
            FILES,
            "{n, plural, one {eine in {dir}} other {# in {dir}}}",
            "# is gone in the branch `one` of {n, plural}, whose words may tell the number",
        ),
        ("de", "{n, plural, =0 {# files} other {#}}", "{n, plural, =0 {keine} other {#}}", "in the branch `=0`"),
        ("de", "{n, plural, one {{n} file} other {{n} files}}", "{n, plural, one {eine} other {{n}}}", "{n} is gone"),
        ("de", "{n, plural, one {#} other {}}", "{n, plural, one {} other {}}", "# is gone in the branch `one`"),
        ("qu", FILES, "{n, plural, one {# {dir}} other {# {dir}}}", "no plural categories are known for qu"),
        (
            "br",
            "{n, selectordinal, other {#}}",
            "{n, selectordinal, other {#}}",
            "no ordinal categories are known for br",
        ),
        ("de", "{n, plural, one {#}}", "x", "the source is no ICU message: at character 20"),
        ("de", "{n, choice, 0#none|1#{n} files}", "x", "what follows the type `choice` in the source may be text"),
        ("de", "{n, Plural, other {files}}", "x", "what follows the type `Plural` in the source may be text"),
        ("de", "{g, select, other {" * 101 + "}}" * 101, "x", "nested deeper than 100 levels"),
    ],
)
def test_what_the_texts_do_not_say(locale: str, source: str, target: str, reason: str) -> None:
    found = compared(source, target, locale)

    assert found.faults == ()
    assert found.undecided is not None
    assert reason in found.undecided


def test_a_fault_decides_whatever_else_is_open() -> None:
    found = compared(FILES, "{n, plural, one {# {dir}} other {#}}", "qu")

    assert codes(found) == ["placeholder_missing"]
    assert found.undecided is None


def test_placeholders_are_shown_without_the_text_around_them() -> None:
    found = compared(f"Secret {{a}} {FILES}", "Geheim {a}")

    assert found.expected == ("{a}", "{n, plural, one {# {dir}} other {# {dir}}}")
    assert found.actual == ("{a}",)


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("{n, plural, other {#}}", True),
        ("{ n , number }", True),
        ("{d, date, short} %s", True),
        ("{n, plural, one {", True),
        ("{name}", False),
        ("{0:>10} {a.b[0]!r}", False),
        ("a, number} {b", False),
        ("{a, b}", False),
        ("'{n, number}'", False),
        ("", False),
    ],
)
def test_a_type_after_a_comma_makes_a_message_of_icu(text: str, sure: bool) -> None:
    assert is_icu(text) is sure


PIECES = st.lists(
    st.sampled_from(
        [
            "{a}",
            "{b, number}",
            "#",
            "'",
            "{n, plural, ",
            "one {",
            "other {",
            "=1 {",
            "}",
            "{g, select, ",
            "x",
            "\x1b",
            "\ud800",
        ]
    ),
    max_size=30,
).map("".join)


@given(PIECES, PIECES, st.sampled_from(["de", "ru", "zh-Hans", "xx", "\x00"]), st.booleans())
def test_any_two_texts_can_be_compared(source: str, target: str, locale: str, allow_reorder: bool) -> None:
    found = compared(source, target, locale, allow_reorder=allow_reorder)

    assert not (found.faults and found.undecided)
    assert all(fault.message.isprintable() for fault in found.faults)


@pytest.mark.parametrize(
    "text",
    [
        "{n, plural, " + "".join(f"={number} {{}}" for number in range(20_000)) + "other {" + "#" * 100_000 + "}}",
        "{a}" * 100_000,
        "".join(f"{{a{number}}}" for number in range(20_000)),
        "{n, plural, other {x}}" * 10_000,
        "{n, plural, other {#}} {n, plural, other {{a}}}" * 5_000,
        "{n, plural, " + "".join(f"={number} {{{{a}}}}" for number in range(20_000)) + "other {{a}}}",
        "{g, select, " + "".join(f"k{number} {{{{a}}}}" for number in range(20_000)) + "other {{a}}}",
        "{n, plural, other {" * 100 + "{a}" * 1000 + "}}" * 100,
    ],
)
def test_long_messages_are_compared_in_proportion_to_their_length(text: str) -> None:
    """With quadratic time this would not come to an end."""
    other = text.replace("{a", "{b", 20).replace("x", "y")

    assert len(compared(text, other, "ja").faults) <= 1_000
    assert compared(text, text, "ja").faults == ()

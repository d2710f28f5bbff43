"""Count and identity, for any text."""

from typing import Literal

from hypothesis import assume, given
from hypothesis import strategies as st

from skill_evaluator.graders.translation import PlaceholderIntegrity
from skill_evaluator.model import Outcome, Run

Syntax = Literal["auto", "printf", "python", "custom"]
SYNTAXES: st.SearchStrategy[Syntax] = st.sampled_from(["auto", "printf", "python", "custom"])
PIECES = [
    "%s",
    "%d",
    "%1$s",
    "%(a)s",
    "%%",
    "%",
    "{a}",
    "{}",
    "{0}",
    "{{",
    "}",
    "{",
    "'",
    "[x]",
    "word",
    " ",
    "%-5.2f",
    "% s",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).map("".join) | st.text(max_size=20)
# Directives that have no name, so that a list of them is a sound source; and some that have one.
PLAIN = st.sampled_from(["%s", "%d", "%5.1f", "%x", "%c"])
NAMED = st.sampled_from(["{a}", "{b}", "{c!r}", "{d:>5}", "{e.f}"])


def checked(syntax: Syntax, source: str, target: str, *, allow_reorder: bool = True) -> Outcome:
    pattern = r"\[\w\]|%\w" if syntax == "custom" else None
    check = PlaceholderIntegrity(
        source=source, target_locale="de", syntax=syntax, pattern=pattern, allow_reorder=allow_reorder
    )
    return check.check(Run(case_id="any", output=target))


@given(SYNTAXES, TEXTS, st.booleans())
def test_a_text_keeps_its_own_placeholders(syntax: Syntax, text: str, allow_reorder: bool) -> None:
    assert checked(syntax, text, text, allow_reorder=allow_reorder).passed is not False


@given(SYNTAXES, TEXTS, TEXTS)
def test_no_pair_of_texts_breaks_it(syntax: Syntax, source: str, target: str) -> None:
    outcome = checked(syntax, source, target)

    assert (outcome.passed is False) == (outcome.code not in {"ok", "placeholder_undecided"})
    if outcome.passed is False:
        assert outcome.code == outcome.evidence.get("codes", [outcome.code])[0]  # type: ignore[index]


@given(st.lists(PLAIN, min_size=1, max_size=6), st.data())
def test_each_one_that_is_left_out_is_found(tokens: list[str], data: st.DataObject) -> None:
    gone = data.draw(st.integers(0, len(tokens) - 1))
    left = tokens[:gone] + tokens[gone + 1 :]
    outcome = checked("printf", " ".join(tokens), " ".join(left))
    is_one_of_several = tokens[gone] in left

    assert outcome.code == ("placeholder_count_mismatch" if is_one_of_several else "placeholder_missing")
    assert outcome.evidence == {"expected": tokens, "actual": left}


@given(st.lists(PLAIN, min_size=1, max_size=6), st.data())
def test_each_one_that_is_doubled_is_found(tokens: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(tokens)))
    more = [*tokens[:at], data.draw(st.sampled_from(tokens)), *tokens[at:]]

    assert checked("printf", " ".join(tokens), " ".join(more)).code == "placeholder_count_mismatch"


@given(st.lists(PLAIN, min_size=1, max_size=6), st.data())
def test_order_of_those_without_number_decides(tokens: list[str], data: st.DataObject) -> None:
    other = data.draw(st.permutations(tokens))
    expected = "ok" if other == tokens else "placeholder_reordered"

    assert checked("printf", " ".join(tokens), " ".join(other)).code == expected


@given(st.lists(PLAIN, min_size=1, max_size=6), st.data())
def test_numbers_keep_any_order_right(tokens: list[str], data: st.DataObject) -> None:
    numbered = [f"%{place}${token[1:]}" for place, token in enumerate(tokens, 1)]
    mixed = data.draw(st.permutations(numbered))

    assert checked("printf", " ".join(tokens), " ".join(mixed)).code == "ok"
    assert checked("printf", " ".join(mixed), " ".join(tokens)).code == "ok"


@given(st.lists(NAMED, min_size=1, max_size=8), st.data())
def test_names_count_in_any_order(tokens: list[str], data: st.DataObject) -> None:
    mixed = data.draw(st.permutations(tokens))

    assert checked("python", " ".join(tokens), " ".join(mixed)).code == "ok"
    assume(mixed != tokens)
    assert checked("python", " ".join(tokens), " ".join(mixed), allow_reorder=False).code == "placeholder_reordered"

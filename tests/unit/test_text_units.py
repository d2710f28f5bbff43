import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.formats.text_units import closest, holds_words, shingles, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Make a PDF, please!", ["make", "a", "pdf", "please"]),
        ("把这个文件转成PDF", ["把", "这", "个", "文", "件", "转", "成", "pdf"]),
        ("ＰＤＦ　file", ["pdf", "file"]),
        ("기획서를 고쳐줘", ["기획서를", "고쳐줘"]),
        ("snake_case-name", ["snake", "case", "name"]),
        ("!?", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert list(words(text)) == expected


def test_words_are_found_whole() -> None:
    text = words("Please deploy the app; 把文件转成图")

    assert holds_words(text, words("DEPLOY the app"))
    assert holds_words(text, words("文件"))
    assert not holds_words(text, words("deploy the ap"))
    assert not holds_words(text, words("app deploy"))


def test_shingles_by_hand() -> None:
    assert shingles("Ab, c!") == {"ab ", "b c"}
    assert shingles("打分 一下") == {"打分", "分一", "一下"}
    assert shingles("a") == {"a"}
    assert shingles("") == {""}


Pieces = st.frozensets(st.sampled_from("abcdefghij"), min_size=1, max_size=8)
Sets = st.dictionaries(st.sampled_from("uvwxyz"), Pieces, max_size=5)


@given(Sets, Sets, st.sampled_from([0.3, 0.5, 0.7, 0.75, 1.0]))
def test_closest_is_what_comparing_all_pairs_gives(
    texts: dict[str, frozenset[str]], others: dict[str, frozenset[str]], at_least: float
) -> None:
    brute = {
        name: max((len(pieces & other) / len(pieces | other) for other in others.values()), default=0.0)
        for name, pieces in texts.items()
    }
    found = {name: (other, share) for name, other, share in closest(texts, others, at_least=at_least)}

    assert {name: share for name, (_, share) in found.items()} == {
        name: share for name, share in brute.items() if share >= at_least
    }
    for name, (other, share) in found.items():
        assert share == len(texts[name] & others[other]) / len(texts[name] | others[other])


def test_a_thousand_requests_are_compared_quickly() -> None:
    verbs, things = ("draw", "plan", "check", "make", "show"), ("map", "route", "legend", "chart", "tile", "mark")
    texts = [
        f"please {verbs[n % 5]} the {things[n % 6]} number {n} for the {things[n % 4]} I {verbs[n % 3]} at {n * 7 % 97}"
        for n in range(1000)
    ]
    texts[1] = f"{texts[0]}!"
    pieces = {str(number): shingles(text) for number, text in enumerate(texts)}
    left, right = dict(list(pieces.items())[::2]), dict(list(pieces.items())[1::2])
    started = time.process_time()
    found = list(closest(left, right, at_least=0.7))

    assert time.process_time() - started < 5
    assert found[0] == ("0", "1", 1.0)


Large = st.frozensets(st.integers(0, 90).map(str), min_size=1, max_size=90)


@given(st.lists(Large, min_size=1, max_size=4), st.data(), st.sampled_from([0.07, 0.3, 0.7, 0.9, 1.0]))
def test_closest_of_many_is_that_of_all_pairs(
    bases: list[frozenset[str]], data: st.DataObject, at_least: float
) -> None:
    """Enough others for pieces that are kept as one number, all changed a little from few templates."""
    changes = data.draw(st.lists(st.tuples(st.sampled_from(bases), Large), min_size=1, max_size=100))
    others = {str(index): base ^ frozenset(sorted(change)[:3]) or base for index, (base, change) in enumerate(changes)}
    texts = {str(index): base for index, base in enumerate(bases)}
    brute: dict[str, tuple[str, float]] = {}
    for name, pieces in texts.items():
        shares = {other: len(pieces & found) / len(pieces | found) for other, found in others.items()}
        best = max(shares, key=lambda other: shares[other])
        brute |= {name: (best, shares[best])} if shares[best] >= at_least else {}

    assert {name: (other, share) for name, other, share in closest(texts, others, at_least=at_least)} == brute

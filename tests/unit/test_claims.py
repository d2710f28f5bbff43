"""A recorded case answers one asked case at most."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.agents.claims import claim
from skill_evaluator.model import Case, Source, Split


def case(name: str, prompt: str) -> Case:
    return Case(
        id=name,
        prompt=prompt,
        split=Split.ACCEPTANCE,
        expect_trigger=True,
        sha256="0" * 64,
        prompt_sha256=prompt,
        source=Source(path="testset.json"),
    )


@pytest.mark.parametrize(
    ("asked", "recorded", "expected"),
    [
        ("", "p0:same", {}),
        ("p0:same", "", {}),
        ("p0:same p1:same", "p0:same p1:same", {"p0": "p0", "p1": "p1"}),
        ("zz:same p1:same", "p0:same p1:same", {"zz": "p0", "p1": "p1"}),
        ("p0:same zz:same", "p0:same p1:same", {"p0": "p0", "zz": "p1"}),
        ("yy:same zz:same", "p0:same p1:same", {"yy": "p0", "zz": "p1"}),
        ("p1:same p0:same", "p0:same p1:same", {"p0": "p0", "p1": "p1"}),
        ("zz:same p0:same", "p0:same", {"p0": "p0"}),  # the id decides, not the order
        ("yy:same zz:same", "p0:same", {"yy": "p0"}),
        ("a:y b:x", "a:x b:y", {"a": "b", "b": "a"}),  # swapped ids
        ("a:new", "a:old", {}),
        ("a:x b:y", "a:x a:y", {"a": "a"}),  # one id is one recorded case, whatever it was asked
        ("b:y c:x", "a:x a:y", {"b": "a"}),
    ],
)
def test_recorded_cases_are_handed_out(asked: str, recorded: str, expected: dict[str, str]) -> None:
    cases = [case(*word.split(":")) for word in asked.split()]

    pairs = [(name, prompt) for name, _, prompt in (word.partition(":") for word in recorded.split())]
    assert claim(cases, pairs) == expected


names = st.sampled_from(["a", "b", "c", "d", "e"])
pairs_by_name = st.dictionaries(names, st.sampled_from(["x", "y"]))


@given(pairs_by_name, pairs_by_name)
def test_no_recorded_case_is_handed_out_twice_and_none_is_left_over_that_is_wanted(
    asked: dict[str, str], recorded: dict[str, str]
) -> None:
    claimed = claim([case(*pair) for pair in asked.items()], list(recorded.items()))

    assert len(set(claimed.values())) == len(claimed)
    assert all(asked[new] == recorded[old] for new, old in claimed.items())
    for prompt in ("x", "y"):
        wanted = sum(found == prompt for found in asked.values())
        there = sum(found == prompt for found in recorded.values())
        assert sum(asked[new] == prompt for new in claimed) == min(wanted, there)

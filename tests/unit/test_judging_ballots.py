"""A judge's answer counts whole or not at all."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.judging.ballots import ballot_of
from skill_evaluator.judging.texts import JudgedText
from skill_evaluator.model import Completion, Failure, FailureKind
from skill_evaluator.results import ControlKind, TextSource

TEXTS = (
    JudgedText(source=TextSource.RUN, index=1, text="one"),
    JudgedText(source=TextSource.CONTROL, control=ControlKind.EMPTY, text=""),
)
GOOD: dict[str, object] = {"A": {"reason": '"one" is enough', "score": 5}, "B": {"reason": "empty", "score": 1}}
Answer = dict[str, object]


def message(answer: Answer) -> str:
    ballot = ballot_of(Completion(answer=answer), TEXTS)
    assert ballot.scores == ()
    assert ballot.failure is not None
    assert ballot.failure.kind is FailureKind.API
    assert "\n" not in ballot.failure.message
    return ballot.failure.message


def test_a_whole_answer_gives_one_score_for_each_text() -> None:
    ballot = ballot_of(Completion(answer=dict(reversed(GOOD.items()))), TEXTS)

    assert ballot.failure is None
    assert [(each.source, each.index, each.control, each.score, each.reason) for each in ballot.scores] == [
        ("run", 1, None, 5, '"one" is enough'),
        ("control", None, "empty", 1, "empty"),
    ]


@pytest.mark.parametrize("score", [0, 6, -1, 4.5, 5.0, "5", True, None, [5], {"score": 5}, float("nan"), 10**400])
def test_a_score_that_is_no_whole_number_from_1_to_5_is_a_failure(score: object) -> None:
    assert "A.score" in message({**GOOD, "A": {"reason": "x", "score": score}})


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda: {"A": GOOD["A"]}, "it leaves out B"),
        (dict, "it leaves out A, B"),
        (lambda: {**GOOD, "C": GOOD["A"]}, "it scores C, which was not shown"),
        (lambda: {**GOOD, "a": GOOD["A"]}, "it scores a, which was not shown"),
        (lambda: {"scores": GOOD}, "it leaves out A, B"),
        (lambda: {**GOOD, "A": 5}, "A is 5"),
        (lambda: {**GOOD, "A": {"score": 5}}, "A.reason is {"),
        (lambda: {**GOOD, "A": {"reason": "x"}}, "A.score is {"),
        (lambda: {**GOOD, "A": {"reason": " ", "score": 5}}, "A.reason is ' '"),
        (lambda: {**GOOD, "A": {"reason": 5, "score": 5}}, "A.reason is 5"),
        (lambda: {**GOOD, "A": {"reason": "x", "score": 5, "sure": True}}, "A.sure"),
        (lambda: {**GOOD, "A": [], "B": "prose"}, "B is 'prose'"),
        (lambda: {**GOOD, "C\n\x1b[31m": 1}, "C\\n\\x1b[31m"),
    ],
)
def test_whatever_else_is_wrong_is_a_failure_that_says_what(spoil: Callable[[], Answer], said: str) -> None:
    assert said in message(spoil())


def test_a_failed_call_keeps_its_own_words() -> None:
    failure = Failure(kind=FailureKind.RATE_LIMIT, message="429")

    assert ballot_of(Completion(failure=failure), TEXTS).failure == failure


def test_no_answer_at_all_is_a_failure() -> None:
    assert ballot_of(Completion(), TEXTS).failure is not None


def test_a_long_bad_answer_gives_a_short_message() -> None:
    assert len(message({**GOOD, "A": "x" * 100_000})) < 500
    assert len(message({**GOOD, **{f"Z{number}": 1 for number in range(1_000)}})) < 500
    assert len(message({"x" * 100_000: 1, **GOOD})) < 500


def test_a_reason_with_half_a_character_cannot_be_kept_so_it_is_a_failure() -> None:
    assert message({**GOOD, "A": {"reason": "a\ud800", "score": 5}}).encode()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 7) | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["A", "B", "C", "score", "reason"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["A", "B", "C"]), JSON, max_size=3))
def test_every_answer_gives_all_scores_in_range_or_a_failure(answer: Answer) -> None:
    ballot = ballot_of(Completion(answer=answer), TEXTS)

    if ballot.failure is None:
        assert set(answer) == {"A", "B"}
        assert len(ballot.scores) == 2
        assert all(each.score in {1, 2, 3, 4, 5} and type(each.score) is int for each in ballot.scores)
    else:
        assert ballot.scores == ()

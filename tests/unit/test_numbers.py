import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.report import numbers
from skill_evaluator.results import Interval

shares = st.floats(0, 1)
finite = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e9, max_value=1e9)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0.00"),
        (1e-12, "0.00"),
        (0.0049, "<0.01"),
        (0.006, "0.01"),
        (14 / 16, "0.88"),
        (0.9032, "0.90"),
        (0.994, "0.99"),
        (0.995, ">0.99"),
        (0.99999, ">0.99"),
        (1 - 1e-12, "1.00"),
        (1.0, "1.00"),
        (1, "1.00"),
    ],
)
def test_a_share_has_two_decimals_and_never_claims_a_limit(value: float, shown: str) -> None:
    assert numbers.ratio(value) == shown


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_only_all_is_shown_as_one_and_only_none_as_nothing(part: int, whole: int) -> None:
    part = min(part, whole)

    assert (numbers.ratio(part / whole) == "1.00") == (part == whole)
    assert (numbers.ratio(part / whole) == "0.00") == (part == 0)
    assert (numbers.percent(part / whole) == "100.0%") == (part == whole)


@given(finite)
def test_minus_nothing_is_never_shown(value: float) -> None:
    shown = [numbers.points(value), numbers.change_percent(value), numbers.seconds(value), numbers.usd(value)]

    assert not [text for text in shown if text.lstrip("$").startswith("-") and not text.strip("-$0.%")]


@given(shares, shares)
def test_a_value_beside_its_limit_can_be_told_from_it(value: float, limit: float) -> None:
    assert (numbers.apart(value, limit) == numbers.apart(limit, limit)) <= (abs(value - limit) < 1e-11)


@pytest.mark.parametrize(
    ("value", "limit", "shown"),
    [
        (0.849, 0.85, "0.849"),
        (0.8499, 0.85, "0.8499"),
        (1 / 3, 0.85, "0.33"),
        (2 / 19, 0.1, "0.11"),
        (0.1001, 0.1, "0.1001"),
    ],
)
def test_a_value_has_as_many_decimals_as_it_takes(value: float, limit: float, shown: str) -> None:
    assert numbers.apart(value, limit) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0.25, "+25.0"), (-0.0312, "-3.1"), (0.0, "0.0"), (-0.0, "0.0"), (0.0004, "0.0")]
)
def test_points_carry_their_sign(value: float, shown: str) -> None:
    assert numbers.points(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(1.4, "1.4"), (0.25, "0.2"), (300, "300.0"), (0.05, "0.05"), (1e-7, "<0.001")]
)
def test_seconds(value: float, shown: str) -> None:
    assert numbers.seconds(value) == shown


@pytest.mark.parametrize(("value", "shown"), [(0, "$0.00"), (3, "$3.00"), (0.0031, "$0.0031"), (5e-5, "<$0.0001")])
def test_money(value: float, shown: str) -> None:
    assert numbers.usd(value) == shown


def test_an_interval_keeps_its_ends_honest() -> None:
    assert numbers.interval(Interval(low=0.0, high=0.999)) == "0.00–>0.99"


@given(st.sets(st.integers(1, 30)))
def test_ranges_name_every_number(whole: set[int]) -> None:
    named: set[int] = set()
    for part in numbers.ranges(sorted(whole)):
        first, _, last = part.partition("–")
        named |= set(range(int(first), int(last or first) + 1))

    assert named == whole

"""How often the default gate stops a build; `benchmarks/fail_on.py` has the full figures."""

from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def fail_on(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import fail_on  # noqa: PLC0415 - a script, found once its folder is on the path

    return fail_on


def test_an_unchanged_skill_is_stopped_rarely_and_marked_often(fail_on: ModuleType) -> None:
    """At a true share of 5 %, 7 or more of 60 come up in 3 % of draws; the seed is fixed."""
    found = fail_on.stopped(fail_on.Setting(name="unchanged", cases=16), repeats=60, seed=1)

    assert found.significant <= 6 / 60
    assert found.marked > 0.3


@pytest.mark.parametrize(("cases", "rate"), [(30, 0.6), (60, 0.7)])
def test_a_real_loss_is_stopped(fail_on: ModuleType, cases: int, rate: float) -> None:
    found = fail_on.stopped(fail_on.Setting(name="lost", cases=cases, new=(rate, rate)), repeats=20, seed=2)

    assert found.significant >= 0.8


def test_the_reading_by_cases_is_that_of_three_runs(fail_on: ModuleType) -> None:
    assert fail_on.case_rate(0.9) == pytest.approx(0.972)
    assert fail_on.case_rate(fail_on.run_rate(0.672)) == pytest.approx(0.672)

"""Which regressions stop a build."""

from collections.abc import Mapping

import pytest

from skill_evaluator.metrics.gate import stops
from skill_evaluator.results import Change, Evidence, FailOn, Interval, MetricChange, PairedChange, PairedResult, Unit

WIDE, NARROW = Interval(low=-0.5, high=0.1), Interval(low=-0.5, high=-0.1)


def change(name: str, mark: Change = Change.REGRESSED, unit: Unit = "ratio") -> MetricChange:
    return MetricChange(name=name, new=0.5, old=0.9, difference=-0.4, mark=mark, unit=unit)


def paired(intervals: Mapping[str, Interval | None], *, cases: int = 15) -> PairedResult:
    """A result of which only the wider intervals are known; the narrower ones all leave out 0."""
    changes = {
        name: PairedChange(
            cases=cases, difference=-0.4, interval=NARROW, gate_interval=interval, evidence=Evidence.REGRESSED
        )
        for name, interval in intervals.items()
    }
    return PairedResult(
        shared=30,
        only_new=(),
        only_old=0,
        unmeasured=(),
        worsened=(),
        improved=(),
        mcnemar_p=None,
        gate_level=0.975,
        changes=changes,
    )


@pytest.mark.parametrize(
    ("fail_on", "stopped"), [("significant", ("recall",)), ("marked", ("recall", "f1")), ("never", ())]
)
def test_each_way_to_fail(fail_on: FailOn, stopped: tuple[str, ...]) -> None:
    """F1 is marked and its interval holds 0; precision is shown to be worse, by less than the mark takes."""
    changes = [change("precision", Change.UNCHANGED), change("recall"), change("f1")]

    assert stops(changes, paired({"precision": NARROW, "recall": NARROW, "f1": WIDE}), fail_on) == stopped


@pytest.mark.parametrize("unit", ["tokens", "usd", "s"])
def test_times_tokens_and_costs_stop_nothing(unit: Unit) -> None:
    assert stops([change("recall", unit=unit)], paired({"recall": NARROW}), "marked") == ()


@pytest.mark.parametrize("mark", [Change.UNCHANGED, Change.IMPROVED, Change.NOT_COMPARABLE])
def test_what_is_not_marked_stops_nothing(mark: Change) -> None:
    assert stops([change("recall", mark)], paired({"recall": NARROW}), "marked") == ()
    assert stops([change("recall", mark)], paired({"recall": NARROW}), "significant") == ()


def test_a_gain_in_the_interval_stops_nothing() -> None:
    """More decisions are wrong and yet more runs are right: that is no evidence of a loss."""
    assert stops([change("recall")], paired({"recall": Interval(low=0.1, high=0.5)}), "significant") == ()


def test_without_paired_evidence_nothing_is_shown() -> None:
    assert stops([change("recall")], None, "significant") == ()
    assert stops([change("recall")], paired({}), "significant") == ()


def test_cases_that_all_changed_alike_stop_a_build_and_four_of_them_do_not() -> None:
    assert stops([change("recall")], paired({"recall": None}), "significant") == ("recall",)
    assert stops([change("recall")], paired({"recall": None}, cases=4), "significant") == ()

"""Which regressions stop a build: rates of the acceptance split alone, never times, tokens or costs."""

from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from skill_evaluator.metrics.paired import evidence
from skill_evaluator.results import Change, Evidence, FailOn, MetricChange, PairedResult


def stops(changes: Sequence[MetricChange], paired: PairedResult | None, fail_on: FailOn) -> tuple[str, ...]:
    """Name the rates that stop a build.

    Args:
        changes: The acceptance split against the baseline.
        paired: The same questions side by side, or None where there is no such thing.
        fail_on: `marked` takes the mark's word; `significant` asks for paired evidence besides; `never` lets all pass.
    """
    marked = [change.name for change in changes if change.unit == "ratio" and change.mark is Change.REGRESSED]
    shown = frozenset(_shown(paired)) if paired else frozenset[str]()
    return chosen(marked, shown.__contains__, fail_on)


def chosen(marked: Sequence[str], is_shown: Callable[[str], bool], fail_on: FailOn) -> tuple[str, ...]:
    """Choose those that stop a build.

    Args:
        marked: Names of what is marked as worse.
        is_shown: Whether paired evidence shows so too.
        fail_on: As for `stops`.
    """
    match fail_on:
        case "never":
            return ()
        case "marked":
            return tuple(marked)
        case "significant":
            return tuple(filter(is_shown, marked))
    assert_never(fail_on)


def _shown(paired: PairedResult) -> Iterator[str]:
    """The rates whose wider interval leaves out 0 on the wrong side."""
    for name, change in paired.changes.items():
        if evidence(name, change.cases, change.difference, change.gate_interval) is Evidence.REGRESSED:
            yield name

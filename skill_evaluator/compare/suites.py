"""The answer of a suite beside an earlier one, case by case and number by number.

A number is compared only where both sides measured the same thing the same way; otherwise both values are shown and
no difference is. What the real program wrote is compared like what was written here.
"""

from collections.abc import Collection, Mapping, Sequence

from skill_evaluator.compare.marks import marked_change, overall
from skill_evaluator.compare.suite_conditions import TOUCHES, differences, model_of, notes
from skill_evaluator.metrics.gate import chosen
from skill_evaluator.metrics.mcnemar import mcnemar_mid_p
from skill_evaluator.metrics.paired import shown_by
from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.metrics.suite_notes import as_measured
from skill_evaluator.metrics.suite_numbers import Facts, put_together
from skill_evaluator.metrics.suite_pairing import GATE_LEVEL, CasePair, SidedCase, pair_suites, paired_numbers
from skill_evaluator.metrics.trigger import TRIGGER_RATES
from skill_evaluator.results import Change, Evidence, FailOn, Metric, MetricChange, PairedChange
from skill_evaluator.results.suite_changes import CaseChange, Flip, SuiteComparison, SuiteSide
from skill_evaluator.results.suite_result import CaseOfSuite, SuiteMeasures, SuiteResult

_NEVER_STOPS = "delta"  # it falls too where the model does better by itself


def compare_suites(
    new: SuiteResult, old: SuiteResult, *, on_shared_cases: bool = False, fail_on: FailOn = "never", seed: int = 0
) -> SuiteComparison:
    """Hold the answer of a suite against an earlier one.

    Args:
        new: The later one.
        old: The earlier one.
        on_shared_cases: Where the cases differ, work out both sides over the unchanged cases that both have.
        fail_on: Which regressions stop a build.
        seed: For the intervals that are drawn.
    """
    pairing = pair_suites(new, old)
    same = [pair for pair in pairing.pairs if not pair.is_changed]
    differs = differences(new, old, pairing)
    shared_only = on_shared_cases and "cases" in differs and bool(same)
    touching = differs - {"cases"} if shared_only else differs
    changes = tuple(_changes(*_sides(new, old, same if shared_only else None, seed), touching))
    left_out = frozenset(name for name in TOUCHES if _touched(name, differs - {"cases"}))
    paired = paired_numbers(same, left_out=left_out, seed=seed)
    cases = tuple(_case(pair, new, can_flip="pass_share" not in left_out) for pair in pairing.pairs)
    flips = [case.flip for case in cases if case.flip]
    return SuiteComparison(
        new=_side(new),
        old=_side(old),
        differs=tuple(sorted(differs)),
        mark=overall(tuple(change for change in changes if change.name != _NEVER_STOPS)),
        changes=changes,
        cases=cases,
        only_new=tuple(case.folder for case in pairing.only_new),
        only_old=tuple(case.folder for case in pairing.only_old),
        mcnemar_p=mcnemar_mid_p(flips.count("worsened"), flips.count("improved")),
        gate_level=GATE_LEVEL,
        paired=paired,
        notes=tuple(notes(new, old)),
        shared_only=shared_only,
        fail_on=fail_on,
        stops=_stops(changes, paired, flips, fail_on),
    )


def suite_metrics(result: SuiteResult, *, seed: int = 0) -> Mapping[str, Metric]:
    """The numbers of a suite that are held against an earlier one's, by name."""
    return _metrics(measures_of_result(result, seed=seed), result.cases, result.settings.threshold)


def _side(result: SuiteResult) -> SuiteSide:
    settings = result.settings
    return SuiteSide(
        plugins=tuple(" ".join(filter(None, (plugin.name, plugin.version))) for plugin in settings.plugins),
        started_at=result.started_at.isoformat(timespec="seconds"),
        program=f"{measures_of_result(result).agent} {result.claude_version}".strip(),
        model=model_of(result),
        cases=len(result.cases),
    )


def _sides(
    new: SuiteResult, old: SuiteResult, shared: Sequence[CasePair] | None, seed: int
) -> tuple[Mapping[str, Metric], Mapping[str, Metric]]:
    threshold = new.settings.threshold
    if shared is not None:
        again = (_again([pair.new for pair in shared], seed), _again([pair.old for pair in shared], seed))
        return _metrics(*again[0], threshold), _metrics(*again[1], threshold)
    later, earlier = (_metrics(measures_of_result(side, seed=seed), side.cases, threshold) for side in (new, old))
    return later, earlier


def _again(cases: Sequence[SidedCase], seed: int) -> tuple[SuiteMeasures, Sequence[CaseOfSuite]]:
    parts = [one.case for one in cases]
    return put_together(parts, [one.claims for one in cases], Facts(), seed=seed), parts


def _metrics(measures: SuiteMeasures, cases: Sequence[CaseOfSuite], threshold: float) -> Mapping[str, Metric]:
    passed = sum(_reaches(case, threshold) for case in cases)
    share = passed / len(cases) if cases else None
    return {
        "score": measures.score or Metric(name="score", value=None),
        "delta": measures.delta or Metric(name="delta", value=None),
        "pass_share": Metric(name="pass_share", value=share, numerator=passed, denominator=len(cases)),
        **{rate.name: measures.trigger[rate.name] for rate in TRIGGER_RATES},
    }


def _reaches(case: CaseOfSuite, threshold: float) -> bool:
    return case.numbers.score is not None and case.numbers.score >= threshold


def _changes(new: Mapping[str, Metric], old: Mapping[str, Metric], differs: Collection[str]) -> Sequence[MetricChange]:
    return [
        marked_change(metric, metric.value, old[name].value, _touched(name, differs)) for name, metric in new.items()
    ]


def _touched(name: str, differs: Collection[str]) -> tuple[str, ...]:
    return tuple(code for code in TOUCHES[name] if code in differs)


def _case(pair: CasePair, new: SuiteResult, *, can_flip: bool) -> CaseChange:
    later, earlier = pair.new.case, pair.old.case
    is_changed = pair.is_changed
    return CaseChange(
        name=later.name,
        folder=later.folder,
        new_score=as_measured(later.numbers.score, later.with_plugin),
        old_score=as_measured(earlier.numbers.score, earlier.with_plugin),
        new_delta=as_measured(later.numbers.delta, later.with_plugin, later.without_plugin),
        old_delta=as_measured(earlier.numbers.delta, earlier.with_plugin, earlier.without_plugin),
        new_fired=_fired(pair.new),
        old_fired=_fired(pair.old),
        is_changed=is_changed,
        flip=_flip(later, earlier, new.settings.threshold) if can_flip and not is_changed else None,
    )


def _fired(sided: SidedCase) -> tuple[int, int]:
    """Where a case makes several claims, tell of the first, as the other pages do."""
    return next(((claim.told.triggered_runs, claim.told.valid_runs) for claim in sided.claims), (0, 0))


def _flip(new: CaseOfSuite, old: CaseOfSuite, threshold: float) -> Flip | None:
    now, before = _reaches(new, threshold), _reaches(old, threshold)
    return None if now is before else "improved" if now else "worsened"


def _stops(
    changes: Sequence[MetricChange], paired: Mapping[str, PairedChange], flips: Sequence[Flip], fail_on: FailOn
) -> tuple[str, ...]:
    marked = [one.name for one in changes if one.mark is Change.REGRESSED and one.name != _NEVER_STOPS]
    shown = {name for name, change in paired.items() if _is_shown(name, change)}
    return chosen(marked, lambda name: name in shown or (name == "pass_share" and _have_fallen(flips)), fail_on)


def _is_shown(name: str, change: PairedChange) -> bool:
    """Whether the wider interval leaves out 0 on the wrong side."""
    is_rate = name != "false_trigger_rate"
    found = shown_by(change.cases, change.difference, change.gate_interval, higher_is_better=is_rate)
    return found is Evidence.REGRESSED


def _have_fallen(flips: Sequence[Flip]) -> bool:
    """Whether more cases fell below the threshold than chance explains, at the level of the wider interval."""
    lost, won = flips.count("worsened"), flips.count("improved")
    p = mcnemar_mid_p(lost, won)
    return lost > won and p is not None and p <= 1 - GATE_LEVEL

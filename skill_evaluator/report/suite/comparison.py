"""Two answers of a suite side by side, as Markdown and as JSON."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from skill_evaluator.metrics.paired import FEWEST_CASES
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.json_layout import entries, laid_out
from skill_evaluator.report.phrases import Phrases, phrases
from skill_evaluator.report.suite.figures import UNDEFINED, count, moment, share, signed
from skill_evaluator.report.suite.markdown import sentence
from skill_evaluator.results import Change, Evidence, MetricChange, PairedChange
from skill_evaluator.results.suite_changes import CaseChange, SuiteComparison, SuiteSide

_NAMES = {
    "score": Md("Suite score"),
    "delta": Md("Delta"),
    "pass_share": Md("Cases at threshold"),
    "precision": Md("Trigger precision"),
    "recall": Md("Trigger recall"),
    "f1": Md("Trigger F1"),
    "false_trigger_rate": Md("False-trigger rate"),
}
_WHY = {
    "partial": Md("a run was stopped before its end"),
    "agent": Md("the agents differ"),
    "model": Md("the models differ"),
    "model_unknown": Md("the model of one side is not recorded"),
    "judge": Md("the judges differ"),
    "ablation": Md("the arms differ"),
    "threshold": Md("the thresholds differ"),
    "runs": Md("the numbers of runs differ"),
    "cases": Md("the cases differ"),
    "undefined": Md("one side has no value"),
}
_FLIPS = {"worsened": Md("❌ no longer passes"), "improved": Md("✅ passes now"), None: Md("")}


def suite_comparison_to_json(comparison: SuiteComparison) -> str:
    """Lay a comparison out as JSON text."""
    return laid_out(entries(comparison)) + "\n"


def suite_comparison_to_markdown(comparison: SuiteComparison) -> str:
    """Lay a comparison out for people; whatever others wrote stands in code spans."""
    say = phrases("en")
    return say.environment.get_template("suite_compare.md.j2").render(
        sides=_sides(comparison, say),
        headline=headline(comparison, say),
        gate=gate_words(comparison),
        shared_only=comparison.shared_only,
        changes=_changes(comparison, say),
        notes=[sentence(note) for note in comparison.notes],
        paired=_paired(comparison, say) if comparison.paired else None,
        flips=_flips(comparison),
        cases=_cases(comparison.cases, say) if comparison.cases else None,
        only_new=comparison.only_new,
        only_old=comparison.only_old,
    )


def gate_words(comparison: SuiteComparison) -> Md | None:
    """Say which numbers stop a build; None where that was not asked."""
    if comparison.fail_on == "never":
        return None
    if comparison.stops:
        listed = ", ".join(_NAMES[name] for name in comparison.stops)
        return Md(f"❌ The build stops (--fail-on {comparison.fail_on}): {listed}.")
    if all(change.difference is None for change in comparison.changes):
        return Md(f"⚠ No number could be compared, so none could stop the build (--fail-on {comparison.fail_on}).")
    if comparison.mark is Change.REGRESSED:
        return Md(
            f"The build goes on (--fail-on {comparison.fail_on}): chance may explain what is marked as regressed."
        )
    return Md(f"The build goes on (--fail-on {comparison.fail_on}): nothing is marked as regressed.")


def headline(comparison: SuiteComparison, say: Phrases) -> Md:
    """Say in one sentence what the rule marks, and whether the shared cases bear that out."""
    mark = say.name(comparison.mark, "change")
    if comparison.mark is Change.NOT_COMPARABLE:
        why = ", ".join(_WHY[code] for code in _common(comparison))
        return Md(f"No number can be compared: {why}." if why else "No number can be compared.")
    wanted = {Change.REGRESSED: Evidence.REGRESSED, Change.IMPROVED: Evidence.IMPROVED}.get(comparison.mark)
    rule = f"By the rule of 0.05: {mark}"
    if wanted is None:
        return Md(f"{rule}; no number moved by more.")
    marked = [one.name for one in comparison.changes if one.mark is comparison.mark and one.name != "delta"]
    shown = [_NAMES[name] for name in marked if _evidence(comparison, name) is wanted]
    if shown:
        return Md(f"{rule}, and the cases that both have bear it out for: {', '.join(shown)}.")
    shared = sum(not case.is_changed for case in comparison.cases)
    few = (
        f"only {count(shared, 'case')} can be held against each other"
        if shared < FEWEST_CASES
        else "no number is clear"
    )
    return Md(f"{rule}, but that may be chance: {few}.")


def _evidence(comparison: SuiteComparison, name: str) -> Evidence | None:
    return comparison.paired[name].evidence if name in comparison.paired else None


def _common(comparison: SuiteComparison) -> tuple[str, ...]:
    reasons = [one.why for one in comparison.changes]
    return (
        tuple(code for code in reasons[0] if code != "undefined" and all(code in why for why in reasons))
        if reasons
        else ()
    )


def _sides(comparison: SuiteComparison, say: Phrases) -> Table:
    header = map(Md, ("", "Plugin", "Started", "Agent", "Model", "Cases"))
    return table(header, (_side("new", comparison.new, say), _side("old", comparison.old, say)))


def _side(name: str, side: SuiteSide, say: Phrases) -> list[Md]:
    return [
        Md(name),
        say.join(side.plugins) if side.plugins else UNDEFINED,
        moment(datetime.fromisoformat(side.started_at)),
        say.quote(side.program),
        say.quote(side.model) if side.model else Md("not recorded"),
        Md(side.cases),
    ]


def _changes(comparison: SuiteComparison, say: Phrases) -> Table:
    rows = [
        [
            _NAMES[one.name],
            _value(one.name, one.new),
            _value(one.name, one.old),
            signed(one.difference),
            _mark(one, say, _common(comparison)),
        ]
        for one in comparison.changes
    ]
    return table(map(Md, ("Number", "New", "Old", "Difference", "Mark")), rows)


def _value(name: str, value: float | None) -> Md:
    return signed(value) if name == "delta" else share(value)


def _mark(change: MetricChange, say: Phrases, common: tuple[str, ...]) -> Md:
    """Word a mark; the delta has none, since it falls too where the model does better by itself."""
    mark = say.name(change.mark, "change")
    if why := [_WHY[code] for code in change.why if code not in common]:
        return Md(f"{mark}: {', '.join(why)}")
    return Md("shown only") if change.name == "delta" and change.difference is not None else mark


def _paired(comparison: SuiteComparison, say: Phrases) -> Table:
    header = map(Md, ("Number", "Cases", "Difference", "95% interval", "Evidence"))
    return table(header, [_paired_row(name, one, say) for name, one in comparison.paired.items()])


def _paired_row(name: str, change: PairedChange, say: Phrases) -> list[Md]:
    interval = change.interval
    shown = UNDEFINED if interval is None else Md(f"{signed(interval.low)} to {signed(interval.high)}")
    evidence = say.name(change.evidence, "evidence")
    return [_NAMES[name], Md(change.cases), signed(change.difference), shown, evidence]


def _flips(comparison: SuiteComparison) -> Md | None:
    if comparison.mcnemar_p is None:
        return None
    kinds = [case.flip for case in comparison.cases]
    p = numbers.probability(comparison.mcnemar_p)
    lost, won = count(kinds.count("worsened"), "case"), count(kinds.count("improved"), "case")
    chance = f"chance alone is at least as one-sided with a probability of {p}"
    return Md(f"{lost} no longer at the threshold, {won} at it now; {chance}.")


def _cases(cases: Sequence[CaseChange], say: Phrases) -> Table:
    header = map(Md, ("Case", "New", "Old", "Difference", "Delta new", "Delta old", "Fired new", "Fired old", ""))
    return table(header, ([*_case_row(case, say)] for case in cases))


def _case_row(case: CaseChange, say: Phrases) -> Iterator[Md]:
    known = case.new_score is not None and case.old_score is not None and not case.is_changed
    yield say.quote(case.name)
    yield share(case.new_score)
    yield share(case.old_score)
    yield signed((case.new_score or 0) - (case.old_score or 0)) if known else UNDEFINED
    yield signed(case.new_delta)
    yield signed(case.old_delta)
    yield _fired(case.new_fired)
    yield _fired(case.old_fired)
    yield Md("the case was changed") if case.is_changed else _FLIPS[case.flip]


def _fired(fired: tuple[int, int]) -> Md:
    return Md(f"{fired[0]}/{fired[1]}") if fired[1] else UNDEFINED

"""Two answers of a suite side by side, as Markdown and as JSON."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from skill_evaluator.metrics.paired import FEWEST_CASES
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.json_layout import entries, laid_out
from skill_evaluator.report.moments import moment_of
from skill_evaluator.report.phrases import Phrases, phrases
from skill_evaluator.report.suite.figures import UNDEFINED, share, signed
from skill_evaluator.report.suite.notes import OF_COMPARISON, as_sentence, notes_in_words
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Change, Evidence, MetricChange, PairedChange
from skill_evaluator.results.suite_changes import CaseChange, SuiteComparison, SuiteSide


def suite_comparison_to_json(comparison: SuiteComparison) -> str:
    """Lay a comparison out as JSON text; notes are English sentences."""
    notes = [as_sentence(note, OF_COMPARISON) for note in comparison.notes]
    return laid_out((key, notes if key == "notes" else value) for key, value in entries(comparison)) + "\n"


def suite_comparison_to_markdown(comparison: SuiteComparison, lang: Lang = "en") -> str:
    """Lay a comparison out for people; whatever others wrote stands in code spans.

    Args:
        comparison: The comparison.
        lang: The language of the words.
    """
    say = phrases(lang)
    return say.environment.get_template("suite_compare.md.j2").render(
        sides=_sides(comparison, say),
        headline=headline(comparison, say),
        gate=gate_words(comparison, say),
        shared_only=comparison.shared_only,
        changes=_changes(comparison, say),
        notes=notes_in_words(comparison.notes, say, OF_COMPARISON),
        paired=_paired(comparison, say) if comparison.paired else None,
        flips=_flips(comparison, say),
        cases=_cases(comparison.cases, say) if comparison.cases else None,
        only_new=comparison.only_new,
        only_old=comparison.only_old,
    )


def suite_gate_line(comparison: SuiteComparison, lang: Lang) -> str:
    """Say in one line of plain text which numbers stop a build; empty where that was not asked."""
    return gate_words(comparison, phrases(lang, "plain")) or ""


def gate_words(comparison: SuiteComparison, say: Phrases) -> Md | None:
    """Say which numbers stop a build; None where that was not asked."""
    if comparison.fail_on == "never":
        return None
    mode = Md(comparison.fail_on)
    if comparison.stops:
        return say("suite_compare.gate_stops", mode=mode, names=_named(comparison.stops, "suite_number", say))
    if all(change.difference is None for change in comparison.changes):
        return say("suite_compare.gate_nothing", mode=mode)
    is_marked = comparison.mark is Change.REGRESSED
    return say(f"suite_compare.gate_{'chance' if is_marked else 'passes'}", mode=mode)


def headline(comparison: SuiteComparison, say: Phrases) -> Md:
    """Say in one sentence what the rule marks, and whether the shared cases bear that out."""
    mark = say.name(comparison.mark, "change")
    if comparison.mark is Change.NOT_COMPARABLE:
        why = _common(comparison)
        return (
            say("suite_compare.nothing_why", why=_named(why, "suite_why", say)) if why else say("suite_compare.nothing")
        )
    wanted = {Change.REGRESSED: Evidence.REGRESSED, Change.IMPROVED: Evidence.IMPROVED}.get(comparison.mark)
    if wanted is None:
        return say("suite_compare.unmoved", mark=mark)
    marked = [one.name for one in comparison.changes if one.mark is comparison.mark and one.name != "delta"]
    if shown := [name for name in marked if _evidence(comparison, name) is wanted]:
        return say("suite_compare.borne_out", mark=mark, names=_named(shown, "suite_number", say))
    shared = sum(not case.is_changed for case in comparison.cases)
    return say("suite_compare.few_cases" if shared < FEWEST_CASES else "suite_compare.unclear", mark=mark, cases=shared)


def _named(codes: Iterable[str], kind: str, say: Phrases) -> Md:
    return say.join(say.name(code, kind) for code in codes)


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
    sides = (_side("new", comparison.new, say), _side("old", comparison.old, say))
    return table(say.cells("suite_compare.sides_header"), sides)


def _side(name: str, side: SuiteSide, say: Phrases) -> list[Md]:
    return [
        say(f"suite_compare.{name}"),
        say.join(side.plugins) if side.plugins else UNDEFINED,
        moment_of(datetime.fromisoformat(side.started_at), say.lang),
        say.quote(side.program),
        say.quote(side.model) if side.model else say("suite_compare.not_recorded"),
        Md(side.cases),
    ]


def _changes(comparison: SuiteComparison, say: Phrases) -> Table:
    rows = [
        [
            say.name(one.name, "suite_number"),
            _value(one.name, one.new),
            _value(one.name, one.old),
            signed(one.difference),
            _mark(one, say, _common(comparison)),
        ]
        for one in comparison.changes
    ]
    return table(say.cells("suite_compare.changes_header"), rows)


def _value(name: str, value: float | None) -> Md:
    return signed(value) if name == "delta" else share(value)


def _mark(change: MetricChange, say: Phrases, common: tuple[str, ...]) -> Md:
    """Word a mark; the delta has none, since it falls too where the model does better by itself."""
    mark = say.name(change.mark, "change")
    if why := [code for code in change.why if code not in common]:
        return say("suite_compare.marked", mark=mark, why=_named(why, "suite_why", say))
    return say("suite_compare.shown_only") if change.name == "delta" and change.difference is not None else mark


def _paired(comparison: SuiteComparison, say: Phrases) -> Table:
    header = say.cells("suite_compare.paired_header")
    return table(header, [_paired_row(name, one, say) for name, one in comparison.paired.items()])


def _paired_row(name: str, change: PairedChange, say: Phrases) -> list[Md]:
    interval = change.interval
    shown = (
        UNDEFINED if interval is None else say("suite.from_to", low=signed(interval.low), high=signed(interval.high))
    )
    evidence = say.name(change.evidence, "evidence")
    return [say.name(name, "suite_number"), Md(change.cases), signed(change.difference), shown, evidence]


def _flips(comparison: SuiteComparison, say: Phrases) -> Md | None:
    if comparison.mcnemar_p is None:
        return None
    kinds = [case.flip for case in comparison.cases]
    p = Md(numbers.probability(comparison.mcnemar_p))
    return say("suite_compare.flips", lost=kinds.count("worsened"), won=kinds.count("improved"), p=p)


def _cases(cases: Sequence[CaseChange], say: Phrases) -> Table:
    return table(say.cells("suite_compare.cases_header"), ([*_case_row(case, say)] for case in cases))


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
    came = "case_changed" if case.is_changed else case.flip
    yield say(f"suite_compare.{came}") if came else Md("")


def _fired(fired: tuple[int, int]) -> Md:
    return Md(f"{fired[0]}/{fired[1]}") if fired[1] else UNDEFINED

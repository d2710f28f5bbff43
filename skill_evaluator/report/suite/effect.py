"""What a plugin does to the scores of a suite, and which cases to look at first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skill_evaluator.metrics.suite_notes import as_measured
from skill_evaluator.report.escape import Md
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.suite.cards import CaseCard, Trouble
from skill_evaluator.report.suite.figures import signed
from skill_evaluator.report.suite.overview import all_runs
from skill_evaluator.results import Confusion
from skill_evaluator.results.suite_result import SuiteMeasures, SuiteResult

_MOST_CAUSES = 3
_NO_DIFFERENCE = "0.00"


@dataclass(frozen=True, kw_only=True, slots=True)
class Cause:
    """A case that lost points, or does worse with the plugin."""

    anchor: Md
    name: str
    score: Md
    worse: Md | None
    trouble: Trouble | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Causes:
    """The cases to look at first, worst first; `more` says how many are not named; `hints` what may mend them."""

    shown: tuple[Cause, ...]
    more: Md | None
    hints: tuple[Md, ...] = ()


def effect(result: SuiteResult, say: Phrases) -> Md | None:
    """Say what the plugin adds, and in how many cases; None where the suite was run in one arm."""
    cases = [case for case in result.cases if case.without_plugin is not None]
    if not cases:
        return None
    found = [as_measured(case.numbers.delta, case.with_plugin, case.without_plugin) for case in cases]
    deltas = [signed(delta) for delta in found if delta is not None]
    if not deltas:
        return say("suite.no_effect")
    return say(
        "suite.effect",
        delta=signed(as_measured(result.numbers.mean_delta, all_runs(result))),
        better=sum(delta.startswith("+") for delta in deltas),
        same=deltas.count(Md(_NO_DIFFERENCE)),
        worse=sum(delta.startswith("-") for delta in deltas),
        cases=len(deltas),
        open=len(found) - len(deltas),
    )


def causes(shown: Sequence[CaseCard], measures: SuiteMeasures, say: Phrases) -> Causes | None:
    """Name the cases to look at first: those below the threshold by their score, then those that lost by the plugin."""
    bad = [card for card in shown if not card.passed or card.is_worse]
    hints = tuple(_hints(measures.counts, say))
    if not bad and not hints:
        return None
    worst = sorted(bad, key=lambda card: (card.passed, _number(card.raw_score), _number(card.raw_delta)))
    more = len(bad) - _MOST_CAUSES
    return Causes(
        shown=tuple(_cause(card, say) for card in worst[:_MOST_CAUSES]),
        more=say("suite.causes_more", more=more) if more > 0 else None,
        hints=hints,
    )


def _hints(counts: Confusion, say: Phrases) -> Iterator[Md]:
    """Say what may mend triggers: a skill is chosen by its description."""
    if counts.false_negatives:
        of = counts.true_positives + counts.false_negatives
        yield say("suite.hint_quiet", missed=counts.false_negatives, cases=of)
    if counts.false_positives:
        of = counts.false_positives + counts.true_negatives
        yield say("suite.hint_false", fired=counts.false_positives, cases=of)


def _cause(card: CaseCard, say: Phrases) -> Cause:
    return Cause(
        anchor=card.anchor,
        name=card.name,
        score=card.score,
        worse=say("suite.cause_worse", delta=card.delta) if card.is_worse else None,
        trouble=card.first_trouble,
    )


def _number(raw: str) -> float:
    return float(raw) if raw else 0.0

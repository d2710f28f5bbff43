"""Does a translation keep the value of every number, however its locale writes it?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from skill_evaluator.graders.evidence import clean, cut_middle, not_run, output_cut
from skill_evaluator.graders.translation.numbers.comparing import NumberDifference, compare_numbers
from skill_evaluator.graders.translation.numbers.doubts import UNEQUAL
from skill_evaluator.graders.translation.numbers.remainder import Doubt
from skill_evaluator.graders.translation.outcomes import broken, ok, undecided
from skill_evaluator.model import JsonObject, Outcome, Run
from skill_evaluator.texts import listed, tr

_SHOWN: Final = 20  # numbers of each list
_LENGTH: Final = 80  # characters of one number


@dataclass(frozen=True, kw_only=True, slots=True)
class NumberFidelity:
    """Each number of the source is in the translation with the same value.

    Attributes:
        source: The text that was translated.
        source_locale: How it writes numbers.
        target_locale: How the translation writes them.
    """

    source: str
    source_locale: str
    target_locale: str

    def check(self, run: Run) -> Outcome:
        """Compare the numbers of source and translation."""
        if run.output is None:
            return not_run("makes no output")
        if run.output_cut:
            return output_cut(tr("which numbers it holds"))
        found = compare_numbers(
            self.source, run.output, source_locale=self.source_locale, target_locale=self.target_locale
        )
        return _outcome(found)


def _outcome(found: NumberDifference) -> Outcome:
    if not (found.missing or found.extra or found.doubts):
        return ok(tr("Every number keeps its value."))
    missing, extra = listed(_shown(found.missing)), listed(_shown(found.extra))
    evidence = _evidence(found)
    if missing and extra:
        return broken(
            "number_mutated", tr("Expected {missing}, but found {extra}.", missing=missing, extra=extra), evidence
        )
    if missing:
        return broken("number_missing", tr("No number of the value of {missing} is there.", missing=missing), evidence)
    if extra:
        return broken("number_extra", tr("The source has no number of the value of {extra}.", extra=extra), evidence)
    told = tr("The texts do not say whether the value was kept: {doubts}.", doubts=_told(_gravest(found.doubts)))
    return undecided("number_undecided", told, evidence)


def _gravest(doubts: Sequence[Doubt]) -> Doubt:
    return next((one for one in doubts if one.why == UNEQUAL), doubts[0])


def _evidence(found: NumberDifference) -> JsonObject:
    evidence: dict[str, object] = {"expected": _shown(found.expected), "actual": _shown(found.actual)}
    if found.missing:
        evidence["missing"] = _shown(found.missing)
    if found.extra:
        evidence["extra"] = _shown(found.extra)
    if found.doubts:
        evidence["undecided"] = [_doubt(one) for one in found.doubts[:_SHOWN]]
    return evidence


def _shown(numbers: Sequence[str]) -> list[str]:
    """List numbers as written, the first of many, each cut where it is long."""
    more = len(numbers) - _SHOWN
    return [*(_cut(one) for one in numbers[:_SHOWN]), *([f"[... {more} more ...]"] if more > 0 else [])]


def _doubt(doubt: Doubt) -> JsonObject:
    shown = {"source": doubt.source, "translation": doubt.target}
    return {**{side: _cut(text) for side, text in shown.items() if text is not None}, "why": doubt.why}


def _told(doubt: Doubt) -> str:
    numbers = [_cut(text) for text in (doubt.source, doubt.target) if text is not None]
    both = tr("{source} and {target}", source=numbers[0], target=numbers[-1]) if len(numbers) > 1 else numbers[0]
    return tr("{numbers}: {why}", numbers=both, why=doubt.why)


def _cut(number: str) -> str:
    return cut_middle(clean(number), _LENGTH).replace("\n", "")

"""What no run can leave among the suggestions of a report; they are not worked out again when it is read."""

from collections.abc import Iterator, Mapping

from skill_evaluator.advise import MOST_WORDS, ROUNDS, TuningCase, TuningEvidence
from skill_evaluator.model import Aspect, Split
from skill_evaluator.results import Cause, Report, Suggestion

Impossible = tuple[str, object, str]  # JSON pointer, what stands there, the rule it breaks

_ASPECTS: Mapping[Cause, Aspect] = {
    Cause.FIELDS: Aspect.PARAMS,
    Cause.OUTPUT: Aspect.OUTPUT,
    Cause.TOOLS: Aspect.TOOL_ORDER,
}


def impossible_advice(report: Report) -> Iterator[Impossible]:
    """Suggestions that do not rest on tuning cases which failed in that way, or that were not called for."""
    if not report.suggestions:
        return
    results = [case for case in report.cases if case.split is Split.TUNING]
    if not TuningEvidence.of(report.skill, results, pass_threshold=report.config.pass_threshold).is_due:
        yield "/suggestions", len(report.suggestions), "the tuning cases call for none"
    tuning = {result.id: TuningCase(result) for result in results}
    before = 1
    for place, suggestion in enumerate(report.suggestions):
        pointer = f"/suggestions/{place}"
        if not before <= suggestion.round <= min(before + 1, ROUNDS) or (place == 0 and suggestion.round != 1):
            yield f"{pointer}/round", suggestion.round, f"rounds go from 1 to {ROUNDS}, in order"
        before = max(before, suggestion.round)
        yield from _evidence(suggestion, tuning, pointer)


def _evidence(suggestion: Suggestion, tuning: Mapping[str, TuningCase], pointer: str) -> Iterator[Impossible]:
    cases = [tuning[id_] for id_ in suggestion.cases if id_ in tuning]
    if list(suggestion.cases) != sorted({case.id for case in cases if _failed(case, suggestion.cause)}) or not cases:
        yield (
            f"{pointer}/cases",
            suggestion.cases,
            "it rests on tuning cases that failed in that way, each once, sorted",
        )
    if list(suggestion.samples) != [case.prompt for case in cases[: len(suggestion.samples)]] or not suggestion.samples:
        yield f"{pointer}/samples", suggestion.samples, "samples are the inputs of the first of these cases"
    words = suggestion.proposal.values.get("words")
    if isinstance(words, list | tuple) and len(words) > MOST_WORDS:
        yield f"{pointer}/proposal", len(words), f"at most {MOST_WORDS} words are proposed"


def _failed(case: TuningCase, cause: Cause) -> bool:
    """Whether a case failed in the way a cause speaks of."""
    if cause in _ASPECTS:
        return case.result.aspects.get(_ASPECTS[cause]) is False
    return case.false_trigger if cause is Cause.FALSE_TRIGGERS else case.missed

"""What no run can leave among the suggestions of a report; they are not worked out again when it is read."""

from collections.abc import Iterator, Mapping, Sequence

from skill_evaluator.advise import MOST_WORDS, ROUNDS, TuningCase, TuningEvidence
from skill_evaluator.model import Aspect, Split
from skill_evaluator.results import Cause, Report, Suggestion
from skill_evaluator.results.advice import WORDED
from skill_evaluator.texts import tr

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
        yield "/suggestions", len(report.suggestions), tr("the tuning cases call for none")
    tuning = {result.id: TuningCase(result) for result in results}
    yield from _order(report.suggestions)
    for place, suggestion in enumerate(report.suggestions):
        pointer = f"/suggestions/{place}"
        yield from _evidence(suggestion, tuning, pointer)
        if suggestion.source == "model" and report.config.advise_model is None:
            yield f"{pointer}/source", suggestion.source, tr("no model was asked: config.advise_model is null")
        by_model = (suggestion.analysis.code, suggestion.proposal.code) == WORDED
        if by_model is not (suggestion.source == "model"):
            yield f"{pointer}/source", suggestion.source, tr("a model words both analysis and proposal, rules neither")


def _order(suggestions: Sequence[Suggestion]) -> Iterator[Impossible]:
    """Rules come before the model, and the rounds of either in order."""
    before: dict[str, int] = {}
    for place, suggestion in enumerate(suggestions):
        pointer = f"/suggestions/{place}"
        last = before.get(suggestion.source, 0)
        if not max(last, 1) <= suggestion.round <= min(last + 1, ROUNDS):
            yield f"{pointer}/round", suggestion.round, tr("rounds go from 1 to {rounds}, in order", rounds=ROUNDS)
        if suggestion.source == "rules" and "model" in before:
            yield f"{pointer}/source", suggestion.source, tr("suggestions by rules stand before those by a model")
        before[suggestion.source] = max(last, suggestion.round)


def _evidence(suggestion: Suggestion, tuning: Mapping[str, TuningCase], pointer: str) -> Iterator[Impossible]:
    cases = [tuning[id_] for id_ in suggestion.cases if id_ in tuning]
    if list(suggestion.cases) != sorted({case.id for case in cases if _supports(case, suggestion)}) or not cases:
        yield (
            f"{pointer}/cases",
            suggestion.cases,
            tr("it rests on tuning cases that failed in that way, each once, sorted"),
        )
    if list(suggestion.samples) != [case.prompt for case in cases[: len(suggestion.samples)]] or not suggestion.samples:
        yield f"{pointer}/samples", suggestion.samples, tr("samples are the inputs of the first of these cases")
    words = suggestion.proposal.values.get("words")
    if isinstance(words, list | tuple) and len(words) > MOST_WORDS:
        yield f"{pointer}/proposal", len(words), tr("at most {most_words} words are proposed", most_words=MOST_WORDS)


def _supports(case: TuningCase, suggestion: Suggestion) -> bool:
    """Whether a case can be its evidence; the cause that a model names is its own reading of any failure."""
    if suggestion.source == "model":
        return case.missed or case.false_trigger or case.failed_check
    return _failed(case, suggestion.cause)


def _failed(case: TuningCase, cause: Cause) -> bool:
    """Whether a case failed in the way a cause speaks of."""
    if cause in _ASPECTS:
        return case.result.aspects.get(_ASPECTS[cause]) is False
    return case.false_trigger if cause is Cause.FALSE_TRIGGERS else case.missed

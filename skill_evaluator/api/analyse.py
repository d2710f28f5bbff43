"""Asks the analyst: a model that words suggestions from failed tuning cases, in up to three rounds."""

from collections.abc import Sequence
from dataclasses import dataclass

from skill_evaluator.advise import ROUNDS, TuningCase, TuningEvidence
from skill_evaluator.advise.analyst import Heard, hear, question, uncovered
from skill_evaluator.model import NOT_ASKED, Completer, Failure, FailureKind
from skill_evaluator.results import Note, Suggestion


@dataclass(frozen=True, kw_only=True, slots=True)
class Analysed:
    """What came of the rounds.

    Attributes:
        suggestions: By round; empty where nothing new was said.
        notes: What the report must say of the model that was asked.
    """

    suggestions: tuple[Suggestion, ...] = ()
    notes: tuple[Note, ...] = ()


async def analyse(evidence: TuningEvidence, by_rules: Sequence[Suggestion], completer: Completer) -> Analysed:
    """Ask round by round for what no earlier suggestion of the model covers; a round without a new one ends it.

    Args:
        evidence: The tuning cases; nobody is asked where they call for no advice.
        by_rules: What rules suggest already.
        completer: The model.
    """
    found: list[Suggestion] = []
    heard: list[Heard] = []
    failure = None
    shown: dict[str, TuningCase] = {}
    for round_ in range(1, ROUNDS + 1):
        left = uncovered(evidence, found) if evidence.is_due else ()
        if not left:
            break
        asked, cases = question(evidence, left, (*by_rules, *found))
        shown |= {case.id: case for case in cases}
        completion = await completer.complete(asked)
        answer = hear(completion.answer or {}, round_=round_, known=shown, earlier=found)
        failure = completion.failure or (None if answer else _UNREADABLE)
        if failure is not None or answer is None:
            break
        heard.append(answer)
        found += answer.suggestions
        if not answer.suggestions:
            break
    return Analysed(suggestions=tuple(found), notes=_notes(completer.model, heard, failure))


_UNREADABLE = Failure(kind=FailureKind.API, message="the answer holds no list of suggestions")


def _notes(model: str, heard: Sequence[Heard], failure: Failure | None) -> tuple[Note, ...]:
    notes = []
    if failure is not None and failure.message.startswith(NOT_ASKED):
        notes.append(Note(code="analyst_not_asked", values={"model": model}))
    elif failure is not None:
        values = {"model": model, "kind": str(failure.kind), "message": failure.message}
        notes.append(Note(code="analyst_failed", values=values))
    elif heard and not any(one.suggestions for one in heard):
        notes.append(Note(code="analyst_silent", values={"model": model}))
    for code, dropped in (
        ("analyst_unknown_cases", sum(one.unknown_cases for one in heard)),
        ("analyst_malformed", sum(one.malformed for one in heard)),
    ):
        if dropped:
            notes.append(Note(code=code, values={"model": model, "suggestions": dropped}))
    return tuple(notes)

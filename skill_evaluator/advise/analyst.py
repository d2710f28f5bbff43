"""Asks a model for suggestions: what it is told, and what of its answer counts.

It sees the skill's own texts, the failed tuning cases and the suggestions so far, since nothing else can be put into
`TuningEvidence`. Whatever it says is a proposal to the author; a case that it was not shown is no evidence.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from skill_evaluator.advise.analyst_texts import INSTRUCTIONS, asking
from skill_evaluator.advise.evidence import TuningCase, TuningEvidence
from skill_evaluator.advise.rounds import SAMPLES
from skill_evaluator.model import JsonObject, Question
from skill_evaluator.results import Cause, Note, Suggestion
from skill_evaluator.results.advice import WORDED

MOST_SUGGESTIONS = 5  # in one answer
LONGEST_TEXT = 2_000  # characters of an analysis or a proposal

_TEXT = {"type": "string", "minLength": 1, "maxLength": LONGEST_TEXT}
_SUGGESTION = {
    "type": "object",
    "properties": {
        "cause": {"enum": [str(cause) for cause in Cause]},
        "cases": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "analysis": _TEXT,
        "proposal": _TEXT,
    },
    "required": ["cause", "cases", "analysis", "proposal"],
    "additionalProperties": False,
}
SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"suggestions": {"type": "array", "items": _SUGGESTION, "maxItems": MOST_SUGGESTIONS}},
    "required": ["suggestions"],
    "additionalProperties": False,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Heard:
    """What came of one answer.

    Attributes:
        suggestions: The new ones, in the order given.
        unknown_cases: Suggestions dropped, since they quote a case that was not shown.
        malformed: Suggestions dropped, since a part is missing, empty or of the wrong type.
    """

    suggestions: tuple[Suggestion, ...] = ()
    unknown_cases: int = 0
    malformed: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class _Said:
    cause: Cause
    cases: list[str]
    analysis: str
    proposal: str


_SAID = TypeAdapter(_Said)


def uncovered(evidence: TuningEvidence, earlier: Sequence[Suggestion]) -> tuple[TuningCase, ...]:
    """The failed cases that no earlier suggestion of the model rests on."""
    covered = {id_ for suggestion in earlier for id_ in suggestion.cases}
    return tuple(case for case in evidence.failed if case.id not in covered)


def question(
    evidence: TuningEvidence, cases: Sequence[TuningCase], so_far: Sequence[Suggestion]
) -> tuple[Question, tuple[TuningCase, ...]]:
    """Ask for causes and wording.

    Args:
        evidence: Where the skill's texts are taken from.
        cases: Failed ones.
        so_far: Suggestions that need not be made again.

    Returns:
        The question, equal for equal arguments, and the cases shown in it: the first ones, as many as there is room.
    """
    text, shown = asking(evidence.skill, cases, so_far)
    asked = Question(
        system=INSTRUCTIONS,
        text=text,
        tool="suggest",
        tool_description="Takes the causes of the failures and the changes proposed to the skill's author.",
        schema=SCHEMA,
    )
    return asked, shown


def hear(
    answer: JsonObject, *, round_: int, known: Mapping[str, TuningCase], earlier: Sequence[Suggestion]
) -> Heard | None:
    """Take from an answer what counts.

    Args:
        answer: The input of the forced tool call, whatever the model made of it.
        round_: 1..3.
        known: The cases it was shown, in this round or before, by id.
        earlier: What it suggested before.

    Returns:
        None where the answer holds no list of suggestions at all.
    """
    listed = answer.get("suggestions")
    if not isinstance(listed, list | tuple):
        return None
    said = [_said(item) for item in listed[:MOST_SUGGESTIONS]]
    whole = [one for one in said if one is not None]
    sound = [one for one in whole if set(one.cases) <= known.keys()]
    return Heard(
        suggestions=tuple(_new([_suggestion(one, round_, known) for one in sound], earlier)),
        unknown_cases=len(whole) - len(sound),
        malformed=len(said) - len(whole),
    )


def _said(item: object) -> _Said | None:
    try:
        said = _SAID.validate_json(json.dumps(item), strict=True)
    except (ValidationError, TypeError, ValueError):
        return None
    return said if said.cases and said.analysis.strip() and said.proposal.strip() else None


def _suggestion(said: _Said, round_: int, known: Mapping[str, TuningCase]) -> Suggestion:
    ids = sorted(set(said.cases))
    analysis, proposal = WORDED
    return Suggestion(
        round=round_,
        cause=said.cause,
        cases=tuple(ids),
        samples=tuple(known[id_].prompt for id_ in ids[:SAMPLES]),
        analysis=Note(code=analysis, values={"text": _bounded(said.analysis)}),
        proposal=Note(code=proposal, values={"text": _bounded(said.proposal)}),
        source="model",
    )


def _bounded(text: str) -> str:
    return text.strip()[:LONGEST_TEXT]


def _new(suggestions: Sequence[Suggestion], earlier: Sequence[Suggestion]) -> Iterator[Suggestion]:
    """Those of another cause or other cases, and in other words, than each before."""
    before = list(earlier)
    for one in suggestions:
        if not any(_is_same(one, other) for other in before):
            before.append(one)
            yield one


def _is_same(one: Suggestion, other: Suggestion) -> bool:
    about = (one.cause, one.cases) == (other.cause, other.cases)
    return about or _plain(one.proposal) == _plain(other.proposal)


def _plain(proposal: Note) -> str:
    return " ".join(str(proposal.values.get("text")).casefold().split())

"""A judge's answer -> its scores, or why it gave none: never a 0, never a guess."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from skill_evaluator.judging.question import label_of
from skill_evaluator.judging.texts import JudgedText
from skill_evaluator.model import Completion, Failure, FailureKind, JsonObject, one_line
from skill_evaluator.results import Ballot, Scored
from skill_evaluator.results.judged import HIGHEST, LOWEST
from skill_evaluator.sendable import sendable

_NAMED: Final = 5  # labels in one message
_SHOWN: Final = 80  # characters of a bad value


class _Mark(BaseModel):
    """What the tool takes for one answer; nothing is converted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    reason: Annotated[str, Field(pattern=r"\S")]
    score: Annotated[int, Field(ge=LOWEST, le=HIGHEST)]


def ballot_of(completion: Completion, texts: Sequence[JudgedText]) -> Ballot:
    """Read what came of one call.

    Args:
        completion: What the judge gave back.
        texts: What it was shown, in that order.

    Returns:
        One score for each text in that order; or a failure, with one line that says what was wrong.
    """
    if completion.failure is not None:
        return Ballot(failure=completion.failure)
    if completion.answer is None:
        return _invalid("it is empty")
    labels = [label_of(position) for position in range(len(texts))]
    marks = _marks(completion.answer, labels)
    if isinstance(marks, str):
        return _invalid(marks)
    return Ballot(scores=tuple(_scored(text, marks[label]) for label, text in zip(labels, texts, strict=True)))


def _marks(answer: JsonObject, labels: Sequence[str]) -> Mapping[str, _Mark] | str:
    if missing := [label for label in labels if label not in answer]:
        return f"it leaves out {_listed(missing)}"
    if unknown := [label for label in answer if label not in set(labels)]:
        return f"it scores {_listed(unknown)}, which was not shown"
    try:
        return {label: _Mark.model_validate(answer[label]) for label in labels}
    except ValidationError:
        return "; ".join(_faults(answer, labels))


def _faults(answer: JsonObject, labels: Sequence[str]) -> Iterator[str]:
    for label in labels:
        try:
            _Mark.model_validate(answer[label])
        except ValidationError as error:
            for fault in error.errors(include_url=False)[:1]:
                place = ".".join([label, *(str(part) for part in fault["loc"])])
                yield f"{place} is {_cut(repr(fault['input']))}: {fault['msg']}"


def _scored(text: JudgedText, mark: _Mark) -> Scored:
    return Scored(source=text.source, index=text.index, control=text.control, score=mark.score, reason=mark.reason)


def _invalid(why: str) -> Ballot:
    message = sendable(one_line(f"the judge's answer is not valid: {why}"))
    return Ballot(failure=Failure(kind=FailureKind.API, message=_cut(message, 6 * _SHOWN)))


def _listed(labels: Sequence[str]) -> str:
    more = [f"{len(labels) - _NAMED} more"] if len(labels) > _NAMED else []
    return ", ".join([*(_cut(label) for label in labels[:_NAMED]), *more])


def _cut(text: str, most: int = _SHOWN) -> str:
    return text if len(text) <= most else f"{text[:most]}..."

"""The question put to the judge: one task, one rubric item, the texts under letters, and the tool for the scores.

Equal arguments give equal bytes, so that kept answers are found again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from skill_evaluator.fences import fence_id
from skill_evaluator.model import JsonObject, Question, Turn
from skill_evaluator.results.judged import HIGHEST, LOWEST
from skill_evaluator.template_files import template_folder

if TYPE_CHECKING:
    from jinja2 import Environment

TOOL = "give_scores"
_TOOL_DESCRIPTION = "Takes one score and one reason for each answer."
_TOKENS_PER_ANSWER, _TOKENS_BESIDES, _MOST_TOKENS = 400, 1_000, 16_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """What the answers answer, and the item they are held against; all of it without names.

    Attributes:
        prompt: The user's words.
        context: Earlier turns, oldest first.
        files: What the user laid out, each with its path in the first line.
        item: The rubric item.
    """

    prompt: str
    item: str
    context: tuple[Turn, ...] = ()
    files: tuple[str, ...] = ()


def label_of(position: int) -> str:
    """Give the letter of a 0-based position.

    >>> [label_of(position) for position in (0, 25, 26, 51, 52, 701, 702)]
    ['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']
    """
    letters = ""
    position += 1
    while position:
        position, rest = divmod(position - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def put_question(task: Task, texts: Sequence[str], *, seed: int) -> Question:
    """Put a question.

    Args:
        task: What the texts answer.
        texts: The answers, in the order shown.
        seed: The seed of the report.
    """
    turns = [turn.text for turn in task.context]
    fence = fence_id(seed, (task.prompt, task.item, *turns, *task.files, *texts))
    labels = [label_of(position) for position in range(len(texts))]
    text = (
        _environment()
        .get_template("judge_question.j2")
        .render(
            fence=fence,
            task=task.prompt,
            context=task.context,
            files=task.files,
            criterion=task.item,
            answers=list(zip(labels, texts, strict=True)),
        )
    )
    return Question(
        system=_environment().get_template("judge_system.j2").render(fence=fence, tool=TOOL),
        text=text,
        tool=TOOL,
        tool_description=_TOOL_DESCRIPTION,
        schema=_schema(labels),
        max_tokens=min(_MOST_TOKENS, _TOKENS_BESIDES + _TOKENS_PER_ANSWER * len(texts)),
    )


def _schema(labels: Sequence[str]) -> JsonObject:
    mark: Mapping[str, object] = {
        "type": "object",
        "properties": {
            "reason": {"type": "string", "description": "A quote from the answer, and what follows from it."},
            "score": {"type": "integer", "minimum": LOWEST, "maximum": HIGHEST},
        },
        "required": ["reason", "score"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": dict.fromkeys(labels, mark),
        "required": list(labels),
        "additionalProperties": False,
    }


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - heavy, loaded when needed

    return Environment(
        loader=FileSystemLoader(template_folder()),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - text for a model; fences keep it apart
        trim_blocks=True,
        lstrip_blocks=True,
    )

"""What prompts carry beside their words, put together where several become one case."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from skill_evaluator.formats.evals_checks import free_name
from skill_evaluator.formats.trigger_prompts import Prompt


def as_one(first: Prompt, second: Prompt) -> Prompt:
    """Make one prompt of two that ask the same; all graders are kept, and else what the first says counts."""
    return replace(
        first,
        carried=_merged(first.carried, second.carried),
        tags=tuple(dict.fromkeys((*first.tags, *second.tags))),
        id=first.id or second.id,
        split=first.split or second.split,
    )


def _merged(first: Mapping[str, object], second: Mapping[str, object]) -> Mapping[str, object]:
    """Graders of one name get numbers."""
    graders = _graders(first)
    taken = {str(grader.get("name")) for grader in graders}
    for grader in _graders(second):
        graders.append({**grader, "name": free_name(str(grader.get("name")), taken)})
    return {**second, **first, **({"graders": graders} if graders else {})}


def _graders(carried: Mapping[str, object]) -> list[Mapping[str, object]]:
    value = carried.get("graders")
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, Sequence) else []

"""Prompts of several files of one skill -> one set: what asks the same becomes one case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from skill_evaluator.formats.evals_json import merged
from skill_evaluator.formats.testset_rules import same_words
from skill_evaluator.formats.trigger_prompts import Prompt
from skill_evaluator.formats.trigger_rows import counted
from skill_evaluator.model import Finding, Level


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """Prompts of one file that go into one set.

    Attributes:
        path: The file.
        noun: What the file calls a prompt, such as "eval".
        name: Name of the skill they are for, or of the file.
        is_named: Whether the file names the skill.
        is_one_of_many: Whether the file has prompts for other skills too.
        prompts: The prompts.
    """

    path: Path
    noun: str
    name: str
    is_named: bool
    prompts: Sequence[Prompt]
    is_one_of_many: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Joined:
    """One set after it was joined.

    Attributes:
        target: Name of the set.
        prompts: All of it.
        notes: What became of the part.
    """

    target: str
    prompts: tuple[Prompt, ...]
    notes: tuple[str, ...]


def join_part(sets: Mapping[str, Sequence[Prompt]], part: Part, skill: str | None) -> Joined | tuple[Finding, ...]:
    """Add a part to the set of its skill, or to the only one there is.

    Args:
        sets: The prompts so far, by skill.
        part: What is added; a prompt that asks what an earlier one asks, of the same files, becomes one with it.
        skill: As `--skill` names it, or None.
    """
    target = _target(sets, part, skill)
    if isinstance(target, Finding):
        return (target,)
    if target not in sets and part.noun != "eval":
        return Joined(target=target, prompts=tuple(part.prompts), notes=tuple(_notes(target, part, 0)))
    together = list(sets.get(target, ()))
    places = {same_words(prompt.text): place for place, prompt in reversed(list(enumerate(together)))}
    shared, opposite = 0, []
    for prompt in part.prompts:
        place = places.setdefault(same_words(prompt.text), len(together))
        if place == len(together):
            together.append(prompt)
            continue
        first = together[place]
        if first.label is not prompt.label:
            opposite.append(prompt)
        elif first.carried.get("files", prompt.carried.get("files")) == prompt.carried.get("files"):
            together[place] = _one(first, prompt)
            shared += 1
        else:
            together.append(prompt)
    if opposite:
        return tuple(_contradiction(prompt, part) for prompt in opposite)
    return Joined(target=target, prompts=tuple(together), notes=tuple(_notes(target, part, shared)))


def _target(sets: Mapping[str, object], part: Part, skill: str | None) -> str | Finding:
    if part.is_one_of_many:
        return part.name
    wanted = skill or (part.name if part.name in sets or (part.is_named and not sets) else None)
    if wanted is not None or not sets:
        return wanted or part.name
    if len(sets) == 1:
        return next(iter(sets))
    message = (
        f"these {part.noun}s may belong to any of {len(sets)} skills ({', '.join(sets)}); choose one with --skill NAME"
    )
    return Finding(level=Level.FAIL, code="unknown-skill", message=message, file=str(part.path))


def _one(first: Prompt, second: Prompt) -> Prompt:
    return replace(
        first,
        carried=merged(first.carried, second.carried),
        tags=tuple(dict.fromkeys((*first.tags, *second.tags))),
        id=first.id or second.id,
        split=first.split or second.split,
    )


def _notes(target: str, part: Part, shared: int) -> list[str]:
    notes = []
    if part.is_named and part.name != target:
        notes.append(
            f"the file says that it is about the skill {part.name!r}; its {part.noun}s went into the set of {target!r}"
        )
    if shared:
        notes.append(f"{counted(shared, part.noun)} asked what an earlier prompt asks and became one case with it")
    return notes


def _contradiction(prompt: Prompt, part: Part) -> Finding:
    text = repr(prompt.text[:60])
    if part.noun == "eval":
        message = (
            f"the trigger set says that the skill should not fire for {text}, and here an output of it is expected; "
            "keep the right one"
        )
    else:
        does = "fire" if prompt.label else "not fire"
        message = f"here the skill should {does} for {text}, and the suite says the opposite; keep the right one"
    return Finding(level=Level.FAIL, code="contradictory-input", message=message, file=str(part.path), case=prompt.id)

"""Prompts of several files of one skill -> one set: what asks the same becomes one case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from skill_evaluator.formats.carried import as_one
from skill_evaluator.formats.testset_rules import same_words
from skill_evaluator.formats.trigger_prompts import Prompt
from skill_evaluator.formats.trigger_rows import asked, counted
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import listed, tr


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
    noun: Literal["eval", "prompt"]
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
    together = _Together(sets.get(target, ()))
    opposite = [prompt for prompt in part.prompts if not together.add(prompt)]
    if opposite:
        return tuple(_contradiction(prompt, part) for prompt in opposite)
    notes = _notes(target, part, together.shared)
    return Joined(target=target, prompts=tuple(together.prompts), notes=tuple(notes))


class _Together:
    """A set that grows: what asks the same, of the same files, becomes one prompt."""

    def __init__(self, prompts: Sequence[Prompt]) -> None:
        self.prompts = list(prompts)
        self.shared = 0
        self._labels: dict[str, bool | None] = {}
        self._places: dict[str, int] = {}
        for place, prompt in enumerate(self.prompts):
            self._labels.setdefault(same_words(prompt.text), prompt.label)
            self._places.setdefault(asked(prompt), place)

    def add(self, prompt: Prompt) -> bool:
        """Take a prompt in; False where an earlier one of the same words has the opposite label."""
        words = same_words(prompt.text)
        if self._labels.setdefault(words, prompt.label) is not prompt.label:
            return False
        place = self._places.get(asked(prompt), self._bare(prompt))
        if place is None:
            self._places[asked(prompt)] = len(self.prompts)
            self.prompts.append(prompt)
        else:
            self.prompts[place] = as_one(self.prompts[place], prompt)
            self._places[asked(prompt)] = place
            self.shared += 1
        return True

    def _bare(self, prompt: Prompt) -> int | None:
        """Find a prompt of these words that brings nothing of its own, so that files may come to it."""
        place = self._places.get(asked(replace(prompt, carried={})))
        return None if place is None or self.prompts[place].carried else place


def _target(sets: Mapping[str, object], part: Part, skill: str | None) -> str | Finding:
    if part.is_one_of_many:
        return part.name
    wanted = skill or (part.name if part.name in sets or (part.is_named and not sets) else None)
    if wanted is not None or not sets:
        return wanted or part.name
    if len(sets) == 1:
        return next(iter(sets))
    these = tr("these evals") if part.noun == "eval" else tr("these prompts")
    message = tr(
        "{these} may belong to any of {count} skills ({names}); choose one with --skill NAME",
        these=these,
        count=len(sets),
        names=listed(sets),
    )
    return Finding(level=Level.FAIL, code="unknown-skill", message=message, file=str(part.path))


def _notes(target: str, part: Part, shared: int) -> list[str]:
    notes: list[str] = []
    if part.is_named and part.name != target:
        notes.append(
            tr(
                "the file says that it is about the skill {name!r}; {its} went into the set of {target!r}",
                name=part.name,
                its=tr("its evals") if part.noun == "eval" else tr("its prompts"),
                target=target,
            )
        )
    if shared:
        asking = counted(shared, part.noun)
        notes.append(tr("{asking} asked what an earlier prompt asks and became one case with it", asking=asking))
    return notes


def _contradiction(prompt: Prompt, part: Part) -> Finding:
    text = repr(prompt.text[:60])
    if part.noun == "eval":
        message = tr(
            "the trigger set says that the skill should not fire for {text}, and here an output of "
            "it is expected; keep the right one",
            text=text,
        )
    else:
        message = (
            tr("here the skill should fire for {text}, and the suite says the opposite; keep the right one", text=text)
            if prompt.label
            else tr(
                "here the skill should not fire for {text}, and the suite says the opposite; keep the right one",
                text=text,
            )
        )
    return Finding(level=Level.FAIL, code="contradictory-input", message=message, file=str(part.path), case=prompt.id)

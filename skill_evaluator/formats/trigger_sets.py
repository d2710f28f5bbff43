"""Which prompts make up the set of which skill, and with which label."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from skill_evaluator.formats.testset_rules import same_words
from skill_evaluator.formats.trigger_prompts import NO_SKILL, ItemFault, Prompt
from skill_evaluator.formats.trigger_rows import counted
from skill_evaluator.texts import listed, tr

Sets = Mapping[str, Sequence[Prompt]]


class UnknownSkillError(ValueError):
    """The skill asked for stands nowhere in the file.

    Attributes:
        message: What is said of it.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def choose_sets(
    prompts: Sequence[Prompt], *, declared: Sequence[str], skill: str | None, default_name: str, notes: list[str]
) -> Sets:
    """Sort prompts into one set per skill.

    Args:
        prompts: All of a file, either all labelled or all routed.
        declared: The skills the file says it is about; empty to take those that prompts name.
        skill: The only skill whose set is wanted, or None.
        default_name: Name of a set that names no skill.
        notes: What is decided on the way is added here.

    Returns:
        Labelled prompts by skill.

    Raises:
        UnknownSkillError: If the file names skills, but not `skill`, or should name one and names none.
    """
    named = tuple(dict.fromkeys(prompt.route for prompt in prompts if prompt.route))
    if all(prompt.label is None for prompt in prompts):
        skills = [name for name in declared if name.lower() not in NO_SKILL] or list(named)
        if not skills:
            raise UnknownSkillError(tr("no prompt says which skill should fire; without one there is nothing to test"))
        notes.append(
            tr(
                "no truth values: for each skill its own prompts should trigger, the others' not ({skills})",
                skills=listed(skills),
            )
        )
        return {name: _routed(prompts, name, notes) for name in _only(skill, skills)}
    if skill is None or not named:
        if named:
            notes.append(
                tr(
                    "the prompts are meant for {count} skills ({names}); --skill keeps one apart",
                    count=len(named),
                    names=listed(named),
                )
            )
        return {skill or default_name: prompts}
    (chosen,) = _only(skill, named)
    return {chosen: _targeted(prompts, chosen, notes)}


def contradictions(prompts: Sequence[Prompt]) -> list[ItemFault]:
    """Find one prompt with two opposite labels, or meant for two skills."""
    first: dict[str, Prompt] = {}
    faults = []
    for prompt in prompts:
        other = first.setdefault(same_words(prompt.text), prompt)
        if (other.label, other.route) != (prompt.label, prompt.route):
            message = tr("the same prompt as {other}, but with another answer; keep the right one", other=_name(other))
            faults.append(ItemFault(code="contradictory-input", parts=prompt.parts, message=message))
    return faults


def _only(skill: str | None, skills: Sequence[str]) -> Sequence[str]:
    if skill is None:
        return skills
    if skill in skills:
        return [skill]
    near = difflib.get_close_matches(skill, skills, n=1)
    meant = tr("did you mean {near!r}?", near=near[0]) if near else tr("it names {skills}", skills=listed(skills))
    raise UnknownSkillError(tr("no prompt is meant for the skill {skill!r}; {meant}", skill=skill, meant=meant))


def _routed(prompts: Sequence[Prompt], skill: str, notes: list[str]) -> list[Prompt]:
    open_ended = [prompt for prompt in prompts if prompt.route != skill and skill in prompt.acceptable]
    if open_ended:
        prompts_ = counted(len(open_ended), "prompt")
        notes.append(tr("{skill}: {prompts} left out, since it may fire there as well", skill=skill, prompts=prompts_))
    places = {prompt.parts for prompt in open_ended}
    return [replace(prompt, label=prompt.route == skill) for prompt in prompts if prompt.parts not in places]


def _targeted(prompts: Sequence[Prompt], skill: str, notes: list[str]) -> list[Prompt]:
    others = [prompt for prompt in prompts if prompt.label and prompt.route not in {skill, None}]
    meant = counted(len(others), "prompt")
    notes.append(tr("{prompts} meant for another skill became should_not_trigger", prompts=meant))
    places = {prompt.parts for prompt in others}
    return [replace(prompt, label=False) if prompt.parts in places else prompt for prompt in prompts]


def _name(prompt: Prompt) -> str:
    return (
        tr("case {id!r}", id=prompt.id)
        if prompt.id
        else tr("the one at {place}", place="/".join(map(str, prompt.parts)))
    )

"""Files of other tools, told apart by content and joined -> rows of our own format.

A trigger set says when the skill should fire, an evals.json what its output should be. Where both ask the same, they
become one case.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from skill_evaluator.formats.evals_json import Eval, eval_notes, merged, read_eval
from skill_evaluator.formats.json_file import json_findings, read_json
from skill_evaluator.formats.json_text import JsonText
from skill_evaluator.formats.skill_creator import Imported, LabelledSets, item_findings, only_new, read_sets
from skill_evaluator.formats.suite_sets import read_suite_sets
from skill_evaluator.formats.testset_form import kind_of
from skill_evaluator.formats.testset_rules import same_words
from skill_evaluator.formats.trigger_prompts import ItemFault, Prompt
from skill_evaluator.formats.trigger_rows import counted, make_rows
from skill_evaluator.formats.trigger_shapes import recognise, take_apart
from skill_evaluator.formats.visible import encodable, visible, visible_findings
from skill_evaluator.model import Finding, Level


@dataclass(frozen=True, kw_only=True, slots=True)
class _Evals:
    """The evals of one file."""

    path: Path
    name: str
    is_named: bool
    prompts: tuple[Prompt, ...]
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = field(default=())


def import_files(paths: Sequence[Path], *, skill: str | None = None, seed: int = 0) -> Imported:
    """Read trigger sets and evals.json files, and join them.

    Args:
        paths: One trigger set or folder of an eval suite at the most, and any number of evals.json.
        skill: As for `import_triggers`; evals go into the set of this skill.
        seed: For the split.

    Returns:
        Rows that `read_testset` accepts, but for sets that are too small, which the notes say.
    """
    imported = _import(paths, skill, seed)
    notes = tuple(visible(note) for note in imported.notes)
    return Imported(sets=imported.sets, notes=notes, findings=visible_findings(imported.findings))


def _import(paths: Sequence[Path], skill: str | None, seed: int) -> Imported:
    triggers: list[LabelledSets] = []
    evals: list[_Evals] = []
    findings: list[Finding] = []
    for path in paths:
        if os.path.isdir(path):  # noqa: PTH112 - Path.is_dir may raise
            triggers.append(read_suite_sets(path, skill=skill))
            continue
        document = read_json(path)
        if isinstance(document, Finding):
            findings.append(document)
        elif recognise(document.value) == "output-evals":
            evals.append(_read_evals(path, document))
        else:
            triggers.append(read_sets(path, document, skill=skill))
    parts: list[LabelledSets | _Evals] = [*triggers, *evals]
    findings += [finding for one in parts for finding in one.findings]
    findings += _too_many(triggers)
    if findings:
        return Imported(findings=tuple(findings))
    notes = [note for one in parts for note in _placed(one.notes, one.path, len(paths))]
    sets = dict(triggers[0].sets) if triggers else {}
    for one in evals:
        target = _target(sets, one, skill)
        if isinstance(target, Finding):
            return Imported(findings=(target,))
        joined = _join(sets.get(target, ()), one)
        if isinstance(joined, tuple):
            return Imported(findings=joined)
        sets[target] = joined.prompts
        notes += _placed(joined.notes, one.path, len(paths))
    said: dict[str, list[str]] = {member: [] for member in sets}
    rows = {member: make_rows(prompts, seed, said[member]) for member, prompts in sets.items()}
    return Imported(sets=rows, notes=(*notes, *only_new(said)))


def _placed(notes: Sequence[str], path: Path, files: int) -> Sequence[str]:
    """Say of which file notes speak, where there are several."""
    return notes if files == 1 else [f"{encodable(str(path))}: {note}" for note in notes]


def _too_many(triggers: Sequence[LabelledSets]) -> list[Finding]:
    message = "this is a second trigger set; import each by itself, since what one calls a trigger the other may not"
    return [
        Finding(level=Level.FAIL, code="second-trigger-set", message=message, file=str(one.path))
        for one in triggers[1:]
    ]


def _read_evals(path: Path, document: JsonText) -> _Evals:
    shape = take_apart(document.value)
    name = shape.skill_name if shape and shape.skill_name else encodable(path.stem)
    made = _Evals(path=path, name=name, is_named=bool(shape and shape.skill_name), prompts=())
    if shape is None:
        return made
    read = [read_eval(item, path.parent) for item in shape.items]
    faults = [fault for found in read if isinstance(found, tuple) for fault in found]
    for parts, value in shape.others.items():
        message = f"an eval is an object in braces, but here stands {kind_of(value)}; mend or remove it"
        faults.append(ItemFault(code="wrong-value", parts=parts, message=message))
    if findings := [*json_findings(document, str(path)), *item_findings(faults, document, str(path))]:
        return replace(made, findings=tuple(findings))
    evals = [found for found in read if isinstance(found, Eval)]
    return replace(made, prompts=tuple(one.prompt for one in evals), notes=tuple(eval_notes(evals, shape)))


def _target(sets: Mapping[str, object], evals: _Evals, skill: str | None) -> str | Finding:
    """Say into which set evals go: that of their skill, or the only one there is."""
    wanted = skill or (evals.name if evals.name in sets or (evals.is_named and not sets) else None)
    if wanted is not None or not sets:
        return wanted or evals.name
    if len(sets) == 1:
        return next(iter(sets))
    message = f"these evals may belong to any of {len(sets)} skills ({', '.join(sets)}); choose one with --skill NAME"
    return Finding(level=Level.FAIL, code="unknown-skill", message=message, file=str(evals.path))


@dataclass(frozen=True, kw_only=True, slots=True)
class _Joined:
    prompts: tuple[Prompt, ...]
    notes: tuple[str, ...]


def _join(prompts: Sequence[Prompt], evals: _Evals) -> _Joined | tuple[Finding, ...]:
    """Add evals to a set; one that asks what a prompt asks, and brings no other files, becomes one with it."""
    together = list(prompts)
    places = {same_words(prompt.text): place for place, prompt in reversed(list(enumerate(together)))}
    shared, opposite = 0, []
    for prompt in evals.prompts:
        place = places.setdefault(same_words(prompt.text), len(together))
        if place == len(together):
            together.append(prompt)
            continue
        first = together[place]
        if first.label is False:
            opposite.append(prompt)
        elif first.carried.get("files", prompt.carried.get("files")) == prompt.carried.get("files"):
            tags = tuple(dict.fromkeys((*first.tags, *prompt.tags)))
            carried = merged(first.carried, prompt.carried)
            together[place] = replace(first, carried=carried, tags=tags, id=first.id or prompt.id)
            shared += 1
        else:
            together.append(prompt)
    if opposite:
        return tuple(_contradiction(prompt, evals.path) for prompt in opposite)
    notes = (f"{counted(shared, 'eval')} asked what an earlier prompt asks and became one case with it",)
    return _Joined(prompts=tuple(together), notes=notes if shared else ())


def _contradiction(prompt: Prompt, path: Path) -> Finding:
    message = (
        f"the trigger set says that the skill should not fire for {prompt.text[:60]!r}, and here an output of it is "
        "expected; keep the right one"
    )
    return Finding(level=Level.FAIL, code="contradictory-input", message=message, file=str(path), case=prompt.id)

"""Trigger sets of skill-creator and its kin -> rows of our own format.

Whatever finds no place in a test set is named with its count; nothing is dropped in silence.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from skill_evaluator.formats.json_file import is_unusable, json_findings, line_of, read_json
from skill_evaluator.formats.json_text import JsonText, pointer_to
from skill_evaluator.formats.testset_form import kind_of
from skill_evaluator.formats.trigger_prompts import ItemFault, Prompt, read_item
from skill_evaluator.formats.trigger_rows import TriggerRow, counted, make_rows
from skill_evaluator.formats.trigger_sets import UnknownSkillError, choose_sets, contradictions
from skill_evaluator.formats.trigger_shapes import Kind, Shape, is_routed, recognise, take_apart
from skill_evaluator.formats.visible import encodable, visible, visible_findings
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import changed, joined, listed, tr

_NONE_FOUND: Final = tr(
    'no prompts were found; expected a list such as [{{"query": "...", "should_trigger": true}}, ...]'
)
_OTHER_KINDS: Final[Mapping[Kind, str]] = {
    "testset": tr("this is a test set already; `skill-evaluator validate` checks it"),
    "wrapped-testset": tr("this is a test set inside an object; keep only the list, [ ... ]"),
    "output-evals": tr(
        "this holds expectations of outputs, not of triggers; `skill-evaluator import` takes both kinds"
    ),
    "report": tr("this is a report of an earlier run, not a trigger set"),
    "unknown": _NONE_FOUND,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Imported:
    """What came out of a file.

    Attributes:
        sets: Rows by skill; by the name of the file where it names none. Empty as soon as one finding is a FAIL.
        notes: What was changed or not carried over, one sentence each.
        findings: Faults of the file.
    """

    sets: Mapping[str, tuple[TriggerRow, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def import_triggers(path: Path, *, skill: str | None = None, seed: int = 0) -> Imported:
    """Read a trigger set in any of the shapes met in the wild.

    Args:
        path: The JSON file.
        skill: Keep the set of this skill alone; for a set that names no skill, the name to give it.
        seed: For the split, where the file has none.

    Returns:
        Rows that `read_testset` accepts, but for sets that are too small, which the notes say.
    """
    imported = _read(path, skill, seed)
    notes = tuple(changed(note, visible) for note in imported.notes)
    return Imported(sets=imported.sets, notes=notes, findings=visible_findings(imported.findings))


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelledSets:
    """The prompts of a trigger set.

    Attributes:
        path: The file.
        sets: Labelled prompts by skill; empty as soon as there is a finding.
        notes: As in `Imported`.
        findings: As in `Imported`.
    """

    path: Path
    sets: Mapping[str, Sequence[Prompt]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def _read(path: Path, skill: str | None, seed: int) -> Imported:
    document = read_json(path)
    if isinstance(document, Finding):
        return Imported(findings=(document,))
    found = read_sets(path, document, skill=skill)
    said: dict[str, list[str]] = {member: [] for member in found.sets}
    rows = {member: make_rows(of_skill, seed, said[member]) for member, of_skill in found.sets.items()}
    return Imported(sets=rows, notes=(*found.notes, *only_new(said)), findings=found.findings)


def read_sets(path: Path, document: JsonText, *, skill: str | None) -> LabelledSets:
    """Read a trigger set as far as its prompts; see `import_triggers`."""
    shape = take_apart(document.value)
    findings = [*json_findings(document, str(path)), *_shape_faults(document, shape, str(path))]
    if shape is None or any(finding.code == "not-a-trigger-set" for finding in findings):
        return LabelledSets(path=path, findings=tuple(findings))
    prompts, faults = _read_items(shape)
    findings += item_findings(faults, document, str(path))
    if findings:
        return LabelledSets(path=path, findings=tuple(findings))
    return _chosen(path, shape, prompts, skill)


def _shape_faults(document: JsonText, shape: Shape | None, file: str) -> Iterator[Finding]:
    if is_unusable(document):
        return
    message = _OTHER_KINDS.get(recognise(document.value))
    if message is None and shape is not None and not shape.items and not shape.others:
        message = _NONE_FOUND
    if message is not None:
        yield Finding(level=Level.FAIL, code="not-a-trigger-set", message=message, file=file, line=1)


def _read_items(shape: Shape) -> tuple[list[Prompt], list[ItemFault]]:
    routed = is_routed(shape.items)
    read = [read_item(item, routed=routed) for item in shape.items]
    prompts = [found for found in read if isinstance(found, Prompt)]
    faults = [fault for found in read if isinstance(found, tuple) for fault in found]
    for parts, value in shape.others.items():
        message = tr(
            "a prompt is an object in braces, but here stands {value}; mend or remove it", value=kind_of(value)
        )
        faults.append(ItemFault(code="wrong-value", parts=parts, message=message))
    return prompts, [*faults, *contradictions(prompts)]


def item_findings(faults: Sequence[ItemFault], document: JsonText, file: str) -> list[Finding]:
    """Give the faults of items as FAILs, in the order of their lines."""
    findings = [
        Finding(
            level=Level.FAIL,
            code=fault.code,
            message=fault.message,
            file=file,
            pointer=pointer_to(*fault.parts),
            line=line_of(document, *fault.parts),
        )
        for fault in faults
    ]
    return sorted(findings, key=lambda finding: finding.line or 0)


def _chosen(path: Path, shape: Shape, prompts: Sequence[Prompt], skill: str | None) -> LabelledSets:
    notes = list(_dropped(shape, prompts))
    name = shape.skill_name or encodable(path.stem)
    try:
        chosen = choose_sets(prompts, declared=shape.skills, skill=skill, default_name=name, notes=notes)
    except UnknownSkillError as error:
        finding = Finding(level=Level.FAIL, code="unknown-skill", message=error.message, file=str(path))
        return LabelledSets(path=path, findings=(finding,))
    if skill is not None and shape.skill_name not in {None, skill} and skill in chosen:
        notes.append(
            tr(
                "the file says that it is about the skill {skill_name!r}; its set is named {skill!r}",
                skill_name=shape.skill_name,
                skill=skill,
            )
        )
    return LabelledSets(path=path, sets=chosen, notes=tuple(notes))


def only_new(said: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Say once what holds of every set, and the rest with the name of its set."""
    common = [note for note in next(iter(said.values()), []) if all(note in notes for notes in said.values())]
    yield from common
    for member, notes in said.items():
        yield from (joined(": ", [member, note]) for note in notes if note not in common)


def _dropped(shape: Shape, prompts: Sequence[Prompt]) -> Iterator[str]:
    for key, count in Counter(key for prompt in prompts for key in prompt.dropped).items():
        yield tr(
            '"{key}" of {items} is not carried over: {why}',
            key=key,
            items=counted(count, "prompt"),
            why=tr("a test set has no place for it"),
        )
    if shape.extras:
        keys = listed(f'"{key}"' for key in shape.extras)
        yield tr("at the top of the file, not carried over: {keys}", keys=keys)

"""Files of other tools, told apart by content and joined -> rows of our own format.

A trigger set says when the skill should fire, an evals.json what its output should be, an eval suite both. Where they
ask the same, it becomes one case.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from skill_evaluator.formats.evals_json import Eval, eval_notes, read_eval
from skill_evaluator.formats.import_join import Part, join_part
from skill_evaluator.formats.json_file import json_findings, read_json
from skill_evaluator.formats.json_text import JsonText
from skill_evaluator.formats.skill_creator import Imported, LabelledSets, item_findings, only_new, read_sets
from skill_evaluator.formats.suite_sets import is_suite_path, read_suite_sets
from skill_evaluator.formats.testset_form import kind_of
from skill_evaluator.formats.trigger_prompts import ItemFault, Prompt
from skill_evaluator.formats.trigger_rows import make_rows
from skill_evaluator.formats.trigger_shapes import recognise, take_apart
from skill_evaluator.formats.visible import encodable, visible, visible_findings
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import changed, joined, tr


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
    """Read a suite, a trigger set and evals.json files, and join them.

    Args:
        paths: One suite (its folder, or the file of a case) and one trigger set at the most, and any number of
            evals.json.
        skill: As for `import_triggers`; for a suite, the skill of the plugin that the set is for. Evals go into the set
            of this skill.
        seed: For the split.

    Returns:
        Rows that `read_testset` accepts, but for sets that are too small, which the notes say.
    """
    imported = _import(paths, skill, seed)
    notes = tuple(changed(note, visible) for note in imported.notes)
    return Imported(sets=imported.sets, notes=notes, findings=visible_findings(imported.findings))


def _import(paths: Sequence[Path], skill: str | None, seed: int) -> Imported:
    suites = [read_suite_sets(path, skill=skill) for path in paths if is_suite_path(path)]
    triggers: list[LabelledSets] = []
    evals: list[_Evals] = []
    findings: list[Finding] = []
    for path in (path for path in paths if not is_suite_path(path)):
        document = read_json(path)
        if isinstance(document, Finding):
            findings.append(document)
        elif recognise(document.value) == "output-evals":
            evals.append(_read_evals(path, document))
        else:
            triggers.append(read_sets(path, document, skill=skill))
    read: list[LabelledSets | _Evals] = [*suites, *triggers, *evals]
    findings += [finding for one in read for finding in one.findings]
    findings += [*_second(suites, "suite"), *_second(triggers, "trigger-set")]
    if findings:
        return Imported(findings=tuple(findings))
    notes = [note for one in read for note in _placed(one.notes, one.path, len(paths))]
    sets: dict[str, Sequence[Prompt]] = {}
    for part in [part for one in read for part in _parts(one)]:
        added = join_part(sets, part, skill)
        if isinstance(added, tuple):
            return Imported(findings=added)
        sets[added.target] = added.prompts
        notes += _placed(added.notes, part.path, len(paths))
    said: dict[str, list[str]] = {member: [] for member in sets}
    rows = {member: make_rows(prompts, seed, said[member]) for member, prompts in sets.items()}
    return Imported(sets=rows, notes=(*notes, *only_new(said)))


def _parts(read: LabelledSets | _Evals) -> Iterator[Part]:
    if isinstance(read, _Evals):
        yield Part(path=read.path, noun="eval", name=read.name, is_named=read.is_named, prompts=read.prompts)
        return
    for name, prompts in read.sets.items():
        yield Part(
            path=read.path,
            noun="prompt",
            name=name,
            is_named=False,
            prompts=prompts,
            is_one_of_many=len(read.sets) > 1,
        )


def _placed(notes: Sequence[str], path: Path, files: int) -> Sequence[str]:
    """Say of which file notes speak, where there are several."""
    return notes if files == 1 else [joined(": ", [encodable(str(path)), note]) for note in notes]


def _second(read: Sequence[LabelledSets], kind: Literal["suite", "trigger-set"]) -> list[Finding]:
    second = tr("this is a second suite") if kind == "suite" else tr("this is a second trigger set")
    message = tr("{second}; import each by itself, since what one calls a trigger the other may not", second=second)
    code = f"second-{kind}"
    return [Finding(level=Level.FAIL, code=code, message=message, file=str(one.path)) for one in read[1:]]


def _read_evals(path: Path, document: JsonText) -> _Evals:
    shape = take_apart(document.value)
    name = shape.skill_name if shape and shape.skill_name else encodable(path.stem)
    made = _Evals(path=path, name=name, is_named=bool(shape and shape.skill_name), prompts=())
    if shape is None:
        return made
    read = [read_eval(item, path.parent) for item in shape.items]
    faults = [fault for found in read if isinstance(found, tuple) for fault in found]
    for parts, value in shape.others.items():
        message = tr("an eval is an object in braces, but here stands {value}; mend or remove it", value=kind_of(value))
        faults.append(ItemFault(code="wrong-value", parts=parts, message=message))
    if findings := [*json_findings(document, str(path)), *item_findings(faults, document, str(path))]:
        return replace(made, findings=tuple(findings))
    evals = [found for found in read if isinstance(found, Eval)]
    return replace(made, prompts=tuple(one.prompt for one in evals), notes=tuple(eval_notes(evals, shape)))

"""An evals.json, in either dialect -> prompts that carry graders: what each eval expects of the output.

One kind writes `expectations` or `assertions`, texts or objects, for a judge; another `required_artifacts`, files that
have to be made. Whatever finds no place in a test set is named with its count.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skill_evaluator.formats.evals_checks import EvalChecks, read_checks
from skill_evaluator.formats.evals_files import LaidOut, read_laid_out
from skill_evaluator.formats.trigger_prompts import ItemFault, Prompt, split_of, tags_of, text_faults, text_key_of
from skill_evaluator.formats.trigger_prompts import id_of as eval_id
from skill_evaluator.formats.trigger_rows import counted
from skill_evaluator.formats.trigger_shapes import Item, Shape
from skill_evaluator.texts import listed, tr

_USED: Final = ("id", "files", "expectations", "assertions", "required_artifacts", "expected_output")


@dataclass(frozen=True, kw_only=True, slots=True)
class Eval:
    """One eval as it becomes a case.

    Attributes:
        prompt: Its words, labelled as one that should trigger; carries graders and files.
        checks: What it expects.
        laid_out: The files it asks about.
    """

    prompt: Prompt
    checks: EvalChecks
    laid_out: LaidOut


def read_eval(item: Item, folder: Path) -> Eval | tuple[ItemFault, ...]:
    """Read one eval.

    Args:
        item: As taken out of the file.
        folder: Where files that it names are looked for.

    Returns:
        The eval, or all its faults.
    """
    key = text_key_of(item.raw)
    checks = read_checks(item)
    laid_out = read_laid_out(item.raw.get("files"), folder)
    faults = [*text_faults(item, key), *checks.faults]
    if faults or key is None:
        return tuple(faults)
    tags, split = tags_of(item.raw), split_of(item.raw)
    used = {key, *_USED, *tags, *(("split",) if split else ())}
    carried: dict[str, object] = {
        **({"files": dict(laid_out.files)} if laid_out.files else {}),
        **({"graders": [*checks.graders]} if checks.graders else {}),
    }
    prompt = Prompt(
        parts=item.parts,
        text=str(item.raw[key]),
        label=True,
        id=eval_id(item.raw),
        id_was_number=not isinstance(item.raw.get("id", ""), str),
        tags=tuple(dict.fromkeys(tag for found in tags.values() for tag in found)),
        split=split,
        dropped=tuple(name for name in item.raw if name not in used),
        carried=carried,
    )
    return Eval(prompt=prompt, checks=checks, laid_out=laid_out)


def eval_notes(evals: Sequence[Eval], shape: Shape) -> Iterator[str]:
    """Say what became of the evals of a file, and what found no place."""
    kinds = Counter(kind for one in evals for kind in one.checks.kinds)
    made = listed(counted(number, singular) for singular, number in kinds.items()) or tr("nothing expected")
    yield tr("{evals} with {made}, each of them a grader of its case", evals=counted(len(evals), "eval"), made=made)
    for key, count in Counter(key for one in evals for key in one.prompt.dropped).items():
        yield _not_carried(key, counted(count, "eval"), tr("a test set has no place for it"))
    for key, count in Counter(key for one in evals for key in one.checks.dropped).items():
        yield _not_carried(key, counted(count, "expectation"), tr("a grader has no place for it"))
    if spoken := sum(one.checks.leaves_output_out for one in evals):
        yield _not_carried("expected_output", counted(spoken, "eval"), tr("the other expectations say it"))
    if loose := sum(one.checks.placeholders for one in evals):
        artifacts = counted(loose, "artifact")
        yield tr("{artifacts} with a placeholder such as <name>, which became * in the path", artifacts=artifacts)
    if outside := [path for one in evals for path in one.checks.outside]:
        artifacts = counted(len(outside), "artifact")
        yield tr(
            "{artifacts} left out, leading out of the workspace: {paths}", artifacts=artifacts, paths=listed(outside)
        )
    if left := [name for one in evals for name in one.laid_out.left_out]:
        files = counted(len(left), "file")
        yield tr("{files} not carried over, not there to be read as text: {names}", files=files, names=listed(left))
    if shape.extras:
        keys = listed(f'"{key}"' for key in shape.extras)
        yield tr("at the top of the file, not carried over: {keys}", keys=keys)


def _not_carried(key: str, counted_items: str, why: str) -> str:
    return tr('"{key}" of {items} is not carried over: {why}', key=key, items=counted_items, why=why)

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
    made = ", ".join(f"{counted(number, singular)}" for singular, number in kinds.items())
    yield f"{counted(len(evals), 'eval')} with {made or 'nothing expected'}, each of them a grader of its case"
    for key, count in Counter(key for one in evals for key in one.prompt.dropped).items():
        yield f'"{key}" of {counted(count, "eval")} is not carried over: a test set has no place for it'
    for key, count in Counter(key for one in evals for key in one.checks.dropped).items():
        yield f'"{key}" of {counted(count, "expectation")} is not carried over: a grader has no place for it'
    if spoken := sum(one.checks.leaves_output_out for one in evals):
        yield f'"expected_output" of {counted(spoken, "eval")} is not carried over: the other expectations say it'
    if loose := sum(one.checks.placeholders for one in evals):
        yield f"{counted(loose, 'artifact')} with a placeholder such as <name>, which became * in the path"
    if outside := [path for one in evals for path in one.checks.outside]:
        yield f"{counted(len(outside), 'artifact')} left out, leading out of the workspace: {', '.join(outside)}"
    if left := [name for one in evals for name in one.laid_out.left_out]:
        yield f"{counted(len(left), 'file')} not carried over, not there to be read as text: {', '.join(left)}"
    if shape.extras:
        listed = ", ".join(f'"{key}"' for key in shape.extras)
        yield f"at the top of the file, not carried over: {listed}"

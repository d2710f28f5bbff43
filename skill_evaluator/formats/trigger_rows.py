"""Prompts -> rows of our own format, and notes on what changed on the way."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import Final

from skill_evaluator.formats.carried import as_one
from skill_evaluator.formats.testset_rules import MIN_CASES, MIN_PER_CLASS, TYPE_NAMES, same_words
from skill_evaluator.formats.trigger_prompts import Prompt
from skill_evaluator.formats.trigger_split import assign_splits
from skill_evaluator.model import Split
from skill_evaluator.texts import Text, listed, ntr, tr

TriggerRow = Mapping[str, object]


def make_rows(prompts: Sequence[Prompt], seed: int, notes: list[str]) -> tuple[TriggerRow, ...]:
    """Write prompts as test cases.

    Args:
        prompts: With their labels; none contradicts another.
        seed: For the split, where the file has none.
        notes: What changed is added here.

    Returns:
        Rows with `id`, `type`, `split`, `input`, what prompts carry and, where there are labels, `tag`, in the order
        of the file.
    """
    kept = _without_repeats(prompts, notes)
    ids = _unique_ids(kept, notes)
    splits = _splits(kept, seed, notes)
    notes += _floor_notes(kept, splits)
    return tuple(_row(*parts) for parts in zip(kept, ids, splits, strict=True))


def _row(prompt: Prompt, name: str, split: Split) -> TriggerRow:
    row: dict[str, object] = {
        "id": name,
        "type": TYPE_NAMES[prompt.label is True],
        "split": split.value,
        "input": prompt.text,
    }
    return {**row, **prompt.carried, **({"tag": list(prompt.tags)} if prompt.tags else {})}


def _without_repeats(prompts: Sequence[Prompt], notes: list[str]) -> list[Prompt]:
    kept: dict[str, Prompt] = {}
    joined = 0
    for prompt in prompts:
        first = kept.setdefault(asked(prompt), prompt)
        if first is not prompt and prompt.carried.get("graders"):
            kept[asked(prompt)] = as_one(first, prompt)
            joined += 1
    if repeats := len(prompts) - len(kept):
        repeated = tr("{prompts} left out as a repeat of an earlier one", prompts=counted(repeats, "prompt"))
        to_it = tr("the graders of {n} of them went to it", n=joined)
        notes.append(tr("{found}; {remedy}", found=repeated, remedy=to_it) if joined else repeated)
    return list(kept.values())


def asked(prompt: Prompt) -> str:
    """Write what is asked; equal words about other files are another question."""
    return same_words(prompt.text) + json.dumps(prompt.carried.get("files"), sort_keys=True)


def _unique_ids(prompts: Sequence[Prompt], notes: list[str]) -> list[str]:
    given = {prompt.id for prompt in prompts if prompt.id is not None}
    fresh = (name for number in count(1) if (name := f"q{number:03}") not in given)
    taken: set[str] = set()
    numbers_used: Counter[str] = Counter()
    ids: list[str] = []
    for prompt in prompts:
        ids.append(next(fresh) if prompt.id is None else _free(prompt.id, taken, given, numbers_used))
        taken.add(ids[-1])
    if numbers := sum(1 for prompt in prompts if prompt.id_was_number):
        notes.append(tr("{ids} given as a number, written as text", ids=counted(numbers, "id")))
    if made := [name for name, prompt in zip(ids, prompts, strict=True) if prompt.id is None]:
        without = counted(len(made), "prompt")
        notes.append(
            tr("{prompts} had no id and got one ({first} to {last})", prompts=without, first=made[0], last=made[-1])
        )
    if changed := [
        (prompt.id, name) for prompt, name in zip(prompts, ids, strict=True) if prompt.id not in {None, name}
    ]:
        renamed = listed(tr("{old!r} is now {new!r}", old=old, new=new) for old, new in changed)
        notes.append(tr("{ids} stood twice: {renamed}", ids=counted(len(changed), "id"), renamed=renamed))
    return ids


def _free(name: str, taken: Collection[str], given: Collection[str], numbers_used: Counter[str]) -> str:
    """Give the name, or the first free one with a number; from the last number on, so that thousands stay quick."""
    if name not in taken:
        return name
    numbers = count(numbers_used[name] or 2)
    number = next(number for number in numbers if f"{name}-{number}" not in taken and f"{name}-{number}" not in given)
    numbers_used[name] = number + 1
    return f"{name}-{number}"


def _splits(prompts: Sequence[Prompt], seed: int, notes: list[str]) -> tuple[Split, ...]:
    given = [prompt.split for prompt in prompts if prompt.split is not None]
    if len(given) == len(prompts):
        return tuple(given)
    splits = assign_splits(prompts, seed)
    partly = tr(
        "only {given} of {all} prompts have a split, so all were drawn anew", given=len(given), all=len(prompts)
    )
    halves = Counter(splits)
    notes.append(
        tr(
            "{why} (seed {seed}): {acceptance} for acceptance, {tuning} for tuning, half of each type",
            why=partly if given else tr("no split was given, so one was drawn"),
            seed=seed,
            acceptance=halves[Split.ACCEPTANCE],
            tuning=halves[Split.TUNING],
        )
    )
    return splits


def _floor_notes(prompts: Sequence[Prompt], splits: Sequence[Split]) -> Iterator[str]:
    few = len(prompts) < MIN_CASES
    missing = [tr("{count} cases of {floor}", count=len(prompts), floor=MIN_CASES)] if few else []
    for label, name in TYPE_NAMES.items():
        of_class = [split for prompt, split in zip(prompts, splits, strict=True) if prompt.label is label]
        if len(of_class) < MIN_PER_CLASS:
            missing.append(tr("{count} {name} of {floor}", count=len(of_class), name=name, floor=MIN_PER_CLASS))
        elif Split.ACCEPTANCE not in of_class:
            missing.append(tr("no {name} in the acceptance split", name=name))
    if missing:
        yield tr(
            "too small to be scored, validate will refuse it until cases are added: {missing}", missing=listed(missing)
        )


def counted(number: int, noun: str) -> Text:
    """Write a count with its noun, one of `_COUNTED`."""
    return _COUNTED[noun](number)


_COUNTED: Final[Mapping[str, Callable[[int], Text]]] = {
    "artifact": lambda number: ntr("{n} artifact", "{n} artifacts", number),
    "assertion": lambda number: ntr("{n} assertion", "{n} assertions", number),
    "case": lambda number: ntr("{n} case", "{n} cases", number),
    "eval": lambda number: ntr("{n} eval", "{n} evals", number),
    "expectation": lambda number: ntr("{n} expectation", "{n} expectations", number),
    "expected output": lambda number: ntr("{n} expected output", "{n} expected outputs", number),
    "file": lambda number: ntr("{n} file", "{n} files", number),
    "grader": lambda number: ntr("{n} grader", "{n} graders", number),
    "id": lambda number: ntr("{n} id", "{n} ids", number),
    "prompt": lambda number: ntr("{n} prompt", "{n} prompts", number),
    "required artifact": lambda number: ntr("{n} required artifact", "{n} required artifacts", number),
}

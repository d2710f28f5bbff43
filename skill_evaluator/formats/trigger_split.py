"""Parting prompts into tuning and acceptance, about half and half, by class and by label."""

import hashlib
from collections.abc import Sequence
from typing import Final

from skill_evaluator.formats.trigger_prompts import Prompt
from skill_evaluator.model import Split

_TURNS: Final = (Split.ACCEPTANCE, Split.TUNING)


def assign_splits(prompts: Sequence[Prompt], seed: int) -> tuple[Split, ...]:
    """Give each prompt a split.

    Within a class, prompts are laid out by their labels, those of equal labels in an order drawn by the seed, and dealt
    out in turn, acceptance first. So both splits hold half of each class (acceptance the odd one) and of each label,
    and neither the order of the file nor other prompts' words matter to the draw.

    Args:
        prompts: With their labels.
        seed: Another seed gives another draw.

    Returns:
        One split per prompt, in their order.
    """
    splits = [Split.ACCEPTANCE] * len(prompts)
    for label in (True, False):
        of_class = [index for index, prompt in enumerate(prompts) if prompt.label is label]
        of_class.sort(key=lambda index: (prompts[index].tags, _draw(prompts[index].text, seed)))
        for turn, index in enumerate(of_class):
            splits[index] = _TURNS[turn % len(_TURNS)]
    return tuple(splits)


def _draw(text: str, seed: int) -> str:
    return hashlib.sha256(f"{seed}\n{text}".encode()).hexdigest()

"""The two marks between which the text of a translation case stands in its prompt."""

import re
from typing import Final

from skill_evaluator.fences import fence_id

_SEED: Final = 0  # the mark around a text depends on the text alone, so that the same case is always asked the same
_MARKED: Final = re.compile(r"^<(text-[0-9a-f]{16,})>\n(.*)\n</\1>$", re.DOTALL | re.MULTILINE)


def marked(text: str) -> str:
    r"""Put a text between two marks that occur nowhere in it.

    >>> marked_text(f"Translate this:\n\n{marked('Save')}\n\nAnswer with the translation alone.")
    'Save'
    """
    mark = f"text-{fence_id(_SEED, [text])}"
    return f"<{mark}>\n{text}\n</{mark}>"


def marked_text(prompt: str) -> str | None:
    """Give the text between the marks of a prompt; None where it has none that belong to their text."""
    found = _MARKED.search(prompt)
    return found[2] if found and marked(found[2]) == found[0] else None

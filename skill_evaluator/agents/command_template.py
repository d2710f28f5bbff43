"""Placeholders such as `{prompt}` in the arguments of a program."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping

from skill_evaluator.agents.command_config import PLACEHOLDERS
from skill_evaluator.texts import tr

# Other braces, as in JSON, stand for themselves; {{word}} writes {word}.
_PLACEHOLDER = re.compile(r"\{\{([A-Za-z_]+)\}\}|\{([A-Za-z_]+)\}")


def placeholders(texts: Iterable[str]) -> set[str]:
    """Name the placeholders that occur."""
    return {found[2] for text in texts for found in _PLACEHOLDER.finditer(text) if found[2]}


def unknown_placeholders(texts: Iterable[str], *, without: frozenset[str] = frozenset()) -> Iterator[str]:
    """Say of each placeholder that means nothing what would mean something."""
    known = [name for name in PLACEHOLDERS if name not in without]
    for name in sorted(placeholders(texts).difference(known)):
        nearest = difflib.get_close_matches(name, known, n=1)
        remedy = (
            tr("did you mean {{{nearest}}}?", nearest=nearest[0])
            if nearest
            else tr("known are {known}", known=", ".join(f"{{{one}}}" for one in known))
        )
        yield tr(
            "unknown placeholder {{{name}}}; {remedy} (write {{{{{name}}}}} for these very characters)",
            name=name,
            remedy=remedy,
        )


def filled(text: str, values: Mapping[str, str]) -> str:
    """Put values in place of placeholders; what a value holds is not looked through again.

    >>> filled('say {prompt} {"a": 1} {{home}}', {"prompt": "{home}"})
    'say {home} {"a": 1} {home}'
    """
    return _PLACEHOLDER.sub(lambda found: f"{{{found[1]}}}" if found[1] else values[found[2]], text)

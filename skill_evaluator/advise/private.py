"""Takes out of a request what is its author's own affair, so that no advice can repeat it."""

import re
import unicodedata

from skill_evaluator.credentials import MASK, mask_credentials

LONGEST_TEXT = 4_000  # characters; what is asked stands at either end of a request, what was pasted in between
_GAP = " | "  # keeps apart what stood on either side

# An opened quote that is never closed reaches to the end.
_QUOTED = re.compile(
    r"""(?x)
    ```.*?(?:```|\Z) | `[^`]*(?:`|\Z) | "[^"\n]*(?:"|\n|\Z) | “[^”]*(?:”|\Z) | 「[^」]*(?:」|\Z) | 『[^』]*(?:』|\Z)
    | «[^»]*(?:»|\Z) | ‘[^’\n]*(?:’|\n|\Z) | (?<![\w'])'[^'\n]{2,}'(?!\w) | 《[^》]*(?:》|\Z)
    """,
    re.DOTALL,
)
_IDENTIFYING = re.compile(
    r"""(?x)
    \b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s、，。；）」]* | \b[\w.+-]+@[\w-]+\.[\w.-]+ | [@\#$~/\\][A-Za-z0-9_./\\~-]+
    | [A-Za-z0-9_.-]+[/\\][A-Za-z0-9_.-]+[/\\][A-Za-z0-9_./\\-]*  # a path of three parts; "and/or" is none
    | [A-Za-z0-9_-]+(?:\.[A-Za-z0-9]{1,5})+\b  # a file
    | [A-Za-z0-9-]*(?:\d|_)[A-Za-z0-9_-]*  # numbers, keys, identifiers
    """,
)


def public(text: str) -> str:
    """Leave out quotes, code, links, addresses, paths, files, keys and numbers, and the middle of a very long text.

    >>> public("Put 'my diary' into a.md, please").split()
    ['Put', '|', 'into', '|', ',', 'please']
    """
    asked = _QUOTED.sub(_GAP, mask_credentials(text).replace(MASK, _GAP))
    return unicodedata.normalize("NFKC", _GAP.join(_IDENTIFYING.sub(_GAP, part) for part in _ends(asked)))


def _ends(text: str) -> tuple[str, ...]:
    half = LONGEST_TEXT // 2
    return (text,) if len(text) <= LONGEST_TEXT else (text[:half], text[-half:])

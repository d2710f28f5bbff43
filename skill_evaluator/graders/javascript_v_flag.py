"""Patterns with the flag `v` as QuickJS takes them.

QuickJS 0.17 applies the rules for sets, where some signs must be escaped, outside of sets too, and so refuses patterns
such as `a-b` or `::`. Outside of sets these signs are written by their numbers, which means the same.
"""

import re

_SIGNS = frozenset("!#%&,-/:;<=>@`~")
# What holds such signs and is no character to match, then the ends of sets, then any one character.
_PIECE = re.compile(
    r"\\k<[^>]*>|\\[pPu]\{[^}]*\}|\\."
    r"|\(\?<[=!]|\(\?<[^>]*>|\(\?[=!]|\(\?[a-z-]*:"
    r"|\{\d+(?:,\d*)?\}|.",
    re.DOTALL,
)


def without_signs(pattern: str) -> str:
    r"""Write a pattern that has the flag `v` so that QuickJS compiles it wherever JavaScript does.

    >>> print(without_signs("[a--b]-(?<n>x){1,2}"))
    [a--b]\x2d(?<n>x){1,2}
    """
    depth = 0
    written: list[str] = []
    for piece in _PIECE.findall(pattern):
        depth = max(depth + (piece == "[") - (piece == "]"), 0)
        written.append(f"\\x{ord(piece):02x}" if depth == 0 and piece in _SIGNS else piece)
    return "".join(written)

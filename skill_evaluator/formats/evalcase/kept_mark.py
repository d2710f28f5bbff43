"""What tells the copy of cases beside their runs from a test set, without loading what reads either."""

from typing import Final

FORMAT: Final = "evalcase"
_LOOKED_AT: Final = 1_000  # bytes of a file within which its format is told


def is_kept(raw: bytes) -> bool:
    """Tell such a copy from a test set, which is a list."""
    return raw.lstrip()[:1] == b"{" and f'"{FORMAT}"'.encode() in raw[:_LOOKED_AT]

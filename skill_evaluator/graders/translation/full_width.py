"""Full-width forms of ASCII characters, which East Asian text has and no program reads as the characters themselves."""

from typing import Final

_FIRST: Final = 0xFF01  # ！, the form of the first printable ASCII character
_NUMBER: Final = 94
_SHIFT: Final = _FIRST - ord("!")
_NARROW: Final = {code: code - _SHIFT for code in range(_FIRST, _FIRST + _NUMBER)}


def narrowed(text: str) -> str | None:
    """Write a text with ASCII characters in place of full-width ones (`％ｄ` as `%d`), or None where it has none."""
    narrow = text if text.isascii() else text.translate(_NARROW)
    return None if narrow == text else narrow

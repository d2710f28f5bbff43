"""What is said about a YAML text: its faults, how its values were written, and which of two dialects it is in."""

from dataclasses import dataclass
from typing import Final

KeyPath = tuple[object, ...]


class YamlError(ValueError):
    """A text that is not YAML, or not YAML that is read here.

    Attributes:
        message: What is wrong, without the place.
        line: 1-based line in the text.
    """

    def __init__(self, message: str, line: int) -> None:
        super().__init__(f"line {line}: {message}")
        self.message = message
        self.line = line


@dataclass(frozen=True, kw_only=True, slots=True)
class YamlEntry:
    """How one value of a mapping or list was written.

    Attributes:
        line: 1-based line of its key, or of the item itself.
        written: The scalar before it became a number or the like, None for lists and mappings.
        plain: Whether it is a scalar without quotes or block mark.
        tail: What stands behind a plain scalar on its last line.
    """

    line: int
    written: str | None
    plain: bool
    tail: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RepeatedKey:
    """A key that stands more than once in one mapping.

    Attributes:
        path: Keys and indexes to it, itself included.
        line: 1-based line where it stands again.
        first: 1-based line where it stood before.
    """

    path: KeyPath
    line: int
    first: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialect:
    """How a text is read.

    Attributes:
        like_bun: Read as the program that runs suites does: the last of two keys counts, `<<` merges, unknown tags are
            passed over, keys are text, numbers are those of JavaScript, and there may be several documents. Otherwise
            all of this is an error, or means nothing.
        max_chars: Longest text.
        max_depth: Lists and mappings inside each other.
        max_values: Values and keys, counted with aliases written out, so that a few lines cannot grow without bound.
    """

    like_bun: bool
    max_chars: int
    max_depth: int
    max_values: int


STRICT: Final = Dialect(like_bun=False, max_chars=256 * 1024, max_depth=50, max_values=20_000)
# Source: Bun 1.4.5 (`Bun.YAML.parse`), which Claude Code 2.1.332 carries. The limits are our own.
SUITE: Final = Dialect(like_bun=True, max_chars=1024 * 1024, max_depth=200, max_values=100_000)

"""Data of a page that a script reads: JSON inside `<script>`, in blocks small enough to be read without a pause."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from skill_evaluator.report.escape import Html

_BLOCK_BYTES = 20_000  # what is sorted anew has its 50 rows in as many blocks
# What would end a script element, or hide its end from a parser.
# Source: HTML Living Standard, 4.12.1.3, "Restrictions for contents of script elements".
_ENDS = re.compile(r"<(?=!--|/?script)", re.IGNORECASE)
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """One script element; `content` is JSON that cannot end it."""

    name: Html
    content: Html


@dataclass(frozen=True, kw_only=True, slots=True)
class Blocks:
    """A list in pieces; `starts` has the place of the first item of each."""

    blocks: tuple[Block, ...]
    starts: tuple[int, ...]


def json_text(value: object) -> str:
    """Write JSON that can stand inside a script element, whatever its texts are."""
    return _ENDS.sub(r"\\u003c", _ENCODER.encode(value))


def json_block(name: str, value: object) -> Block:
    """Make one block of a value whose texts have no lone surrogates."""
    return Block(name=Html(name), content=Html(json_text(value)))


def json_blocks(name: str, items: Iterable[str], first: int) -> Blocks:
    """Make blocks of a list.

    Args:
        name: What the blocks are called, before their number.
        items: JSON values, each as `json_text` gives it.
        first: The place of the first of them.
    """
    groups = list(_grouped(items))
    starts = [first]
    for group in groups[:-1]:
        starts.append(starts[-1] + len(group))
    return Blocks(
        blocks=tuple(
            Block(name=Html(f"{name}-{place}"), content=Html(f"[{','.join(group)}]"))
            for place, group in enumerate(groups)
        ),
        starts=tuple(starts) if groups else (),
    )


def _grouped(items: Iterable[str]) -> Iterator[Sequence[str]]:
    group: list[str] = []
    size = 0
    for item in items:
        group.append(item)
        size += len(item.encode())
        if size >= _BLOCK_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group

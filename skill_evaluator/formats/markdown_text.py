"""Markdown as a stream of headings, list items and prose: as much of it as reading a skill needs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_ITEM: Final = re.compile(r"\s*(?:[-*+•·●](?=\s)|\d{1,3}[.)、])\s*(\S.*)")
_MARKS: Final = re.compile(r"\*\*|__|`")


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """One heading, list item or paragraph line.

    Attributes:
        kind: What it is; a wrapped list item is one block.
        text: Its words, without marks of emphasis or code.
        rank: 1..6 of a heading, else 0.
    """

    kind: Literal["heading", "item", "prose"]
    text: str
    rank: int = 0


def without_fences(text: str) -> Iterator[str]:
    """Give the lines of a Markdown text, without fenced code."""
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if fence:
            closes = mark and mark[1].startswith(fence) and not mark[2].strip()
            fence = "" if closes else fence
        elif mark:
            fence = mark[1]
        else:
            yield line


def blocks(text: str) -> Iterator[Block]:
    """Give headings, list items and prose lines in order; blank lines and fenced code are left out."""
    item: list[str] = []
    for line in without_fences(text):
        if item and line[:1].isspace() and line.strip() and not _ITEM.match(line):
            item.append(line.strip())
            continue
        if item:
            yield Block(kind="item", text=_plain(" ".join(item)))
            item = []
        if mark := _ITEM.match(line):
            item = [mark[1].strip()]
        elif mark := _HEADING.match(line):
            yield Block(kind="heading", text=_plain(mark[2].rstrip(" \t#")), rank=len(mark[1]))
        elif line.strip():
            yield Block(kind="prose", text=_plain(line.strip()))
    if item:
        yield Block(kind="item", text=_plain(" ".join(item)))


def _plain(text: str) -> str:
    return _MARKS.sub("", text)

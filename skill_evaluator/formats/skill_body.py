"""Trigger and exclusion lists in the body of a SKILL.md, found by their headings."""

import re
from collections.abc import Iterator
from typing import Final, Literal

from skill_evaluator.formats.markdown_text import Block, blocks
from skill_evaluator.formats.skill_phrases import (
    Phrases,
    distinct,
    find_phrases,
    joined,
    quoted,
    split_exclusion,
    trimmed,
)

_Mode = Literal["triggers", "non_triggers"] | None

# Titles are compared without numbering: searched in headings, the whole of a plain line.
_EXCLUSION_TITLE: Final = re.compile(
    r"when\s+not\s+to\b.*|^(?:do\s+not|don['’]?t)\s+(?:use|trigger)(?:\s+(?:this|it|for|when|if)\b.*)?$"
    r"|^not\s+for\b.*|non-?triggers?(?:\s+\w+)?|out[ -]of[ -]scope|^(?:何时|什么时候)不.*|^排除.*"
    r"|不(?:应|應|要|会|會|该|該)?(?:触发|觸發)(?:条件|條件|场景|場景|情况)?"
    r"|不(?:适用|適用|要使用)(?:场景|場景|情况|情況|于)?",
    re.IGNORECASE,
)
_TRIGGER_TITLE: Final = re.compile(
    r"when\s+to\s+(?:use|trigger|activate|invoke|call)\b.*|^(?:use|trigger)\s+(?:this\s+skill\s+)?when\b.*"
    r"|^triggers?(?:\s+on)?$|^activation(?:\s+(?:criteria|conditions))?$|trigger\s*(?:场景|条件).*"
    r"|(?<!non)(?<!non-)triggers?[ -]?(?:phrases?|words?|conditions?|keywords?|scenarios?|examples?)"
    r"|(?<![不应應要会會该該])(?:触发|觸發)(?:条件|條件|词|詞|场景|場景|时机|時機|$)"
    r"|(?:何时|什么时候|何時)(?:使用|用|跑|调用|触发).*|(?<!不)(?:使用|适用|適用)(?:场景|場景|时机|時機|情境)|사용\s*시점",
    re.IGNORECASE,
)
_NUMBERING: Final = re.compile(r"^[\W\d_]+|[:：\s]+$")
_SENTENCE: Final = re.compile(r".*[.!?。！？]$")
_PLAIN_TITLE_CHARS: Final = 40  # a longer line is a sentence, no title
_ARROW: Final = re.compile(r"\s*(?:→|->|=>|⇒).*")


def find_body_phrases(body: str) -> Phrases:
    """Look through the sections whose heading speaks of when to use the skill, or when not.

    A line of its own that is nothing but such a heading counts as one, for skills that mark no headings.

    Args:
        body: The text below the frontmatter.

    Returns:
        List items under a trigger heading (their quotes, if they hold any) and under an exclusion heading (without a
        pointer to another skill behind an arrow); prose there is read as `find_phrases` does.
    """
    return joined(
        _item_phrases(block.text, mode) if block.kind == "item" else find_phrases(block.text)
        for mode, block in _marked(body)
    )


def _marked(body: str) -> Iterator[tuple[Literal["triggers", "non_triggers"], Block]]:
    """Give the blocks that stand under a heading of either kind."""
    mode: _Mode = None
    rank, items = 0, 0
    for block in blocks(body):
        opened = _mode_of(block)
        if opened is not None:
            mode, rank, items = opened, block.rank, 0
        elif _closes(block, rank, items):
            mode = None
        elif mode is not None and block.kind != "heading":
            items += block.kind == "item"
            yield mode, block


def _mode_of(block: Block) -> _Mode:
    title = _NUMBERING.sub("", block.text)
    if block.kind == "item":
        return None
    if block.kind == "prose" and (len(title) > _PLAIN_TITLE_CHARS or _SENTENCE.match(block.text)):
        return None
    search = re.Pattern.search if block.kind == "heading" else re.Pattern.fullmatch
    if search(_TRIGGER_TITLE, title):
        return "triggers"
    return "non_triggers" if search(_EXCLUSION_TITLE, title) else None


def _closes(block: Block, rank: int, items: int) -> bool:
    """A section ends at the next heading of its rank; one under a plain title at the first line after its list."""
    if block.kind == "heading":
        return block.rank <= rank or rank == 0
    return rank == 0 and block.kind == "prose" and items > 0


def _item_phrases(text: str, mode: Literal["triggers", "non_triggers"]) -> Phrases:
    positive, excluded = split_exclusion(text)
    words = _ARROW.sub("", positive)
    own = distinct(quoted(words)) or tuple(filter(None, [trimmed(words)]))
    if mode == "non_triggers":
        return Phrases(non_triggers=distinct([*own, *excluded]))
    return Phrases(triggers=own, non_triggers=distinct(excluded))

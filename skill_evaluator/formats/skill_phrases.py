"""The phrases a skill says it fires for, and those it says it stays quiet for.

A text is cut into sentences. What follows an exclusion ("do not use for", 不触发) never counts as a trigger.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

_MAX_CHARS: Final = 200
_QUOTED: Final = re.compile(
    r'"([^"\n]{1,200})"|“([^“”\n]{1,200})”|「([^「」\n]{1,200})」|『([^『』\n]{1,200})』'
    r"|(?<![\w'])'([^'\n]{2,200})'(?![\w'])|‘([^‘’\n]{2,200})’"
)
_SENTENCE_END: Final = re.compile(
    r"(?<!e\.g)(?<!i\.e)(?<!etc)(?<!vs)[.!?][\"”』」’')]*\s+|[。！？]+[\"”』」’]*|\n\s*\n|\n(?=\s*[-*•]\s)"
)
# What makes the quotes of a sentence things a user might say.
_CUE: Final = re.compile(
    r"\b(?:use[ds]?|useful|trigger(?:s|ed)?\s+(?:for|on|when|whenever|if|even|this|it|by|with)|invoked?|activated?"
    r"|when|whenever|if|asks?|says?|said|mentions?|e\.g|such\s+as|for\s+example|examples?|phrases?|keywords?)\b"
    r"|触发|觸發|使用|适用|適用|用于|用於|当|當|说|說|时|時|例如|比如|如[:：「“\"]|사용|요청|때",
    re.IGNORECASE,
)
# A list of trigger words without quotes.
_LISTED: Final = re.compile(
    r"(?:\btriggers?(?:\s+on|\s+(?:key)?words|\s+phrases)?|\bkeywords|(?:触发|觸發)(?:词|詞|语)|关键词|關鍵詞)\s*[:：]\s*(.*)",
    re.IGNORECASE,
)
_LIST_BREAK: Final = re.compile(r"[,，、;；|/]")
_BEFORE: Final = (
    r"(?:(?<=[.;:,，。；：—–(（-])\s*|^\s*|(?<=\bbut)\s+|(?<=\band)\s+|(?<=\bskill)\s+|(?<=\bshould)\s+|(?<=\bit)\s+)"
)
_VERBS: Final = r"(?:use|used|trigger|triggered|invoke|invoked|activate|activated|fire|load)"
EXCLUSION: Final = re.compile(
    _BEFORE + r"(?:do\s+not|don['’]?t|does\s+not|doesn['’]?t|never|not|must\s+not)\s+(?:to\s+)?(?:be\s+)?(?:auto-?)?"
    + _VERBS + r"\b(?:\s+(?:it|this|the|skill)\b)*(?:\s+(?:for|when|whenever|if|on|to|in|with)\b)?"
    r"|\bnot\s+(?:intended\s+|meant\s+|suitable\s+|designed\s+|applicable\s+|needed\s+)?(?:for|when)\b"
    r"|\bskip\s+(?:this\s+skill\s+)?(?:for|when|if)\b|\bout\s+of\s+scope\b"
    r"|不(?:会|會|应|應|应该|要|得|该|該)?(?:被)?(?:触发|觸發|启用|激活)|(?:不要|不可|不能|不应|请勿|請勿|切勿|不)(?:用于|用於|用来|用來|使用于)"
    r"|不(?:适用|適用|适合|適合)(?:于|於)?|(?:不要|请勿|請勿|切勿)(?:使用|调用)|해당\s*안\s*됨|사용하지\s*(?:마|않)",
    re.IGNORECASE,
)  # fmt: skip
_ITEM_BREAK: Final = re.compile(r"[;；]|[(（]\d{1,2}[)）]")
_JOINTS: Final = re.compile(r"^(?:or|and|nor|或|以及)\s+|[\s,，]+(?:or|and|nor|也|或)$")
_OPENING: Final = frozenset("\"“「『'‘")
_CLAUSE_BREAK: Final = re.compile(r"[;；，]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Phrases:
    """What was found, in order, without repeats.

    Attributes:
        triggers: Words a user might say, mostly from quotes.
        non_triggers: Quoted words, or the excluded kinds of task as they are worded.
    """

    triggers: tuple[str, ...] = ()
    non_triggers: tuple[str, ...] = ()


def joined(found: Iterable[Phrases]) -> Phrases:
    """Put together what was found in several texts."""
    parts = list(found)
    return Phrases(
        triggers=distinct(phrase for part in parts for phrase in part.triggers),
        non_triggers=distinct(phrase for part in parts for phrase in part.non_triggers),
    )


def find_phrases(text: str) -> Phrases:
    """Look through running text, such as a description.

    Quotes count as triggers in sentences that speak of use ("use when", 触发) and before any exclusion; so do the
    words of a list that is announced as one ("Triggers: a, b").

    >>> find_phrases('Use for "tidy my notes". Not for "write a novel"; fiction.')
    Phrases(triggers=('tidy my notes',), non_triggers=('write a novel', 'fiction'))
    """
    triggers: list[str] = []
    non_triggers: list[str] = []
    for sentence in _sentences(text):
        positive, excluded = split_exclusion(sentence)
        if listed := _LISTED.search(positive):
            triggers += quoted(listed[1]) or filter(None, map(trimmed, _LIST_BREAK.split(listed[1])))
        elif _CUE.search(_masked(positive)):
            triggers += quoted(positive)
        non_triggers += excluded
    return Phrases(triggers=distinct(triggers), non_triggers=distinct(non_triggers))


def split_exclusion(sentence: str) -> tuple[str, list[str]]:
    """Part a sentence into what comes before an exclusion, and the kinds of task it excludes.

    Returns:
        The sentence and an empty list where it excludes nothing.
    """
    mark = EXCLUSION.search(_masked(sentence))
    if mark is None:
        return sentence, []
    rest = sentence[mark.end() :]
    if re.search(r"\w", rest):
        return sentence[: mark.start()], list(_excluded(rest))
    breaks = [found.end() for found in _CLAUSE_BREAK.finditer(sentence, 0, mark.start())]
    start = breaks[-1] if breaks else 0  # "...时不触发": the exclusion stands before its mark
    return sentence[:start], list(_excluded(sentence[start : mark.start()]))


def quoted(text: str) -> list[str]:
    """List the quoted phrases of a text; `/` between blanks parts alternatives within one quote."""
    found = (next(group for group in match.groups() if group is not None) for match in _QUOTED.finditer(text))
    return [part for phrase in found for part in map(trimmed, phrase.split(" / ")) if part]


def trimmed(text: str) -> str:
    """Cut blanks and loose punctuation off both ends, and what goes beyond 200 characters."""
    return " ".join(text.split()).strip(" ,.;:，。；：、…—–-→")[:_MAX_CHARS]


def distinct(phrases: Iterable[str]) -> tuple[str, ...]:
    """Drop repeats, upper and lower case being one."""
    return tuple({phrase.casefold(): phrase for phrase in reversed(list(phrases))}.values())[::-1]


def _sentences(text: str) -> Iterator[str]:
    spans = [match.span() for match in _QUOTED.finditer(text)]
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    start = 0
    for end in [*ends, len(text)]:
        before = bisect_left(spans, (end, 0)) - 1
        if before < 0 or end >= spans[before][1]:  # else within a quote
            yield " ".join(text[start:end].split())
            start = end


def _masked(text: str) -> str:
    """Hide what stands in quotes, keeping all places."""
    return _QUOTED.sub(lambda match: "_" * len(match[0]), text)


def _excluded(text: str) -> Iterator[str]:
    parts = [part for item in _ITEM_BREAK.split(text) for part in EXCLUSION.split(item)]
    for part in (_JOINTS.sub("", trimmed(part)) for part in parts):
        yield from quoted(part) if part[:1] in _OPENING else [trimmed(part)] if part else []

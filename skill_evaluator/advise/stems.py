"""What the forms of a word share; only equality matters, so rough cuts will do."""

import re

SHORTEST_KOREAN = 2
_SHORTEST_STEM = 3

_KOREAN = re.compile("[\uac00-\ud7af]")
_KOREAN_ENDING = re.compile(
    "(?:(?<=[여아어려쳐써겨꿔춰])(?:주세요|줄래요|줄래|줄까|줘요|줘|줄)|해주세요|해줄래|해줘|합니다|하는데|하려고|하는|하고|해서|해야|했는데|했어|으로|에서|에게|한테|까지|부터|처럼|보다|이랑|이라|"
    "들을|들이|들은|들의|을|를|이|가|은|는|에|로|와|과|도|만|의|랑|해|할|한|인데|인지)$"
)
# Ending, what stands in its place, and how much of the word must be left.
_ENDINGS = (
    ("sses", "ss", 2),
    ("ies", "y", 2),
    ("ied", "y", 2),
    ("ing", "", 3),
    ("ed", "", 3),
    ("ss", "ss", 1),
    ("us", "us", 1),
    ("is", "is", 1),
    ("s", "", 2),
)


def stem_of(word: str) -> str:
    """What the forms of a word share: `Translates`, `translating` and `translated` are one word."""
    lowered = word.lower()
    if _KOREAN.search(lowered):
        stem = _KOREAN_ENDING.sub("", lowered)
        return stem if len(stem) >= SHORTEST_KOREAN else lowered
    return _stem(lowered) if lowered.isascii() else lowered


def _stem(word: str) -> str:
    """Cut English endings off, roughly; only equality matters."""
    for ending, instead, shortest in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= shortest:
            return _bare(word[: len(word) - len(ending)] + instead)
    return _bare(word)


def _bare(stem: str) -> str:
    """Undo a doubled letter (`cutting`), and leave a silent e out."""
    if len(stem) > _SHORTEST_STEM and stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    return stem.removesuffix("e") if len(stem) > _SHORTEST_STEM else stem

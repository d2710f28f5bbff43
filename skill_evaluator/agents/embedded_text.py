"""What the embedded agent sees of a text: its features, and what a description wants and refuses.

Everything is plain text work; nothing is learned here and nothing is read from outside the package.
"""

import re
import unicodedata
from collections.abc import Iterator

from skill_evaluator.agents.catalogue import lexicon

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
WORD_GRAMS = range(2, 5)
CJK_GRAMS = range(1, 4)
NOTION_WEIGHT = 5  # how often a notion counts, against one n-gram; see docs/agents.md
LONGEST_TEXT = 20_000  # characters; a pasted file beyond that says no more about what is asked
LONGEST_ENDING = 5  # letters that a word may have beyond an entry such as `translat*`

_RUN = re.compile(f"[{CJK}]+|[^\\W_{CJK}]+")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n+")
_BULLET = re.compile(r"[-*•·]\s|\d+[.)、]")

# A refusal that opens a clause: from its first word to the end of the sentence is refused.
_REFUSES_AFTER = re.compile(
    r"""(?ix)
    (?: ^ | [,;:(—–-]\s* | \b(?:and|but|it|this|skill)\s+ )  # "even if they do not use the word" refuses nothing
        (?: (?:do|does|must|should)(?:\ not|n['’]t)\ (?:be\ )?
              (?:use|trigger|invoke|activate|apply|call|fire|run|load|select|choose)(?:d|ed)?\b
          | (?:never|avoid)\ (?:use|using|trigger|triggering)\b )
    | \b(?: (?:never|not|isn['’]t)\ (?:(?:meant|intended|suitable|designed|to\ be\ used)\ )?for\b
          | not\ (?:when|if)\b
          | skip\ (?:it|this|this\ skill|when|for|if)\b | out\ of\ scope\b | exclu(?:des?|ding|sions?)\b )
    | ^(?:(?:it|this|this\ skill|the\ skill)\ )?does\ not\b | ^not\b
    | 不触发 | 不觸發 | 不用于 | 不用於 | 不适用 | 不適用 | 不适合 | 不適合 | 不负责 | 不負責 | 不处理 | 不處理 | 不涉及
    | 不包括 | 不包含 | 不要用 | 不要使用 | 不应用 | 不應用 | 不应触发 | 不應觸發
    | 请勿 | 請勿 | 勿用 | 非触发 | 除外 | 対象外[：:]
    """
)
# A refusal that closes a clause: the whole sentence is refused.
_REFUSES_WHOLE = re.compile(
    r"""(?ix)
    \buse\ (?:the\ )?[\w:.`-]+(?:\ skill)?\ instead\b(?!\ of) | \bbelongs\ to\b.*\bskill\b
    | (?:时|時|情况下|場合)[，,]?不要 | 不要(?:触发|觸發) | 不(?:应|應|需)(?:该|該)?(?:触发|觸發|使用)
    | (?:사용|적용|호출|실행|트리거|발동|동작|작동)(?:을|를)?\ ?(?:하지|되지)\ ?(?:마|말|않|안)
    | 쓰지\ ?(?:마|말|않) | 에서는?\ 제외 | 제외(?:합니다|하세요|된다|한다)?[.。]?$ | 해당하지\ 않
    | 使わない | 使用しない | 使用しません | 使わず | 適用しない | 対象外 | トリガーしない | 発動しない | 除く[。.]?$
    """
)


def features(text: str) -> list[str]:
    """Cut a text into character n-grams and notions, the terms that TF-IDF weighs.

    Words give n-grams of 2 to 4 characters that do not reach over their edges, runs of Chinese, Korean or
    Japanese give 1 to 3. A notion of the lexicon (`~12`) stands for all words of one line, whatever the language.

    >>> features("Xy 天空")
    [' x', 'xy', 'y ', ' xy', 'xy ', ' xy ', '天', '空', '天空']
    """
    runs = _RUN.findall(unicodedata.normalize("NFKC", shorten(text)).lower())
    notions = sorted({notion for run in runs for notion in _notions(run)})
    return [gram for run in runs for gram in _grams(run)] + [f"~{n}" for n in notions for _ in range(NOTION_WEIGHT)]


def shorten(text: str) -> str:
    """Keep both ends of a very long text: what is asked stands before or after what was pasted."""
    if len(text) <= LONGEST_TEXT:
        return text
    half = LONGEST_TEXT // 2
    return f"{text[:half]} {text[-half:]}"


def split_exclusions(description: str) -> tuple[str, str]:
    """Tell what a description asks for from what it refuses.

    Returns:
        The wanted and the refused text; bullets below a refusing line belong to it.

    >>> split_exclusions("Fills PDF forms. Do not use for merging PDFs.")
    ('Fills PDF forms.', 'Do not use for merging PDFs.')
    >>> split_exclusions("写周报、月报。不触发：会议纪要。")
    ('写周报、月报。', '不触发：会议纪要。')
    """
    wanted: list[str] = []
    refused: list[str] = []
    refusing = False
    for sentence in filter(None, map(str.strip, _SENTENCE_END.split(description))):
        if refusing and _BULLET.match(sentence):
            refused.append(sentence)
            continue
        asks, refuses = _split_sentence(sentence)
        refusing = bool(refuses)
        wanted += [asks] if asks else []
        refused += [refuses] if refuses else []
    return " ".join(wanted), " ".join(refused)


def _split_sentence(sentence: str) -> tuple[str, str]:
    if _REFUSES_WHOLE.search(sentence):
        return "", sentence
    found = _REFUSES_AFTER.search(sentence)
    return (sentence[: found.start()].rstrip(" ,，、("), sentence[found.start() :]) if found else (sentence, "")


def _grams(run: str) -> Iterator[str]:
    padded, sizes = (run, CJK_GRAMS) if re.match(f"[{CJK}]", run) else (f" {run} ", WORD_GRAMS)
    return (padded[at : at + size] for size in sizes for at in range(len(padded) - size + 1))


def _notions(run: str) -> set[int]:
    known = lexicon()
    if re.match(f"[{CJK}]", run):
        return {notion for word, notion in known.inside if word in run}
    stems = (run[:size] for size in range(max(1, len(run) - LONGEST_ENDING), len(run) + 1))
    return set().union(known.words.get(run, ()), *(known.stems.get(stem, ()) for stem in stems))

"""Makes short requests, as users type them, out of a few words of a skill's texts."""

import re
from typing import Final

from skill_evaluator.api.plugin_eval.starter_texts import WORDINGS, Language, Shape, language_of

_LEAST_WORDS, _MOST_WORDS = 3, 12
_LEAST_CHINESE, _MOST_CHINESE = 5, 24  # characters
# Where the first part of a sentence ends: at punctuation, and at what only says more of the same.
_PART: Final = re.compile(
    r"[,;:()\[\]—–.!?，；：、。！？（）]|\s-\s"
    r"|\s(?:such as|including|so that|via|whenever)\b"
    r"|\s(?:and|or)\s[a-z]+s\s(?:an?|the|them|it|its|one|where|how|what|their)\b"
)
_VERB_OF_SKILL: Final = re.compile(r"([A-Z][a-z]{2,}?)s\s+(?=\S)")
_ENDINGS: Final = ((r"ie$", "y"), (r"(ss|x|ch|sh|zz|o)e$", r"\1"))
_COMMANDS: Final = frozenset(
    re.findall(
        r"\w+",
        "add analyze apply ask audit automate book build calculate change check clean collect compare compute "
        "convert count create debug deploy design detect draft draw edit enforce evaluate explain export extract "
        "fetch fill find fix format generate get give guide help implement import improve inspect install keep "
        "list log look make manage map measure merge migrate optimize organize parse plan prepare produce publish "
        "query read record refactor remove rename render report research resize review rewrite run scale scan "
        "schedule score search send set show sort split start summarize sync test track transform translate turn "
        "update upload use validate verify view work write",
    )
)
_OTHER_SCRIPT: Final = re.compile(r"[\u0370-\u1fff\u3040-\u30ff\uac00-\ud7af]")  # no words of ours go with them
_QUESTION: Final = re.compile(
    r"(?:how|what|when|where|which|who|why|is|are|can|could|do|does|did|should|will|would)\b|.*[?？吗呢]$",
    re.IGNORECASE,
)
_DANGLING: Final = frozenset(
    re.findall(r"\w+", "a about an and as at by for from in into of on or out the their to up when with within your")
)
_SINGULAR: Final = frozenset({"this", "has", "is", "was", "does", "its", "us"})


def said(words: str, place: int) -> str:
    """Make a request of words that the skill says users say.

    Args:
        words: Those words.
        place: Which way of asking is taken; the first is the plainest.

    >>> said("how many people eat?", 1)
    'quick question: how many people eat?'
    """
    language = language_of(words)
    shape: Shape = "question" if _QUESTION.match(words) else "said"
    return _put(language, shape, words.rstrip(" ?？.。") if shape == "question" else words, place)


def asked(text: str, place: int) -> str:
    """Make a request of a sentence that says what a skill does, or of a kind of task that it leaves to others.

    >>> asked("Scales the quantities of a recipe to another number of servings: how many people eat.", 0)
    'can you scale the quantities of a recipe to another number of servings?'
    >>> asked("forecasts of storms", 1)
    'I need forecasts of storms for today'
    """
    language = language_of(text)
    part = first_part(text)
    verb = _VERB_OF_SKILL.match(part)
    if language == "zh":
        return _put(
            language, "thing" if part == text.strip(" .。") and not text.endswith("。") else "deed", part, place
        )
    if verb is not None and f"{verb[1]}s".casefold() not in _SINGULAR:
        return _put(language, "deed", f"{_base(verb[1])} {part[verb.end() :]}", place)
    shape: Shape = "deed" if part.partition(" ")[0].casefold() in _COMMANDS else "thing"
    return _put(language, shape, _uncapitalized(part), place)


def first_part(text: str) -> str:
    """Cut a sentence after its first part, so that nothing of it is left half said where words allow that."""
    whole = text.strip(" .。")
    ends = (whole[: end.start()].strip() for end in _PART.finditer(whole))
    part = next(filter(_says_enough, ends), whole)
    if language_of(part) == "zh":
        return part[:_MOST_CHINESE]
    words = part.split()[:_MOST_WORDS]
    while len(words) > 1 and hangs(words[-1]):
        words.pop()
    return " ".join(words)


def hangs(text: str) -> bool:
    """Say whether a text breaks off before what its last word leads up to."""
    return text.rpartition(" ")[2].casefold() in _DANGLING


def _says_enough(part: str) -> bool:
    return len(part) >= _LEAST_CHINESE if language_of(part) == "zh" else len(part.split()) >= _LEAST_WORDS


def _base(verb: str) -> str:
    """Give the form of a verb that follows "can you"; `verb` lacks the last s.

    >>> [_base(verb) for verb in ("Scale", "Fixe", "Applie", "Give", "Processe")]
    ['scale', 'fix', 'apply', 'give', 'process']
    """
    word = verb.casefold()
    for pattern, by in _ENDINGS:
        word, changed = re.subn(pattern, by, word)
        if changed:
            break
    return word


def _uncapitalized(text: str) -> str:
    """Begin as within a sentence; a word in capitals is a name."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _put(language: Language, shape: Shape, task: str, place: int) -> str:
    if _OTHER_SCRIPT.search(task):
        return task
    ways = WORDINGS[language].asks[shape]
    return ways[place % len(ways)].format(task=task)

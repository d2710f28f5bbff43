"""Cases proposed from a skill's own texts alone: what it says it is for, and what it leaves to others."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Final

from skill_evaluator.api.plugin_eval.starter_files import Proposal
from skill_evaluator.api.plugin_eval.starter_texts import WORDINGS, Wording, language_of
from skill_evaluator.formats.skill_phrases import split_exclusion
from skill_evaluator.formats.text_units import shingles
from skill_evaluator.model import PluginSkill

NEIGHBOURS: Final = 2  # whose requests are near misses
_LONGEST: Final = 160  # characters of what is asked for
_SENTENCE: Final = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？]|$)")
_PART_END: Final = re.compile(r"[,;:，；：、](?=\s|[^\x00-\x7f])|\s")
_LETTERS: Final = re.compile(r"\w.*\w")
# How a description leads up to what a user wants; the rest of the sentence is asked for.
_LEAD: Final = re.compile(
    r"^(?:this skill |should be |is |it |use[ds]? |triggers? |invoked? |to be )*(?:when|whenever|for)\s+"
    r"(?:(?:the |a )?users? (?:wants?|asks?|needs?|says?|requests?)\s+(?:to\s+|for\s+)?)?"
    r"|^(?:当|在)?用户(?:想要?|需要|要求)",
    re.IGNORECASE,
)


def propose(skill: PluginSkill, others: Sequence[PluginSkill]) -> tuple[Proposal, ...]:
    """Propose cases for one skill: some in which it should start, and near misses in which it should not.

    Args:
        skill: The skill.
        others: The other skills of its plugin.
    """
    wording = _wording(skill)
    misses = list(chain(_excluded(skill, wording), _of_neighbours(skill, others)))
    if not misses:
        misses = [_quiet(skill, text) for text in wording.elsewhere]
    seen: dict[str, Proposal] = {}
    for one in (*_positives(skill, wording), *misses):
        seen.setdefault(one.prompt.casefold(), one)
    return tuple(seen.values())


def purpose(skill: PluginSkill) -> str:
    """Give what a skill is for: the first sentence in the language of its description, or its name without any."""
    text = " ".join(skill.skill.description.split())
    sentences = [split_exclusion(found[0])[0].strip() for found in _SENTENCE.finditer(text)]
    first = next(iter(_fitting([sentence for sentence in sentences if sentence], text)), skill.plain_name)
    return _shortened(_LEAD.sub("", first) or first)


def _wording(skill: PluginSkill) -> Wording:
    return WORDINGS[language_of(skill.skill.description)]


def _tasks(phrases: Sequence[str], skill: PluginSkill) -> list[str]:
    """Give phrases that can stand for a request: commands and bare signs cannot; another language comes last."""
    fitting = _fitting(phrases, skill.skill.description)
    return [_shortened(one) for one in fitting if not one.startswith("/") and _LETTERS.search(one)]


def _fitting(phrases: Sequence[str], text: str) -> list[str]:
    language = language_of(text)
    return sorted(phrases, key=lambda phrase: language_of(phrase) != language)


def _shortened(text: str) -> str:
    """Cut a long text after a part of it; a list of everything is no request."""
    if len(text) <= _LONGEST:
        return text
    ends = [found.start() for found in _PART_END.finditer(text, 1, _LONGEST)]
    return text[: ends[-1] if ends else _LONGEST].rstrip()


def _positives(skill: PluginSkill, wording: Wording) -> Iterator[Proposal]:
    """Use what it says users say, each phrase in another wording; else its purpose."""
    phrases = _tasks(skill.skill.triggers, skill)
    tasks = (*phrases, purpose(skill))
    for place, ask in enumerate(wording.asks):
        yield Proposal(
            kind="fires",
            skill=skill.plain_name,
            prompt=ask.format(task=tasks[place % len(tasks)]),
            criteria=wording.criteria.format(task=purpose(skill)),
        )


def _excluded(skill: PluginSkill, wording: Wording) -> Iterator[Proposal]:
    tasks = _tasks(skill.skill.non_triggers, skill)
    for ask, task in zip(wording.excluded, tasks, strict=False):
        yield _quiet(skill, ask.format(task=task))


def _of_neighbours(skill: PluginSkill, others: Sequence[PluginSkill]) -> Iterator[Proposal]:
    """Ask for what the closest neighbours are for, in words that are not those of the skill itself."""
    own, taken = shingles(skill.skill.description), set(map(str.casefold, skill.skill.triggers))
    listed = [other for other in others if other.is_listed]
    for other in islice(sorted(listed, key=lambda other: -_shared(own, other)), NEIGHBOURS):
        tasks = (*_tasks(other.skill.triggers, other), purpose(other))
        task = next((task for task in tasks if task.casefold() not in taken), None)
        if task is not None:
            yield _quiet(skill, _wording(other).asks[1].format(task=task), sibling=other.plain_name)


def _shared(own: frozenset[str], other: PluginSkill) -> float:
    pieces = shingles(other.skill.description)
    return len(own & pieces) / max(1, len(own | pieces))


def _quiet(skill: PluginSkill, prompt: str, sibling: str | None = None) -> Proposal:
    return Proposal(kind="quiet", skill=skill.plain_name, prompt=prompt, sibling=sibling)

"""Cases proposed from a skill's own texts alone: what it says it is for, and what it leaves to others."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Final

from skill_evaluator.api.plugin_eval.starter_files import Proposal
from skill_evaluator.api.plugin_eval.starter_requests import asked, hangs, said
from skill_evaluator.api.plugin_eval.starter_texts import WORDINGS, Wording, language_of
from skill_evaluator.formats.skill_phrases import split_exclusion
from skill_evaluator.formats.text_units import shingles
from skill_evaluator.model import PluginSkill

POSITIVES: Final = 3
EXCLUDED: Final = 2
NEIGHBOURS: Final = 2  # whose requests are near misses
_SHORTEST, _LONGEST = 40, 160  # characters of what a judge is told that a skill is for, where it is cut
_LONGEST_REQUEST: Final = 80  # characters of words that a user types
_SENTENCE: Final = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？]|$)")
_PART_END: Final = re.compile(r"[,;:，；：、](?=\s|[^\x00-\x7f])")
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
    misses = list(chain(_excluded(skill), _of_neighbours(skill, others)))
    if not misses:
        misses = [_quiet(skill, text) for text in _wording(skill).elsewhere]
    seen: dict[str, Proposal] = {}
    for one in (*_positives(skill), *misses):
        seen.setdefault(one.prompt.casefold(), one)
    return tuple(seen.values())


def purpose(skill: PluginSkill) -> str:
    """Give what a skill is for: the first sentence in the language of its description, or its name without any."""
    return shortened(_purpose(skill))


def shortened(text: str) -> str:
    """Cut a long text after a part of it, and show that it was cut; a list of everything tells a judge little."""
    if len(text) <= _LONGEST:
        return text
    ends = [found.start() for found in _PART_END.finditer(text, _SHORTEST, _LONGEST)]
    spaces = [found.start() for found in re.finditer(r"\s", text[:_LONGEST])]
    return text[: (ends or spaces or [_LONGEST])[-1]].rstrip() + " …"


def _purpose(skill: PluginSkill) -> str:
    text = " ".join(skill.skill.description.split())
    sentences = [split_exclusion(found[0])[0].strip() for found in _SENTENCE.finditer(text)]
    first = next(iter(_fitting([sentence for sentence in sentences if sentence], text)), skill.plain_name)
    return _LEAD.sub("", first) or first


def _wording(skill: PluginSkill) -> Wording:
    return WORDINGS[language_of(skill.skill.description)]


def _tasks(phrases: Sequence[str], skill: PluginSkill) -> list[str]:
    """Give phrases that can stand for a request: commands, bare signs and names cannot; another language comes last."""
    fitting = _fitting(phrases, skill.skill.description)
    return [one for one in fitting if not one.startswith("/") and _LETTERS.search(one) and not _names(one, skill)]


def _said_by_users(skill: PluginSkill) -> list[str]:
    phrases = _tasks(skill.skill.triggers, skill)
    return [phrase for phrase in phrases if len(phrase) <= _LONGEST_REQUEST and not hangs(phrase)]


def _names(phrase: str, skill: PluginSkill) -> bool:
    """Say whether a phrase names the skill, so that no description is needed to find it."""
    name = skill.plain_name.casefold()
    return phrase.casefold() == name or ("-" in name and name in phrase.casefold())


def _fitting(phrases: Sequence[str], text: str) -> list[str]:
    language = language_of(text)
    return sorted(phrases, key=lambda phrase: language_of(phrase) != language)


def _positives(skill: PluginSkill) -> Iterator[Proposal]:
    """Use what it says users say, and what it does, each in another wording."""
    phrases = _said_by_users(skill)
    requests = [said(phrase, place) for place, phrase in enumerate(phrases[: POSITIVES - 1])]
    more = POSITIVES - len(requests)
    requests += [asked(_purpose(skill), place) for place in range(more)]
    for request in requests:
        criteria = _wording(skill).criteria.format(task=purpose(skill))
        yield Proposal(kind="fires", skill=skill.plain_name, prompt=request, criteria=criteria)


def _excluded(skill: PluginSkill) -> Iterator[Proposal]:
    for place, task in enumerate(_tasks(skill.skill.non_triggers, skill)[:EXCLUDED]):
        yield _quiet(skill, asked(task, place))


def _of_neighbours(skill: PluginSkill, others: Sequence[PluginSkill]) -> Iterator[Proposal]:
    """Ask for what the closest neighbours are for, in words that are not those of the skill itself."""
    own, taken = shingles(skill.skill.description), set(map(str.casefold, skill.skill.triggers))
    listed = [other for other in others if other.is_listed]
    for other in islice(sorted(listed, key=lambda other: -_shared(own, other)), NEIGHBOURS):
        free = next((task for task in _said_by_users(other) if task.casefold() not in taken), None)
        prompt = asked(_purpose(other), 0) if free is None else said(free, 1)
        yield _quiet(skill, prompt, sibling=other.plain_name)


def _shared(own: frozenset[str], other: PluginSkill) -> float:
    pieces = shingles(other.skill.description)
    return len(own & pieces) / max(1, len(own | pieces))


def _quiet(skill: PluginSkill, prompt: str, sibling: str | None = None) -> Proposal:
    return Proposal(kind="quiet", skill=skill.plain_name, prompt=prompt, sibling=sibling)

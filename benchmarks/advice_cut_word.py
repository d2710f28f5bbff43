"""How often the advice names a word that was cut out of a description.

For each skill of a corpus folder (`triggersets/*/` with a SKILL.md and a trigger set) and each seed, the set is parted
into tuning and acceptance cases, and a word that several tuning positives use is cut out of the description everywhere.
The advice then sees the tuning cases alone, as they were answered by

(a) a rule: it misses exactly the tuning positives that use the word, and is right about all else;
(b) the embedded agent, asked with the cut description; counted where the cut made it miss at least one of them.

Prints figures and cut words, never a prompt. The draw knows nothing of how advice is made: Latin words come without
those of scikit-learn's stop list, Korean ones from the shipped lexicon, Chinese ones from there or from between two
marks of the description.

    python benchmarks/advice_cut_word.py CORPUS [SEEDS]
"""

import asyncio
import os
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from skill_evaluator.advise import MOST_WORDS, TuningEvidence, advise
from skill_evaluator.agents.catalogue import lexicon
from skill_evaluator.agents.embedded import EmbeddedAgent
from skill_evaluator.formats.skill_creator import import_triggers
from skill_evaluator.formats.skill_md import read_skill
from skill_evaluator.metrics.cases import case_result
from skill_evaluator.metrics.intervals import wilson_interval
from skill_evaluator.model import Arm, Case, Run, Skill, Source, Split
from skill_evaluator.results import Cause, SkillInfo

SEEDS = 3
SEVERAL = 2
REPETITIONS = 3
WIDE_SIZES = range(2, 5)  # characters of a Chinese word or phrase
THRESHOLD = 1.0  # so that advice is due wherever something was missed
AIM = 0.8
_ENDINGS = "(?:s|es|d|ed|ing)?"
_WIDE = re.compile("[\u3400-\u9fff\uac00-\ud7af]")

Ask = Callable[[Skill, Case], list[Run]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Cut:
    """A skill that lost a word, and the tuning cases it is asked."""

    skill: Skill
    whole: Skill
    word: str
    cases: tuple[Case, ...]

    def users(self) -> list[Case]:
        """The positives that use the word."""
        return [case for case in self.cases if case.expect_trigger and pattern(self.word).search(case.prompt)]


def pattern(word: str) -> re.Pattern[str]:
    """Find a word in any of its simple forms; a Chinese or Korean one anywhere."""
    if _WIDE.search(word):
        return re.compile(re.escape(word))
    return re.compile(rf"\b{re.escape(_base(word))}{_ENDINGS}\b", re.IGNORECASE)


def _base(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def cuts(corpus: Path, seeds: int) -> Iterator[Cut]:
    """One cut for each skill and seed; a word is cut once for each skill."""
    for path in sorted((corpus / "triggersets").glob("*/trigger.json")):
        for file in sorted(path.parent.glob("**/SKILL.md")):
            skill = read_skill(file).skill
            if skill is not None:
                yield from _cuts_of(skill, path, seeds)


def _cuts_of(skill: Skill, path: Path, seeds: int) -> Iterator[Cut]:
    seen: set[str] = set()
    for seed in range(seeds):
        cases = _tuning_cases(path, skill.name, seed)
        words = [word for word in _candidates(skill, cases) if _base(word) not in seen]
        if words:
            word = random.Random(f"{skill.name} {seed}").choice(words)  # noqa: S311 - a draw, no secret
            seen.add(_base(word))
            lost = replace(skill, description=_without(skill.description, word), when_to_use=None)
            yield Cut(skill=lost, whole=replace(skill, when_to_use=None), word=word, cases=cases)


def _tuning_cases(path: Path, name: str, seed: int) -> tuple[Case, ...]:
    sets = import_triggers(path, skill=name, seed=seed).sets or import_triggers(path, seed=seed).sets
    (rows,) = sets.values()
    return tuple(
        Case(
            id=str(row["id"]),
            prompt=str(row["input"]),
            split=Split.TUNING,
            expect_trigger=row["type"] == "should_trigger",
            sha256="0" * 64,
            prompt_sha256="0" * 64,
            source=Source(path="benchmark"),
        )
        for row in rows
        if row["split"] == "tuning"
    )


def _candidates(skill: Skill, cases: Sequence[Case]) -> list[str]:
    """Words of the description that several positives use, and no part of the name."""
    description, name = skill.description.lower(), skill.name.lower()
    latin = (
        set(re.findall(r"(?<![\w.-])[a-z]{3,}(?![\w-])", description)) - ENGLISH_STOP_WORDS - {"use", "user", "users"}
    )
    marked = re.split(r"[^\u3400-\u9fff]+", description)
    wide = {word for word, _ in lexicon().inside if word in description} | {*marked}
    words = latin | {word for word in wide if len(word) in WIDE_SIZES and _WIDE.search(word)}
    positives = [case.prompt for case in cases if case.expect_trigger]
    return sorted(
        word
        for word in words
        if _base(word) not in name and sum(bool(pattern(word).search(prompt)) for prompt in positives) >= SEVERAL
    )


def _without(text: str, word: str) -> str:
    return re.sub(r" +", " ", pattern(word).sub(" ", text))


def by_rule(cut: Cut) -> Ask:
    """Miss the positives that use the word."""
    users = {case.id for case in cut.users()}
    return lambda skill, case: _runs(skill, case, bool(case.expect_trigger) and case.id not in users)


def by_embedded() -> Ask:
    """Ask the embedded agent."""
    agents: dict[str, EmbeddedAgent] = {}

    def ask(skill: Skill, case: Case) -> list[Run]:
        agent = agents.setdefault(skill.description, EmbeddedAgent(skill))
        return [asyncio.run(agent.run(case, Arm.WITH, index)) for index in range(REPETITIONS)]

    return ask


def named(cut: Cut, ask: Ask) -> bool:
    """Whether a suggestion for missed triggers names the word among at most five."""
    results = [
        case_result(case, [(run, ()) for run in ask(cut.skill, case)], planned_runs=REPETITIONS) for case in cut.cases
    ]
    evidence = TuningEvidence.of(_info(cut.skill), results, pass_threshold=THRESHOLD)
    listed = [one.proposal.values.get("words") for one in advise(evidence) if one.cause is Cause.MISSED_WORDS]
    return any(
        isinstance(words, list) and len(words) <= MOST_WORDS and any(pattern(cut.word).search(word) for word in words)
        for words in listed
    )


def lost(cut: Cut, ask: Ask) -> int:
    """How many positives with the word fire with the whole description and are missed without the word."""

    def fires(skill: Skill, case: Case) -> bool:
        return sum(bool(run.triggered) for run in ask(skill, case)) * 2 > REPETITIONS

    return sum(fires(cut.whole, case) and not fires(cut.skill, case) for case in cut.users())


def _runs(skill: Skill, case: Case, fired: bool) -> list[Run]:  # noqa: FBT001 - the one thing that differs
    invoked = (skill.name,) if fired else ()
    return [Run(case_id=case.id, index=index, triggered=fired, skills_invoked=invoked) for index in range(REPETITIONS)]


def _info(skill: Skill) -> SkillInfo:
    return SkillInfo(
        name=skill.name, version="1", description=skill.description, sha256=skill.sha256, files=skill.files
    )


def table(corpus: Path, seeds: int = SEEDS) -> Iterator[str]:
    """The lines to print."""
    yield f"{'skill':30} {'cut':14} {'used by':>8}  {'(a) rule':8}  (b) embedded"
    rule: list[bool] = []
    embedded: list[bool] = []
    for cut in cuts(corpus, seeds):
        ask = by_embedded()
        rule.append(named(cut, by_rule(cut)))
        misses = lost(cut, ask)
        if misses:
            embedded.append(named(cut, ask))
        second = f"{_yes(embedded[-1])} ({misses} missed by the cut)" if misses else "-"
        positives = sum(bool(case.expect_trigger) for case in cut.cases)
        users = f"{len(cut.users()):>3} of {positives:<2}"
        yield f"{cut.skill.name[:30]:30} {cut.word:14} {users}  {_yes(rule[-1]):8}  {second}"
    yield _total("(a) a rule that misses exactly the positives with the word", rule)
    yield _total("(b) the embedded agent, where the cut made it miss at least one of them", embedded)
    reached = bool(rule) and sum(rule) >= AIM * len(rule)
    yield f"aim: (a) at least 8 of 10: {'reached' if reached else 'missed'}"


def _yes(found: bool) -> str:  # noqa: FBT001 - the one thing to show
    return "named" if found else "missed"


def _total(what: str, found: Sequence[bool]) -> str:
    bounds = wilson_interval(sum(found), len(found))
    interval = f", 95% interval {bounds.low:.2f} to {bounds.high:.2f}" if bounds else ""
    return f"{what}: named in {sum(found)} of {len(found)}{interval}"


def main(arguments: Sequence[str]) -> int:
    """Print the table of one corpus."""
    place = arguments[0] if arguments else os.environ.get("SKILL_EVALUATOR_CORPUS")
    if not place:
        print("name a corpus folder, or set SKILL_EVALUATOR_CORPUS", file=sys.stderr)
        return 1
    for line in table(Path(place), int(arguments[1]) if len(arguments) > 1 else SEEDS):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

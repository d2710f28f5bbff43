"""Put labelled prompts to the embedded agent: those of a corpus folder, or of the development set.

Part of embedded_quality.py, which prints the figures.
"""

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from skill_evaluator.agents.embedded import EmbeddedAgent
from skill_evaluator.formats.skill_creator import import_triggers
from skill_evaluator.formats.skill_md import read_skill
from skill_evaluator.formats.skill_phrases import find_phrases
from skill_evaluator.model import Arm, Case, Skill, Source, Split

CALIBRATION = Path(__file__).resolve().parent / "calibration"
REPETITIONS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A prompt, what should happen, and for a negative of the development set how near it is."""

    prompt: str
    expected: bool
    kind: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answers:
    """What the agent made of one skill's questions.

    Attributes:
        name: Name of the skill.
        questions: What was asked.
        margins: Of each question, over all neighbours; they rank.
        fired: Of each question, the majority of three runs; it decides.
        is_routed: Whether the questions are shared with other skills, so that most of them are negatives.
    """

    name: str
    questions: tuple[Question, ...]
    margins: tuple[float, ...]
    fired: tuple[bool, ...]
    is_routed: bool = False

    @property
    def expected(self) -> tuple[bool, ...]:
        """The labels, in the order of the margins."""
        return tuple(question.expected for question in self.questions)


def ask(
    skill: Skill,
    questions: Sequence[Question],
    *,
    is_routed: bool = False,
    neighbours: Sequence[tuple[str, str]] = (),
) -> Answers:
    """Put each question three times, beside the shipped neighbours and those given."""
    agent = EmbeddedAgent(skill, neighbours=neighbours)
    return Answers(
        name=skill.name,
        questions=tuple(questions),
        margins=tuple(agent.margin(question.prompt) for question in questions),
        fired=tuple(asyncio.run(_decisions(agent, questions))),
        is_routed=is_routed,
    )


def read_calibration(folder: Path = CALIBRATION) -> Iterator[Answers]:
    """Ask the development set: one JSON file per skill with positives, near misses and far negatives."""
    for path in sorted(folder.glob("*.json")):
        read = json.loads(path.read_text(encoding="utf-8"))
        groups = (("positives", True), ("near", False), ("far", False))
        questions = [Question(prompt=p, expected=label, kind=kind) for kind, label in groups for p in read[kind]]
        yield ask(_described(read["name"], read["description"], path), questions)


def read_corpus(corpus: Path) -> Iterator[Answers]:
    """Ask every trigger set that has a SKILL.md: one beside it, or for a routing set those under `skills/`."""
    for path, skills in _sets(corpus):
        for skill in skills:
            yield ask(skill, read_questions(path, skill.name), is_routed=len(skills) > 1)


def read_routed(corpus: Path) -> Iterator[Answers]:
    """Ask the routing sets again, each skill with the others as its neighbours."""
    for path, skills in _sets(corpus):
        for skill in skills if len(skills) > 1 else ():
            siblings = [(other.name, other.description) for other in skills if other is not skill]
            yield ask(skill, read_questions(path, skill.name), is_routed=True, neighbours=siblings)


def _sets(corpus: Path) -> Iterator[tuple[Path, list[Skill]]]:
    for path in sorted((corpus / "triggersets").glob("*/trigger.json")):
        read = [read_skill(file).skill for file in sorted(path.parent.glob("**/SKILL.md"))]
        yield path, [skill for skill in read if skill is not None]


def read_questions(path: Path, name: str) -> list[Question]:
    """Read the set of one skill; of a file that names another skill alone, that one."""
    sets = import_triggers(path, skill=name).sets or import_triggers(path).sets
    (rows,) = sets.values()
    return [Question(prompt=str(row["input"]), expected=row["type"] == "should_trigger") for row in rows]


def _described(name: str, description: str, path: Path) -> Skill:
    refused = find_phrases(description).non_triggers
    return Skill(
        name=name,
        description=description,
        body="",
        path=path,
        sha256="0" * 64,
        files=("SKILL.md",),
        non_triggers=refused,
    )


async def _decisions(agent: EmbeddedAgent, questions: Sequence[Question]) -> list[bool]:
    decisions = []
    for question in questions:
        runs = [await agent.run(_case(question.prompt), Arm.WITH, index) for index in range(REPETITIONS)]
        decisions.append(sum(bool(run.triggered) for run in runs) * 2 > REPETITIONS)
    return decisions


def _case(prompt: str) -> Case:
    return Case(
        id="asked",
        prompt=prompt,
        split=Split.ACCEPTANCE,
        expect_trigger=None,
        sha256="0" * 64,
        prompt_sha256="0" * 64,
        source=Source(path="benchmark"),
    )

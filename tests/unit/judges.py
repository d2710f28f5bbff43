"""Scripted judges: each is a function of what a real one would read, and knows nothing else."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from skill_evaluator.model import AnyQuestion, Case, Completion, Failure, FailureKind, Question, Run, Source, Split
from skill_evaluator.results import Panel, Scored, TextSource

Judge = Callable[[Mapping[str, str]], object]


def shown(question: Question) -> dict[str, str]:
    """Parse the answers out of their fences, in the order shown."""
    (mark,) = set(re.findall(r"<<<begin answer A ([0-9a-f]{16,})>>>", question.system + question.text))
    found = re.findall(
        rf"<<<begin answer ([A-Z]+) {mark}>>>\n(.*?)\n<<<end answer \1 {mark}>>>", question.text, re.DOTALL
    )
    return dict(found)


def scores(given: Mapping[str, int]) -> Mapping[str, object]:
    return {label: {"reason": f'"{label}" decides', "score": score} for label, score in given.items()}


@dataclass
class Scripted:
    """A completer that answers by script and keeps what it was asked."""

    judge: Judge
    model: str = "scripted-judge"

    def __post_init__(self) -> None:
        self.asked: list[Question] = []

    async def complete(self, question: AnyQuestion) -> Completion:
        assert isinstance(question, Question)
        self.asked.append(question)
        answer = self.judge(shown(question))
        if isinstance(answer, Failure):
            return Completion(failure=answer)
        assert isinstance(answer, dict)
        return Completion(answer=answer)


def always_first(texts: Mapping[str, str]) -> object:
    return scores({label: 5 if place == 0 else 1 for place, label in enumerate(texts)})


def always_five(texts: Mapping[str, str]) -> object:
    return scores(dict.fromkeys(texts, 5))


def obeys(texts: Mapping[str, str]) -> object:
    return scores({label: 5 if re.search(r"\b5\b", text) else 1 for label, text in texts.items()})


def likes_long(texts: Mapping[str, str]) -> object:
    longest = max(texts.values(), key=len)
    return scores({label: 5 if text == longest else 2 for label, text in texts.items()})


def talks(_texts: Mapping[str, str]) -> object:
    return Failure(kind=FailureKind.API, message="the judge wrote prose in place of the call")


def fair(texts: Mapping[str, str]) -> object:
    """Score by content alone: one point for each of four rooms named."""
    rooms = ("hall", "cellar", "attic", "pantry")
    return scores({label: 1 + sum(room in text for room in rooms) for label, text in texts.items()})


OUTPUTS = (
    "A level with a hall and a cellar.",
    "A level with a hall, a cellar, an attic and a pantry.",
    "A level with a hall.",
)


def case(name: str = "p0", **changes: object) -> Case:
    values: dict[str, object] = {
        "id": name,
        "prompt": "Design a level with four rooms",
        "split": Split.ACCEPTANCE,
        "expect_trigger": True,
        "sha256": "0" * 64,
        "prompt_sha256": name.encode().hex(),
        "source": Source(path="testset.json"),
        "rubric": {"names four rooms": 4},
        **changes,
    }
    return Case(**values)  # type: ignore[arg-type]  # the values are those of the fields


def runs(outputs: tuple[str | None, ...] = OUTPUTS, name: str = "p0") -> tuple[Run, ...]:
    return tuple(Run(case_id=name, index=index, triggered=True, output=text) for index, text in enumerate(outputs))


def by_run(panel: Panel, source: TextSource = TextSource.RUN) -> dict[int | None, tuple[int, int]]:
    """Give both scores of each repetition, forwards and backwards."""
    assert panel.forward is not None
    assert panel.backward is not None

    def scored(all_scores: tuple[Scored, ...]) -> dict[int | None, int]:
        return {each.index: each.score for each in all_scores if each.source is source}

    backward = scored(panel.backward.scores)
    return {index: (score, backward[index]) for index, score in scored(panel.forward.scores).items()}


def of_controls(panel: Panel) -> dict[str, tuple[int, int]]:
    """Give both scores of each control."""
    assert panel.forward is not None
    assert panel.backward is not None
    backward = {each.control: each.score for each in panel.backward.scores}
    return {str(each.control): (each.score, backward[each.control]) for each in panel.forward.scores if each.control}

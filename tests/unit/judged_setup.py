"""Scripted judges, the panels they leave, and a report that was judged."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from skill_evaluator.api.measure import Measured, build_report
from skill_evaluator.journal import JournalEnd, JournalHeader
from skill_evaluator.judging import Votes
from skill_evaluator.model import AgentInfo, Case, Failure, FailureKind, Run, Source, Split, Usage
from skill_evaluator.results import (
    Ballot,
    Config,
    ControlKind,
    Panel,
    Report,
    Scored,
    SkillInfo,
    TestsetInfo,
    TextSource,
)

PROSE = Failure(kind=FailureKind.API, message="no tool call: 'I would give this a 4.'")


@dataclass(frozen=True, slots=True)
class Text:
    """One text as a judge sees it: where it came from decides what it is worth."""

    source: TextSource
    index: int | None = None
    control: ControlKind | None = None


Judge = Callable[[Text, int], int]  # the text and its place in the order -> the score


def fair(runs: Sequence[int], baseline: Sequence[int] = ()) -> Judge:
    """Scores each run and each output of the baseline for what it is worth, and controls with 1."""
    worth = {TextSource.RUN: runs, TextSource.BASELINE: baseline}

    def score(text: Text, _place: int) -> int:
        return 1 if text.index is None else worth[text.source][text.index]

    return score


def always_first(_text: Text, place: int) -> int:
    return 5 if place == 0 else 1


def always_five(_text: Text, _place: int) -> int:
    return 5


def obeys(text: Text, _place: int) -> int:
    return 5 if text.control is ControlKind.ASKS_FOR_FIVE else fair([3, 3, 3])(text, _place)


def prefers_longer(text: Text, _place: int) -> int:
    if text.control is ControlKind.LONG_OFF_TOPIC:
        return 5
    return 3 if text.index is not None else 1


def panel(
    judge: Judge, case_id: str = "p0", item: str = "clarity", *, runs: int = 3, baseline: int = 0, seed: int = 0
) -> Panel:
    """Show all texts in an order that starts with a control, and in reverse."""
    draw = random.Random(seed)  # noqa: S311 - an order, no secret
    first, *others = draw.sample([Text(TextSource.CONTROL, control=kind) for kind in ControlKind], 4)
    texts = [*others, *(Text(TextSource.RUN, index) for index in range(runs))]
    texts += [Text(TextSource.BASELINE, index) for index in range(baseline)]
    draw.shuffle(texts)
    order = [first, *texts]
    return Panel(case_id=case_id, item=item, forward=ballot(order, judge), backward=ballot(order[::-1], judge))


def ballot(order: Sequence[Text], judge: Judge) -> Ballot:
    return Ballot(
        scores=tuple(
            Scored(
                source=text.source,
                index=text.index,
                control=text.control,
                score=judge(text, place),
                reason=f"reason {place}",
            )
            for place, text in enumerate(order)
        )
    )


def failed(case_id: str = "p0", item: str = "clarity") -> Panel:
    return Panel(case_id=case_id, item=item, forward=Ballot(failure=PROSE), backward=Ballot(failure=PROSE))


def shown(forward: Sequence[int], backward: Sequence[int], case_id: str = "p0", item: str = "clarity") -> Panel:
    """The runs' scores in either order, spelled out; all controls score 1."""
    order = [Text(TextSource.CONTROL, control=kind) for kind in ControlKind]
    order += [Text(TextSource.RUN, index) for index in range(len(forward))]
    return Panel(
        case_id=case_id,
        item=item,
        forward=ballot(order, fair(forward)),
        backward=ballot(order[::-1], fair(backward)),
    )


def judged_cases(rubric: Mapping[str, int], human: Mapping[str, int] | None = None) -> tuple[Case, ...]:
    """Six of each class; positives p0, p2, p4 are for tuning, p1, p3, p5 for acceptance."""
    return tuple(
        Case(
            id=f"{label}{number}",
            prompt=f"words of {label}{number}",
            split=Split.ACCEPTANCE if number % 2 else Split.TUNING,
            expect_trigger=label == "p",
            sha256=f"{label}{number}",
            prompt_sha256=f"{label}{number}",
            source=Source(path="t.json"),
            rubric=rubric if label == "p" else {},
            human_scores=human or {} if label == "p" else {},
        )
        for label in "pn"
        for number in range(6)
    )


def judged_report(  # noqa: PLR0913 - what tests vary, one by one
    folder: Path,
    panels: Sequence[Panel],
    *,
    cases: Sequence[Case] | None = None,
    judge_model: str | None = "judge-1",
    agent_model: str = "agent-1",
    usage: Usage | None = None,
    baseline: Report | None = None,
    stopped_by: str | None = None,
    votes: Votes | None = None,
) -> Report:
    """A report in which every decision was right, three runs a case."""
    folder.mkdir(exist_ok=True)
    for name in ("run.json", "testset.json", "journal.jsonl"):
        (folder / name).write_bytes(b"")
    asked = cases or judged_cases({"clarity": 4})
    header = JournalHeader(
        agent=AgentInfo(name="messages", model=agent_model),
        skill=SkillInfo(name="s", version="1", description="d", sha256="a" * 64, files=("SKILL.md",)),
        testset=TestsetInfo(name="t", sha256="b", split_sha256=dict.fromkeys(Split, "c"), cases=len(asked)),
        config=Config(runs=3, seed=0, pass_threshold=0.85),
        timestamp="2026-01-02T03:04:05Z",
        skill_path="s/SKILL.md",
        testset_path="t.json",
        concurrency=1,
        testset_file_sha256="d",
    )
    measured = Measured(
        header=header,
        end=JournalEnd(duration_s=1.0, stopped_by=stopped_by),
        cases=asked,
        runs={case.id: [_run(case, index) for index in range(3)] for case in asked},
        run_dir=folder,
        panels=panels,
        judge_model=judge_model,
        judge_usage=usage,
        votes=votes or {},
        baseline=baseline,
    )
    return build_report(measured)


def _run(case: Case, index: int) -> Run:
    return Run(case_id=case.id, index=index, triggered=case.expect_trigger, output="an answer", duration_s=1.0)

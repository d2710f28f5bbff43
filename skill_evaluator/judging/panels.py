"""Plans the panels: which texts are judged together, in which order, and the two questions about them.

The order of a panel is drawn from seed, case and item alone: other cases, and their place, change nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from skill_evaluator.fences import drawn
from skill_evaluator.judging.controls import draw_controls
from skill_evaluator.judging.names import Hidden
from skill_evaluator.judging.question import Task, put_question
from skill_evaluator.judging.scrub import Scrubber
from skill_evaluator.judging.texts import LONGEST_TEXT, JudgedText, Output, cut, run_outputs, share
from skill_evaluator.model import Case, Question, Run
from skill_evaluator.results import ControlKind, TextSource
from skill_evaluator.sendable import sendable


@dataclass(frozen=True, kw_only=True, slots=True)
class PanelPlan:
    """One rubric item of one case: what is shown, and how it is asked.

    Attributes:
        case_id: The case.
        item: The rubric item, in the words of the test set.
        texts: What is judged, in the order of `forward`; `backward` shows them in reverse.
        forward: The question in the drawn order.
        backward: The question in the reversed order.
        shortened: How many outputs lost their middle, since they are too long to be sent whole.
    """

    case_id: str
    item: str
    texts: tuple[JudgedText, ...]
    forward: Question
    backward: Question
    shortened: int = 0


def plan_panels(
    cases: Sequence[Case],
    runs_by_case: Mapping[str, Sequence[Run]],
    *,
    hidden: Hidden,
    seed: int,
    baseline: Mapping[str, Sequence[Output]] | None = None,
) -> tuple[PanelPlan, ...]:
    """Plan one panel for each rubric item of each positive that has an output to judge.

    Args:
        cases: The cases, in the order of the test set.
        runs_by_case: Their runs, by id; an output counts where its run is valid and fired, whatever the case's
            decision.
        hidden: Names that the judge must not read.
        seed: The seed of the report.
        baseline: Outputs of the baseline's runs, see `baseline_outputs`; they are judged beside those of a run, never
            alone.

    Returns:
        The panels by case and item in the order of the test set; equal arguments give equal bytes.
    """
    scrubber = Scrubber(hidden)
    return tuple(
        plan
        for case in cases
        if case.expect_trigger and case.rubric
        for plan in _panels_of(
            case,
            run_outputs(runs_by_case.get(case.id, ())),
            tuple((baseline or {}).get(case.prompt_sha256, ())),
            scrubber,
            seed,
        )
    )


def _panels_of(
    case: Case, outputs: Sequence[Output], earlier: Sequence[Output], scrubber: Scrubber, seed: int
) -> Iterator[PanelPlan]:
    if not outputs:
        return
    most = share(len(outputs) + len(earlier))
    sourced = [(TextSource.RUN, output) for output in outputs] + [(TextSource.BASELINE, output) for output in earlier]
    judged = [
        JudgedText(source=source, index=output.index, text=_sent(output.text, most, scrubber))
        for source, output in sourced
    ]
    shortened = sum(len(output.text) > most for _, output in sourced)
    task = _task(case, scrubber)
    for item in case.rubric:
        asked = replace(task, item=_sent(item, LONGEST_TEXT, scrubber))
        lot = drawn(seed, case.id, item)
        texts = _shuffled([*judged, *_controls(asked, judged, lot, scrubber)], lot)
        contents = [text.text for text in texts]
        yield PanelPlan(
            case_id=case.id,
            item=item,
            texts=texts,
            forward=put_question(asked, contents, seed=seed),
            backward=put_question(asked, contents[::-1], seed=seed),
            shortened=shortened,
        )


def _sent(text: str, most: int, scrubber: Scrubber) -> str:
    return scrubber.scrub(cut(sendable(text), most))


def _task(case: Case, scrubber: Scrubber) -> Task:
    return Task(
        prompt=_sent(case.prompt, LONGEST_TEXT, scrubber),
        item="",
        context=tuple(replace(turn, text=_sent(turn.text, LONGEST_TEXT, scrubber)) for turn in case.context),
        files=tuple(_sent(f"{path}\n\n{text}", LONGEST_TEXT, scrubber) for path, text in sorted(case.files.items())),
    )


def _controls(task: Task, judged: Sequence[JudgedText], lot: str, scrubber: Scrubber) -> Iterator[JudgedText]:
    about = "\n".join((task.prompt, task.item, *(turn.text for turn in task.context)))
    for kind, text in draw_controls(task.prompt, about, [len(text.text) for text in judged], lot):
        yield JudgedText(source=TextSource.CONTROL, control=kind, text=scrubber.scrub_paragraphs(text))


def _shuffled(texts: Sequence[JudgedText], lot: str) -> tuple[JudgedText, ...]:
    """Shuffle, then put one control at one end: it stands first in one of the two orders and last in the other.

    So a judge that favours a place favours a control there, and gives itself away.
    """
    at_the_end = min(ControlKind, key=lambda kind: drawn(lot, "end", kind))
    mixed = sorted(texts, key=lambda text: drawn(lot, text.source, text.index, text.control))
    moved = [text for text in mixed if text.control is at_the_end]
    others = [text for text in mixed if text.control is not at_the_end]
    return tuple(moved + others if drawn(lot, "side") < "8" else others + moved)

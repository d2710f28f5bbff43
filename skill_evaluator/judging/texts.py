"""The texts that are judged: which runs give one, and how much of it is sent."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from skill_evaluator.model import Arm, Run
from skill_evaluator.results import CaseResult, ControlKind, RunState, TextSource

LONGEST_TEXT = 60_000  # characters of one output
LONGEST_PANEL = 200_000  # characters of all outputs of one call, the long control counted twice
SHORTEST_SHARE = 2_000  # characters of an output, however many there are


@dataclass(frozen=True, kw_only=True, slots=True)
class Output:
    """What one run wrote.

    Attributes:
        index: Its repetition, 0-based.
        text: The final text, whole.
    """

    index: int
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgedText:
    """One text of a panel, as it is sent.

    Attributes:
        source: Where it came from; never sent.
        index: Repetition of a run, or of a baseline's run; None for a control.
        control: Kind of a control, else None.
        text: Without names, cut to what is sent.
    """

    source: TextSource
    index: int | None = None
    control: ControlKind | None = None
    text: str


def run_outputs(runs: Iterable[Run]) -> tuple[Output, ...]:
    """List the outputs that say something about the skill: of valid runs that fired, by repetition."""
    fired = (run for run in runs if run.triggered and run.failure is None and run.arm is Arm.WITH)
    outputs = (
        Output(index=run.index, text=run.output) for run in fired if run.output is not None and not run.was_settled
    )
    return tuple(sorted(outputs, key=lambda output: output.index))


def baseline_outputs(cases: Iterable[CaseResult]) -> Mapping[str, tuple[Output, ...]]:
    """List the same of an earlier report's cases, by `prompt_sha256`: the same question under whatever id.

    Where a report asks one question in several cases, the first one with an output counts.
    """
    found: dict[str, tuple[Output, ...]] = {}
    for case in cases:
        fired = (run for run in case.runs if run.state is RunState.TRIGGERED)
        outputs = tuple(Output(index=run.index, text=run.output) for run in fired if run.output is not None)
        if outputs:
            found.setdefault(case.prompt_sha256, outputs)
    return found


def share(texts: int) -> int:
    """Give how many characters of each output are sent, when so many are sent together."""
    return max(SHORTEST_SHARE, min(LONGEST_TEXT, LONGEST_PANEL // (texts + 2)))


def cut(text: str, most: int) -> str:
    r"""Leave out the middle of a long text and say so.

    >>> cut("abcdefghij", 4)
    'ab\n[... 6 characters were left out here ...]\nij'
    """
    left_out = len(text) - most
    if left_out <= 0:
        return text
    head, tail = most - most // 2, most // 2
    return f"{text[:head]}\n[... {left_out} characters were left out here ...]\n{text[len(text) - tail :]}"


def sendable(text: str) -> str:
    """Replace what no UTF-8 text can hold: half of a character."""
    return text.encode("utf-8", "replace").decode()

"""Cases of an eval suite -> prompts of a test set: whether the skill should fire, and how its output is graded.

A case says that by a grader of the tool `Skill`. One without says nothing of the skill, and is left out; that and
whatever else finds no place is named.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from skill_evaluator.formats.suite_options import written_options
from skill_evaluator.formats.trigger_prompts import Prompt
from skill_evaluator.formats.trigger_rows import counted
from skill_evaluator.graders.suite import ToolUsed
from skill_evaluator.model import Case, Setup

_SKILL: Final = "Skill"
_OF_SETUP: Final = (
    "model", "allowed_tools", "disallowed_tools", "append_system_prompt", "env", "scaffold_script", "history_file",
    "add_dirs", "mocks",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class SuitePrompts:
    """What came out of a suite.

    Attributes:
        prompts: Labelled, in the order of the suite; those of positives carry their graders.
        notes: What was left out, one sentence each.
    """

    prompts: tuple[Prompt, ...]
    notes: tuple[str, ...]


def suite_prompts(cases: Sequence[Case], expects: Callable[[Case], bool | None]) -> SuitePrompts:
    """Take the cases of a suite as a test set can hold them.

    Args:
        cases: The cases.
        expects: Says what a case claims about the skill; None where it claims nothing.
    """
    labelled = [(case, label) for case in cases if (label := expects(case)) is not None]
    silent = [_name(case) for case in cases if expects(case) is None]
    notes: list[str] = []
    if silent:
        notes.append(f"{counted(len(silent), 'case')} left out, saying nothing of the skill: {', '.join(silent)}")
    prompts = tuple(_prompt(case, place, label, notes) for place, (case, label) in enumerate(labelled))
    return SuitePrompts(prompts=prompts, notes=(*notes, *_dropped([case for case, _ in labelled])))


def _prompt(case: Case, place: int, label: bool, notes: list[str]) -> Prompt:  # noqa: FBT001 - the label is the point
    others = [grader for grader in case.graders if not _is_of_skill(grader.check)]
    written = [(grader, written_options(grader)) for grader in others]
    name = _name(case)
    if not label and others:
        notes.append(
            f"{name}: {counted(len(others), 'grader')} left out, since the output of a case that should not trigger is "
            f"not looked at: {', '.join(grader.name for grader in others)}"
        )
    for grader, options in written if label else ():
        if isinstance(options, str):
            notes.append(f"{name}: grader {grader.name!r} left out: {options}")
    graders = [dict(options) for _, options in written if not isinstance(options, str)] if label else []
    carried = {"graders": graders} if graders else {}
    return Prompt(parts=(place,), text=case.prompt, label=label, id=name, tags=case.tags, carried=carried)


def _is_of_skill(check: object) -> bool:
    return isinstance(check, ToolUsed) and check.tool == _SKILL


def _dropped(cases: Sequence[Case]) -> Iterator[str]:
    """Name what the cases ask for that no test set has."""
    skill = sum(_is_of_skill(grader.check) for case in cases for grader in case.graders)
    if skill:
        yield f"{counted(skill, 'grader')} of the tool Skill became the type of its case"
    kinds = Counter(key for case in cases for key in _asked_for(case))
    for key, count in kinds.items():
        yield f'"{key}" of {counted(count, "case")} is not carried over: a test set has no place for it'


def _asked_for(case: Case) -> Iterator[str]:
    if any(grader.weight != 1 for grader in case.graders):
        yield "weight"
    if any(grader.arm is not None for grader in case.graders):
        yield "arm"
    setup = case.setup
    if isinstance(setup, Setup):
        yield from (key for key in _OF_SETUP if getattr(setup, key))
    if case.metadata is not None:
        yield from (key for key in ("description", "expected_outcome") if getattr(case.metadata, key))


def _name(case: Case) -> str:
    return case.metadata.name if case.metadata else case.id

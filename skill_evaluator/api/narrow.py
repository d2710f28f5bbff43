"""Which cases of a test set are asked, and whether they are still enough."""

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from skill_evaluator.formats.testset import floor_faults, split_sha256
from skill_evaluator.model import Case, Split, Suite
from skill_evaluator.results import Config, Note, TestsetInfo


def narrow(cases: Sequence[Case], *, tags: Sequence[str], case_globs: Sequence[str]) -> tuple[Case, ...]:
    """Keep the cases that carry one of the tags and match one of the globs; an empty list keeps all."""
    return tuple(
        case
        for case in cases
        if (not tags or set(tags) & set(case.tags))
        and (not case_globs or any(fnmatchcase(case.id, glob) for glob in case_globs))
    )


def below_floors(cases: Sequence[Case], config: Config) -> bool:
    """Whether narrowing left too little for a verdict; cases judged by their output alone have no floor."""
    floored = [case for case in cases if case.expect_trigger is not None]
    return bool((config.tags or config.case_globs) and floored and floor_faults(floored))


def testset_info(suite: Suite, cases: Sequence[Case]) -> TestsetInfo:
    """Say in a report which test set was used; the hashes of the splits cover the cases that were asked."""
    asked = replace(suite, cases=tuple(cases))
    return TestsetInfo(
        name=suite.name,
        sha256=suite.sha256,
        split_sha256={split: split_sha256(asked, split) for split in Split},
        cases=len(cases),
    )


def testset_notes(suite: Suite, cases: Sequence[Case], *, judge_model: str | None) -> tuple[Note, ...]:
    """Say what of a test set was left out of the score."""
    notes = []
    if len(cases) < len(suite.cases):
        notes.append(Note(code="narrowed", values={"cases": len(cases), "of": len(suite.cases)}))
    rubrics = sum(1 for case in cases if case.rubric)
    if rubrics and judge_model is None:
        notes.append(Note(code="rubric_not_scored", values={"cases": rubrics}))
    voted = sum(1 for case in cases if case.voted)
    if voted and judge_model is None:
        notes.append(Note(code="graders_not_judged", values={"cases": voted}))
    return tuple(notes)

"""Two kinds of cases that are asked alike: those of a test set, which are about triggers, and those of translations."""

from collections.abc import Sequence
from typing import Final

from skill_evaluator.formats.evalcase.kept_mark import FORMAT, is_kept
from skill_evaluator.formats.testset import read_testset_bytes
from skill_evaluator.formats.testset_doubts import PASS_THRESHOLD, find_doubts
from skill_evaluator.model import Case, Finding, Loaded, Skill, Suite

ALL_RIGHT: Final = 1.0


def suite_of_bytes(raw: bytes, name: str, *, skill: Skill | None = None, skill_name: str | None = None) -> Loaded:
    """Read what `testset_bytes` gave, or what was kept of it; doubts about a test set are worked out elsewhere.

    Args:
        raw: All of it.
        name: What `--testset` named.
        skill: As for `read_testset_bytes`.
        skill_name: Likewise.
    """
    if is_kept(raw):
        from skill_evaluator.formats.evalcase.kept import read_kept  # noqa: PLC0415 - loads all checks of translations

        return read_kept(raw, name)
    return read_testset_bytes(raw, name, skill=skill, skill_name=skill_name, pass_threshold=None)


def is_of_translations(suite: Suite | None) -> bool:
    """Whether a suite holds translation cases."""
    return suite is not None and suite.format == FORMAT


def usual_threshold(suite: Suite | None) -> float:
    """Give the threshold that holds where none is named: every translation has to be right, not every trigger."""
    return ALL_RIGHT if is_of_translations(suite) else PASS_THRESHOLD


def testset_doubts(
    suite: Suite | None,
    cases: Sequence[Case],
    file: str,
    *,
    skill: Skill | None,
    pass_threshold: float,
    judge_model: str | None,
) -> tuple[Finding, ...]:
    """Give every warning about the cases that are asked; of translations, their reader has said all."""
    if is_of_translations(suite):
        return ()
    return tuple(find_doubts(cases, file, skill=skill, pass_threshold=pass_threshold, judge_model=judge_model))

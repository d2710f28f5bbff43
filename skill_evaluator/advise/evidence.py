"""What advice may rest on: the tuning cases and the skill's own texts, and nothing of the acceptance split."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from skill_evaluator.metrics.limits import above_a_tenth
from skill_evaluator.metrics.trigger import F1, FALSE_TRIGGER_RATE, confusion
from skill_evaluator.model import Aspect, Split
from skill_evaluator.results import CaseResult, SkillInfo


@dataclass(frozen=True, slots=True)
class TuningCase:
    """The result of a tuning case; one of any other split cannot be put in here.

    Raises:
        ValueError: If the case is not of the tuning split.
    """

    result: CaseResult

    def __post_init__(self) -> None:
        if self.result.split is not Split.TUNING:
            raise ValueError(
                f"case {self.result.id!r} is of the {self.result.split} split; advice rests on tuning alone"
            )

    @property
    def id(self) -> str:
        """Id of the case."""
        return self.result.id

    @property
    def prompt(self) -> str:
        """The user's words."""
        return self.result.prompt

    @property
    def missed(self) -> bool:
        """Whether the skill should have fired and did not."""
        return self.result.expect_trigger is True and self.result.decision is False

    @property
    def false_trigger(self) -> bool:
        """Whether the skill fired and should not have."""
        return self.result.expect_trigger is False and self.result.decision is True

    @property
    def failed_check(self) -> bool:
        """Whether it fired rightly and then failed a check; what a judge voted is an opinion, and feeds no advice."""
        return any(not passed for aspect, passed in self.result.aspects.items() if aspect is not Aspect.JUDGED)


@dataclass(frozen=True, kw_only=True, slots=True)
class TuningEvidence:
    """All that advice is made from.

    Attributes:
        skill: The skill's own texts.
        cases: All tuning cases that were measured, the right ones too for contrast, sorted by id. Those that do not say
            whether the skill should fire are left out, as they tell nothing of its description.
        pass_threshold: F1 that is enough.
    """

    skill: SkillInfo
    cases: tuple[TuningCase, ...]
    pass_threshold: float

    @classmethod
    def of(cls, skill: SkillInfo, results: Sequence[CaseResult], *, pass_threshold: float) -> Self:
        """Take the measured cases of the tuning split.

        Raises:
            ValueError: If a case is of another split.
        """
        cases = sorted((TuningCase(result) for result in results), key=lambda case: case.id)
        measured = tuple(
            case for case in cases if case.result.decision is not None and case.result.expect_trigger is not None
        )
        return cls(skill=skill, cases=measured, pass_threshold=pass_threshold)

    @property
    def failed(self) -> tuple[TuningCase, ...]:
        """The cases that went wrong in any respect."""
        return tuple(case for case in self.cases if case.missed or case.false_trigger or case.failed_check)

    @property
    def is_due(self) -> bool:
        """Whether F1 is below the threshold, more than a tenth of the negatives fired, or a check failed."""
        counts = confusion(case.result for case in self.cases)
        f1, quiet = F1.share(counts), FALSE_TRIGGER_RATE.share(counts)
        below = bool(f1.support) and f1.top / f1.bottom < self.pass_threshold
        return below or above_a_tenth(int(quiet.top), int(quiet.bottom)) or any(c.failed_check for c in self.cases)

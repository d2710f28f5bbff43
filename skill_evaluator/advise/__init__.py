"""What the author of a skill could change, worked out offline from the tuning cases and nothing else."""

from skill_evaluator.advise.evidence import TuningCase, TuningEvidence
from skill_evaluator.advise.rounds import MOST_WORDS, ROUNDS, in_rounds
from skill_evaluator.results import Suggestion


def advise(tuning: TuningEvidence) -> tuple[Suggestion, ...]:
    """Suggest changes to a skill.

    Acceptance results are of another type, so that they cannot come in.

    Args:
        tuning: The measured tuning cases, right ones too, and the skill's own texts.

    Returns:
        By round, at most 3; empty where the tuning cases went well enough. Equal evidence gives equal advice, in
        whatever order the cases came.
    """
    from skill_evaluator.advise.families import families  # noqa: PLC0415 - reading a report back takes no words apart

    return tuple(in_rounds(families(tuning))) if tuning.is_due else ()


__all__ = ["MOST_WORDS", "ROUNDS", "TuningCase", "TuningEvidence", "advise"]

"""What the author of a skill could change, worked out offline from the tuning cases and nothing else."""

from skill_evaluator.advise.checks import FailedChecks
from skill_evaluator.advise.evidence import TuningCase, TuningEvidence
from skill_evaluator.advise.false_triggers import FalseTriggers
from skill_evaluator.advise.misses import Misses
from skill_evaluator.advise.rounds import ROUNDS, in_rounds
from skill_evaluator.advise.texts import Texts
from skill_evaluator.advise.vocabulary import MOST_WORDS
from skill_evaluator.model import Aspect
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
    if not tuning.is_due:
        return ()
    texts = Texts(tuning)
    checks = [FailedChecks(tuning, aspect) for aspect in (Aspect.PARAMS, Aspect.OUTPUT, Aspect.TOOL_ORDER)]
    return tuple(in_rounds([Misses(tuning, texts), FalseTriggers(tuning, texts), *checks]))


__all__ = ["MOST_WORDS", "ROUNDS", "TuningCase", "TuningEvidence", "advise"]

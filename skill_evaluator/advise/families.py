"""All kinds of failure that advice looks for causes of."""

from skill_evaluator.advise.checks import FailedChecks
from skill_evaluator.advise.evidence import TuningEvidence
from skill_evaluator.advise.false_triggers import FalseTriggers
from skill_evaluator.advise.misses import Misses
from skill_evaluator.advise.rounds import Family
from skill_evaluator.advise.texts import Texts
from skill_evaluator.model import Aspect


def families(tuning: TuningEvidence) -> tuple[Family, ...]:
    """Make one of each, in the order in which reports tell them."""
    texts = Texts(tuning)
    checks = (FailedChecks(tuning, aspect) for aspect in (Aspect.PARAMS, Aspect.OUTPUT, Aspect.TOOL_ORDER))
    return (Misses(tuning, texts), FalseTriggers(tuning, texts), *checks)

"""What this product adds to the numbers of an eval suite: did the skills fire, and how far can the score be trusted."""

from collections.abc import Sequence
from dataclasses import replace

from skill_evaluator.formats.suite_claims import NamedSkill
from skill_evaluator.metrics.suite_claims import other_skill
from skill_evaluator.metrics.suite_models import models_used
from skill_evaluator.metrics.suite_numbers import Facts, put_together
from skill_evaluator.metrics.suite_trigger import claim_results
from skill_evaluator.model import Case, Run
from skill_evaluator.results.suite_result import CaseOfSuite, SuiteMeasures


def measure_suite(
    cases: Sequence[tuple[CaseOfSuite, Case, Sequence[Run]]],
    facts: Facts,
    *,
    skills: Sequence[NamedSkill] = (),
    seed: int = 0,
) -> SuiteMeasures:
    """Measure a suite that was run here.

    Args:
        cases: Each case that was loaded, in order: its part of the answer, the case itself, and its finished runs
            of both arms, in any order.
        facts: What is known beside; what the runs themselves tell is added here.
        skills: The skills of the plugins under test.
        seed: For the intervals that are drawn.
    """
    known = replace(
        facts,
        models=models_used(run for _, _, runs in cases for run in runs),
        other_skill=other_skill([(part.folder, case, runs) for part, case, runs in cases], skills),
    )
    claims = [claim_results(case, runs, skills) for _, case, runs in cases]
    return put_together([part for part, _, _ in cases], claims, known, seed=seed)

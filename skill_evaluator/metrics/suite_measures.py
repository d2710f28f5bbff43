"""What this product adds to the numbers of an eval suite: did the skill fire, and how far can the score be trusted."""

from collections.abc import Iterator, Sequence

from skill_evaluator.formats.suite.suite import expected_trigger
from skill_evaluator.metrics.suite_numbers import put_together
from skill_evaluator.metrics.suite_trigger import suite_trigger
from skill_evaluator.model import Case, Run
from skill_evaluator.results import CaseResult
from skill_evaluator.results.suite_result import CaseOfSuite, SuiteMeasures


def measure_suite(
    cases: Sequence[tuple[CaseOfSuite, Case, Sequence[Run]]],
    *,
    version: str,
    agent: str,
    notes: Sequence[str] = (),
    seed: int = 0,
) -> SuiteMeasures:
    """Measure a suite that was run here.

    Args:
        cases: Each case that was loaded, in order: its part of the answer, the case itself, and its finished runs
            of both arms, in any order.
        version: Version of this product.
        agent: Name of the agent.
        notes: What else a reader must know, one sentence each; it comes first.
        seed: For the intervals that are drawn.
    """
    trigger = suite_trigger([(case, runs) for _, case, runs in cases], seed=seed)
    told = iter(trigger.cases)
    return put_together(
        [part for part, _, _ in cases],
        [*_aligned([case for _, case, _ in cases], told)],
        version=version,
        agent=agent,
        notes=notes,
        seed=seed,
    )


def _aligned(cases: Sequence[Case], told: Iterator[CaseResult]) -> Iterator[CaseResult | None]:
    """Give each case its result, None where it does not say whether the skill should fire."""
    for case in cases:
        yield None if expected_trigger(case) is None else next(told)

"""A case that fired in all of its three runs, for tests to change what they look at."""

from skill_evaluator.model import Split
from skill_evaluator.results import CaseResult

BLANK = CaseResult(
    id="",
    split=Split.ACCEPTANCE,
    expect_trigger=True,
    prompt="",
    prompt_sha256="",
    sha256="",
    planned_runs=3,
    valid_runs=3,
    triggered_runs=3,
    decision=True,
    fluctuation=0.0,
    successes=3,
)

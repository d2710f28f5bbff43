"""Whether the way to the agent was shown to work."""

from dataclasses import dataclass
from enum import StrEnum

from skill_evaluator.results.measures import Note


class CanaryState(StrEnum):
    """Whether the way to the agent was shown to work before anything was scored."""

    NOT_NEEDED = "not_needed"
    SKIPPED = "skipped"
    UNFINISHED = "unfinished"
    PASSED = "passed"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Canary:
    """What the probe skill showed.

    Attributes:
        state: NOT_NEEDED for agents that ask nobody, SKIPPED by `--no-canary`, UNFINISHED where the run was stopped
            before the probe had answered.
        faults: What went wrong, when it failed; the deciding one first.
        listing_checked: Whether the agent says which skills it offers, so that the target was looked for among them.
    """

    state: CanaryState = CanaryState.NOT_NEEDED
    faults: tuple[Note, ...] = ()
    listing_checked: bool = False

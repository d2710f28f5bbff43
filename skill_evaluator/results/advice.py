"""What to try in the skill."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from skill_evaluator.results.measures import Note

# Codes of the notes that hold a model's own words: its analysis, its proposal.
WORDED = ("analyst_analysis", "analyst_proposal")


class Cause(StrEnum):
    """What several failed tuning cases have in common."""

    MISSED_WORDS = "missed_words"
    ANSWERED_DIRECTLY = "answered_directly"
    SIBLING_FIRED = "sibling_fired"
    FALSE_TRIGGERS = "false_triggers"
    FIELDS = "fields"
    OUTPUT = "output"
    TOOLS = "tools"


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestion:
    """One thing to try in the skill, worked out from tuning cases alone; nobody applies it but its author.

    Attributes:
        round: 1..3; a later round looks at what no earlier one explains.
        cases: Ids of the failed tuning cases it rests on, sorted; never empty.
        samples: The inputs of up to three of them.
        analysis: What they have in common.
        proposal: What to change, naming at most five words where it was worked out by rules.
        source: Whether rules found it, or a model worded it.
    """

    round: int
    cause: Cause
    cases: tuple[str, ...]
    samples: tuple[str, ...]
    analysis: Note
    proposal: Note
    source: Literal["rules", "model"] = "rules"

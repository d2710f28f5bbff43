"""How the checks of translations word what they found."""

from typing import Final

from skill_evaluator.model import JsonObject, Outcome
from skill_evaluator.texts import Text, ntr

OK: Final = "ok"


def times(number: int) -> Text:
    """Write how often something is there."""
    return ntr("once", "{n} times", number)


def ok(message: str, evidence: JsonObject | None = None) -> Outcome:
    """It holds."""
    return Outcome(passed=True, code=OK, message=message, evidence=evidence or {})


def broken(code: str, message: str, evidence: JsonObject) -> Outcome:
    """It does not hold, and the evidence shows it."""
    return Outcome(passed=False, code=code, message=message, evidence=evidence)


def undecided(code: str, message: str, evidence: JsonObject | None = None) -> Outcome:
    """Nobody can tell from the texts alone; it is said, and counts neither way."""
    return Outcome(passed=None, code=code, message=message, evidence=evidence or {})

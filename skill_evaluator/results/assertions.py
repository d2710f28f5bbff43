"""What one assertion found in one translation: the result object of EvalCase v1."""

from dataclasses import dataclass, field

from skill_evaluator.model import JsonObject, Severity


@dataclass(frozen=True, kw_only=True, slots=True)
class AssertionResult:
    """One assertion on one candidate.

    Attributes:
        case_id: Of the case.
        assertion: Its name.
        passed: True, False, or None where the check could not decide; `code` says why.
        severity: `hard` decides, `report` is only shown.
        code: Machine-stable; `ok` where it passed and nothing is to be said.
        message: One English sentence, which may be worded better in a later version.
        evidence: The fewest facts that show it, JSON values only; may be empty where it passed.
    """

    case_id: str
    assertion: str
    passed: bool | None
    severity: Severity
    code: str
    message: str
    evidence: JsonObject = field(default_factory=dict)

"""How a fault of an option is told."""

from skill_evaluator.model import Finding, Level


def option_fault(name: str, message: str) -> Finding:
    """A fault of an option, which has no file and no line."""
    return Finding(level=Level.FAIL, code="option", message=f"{name}: {message}")

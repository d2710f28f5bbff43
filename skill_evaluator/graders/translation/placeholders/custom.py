"""Placeholders by a pattern of the author: every match is one."""

from skill_evaluator.graders.evidence import normalised
from skill_evaluator.graders.patterns import compile_pattern
from skill_evaluator.graders.translation.placeholders.placeholder import Parsed, Placeholder


def parse_custom(text: str, pattern: str, *, timeout_s: float) -> Parsed:
    """Find all matches of a pattern; empty ones are none.

    Args:
        text: As written; pattern and text are compared in Unicode NFC and with LF line ends.
        pattern: In the syntax of the `regex` package.
        timeout_s: How long one text may take.

    Raises:
        TimeoutError: If it took longer.
        ValueError: If the pattern does not compile.
    """
    matches = compile_pattern(pattern).finditer(normalised(text), timeout=timeout_s)
    return Parsed(
        tuple(
            Placeholder(match[0], match.start(), match[0], "", "") for match in matches if match.end() > match.start()
        )
    )

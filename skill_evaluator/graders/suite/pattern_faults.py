"""What a grader says where its pattern gave no answer."""

from skill_evaluator.graders.evidence import clean
from skill_evaluator.graders.javascript import NoAnswer
from skill_evaluator.model import Outcome
from skill_evaluator.texts import tr


def no_verdict(answer: NoAnswer, pattern: str, flags: str = "") -> Outcome:
    """Put into an outcome why a pattern was not held against a text.

    Args:
        answer: `bad_pattern` fails, as in the real program; `limits` leaves the question open.
        pattern: The pattern.
        flags: Its flags.
    """
    shown = tr("{pattern!r} with the flags {flags!r}", pattern=pattern, flags=flags) if flags else repr(pattern)
    if answer.why == "bad_pattern":
        return Outcome(
            passed=False,
            code="pattern_invalid",
            message=tr("{shown} is no JavaScript regular expression: {why}.", shown=shown, why=answer.message),
            evidence={"pattern": clean(pattern), "flags": clean(flags), "reason": answer.message},
        )
    message = tr("{shown} could not be held against the text: {why}.", shown=shown, why=answer.message)
    return Outcome(passed=None, code="pattern_limits", message=message)

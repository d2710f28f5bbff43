"""What the server does wrong, as failures by kind; messages are one line and hold no key."""

from skill_evaluator.model import Failure, FailureKind, one_line
from skill_evaluator.redaction import blacken

MOST_SAID = 300

_KINDS_BY_STATUS = {
    401: FailureKind.AUTH,
    403: FailureKind.AUTH,
    429: FailureKind.RATE_LIMIT,
}
_KINDS_BY_TYPE = {
    "authentication_error": FailureKind.AUTH,
    "permission_error": FailureKind.AUTH,
    "rate_limit_error": FailureKind.RATE_LIMIT,
}
_OK = 200
NOT_THERE = frozenset({404, 405, 501})


class MalformedReplyError(ValueError):
    """An answer that is not what the Messages API gives; the text says what is wrong."""


def status_failure(status: int, said: str, *, error_type: str | None, hint: str) -> Failure:
    """Tell what an HTTP error means.

    Args:
        status: HTTP status; 200 for an error inside a stream that had begun.
        said: The server's own words.
        error_type: `error.type` of the body, or None.
        hint: What to look at where the server says that it does not know what was asked for.
    """
    kind = _KINDS_BY_STATUS.get(status) or _KINDS_BY_TYPE.get(error_type or "" if status == _OK else "")
    place = f"HTTP {status}" if status != _OK else "the stream broke off"
    words = ": ".join(part for part in (place, error_type, said) if part)
    told = shortened(words)
    return failure(kind or FailureKind.API, f"{told}; {hint}" if status in NOT_THERE else told, most=2 * MOST_SAID)


def failure(kind: FailureKind, words: str, *, most: int = MOST_SAID) -> Failure:
    """Make a failure whose message is one line of bearable length."""
    return Failure(kind=kind, message=one_line(shortened(words, most=most)))


def shortened(text: str, *, most: int = MOST_SAID) -> str:
    """Give the start of a text."""
    text = text.strip()
    return text if len(text) <= most else f"{text[:most]}..."


def without_secrets(failed: Failure, secrets: tuple[str, ...]) -> Failure:
    """Mask credentials that the server may have repeated."""
    return Failure(kind=failed.kind, message=blacken(failed.message, secrets))

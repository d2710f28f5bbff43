"""Keeps credentials out of everything that is stored or shown."""

import re
from collections.abc import Mapping, Sequence

MASK = "[redacted]"
MIN_SECRET_LENGTH = 8  # shorter values occur in ordinary text and open nothing

_SECRET_NAME = re.compile(r"(?:API_?KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)(?:_|$)", re.IGNORECASE)
_KNOWN_SHAPE = re.compile(
    r"sk-(?:ant-)?[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}|(?<=Bearer )[A-Za-z0-9._~+/=-]{16,}"
)


def secrets_of(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Collect the values of variables whose names say that they are credentials, longest first."""
    found = {
        value for name, value in environment.items() if _SECRET_NAME.search(name) and len(value) >= MIN_SECRET_LENGTH
    }
    return tuple(sorted(found, key=lambda value: (-len(value), value)))


def blacken(text: str, secrets: Sequence[str]) -> str:
    """Replace the given secrets, and whatever has the shape of a well-known key, by a mask.

    Args:
        text: Plain or JSON text.
        secrets: Values to look for, longest first.
    """
    for secret in secrets:
        text = text.replace(secret, MASK)
    return _KNOWN_SHAPE.sub(MASK, text)

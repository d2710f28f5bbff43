"""Which server is asked and with what right, as the variables of the environment say; their values are never shown."""

import os
from collections.abc import Mapping
from urllib.parse import urlsplit, urlunsplit

from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Level

BASE_URL_VARIABLE = "ANTHROPIC_BASE_URL"
DEFAULT_BASE_URL = "https://api.anthropic.com"

# In the order in which the SDK looks; the first one set is used.
CREDENTIAL_VARIABLES = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_PROFILE",
    "ANTHROPIC_IDENTITY_TOKEN",
    "ANTHROPIC_IDENTITY_TOKEN_FILE",
)


def credential_names(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Give the names of the credential variables that are set, the one that is used first."""
    return tuple(name for name in CREDENTIAL_VARIABLES if environment.get(name))


def base_url_of(environment: Mapping[str, str] = os.environ) -> str:
    """Give the base URL that the environment names, or the vendor's.

    Raises:
        InputError: If it is no HTTP address.
    """
    named = environment.get(BASE_URL_VARIABLE, "").strip()
    if not named:
        return DEFAULT_BASE_URL
    try:
        parts = urlsplit(named)
        fits = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        fits = False
    if not fits:
        message = (
            f"{BASE_URL_VARIABLE} is no HTTP address; expected one such as http://127.0.0.1:8080, without /v1/messages"
        )
        raise InputError([Finding(level=Level.FAIL, code="base-url", message=message)])
    return named


def shown_url(url: str) -> str:
    """Give an address as it may be shown: without a user, a password, a query, or a slash at its end."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))

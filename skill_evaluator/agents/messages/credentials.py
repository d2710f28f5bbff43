"""Which server is asked and with what right, as the variables of the environment say; their values are never shown."""

import os
import re
from collections.abc import Mapping
from urllib.parse import urlsplit, urlunsplit

from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Level
from skill_evaluator.sendable import sendable
from skill_evaluator.server_address import BASE_URL_VARIABLE, DEFAULT_BASE_URL
from skill_evaluator.texts import tr

# In the order in which the SDK looks; the first one set is used.
CREDENTIAL_VARIABLES = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_PROFILE",
    "ANTHROPIC_IDENTITY_TOKEN",
    "ANTHROPIC_IDENTITY_TOKEN_FILE",
)

_DOUBLED = re.compile(r"/v1(/messages(/batches)?)?/?\Z")
_UNSENDABLE = re.compile(r"[\r\n\0]|\A[ \t]|[ \t]\Z")


def credential_names(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Give the names of the credential variables that are set, the one that is used first."""
    return tuple(name for name in CREDENTIAL_VARIABLES if environment.get(name))


def check_credentials(environment: Mapping[str, str] = os.environ) -> None:
    """Make sure that keys can be sent; an error about one that cannot would show it.

    Raises:
        InputError: If one holds a line end, or starts or ends with a blank.
    """
    faults = [
        Finding(
            level=Level.FAIL,
            code="credential",
            message=tr(
                "{name} cannot be sent: it holds a line end, or starts or ends with a blank; set it without", name=name
            ),
        )
        for name in CREDENTIAL_VARIABLES[:2]
        if _UNSENDABLE.search(environment.get(name, ""))
    ]
    if faults:
        raise InputError(faults)


def check_model(model: str) -> None:
    """Make sure that the name of a model is a text, which the bytes of a command line need not be.

    Raises:
        InputError: If it is not.
    """
    if sendable(model) != model:
        message = tr("the name of the model is no UTF-8; write it as the server calls it")
        raise InputError([Finding(level=Level.FAIL, code="model", message=message)])


def can_ask(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a credential is set, or a server is named that may take none."""
    return bool(credential_names(environment) or environment.get(BASE_URL_VARIABLE, "").strip())


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
        message = tr(
            "{base_url_variable} is no HTTP address; expected one such as http://127.0.0.1:8080, without /v1/messages",
            base_url_variable=BASE_URL_VARIABLE,
        )
        raise InputError([Finding(level=Level.FAIL, code="base-url", message=message)])
    return named


def url_doubts(environment: Mapping[str, str] = os.environ) -> list[Finding]:
    """Doubt a base URL that ends in what is added to it; a gateway may have such a path, so it is no fault.

    Raises:
        InputError: If it is no HTTP address.
    """
    url = shown_url(base_url_of(environment))
    tail = _DOUBLED.search(url)
    if tail is None:
        return []
    message = tr(
        "{base_url_variable} ends in {tail}, and /v1/messages is added to it: most servers want {url} here",
        base_url_variable=BASE_URL_VARIABLE,
        tail=tail[0],
        url=url[: tail.start()],
    )
    return [Finding(level=Level.WARN, code="base-url-doubled", message=message, values={"tail": tail[0]})]


def not_there_hint(url: str, model: str, *, batches: bool = False) -> str:
    """Say what to look at where a server does not know what was asked for.

    Args:
        url: The server.
        model: The model that was asked.
        batches: Whether a message batch was to be handed over.

    >>> not_there_hint("http://127.0.0.1:8080/v1", "m")
    'leave /v1 out of ANTHROPIC_BASE_URL, since /v1/messages is added to it'
    >>> not_there_hint("http://127.0.0.1:8080", "m")
    "is there such a model 'm' at http://127.0.0.1:8080?"
    """
    if tail := _DOUBLED.search(url):
        return tr(
            "leave {tail} out of {base_url_variable}, since /v1/messages is added to it",
            tail=tail[0],
            base_url_variable=BASE_URL_VARIABLE,
        )
    if batches:
        return tr("the server at {url} seems to have no message batches: leave --batch out", url=url)
    return tr("is there such a model {model!r} at {url}?", model=model, url=url)


def shown_url(url: str) -> str:
    """Give an address as it may be shown: without a user, a password, a query, or a slash at its end."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))

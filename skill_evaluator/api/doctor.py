"""Says what can run on this machine."""

import importlib.metadata
import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from skill_evaluator import __version__
from skill_evaluator.agents.messages.credentials import (
    CREDENTIAL_VARIABLES,
    base_url_of,
    can_ask,
    credential_names,
)
from skill_evaluator.api.request import STATE_FOLDER
from skill_evaluator.errors import InputError
from skill_evaluator.file_names import shown
from skill_evaluator.server_address import BASE_URL_VARIABLE
from skill_evaluator.texts import tr

SDK = "anthropic"
VARIABLES = (*CREDENTIAL_VARIABLES, BASE_URL_VARIABLE)
_NO_KEY = tr("set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a server of your own, to ask it")
_PACKAGES = ("scikit-learn", "numpy", "scipy", "pydantic", "jinja2", "jmespath", "psutil")


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnosis:
    """One thing looked at, and what was seen.

    Attributes:
        fine: Whether nothing is wrong with it.
        detail: What was seen.
        ready: Whether it can be used as things are; what waits for a key or a name is no fault of the installation.
    """

    subject: str
    fine: bool
    detail: str
    ready: bool = True


def doctor(environment: Mapping[str, str] = os.environ) -> tuple[Diagnosis, ...]:
    """Look at the interpreter, the packages, the agents, the terminal and the credentials.

    Returns:
        In a fixed order. Credentials are told by name, never by value.
    """
    return (
        Diagnosis(subject="skill-evaluator", fine=True, detail=__version__),
        Diagnosis(
            subject="python",
            fine=True,
            detail=tr("{version} on {system}", version=platform.python_version(), system=platform.system()),
        ),
        *(_package(name) for name in _PACKAGES),
        Diagnosis(
            subject=tr("agent embedded"), fine=True, detail=tr("ready: no model, no key, no network; an estimate")
        ),
        Diagnosis(subject=tr("agent replay"), fine=True, detail=tr("ready: answers from --recordings PATH")),
        Diagnosis(
            subject=tr("agent command"),
            fine=True,
            detail=tr("ready: starts the program that --agent-config FILE names"),
        ),
        _messages(environment),
        _claude_code(environment),
        _state(),
        _terminal(),
        *(_variable(name, environment) for name in VARIABLES),
    )


def _package(name: str) -> Diagnosis:
    try:
        return Diagnosis(subject=name, fine=True, detail=importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Diagnosis(subject=name, fine=False, detail=tr("not installed; install skill-evaluator again"))


def _state() -> Diagnosis:
    fine = os.access(Path.cwd(), os.W_OK | os.X_OK)
    detail = (
        tr("runs are kept in {state_folder}/", state_folder=STATE_FOLDER)
        if fine
        else tr("this folder cannot be written; call from another one")
    )
    return Diagnosis(subject=tr("working folder"), fine=fine, detail=detail)


def _terminal() -> Diagnosis:
    encoding = sys.stdout.encoding or "unknown"
    detail = (
        encoding
        if "utf" in encoding.lower()
        else tr("{encoding}: some glyphs are shown in plain letters", encoding=encoding)
    )
    return Diagnosis(subject=tr("terminal encoding"), fine=True, detail=detail)


def _messages(environment: Mapping[str, str]) -> Diagnosis:
    """Tell who would be asked and with what right; no key is tried, and nothing is sent."""
    subject = tr("agent messages")
    sdk = _package(SDK)
    if not sdk.fine:
        return Diagnosis(subject=subject, fine=False, detail=tr("{sdk} is {detail}", sdk=SDK, detail=sdk.detail))
    try:
        host = urlsplit(base_url_of(environment)).netloc.rpartition("@")[2]
    except InputError as error:
        return Diagnosis(subject=subject, fine=False, detail=error.findings[0].message)
    names = credential_names(environment)
    lacks = tr("none is set, which is fine where it takes none") if environment.get(BASE_URL_VARIABLE) else _NO_KEY
    right = tr("credentials from {names}", names=names[0]) if names else tr("no credentials: {lacks}", lacks=lacks)
    detail = tr("{sdk} {detail}; server {host}; {right}", sdk=SDK, detail=sdk.detail, host=host, right=right)
    return Diagnosis(subject=subject, fine=True, detail=detail, ready=can_ask(environment))


def _claude_code(environment: Mapping[str, str]) -> Diagnosis:
    """Tell whether the program is there and new enough; it is asked for its version alone."""
    from skill_evaluator.agents.claude_code.login import check_login, find_login  # noqa: PLC0415 - only this row does
    from skill_evaluator.agents.claude_code.program import open_program  # noqa: PLC0415 - likewise

    subject = tr("agent claude-code")
    try:
        program = open_program(environment=environment)
        check_login(environment)
    except InputError as error:
        return Diagnosis(subject=subject, fine=True, detail=error.findings[0].message, ready=False)
    login = find_login(environment)
    right = tr("; login from {source}", source=login.source) if login else ""
    detail = tr(
        "{version} at {path} (found by {source}){right}",
        version=program.version,
        path=shown(program.path),
        source=program.source,
        right=right,
    )
    return Diagnosis(subject=subject, fine=True, detail=detail)


def _variable(name: str, environment: Mapping[str, str]) -> Diagnosis:
    return Diagnosis(subject=name, fine=True, detail=tr("set") if environment.get(name) else tr("not set"))

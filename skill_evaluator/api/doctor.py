"""Says what can run on this machine."""

import importlib.metadata
import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from skill_evaluator import __version__
from skill_evaluator.api.request import STATE_FOLDER

CREDENTIALS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL")
_MODEL = "ANTHROPIC_MODEL"
_PACKAGES = ("anthropic", "scikit-learn", "numpy", "scipy", "pydantic", "jinja2", "jmespath", "psutil")


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnosis:
    """One thing looked at: whether it is fine, and what was seen."""

    subject: str
    fine: bool
    detail: str


def doctor(environment: Mapping[str, str] = os.environ) -> tuple[Diagnosis, ...]:
    """Look at the interpreter, the packages, the agents, the terminal and the credentials.

    Returns:
        In a fixed order. Credentials are told by name, never by value.
    """
    return (
        Diagnosis(subject="skill-evaluator", fine=True, detail=__version__),
        Diagnosis(subject="python", fine=True, detail=f"{platform.python_version()} on {platform.system()}"),
        *(_package(name) for name in _PACKAGES),
        Diagnosis(subject="agent embedded", fine=True, detail="ready: no model, no key, no network; an estimate"),
        Diagnosis(subject="agent replay", fine=True, detail="ready: answers from --recordings PATH"),
        Diagnosis(
            subject="agent command", fine=True, detail="ready: starts the program that --agent-config FILE names"
        ),
        _messages(environment),
        _state(),
        _terminal(),
        *(_credential(name, environment) for name in CREDENTIALS),
    )


def _messages(environment: Mapping[str, str]) -> Diagnosis:
    """Whether a model can be asked; nothing is sent."""
    named = [name for name in CREDENTIALS if environment.get(name)]
    is_open = any(name != _MODEL for name in named)
    lacks = [
        *([] if is_open else ["a key (ANTHROPIC_API_KEY), or a server that takes none (ANTHROPIC_BASE_URL)"]),
        *([] if _MODEL in named else [f"a model (--model, or {_MODEL})"]),
    ]
    detail = "ready: asks a model over the Messages API" if not lacks else f"still takes {' and '.join(lacks)}"
    return Diagnosis(subject="agent messages", fine=True, detail=detail)


def _package(name: str) -> Diagnosis:
    try:
        return Diagnosis(subject=name, fine=True, detail=importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Diagnosis(subject=name, fine=False, detail="not installed; install skill-evaluator again")


def _state() -> Diagnosis:
    fine = os.access(Path.cwd(), os.W_OK | os.X_OK)
    detail = f"runs are kept in {STATE_FOLDER}/" if fine else "this folder cannot be written; call from another one"
    return Diagnosis(subject="working folder", fine=fine, detail=detail)


def _terminal() -> Diagnosis:
    encoding = sys.stdout.encoding or "unknown"
    detail = encoding if "utf" in encoding.lower() else f"{encoding}: some glyphs are shown in plain letters"
    return Diagnosis(subject="terminal encoding", fine=True, detail=detail)


def _credential(name: str, environment: Mapping[str, str]) -> Diagnosis:
    detail = "set" if environment.get(name) else "not set"
    return Diagnosis(subject=name, fine=True, detail=detail)

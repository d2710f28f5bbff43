"""Finds the program Claude Code, and tells whether it and git are new enough."""

import importlib.util
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skill_evaluator.agents.claude_code.told_version import told_version
from skill_evaluator.errors import InputError
from skill_evaluator.file_names import shown
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import tr

MIN_PROGRAM: Final = (2, 1, 269)  # the first one whose `plugin eval` the suites are written for
MIN_GIT: Final = (2, 31)  # the first one that takes settings from GIT_CONFIG_COUNT
GET_PROGRAM: Final = tr(
    'install it with pip install "skill-evaluator[claude-code]" or npm install -g @anthropic-ai/claude-code'
)
VARIABLE: Final = "SKILL_EVALUATOR_CLAUDE"
_NAME: Final = "claude"
_PACKAGE: Final = "claude_agent_sdk"
_BUNDLED: Final = ("_bundled/claude", "_bundled/claude.exe")
_CALLED: Final = "Claude Code"  # what `--version` says beside the version


@dataclass(frozen=True, kw_only=True, slots=True)
class Program:
    """A program that was found.

    Attributes:
        path: Where it is.
        version: As it tells it, such as `2.1.332`.
        source: Who named it: `--program`, `SKILL_EVALUATOR_CLAUDE`, `PATH` or `claude_agent_sdk`.
    """

    path: Path
    version: str
    source: str


def find_program(named: Path | None = None, environment: Mapping[str, str] = os.environ) -> Path | None:
    """Look for the program: where the user said, on PATH, in the package `claude_agent_sdk`.

    Args:
        named: Where the user said it is, or None for what `SKILL_EVALUATOR_CLAUDE` says; nothing else is looked at
            where either says something.
        environment: Holds that variable and PATH.

    Returns:
        The program, or None where there is none that may be started.
    """
    return _look(named, environment)[0]


def _look(named: Path | None, environment: Mapping[str, str]) -> tuple[Path | None, str]:
    """Give the program, and who named it: the one that was looked at last where there is none."""
    if named is not None:
        return _startable(named), "--program"
    if said := environment.get(VARIABLE):
        return _startable(Path(said)), VARIABLE
    found = shutil.which(_NAME, path=environment.get("PATH", os.defpath))
    if found:
        return Path(os.path.abspath(found)), "PATH"  # noqa: PTH100 - no link is followed
    return _bundled(), _PACKAGE


def _startable(path: Path) -> Path | None:
    found = shutil.which(os.path.abspath(path))  # noqa: PTH100 - no link is followed
    return Path(found) if found else None


def _bundled() -> Path | None:
    """The copy that the package carries; the package itself takes a second to import, and is not."""
    found = importlib.util.find_spec(_PACKAGE)
    places = (found.submodule_search_locations or ()) if found else ()
    programs = (Path(place, below) for place in places for below in _BUNDLED)
    return next((path for path in programs if path.is_file() and os.access(path, os.X_OK)), None)


def open_program(named: Path | None = None, environment: Mapping[str, str] = os.environ) -> Program:
    """Find the program and ask it, and git where that is there, for the version.

    Raises:
        InputError: If it is missing, cannot be started, or it or git is too old; the finding says what to do.
    """
    path, source = _look(named, environment)
    if path is None:
        where = _where(named, source, environment)
        raise _fault(
            "program-missing",
            tr(
                "the program Claude Code was looked for {where} and not found; {remedy}",
                where=where,
                remedy=GET_PROGRAM,
            ),
        )
    version = told_version(path, as_program=_CALLED)
    if version is None:
        raise _fault(
            "program-broken",
            tr(
                "{path} does not tell its version as Claude Code does; {remedy}",
                path=shown(path),
                remedy=GET_PROGRAM,
            ),
        )
    if _numbers(version) < MIN_PROGRAM:
        least = ".".join(map(str, MIN_PROGRAM))
        raise _fault(
            "program-old",
            tr(
                "{path} is version {version}, and {least} is needed; {remedy}",
                path=shown(path),
                version=version,
                least=least,
                remedy=GET_PROGRAM,
            ),
        )
    _check_git(environment)
    return Program(path=path, version=version, source=source)


def _where(named: Path | None, source: str, environment: Mapping[str, str]) -> str:
    if named is not None:
        return tr("as {named}", named=shown(named))
    if source == VARIABLE:
        return tr(
            "as {path}, which {variable} names,",
            path=shown(Path(environment[VARIABLE])),
            variable=VARIABLE,
        )
    return tr("on PATH and in {package}", package=_PACKAGE)


def _check_git(environment: Mapping[str, str]) -> None:
    """The program does without git; an old one would not be kept from the user's own settings."""
    git = shutil.which("git", path=environment.get("PATH", os.defpath))
    version = told_version(Path(git), as_program="git") if git else None
    if version and _numbers(version)[:2] < MIN_GIT:
        least = ".".join(map(str, MIN_GIT))
        message = tr(
            "{git} is version {version}, and {least} is needed to keep runs apart; update git, or take it off PATH",
            git=git,
            version=version,
            least=least,
        )
        raise _fault("git-old", message)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _fault(code: str, message: str) -> InputError:
    return InputError([Finding(level=Level.FAIL, code=code, message=message)])

"""Asks whether a plugin is trusted, before anything of it is run."""

import sys
from collections.abc import Iterable
from pathlib import Path

from skill_evaluator.api.plugin_eval.trust import remember, untrusted
from skill_evaluator.cli.console import say
from skill_evaluator.errors import EvaluatorError
from skill_evaluator.model import one_line


def is_trusted(folders: Iterable[Path], *, is_json: bool) -> bool:
    """Ask for each repository or folder that was never trusted; say what to do where nobody can be asked.

    Args:
        folders: Roots of plugins, and folders of suites without a plugin.
        is_json: Whether standard output belongs to a program.
    """
    return all(_is_trusted(unit, is_json=is_json) for unit in untrusted(folders))


def _is_trusted(unit: Path, *, is_json: bool) -> bool:
    if is_json or not (_is_terminal(sys.stdin) and _is_terminal(sys.stdout)):
        say(
            one_line(
                f"FAIL {unit}: you have not yet said that you trust it, and nobody can be asked here; run the command "
                "once at a terminal without --json, or add --trust-plugin if you would run this plugin yourself"
            )
        )
        return False
    say(one_line(f"{unit} was never evaluated here."))
    say("Its hooks and servers run as you, and a suite that passes does not show that a plugin is safe.")
    if not _says_yes():
        say("nothing was run")
        return False
    _remember(unit)
    return True


def _remember(unit: Path) -> None:
    try:
        file = remember(unit)
    except EvaluatorError as error:
        say(f"{error}; you will be asked again")
        return
    say(one_line(f"remembered in {file}" if file else "not remembered, since your configuration lies in it"))


def _says_yes() -> bool:
    """Ask; what was typed before the question is no answer to it."""
    try:
        import termios  # noqa: PLC0415 - not on Windows

        termios.tcflush(sys.stdin, termios.TCIFLUSH)
    except (ImportError, OSError, ValueError):
        pass
    print("Trust it? [y/N]", end=" ", file=sys.stderr, flush=True)
    try:
        answer = input()
    except EOFError:
        answer = ""
    return answer.strip().lower() in {"y", "yes"}


def _is_terminal(stream: object) -> bool:
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty())

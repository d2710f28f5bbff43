"""Asks whether a plugin is trusted, before anything of it is run."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from skill_evaluator.api.plugin_eval.trust import remember, trusted_as, untrusted
from skill_evaluator.cli.asking import agrees
from skill_evaluator.cli.console import say
from skill_evaluator.errors import EvaluatorError
from skill_evaluator.formats.suite.plugin import read_plugin
from skill_evaluator.model import one_line
from skill_evaluator.texts import tr


def is_trusted(folders: Iterable[Path], *, is_json: bool) -> bool:
    """Ask for each repository or folder that was never trusted; say what to do where nobody can be asked.

    Args:
        folders: Roots of plugins, and folders of suites without a plugin.
        is_json: Whether standard output belongs to a program.
    """
    known = tuple(folders)
    return all(
        _is_trusted(unit, [one for one in known if trusted_as(one) == unit], is_json=is_json)
        for unit in untrusted(known)
    )


def _is_trusted(unit: Path, plugins: Sequence[Path], *, is_json: bool) -> bool:
    if is_json or not (_is_terminal(sys.stdin) and _is_terminal(sys.stdout)):
        say(
            one_line(
                tr(
                    "FAIL {unit}: you have not yet said that you trust it, and nobody can be asked here; run the "
                    "command once at a terminal without --json, or "
                    "add --trust-plugin if you would run this plugin yourself",
                    unit=unit,
                )
            )
        )
        return False
    say(one_line(tr("{unit} was never evaluated here.", unit=unit)))
    say(one_line(_what_runs(plugins)))
    say(tr("A suite that passes does not show that a plugin is safe."))
    if not _says_yes():
        say(tr("nothing was run; where nobody can be asked, as in CI, --trust-plugin answers yes"))
        return False
    _remember(unit)
    return True


def _what_runs(plugins: Sequence[Path]) -> str:
    """Say what of plugins runs by itself, as far as can be seen without running them."""
    read = [read_plugin(folder.resolve()) for folder in dict.fromkeys(plugins)]
    servers = sorted({server for plugin in read for server in plugin.servers})
    has_hooks = any(plugin.manifest.values.get("hooks") or (plugin.root / "hooks").exists() for plugin in read)
    parts = [
        *([tr("hooks")] if has_hooks else []),
        *([tr("MCP servers ({servers})", servers=", ".join(servers))] if servers else []),
    ]
    if parts:
        return tr(
            "It has {parts}, which run as you.",
            parts=tr("{first} and {second}", first=parts[0], second=parts[1]) if len(parts) > 1 else parts[0],
        )
    return tr("No hooks and no MCP servers are seen in it; what it has the agent run, runs as you.")


def _remember(unit: Path) -> None:
    try:
        file = remember(unit)
    except EvaluatorError as error:
        say(tr("{error}; you will be asked again", error=error.args[0]))
        return
    say(
        one_line(
            tr("you will not be asked about {unit} again, as {file} says", unit=unit, file=file)
            if file
            else tr("not remembered, since your configuration lies in it")
        )
    )


def _says_yes() -> bool:
    """Ask; what was typed before the question is no answer to it."""
    try:
        import termios  # noqa: PLC0415 - not on Windows

        termios.tcflush(sys.stdin, termios.TCIFLUSH)
    except (ImportError, OSError, ValueError):
        pass
    return agrees(tr("Trust it? [y/N]"))


def _is_terminal(stream: object) -> bool:
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty())

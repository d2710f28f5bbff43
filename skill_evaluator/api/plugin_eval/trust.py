"""Whether the user trusts a plugin: its hooks, servers and scripts run on this machine as they do in a session.

An answer holds for a repository, or for the folder of a plugin that lies in none. It is remembered in the user's own
configuration folder; what Claude Code was told to trust counts as well. Neither is believed where it lies in what is
to be trusted, since whoever made the plugin could have put it there.

Source: Probed with Claude Code 2.1.332.
"""

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from skill_evaluator.api.plugin_eval.claude_home import claude_file, mapping_at, mapping_in
from skill_evaluator.report.files import write_whole

_FILE: Final = "trusted.json"
_KEY: Final = "trusted"


def untrusted(folders: Iterable[Path]) -> tuple[Path, ...]:
    """Give the repositories and folders that the user has not said to trust, each once, in order.

    Args:
        folders: Roots of plugins, and folders of suites without a plugin.
    """
    return tuple(dict.fromkeys(trusted_as(folder) for folder in folders if not _is_trusted(folder.resolve())))


def trusted_as(folder: Path) -> Path:
    """Give what is trusted as one: the repository that a folder lies in, else the folder; links are followed."""
    real = folder.resolve()
    return next((one for one in (real, *real.parents) if os.path.lexists(one / ".git")), real)


def remember(unit: Path) -> Path | None:
    """Remember that the user trusts a repository or folder.

    Returns:
        The file that was written; None where it would lie in what is trusted.

    Raises:
        InputError: If it cannot be written.
    """
    file = trust_file()
    if _lies_in(file, unit):
        return None
    known = _remembered(file)
    write_whole({file: json.dumps({_KEY: sorted({*known, str(unit)})}, ensure_ascii=False, indent=2) + "\n"})
    return file


def trust_file() -> Path:
    """Give the file in which answers are remembered."""
    return _configuration() / "skill-evaluator" / _FILE


def _configuration() -> Path:
    """Give the folder in which programs keep what their user set up; a relative one counts for nothing."""
    if sys.platform == "win32":
        named, usual = os.environ.get("APPDATA"), Path.home() / "AppData" / "Roaming"
    elif sys.platform == "darwin":
        named, usual = os.environ.get("XDG_CONFIG_HOME"), Path.home() / "Library" / "Application Support"
    else:
        named, usual = os.environ.get("XDG_CONFIG_HOME"), Path.home() / ".config"
    return Path(named) if named and Path(named).is_absolute() else usual


def _is_trusted(folder: Path) -> bool:
    """Say whether a folder is trusted, or one that holds it; of a repository none outside it counts."""
    unit = trusted_as(folder)
    is_repository = os.path.lexists(unit / ".git")
    chain = [one for one in (folder, *folder.parents) if not is_repository or one.is_relative_to(unit)]
    ours, theirs = trust_file(), claude_file()
    if not _lies_in(ours, unit) and not _remembered(ours).isdisjoint(map(str, chain)):
        return True
    projects = {} if _lies_in(theirs, unit) else mapping_at(mapping_in(theirs), "projects")
    return any(mapping_at(projects, str(one)).get("hasTrustDialogAccepted") is True for one in chain)


def _remembered(file: Path) -> frozenset[str]:
    known = (mapping_in(file) or {}).get(_KEY)
    return frozenset(one for one in known if isinstance(one, str)) if isinstance(known, list) else frozenset()


def _lies_in(file: Path, unit: Path) -> bool:
    return file.resolve().is_relative_to(unit)

"""What the target of `plugin-eval` means: a path, or the name of a plugin that Claude Code has installed."""

import os
from dataclasses import dataclass
from pathlib import Path

from skill_evaluator.api.plugin_eval.installed import find_installed
from skill_evaluator.formats.suite.discovery import EVAL_DIR, folder_parts


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """What is evaluated.

    Attributes:
        path: The path that was given, or the root of the plugin that was named.
        plugin: Root of the plugin that was named; None for a path.
        label: How it was named, or None for a path.
    """

    path: Path
    plugin: Path | None = None
    label: str | None = None

    @property
    def is_named(self) -> bool:
        """Whether an installed plugin was named; no question of trust is asked then."""
        return self.plugin is not None


def find_target(text: str) -> Target:
    """Say what a target means; the name of an installed plugin wins over a folder of the same name.

    Args:
        text: As it was typed; an empty one is the working folder.

    Returns:
        The target; a path need not exist.

    Raises:
        EvaluatorError: If it names a plugin that cannot be evaluated where sessions load it, or several plugins.
    """
    installed = find_installed(text) if may_be_name(text) else None
    if installed is None:
        return Target(path=Path(text or "."))
    return Target(path=installed.root, plugin=installed.root, label=installed.id)


def results_dir(target: Target, eval_dir: Path, flag: str | None, name: str) -> Path:
    """Give the folder of results where no option names one.

    Args:
        target: What is evaluated.
        eval_dir: Folder of its suite.
        flag: `--eval-dir` as given, or None.
        name: Name of the folder: when the suite was run.
    """
    if not target.is_named:
        return eval_dir / "results" / name
    parts = EVAL_DIR if flag is None else folder_parts(flag)
    return Path(*(EVAL_DIR if isinstance(parts, str) else parts), "results", name)


def may_be_name(text: str) -> bool:
    """Say whether a text can be the name of a plugin, and not only a path.

    >>> may_be_name("demo@market"), may_be_name("./demo"), may_be_name("."), may_be_name("")
    (True, False, False, False)
    """
    return text not in {"", ".", ".."} and "/" not in text and os.sep not in text

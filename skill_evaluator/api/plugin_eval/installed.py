"""Plugins that Claude Code has installed."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class InstalledPlugin:
    """A plugin that Claude Code has installed."""

    id: str
    root: Path


def find_installed(name: str) -> InstalledPlugin | None:
    """Find it."""
    return None

"""Tells what a run wrote into the plugin under test, which its own hooks can do."""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from skill_evaluator.texts import tr

_MOST: Final = 20_000  # files and folders of one plugin
_MOST_NAMED: Final = 20
_RESULTS: Final = "results"
_RESULTS_DEPTH: Final = 2  # they lie in the folder of the cases, which lies in the plugin or is it
_SKIPPED: Final = ".git"
_State = tuple[int, int, int]  # mode, size, time of change
_Files = dict[str, _State]


class PluginWatch:
    """Remembers how plugins looked, and tells what has changed since; their results do not count.

    Args:
        ignored: Further folders that do not count, such as where results are written.
        most: Files of one plugin; one that holds more is not watched.
    """

    def __init__(self, ignored: Sequence[Path] = (), *, most: int = _MOST) -> None:
        self._most = most
        self._ignored = {os.path.realpath(path) for path in ignored}
        self._seen: dict[Path, _Files | None] = {}

    def remember(self, plugins: Sequence[Path]) -> None:
        """Take in how plugins look that were not seen yet."""
        for plugin in plugins:
            if plugin not in self._seen:
                self._seen[plugin] = self._look(plugin)

    def changes(self, plugins: Sequence[Path]) -> tuple[str, ...]:
        """Say what was written, removed or changed since the last look, each once, for people."""
        return tuple(note for plugin in plugins for note in self._changes(plugin))

    def _changes(self, plugin: Path) -> Iterator[str]:
        before = self._seen.get(plugin)
        if before is None:
            return
        after = self._look(plugin)
        self._seen[plugin] = after
        if after is None:
            yield tr(
                "{plugin} now holds more than {most:,} files, so nobody looks any more whether runs change it",
                plugin=plugin,
                most=self._most,
            )
            return
        changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
        if changed:
            more = tr(" and {n} more", n=len(changed) - _MOST_NAMED) if len(changed) > _MOST_NAMED else ""
            yield tr(
                "the plugin in {plugin} was changed while it ran: {changed}{more}",
                plugin=plugin,
                changed=", ".join(changed[:_MOST_NAMED]),
                more=more,
            )

    def _look(self, plugin: Path) -> _Files | None:
        found: _Files = {}
        for name, state in self._walked(os.path.realpath(plugin)):
            found[name] = state
            if len(found) > self._most:
                return None
        return found

    def _walked(self, root: str) -> Iterator[tuple[str, _State]]:
        """Give all files and links below a folder; no link is followed."""
        waiting = [(root, "", 1)]
        while waiting:
            folder, above, depth = waiting.pop()
            for entry in _entries(folder):
                try:
                    told = entry.stat(follow_symlinks=False)
                except OSError:
                    continue  # removed while it was looked at
                if not stat.S_ISDIR(told.st_mode):
                    yield f"{above}{entry.name}", (told.st_mode, told.st_size, told.st_mtime_ns)
                elif not self._is_left_out(entry, depth):
                    waiting.append((entry.path, f"{above}{entry.name}/", depth + 1))

    def _is_left_out(self, entry: os.DirEntry[str], depth: int) -> bool:
        is_results = entry.name == _RESULTS and depth <= _RESULTS_DEPTH
        return is_results or entry.name == _SKIPPED or entry.path in self._ignored


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []

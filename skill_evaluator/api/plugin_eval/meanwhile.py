"""Loads libraries that are needed late while the first run waits for its program, so that nobody waits for them."""

import contextlib
import importlib
import threading

from skill_evaluator.report.page.room import has_room

__all__ = ["has_room", "load_meanwhile"]


def load_meanwhile(*names: str) -> threading.Thread:
    """Import modules in a thread, in order; one that cannot be imported says so where it is used."""
    thread = threading.Thread(target=_load, args=names, daemon=True)
    thread.start()
    return thread


def _load(*names: str) -> None:
    for name in names:
        with contextlib.suppress(ImportError, MemoryError):
            importlib.import_module(name)

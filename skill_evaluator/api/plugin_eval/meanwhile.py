"""Loads libraries that are needed late while the first run waits for its program, so that nobody waits for them."""

import contextlib
import importlib
import threading


def has_room() -> bool:
    """Whether memory is not limited: where it is, OpenBLAS may end the whole process while numpy is imported.

    Then nothing of it is loaded before the answer of a suite stands on the disk.
    """
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return True
    kinds = (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    return all(resource.getrlimit(kind)[0] == resource.RLIM_INFINITY for kind in kinds)


def load_meanwhile(*names: str) -> threading.Thread:
    """Import modules in a thread, in order; one that cannot be imported says so where it is used."""
    thread = threading.Thread(target=_load, args=names, daemon=True)
    thread.start()
    return thread


def _load(*names: str) -> None:
    for name in names:
        with contextlib.suppress(ImportError, MemoryError):
            importlib.import_module(name)

"""Writes files whole or not at all.

Everything is first written beside its target and forced to disk; only then do the targets change, one rename
each, and a rename that fails takes the earlier ones back.
"""

import contextlib
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Level
from skill_evaluator.reasons import reason_of
from skill_evaluator.texts import tr

Undo = list[Callable[[], None]]


def write_whole(files: Mapping[Path, str]) -> None:
    r"""Write all files, or change nothing.

    Text is written as UTF-8, line ends as they stand (`\n` in all reports). Missing folders are made, links
    are followed, and a file that is replaced keeps its permissions.

    Args:
        files: Text by path.

    Raises:
        InputError: If one cannot be written; then every target is as it was, and what was begun is gone.
    """
    contents = {path: text.encode() for path, text in files.items()}
    kept: list[Path] = []
    with _undone_on_failure() as undo:
        staged = [(path, _stage(path, content, undo)) for path, content in contents.items()]
        for path, temporary in staged:
            _replace(path, temporary, kept, undo)
    _tidy(kept, {path.resolve().parent for path in contents})


@contextlib.contextmanager
def _undone_on_failure() -> Iterator[Undo]:
    """Give a list of ways back, walked from its end if anything goes wrong, an interrupt too."""
    undo: Undo = []
    try:
        yield undo
    except BaseException:
        for step in reversed(undo):
            with contextlib.suppress(OSError):
                step()
        raise


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Tell the user which file could not be written."""
    try:
        yield
    except OSError as error:
        reason = reason_of(error)
        message = tr("this file cannot be written ({reason}); nothing was; name another place", reason=reason)
        finding = Finding(
            level=Level.FAIL, code="cannot-write", file=str(path), message=message, values={"error": reason}
        )
        raise InputError([finding]) from error


def _stage(path: Path, content: bytes, undo: Undo) -> Path:
    """Write a file beside its target and give its name."""
    with _named(path):
        target = path.resolve()
        if target.exists() and not target.is_file():
            raise OSError(tr("it is a folder or a device"))
        _make_folder(target.parent, undo)
        temporary = _beside(target)
        undo.append(lambda: temporary.unlink(missing_ok=True))
        with temporary.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        return temporary


def _replace(path: Path, temporary: Path, kept: list[Path], undo: Undo) -> None:
    """Put a new file in its place, with the old one at hand until all are in place."""
    with _named(path):
        target = path.resolve()
        if target.exists():
            old = _beside(target)
            kept.append(old)
            undo.append(lambda: _put_back(old, target))
            _copy(target, old)
        else:
            undo.append(lambda: target.unlink(missing_ok=True))
        temporary.replace(target)


def _copy(target: Path, old: Path) -> None:
    """Give a file a second name, or a second copy where the file system has no second names."""
    try:
        old.hardlink_to(target)
    except OSError:
        shutil.copy2(target, old)


def _put_back(old: Path, target: Path) -> None:
    old.replace(target)
    old.unlink(missing_ok=True)  # a rename between two names of one file does nothing (POSIX)


def _make_folder(folder: Path, undo: Undo) -> None:
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    for parent in reversed(missing):
        try:
            parent.mkdir()
        except FileExistsError:  # another program made it meanwhile, so it is not ours to take back
            if not parent.is_dir():
                raise
        else:
            undo.append(parent.rmdir)


def _beside(target: Path) -> Path:
    """A name of our own in the same folder, hidden, so that a rename stays within one file system."""
    return target.with_name(f".{secrets.token_hex(8)}.tmp")


def _tidy(kept: Iterable[Path], folders: Iterable[Path]) -> None:
    """Forget the old files and make the renames last; the new files stand, whatever fails here."""
    for old in kept:
        with contextlib.suppress(OSError):
            old.unlink(missing_ok=True)
    for folder in folders:
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

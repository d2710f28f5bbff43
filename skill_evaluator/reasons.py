"""Why the system or another program refused something, in words that can be said in another language."""

import errno
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from skill_evaluator.texts import Text, tr

# The words that Linux and macOS have; where a system has others, those are kept.
_WORDS: Final[Mapping[int, Text]] = MappingProxyType(
    {
        errno.ENOENT: tr("No such file or directory"),
        errno.EACCES: tr("Permission denied"),
        errno.EPERM: tr("Operation not permitted"),
        errno.EISDIR: tr("Is a directory"),
        errno.ENOTDIR: tr("Not a directory"),
        errno.EEXIST: tr("File exists"),
        errno.ENOSPC: tr("No space left on device"),
        errno.EROFS: tr("Read-only file system"),
        errno.ENAMETOOLONG: tr("File name too long"),
        errno.ELOOP: tr("Too many levels of symbolic links"),
        errno.EMFILE: tr("Too many open files"),
        errno.EBUSY: tr("Device or resource busy"),
        errno.EIO: tr("Input/output error"),
        errno.EFBIG: tr("File too large"),
        errno.ENOTEMPTY: tr("Directory not empty"),
        errno.EADDRINUSE: tr("Address already in use"),
        errno.ECONNREFUSED: tr("Connection refused"),
    }
)


def reason_of(error: Exception) -> str:
    """Give the reason alone, without the number and the name of a file.

    Args:
        error: One of the system, or any other, which says it in its own words.

    >>> reason_of(FileNotFoundError(2, "No such file or directory", "a.json"))
    'No such file or directory'
    """
    if not isinstance(error, OSError) or not error.strerror:
        said = error.args[0] if error.args else ""
        return said if isinstance(said, Text) else str(error)
    known = _WORDS.get(error.errno or 0)
    return known if known == error.strerror else error.strerror


def told(error: OSError) -> str:
    """Give all that an error of the system says: its number, the reason, and the file where it names one."""
    reason = reason_of(error)
    if not isinstance(reason, Text):
        return str(error)
    if error.filename is None:
        said = tr("[Errno {errno}] {reason}", errno=error.errno, reason=reason)
    else:
        said = tr("[Errno {errno}] {reason}: {file!r}", errno=error.errno, reason=reason, file=error.filename)
    return said if said == str(error) else str(error)


def foreign(words: str) -> str:
    """Quote words of another program where a sentence of ours is in another language than they are.

    >>> foreign("missing )")
    'missing )'
    """
    return words if isinstance(words, Text) else tr("{words_of_others}", words_of_others=words)

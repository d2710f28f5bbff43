"""Names of files: those that this program makes, and how it tells the user's."""

import os
import re
from pathlib import Path

LONGEST = 80  # file systems allow 255 bytes; three bytes a Chinese character, and a time stamp follows


def slug(name: str) -> str:
    """A name that is safe in any file system; letters of any script stay.

    >>> slug("../Control Mapping: 控制")
    'Control-Mapping-控制'
    """
    return re.sub(r"[^\w-]+", "-", name)[:LONGEST].strip("-_") or "skill"


def stamp(timestamp: str) -> str:
    """A report's timestamp as it stands in file names.

    >>> stamp("2025-11-08T14:30:00Z")
    '20251108T143000Z'
    """
    return timestamp.replace("-", "").replace(":", "")


def shown(path: Path) -> str:
    """A path as text that can be stored; bytes that are no UTF-8 are escaped."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")

"""What keeps the runs of a case from being started, told by what lifts it.

Source: Runs of Claude Code 2.1.332.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.texts import tr

# Codes of faults of a plugin for which nobody knows which servers to stand in for.
UNKNOWN_SERVERS: Final = frozenset({"bad-manifest", "server-bundle"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Blocked:
    """Why runs of one case cannot be started, one sentence for each fault.

    Attributes:
        mocks: Its stand-ins cannot be made, so that no run of the case is even begun; lifted by `--mocks off`.
        servers: Nobody knows which servers to stand in for, likewise; lifted by `--allow-real-servers` too.
        runs: Every run of it fails.
        with_plugin: Every run with the plugin fails.
        scaffold: Every run fails where scaffold scripts are run.
    """

    mocks: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    with_plugin: tuple[str, ...] = ()
    scaffold: tuple[str, ...] = ()


NOTHING_BLOCKED: Final = Blocked()


def told(faults: Iterable[tuple[Path | None, SuiteFault]], root: Path) -> Iterator[str]:
    """Say each fault in one sentence.

    Args:
        faults: File or None for a key of the case itself, and fault.
        root: Files are named relative to it.
    """
    for path, fault in faults:
        if path is None:
            yield fault.message
        else:
            file = Path(os.path.relpath(path, root)).as_posix()
            if fault.line is None:
                yield tr("{file}: {message}", file=file, message=fault.message)
            else:
                yield tr("{file}, line {line}: {message}", file=file, line=fault.line, message=fault.message)

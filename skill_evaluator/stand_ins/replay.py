"""Recordings that the author of a suite adopted: found by what names a call, those of the real program by its input.

What names a recording of the real program is not known. It is taken where its input is that of the call; several of one
input answer in the order in which they were recorded, each once in a run.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast, get_args

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.folders import list_folder
from skill_evaluator.formats.suite.reading import read_inside
from skill_evaluator.model import JsonObject
from skill_evaluator.stand_ins.recordings import NAMED_BY, Verdict, in_order
from skill_evaluator.texts import joined, tr

MAX_FILES: Final = 4096
_VERDICTS: Final = get_args(Verdict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """A recording as it lies in `.replay/`; `is_ours` where its name says exactly which call it answers."""

    name: str
    arguments: JsonObject
    output: str
    verdict: Verdict
    recorded_at: str
    is_ours: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Shelf:
    """One `.replay/<server>/`: what can be read of it, how many files lie there, and what is wrong with others."""

    kept: tuple[Kept, ...] = ()
    pinned: int = 0
    faults: tuple[str, ...] = ()


@dataclass(slots=True)
class Replay:
    """The recordings of one server as one run uses them up."""

    used: Counter[str] = field(default_factory=Counter)

    def find(self, shelf: Shelf, tool: str, key: str, arguments: JsonObject) -> Kept | None:
        """Give the recording that answers a call, or None.

        Args:
            shelf: Where to look.
            tool: The tool that is called.
            key: What names the call.
            arguments: Its input.
        """
        exact = next((one for one in shelf.kept if one.name == f"{tool}-{key}.json"), None)
        if exact is not None:
            return exact
        alike = [one for one in _of_others(shelf.kept, tool) if in_order(one.arguments) == in_order(arguments)]
        fresh = next((one for one in alike if not self.used[one.name]), None)
        if fresh is not None:
            self.used[fresh.name] += 1
        return fresh


def read_shelf(folder: Path, *, root: Path) -> Shelf:
    """Read a `.replay/<server>/`; it need not exist.

    Args:
        folder: The folder.
        root: The outermost folder that may be read.
    """
    if not os.path.lexists(folder):
        return Shelf()
    entries = list_folder(folder, root=root)
    if isinstance(entries, SuiteFault):
        return Shelf(faults=(joined(" ", [str(folder), entries.message]),))
    files = [entry.path for entry in entries if entry.name.endswith(".json")]
    if len(files) > MAX_FILES:
        return Shelf(
            faults=(
                tr(
                    "{folder} holds {n:,} recordings, and {max_files:,} at most are read: none was",
                    folder=folder,
                    n=len(files),
                    max_files=MAX_FILES,
                ),
            )
        )
    read = [_read(path, root) for path in files]
    return Shelf(
        kept=tuple(one for one in read if isinstance(one, Kept)),
        pinned=len(files),
        faults=tuple(one for one in read if isinstance(one, str)),
    )


def _of_others(kept: Iterable[Kept], tool: str) -> list[Kept]:
    found = [one for one in kept if not one.is_ours and one.name.rpartition("-")[0] == tool]
    return sorted(found, key=lambda one: (one.recorded_at, one.name))


def _read(path: Path, root: Path) -> Kept | str:
    text = read_inside(path, root=root)
    if isinstance(text, SuiteFault):
        return joined(" ", [str(path), text.message])
    try:
        values: object = json.loads(text.text)
    except (ValueError, RecursionError) as error:
        return tr("{path} is no valid JSON ({error}), so it answers nothing", path=path, error=error)
    match values:
        case {"input": dict(arguments), "output": str(output), "verdict": str(verdict), **rest} if verdict in _VERDICTS:
            moment = rest.get("recordedAt")
            return Kept(
                name=path.name,
                arguments=arguments,
                output=output,
                verdict=cast("Verdict", verdict),
                recorded_at=moment if isinstance(moment, str) else "",
                is_ours=rest.get("namedBy") == NAMED_BY,
            )
        case _:
            return tr(
                "{path} is no recording: expected input, output and a verdict of {verdicts}",
                path=path,
                verdicts=", ".join(_VERDICTS),
            )

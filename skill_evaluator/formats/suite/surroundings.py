"""What all cases of a suite share: stand-ins, links and names that fail every run, read once.

Source: Suites recorded with Claude Code 2.1.332.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.folders import Entry, walk_folders
from skill_evaluator.formats.suite.mock_folders import MockFolder, PlacedFault, read_mock_folder
from skill_evaluator.formats.suite.names import MOCKS
from skill_evaluator.texts import tr

_LINKS: Final = ("folder-link", "broken-link", "looping-link")


@dataclass(frozen=True, kw_only=True, slots=True)
class Surroundings:
    """What all cases of a suite share.

    Attributes:
        eval_dir: Folder of the suite.
        root: The outermost folder that may be read: the plugin, or the suite where there is none.
        mocks: The stand-ins for all cases.
        links: Links below the suite to folders, to nothing or to themselves; each fails the runs of every case that
            does not name it, or a folder above it, in `add_dirs`.
        faults: What else fails every run of every case.
    """

    eval_dir: Path
    root: Path
    mocks: MockFolder = field(default_factory=MockFolder)
    links: tuple[Entry, ...] = ()
    faults: tuple[PlacedFault, ...] = ()


def read_surroundings(eval_dir: Path, *, root: Path) -> Surroundings:
    """Read what all cases of a suite share.

    Args:
        eval_dir: Folder of the suite.
        root: The outermost folder that may be read: the plugin, or the suite where there is none.
    """
    mocks = read_mock_folder(eval_dir / MOCKS, root=root)
    links: list[Entry] = []
    faults = list(mocks.faults)
    for folder, entries in walk_folders(eval_dir, root=root, descend=lambda _, entries: entries):
        if isinstance(entries, SuiteFault):
            faults.extend(_tree_fault(folder, entries))
        else:
            links.extend(entry for entry in entries if entry.kind in _LINKS)
    return Surroundings(eval_dir=eval_dir, root=root, mocks=mocks, links=tuple(links), faults=tuple(faults))


def link_faults(around: Surroundings, add_dirs: Mapping[Path, Iterable[str]]) -> Iterator[PlacedFault]:
    """Give the links that fail the runs of at least one case.

    Args:
        around: What all cases share.
        add_dirs: Folder of each case -> its `add_dirs` as written.
    """
    covered = [[_lexical(case / written) for written in names] for case, names in add_dirs.items()]
    for link in around.links:
        path = _lexical(link.path)
        if not covered or not all(any(path.is_relative_to(folder) for folder in folders) for folders in covered):
            yield link.path, _link_fault(link)


def _link_fault(link: Entry) -> SuiteFault:
    match link.kind:
        case "folder-link":
            message = tr("is a link to a folder, which a suite must not hold; put the folder itself there")
        case "looping-link":
            message = tr("is a link that leads to itself; remove it")
        case _:
            message = tr("is a link to something that does not exist; mend or remove it")
    return SuiteFault(code="suite-link", path=(), message=message, effect="fails")


def _tree_fault(folder: Path, fault: SuiteFault) -> Iterator[PlacedFault]:
    """Give what keeps a folder from being looked through; that of cases lies too deep is told where cases are found."""
    if fault.code != "too-deep":
        yield folder, replace(fault, effect="refused")


def _lexical(path: Path) -> Path:
    return Path(os.path.normpath(path))

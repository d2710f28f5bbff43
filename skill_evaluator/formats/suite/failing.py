"""What a case can be known to fail for before any run: it loads, and every run of it ends in an error.

Source: Suites recorded with Claude Code 2.1.332.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from skill_evaluator.formats.suite.baselines import baseline_fault
from skill_evaluator.formats.suite.blocked import NOTHING_BLOCKED, UNKNOWN_SERVERS, Blocked, told
from skill_evaluator.formats.suite.case_servers import CaseServers
from skill_evaluator.formats.suite.environment import env_faults
from skill_evaluator.formats.suite.faults import KeyPath, SuiteFault
from skill_evaluator.formats.suite.manifest import Manifest, read_manifest
from skill_evaluator.formats.suite.mock_folders import MockFolder, PlacedFault, read_mock_folder
from skill_evaluator.formats.suite.names import MOCKS
from skill_evaluator.formats.suite.paths import (
    add_dirs_faults,
    file_problem,
    history_fault,
    plugin_problem,
    scaffold_fault,
)
from skill_evaluator.formats.suite.plugin_names import case_name_fault, plugin_name_faults, suite_name_faults
from skill_evaluator.formats.suite.surroundings import Surroundings, link_faults, read_surroundings
from skill_evaluator.model import MockServer, Setup
from skill_evaluator.texts import tr


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """What of a case is needed as its author wrote it.

    Attributes:
        plugins: Entries of `plugins`.
        baselines: Name of each `baseline` grader -> its file.
    """

    plugins: Sequence[str] = ()
    baselines: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Failing:
    """What keeps the runs of one case from ever being graded.

    Attributes:
        faults: File or None, and fault. None stands for the file in which the key stands: the path begins with `env`,
            `add_dirs`, `history_file`, `scaffold_script`, `plugins`, or `graders` and the name of a grader; an empty
            path stands for the folder of the case.
        mocks: The stand-ins of the case; of no use where there are faults.
        mocks_load: Whether the case's own mock files load, and fit to those for all cases.
        ignored_mocks: Files of its own `mocks/` that are read by nobody.
        served: MCP servers of the plugins it is run with: folder in `mocks/` -> name in names of tools.
        blocked: Why its runs cannot be started, for faults of shared files too.
    """

    faults: tuple[tuple[Path | None, SuiteFault], ...]
    mocks: tuple[MockServer, ...]
    mocks_load: bool = True
    ignored_mocks: tuple[Path, ...] = ()
    served: Mapping[str, str] = field(default_factory=dict)
    blocked: Blocked = NOTHING_BLOCKED


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteFailing:
    """What keeps runs of a suite from ever being graded.

    Attributes:
        shared: Faults of files that several cases share; all cases fail by them, or those that a plugin is given to.
        cases: What fails single cases, in the order of the cases; shared faults are not given again.
        refused: What would fail the refused ones if they loaded, in their order.
        mocks_load: Whether no mock file has a fault; else it is not known what they stand in for.
        ignored_mocks: Files of the suite's `mocks/` that are read by nobody.
    """

    shared: tuple[PlacedFault, ...]
    cases: tuple[Failing, ...]
    refused: tuple[Failing, ...] = ()
    mocks_load: bool = True
    ignored_mocks: tuple[Path, ...] = ()


def find_failing(
    eval_dir: Path,
    cases: Sequence[tuple[Setup, Written]],
    *,
    root: Path,
    refused: Sequence[tuple[Setup, Written]] = (),
) -> SuiteFailing:
    """Find what every run of a case would fail for, for all cases of a suite.

    Args:
        eval_dir: Folder of the suite.
        cases: What the runs of each case need, and the same as written; the `mocks` of a setup are not looked at.
        root: The outermost folder that may be read: the plugin, or the suite where there is none.
        refused: The same of cases that do not load, as far as it could be read.
    """
    around = read_surroundings(eval_dir, root=root)
    everyone = (*cases, *refused)
    plugins = sorted({plugin for setup, _ in everyone for plugin in setup.plugins})
    manifests = {plugin: read_manifest(plugin, root=root) for plugin in plugins}
    of_plugins = {plugin: tuple(_plugin_faults(plugin, manifests[plugin], eval_dir)) for plugin in plugins}
    everywhere = [plugin for plugin in plugins if all(plugin in setup.plugins for setup, _ in everyone)]
    own = {plugin: faults for plugin, faults in of_plugins.items() if plugin not in everywhere}
    servers = CaseServers(suite=around.mocks, manifests=manifests)
    shared = _Shared(around=around, servers=servers, of_plugins=of_plugins, own=own)
    found = tuple(_failing(setup, written, shared) for setup, written in everyone)
    of_shared_mocks = tuple(servers.shared_faults())
    return SuiteFailing(
        ignored_mocks=around.mocks.ignored,
        mocks_load=not (around.mocks.faults or of_shared_mocks) and all(one.mocks_load for one in found),
        shared=(
            *around.faults,
            *suite_name_faults(eval_dir),
            *link_faults(around, {setup.folder: setup.add_dirs for setup, _ in cases}),
            *(fault for plugin in everywhere for fault in of_plugins[plugin]),
            *of_shared_mocks,
        ),
        cases=found[: len(cases)],
        refused=found[len(cases) :],
    )


def _plugin_faults(plugin: Path, manifest: Manifest, eval_dir: Path) -> Iterator[PlacedFault]:
    yield from ((manifest.path or plugin, fault) for fault in manifest.faults)
    yield from plugin_name_faults(plugin, eval_dir)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Shared:
    """What cases share: `of_plugins` are all faults of plugins, `own` those that are told with single cases."""

    around: Surroundings
    servers: CaseServers
    of_plugins: Mapping[Path, tuple[PlacedFault, ...]]
    own: Mapping[Path, tuple[PlacedFault, ...]]


def _failing(setup: Setup, written: Written, shared: _Shared) -> Failing:
    around = shared.around
    own = setup.folder / MOCKS
    folder = MockFolder() if own == around.eval_dir / MOCKS else read_mock_folder(own, root=around.root)
    mocks, faults = shared.servers.of_case(folder, setup.plugins)
    keys = tuple((None, fault) for fault in _key_faults(setup, around, written))
    plugins = (fault for plugin in setup.plugins for fault in shared.own.get(plugin, ()))
    of_mocks = (*around.mocks.faults, *folder.faults, *shared.servers.all_faults(setup.plugins), *faults)
    return Failing(
        faults=(*keys, *plugins, *folder.faults, *faults),
        mocks=mocks,
        mocks_load=not (folder.faults or faults),
        ignored_mocks=folder.ignored,
        served=shared.servers.served(setup.plugins),
        blocked=_blocked(setup, keys, of_mocks, shared),
    )


def _blocked(
    setup: Setup, keys: Sequence[tuple[None, SuiteFault]], of_mocks: Sequence[PlacedFault], shared: _Shared
) -> Blocked:
    around = shared.around
    plugins = [fault for plugin in setup.plugins for fault in shared.of_plugins[plugin]]
    everywhere = (*suite_name_faults(around.eval_dir), *link_faults(around, {setup.folder: setup.add_dirs}))
    unknown = [one for one in plugins if one[1].code in UNKNOWN_SERVERS]
    return Blocked(
        mocks=tuple(told(of_mocks, around.root)),
        servers=tuple(told(unknown, around.root)),
        runs=tuple(
            told((*(one for one in keys if _keeps_from_starting(one[1], setup, around)), *everywhere), around.root)
        ),
        with_plugin=tuple(told((one for one in plugins if one not in unknown), around.root)),
        scaffold=tuple(told((one for one in keys if one[1].effect == "fails-with-scaffold"), around.root)),
    )


def _keeps_from_starting(fault: SuiteFault, setup: Setup, around: Surroundings) -> bool:
    """Whether no run is started; one that is to go on with a transcript without a message is, and is graded."""
    if fault.path == ("history_file",) and setup.history_file:
        return file_problem(setup.folder, setup.history_file, around.root) is not None
    return fault.effect == "fails"


def _key_faults(setup: Setup, around: Surroundings, written: Written) -> Iterator[SuiteFault]:
    case, root = setup.folder, around.root
    yield from env_faults(setup.env)
    yield from add_dirs_faults(case, setup.add_dirs, written.baselines.values())
    single = (
        case_name_fault(case, around.eval_dir),
        history_fault(case, setup.history_file, root=root),
        scaffold_fault(case, setup.scaffold_script),
        *(baseline_fault(case, name, file, root=root) for name, file in written.baselines.items()),
    )
    yield from (fault for fault in single if fault is not None)
    yield from _plugin_places(setup, written, around.eval_dir)


def _plugin_places(setup: Setup, written: Written, eval_dir: Path) -> Iterator[SuiteFault]:
    """Give the plugins of a case, named or found around it, that lie where none may."""
    case = setup.folder
    for index, entry in enumerate(written.plugins):
        if (problem := plugin_problem(case / entry, case, eval_dir)) is not None:
            yield _fault(
                "bad-plugins",
                ("plugins", index),
                tr("`plugins` names {entry!r}, which {problem}", entry=entry, problem=problem),
            )
    for plugin in () if written.plugins else setup.plugins:
        if (problem := plugin_problem(plugin, case, eval_dir)) is not None:
            name = os.path.relpath(plugin, eval_dir)
            yield _fault(
                "bad-plugins",
                (),
                tr("the nearest plugin around the case is {name!r}, which {problem}", name=name, problem=problem),
            )


def _fault(code: str, path: KeyPath, message: str) -> SuiteFault:
    return SuiteFault(code=code, path=path, message=message, effect="fails")

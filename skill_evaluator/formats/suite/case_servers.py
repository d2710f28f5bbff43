"""The stand-ins of the cases of one suite: those for all cases are joined once, not for each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from skill_evaluator.formats.suite.manifest import Manifest
from skill_evaluator.formats.suite.mock_folders import MockFolder, PlacedFault
from skill_evaluator.formats.suite.mocks import merge_mocks, offer_faults
from skill_evaluator.model import MockServer


@dataclass(kw_only=True, slots=True)
class CaseServers:
    """The stand-ins of a suite, joined with those of its cases; most cases have none of their own.

    Attributes:
        suite: Stand-ins for all cases.
        manifests: What the plugins under test say of themselves.
        known: Plugins of a case -> the stand-ins that are for all cases, and what is wrong with them.
    """

    suite: MockFolder
    manifests: Mapping[Path, Manifest]
    known: dict[tuple[Path, ...], tuple[tuple[MockServer, ...], tuple[PlacedFault, ...]]] = field(default_factory=dict)

    def of_case(self, own: MockFolder, plugins: tuple[Path, ...]) -> tuple[tuple[MockServer, ...], list[PlacedFault]]:
        """Give the stand-ins of a case, and what is wrong with them only for this case."""
        if plugins not in self.known:
            self.known[plugins] = self._joined(MockFolder(), plugins)
        shared, faults = self.known[plugins]
        if not own.servers:
            return shared, []
        joined, joined_faults = self._joined(own, plugins)
        return joined, [fault for fault in joined_faults if fault not in faults]

    def served(self, plugins: tuple[Path, ...]) -> Mapping[str, str]:
        """Give the servers that plugins declare: name as the folders of `mocks/` have it -> name in names of tools."""
        return {name: full for plugin in plugins for name, full in self.manifests[plugin].servers.items()}

    def all_faults(self, plugins: tuple[Path, ...]) -> tuple[PlacedFault, ...]:
        """Give what is wrong with the stand-ins for all cases where they are run with these plugins."""
        return self.known[plugins][1]

    def shared_faults(self) -> Iterator[PlacedFault]:
        """Give what is wrong with the stand-ins for all cases, each once."""
        told: set[tuple[Path, str]] = set()
        for _, faults in self.known.values():
            for path, fault in faults:
                if (path, fault.message) not in told:
                    told.add((path, fault.message))
                    yield path, fault

    def _joined(
        self, own: MockFolder, plugins: tuple[Path, ...]
    ) -> tuple[tuple[MockServer, ...], tuple[PlacedFault, ...]]:
        declared = self.served(plugins)
        mocks = merge_mocks(self.suite, own, declared=frozenset(declared))
        return mocks, tuple(offer_faults(mocks, declared))

"""What is doubtful about the stand-ins of a case, for people."""

from collections.abc import Iterator, Mapping, Sequence

from skill_evaluator.stand_ins.servers import RunServer
from skill_evaluator.texts import tr


def warnings_about(servers: Sequence[RunServer], served: Mapping[str, str]) -> Iterator[str]:
    """Say what is doubtful about the servers of a case.

    Args:
        servers: Those of its runs with the plugin.
        served: Servers that its plugins declare.
    """
    yield from _overruled(servers)
    withheld = [server.program_name for server in servers if server.mock is None]
    for server in servers:
        if server.kind == "standalone" and served:
            yield (
                tr(
                    "mocks/{name} is named like no server of the plugin, so it is served as one of its own; the "
                    "plugin declares {served}",
                    name=server.name,
                    served=", ".join(sorted(served)),
                )
            )
    if withheld:
        yield (
            tr(
                "not started, since no mock stands in for it: {withheld}; add mocks/<server>/, or run the real "
                "one with `--allow-real-servers`",
                withheld=", ".join(withheld),
            )
        )
    started = sorted(set(served.values()) - {server.segment for server in servers})
    if started:
        yield tr(
            "really started, as you and without any sandbox, since no mock stands in for it: {started}",
            started=", ".join(started),
        )
    for server in servers:
        if server.undescribed:
            yield (
                tr(
                    "{name}: the agent sees neither description nor input schema of "
                    "{undescribed}; save the real server's answer to tools/list as "
                    "mocks/{name}/_tools.json",
                    name=server.name,
                    undescribed=", ".join(server.undescribed),
                )
            )


def _overruled(servers: Sequence[RunServer]) -> Iterator[str]:
    for server in servers:
        if server.mock is not None and server.mock.overruled:
            yield (
                tr(
                    "mocks/{name}/_server.md does not answer {overruled}, which has a file "
                    "of its own: neither its words nor its `abort_when` hold there",
                    name=server.name,
                    overruled=", ".join(server.mock.overruled),
                )
            )

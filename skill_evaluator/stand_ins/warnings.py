"""What is doubtful about the stand-ins of a case, for people."""

from collections.abc import Iterator, Mapping, Sequence

from skill_evaluator.stand_ins.servers import RunServer


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
                f"mocks/{server.name} is named like no server of the plugin, so it is served as one of its own; the "
                f"plugin declares {', '.join(sorted(served))}"
            )
    if withheld:
        yield (
            f"not started, since no mock stands in for it: {', '.join(withheld)}; add mocks/<server>/, or run the real "
            "one with `--allow-real-servers`"
        )
    started = sorted(set(served.values()) - {server.segment for server in servers})
    if started:
        yield f"really started, as you and without any sandbox, since no mock stands in for it: {', '.join(started)}"
    for server in servers:
        if server.undescribed:
            yield (
                f"{server.name}: the agent sees neither description nor input schema of "
                f"{', '.join(server.undescribed)}; save the real server's answer to tools/list as "
                f"mocks/{server.name}/_tools.json"
            )


def _overruled(servers: Sequence[RunServer]) -> Iterator[str]:
    for server in servers:
        if server.mock is not None and server.mock.overruled:
            yield (
                f"mocks/{server.name}/_server.md does not answer {', '.join(server.mock.overruled)}, which has a file "
                "of its own: neither its words nor its `abort_when` hold there"
            )

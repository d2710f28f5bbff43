"""Stand-ins as others meet them: the client of the official MCP SDK, and the real program."""

import asyncio
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from skill_evaluator.model import Arm
from skill_evaluator.stand_ins import OpenStandIns
from tests.api_answers import Answer, call, text
from tests.api_server import ApiServer
from tests.unit.stand_in_setup import AGENT, Actor, Stage
from tests.unit.test_stand_ins import during

TODAY = "mcp__plugin_harbour_tide__today"
ODD = "Low </script> \x07 & 高潮 😀"


def test_the_client_of_the_official_sdk_lists_and_calls_tools(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="the MCP SDK is not there: pip install mcp, to have it judge the server")
    from mcp import ClientSession  # noqa: PLC0415 - only where it is there
    from mcp.client.streamable_http import streamable_http_client  # noqa: PLC0415

    async def job(run: OpenStandIns) -> None:
        (entry, _) = run.servers.values()
        async with (
            streamable_http_client(str(entry["url"])) as (read, write, *_),
            ClientSession(read, write) as session,
        ):
            welcome = await session.initialize()
            assert welcome.capabilities.tools is not None
            (tool,) = (await session.list_tools()).tools
            assert tool.name == "today"
            for words in ("Kehl", ODD):
                result = await session.call_tool("today", {"port": words})
                assert [block.text for block in result.content] == [f"At {words}"]
            assert (await session.call_tool("absent", {})).model_dump(by_alias=True)["isError"] is True

    during(Stage(tmp_path, {"mocks/tide/today.md": "At {{input.port}}"}), job)


@dataclass(frozen=True, kw_only=True)
class Session:
    """What the real program did: its lines, and its exit status."""

    lines: tuple[Mapping[str, object], ...]
    status: int

    @property
    def text(self) -> str:
        return "\n".join(json.dumps(line, ensure_ascii=False) for line in self.lines)


async def met(run: OpenStandIns, program: Path, folder: Path, url: str) -> Session:
    """Have the real program speak to the stand-ins until it ends, or is killed since they end the run."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "none",
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }
    servers = json.dumps({"mcpServers": dict(run.servers)})
    child = await asyncio.create_subprocess_exec(
        *(program, "-p", "--output-format", "stream-json", "--verbose", "--permission-mode", "dontAsk"),
        *("--setting-sources", "user", "--strict-mcp-config", "--mcp-config", servers),
        f"--allowed-tools={','.join(run.tools)}",
        cwd=folder,
        env=environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**24,
    )
    talk = asyncio.create_task(child.communicate(b"When is low water?"))
    ended = asyncio.create_task(run.ended.wait())
    await asyncio.wait([talk, ended], return_when=asyncio.FIRST_COMPLETED, timeout=60)
    ended.cancel()
    if child.returncode is None:
        child.kill()
    output, _ = await talk
    return Session(
        lines=tuple(json.loads(line) for line in output.decode().split("\n") if line.startswith("{")),
        status=await child.wait(),
    )


def session_of(stage: Stage, program: Path, *calls: Mapping[str, object]) -> tuple[OpenStandIns, Session, int]:
    """Give the run, the session and the number of requests of an agent that makes these calls in turn."""

    def answer(asked: dict[str, object]) -> Answer:
        done = json.dumps(asked["messages"]).count('"tool_result"')
        return call(TODAY, calls[done]) if done < len(calls) and asked.get("tools") else text("Done.")

    sessions: list[Session] = []
    with ApiServer(answer) as server:

        async def job(run: OpenStandIns) -> None:
            sessions.append(await met(run, program, stage.root, server.url))

        run = during(stage, job)
        return run, sessions[0], len([one for one in server.requests if one.get("tools")])


def test_the_real_program_calls_a_stand_in_and_shows_its_answer_unchanged(tmp_path: Path, claude_program: Path) -> None:
    stage = Stage(tmp_path, {"mocks/tide/today.md": "{{input.words}}"})
    run, session, _ = session_of(stage, claude_program, {"words": ODD})

    assert session.status == 0
    assert session.lines[0]["mcp_servers"] == [
        {"name": f"plugin:harbour:{name}", "status": "connected", "source": "dynamic"} for name in ("tide", "crane")
    ]
    assert run.calls is not None
    assert [(one.tool, one.output) for one in run.calls] == [(TODAY, ODD)]
    assert json.dumps(ODD, ensure_ascii=False)[1:-1] in session.text


def test_the_real_program_is_played_to_by_a_model(tmp_path: Path, claude_program: Path) -> None:
    actor = Actor("low at six", "ERROR: no gauge")
    stage = Stage(tmp_path, {"mocks/tide/today.md": AGENT}, completer=actor)
    run, session, _ = session_of(stage, claude_program, {"day": 1}, {"day": 2})

    assert session.status == 0
    assert run.calls is not None
    assert [one.verdict for one in run.calls] == ["ok", "tool_error"]
    assert "low at six" in session.text
    assert "no gauge" in session.text
    assert "low at six" in actor.asked[1].text


def test_the_real_program_asks_for_nothing_more_once_a_call_ended_the_run(tmp_path: Path, claude_program: Path) -> None:
    stage = Stage(tmp_path, {"mocks/tide/today.md": "---\nexpect: {day: number}\n---\nlow"})
    run, session, requests = session_of(stage, claude_program, {"day": 1}, {"day": "x"}, {"day": 3})

    assert session.status == -9
    assert run.aborted is not None
    assert run.aborted.tool == "today"
    assert requests == 2
    assert session.lines[-1]["type"] == "assistant"


def test_a_run_without_the_plugin_starts_no_server(tmp_path: Path) -> None:
    async def job() -> None:
        stage = Stage(tmp_path, {"mocks/tide/today.md": "low"})
        async with stage.stand_ins.of_run(stage.case, Arm.WITHOUT, 0) as run:
            assert asyncio.all_tasks() == {asyncio.current_task()}
            assert run.servers == {}

    asyncio.run(job())

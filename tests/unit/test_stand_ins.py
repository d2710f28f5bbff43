"""Which servers a run sees, and what becomes of a call to them; over HTTP, as a program reaches them."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.model import (
    Aborted,
    AnyQuestion,
    Arm,
    Completion,
    JsonObject,
    MockCall,
    StandInServer,
    StandInTool,
)
from skill_evaluator.stand_ins import OpenStandIns
from skill_evaluator.stand_ins.log import MAX_CALLS, RunLog
from tests.unit.stand_in_setup import AGENT, PRICE_USD, Actor, Stage, texts
from tests.unit.test_mcp_server import rpc

TIDE, CRANE = "plugin:harbour:tide", "plugin:harbour:crane"


def during(stage: Stage, job: Callable[[OpenStandIns], Awaitable[None]], arm: Arm = Arm.WITH) -> OpenStandIns:
    async def run() -> OpenStandIns:
        async with stage.stand_ins.of_run(stage.case, arm, 0) as run:
            await job(run)
        clients = asyncio.all_tasks() - {asyncio.current_task()}
        if clients:  # those whose calls were never answered learn it now; of the server nothing may be left
            async with asyncio.timeout(20):
                await asyncio.gather(*clients, return_exceptions=True)
        return run

    return asyncio.run(run())


async def call(run: OpenStandIns, tool: str, arguments: Mapping[str, object], server: str = TIDE) -> Any:  # noqa: ANN401 - any JSON
    """Call a tool: its text, with `!` before a tool error."""
    result = await rpc(str(run.servers[server]["url"]), "tools/call", {"name": tool, "arguments": arguments})
    return f"{'!' if result['isError'] else ''}{result['content'][0]['text']}"


async def unanswered(run: OpenStandIns, tool: str, arguments: Mapping[str, object], server: str = TIDE) -> None:
    """Call a tool that ends the run; the call is never answered."""
    pending = asyncio.create_task(call(run, tool, arguments, server))
    async with asyncio.timeout(20):
        await run.ended.wait()
    done, _ = await asyncio.wait([pending], timeout=0.1)
    assert not done


async def listed(run: OpenStandIns, server: str) -> list[JsonObject]:
    tools: list[JsonObject] = (await rpc(str(run.servers[server]["url"]), "tools/list"))["tools"]
    return tools


FLOOD = """
import asyncio, json, sys
from urllib.parse import urlsplit

parts = urlsplit(sys.argv[1])
body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "today"}})
sent = f"POST {parts.path} HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n{body}".encode()
places = asyncio.Semaphore(500)  # files that a program may have open

async def one():
    async with places:
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        writer.write(sent)
        answer = await reader.read()
        writer.close()
        return b'"text": "low"' in answer

async def flood():
    calls = [asyncio.create_task(one()) for _ in range(int(sys.argv[2]))]
    await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
    print("began", flush=True)
    return sum(await asyncio.gather(*calls))

print(asyncio.run(flood()))
"""


async def nothing(run: OpenStandIns) -> None:
    """Only look."""


def test_tools_that_the_file_of_the_server_does_not_answer_are_told(tmp_path: Path) -> None:
    files = {
        "mocks/tide/_server.md": "---\ntype: agent\ntools: [today, later]\n---\nBe the harbour.\n",
        "mocks/tide/today.md": "low",
    }
    run = during(Stage(tmp_path, files), nothing)
    assert run.use is not None
    assert "mocks/tide/_server.md does not answer today, which has" in run.use.warnings[0]
    assert not any("_server.md" in warning for warning in run.use.warnings[1:])


def test_every_server_of_the_plugin_is_shadowed_and_one_without_a_mock_has_no_tools(tmp_path: Path) -> None:
    async def job(run: OpenStandIns) -> None:
        assert list(run.servers) == [TIDE, CRANE]
        assert all(entry["type"] == "http" for entry in run.servers.values())
        assert (await rpc(str(run.servers[TIDE]["url"]), "initialize"))["serverInfo"]["name"] == "eval-mock/tide"
        permissive = {"type": "object", "additionalProperties": True}
        assert await listed(run, TIDE) == [{"name": "today", "inputSchema": permissive}]
        assert await listed(run, CRANE) == []
        assert await call(run, "lift", {}, CRANE) == "!this server has no such tool"

    run = during(Stage(tmp_path, {"mocks/tide/today.md": "low"}), job)

    assert run.is_exclusive
    assert run.tools == ("mcp__plugin_harbour_tide__today",)
    assert run.calls == ()
    assert run.use is not None
    assert run.use.servers == (
        StandInServer(server="tide", kind="shadow", tools=(StandInTool(tool="today", responder="fixed"),)),
        StandInServer(server="plugin_harbour_crane", kind="shadow", is_withheld=True),
    )
    withheld, undescribed = run.use.warnings
    assert CRANE in withheld
    assert "mocks/tide/_tools.json" in undescribed


def test_the_saved_list_describes_mocked_tools_alone(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]}
    saved = {
        "tools": [
            {"name": "today", "description": "Tides.", "inputSchema": schema, "outputSchema": {"type": "object"}},
            {"name": "other", "inputSchema": {"type": "object"}},
        ]
    }

    async def job(run: OpenStandIns) -> None:
        assert await listed(run, TIDE) == [{"name": "today", "description": "Tides.", "inputSchema": schema}]

    stage = Stage(tmp_path, {"mocks/tide/today.md": "low", "mocks/tide/_tools.json": json.dumps(saved)})
    run = during(stage, job)

    assert run.use is not None
    assert len(run.use.warnings) == 1  # about the crane


def test_without_the_plugin_only_servers_of_no_plugin_are_there(tmp_path: Path) -> None:
    async def job(run: OpenStandIns) -> None:
        assert list(run.servers) == ["other"]
        assert await call(run, "t", {"a": "1"}, "other") == "ONE 1"

    stage = Stage(tmp_path, {"mocks/tide/today.md": "low", "mocks/other/t.md": "ONE {{input.a}}"})
    run = during(stage, job, Arm.WITHOUT)

    assert run.tools == ("mcp__other__t",)
    assert run.use is not None
    assert [(one.server, one.kind) for one in run.use.servers] == [("other", "standalone")]
    assert any("mocks/other is named like no server of the plugin" in warning for warning in run.use.warnings)


def test_without_the_plugin_nothing_is_there_where_only_its_servers_are_mocked(tmp_path: Path) -> None:
    run = during(Stage(tmp_path, {"mocks/tide/today.md": "low"}), nothing, Arm.WITHOUT)

    assert (run.servers, run.calls, run.use, run.is_exclusive) == ({}, None, None, True)


def test_where_nothing_is_mocked_there_are_no_calls_to_look_at(tmp_path: Path) -> None:
    run = during(Stage(tmp_path, {}), nothing)
    run.saw(["mcp__plugin_harbour_tide__today"])

    assert list(run.servers) == [TIDE, CRANE]
    assert run.calls is None
    assert run.use is not None
    assert run.use.unmocked == ()


def test_without_any_server_there_is_nothing_to_report(tmp_path: Path) -> None:
    run = during(Stage(tmp_path, {}, servers=None), nothing)

    assert (run.servers, run.calls, run.use, run.is_exclusive) == ({}, None, None, True)


def test_real_servers_are_started_beside_the_mocked_ones_when_asked_for(tmp_path: Path) -> None:
    run = during(Stage(tmp_path, {"mocks/tide/today.md": "low"}, allow_real_servers=True), nothing)

    assert list(run.servers) == [TIDE]
    assert not run.is_exclusive
    assert run.use is not None
    assert [one.server for one in run.use.servers] == ["tide"]
    assert "plugin_harbour_crane" in run.use.warnings[0]


def test_mocks_are_left_out_when_they_are_off(tmp_path: Path) -> None:
    run = during(Stage(tmp_path, {"mocks/tide/today.md": "low"}, off=True), nothing)

    assert (run.servers, run.tools, run.calls, run.use, run.is_exclusive) == ({}, (), None, None, False)


def test_a_server_keeps_its_place_where_nobody_says_what_the_program_calls_it(tmp_path: Path) -> None:
    stage = Stage(tmp_path, {"mocks/tide/today.md": "low"})
    stage.stand_ins = replace(stage.stand_ins, names={})

    assert list(during(stage, nothing).servers) == [TIDE, CRANE]


def test_a_server_with_an_odd_name_is_taken_the_place_of_by_its_own_name(tmp_path: Path) -> None:
    servers = '{"mcpServers": {"tide.log v2": {"command": "false"}}}'
    run = during(Stage(tmp_path, {"mocks/tide_log_v2/t.md": "low"}, servers=servers, allow_real_servers=True), nothing)

    assert list(run.servers) == ["plugin:harbour:tide.log v2"]
    assert run.tools == ("mcp__plugin_harbour_tide_log_v2__t",)


def test_a_fixed_answer_is_given_and_noted(tmp_path: Path) -> None:
    async def job(run: OpenStandIns) -> None:
        assert await call(run, "today", {"port": "Kehl"}) == "Low at Kehl </script>\x07"
        assert await call(run, "fails", {}) == "!no gauge"
        assert await call(run, "absent", {}) == "!this server has no such tool"

    mocks = {
        "mocks/tide/today.md": "Low at {{input.port}} </script>\x07",
        "mocks/tide/fails.md": "---\nerror: true\n---\nno gauge",
    }
    run = during(Stage(tmp_path, mocks), job)
    run.saw(["Skill", "mcp__plugin_harbour_tide__absent", run.tools[0], "mcp__plugin_harbour_crane__lift", "mcp__x__y"])

    assert run.calls is not None
    assert [(one.tool.rpartition("__")[2], one.verdict, one.is_error) for one in run.calls] == [
        ("today", "ok", False),
        ("fails", "tool_error", True),
    ]
    assert run.use is not None
    assert (run.use.total, run.use.errors, run.use.cost_usd) == (2, 1, 0.0)
    assert run.use.unmocked == (("tide/absent", 1), ("plugin_harbour_crane/lift", 1))


def test_a_call_that_breaks_a_guard_ends_the_run_and_is_the_last(tmp_path: Path) -> None:
    async def job(run: OpenStandIns) -> None:
        assert await call(run, "today", {"port": "Kehl"}) == "low"
        await unanswered(run, "today", {"port": 5})
        await unanswered(run, "today", {"port": "Kehl"})

    run = during(Stage(tmp_path, {"mocks/tide/today.md": "---\nexpect: {port: string}\n---\nlow"}), job)

    assert run.aborted is not None
    assert (run.aborted.server, run.aborted.tool) == ("tide", "today")
    assert "port = 5 is not of the type string" in run.aborted.reason
    assert run.calls is not None
    assert [one.verdict for one in run.calls] == ["ok", "abort"]
    assert run.use is not None
    assert (run.use.total, run.use.errors) == (2, 0)


def test_a_model_is_told_what_it_plays_and_what_it_said_before(tmp_path: Path) -> None:
    actor = Actor("one", "ERROR: two", "three")

    async def job(run: OpenStandIns) -> None:
        assert await call(run, "a", {"x": 1}) == "one"
        assert await call(run, "c", {"y": 2}) == "fixed"
        assert await call(run, "b", {}) == "!two"
        assert await call(run, "lift", {"t": 4}, CRANE) == "three"
        assert await call(run, "a", {"x": "高\ud800"}) == "three"

    mocks = {
        "mocks/tide/_server.md": "---\ntype: agent\ntools: [a, b]\n---\nYou keep the log.\n",
        "mocks/tide/c.md": "fixed",
        "mocks/crane/lift.md": "---\ntype: agent\nabort_when: it is too heavy\n---\nYou are a crane.\n",
    }
    run = during(Stage(tmp_path, mocks, completer=actor), job)

    first, second, crane, last = actor.asked
    assert '"tide"' in first.system
    assert first.system.endswith("You keep the log.")
    assert "it is too heavy" in crane.system
    assert "evaluation judge" not in first.system
    assert texts([first, second, crane]) == [
        'Call to answer: a\nInput:\n{\n  "x": 1\n}',
        'Earlier calls of this run:\n- a({"x":1}) -> one\n\nCall to answer: b\nInput:\n{}',
        'Call to answer: lift\nInput:\n{\n  "t": 4\n}',
    ]
    assert "\n- b({}) -> [tool error] two\n" in last.text
    last.text.encode()
    assert run.use is not None
    assert (run.use.total, run.use.errors, run.use.replay_hits, run.use.replay_misses) == (5, 1, 0, 4)
    assert run.use.cost_usd == 4 * PRICE_USD


# What the real program made of the same words.
@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("  spaced  \nERROR: second line", "spaced  \nERROR: second line"),
        ("\n ERROR:  \n bad \n", "!bad"),
        ("ERROR:", "!error"),
        ("error: low", "error: low"),
        ("ABORT: why", "!why"),
        ("ABORT", "ABORT"),
        ("", ""),
    ],
)
def test_the_words_of_a_model_are_read_as_the_real_program_reads_them(tmp_path: Path, said: str, heard: str) -> None:
    async def job(run: OpenStandIns) -> None:
        assert await call(run, "a", {}) == heard

    during(Stage(tmp_path, {"mocks/tide/a.md": AGENT}, completer=Actor(said)), job)


def test_a_model_ends_the_run_where_its_file_says_when(tmp_path: Path) -> None:
    async def job(run: OpenStandIns) -> None:
        assert await call(run, "a", {}) == "abort: x"
        await unanswered(run, "a", {})

    mocks = {"mocks/tide/a.md": "---\ntype: agent\nabort_when: bad\n---\nX"}
    run = during(Stage(tmp_path, mocks, completer=Actor("abort: x", "ABORT:  \n bad \x1b thing")), job)

    assert run.aborted == Aborted(server="tide", tool="a", reason="bad \\x1b thing")


def test_a_call_that_waits_for_its_turn_is_left_hanging_when_the_one_before_ends_the_run(tmp_path: Path) -> None:
    class Slow(Actor):
        async def complete(self, question: AnyQuestion) -> Completion:
            await asyncio.sleep(0.5)  # for the other calls to come
            return await super().complete(question)

    actor = Slow("ABORT: enough")

    async def job(run: OpenStandIns) -> None:
        waiting = [asyncio.create_task(call(run, "a", {"n": number})) for number in range(4)]
        await run.ended.wait()
        done, _ = await asyncio.wait(waiting, timeout=0.3)
        assert not done

    mocks = {"mocks/tide/a.md": "---\ntype: agent\nabort_when: bad\n---\nX"}
    run = during(Stage(tmp_path, mocks, completer=actor), job)

    assert len(actor.asked) == 1
    assert run.calls is not None
    assert len(run.calls) == 1


@pytest.mark.parametrize("actor", [None, Actor(None)])
def test_a_model_that_gives_no_answer_is_a_tool_error_and_said(tmp_path: Path, actor: Actor | None) -> None:
    async def job(run: OpenStandIns) -> None:
        assert (await call(run, "a", {})).startswith("!")

    run = during(Stage(tmp_path, {"mocks/tide/a.md": AGENT}, completer=actor), job)

    assert run.use is not None
    assert (run.use.total, run.use.errors, run.use.replay_misses, run.use.cost_usd) == (1, 1, 1, 0.0)
    assert ("HTTP 529" if actor else "no model is set") in run.use.warnings[-1]
    assert run.recordings == ()


def test_the_call_beyond_the_budget_of_all_played_servers_ends_the_run(tmp_path: Path) -> None:
    """The case has `max_turns: 6`, so 24 calls."""
    actor = Actor("fine")

    async def job(run: OpenStandIns) -> None:
        for number in range(24):
            server, tool = ((TIDE, "a"), (CRANE, "lift"))[number % 2]
            assert await call(run, tool, {"n": number}, server) == "fine"
        assert await call(run, "c", {}) == "fixed"
        await unanswered(run, "a", {})

    mocks = {"mocks/tide/a.md": AGENT, "mocks/crane/lift.md": AGENT, "mocks/tide/c.md": "fixed"}
    run = during(Stage(tmp_path, mocks, completer=actor), job)

    assert len(actor.asked) == 24
    assert run.aborted is not None
    assert "24 calls" in run.aborted.reason
    assert run.use is not None
    assert (run.use.total, run.use.replay_misses) == (26, 24)


def test_calls_that_come_together_are_played_one_after_another(tmp_path: Path) -> None:
    actor = Actor(*map(str, range(8)))

    async def job(run: OpenStandIns) -> None:
        answers = await asyncio.gather(*(call(run, "a", {"n": number}) for number in range(8)))
        assert sorted(answers) == list(map(str, range(8)))

    during(Stage(tmp_path, {"mocks/tide/a.md": AGENT}, completer=actor), job)

    assert [question.text.count("->") for question in actor.asked] == list(range(8))


def test_what_waits_for_a_model_is_ended_with_the_run(tmp_path: Path) -> None:
    waits = asyncio.Event()

    class Slow(Actor):
        async def complete(self, question: AnyQuestion) -> Completion:
            waits.set()
            await asyncio.get_running_loop().create_future()
            return await super().complete(question)

    actor = Slow("late")

    async def job(run: OpenStandIns) -> None:
        asyncio.create_task(call(run, "a", {}))  # noqa: RUF006 - it ends with the run
        await waits.wait()

    during(Stage(tmp_path, {"mocks/tide/a.md": AGENT}, completer=actor), job)


def test_a_flood_of_calls_from_another_program_is_answered_and_others_are_not_kept_waiting(tmp_path: Path) -> None:
    """Far more clients at once than connections that are served."""
    calls = 400

    async def job(run: OpenStandIns) -> None:
        url = str(run.servers[TIDE]["url"])
        flood = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", FLOOD, url, str(calls)), stdout=asyncio.subprocess.PIPE
        )
        async with stage.stand_ins.of_run(stage.case, Arm.WITH, 1) as other:
            assert flood.stdout is not None
            assert await flood.stdout.readline() == b"began\n"
            assert await call(other, "today", {}) == "low"
            assert len(run.calls or ()) < calls
        answered, _ = await flood.communicate()
        assert int(answered) == calls

    stage = Stage(tmp_path, {"mocks/tide/today.md": "low"})
    run = during(stage, job)

    assert len(run.calls or ()) == calls


def test_a_run_that_calls_without_end_is_ended() -> None:
    async def job() -> RunLog:
        log = RunLog(budget=1)
        while (why := log.full_for({})) is None:
            log.add(MockCall(tool="mcp__s__a", arguments={}, output="low"))
        assert f"{MAX_CALLS:,} calls" in why
        return log

    assert len(asyncio.run(job()).calls) == MAX_CALLS


def test_what_is_kept_of_a_run_is_bounded(tmp_path: Path) -> None:
    async def job(run: OpenStandIns) -> None:
        arguments = {"a": "x" * 900_000}
        answers = 0
        while not run.ended.is_set():
            pending = asyncio.create_task(call(run, "today", arguments))
            ended = asyncio.create_task(run.ended.wait())
            await asyncio.wait([pending, ended], return_when=asyncio.FIRST_COMPLETED)
            ended.cancel()
            answers += 1
        assert answers == 7

    run = during(Stage(tmp_path, {"mocks/tide/today.md": "{{input.a}}{{input.a}}"}), job)

    assert run.aborted is not None
    assert "characters" in run.aborted.reason


def test_a_body_that_repeats_a_long_input_is_a_tool_error(tmp_path: Path) -> None:
    async def job(run: OpenStandIns) -> None:
        assert "2,097,152 characters" in await call(run, "today", {"a": "x" * 100_000})
        assert "10,000 parts" in await call(run, "today", {"b": 1})

    run = during(Stage(tmp_path, {"mocks/tide/today.md": "{{input.a}}" * 11_000}), job)

    assert run.use is not None
    assert run.use.errors == 2


def test_only_the_first_call_ends_a_run() -> None:
    async def job() -> RunLog:
        log = RunLog(budget=1)
        log.abort(Aborted(server="s", tool="a", reason="first"), "mcp__s__a", {})
        log.abort(Aborted(server="s", tool="b", reason="second"), "mcp__s__b", {})
        return log

    log = asyncio.run(job())

    assert log.aborted is not None
    assert log.aborted.reason == "first"
    assert len(log.calls) == 1

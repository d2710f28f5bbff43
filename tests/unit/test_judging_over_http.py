"""The judge over real HTTP: what is sent is what was planned, and its answers become panels."""

import asyncio
import os
from collections.abc import Mapping
from typing import Any

import pytest

from skill_evaluator.agents.messages.api import MessagesApi
from skill_evaluator.agents.messages.completer import ModelCompleter
from skill_evaluator.judging import ask_panels, hidden_names, plan_panels
from skill_evaluator.model import FailureKind, Question
from skill_evaluator.results import Panel
from tests.api_server import Answer, ApiServer, call, fault, text
from tests.unit.judges import by_run, case, fair, of_controls, runs, shown

PLANS = plan_panels(
    [case("p0"), case("p1")],
    {"p0": runs(), "p1": runs(name="p1")},
    hidden=hidden_names(skills=["level-maker"], models=["judge-1"]),
    seed=0,
)


def judged(script: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[tuple[Panel, ...], ApiServer]:  # noqa: ANN401 - a script
    async def ask() -> tuple[Panel, ...]:
        async with ModelCompleter(MessagesApi("judge-1")) as completer:
            return await ask_panels(PLANS, completer, concurrency=3)

    with ApiServer(script) as server:
        for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
            monkeypatch.delenv(name)
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        return asyncio.run(ask()), server


def answers_shown(body: Mapping[str, Any]) -> dict[str, str]:
    system, said = body["system"][0]["text"], body["messages"][0]["content"][0]["text"]
    return shown(Question(system=system, text=said, tool="", tool_description="", schema={}))


def test_a_fair_judge_is_asked_four_times_and_scores_what_it_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(body: Any) -> Answer:  # noqa: ANN401 - JSON
        given = fair(answers_shown(body))
        assert isinstance(given, dict)
        return call("give_scores", given)

    panels, server = judged(script, monkeypatch)

    assert [panel.case_id for panel in panels] == ["p0", "p1"]
    for panel in panels:
        assert by_run(panel) == {0: (3, 3), 1: (5, 5), 2: (2, 2)}
        assert set(of_controls(panel).values()) == {(1, 1)}
    assert len(server.requests) == 4
    planned = {question.text for plan in PLANS for question in (plan.forward, plan.backward)}
    bodies: list[Any] = list(server.requests)
    assert {body["messages"][0]["content"][0]["text"] for body in bodies} == planned
    assert all(body["tool_choice"] == {"type": "tool", "name": "give_scores"} for body in bodies)


def test_a_judge_that_writes_prose_gives_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    panels, _ = judged(lambda _: text("All of them are fine, 5 for each."), monkeypatch)

    for panel in panels:
        for ballot in (panel.forward, panel.backward):
            assert ballot is not None
            assert ballot.failure is not None
            assert ballot.failure.kind is FailureKind.API


def test_a_refused_key_ends_the_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    panels, server = judged(lambda _: fault(401), monkeypatch)

    assert len(server.requests) <= 3
    assert panels[1].backward is None
    assert panels[0].forward is not None
    assert panels[0].forward.failure is not None
    assert panels[0].forward.failure.kind is FailureKind.AUTH

"""Servers that answer in ways no one expects: each ends as a number that holds or as an error, never as a crash."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.agents.messages.api import MessagesApi
from skill_evaluator.agents.messages.gate import Gate
from skill_evaluator.agents.messages.prices import ModelPrices, Prices, Rates
from skill_evaluator.agents.messages.request import ApiReply, ApiRequest
from skill_evaluator.cli import main
from skill_evaluator.errors import InputError
from skill_evaluator.model import OUTPUT_GAP, Failure, FailureKind, Usage
from tests.api_answers import message_events
from tests.api_server import Answer, ApiServer, call, text
from tests.unit.conftest import POSITIVES
from tests.unit.messages_setup import FIRE, case_in, change_rows, model, run, serve
from tests.unit.report_files import written

REQUEST = ApiRequest(system=(), messages=({"role": "user", "content": "hello"},), max_tokens=100)
PRICES = Prices(
    as_of="2026-11-30",
    source="made up",
    models={"m": ModelPrices(rates=Rates(input=1, output=10, cache_write=2, cache_read=0.5))},
)
DEEP = json.loads("[" * 600 + "]" * 600)

Measure = Callable[..., dict[str, Any]]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ApiReply | Failure]:
    """Ask a scripted server once."""

    def ask_once(answer: Answer, *, stream: bool = False) -> ApiReply | Failure:
        async def asked() -> ApiReply | Failure:
            async with MessagesApi("m", prices=PRICES, max_retries=0, timeout_s=20) as api:
                return await api.ask(replace(REQUEST, stream=stream))

        with ApiServer(lambda _: answer) as server:
            for name, value in server.environment().items():
                monkeypatch.setenv(name, value)
            return asyncio.run(asked())

    return ask_once


@pytest.fixture
def measure(skill_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Measure:
    """Run the test set against a model that gives these answers to the first positive; gives that case."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)

    def measured(*answers: Answer, checks: dict[str, object] | None = None) -> dict[str, Any]:
        if checks:
            change_rows(skill_dir, {"p0": checks})
        with serve(model({POSITIVES[0]: answers})) as server:
            for name, value in server.environment().items():
                monkeypatch.setenv(name, value)
            assert run(skill_dir) in {0, 1, 2}
        return dict(case_in(written(), "p0"))

    return measured


@pytest.mark.parametrize("tokens", [10**400, 10**308])
def test_a_number_that_no_tokens_can_have_is_not_known(ask: Callable[..., ApiReply | Failure], tokens: int) -> None:
    reply = ask(text("hi", usage={"input_tokens": tokens, "output_tokens": tokens}))

    assert isinstance(reply, ApiReply)
    assert reply.usage == Usage(requests=1)


def test_half_a_surrogate_pair_in_an_answer_is_kept_as_a_replacement(measure: Measure) -> None:
    case = measure(
        call("Skill", {"skill": FIRE}), text("half \ud83d here"), checks={"expected_output_contains": ["here"]}
    )

    assert [one["output"] for one in case["runs"]] == ["half \ufffd here"] * 3


def test_half_a_surrogate_pair_in_a_call_is_kept_as_a_replacement(measure: Measure) -> None:
    case = measure(call("Re\ud83dd", {"pa\ud83dth": "\ud83d"}), text("done"))

    assert [one["name"] for one in case["runs"][0]["tool_calls"]] == ["Re\ufffdd"]


@pytest.mark.parametrize("name", ["Read", "Skill"])
def test_an_answer_nested_without_end_is_an_error(measure: Measure, name: str) -> None:
    case = measure(call(name, {"skill": FIRE, "path": "x", "deep": DEEP}))

    assert [one["state"] for one in case["runs"]] == ["error"] * 3
    assert "nests deeper than 200 levels" in case["runs"][0]["failure"]["message"]


def test_a_very_long_output_is_kept_without_its_middle(measure: Measure) -> None:
    long = text(f"first {'x' * 3_000_000} last")
    case = measure(call("Skill", {"skill": FIRE}), long, checks={"expected_output_contains": ["first", "last"]})

    output = case["runs"][0]["output"]
    assert (output[:6], output[-5:]) == ("first ", " last")
    assert len(output) == 1_000_000 + len(OUTPUT_GAP)


def test_a_streamed_call_whose_input_never_ends_is_an_error(ask: Callable[..., ApiReply | Failure]) -> None:
    whole = call("Skill", {"skill": FIRE})
    events = [one for one in message_events(whole, {"model": "m"}) if b"content_block_stop" not in one]

    failed = ask(replace(whole, events=b"".join(events)), stream=True)

    assert isinstance(failed, Failure)
    assert failed.kind is FailureKind.API


def test_a_batch_whose_id_cannot_be_kept_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async def submitted() -> str | Failure:
        async with MessagesApi("m", prices=PRICES, max_retries=0) as api:
            return await api.submit({"a": REQUEST})

    with ApiServer(lambda _: text("hi")) as server:
        server.batches.faults.create = [Answer(body=json.dumps({"id": "half \ud83d"}).encode())]
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        assert isinstance(asyncio.run(submitted()), Failure)


def test_no_server_is_left_alone_for_years() -> None:
    async def waits_s() -> float:
        gate = Gate(clock=lambda: 0.0)
        gate.refused(await gate.enter(), 1e9)
        return gate.closed_s()

    assert asyncio.run(waits_s()) == 3600


@pytest.mark.parametrize("key", ["gate!key#12345\n", "gate!key\n#12345", " gate!key#12345", "gate!key#12345\t"])
@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(
    monkeypatch: pytest.MonkeyPatch, name: str, key: str
) -> None:
    monkeypatch.setenv(name, key)

    with pytest.raises(InputError) as refused:
        MessagesApi("m")

    assert name in str(refused.value)
    assert "12345" not in str(refused.value)


@pytest.mark.parametrize("url", ["http://\u2603.invalid", "http://1.2.3.999", "http://\x01x"])
def test_an_address_that_the_transport_refuses_is_an_error(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    async def asked() -> ApiReply | Failure:
        async with MessagesApi("m") as api:
            return await api.ask(REQUEST)

    monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
    failed = asyncio.run(asked())

    assert isinstance(failed, Failure)
    assert "ANTHROPIC_BASE_URL" in failed.message


@pytest.mark.parametrize("command", ["regrade", "replay"])
def test_checks_that_came_later_find_nothing_in_runs_that_ended_with_the_trigger(
    measure: Measure, skill_dir: Path, command: str
) -> None:
    measure(call("Skill", {"skill": FIRE}))
    (run_folder,) = Path(".skill-evaluator/runs").iterdir()
    checks: dict[str, dict[str, object]] = {
        "p0": {"expected_output_contains": ["level"]},
        "p1": {"expected_tool_calls": ["publish"]},
        "p2": {"expected_output_not_contains": ["sorry"]},
        "p3": {"expected_params": {"level_id": 3}},
    }
    change_rows(skill_dir, checks)
    testset = ("--testset", str(skill_dir / "testset.json"), "--output-dir", "again")
    words = {
        "regrade": ("regrade", str(run_folder), "--yes"),
        "replay": ("run", str(skill_dir), "--agent", "replay", "--recordings", str(run_folder), "--yes", "--quiet"),
    }[command]
    assert main([*words, *testset]) == 0

    report = written("again")
    assert [one["outcome"]["passed"] for id_ in checks for one in case_in(report, id_)["runs"][0]["verdicts"]] == [
        None
    ] * 4
    rates = {name: metric for name, metric in report["splits"]["tuning"]["metrics"].items() if "pass_rate" in name}
    assert {metric["value"] for metric in rates.values()} == {None}


def test_a_model_whose_name_is_no_text_is_refused() -> None:
    with pytest.raises(InputError, match="the name of the model is no UTF-8"):
        MessagesApi("m\udcff")


@pytest.mark.parametrize(
    ("judge", "key", "told"),
    [("m\udcff", "a-key", "the name of the model is no UTF-8"), ("m", "gate!key#12345\n", "ANTHROPIC_API_KEY")],
)
def test_what_no_judge_can_be_asked_with_is_refused_before_anything_is_asked(
    skill_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    judge: str,
    key: str,
    told: str,
) -> None:
    monkeypatch.chdir(skill_dir)
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    change_rows(skill_dir, {"p0": {"rubric": [{"item": "is a level"}]}})

    assert main(["run", str(skill_dir), "--agent", "embedded", "--judge-model", judge, "--yes"]) == 1
    assert told in capsys.readouterr().err

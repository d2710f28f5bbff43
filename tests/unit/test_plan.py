"""What is told before the first call: how many calls, what bounds them, and what they cost."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from skill_evaluator.api.options import cost_faults
from skill_evaluator.api.preflight import prepare
from skill_evaluator.api.probe import probe_skill
from skill_evaluator.api.request import Prepared, Request
from skill_evaluator.cli import main
from skill_evaluator.cli.plan import plan_text
from skill_evaluator.errors import InputError
from skill_evaluator.model import AgentInfo, Arm, Case, Run


class Asked:
    """An agent that is never asked here."""

    def __init__(self, **settings: object) -> None:
        self.info = AgentInfo(name="command", model="m-1", settings=settings)

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        raise AssertionError(f"a plan asks nobody, least of all {case.id}, {arm}, {index}")


@pytest.fixture
def prepared(skill_dir: Path, record: Callable[..., Path]) -> Prepared:
    return prepare(Request(skill=skill_dir, agent="replay", recordings=record()))


def probed(prepared: Prepared, agent: Asked, **options: object) -> str:
    request = replace(prepared.request, **options)  # type: ignore[arg-type]
    return plan_text(replace(prepared, agent=agent, request=request, probed=True, retried=True, probe=probe_skill()))


def test_an_agent_that_asks_nobody_costs_nothing(prepared: Prepared) -> None:
    assert plan_text(prepared) == "12 cases x 3 runs = 36 calls of agent replay (model not recorded); cost: none"


def test_the_most_calls_are_told(prepared: Prepared) -> None:
    """36 runs and 2 calls of the canary, each tried again 5 times: 38 x 6."""
    unknown = "not known before; the agent reports it with each answer"
    assert probed(prepared, Asked()).splitlines() == [
        f"12 cases x 3 runs = 36 calls of agent command (model m-1); cost: {unknown}",
        "canary: 2 calls first, with the probe skill brindlewick-tide-word; nothing is scored if it fails",
        "a failed call is tried again up to 5 times: 228 calls at the most",
        "ceiling: none (--max-calls and --max-cost-usd set one)",
    ]


def test_without_a_canary_its_calls_are_not_counted(prepared: Prepared) -> None:
    plan = plan_text(replace(prepared, agent=Asked(cost="not reported"), probed=True, retried=True))

    assert "canary: skipped (--no-canary)" in plan
    assert "216 calls at the most" in plan
    assert "cost: not known, since the agent does not report it" in plan


def test_a_ceiling_below_the_plan_is_told(prepared: Prepared) -> None:
    assert "below the 38 calls of the plan" in probed(prepared, Asked(), max_calls=37)
    enough = probed(prepared, Asked(), max_calls=38, max_cost_usd=2.5)
    assert "ceiling: 38 calls, 2.5 USD; no call is started beyond it" in enough
    assert "below" not in enough


def test_a_program_of_the_users_is_named_with_what_it_is_given(prepared: Prepared) -> None:
    agent = Asked(argv=["my\x1bagent", "-p", "{prompt}"], environment=["HOME", "PATH"], environment_added=["MY_KEY"])
    plan = probed(prepared, agent)

    assert "it runs a program on this machine, with your rights: 'my\\x1bagent' -p '{prompt}'" in plan
    assert "environment it gets (names): HOME, MY_KEY, PATH" in plan


def test_the_plan_goes_to_standard_error_and_is_left_out_when_quiet(
    skill_dir: Path,
    record: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["run", str(skill_dir), "--agent", "replay", "--recordings", str(record()), "--json"]
    assert main(arguments) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["volatile"]["calls"] == 36
    assert "36 calls of agent replay" in shown.err

    main([*arguments, "--quiet"])
    assert "calls" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"max_calls": 0}, "--max-calls"),
        ({"max_calls": -3}, "--max-calls"),
        ({"max_cost_usd": 0.0}, "--max-cost-usd"),
        ({"max_cost_usd": -1.0}, "--max-cost-usd"),
        ({"max_cost_usd": float("nan")}, "--max-cost-usd"),
        ({"max_cost_usd": float("inf")}, "--max-cost-usd"),
    ],
)
def test_a_ceiling_that_cannot_be_is_refused(
    skill_dir: Path, record: Callable[..., Path], options: dict[str, float], says: str
) -> None:
    request = Request(skill=skill_dir, agent="replay", recordings=record())
    with pytest.raises(InputError, match=says):
        prepare(replace(request, **options))  # type: ignore[arg-type]


def test_a_ceiling_on_costs_needs_an_agent_that_tells_them() -> None:
    silent, telling = AgentInfo(name="a", settings={"cost": "not reported"}), AgentInfo(name="a")

    assert [fault.code for fault in cost_faults(1.0, silent)] == [cost_faults(1.0, silent)[0].code]
    assert "--max-calls" in cost_faults(1.0, silent)[0].message
    assert cost_faults(1.0, telling) == []
    assert cost_faults(None, silent) == []


def test_a_ceiling_on_costs_is_never_reached_by_an_agent_without_any(
    skill_dir: Path,
    record: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    priced = {
        f"{label}{number}": {"skills_invoked": [], "usage": {"cost_usd": 9.0}} for label in "n" for number in (0, 1)
    }
    arguments = ["run", str(skill_dir), "--agent", "replay", "--recordings", str(record(priced)), "--quiet"]

    assert main([*arguments, "--max-cost-usd", "0.01"]) == 0
    assert main([*arguments, "--max-calls", "35"]) == 2
    assert "--resume and a higher --max-calls" in capsys.readouterr().err

"""What the messages agent needs beforehand, what it tells, and when it is meant though nobody named it."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from skill_evaluator.api.preflight import prepare
from skill_evaluator.api.request import Prepared, Request, Resumable
from skill_evaluator.cli import main
from skill_evaluator.cli.plan import plan_text, resumption_text
from tests.unit.messages_setup import at_a_terminal, change_rows, model, run, serve, started
from tests.unit.report_files import written

AGENT = ("--agent", "messages")
NOBODY = "http://127.0.0.1:9"  # nothing listens there
PRICES = {
    "as_of": "2026-01-31",
    "source": "made up",
    "usd_per_million_tokens": {"some-model": {"input": 1.0, "output": 10.0, "cache_write": 1.25, "cache_read": 0.1}},
}


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


def refused(skill_dir: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """What is said of options that are refused; nothing may have been written."""
    assert main(["run", str(skill_dir), "--yes", *options]) == 1
    assert list(Path().iterdir()) == []
    return capsys.readouterr().err


def test_without_a_model_or_a_key_it_says_what_to_set(skill_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = refused(skill_dir, capsys, *AGENT)

    assert "--model NAME, or the variable ANTHROPIC_MODEL" in told
    assert "set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN" in told
    assert "ANTHROPIC_BASE_URL" in told


def test_empty_variables_count_as_not_set(
    skill_dir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"):
        monkeypatch.setenv(name, "")

    told = refused(skill_dir, capsys, *AGENT)

    assert "needs the name of a model" in told
    assert "needs a key" in told
    assert main(["run", str(skill_dir), "--yes", "--quiet"]) == 0
    assert written()["agent"]["name"] == "embedded"


def test_a_server_of_ones_own_needs_no_key(skill_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(model()) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_MODEL", "from-environment")
        assert main(["run", str(skill_dir), *AGENT, "--yes", "--quiet"]) == 0

    report = written()
    assert report["verdict"] == "PASS"
    assert report["model"] == "from-environment"
    assert report["agent"]["settings"]["base_url"] == server.url


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--max-turns", "0"], "--max-turns: 0 is below 1"),
        (["--recordings", "x"], "--recordings is for --agent replay; the agent chosen is 'messages'"),
        (["--agent-config", "x.toml"], "--agent-config is for --agent command; the agent chosen is 'messages'"),
        (["--prices", "none.json"], "none.json"),
        (["--max-cost-usd", "1"], "the price of model 'some-model' is not known"),
    ],
)
def test_options_that_cannot_be_kept_are_refused(
    skill_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    told: str,
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", NOBODY)

    assert told in refused(skill_dir, capsys, *AGENT, "--model", "some-model", *options)


@pytest.mark.parametrize("options", [["--max-turns", "3"], ["--prices", "p.json"], ["--batch"]])
def test_other_agents_refuse_its_options(
    skill_dir: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    told = refused(skill_dir, capsys, *options)

    users = "claude-code or messages" if options[0] == "--max-turns" else "messages"
    assert f"{options[0]} is for --agent {users}; the agent chosen is 'embedded', the default" in told
    assert "ANTHROPIC_BASE_URL alone does not choose another); add --agent messages" in told


def test_a_judge_without_an_agent_that_writes_is_told_which_one_to_add(
    skill_dir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    change_rows(skill_dir, {"p1": {"rubric": {"clarity": 4}}})
    monkeypatch.setenv("ANTHROPIC_BASE_URL", NOBODY)

    told = refused(skill_dir, capsys, "--judge-model", "a-judge")

    assert "agent embedded, the default where no key is set, writes no output" in told
    assert "add --agent messages" in told


@pytest.mark.parametrize("tail", ["/v1", "/v1/messages/"])
def test_a_base_url_that_holds_what_is_added_to_it_is_doubted(
    skill_dir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tail: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", NOBODY + tail)

    run(skill_dir, "--no-canary", "--max-calls", "1")

    assert f"ends in {tail.rstrip('/')}, and /v1/messages is added to it: most servers want {NOBODY} here" in (
        capsys.readouterr().err
    )


def test_the_plan_tells_requests_server_and_cost(
    skill_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    change_rows(skill_dir, {"p1": {"expected_output_contains": ["level"]}})
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps(PRICES), "utf-8")
    options = ("--model", "some-model", "--prices", str(prices), "--max-cost-usd", "5", "--yes")
    with serve(model()) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        main(["run", str(skill_dir), *AGENT, *options])

    told = capsys.readouterr().err
    assert "12 cases x 3 runs = 36 calls of agent messages (model some-model); cost: about $0." in told
    assert f"server: {server.url}" in told
    assert "usually 1 for 11 cases where only the trigger counts, 2 and more for 1 case" in told
    assert "at most 10" in told
    report = written()
    # 38 answers, the canary's two among them, of 10 tokens read and 5 written: 10 x 1e-6 + 5 x 10e-6 dollars each; the
    # case whose output is checked takes a second request in each of its three runs
    assert report["volatile"]["spent_usd"] == pytest.approx(41 * 60e-6)
    assert "Spent in all: $0.0025" in next(Path("reports").glob("*.md")).read_text("utf-8")
    assert report["volatile"]["prices_path"] == str(prices)
    page = next(Path("reports").glob("*.md")).read_text("utf-8")
    assert f"`ANTHROPIC_BASE_URL={server.url} skill-evaluator run " in page
    assert f" --prices {prices}" in page
    assert report["agent"]["settings"]["prices"] == "2026-01-31"
    # 10 tokens read at 1 dollar a million, 5 written at 10 dollars
    assert report["splits"]["acceptance"]["metrics"]["cost_usd"]["value"] == pytest.approx(
        (17 * 60e-6 + 1 * 120e-6) / 18, rel=0.2
    )


def planned(skill_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Prepared:
    """A run with a judge, both at known prices; one case has one rubric item."""
    change_rows(skill_dir, {"p1": {"rubric": {"clarity": 4}}})
    rates = {"input": 1.0, "output": 10.0, "cache_write": 1.25, "cache_read": 0.1}
    prices = tmp_path / "prices.json"
    prices.write_text(
        json.dumps({**PRICES, "usd_per_million_tokens": {"some-model": rates, "a-judge": rates}}), "utf-8"
    )
    monkeypatch.setenv("ANTHROPIC_BASE_URL", NOBODY)
    return prepare(Request(skill=skill_dir, agent="messages", model="some-model", judge_model="a-judge", prices=prices))


def dollars(line: str) -> float:
    return float(line.partition("$")[2].split()[0])


def test_the_plan_adds_up_agent_and_judge(skill_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = plan_text(planned(skill_dir, tmp_path, monkeypatch)).splitlines()

    (agent,) = [line for line in lines if "of agent messages" in line]
    (judge,) = [line for line in lines if line.startswith("judge: ")]
    (both,) = [line for line in lines if line.startswith("agent and judge together: about ")]
    # two calls that read 1,000 tokens and 3 outputs and 4 controls of 500, and write 100 of each: 2 x (4.5 + 7) / 1,000
    assert "at most 2 calls, 2 for the one rubric item; cost: at most about $0.0230 " in judge
    assert dollars(both) == pytest.approx(dollars(agent) + 0.023, abs=1e-4)


def test_the_plan_of_a_resumed_run_is_about_what_is_to_go(
    skill_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = planned(skill_dir, tmp_path, monkeypatch)
    half = replace(whole, resumed=Resumable(folder=tmp_path, measured=18, errors=0, spent_usd=0.5, judged=1))
    done = replace(whole, resumed=Resumable(folder=tmp_path, measured=36, errors=0))

    first, *lines = plan_text(half).splitlines()
    assert "36 calls of agent messages (model some-model), 18 of them to go; cost: about $" in first
    assert dollars(first) == pytest.approx(dollars(plan_text(whole)) / 2, abs=1e-4)
    assert any("at most 1 more call (1 answer kept), 2 for the one rubric item" in line for line in lines)
    assert resumption_text(half).endswith("18 calls to go; spent already: $0.5000")
    assert "canary" not in plan_text(done).partition("\n")[2].replace("canary and retries", "")


def test_the_plan_says_nothing_of_cases_that_are_not_there(skill_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", NOBODY)
    plan = plan_text(prepare(Request(skill=skill_dir, agent="messages", model="some-model")))

    assert "requests of a call: usually 1 for 12 cases where only the trigger counts; at most 10\n" in plan


def test_a_ceiling_on_costs_is_kept(skill_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps(PRICES), "utf-8")
    with serve(model()) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        # one answer: 10 x 1e-6 + 5 x 10e-6 = 60e-6 dollars; after ten of them the ceiling is reached
        assert run(skill_dir, "--prices", str(prices), "--max-cost-usd", "0.0006", "--concurrency", "1") == 2
        assert len(server.requests) == 10

    assert written()["stopped_by"] == "max_cost"


def test_with_a_key_set_nothing_is_asked_without_a_yes(skill_dir: Path, in_folder: Path) -> None:
    with serve(model()) as server:
        environment = {**server.environment(), "ANTHROPIC_MODEL": "some-model"}
        done = started(in_folder, environment, "run", str(skill_dir), "--quiet")
        assert server.requests == []

    assert done.returncode == 1
    assert "36 calls of agent messages (model some-model)" in done.stderr
    assert "--agent embedded gives an estimate for nothing" in done.stderr
    assert list(in_folder.iterdir()) == []


@pytest.mark.parametrize("options", [["--yes"], ["--yes", "--agent", "messages"]])
def test_with_a_key_set_and_a_yes_the_model_is_asked(
    skill_dir: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    with serve(model()) as server:
        for name, value in {**server.environment(), "ANTHROPIC_MODEL": "some-model"}.items():
            monkeypatch.setenv(name, value)
        assert main(["run", str(skill_dir), "--quiet", *options]) == 0

    assert written()["agent"]["name"] == "messages"


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
@pytest.mark.parametrize(("typed", "status", "asked"), [("n\n", 1, 0), ("\n", 1, 0), ("y\nn\n", 0, 38)])
def test_at_a_terminal_the_answer_decides(
    skill_dir: Path, in_folder: Path, typed: str, status: int, asked: int
) -> None:
    with serve(model()) as server:
        environment = {**server.environment(), "ANTHROPIC_MODEL": "some-model"}
        seen = at_a_terminal(in_folder, environment, typed, "run", str(skill_dir))

        assert seen.returncode == status
        assert len(server.requests) == asked
    assert "Ask the model now? [y/N]" in seen.stderr
    assert not (in_folder / "reports").exists()


def test_whoever_names_the_agent_is_not_asked(skill_dir: Path, in_folder: Path) -> None:
    with serve(model()) as server:
        environment = {**server.environment(), "ANTHROPIC_MODEL": "some-model"}
        done = started(in_folder, environment, "run", str(skill_dir), *AGENT, "--quiet")

    assert done.returncode == 0
    assert "# " in done.stdout
    assert len(server.requests) == 38


def test_a_test_set_among_the_files_of_the_skill_is_refused(
    skill_dir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", NOBODY)
    inside = skill_dir / "references" / "cases.json"
    inside.parent.mkdir()
    (skill_dir / "testset.json").rename(inside)
    options = ("--model", "some-model", "--testset", str(inside))

    assert "the agent could read the expected answers" in refused(skill_dir, capsys, *AGENT, *options)

"""Translations over the Messages API, against a scripted server: whole conversations; what is cut is no translation."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from skill_evaluator.cli import main
from skill_evaluator.formats.evalcase.prompts import prompt_of
from skill_evaluator.formats.evalcase.reading import open_cases
from tests.api_server import Answer, call, cut, malformed, text
from tests.unit.messages_setup import model, serve
from tests.unit.translation_setup import GOOD, SKILL, case_row, cases_at

FIRE = call("Skill", {"skill": SKILL}, "I start the skill.")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def answers(folder: Path, changed: Mapping[str, Sequence[Answer]]) -> dict[str, Sequence[Answer]]:
    """What the model says to each prompt: it starts the skill, then translates."""
    cases = open_cases(folder, include_locked=False)
    names = {prompt_of(case): case.id.removeprefix("ui.") for case in cases}
    return {prompt: changed.get(name) or [FIRE, text(f"{GOOD[name]}\n")] for prompt, name in names.items()}


@pytest.mark.usefixtures("translator")
@pytest.mark.parametrize(
    ("changed", "verdict"),
    [({}, "PASS"), ({"greet": [FIRE, text("Willkommen!")]}, "FAIL"), ({"greet": [text("Willkommen, %s!")]}, "PASS")],
    ids=["as it should be", "a placeholder is dropped", "the skill does not fire"],
)
def test_the_translation_is_what_comes_after_the_skill(
    changed: Mapping[str, Sequence[Answer]], verdict: str, cases: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(model(answers(cases, changed))) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        words = ["run", SKILL, "--testset", str(cases), "--agent", "messages", "--model", "some-model", "--yes"]
        main([*words, "--quiet", "--json", "report.json"])

    report = json.loads(Path("report.json").read_text("utf-8"))
    assert report["verdict"] == verdict
    assert report["cases"][1]["runs"][0]["output"] == f"{GOOD['coins']}\n"


@pytest.mark.usefixtures("translator")
def test_an_answer_that_was_cut_is_no_candidate(
    cases: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = {"greet": [FIRE, text("Willk", stop_reason="max_tokens")], "quit": [FIRE, FIRE]}
    with serve(model(answers(cases, changed))) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        words = ["translation", "candidates", SKILL, str(cases), "-o", "made.out", "--agent", "messages"]
        assert main([*words, "--model", "some-model", "--max-turns", "3", "--quiet"]) == 2

    assert [json.loads(line)["case_id"] for line in Path("made.out").read_text("utf-8").splitlines()] == ["ui.coins"]
    said = capsys.readouterr().err
    for name in ("greet", "quit"):
        assert f"no translation of 'ui.{name}': its output is not whole" in said


@pytest.mark.usefixtures("translator")
def test_cases_that_fail_every_time_do_not_keep_others_from_being_translated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A score would be lost by so many errors; of translations, those that can be had are wanted."""
    rows = [case_row("quit", id=f"ui.{number}", source=f"Text {number}") for number in range(8)]
    cases = cases_at(tmp_path / "many", rows)
    odd = [text("I refuse.", stop_reason="refusal"), cut(120), malformed()]
    prompts = [prompt_of(case) for case in open_cases(cases, include_locked=False)]
    said = {prompt: [FIRE, text("gut\n")] for prompt in prompts} | {
        prompt: [FIRE, answer] for prompt, answer in zip(prompts, odd, strict=False)
    }
    with serve(model(said)) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        words = ["translation", "candidates", SKILL, str(cases), "-o", "made.out", "--agent", "messages", "--quiet"]
        assert main([*words, "--model", "some-model", "--concurrency", "1"]) == 2

    told = capsys.readouterr().err
    assert [json.loads(line)["case_id"] for line in Path("made.out").read_text("utf-8").splitlines()] == [
        f"ui.{number}" for number in range(3, 8)
    ]
    assert told.count("no translation of 'ui.") == 3
    assert "it was not asked any more" not in told


@pytest.mark.usefixtures("translator")
def test_where_most_fail_no_more_are_asked_for_and_nothing_is_said_of_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [case_row("quit", id=f"ui.{number}", source=f"Text {number}") for number in range(8)]
    cases = cases_at(tmp_path / "many", rows)
    said = {prompt_of(case): [malformed()] for case in open_cases(cases, include_locked=False)}
    with serve(model(said)) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        words = ["translation", "candidates", SKILL, str(cases), "-o", "made.out", "--agent", "messages", "--quiet"]
        assert main([*words, "--model", "some-model", "--concurrency", "1"]) == 2

    told = capsys.readouterr().err
    assert told.count("it was not asked any more") == 3
    assert "stopped, since most translations failed; what had finished is kept in .skill-evaluator/runs/" in told
    assert "mend the causes named above, then go on: the same command with --resume asks the failed ones again" in told
    assert "score" not in told
    assert "report" not in told


@pytest.mark.usefixtures("translator", "cases")
def test_batches_are_for_triggers_alone(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-made-up-for-a-test")
    words = ["run", SKILL, "--testset", "ui", "--agent", "messages", "--model", "some-model", "--batch"]

    assert main(words) == 1
    assert "FAIL: --batch: 3 of the cases look at the output" in capsys.readouterr().err

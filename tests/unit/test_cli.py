"""The command line itself: wrong usage, help, and the page made from it."""

from pathlib import Path

import pytest

from skill_evaluator.cli import main
from skill_evaluator.cli.reference import reference

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "arguments",
    [[], ["no-such-command"], ["run"], ["run", ".", "--no-such-option"], ["report", "x", "--format", "pdf"]],
)
def test_wrong_usage_ends_with_1_since_2_means_that_nothing_was_measured(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)

    assert caught.value.code == 1
    assert "--help" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "validate", "compare", "report", "regrade", "import", "doctor"])
def test_the_help_of_each_command_says_what_it_reads_writes_and_costs(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main([command, "--help"])

    assert caught.value.code == 0
    out = capsys.readouterr().out
    assert all(f"\n{word} " in out for word in ("reads", "writes", "costs"))


def test_the_reference_pages_are_up_to_date() -> None:
    assert (ROOT / "docs" / "cli.md").read_text("utf-8") == reference()
    assert (ROOT / "docs" / "zh" / "cli.md").read_text("utf-8") == reference("zh")


def test_doctor_tells_credentials_by_name_and_never_by_value(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "the-value-of-the-key")

    assert main(["doctor"]) == 0

    out = capsys.readouterr().out
    assert "ANTHROPIC_API_KEY" in out
    assert "the-value-of-the-key" not in out
    assert "agent embedded" in out

"""What README and docs say about translations, done as they say it."""

import json
import re
import shlex
from pathlib import Path

import pytest

from skill_evaluator.cli import main
from skill_evaluator.cli.reference import reference
from skill_evaluator.formats.evalcase.candidates import open_candidates
from skill_evaluator.graders import translation
from skill_evaluator.results.assertion_rows import read_result, result_row

ROOT = Path(__file__).parents[2]
SECTION = "## Score a skill that translates"


def commands() -> list[str]:
    section = (ROOT / "README.md").read_text("utf-8").partition(f"{SECTION}\n")[2].partition("\n## ")[0]
    return [line for block in re.findall(r"```sh\n(.*?)```", section, re.DOTALL) for line in block.splitlines()]


def test_the_readmes_commands_do_what_it_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert len(commands()) == 2

    for line in commands():
        program, *arguments = shlex.split(line)
        assert program == "skill-evaluator"
        assert main(arguments) == 0, capsys.readouterr()

    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("PASS: ")


@pytest.mark.parametrize("readme", ["README.md", "README.zh.md"])
def test_the_readmes_case_and_translation_give_what_it_says(
    readme: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / readme).read_text("utf-8")
    case, candidate = re.findall(r"```jsonl\n(.*?)```", page, re.DOTALL)
    (said,) = re.findall(r"```console\n(FAIL .*?)```", page, re.DOTALL)
    folder, made = tmp_path / "CASES", tmp_path / "made.jsonl"
    (folder / "cases" / "dev").mkdir(parents=True)
    (folder / "cases" / "dev" / "app.jsonl").write_text(case, "utf-8")
    made.write_text(candidate, "utf-8")

    assert main(["validate", str(folder)]) == 0
    capsys.readouterr()
    assert main(["translation", "check", str(folder), str(made)]) == 1
    assert capsys.readouterr().out.startswith(said)


def test_the_translator_of_the_page_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "agents.md").read_text("utf-8").partition("### A translator of your own\n")[2]
    toml, script = re.findall(r"```(?:toml|text)\n(.*?)```", page, re.DOTALL)[:2]
    cases = (ROOT / "README.md").read_text("utf-8").partition("```jsonl\n")[2].partition("```")[0]
    skill = tmp_path / "skill" / "SKILL.md"
    skill.parent.mkdir()
    skill.write_text("---\nname: ui-translator\ndescription: Translates texts.\n---\nKeep it.\n", "utf-8")
    (tmp_path / "app.jsonl").write_text(cases, "utf-8")
    (tmp_path / "translate.toml").write_text(toml, "utf-8")
    model = (
        "def ask_your_model(system, user):\n"
        "    return '%d -> %s' if 'Keep it.' in system and '%d files' in user else ''\n"
    )
    (tmp_path / "translate.py").write_text(model + script, "utf-8")
    monkeypatch.chdir(tmp_path)

    arguments = "run skill --testset app.jsonl --agent command --agent-config translate.toml --no-canary --yes --quiet"
    assert main(arguments.split()) == 0, capsys.readouterr()
    assert "PASS (1 of 1 cases right" in capsys.readouterr().err


def test_the_candidate_and_the_result_of_the_page_are_read(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "formats.md").read_text("utf-8").partition("### Candidates and results\n")[2]
    candidate, result = re.findall(r"```jsonl\n(.*?)```", page, re.DOTALL)[:2]
    (tmp_path / "candidates.jsonl").write_text(candidate, "utf-8")

    assert not open_candidates(tmp_path / "candidates.jsonl").findings
    assert result_row(read_result(json.loads(result))) == json.loads(result)


def test_every_code_of_the_checks_stands_in_the_page_of_formats() -> None:
    page = (ROOT / "docs" / "formats.md").read_text("utf-8")
    folder = Path(translation.__file__).parent
    written = "".join(file.read_text("utf-8") for file in folder.rglob("*.py"))
    codes = set(
        re.findall(r'"((?:protocol|placeholder|number|token|rendering|forbidden_rendering|too)_[a-z_]+)"', written)
    )

    assert len(codes) > 15
    assert [code for code in sorted(codes) if f"`{code}`" not in page] == []


def test_the_commands_of_a_group_stand_in_the_reference_by_their_full_names() -> None:
    headings = re.findall(r"^## (.+)$", reference(), re.MULTILINE)

    assert "translation check" in headings
    assert "translation" not in headings


def test_the_help_of_the_group_names_its_commands_and_theirs_what_they_read_write_and_cost(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["translation", "--help"])
    assert "check" in capsys.readouterr().out

    with pytest.raises(SystemExit):
        main(["translation", "check", "--help"])
    out = capsys.readouterr().out
    assert all(f"\n{word} " in out for word in ("reads", "writes", "costs"))


def test_the_group_alone_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["translation"])

    assert caught.value.code == 1
    assert "--help" in capsys.readouterr().err

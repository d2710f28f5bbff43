"""`--lang zh`: help, wrong usage and faults are whole Chinese, with no English sentence left in them."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_evaluator.cli import main
from skill_evaluator.cli.language import speak
from skill_evaluator.cli.parser import build_parser
from skill_evaluator.cli.reference import reference
from skill_evaluator.report.escape import display_width
from tests.chinese import english_in


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    speak("en")


def said(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """What a command says in Chinese, on both streams, and its exit status."""
    try:
        status = main([*words, "--lang", "zh"])
    except SystemExit as stop:
        status = int(str(stop.code or 0))
    seen = capsys.readouterr()
    return status, seen.out + seen.err


COMMANDS = (
    "", "run", "plugin-eval", "plugin-eval init", "validate", "compare", "report", "regrade", "import",
    "translation", "translation check", "translation candidates", "doctor",
)  # fmt: skip


@pytest.mark.parametrize("columns", ["60", "80", "160"])
@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_whole_chinese(
    command: str, columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    status, text = said([*command.split(), "--help"], capsys)
    assert status == 0
    assert "用法：" in text
    assert not english_in(text)


def test_help_has_no_line_that_is_too_wide(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    _, text = said(["run", "--help"], capsys)
    options = text[text.index("\n选项：\n") :]
    assert max(map(display_width, options.splitlines())) in range(70, 81)
    assert {len(line) - len(line.lstrip()) for line in options.splitlines() if "（默认" in line} <= {2, 24}


def test_the_reference_is_whole_chinese_and_leaves_english_alone() -> None:
    assert reference("zh").startswith("# 命令行\n")
    assert not [
        line
        for line in reference("zh").splitlines()
        if not line.startswith("## ") and english_in(line.replace("|", "；"))
    ]
    assert reference() == Path("docs/cli.md").read_text("utf-8")


@pytest.mark.parametrize("words", ["--lang zh report x", "report x --lang zh", "--lang en report x --lang zh"])
def test_the_last_choice_of_a_language_counts(words: str) -> None:
    assert build_parser().parse_args(words.split()).lang == "zh"


@pytest.mark.parametrize(
    "words", ["plugin-eval --lang zh .", "plugin-eval --tag a --lang=zh", "plugin-eval init --lang zh"]
)
def test_plugin_eval_takes_a_language_and_keeps_its_own_reading(words: str) -> None:
    options = build_parser().parse_args(words.split())
    assert options.lang == "zh"
    assert build_parser().parse_args(["plugin-eval", "."]).lang == "en"


def test_plugin_eval_knows_two_languages(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["plugin-eval", "--lang", "fr"])
    assert "--lang: 'fr' is none of en, zh" in capsys.readouterr().err


def test_english_help_loads_nothing_heavy() -> None:
    code = "import sys; from skill_evaluator.cli import main\ntry: main(['run', '--help'])\nexcept SystemExit: pass\n"
    code += "print(sorted({'babel', 'jinja2', 'yaml', 'rich', 'pydantic'} & sys.modules.keys()))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines()[-1] == "[]"


def test_the_words_before_a_command_choose_the_language_too(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--lang", "zh", "run", "--help"])
    assert "用法：" in capsys.readouterr().out


WRONG_USAGE = (
    "", "fly", "run", "run . --oops", "run . --runs", "run . --runs two", "run . --pass-threshold high",
    "run . --fail-on often", "run . --yes=1", "run '' ", "run . --ju", "run . --ma 1", "run . .", "compare a.json",
    "report a.json --format pdf", "import a.json", "translation", "translation check a", "validate",
    "plugin-eval --oops", "plugin-eval --runs", "plugin-eval --runs none", "plugin-eval -j 9",
    "plugin-eval --threshold 2", "plugin-eval --max-cost-usd much", "plugin-eval --ablation maybe",
    "plugin-eval --json plugin", "plugin-eval --report=", "plugin-eval init a b", "plugin-eval init --model",
    "plugin-eval --agent fly",
)  # fmt: skip


@pytest.mark.parametrize("words", WRONG_USAGE)
def test_wrong_usage_is_said_in_chinese(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, text = said([word.replace("''", "") for word in words.split()], capsys)
    assert status == 1
    assert text.startswith("错误 skill-evaluator")
    assert not english_in(text)


SKILL = "---\nname: tea\ndescription: Makes a brewing plan for tea. Use it for questions about tea.\n---\n\nBrew it.\n"
CASES = [
    {"id": f"{kind}-{split}-{number}", "split": split, "input": f"{text} number {number} for {split}", "type": kind}
    for number in range(40)
    for kind, text in (("should_trigger", "brew tea"), ("should_not_trigger", "write code"))
    for split in ("acceptance", "tuning")
]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a skill, its test set, and files that are wrong in many ways; the working folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"):
        monkeypatch.delenv(name, raising=False)
    files = {
        "tea/SKILL.md": SKILL,
        "tea/testset.json": json.dumps(CASES),
        "bare/SKILL.md": SKILL.replace("tea", "bare"),
        "many/skills/a/SKILL.md": SKILL,
        "many/skills/b/SKILL.md": SKILL,
        "broken.json": "{",
        "list.json": "[]",
        "old.json": '{"schema_version": 99}',
        "foreign.json": '{"schemaVersion": 9, "cases": [], "settings": {}, "aggregates": {}}',
        "empty.jsonl": "",
        "rows.jsonl": '{"case_id": 3}\n{"case_id": "c0", "indx": 1}\n[]\n{\n{"case_id": "c0", "index": 5}\n',
        "agent.toml": 'format = "xml"\nargv = ["{prompt}"]\n\n[read]\nskil = 1\n',
        "not.toml": "=",
        "prices.json": '{"models": {"m": {"input": -1}}}',
        "plain/evals/a/prompt.md": "---\nmax_turns: 3\n---\n\nBrew tea.\n",
        "plain/.claude-plugin/plugin.json": '{"name": "plain", "version": "1.0.0"}',
        "latin.json": "\xff",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text.encode("latin-1"))
    return tmp_path


FAULTS = (
    "run bare", "run many", "run tea --agent fly", "run tea --runs 2", "run tea --runs 0", "run tea --runs 999999",
    "run tea --concurrency 0 --timeout-s 0 --max-turns 0 --seed -1 --pass-threshold 2 --max-calls 0 --max-cost-usd 0",
    "run tea --tag none", "run tea --agent messages", "run tea --agent messages --model m", "run tea --agent replay",
    "run tea --agent replay --recordings nowhere", "run tea --agent replay --recordings empty.jsonl",
    "run tea --agent replay --recordings rows.jsonl", "run tea --agent replay --recordings broken.json",
    "run tea --agent replay --recordings tea/testset.json", "run tea --agent command",
    "run tea --agent command --agent-config agent.toml", "run tea --agent command --agent-config not.toml",
    "run tea --agent command --agent-config nowhere", "run tea --recordings rows.jsonl", "run tea --model m",
    "run tea --agent messages --prices prices.json --model m",
    "run tea --agent messages --prices broken.json --model m",
    "run tea --agent messages --prices nowhere --model m", "run tea --judge-model m", "run tea --advise-model m",
    "run tea --batch", "run tea --resume --yes --quiet --output-dir tea", "run tea --output-dir broken.json/x",
    "run tea --json list.json", "run tea --json tea/a.json", "run tea --neighbours nowhere",
    "run tea --neighbours plain",
    "run tea --baseline nowhere", "run tea --baseline broken.json",
    "run tea --baseline list.json", "run tea --baseline old.json", "run tea --baseline latin.json",
    "run tea --agent claude-code --program x", "report nowhere", "report tea", "report broken.json", "report list.json",
    "report old.json", "report foreign.json", "report latin.json", "compare nowhere broken.json",
    "compare old.json list.json", "regrade nowhere", "regrade tea", "regrade broken.json", "regrade old.json",
    "plugin-eval nowhere", "plugin-eval plain --agent messages", "plugin-eval plain --json", "plugin-eval init --bare",
    "plugin-eval init", "plugin-eval init a -i", "plugin-eval init -a",
)  # fmt: skip


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("words", FAULTS)
def test_faults_are_said_in_chinese(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, text = said(words.split(), capsys)
    assert status in {1, 2}
    assert not english_in(text)


@pytest.mark.usefixtures("place")
def test_the_doctor_speaks_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    _, text = said(["doctor"], capsys)
    assert "智能体 embedded" in text
    assert not english_in(text)

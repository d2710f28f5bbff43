"""How the words after `plugin-eval` are read. The expected values were seen with Claude Code 2.1.332."""

import argparse

import pytest

from skill_evaluator.cli.parser import build_parser


def read(*words: str) -> argparse.Namespace:
    return build_parser().parse_args(["plugin-eval", *words])


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ([], "."),
        (["", "--verbose"], ""),
        (["demo@market", "and", "others"], "demo@market"),
        (["--verbose", "evals/c"], "evals/c"),
        (["--", "--odd"], "--odd"),
        (["-"], "-"),
        (["--threshold", "0.5", "here"], "here"),
        (["--json", "--verbose", "here"], "here"),
    ],
)
def test_the_first_word_of_no_option_is_the_target(words: list[str], target: str) -> None:
    assert read(*words).target == target


def test_list_options_swallow_a_later_target() -> None:
    assert read(".", "--tag", "smoke", "slow", "--tag", "x").tag == ["smoke", "slow", "x"]
    swallowed = read("--allow-tools", "Write", "Bash(npm test *)", "plugin")
    assert (swallowed.allow_tools, swallowed.target) == (["Write", "Bash(npm test *)", "plugin"], ".")
    attached = read("--disallow-tools=Agent", "plugin")
    assert (attached.disallow_tools, attached.target) == (["Agent"], "plugin")


def test_a_value_may_begin_with_a_dash() -> None:
    assert read("--tag", "--verbose").tag == ["--verbose"]
    assert read("--case", "-x").case == "-x"


@pytest.mark.parametrize(
    ("words", "option", "value"),
    [
        (["--runs", "1.5"], "runs", 1),
        (["--runs", "51"], "runs", 51),
        (["--runs", "3x"], "runs", 3),
        (["--runs", "1e3"], "runs", 1),
        (["--runs", " 2 "], "runs", 2),
        (["--runs", ""], "runs", None),
        (["-j2"], "concurrency", 2),
        (["--concurrency=8"], "concurrency", 8),
        ([], "concurrency", 1),
        (["--threshold", "1e-1"], "threshold", 0.1),
        (["--threshold", ".5x"], "threshold", 0.5),
        (["--threshold", ""], "threshold", None),
        (["--max-cost-usd", "0"], "max_cost_usd", 0.0),
        (["--max-cost-usd", "5x"], "max_cost_usd", 5.0),
        (["--max-cost-usd", ""], "max_cost_usd", None),
        (["--model", ""], "model", ""),
        (["--case", "a", "--case", "b"], "case", "b"),
        (["--json"], "json", ""),
        (["--json", "a.json"], "json", "a.json"),
        ([], "json", None),
        (["--scaffold"], "scaffold", True),
        (["--scaffold", "--no-scaffold"], "scaffold", False),
        (["--no-scaffold", "--scaffold"], "scaffold", True),
        (["--ablation", "with-without"], "ablation", "with-without"),
        (["--mocks=off"], "mocks", "off"),
        ([], "mocks", "record"),
        ([], "agent", "claude-code"),
        (["--agent", "messages"], "agent", "messages"),
    ],
)
def test_values_mean_what_they_mean_to_claude_code(words: list[str], option: str, value: object) -> None:
    assert getattr(read(*words), option) == value


@pytest.mark.parametrize(
    "words",
    [
        ["--runs", "0"],
        ["--runs", "-1"],
        ["--runs", "0.5"],
        ["--runs", "0x2"],
        ["--runs", "x"],
        ["-j", "0"],
        ["-j", "9"],
        ["-j", "1.5"],
        ["-j", "3x"],
        ["-j", ""],
        ["-j=2"],
        ["-j", "٣"],
        ["--threshold", "2"],
        ["--threshold", "-0.1"],
        ["--threshold=NaN"],
        ["--threshold", "Infinity"],
        ["--threshold", "--case"],
        ["--threshold"],
        ["--max-cost-usd", "-1"],
        ["--max-cost-usd", "Infinity"],
        ["--max-cost-usd", "x"],
        ["--ablation", "NONE"],
        ["--ablation", "none", "--ablation", "x"],
        ["--mocks", "OFF"],
        ["--json", "."],
        ["--json=x.txt"],
        ["--json", "x.JSON"],
        ["--json", ""],
        ["--output-dir", ""],
        ["--report", ""],
        ["--thresh", "1"],
        ["--frobnicate"],
        ["--no-trust-plugin"],
        ["--keep-temp=yes"],
        ["-x"],
        ["--version"],
        ["--case"],
        ["--tag"],
        ["--allow-tools"],
        ["--agent", "embedded"],
    ],
)
def test_a_wrong_word_ends_with_1_and_names_the_option(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        read(*words)
    said = capsys.readouterr().err
    assert ended.value.code == 1
    assert words[0].partition("=")[0].removesuffix("=2") in said


def test_a_json_path_that_is_likely_the_target_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        read("--json", "my-plugin")
    assert "a target stands before --json" in capsys.readouterr().err


def test_numbers_of_any_length_are_read_at_once() -> None:
    assert read("--threshold", "0." + "0" * 100_000 + "1").threshold == 0.0
    with pytest.raises(SystemExit):
        read("--runs", "x" * 100_000)


def test_the_word_init_in_front_has_its_own_options() -> None:
    options = read("init", "--bare", "first-case")
    assert (options.module, options.name, options.bare) == ("plugin_eval_init", "first-case", True)
    assert read("./init").target == "./init"


@pytest.mark.parametrize(
    ("words", "scaffold"),
    [([], False), (["--scaffold"], True), (["--no-scaffold"], False), (["--scaffold", "--no-scaffold"], False)],
)
def test_scaffold_and_no_scaffold_say_whether_scripts_are_run(words: list[str], *, scaffold: bool) -> None:
    assert read(".", *words).scaffold is scaffold

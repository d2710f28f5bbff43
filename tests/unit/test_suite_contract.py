"""The static rules of eval suites, one test for each sentence of the published rules, as somebody types `validate`.

Where the real program was recorded doing otherwise, the test follows the recording and says so.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from skill_evaluator.cli import main
from skill_evaluator.formats.suite import keys
from tests.suite_files import CASE_YAML, GRADER, PROMPT, SOUND, Files, lay_out, sound_but

Finding = dict[str, object]
Found = Sequence[Finding]


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> "Check":
    return Check(tmp_path, capsys)


class Check:
    """Lays out the sound suite with some files of its first case changed, and validates it."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self._capsys = capsys

    def __call__(self, changed: Files) -> Found:
        """Give the FAILs."""
        sound_but(self.root, changed)
        status = main(["validate", str(self.root), "--json"])
        findings: list[Finding] = json.loads(self._capsys.readouterr().out)
        fails = [finding for finding in findings if finding["level"] == "FAIL"]
        assert status == (1 if fails else 0)
        return fails


def prompt(keys_: str, text: str = "When is high water at Kehl?") -> Files:
    return {"prompt.md": f"---\n{keys_}\n---\n\n{text}\n"}


def grader(options: str, body: str = "") -> Files:
    return {"graders/more.md": f"---\n{options}\n---\n{body}\n"}


REQUIRED = {
    "regex": "pattern: x",
    "tool_used": "tool: Read",
    "tool_order": "before: Read\nafter: Grep",
    "file_exists": "path: a.txt",
    "llm": "criteria: PASS if so. FAIL if not.",
    "baseline": "baseline_file: b.jsonl\ncriteria: PASS if so. FAIL if not.",
}
OPTIONS = {
    "regex": "pattern: x\nflags: i\nmatch: not_contains\ntarget: trace",
    "tool_used": "tool: Read\ninput_match: x\nmin: 1\nmax: 2",
    "tool_order": "before: Read\nafter: {tool: Grep, input_match: x}",
    "file_exists": "path: a.txt\nexists: false",
    "llm": "criteria: PASS if so. FAIL if not.\nfocus: trace",
    "baseline": "baseline_file: b.jsonl\ncriteria: PASS if so. FAIL if not.",
}
BASELINE: Files = {"b.jsonl": '{"type":"assistant","message":{"content":"hi"}}\n'}


def only(found: Found, file: str, *words: str) -> None:
    """There is one FAIL, in this file of the first case, and its message holds these words."""
    assert [(finding["case"], finding["file"]) for finding in found] == [("high-water", file)], found
    assert all(word in str(found[0]["message"]) for word in words), found


# What the command is for and how it is called.


AUDIT = """
import sys
seen = []
kinds = {"socket", "subprocess"}
sys.addaudithook(lambda event, args: seen.append(event) if event.split(".")[0] in kinds else None)
from skill_evaluator.cli import main
status = main(["validate", sys.argv[1]])
print(sorted(set(seen)), status)
"""


def test_it_reads_the_suite_off_the_disk_without_a_model_and_without_the_network(tmp_path: Path) -> None:
    sound_but(tmp_path, {"case.yaml": CASE_YAML + "context: {scaffold_script: s.sh}\n", "s.sh": "touch ran\n"})
    program = [sys.executable, "-c", AUDIT, str(tmp_path)]
    finished = subprocess.run(program, capture_output=True, text=True, check=True)

    assert finished.stdout.splitlines()[-1] == "[] 0"
    assert not list(tmp_path.rglob("ran"))


def test_it_says_before_a_run_what_would_break(check: Check) -> None:
    """A case that does not load costs as much as one that works."""
    only(check(prompt("max_turns: 0")), "prompt.md", "max_turns")


def test_it_takes_the_eval_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sound_but(tmp_path, prompt("timeout: 3"))

    assert main(["validate", str(tmp_path / "evals")]) == 1
    assert capsys.readouterr().out.startswith("FAIL high-water/prompt.md: line 2: ")


def test_the_eval_directory_is_evals_below_the_plugin_by_default(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sound_but(tmp_path, prompt("timeout: 3"))
    lay_out(tmp_path, {"qa/other/prompt.md": "---\nnonsense: 1\n---\nx\n"})

    assert main(["validate", str(tmp_path)]) == 1
    assert "other" not in capsys.readouterr().out


def test_json_is_an_array_of_objects_with_level_case_file_and_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sound_but(tmp_path, {**prompt("timeout: 3"), "graders/NOTES.md": "x"})
    main(["validate", str(tmp_path), "--json"])
    findings = json.loads(capsys.readouterr().out)

    assert [(finding["level"], finding["case"], finding["file"]) for finding in findings] == [
        ("WARN", "high-water", "graders/NOTES.md"),
        ("FAIL", "high-water", "prompt.md"),
    ]
    assert all(isinstance(finding["message"], str) for finding in findings)


def test_help_prints_the_whole_contract(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["validate", "--help"])
    text = capsys.readouterr().out
    words = {word.strip("*+,;") for word in text.split()}

    assert stop.value.code == 0
    sets = (keys.PROMPT_MD_KEYS, keys.CASE_YAML_KEYS, keys.CASE_YAML_EXECUTION_KEYS, keys.CASE_YAML_CONTEXT_KEYS)
    assert words >= {key for known in sets for key in known}
    assert words >= {*keys.EVERY_GRADER, *keys.GRADERS, *keys.PLACES, *keys.ARMS, *keys.MATCHES, keys.REGEX_FLAGS}
    for name, options in keys.GRADERS.items():
        (line,) = (line for line in text.splitlines() if line.startswith(f"    {name} "))
        told = line.replace(",", "").split()[1:]
        assert [option.strip("*+") for option in told] == list(options.options)
        assert {option.strip("*+") for option in told if "*" in option} == set(options.required)
        assert {option.strip("*+") for option in told if "+" in option} == ({options.body} if options.body else set())
    for key, bounds in keys.BOUNDS.items():
        assert f"{key} {bounds.least} to {bounds.most}" in text
    assert keys.ENV_KEY_WORDS in text


# How findings are printed.


def test_findings_stand_one_a_line_by_case_then_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(
        tmp_path,
        {
            **SOUND,
            "evals/sailing-song/prompt.md": "---\nnonsense: 1\n---\nx\n",
            "evals/high-water/prompt.md": "---\nmax_turns: x\nruns: 0\n---\nx\n",
            "evals/high-water/graders/README.md": "# Notes\n",
        },
    )
    main(["validate", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()

    assert [line.split(": ")[0] for line in lines] == [
        "WARN high-water/graders/README.md",
        "FAIL high-water/prompt.md",
        "FAIL high-water/prompt.md",
        "FAIL sailing-song/prompt.md",
    ]


def test_a_finding_about_the_suite_has_the_eval_directory_for_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(lay_out(tmp_path, {**SOUND, "evals/sailing-song/graders/quiet.md": None}))

    assert main(["validate", "."]) == 0
    assert capsys.readouterr().out.startswith("WARN evals: no case asks that a skill stays quiet")


# What fails to load.


def test_an_unknown_key_of_prompt_md_fails(check: Check) -> None:
    only(check(prompt("max_turns: 6\ncolour: red")), "prompt.md", "line 3", "'colour'")


@pytest.mark.parametrize("options", ["weight: 1", "type: ~", "type: 5", "type: [regex]", "type: Regex", "type: ''"])
def test_a_grader_without_a_usable_type_fails(check: Check, options: str) -> None:
    only(check(grader(options, "x")), "graders/more.md", "type")


@pytest.mark.parametrize("kind", REQUIRED)
def test_an_option_that_its_type_does_not_have_fails(check: Check, kind: str) -> None:
    only(check({**BASELINE, **grader(f"type: {kind}\n{REQUIRED[kind]}\ncolour: red")}), "graders/more.md", "'colour'")


def test_a_case_without_a_grader_fails(check: Check) -> None:
    only(check({"graders/answer.md": None, "graders/fired.md": None}), "prompt.md", "grader")


@pytest.mark.parametrize(
    "changed",
    [
        {"graders/more.md": "---\ntype: regex\nname: answer\n---\nx\n"},
        {"case.yaml": CASE_YAML + "graders: [{name: answer, type: regex, pattern: x}]\n"},
    ],
)
def test_two_graders_of_one_name_fail(check: Check, changed: Files) -> None:
    (found,) = check(changed)

    assert found["case"] == "high-water"
    assert "'answer'" in str(found["message"])


@pytest.mark.parametrize("weight", ["0", "-1", "-0.5", "x", "~"])
def test_a_weight_that_is_not_positive_fails(check: Check, weight: str) -> None:
    only(check(grader(f"type: regex\nweight: {weight}", "x")), "graders/more.md", "weight")


BOUNDS = {"runs": (1, 50), "max_turns": (1, 200), "timeout_seconds": (1, 3600)}


@pytest.mark.parametrize("key", BOUNDS)
def test_limits_out_of_bounds_fail(check: Check, key: str) -> None:
    """The bounds are 1 to 50 runs, 1 to 200 turns, 1 to 3,600 seconds."""
    least, most = BOUNDS[key]
    for outside in (least - 1, most + 1, -5, 1.5):
        only(check(prompt(f"{key}: {outside}")), "prompt.md", key, str(least), str(most))
    for inside in (least, most):
        assert not check(prompt(f"{key}: {inside}"))


@pytest.mark.parametrize("key", ["PATH", "eval_x", "EVAL-X", "EVAL_x", "XEVAL_A"])
def test_a_key_of_env_that_is_not_eval_something_fails(check: Check, key: str) -> None:
    """Recorded: it is no fault of loading, but every run fails, and the message says so."""
    only(check(prompt(f"env: {{{key}: a}}")), "prompt.md", key, "every run")
    assert not check(prompt("env: {EVAL_: a, EVAL_X9_: b}"))


@pytest.mark.parametrize(
    ("case_yaml", "frontmatter", "missing"),
    [
        ("tags: [a]\n", "max_turns: 6", ["schema_version", "name"]),
        ("name: a\n", "max_turns: 6", ["schema_version"]),
        ('schema_version: "1.1"\n', "max_turns: 6", ["name"]),
        ("tags: [a]\n", "name: a", ["schema_version"]),
        ("tags: [a]\n", 'name: a\nschema_version: "1.1"', []),
        ("name: a\n", 'schema_version: "1.1"', []),
    ],
)
def test_a_case_yaml_needs_a_version_and_a_name_there_or_in_prompt_md(
    check: Check, case_yaml: str, frontmatter: str, missing: list[str]
) -> None:
    text = " ".join(str(finding["message"]) for finding in check({"case.yaml": case_yaml, **prompt(frontmatter)}))

    assert bool(text) == bool(missing)
    assert any(key in text for key in missing) == bool(missing)


def test_without_a_case_yaml_version_and_name_are_supplied(check: Check) -> None:
    assert not check({"prompt.md": "When is high water?\n"})


@pytest.mark.parametrize(
    "changed",
    [
        {"prompt.md": "---\nmax_turns: 6\n---\n"},
        {"prompt.md": "---\nmax_turns: 6\n---\n", "case.yaml": CASE_YAML},
        {"prompt.md": None, "case.yaml": CASE_YAML},
    ],
)
def test_a_case_without_a_prompt_fails(check: Check, changed: Files) -> None:
    (found,) = check(changed)

    assert found["case"] == "high-water"
    assert "prompt" in str(found["message"])


def test_the_prompt_may_stand_below_execution(check: Check) -> None:
    assert not check({"prompt.md": None, "case.yaml": CASE_YAML + "execution: {prompt: When is high water?}\n"})


@pytest.mark.parametrize(
    ("kind", "given", "missing"),
    [
        ("regex", "flags: i", "pattern"),
        ("tool_used", "min: 1", "tool"),
        ("tool_order", "after: Read", "before"),
        ("tool_order", "before: Read", "after"),
        ("file_exists", "exists: true", "path"),
        ("llm", "focus: trace", "criteria"),
        ("baseline", "criteria: PASS if so", "baseline_file"),
        ("baseline", "baseline_file: b.jsonl", "criteria"),
    ],
)
def test_an_option_that_the_type_requires_fails_where_it_is_missing(
    check: Check, kind: str, given: str, missing: str
) -> None:
    only(check({**BASELINE, **grader(f"type: {kind}\n{given}")}), "graders/more.md", f"{missing!r}")


@pytest.mark.parametrize("version", ["1.1", "1", "v1.1", "''", "abc", "'2.0'", "~"])
def test_a_version_that_is_no_quoted_one_or_too_new_fails(check: Check, version: str) -> None:
    only(check(prompt(f"schema_version: {version}")), "prompt.md", "schema_version")


@pytest.mark.parametrize("version", ['"1.1"', "'1'", '"0.9"', '"1.99"'])
def test_a_quoted_version_up_to_major_1_loads(check: Check, version: str) -> None:
    assert not check(prompt(f"schema_version: {version}"))


# The complete sets.


EVERY_KEY = {
    "schema_version": '"1.1"',
    "name": "high",
    "description": "x",
    "tags": "[a]",
    "plugins": '["../.."]',
    "runs": "3",
    "expected_outcome": "x",
    "model": "sonnet",
    "max_turns": "6",
    "timeout_seconds": "60",
    "allowed_tools": "[Read]",
    "append_system_prompt": "x",
    "env": "{EVAL_A: x}",
}
RECORDED_KEYS = {"disallowed_tools": "[Bash]", "artifact_publish": "true", "growthbook_overrides": "{a: 1}"}


def test_every_key_of_prompt_md_loads(check: Check) -> None:
    """Recorded: three keys load that the published list does not have."""
    every = {**EVERY_KEY, **RECORDED_KEYS}

    assert not check(prompt("\n".join(f"{key}: {value}" for key, value in every.items())))
    assert set(every) == set(keys.PROMPT_MD_KEYS)


def test_a_time_limit_is_timeout_seconds_and_timeout_fails(check: Check) -> None:
    only(check(prompt("timeout: 60")), "prompt.md", "'timeout'", "timeout_seconds")


def test_unknown_keys_of_case_yaml_are_ignored(check: Check) -> None:
    """Recorded: only prompt.md and graders are strict; `key-ignored` warns."""
    assert not check({"case.yaml": CASE_YAML + "timeout: 60\ncolour: red\nexecution: {colour: red}\n"})


@pytest.mark.parametrize("kind", REQUIRED)
def test_there_are_six_grader_types(check: Check, kind: str) -> None:
    assert not check({**BASELINE, **grader(f"type: {kind}\n{REQUIRED[kind]}")})
    assert set(REQUIRED) == set(keys.GRADERS)


@pytest.mark.parametrize("kind", ["contains", "string_match", "code", "javascript"])
def test_any_other_type_fails_and_the_message_names_the_six(check: Check, kind: str) -> None:
    only(check(grader(f"type: {kind}", "x")), "graders/more.md", f'"{kind}"', *REQUIRED)


def test_a_check_for_a_text_is_regex_with_the_text_in_pattern(check: Check) -> None:
    assert not check(grader("type: regex\npattern: high water"))


@pytest.mark.parametrize("kind", OPTIONS)
def test_every_option_of_each_type_loads_beside_those_of_all(check: Check, kind: str) -> None:
    every = OPTIONS[kind] + "\nweight: 2\narm: both\nname: named"

    assert not check({**BASELINE, **grader(f"type: {kind}\n{every}")})
    assert {line.split(":")[0] for line in OPTIONS[kind].splitlines()} == set(keys.GRADERS[kind].options)


@pytest.mark.parametrize(
    ("options", "body"),
    [
        ("type: regex", "high"),
        ("type: llm", "PASS if so. FAIL if not."),
        ("type: baseline\nbaseline_file: b.jsonl", "PASS if so. FAIL if not."),
    ],
)
def test_the_body_of_a_grader_file_stands_for_its_pattern_or_criteria(check: Check, options: str, body: str) -> None:
    assert not check({**BASELINE, **grader(options, body)})


@pytest.mark.parametrize(
    ("options", "body"), [("type: tool_used", "Read"), ("type: file_exists", "a.txt"), ("type: tool_order", "Read")]
)
def test_the_body_stands_for_nothing_else(check: Check, options: str, body: str) -> None:
    assert check(grader(options, body))


def test_a_sound_suite_passes(check: Check) -> None:
    assert not check({"prompt.md": PROMPT, "graders/answer.md": GRADER})

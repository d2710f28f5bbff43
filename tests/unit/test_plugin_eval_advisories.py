"""Which graders of a case are said to be unable to pass, before anything is run.

The lists were read from the advisories of Claude Code 2.1.332 for the same graders.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest

from skill_evaluator.api.plugin_eval.execution import evaluate_suite
from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.api.plugin_eval.plan import plan_suite
from tests.unit.scripted_suites import Heard, case_files, suite

_FILE = "target: {source: file, path: o.txt}"
_MATCHES = {"contains": "contains", "not": "not_contains", "c0": "count:0", "c1": "count:1"}
_TOOLS = (
    "Read",
    "Skill",
    "Glob",
    "Write",
    "Bash",
    "Agent",
    "Task",
    "WebFetch",
    "mcp__st__nope",
    "Nope",
    "ExitPlanMode",
)
GRADERS = {
    **{f"file_{key}": f'type: regex\npattern: x\nmatch: "{one}"\n{_FILE}' for key, one in _MATCHES.items()},
    **{f"files_{key}": f'type: regex\npattern: x\nmatch: "{one}"\ntarget: files' for key, one in _MATCHES.items()},
    "files_empty": 'type: regex\npattern: "^$"\ntarget: files',
    "trace": "type: regex\npattern: Write\ntarget: trace",
    "llm_file": "type: llm\ncriteria: x\nfocus: {source: file, path: o.txt}",
    "llm_files": "type: llm\ncriteria: x\nfocus: files",
    "exists": 'type: file_exists\npath: "*"',
    "exists_not": 'type: file_exists\npath: "*"\nexists: false',
    **{f"uses_{tool}": f"type: tool_used\ntool: {tool}" for tool in _TOOLS},
    "never_write": "type: tool_used\ntool: Write\nmin: 0\nmax: 0",
    "max_write": "type: tool_used\ntool: Write\nmax: 0",
    "order_rw": "type: tool_order\nbefore: Read\nafter: Write",
    "order_rs": "type: tool_order\nbefore: Read\nafter: Skill",
}
NEW_FILE = ["exists", "files_c1", "files_contains", "files_empty"]
CONTENT = ["file_c0", "file_c1", "file_contains", "file_not", "llm_file"]
WRITE = ["max_write", "order_rw", "uses_Write"]
GATED = ["uses_Bash", "uses_ExitPlanMode", "uses_WebFetch"]
ALL = [*NEW_FILE, *CONTENT, *WRITE, *GATED]
SCRIPT = 'schema_version: "1.1"\nname: c\ncontext: {scaffold_script: s.sh}\n'


def _told(root: Path, *, head: str = "", has_script: bool = False, **options: object) -> list[str]:
    files = {
        **case_files(head=f"allowed_tools: [Read, Skill]\n{head}"),
        **{f"c/graders/{name}.md": f"---\n{text}\n---\n" for name, text in GRADERS.items()},
        **({"c/case.yaml": SCRIPT, "c/s.sh": "echo x > o.txt\n"} if has_script else {}),
    }
    asked = SuiteOptions(suite=suite(root, files), output_dir=Path("out"), **options)  # type: ignore[arg-type]
    (planned,) = plan_suite(asked).cases
    return list(dict.fromkeys(line.split("'")[1] for line in planned.advisories))


def test_graders_of_new_files_and_of_tools_that_need_a_grant(tmp_path: Path) -> None:
    assert sorted(_told(tmp_path)) == sorted(ALL)


@pytest.mark.parametrize(
    ("granted", "told"),
    [
        ("Edit", GATED),
        ("NotebookEdit", GATED),
        ("Bash(echo *)", [*WRITE, "uses_ExitPlanMode", "uses_WebFetch"]),
        ("WebFetch(domain:x.com)", [*NEW_FILE, *CONTENT, *WRITE, "uses_Bash", "uses_ExitPlanMode"]),
    ],
)
def test_what_is_granted_is_there_and_one_tool_that_writes_brings_the_others(
    granted: str, told: Sequence[str], tmp_path: Path
) -> None:
    assert sorted(_told(tmp_path, allow_tools=(granted,))) == sorted(told)


@pytest.mark.parametrize(
    ("scaffold", "told"), [(True, [*NEW_FILE, *WRITE, *GATED]), (False, ALL)], ids=["scripts", "no-scripts"]
)
def test_a_script_that_is_run_may_make_the_contents_of_a_file(
    scaffold: bool, told: Sequence[str], tmp_path: Path
) -> None:
    assert sorted(_told(tmp_path, has_script=True, scaffold=scaffold)) == sorted(told)


@pytest.mark.parametrize(
    ("gone", "also"),
    [
        ("Skill, Read, Glob, Agent", ["order_rs", "uses_Agent", "uses_Glob", "uses_Read", "uses_Skill"]),
        ("Agent", ["uses_Agent"]),
        ("Task", ["uses_Agent"]),
    ],
)
def test_a_tool_that_the_case_takes_away_is_named_as_the_grader_names_it(
    gone: str, also: Sequence[str], tmp_path: Path
) -> None:
    assert sorted(_told(tmp_path, head=f"disallowed_tools: [{gone}]\n")) == sorted([*ALL, *also])


def test_a_tool_that_the_user_takes_away_is_gone_too(tmp_path: Path) -> None:
    told = _told(tmp_path, allow_tools=("Write",), disallow_tools=("Read",))
    assert sorted(told) == sorted(["order_rs", "order_rw", "uses_Read", *GATED])


@pytest.mark.parametrize(
    ("granted", "gone", "told"),
    [
        (("Write",), "Write", ALL),
        (("Write",), "Write, Edit, NotebookEdit", ALL),
        (("Edit",), "Write", [*WRITE, *GATED]),
        (("Edit",), "Edit", ALL),
        (("Bash", "Write"), "Bash", GATED),
        (("Bash",), "Bash", ALL),
    ],
)
def test_what_is_granted_and_taken_away_makes_no_file(
    granted: Sequence[str], gone: str, told: Sequence[str], tmp_path: Path
) -> None:
    assert sorted(_told(tmp_path, head=f"disallowed_tools: [{gone}]\n", allow_tools=granted)) == sorted(told)


@pytest.mark.parametrize("entry", ["Bash(ls *)", "mcp__st__create", "Nope"])
def test_nothing_is_run_where_what_is_to_be_taken_away_is_no_tool(entry: str, tmp_path: Path) -> None:
    heard = Heard()
    options = SuiteOptions(
        suite=suite(tmp_path / "p", case_files()), output_dir=tmp_path / "out", disallow_tools=("Agent", entry)
    )
    evaluated = evaluate_suite(options, heard)
    assert (evaluated.exit_status, evaluated.had_cases) == (1, False)
    assert [repr(entry) in line for line in evaluated.reasons] == [True]
    assert not (tmp_path / "out").exists()

"""Which arms of which cases are run, and what is known to fail before."""

from pathlib import Path

import pytest

from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.api.plugin_eval.plan import SuitePlan, plan_suite, setup_of
from skill_evaluator.cli.plugin_eval_numbers import ceiling_text, dollars_text
from skill_evaluator.formats.suite.suite import LoadedSuite
from skill_evaluator.model import Arm, Case, Source, Split
from tests.unit.scripted_suites import bare_suite, case_files, suite

_HISTORY = (
    '{"type":"user","message":{"role":"user","content":"hi"},"uuid":"11111111-1111-4111-8111-111111111111",'
    '"sessionId":"22222222-2222-4222-8222-222222222222","timestamp":"2026-01-01T00:00:00.000Z"}\n'
)
_GOES_ON = {
    "h/case.yaml": 'schema_version: "1.1"\nname: h\nruns: 1\ncontext: {history_file: h.jsonl}\n'
    "execution: {prompt: hi}\ngraders: [{name: g, type: regex, pattern: x}]\n",
    "h/h.jsonl": _HISTORY,
}
_BOTH, _WITH = (Arm.WITH, Arm.WITHOUT), (Arm.WITH,)


def _plan(loaded: LoadedSuite, **asked: object) -> SuitePlan:
    return plan_suite(SuiteOptions(suite=loaded, output_dir=Path("out"), **asked))  # type: ignore[arg-type]


def _arms(plan: SuitePlan) -> dict[str, tuple[Arm, ...]]:
    return {case.case.id: case.arms for case in plan.cases}


@pytest.mark.parametrize(
    ("asked", "arms", "ablation"),
    [
        ({}, {"c": _BOTH, "h": _WITH}, "with-without"),
        ({"is_named": True}, {"c": _BOTH, "h": _BOTH}, "with-without"),
        ({"ablation": "none"}, {"c": _WITH, "h": _WITH}, "none"),
        ({"ablation": "with-without"}, {"c": _BOTH, "h": _BOTH}, "with-without"),
    ],
)
def test_a_case_that_goes_on_a_session_has_one_arm_unless_asked_otherwise(
    tmp_path: Path, asked: dict[str, object], arms: dict[str, tuple[Arm, ...]], ablation: str
) -> None:
    plan = _plan(suite(tmp_path / "p", {**case_files(), **_GOES_ON}), **asked)
    assert (_arms(plan), plan.ablation) == (arms, ablation)


def test_a_suite_of_nothing_but_sessions_to_go_on_with_is_one_of_two_arms(tmp_path: Path) -> None:
    plan = _plan(suite(tmp_path / "p", _GOES_ON))
    assert (_arms(plan), plan.ablation) == ({"h": _WITH}, "with-without")


def test_a_case_without_a_plugin_has_one_arm(tmp_path: Path) -> None:
    loaded = bare_suite(tmp_path / "p", case_files())
    assert _arms(_plan(loaded)) == {"c": _WITH}
    assert _plan(loaded).ablation == "none"
    compared = _plan(loaded, ablation="with-without")
    assert (compared.cases, compared.jobs, len(compared.refused)) == ((), (), 1)


def test_runs_are_those_of_the_case_unless_asked_otherwise(tmp_path: Path) -> None:
    loaded = suite(tmp_path / "p", case_files(runs=2))
    assert len(_plan(loaded).jobs) == 4
    assert len(_plan(loaded, runs=5).jobs) == 10


@pytest.mark.parametrize(
    ("files", "asked", "unbegun"),
    [
        ({"mocks/tracker/t.md": "---\nbogus: 1\n---\nx\n"}, {}, True),
        ({"mocks/tracker/t.md": "---\nbogus: 1\n---\nx\n"}, {"allow_real_servers": True}, True),
        ({"mocks/tracker/t.md": "---\nbogus: 1\n---\nx\n"}, {"mocks": "off"}, False),
        ({"c/mocks/tracker/t.md": "---\nbogus: 1\n---\nx\n"}, {}, True),
        ({".claude-plugin/plugin.json": '{"name": "demo",}'}, {}, True),
        ({".claude-plugin/plugin.json": '{"name": "demo", "mcpServers": "./x.mcpb"}'}, {}, True),
        ({".claude-plugin/plugin.json": '{"name": "demo", "mcpServers": "./x.mcpb"}'}, {"mocks": "off"}, False),
        ({".claude-plugin/plugin.json": '{"name": "demo",}'}, {"allow_real_servers": True}, False),
    ],
)
def test_stand_ins_that_cannot_be_made_leave_one_entry(
    tmp_path: Path, files: dict[str, str], asked: dict[str, object], *, unbegun: bool
) -> None:
    plan = _plan(suite(tmp_path / "p", {**case_files(), **files}), **asked)
    assert [(job.arm, job.is_unbegun) for job in plan.jobs] == (
        [(Arm.WITH, True)] if unbegun else [(Arm.WITH, False), (Arm.WITHOUT, False)]
    )
    assert (plan.cases[0].error is not None) is unbegun


def test_a_name_that_no_rule_can_hold_fails_the_arm_with_the_plugin_alone(tmp_path: Path) -> None:
    plan = _plan(suite(tmp_path / "p", {**case_files(), "../we{ird/x.txt": "x"}))
    assert [job.error is not None for job in plan.jobs] == [True, False]
    assert plan.cases[0].error is None


def test_a_link_to_a_folder_fails_every_run(tmp_path: Path) -> None:
    plan = _plan(suite(tmp_path / "p", {**case_files(), "../real/x.txt": "x", "l": "->../real"}))
    assert [job.error for job in plan.jobs] == [plan.cases[0].error] * 2
    assert (plan.cases[0].error or "").startswith("evals/l: is a link to a folder")


def test_a_script_outside_of_its_case_matters_only_where_scripts_are_run(tmp_path: Path) -> None:
    yaml = 'schema_version: "1.1"\nname: c\ncontext: {scaffold_script: ../s.sh}\n'
    loaded = suite(tmp_path / "p", {**case_files(), "c/case.yaml": yaml, "s.sh": "true\n"})
    assert {job.error for job in _plan(loaded).jobs} == {None}
    assert None not in {job.error for job in _plan(loaded, scaffold=True).jobs}


@pytest.mark.parametrize(("content", "is_started"), [("", True), (None, False)])
def test_a_session_without_a_message_is_gone_on_with_and_one_that_is_missing_is_not(
    tmp_path: Path, content: str | None, *, is_started: bool
) -> None:
    plan = _plan(suite(tmp_path / "p", {**_GOES_ON, "h/h.jsonl": content}))
    assert [job.error is None for job in plan.jobs] == [is_started]


def test_tools_that_are_not_granted_are_told(tmp_path: Path) -> None:
    head = 'allowed_tools: [Read, Write, "Bash(ls *)", mcp__plugin_demo_x__y]\n'
    files = {
        **case_files(head=head),
        "c/graders/w.md": "---\ntype: tool_used\ntool: Write\n---\n",
        "c/graders/n.md": "---\ntype: tool_used\ntool: Edit\nmin: 0\nmax: 0\n---\n",
        "c/graders/f.md": "---\ntype: file_exists\npath: x\n---\n",
        "c/graders/a.md": "---\ntype: file_exists\npath: x\nexists: false\n---\n",
        "c/graders/o.md": "---\ntype: tool_order\nbefore: Read\nafter: Bash\n---\n",
    }
    loaded = suite(tmp_path / "p", files)
    (planned,) = _plan(loaded).cases
    assert planned.not_granted == ("Write", "Bash(ls *)", "mcp__plugin_demo_x__y")
    assert [line.split("'")[1] for line in planned.advisories] == ["f", "o", "w"]
    (granted,) = _plan(loaded, allow_tools=("Write", "Bash(ls *)")).cases
    assert (granted.not_granted, granted.advisories) == (("mcp__plugin_demo_x__y",), ())


def test_a_case_of_another_kind_is_a_bug() -> None:
    case = Case(
        id="c",
        prompt="p",
        split=Split.TUNING,
        expect_trigger=None,
        sha256="",
        prompt_sha256="",
        source=Source(path="f"),
    )
    with pytest.raises(ValueError, match="no case of an eval suite"):
        setup_of(case)


@pytest.mark.parametrize(
    ("asked", "told"), [(5.0, "$5.00"), (0.00001, "$0.00001"), (0.0, "$0.00"), (1.005, "$1.005"), (0.3, "$0.30")]
)
def test_a_ceiling_is_told_as_it_was_given(asked: float, told: str) -> None:
    assert ceiling_text(asked) == told


def test_a_cost_below_what_is_shown_is_not_told_as_nothing() -> None:
    assert (dollars_text(0.00001), dollars_text(0.0001), dollars_text(0.0)) == ("<$0.0001", "$0.0001", "$0.00")

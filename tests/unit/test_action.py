"""Carries out the steps of the action in a shell, as a runner of GitHub Actions would."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.unit.ci_setup import ROOT

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "skill.yml").read_text("utf-8"))
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}", re.DOTALL)
# Writes down its arguments, one a line with what a shell would need, and leaves the files of a run.
FAKE_PROGRAM = """#!/usr/bin/env bash
printf '%q\\n' "$@" >> "$PROGRAM_LOG"
for given in "$@"; do case "$given" in --json=*) echo '{"verdict": "PASS"}' > "${given#--json=}" ;; esac; done
[ "$1" = run ] || echo '<!-- skill-evaluator:0123456789abcdef -->'
"""
FAKE_GH = """#!/usr/bin/env bash
printf '%s\\n' "$*" >> "$GH_LOG"
case "$*" in *--paginate*) cat "$GH_COMMENTS" ;; esac
exit "${GH_STATUS:-0}"
"""


def value(expression: str, context: Mapping[str, str]) -> str:
    """What a runner puts in the place of `${{ name }}`; an unknown name is an empty text there."""
    return context.get(expression, "")


def filled(text: object, context: Mapping[str, str]) -> str:
    return EXPRESSION.sub(lambda found: value(found[1], context), str(text))


def holds(condition: str | None, context: Mapping[str, str]) -> bool:
    """Decide an `if:` of this action: comparisons with a text, joined by `&&`, none of which was cancelled."""
    if condition is None:
        return True
    found = EXPRESSION.fullmatch(condition.strip())
    assert found, condition
    for part in (one.strip() for one in found[1].split("&&")):
        if part == "!cancelled()":
            continue
        name, operator, text = re.fullmatch(r"(\S+)\s+(==|!=)\s+'(.*)'", part).groups()  # type: ignore[union-attr]
        if (value(name, context) == text) != (operator == "=="):
            return False
    return True


@dataclass(frozen=True, kw_only=True)
class Done:
    """What came of the action: its status, its outputs, the log, the summary, and what `gh` was asked."""

    status: int
    outputs: Mapping[str, str]
    log: str
    summary: str
    asked: list[str]


@dataclass(frozen=True, kw_only=True)
class Runner:
    """A runner whose files lie in one folder; the working folder is the repository."""

    place: Path
    repository: Path

    def carry_out(
        self, inputs: Mapping[str, str], *, event: str = "workflow_dispatch", comments: str = "", gh_status: int = 0
    ) -> Done:
        given = {name: str(one.get("default", "")) for name, one in ACTION["inputs"].items()}
        given |= {"install": "false", "token": "t", **inputs}
        context = {f"inputs.{name}": text for name, text in given.items()}
        context |= {
            "github.event_name": event,
            "github.repository": "somebody/skills",
            "github.event.pull_request.number": "7",
            "github.action_path": str(ROOT),
        }
        (self.place / "comments.txt").write_text(comments, "utf-8")
        status, log = 0, ""
        for step in ACTION["runs"]["steps"]:
            if not holds(step.get("if"), context) or (status and "!cancelled()" not in str(step.get("if"))):
                continue
            done = self._step(step, context, gh_status)
            status, log = status or done.returncode, log + done.stdout
            context |= {f"steps.{step.get('id')}.outputs.{key}": text for key, text in self._outputs().items()}
        return Done(
            status=status,
            outputs={name: filled(one["value"], context) for name, one in ACTION["outputs"].items()},
            log=log,
            summary=self._text("summary.md"),
            asked=self._text("gh.log").splitlines(),
        )

    def _step(
        self, step: Mapping[str, Any], context: Mapping[str, str], gh_status: int
    ) -> subprocess.CompletedProcess[str]:
        assert step["shell"] == "bash"
        script = self.place / "step.sh"
        script.write_text(step["run"], "utf-8")
        environment = {
            "PATH": f"{self.place / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.place),
            "PYTHONPATH": str(ROOT),
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(self.repository),
            "GITHUB_OUTPUT": str(self.place / "output.txt"),
            "GITHUB_STEP_SUMMARY": str(self.place / "summary.md"),
            "RUNNER_TEMP": str(self.place / "temp"),
            "PROGRAM_LOG": str(self.place / "program.log"),
            "GH_LOG": str(self.place / "gh.log"),
            "GH_COMMENTS": str(self.place / "comments.txt"),
            "GH_STATUS": str(gh_status),
            **{name: filled(text, context) for name, text in step.get("env", {}).items()},
        }
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.repository,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )

    def _outputs(self) -> dict[str, str]:
        pairs = (line.partition("=") for line in self._text("output.txt").splitlines())
        return {key: text for key, _, text in pairs}

    def _text(self, name: str) -> str:
        return (self.place / name).read_text("utf-8") if (self.place / name).exists() else ""


def runner_with(program: str, place: Path, repository: Path) -> Runner:
    """A runner on which `skill-evaluator` is that program, and `gh` writes down its words."""
    programs = place / "bin"
    programs.mkdir(parents=True)
    (place / "temp").mkdir()
    for name, text in (("skill-evaluator", program), ("gh", FAKE_GH)):
        (programs / name).write_text(text, "utf-8")
        (programs / name).chmod(0o755)
    (programs / "python3").symlink_to(sys.executable)
    return Runner(place=place, repository=repository)


@pytest.fixture
def runner(tmp_path: Path, skill_dir: Path) -> Runner:
    """The skill's folder is the repository, and `skill-evaluator` is this very program."""
    program = f'#!/usr/bin/env bash\nexec "{sys.executable}" -m skill_evaluator "$@"\n'
    return runner_with(program, tmp_path / "runner", skill_dir)


@pytest.fixture
def dry_runner(tmp_path: Path, skill_dir: Path) -> Runner:
    """The same without the program, for tests of the scripts alone."""
    return runner_with(FAKE_PROGRAM, tmp_path / "runner", skill_dir)


def test_a_skill_that_passes_is_green(runner: Runner) -> None:
    done = runner.carry_out({"agent": "embedded"})

    assert done.status == 0, done.log
    assert done.outputs["verdict"] == "ESTIMATE"
    report = json.loads(Path(done.outputs["report"]).read_text("utf-8"))
    assert report["verdict"] == "ESTIMATE"
    assert {path.name for path in Path(done.outputs["folder"]).iterdir()} >= {
        *("report.json", "junit.xml", "runs.csv", "comment.md"),
    }
    assert "### ⚠️ `level-maker`: ESTIMATE" in done.summary
    assert done.asked == []


def test_input_that_is_refused_is_red_and_has_no_verdict(runner: Runner) -> None:
    done = runner.carry_out({"agent": "embedded", "baseline": "none.json"})

    assert done.status == 1
    assert done.outputs == {"verdict": "", "report": "", "folder": ""}
    assert "none.json" in done.log
    assert "::error " in done.log


def test_a_regression_is_red_with_report_and_comment(runner: Runner) -> None:
    first = runner.carry_out({"agent": "embedded"})
    (runner.repository.parent / "old.json").write_bytes(Path(first.outputs["report"]).read_bytes())
    text = (runner.repository / "SKILL.md").read_text("utf-8")
    (runner.repository / "SKILL.md").write_text(
        re.sub(
            r"description: .*?\nmetadata",
            "description: Says what the capital of Portugal is, checks that texture files are a power of two, "
            "translates letters into German, summarises meeting notes, fixes failing unit tests, books tables for two."
            "\nmetadata",
            text,
            flags=re.DOTALL,
        ),
        "utf-8",
    )

    done = runner.carry_out(
        {"agent": "embedded", "baseline": "../old.json", "fail-on": "marked", "comment": "true"}, event="pull_request"
    )

    assert done.status == 1, done.log
    assert done.outputs["verdict"] == "ESTIMATE"
    assert "::error title=Regression::" in done.log
    assert done.asked[-1].startswith("api --method POST repos/somebody/skills/issues/7/comments -F body=@")


def test_a_later_run_replaces_its_own_comment(dry_runner: Runner) -> None:
    marker = "<!-- skill-evaluator:0123456789abcdef -->"

    done = dry_runner.carry_out(
        {"comment": "true"}, event="pull_request", comments=f"11 hello\n12 {marker}\n13 {marker}\n"
    )

    assert done.status == 0, done.log
    assert done.asked[-1].startswith("api --method PATCH repos/somebody/skills/issues/comments/12 -F body=@")


def test_a_comment_that_cannot_be_written_is_a_warning(dry_runner: Runner) -> None:
    done = dry_runner.carry_out({"comment": "true"}, event="pull_request", gh_status=1)

    assert done.status == 0
    assert "::warning::skill-evaluator: the comment could not be written" in done.log


@pytest.mark.parametrize(("event", "comment"), [("push", "true"), ("pull_request", "false")])
def test_nobody_comments_unasked(event: str, comment: str, dry_runner: Runner) -> None:
    done = dry_runner.carry_out({"comment": comment}, event=event)

    assert (done.status, done.outputs["verdict"], done.asked) == (0, "PASS", [])


@pytest.mark.parametrize(
    "text", ['"; touch INJECTED; $(touch INJECTED) `touch INJECTED`', "--yes\ntouch INJECTED", "-x"]
)
@pytest.mark.parametrize("name", ["skill", "testset", "agent", "model", "baseline", "fail-on", "max-cost-usd", "lang"])
def test_no_input_is_more_than_one_argument(name: str, text: str, dry_runner: Runner) -> None:
    plain = dry_runner.carry_out({})
    usual = (dry_runner.place / "program.log").read_text("utf-8").splitlines()
    (dry_runner.place / "program.log").unlink()

    done = dry_runner.carry_out({name: text})

    given = (dry_runner.place / "program.log").read_text("utf-8").splitlines()
    assert (plain.status, done.status, done.outputs["verdict"]) == (0, 0, "PASS")
    assert len(given) - len(usual) == (1 if ACTION["inputs"][name]["default"] == "" else 0)
    assert not [*dry_runner.repository.rglob("INJECTED"), *dry_runner.place.rglob("INJECTED")]
    if name == "skill":
        assert given[given.index("--") + 1].startswith(("\\", "$'", "-x"))


def test_no_expression_stands_in_a_script() -> None:
    """A value that is put into a script is carried out with it; through the environment it stays a value."""
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_every_input_is_used_and_none_is_misspelt() -> None:
    text = (ROOT / "action.yml").read_text("utf-8")

    assert set(re.findall(r"inputs\.([a-z-]+)", text)) == set(ACTION["inputs"])


def test_our_own_workflow_gives_inputs_that_there_are_and_files_that_exist() -> None:
    [job] = WORKFLOW["jobs"].values()
    [step] = [one for one in job["steps"] if one.get("uses") == "./"]

    assert set(step["with"]) <= set(ACTION["inputs"])
    for name in ("skill", "testset", "baseline"):
        assert (ROOT / step["with"][name]).exists()

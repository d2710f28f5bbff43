"""What tests of the command agent share: a configuration for the scripted agent, and a look at what is left behind."""

import asyncio
import sys
from pathlib import Path

import psutil

from skill_evaluator.agents import AGENTS, AgentSetup
from skill_evaluator.formats.skill_md import read_skill
from skill_evaluator.model import Arm, Case, Run, Skill, Source, Split

FAKE = Path(__file__).resolve().parents[1] / "fake_agent.py"
READ = """
[read]
start = "type == 'start'"
listed = "type == 'start' && skills"
skill = "type == 'skill' && name"
tool_calls = "type == 'tool' && @"
tool_results = "type == 'result' && @"
text = "type == 'text' && text"
input_tokens = "tokens_in"
output_tokens = "tokens_out"
cost_usd = "usd"
error = "type == 'error' && message"

[errors]
rate_limit = ["rate limit"]
"""


def config(folder: Path, mode: str = "well", *, prompt: str = '"{prompt}"', more: str = "", read: str = READ) -> Path:
    """Write how the scripted agent is called."""
    argv = f'["{sys.executable}", "{FAKE}", "{mode}", "{{skills_dir}}", "{{skill_dir}}", {prompt}]'
    path = folder / f"{mode}.toml"
    path.write_text(f'argv = {argv}\nformat = "jsonl"\n{more}\n{read}', "utf-8")
    return path


def skill_at(folder: Path) -> Skill:
    """Read a skill that is known to be sound."""
    skill = read_skill(folder).skill
    assert skill is not None
    return skill


def case_of(prompt: str = "design a level", **changes: object) -> Case:
    """Make a case that is asked alone."""
    source = Source(path="testset.json", line=1)
    made: dict[str, object] = {"id": "c1", "prompt": prompt, "split": Split.ACCEPTANCE, "expect_trigger": True}
    return Case(**{**made, "sha256": "", "prompt_sha256": "", "source": source, **changes})  # type: ignore[arg-type]


def ask(path: Path, skill: Skill, case: Case | None = None, **options: object) -> Run:
    """Ask the agent of a configuration once."""
    asked = case or case_of()
    setup = AgentSetup(skill=skill, cases=[asked], testset=[asked], seed=0, agent_config=path, **options)  # type: ignore[arg-type]
    return asyncio.run(AGENTS["command"].factory(setup).run(asked, Arm.WITH, 0))


def left_behind(temporary: Path, evaluator: int) -> list[str]:
    """Everything of the runs of one evaluator that is still there: folders and processes."""
    prefix = f"skill-evaluator-{evaluator}-"
    found = [path.name for path in temporary.iterdir() if path.name.startswith("skill-evaluator-")]
    for process in psutil.process_iter():
        try:
            words = [*process.cmdline(), *process.environ().values()]
        except psutil.Error:
            continue
        found += [f"{process.pid}: {word}" for word in words if prefix in word]
    return found

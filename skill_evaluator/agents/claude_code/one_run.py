"""One run of a case of an eval suite: where it happens, and what it is made into."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from skill_evaluator.agents.claude_code.ending import Ending, ending_of, failed
from skill_evaluator.agents.claude_code.integrity import altered_tool
from skill_evaluator.agents.claude_code.kept import RunName, Workspace, plugin_skills, run_of
from skill_evaluator.agents.claude_code.layout import Layout
from skill_evaluator.agents.claude_code.output import SessionOutput
from skill_evaluator.model import Arm, Case, FailureKind, Run
from skill_evaluator.model.stand_ins import RunStandIns
from skill_evaluator.model.suite_asking import INTERRUPTED, AskedRun
from skill_evaluator.model.suites import Limits, Setup
from skill_evaluator.sandbox import Ended, Sandbox
from skill_evaluator.texts import tr

_MCP_CONFIG: Final = "mocks.json"
_SKILLS: Final = "skills"
_OUT_OF_NOTHING: Final = "exit 0"  # with a result that no session came before
# The real command cannot tell this from an empty answer, and lets graders pass that look for what must not be there.
_NEVER_BEGAN: Final = (
    "the program began no session, so the run is not graded; start it once by hand to see what it says"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """Where one run happens; `stand_ins` is None where no server is started."""

    name: RunName
    folder: Sandbox
    layout: Layout
    stand_ins: RunStandIns | None

    @property
    def case(self) -> Case:
        """The case that is asked."""
        return self.name.case

    @property
    def setup(self) -> Setup:
        """What it needs."""
        return setup_of(self.case)

    @property
    def limits(self) -> Limits:
        """How long it runs."""
        return self.case.limits or Limits()

    def write_mcp_config(self) -> Path | None:
        """Write down where the stand-ins are, readable by the user alone; None where there are none."""
        if self.stand_ins is None or not self.stand_ins.servers:
            return None
        path = self.layout.out / _MCP_CONFIG
        path.touch(mode=0o600)
        servers = {name: dict(entry) for name, entry in self.stand_ins.servers.items()}
        path.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
        return path


def setup_of(case: Case) -> Setup:
    """What a case needs; nothing where it does not say."""
    return case.setup or Setup(folder=Path(case.source.path).parent)


def asked_run(site: Site, output: SessionOutput, ended: Ended | None, workspace: Workspace) -> AskedRun:
    """Say what a run that has ended left; `ended` is None where it was interrupted, and what came until then counts."""
    stand_ins = site.stand_ins
    calls, aborted = (stand_ins.calls, stand_ins.aborted) if stand_ins else (None, None)
    if stand_ins:
        stand_ins.saw([call.name for call in output.session.tool_calls()])
    ending = Ending() if aborted else _ending(site, output, ended)
    if ended is not None and not (aborted or ended.timed_out or output.figures.has_begun):
        return refused_run(site.name.blank(), f"{ending.error or _OUT_OF_NOTHING}; {_NEVER_BEGAN}")
    if (
        stand_ins
        and calls
        and not aborted
        and (tool := altered_tool(output.session.tool_calls(), calls, stand_ins.use))
    ):
        return replace(_untrusted(site.name, tool), distrusted=output.trace)
    run = run_of(site.name, output, ending, calls)
    return AskedRun(
        run=workspace.seen_in(run),
        error=ending.error,
        aborted=aborted,
        notes=tuple(_doubts(site, output)),
    )


def _ending(site: Site, output: SessionOutput, ended: Ended | None) -> Ending:
    if ended is None:
        return failed(FailureKind.CRASH, INTERRUPTED)
    return ending_of(ended, output.figures, timeout_s=site.limits.timeout_s)


def refused_run(run: Run, error: str) -> AskedRun:
    """Say why a run was not made; with a trace, though an empty one, it is graded all the same."""
    return AskedRun(run=replace(run, failure=failed(FailureKind.CRASH, error).failure), error=error)


def _untrusted(name: RunName, tool: str) -> AskedRun:
    message = (
        f"a result of {tool} in the session is not what its stand-in answered: a hook of the plugin replaced it, or "
        "the program wrote it in place of an empty answer or added to an error; the run is not graded"
    )
    return refused_run(name.blank(), message)


def _doubts(site: Site, output: SessionOutput) -> Iterator[str]:
    """The real program grades such a run like any other, but whoever reads the result should know."""
    if site.name.arm is Arm.WITHOUT or output.figures.skills is None or plugin_skills(output):
        return
    for plugin in site.setup.plugins:
        if (plugin / _SKILLS).is_dir():
            yield tr(
                "no skill of the plugin in {plugin} is among the skills that were listed to the model", plugin=plugin
            )

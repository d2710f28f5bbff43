"""Carries out the tool calls of one run."""

from skill_evaluator.agents.messages.offer import Offer
from skill_evaluator.agents.messages.request import ToolUse
from skill_evaluator.agents.messages.searching import glob, grep
from skill_evaluator.agents.messages.tool_result import ToolResult, refused
from skill_evaluator.agents.messages.tools import GLOB, GREP, READ, SKILL, STAND_IN_ANSWER, stand_in_names
from skill_evaluator.agents.messages.workspace import Workspace
from skill_evaluator.model import Case, JsonObject


class Toolbox:
    """The tools of one run; its files are put together only where a tool asks for them."""

    def __init__(self, offer: Offer, case: Case) -> None:
        self._offer = offer
        self._case = case
        self._workspace: Workspace | None = None

    def answer(self, use: ToolUse) -> ToolResult:
        """Carry out one call."""
        arguments: JsonObject = use.input
        match use.name:
            case "Skill":
                return self._offer.launch(arguments)
            case "Read":
                return self._files().read(arguments)
            case "Glob":
                return glob(self._files(), arguments)
            case "Grep":
                return grep(self._files(), arguments)
            case name if name in stand_in_names(self._case):
                return ToolResult(text=STAND_IN_ANSWER)
            case name:
                known = (SKILL, READ, GLOB, GREP, *stand_in_names(self._case))
                return refused(f"there is no tool {name[:200]!r}; the tools are: {', '.join(known)}")

    def _files(self) -> Workspace:
        if self._workspace is None:
            self._workspace = Workspace(tree=self._offer.tree, case_files=self._case.files)
        return self._workspace

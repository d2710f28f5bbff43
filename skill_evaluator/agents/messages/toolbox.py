"""Carries out the tool calls of one run."""

from skill_evaluator.agents.messages.offer import Offer
from skill_evaluator.agents.messages.request import ToolUse
from skill_evaluator.agents.messages.searching import glob, grep
from skill_evaluator.agents.messages.tool_result import ToolResult, refused
from skill_evaluator.agents.messages.tools import (
    EDIT,
    GLOB,
    GREP,
    READ,
    SKILL,
    STAND_IN_ANSWER,
    WRITE,
    stand_in_names,
    writes,
)
from skill_evaluator.agents.messages.workspace import Workspace
from skill_evaluator.agents.messages.writing import edit, write
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
                return self.workspace().read(arguments)
            case "Glob":
                return glob(self.workspace(), arguments)
            case "Grep":
                return grep(self.workspace(), arguments)
            case "Write" if writes(self._case):
                return write(self.workspace(), arguments)
            case "Edit" if writes(self._case):
                return edit(self.workspace(), arguments)
            case name if name in stand_in_names(self._case):
                return ToolResult(text=STAND_IN_ANSWER)
            case name:
                writing = (WRITE, EDIT) if writes(self._case) else ()
                known = (SKILL, READ, GLOB, GREP, *writing, *stand_in_names(self._case))
                return refused(f"there is no tool {name[:200]!r}; the tools are: {', '.join(known)}")

    def workspace(self) -> Workspace:
        """Give the files of the run as they are now."""
        if self._workspace is None:
            self._workspace = Workspace(tree=self._offer.tree, case_files=self._case.files)
        return self._workspace

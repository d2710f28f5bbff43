"""Carries out the tool calls of one run."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from skill_evaluator.agents.messages.offer import Offer
from skill_evaluator.agents.messages.request import ToolUse
from skill_evaluator.agents.messages.searching import glob, grep
from skill_evaluator.agents.messages.tool_result import ToolResult, refused
from skill_evaluator.agents.messages.tools import (
    EDIT,
    GLOB,
    GREP,
    READ,
    STAND_IN_ANSWER,
    WRITE,
    stand_in_names,
    writes,
)
from skill_evaluator.agents.messages.workspace import Workspace
from skill_evaluator.agents.messages.writing import edit, write
from skill_evaluator.model import Case, JsonObject
from skill_evaluator.skill_names import SKILL_TOOL

_Tool = Callable[[Workspace, JsonObject], ToolResult]
_READING: Final[Mapping[str, _Tool]] = MappingProxyType({READ: Workspace.read, GLOB: glob, GREP: grep})
_WRITING: Final[Mapping[str, _Tool]] = MappingProxyType({WRITE: write, EDIT: edit})


class Toolbox:
    """The tools of one run; its files are put together only where a tool asks for them."""

    def __init__(self, offer: Offer, case: Case) -> None:
        self._offer = offer
        self._case = case
        self._workspace: Workspace | None = None
        self._tools = {**_READING, **_WRITING} if writes(case) else _READING

    def answer(self, use: ToolUse) -> ToolResult:
        """Carry out one call."""
        arguments: JsonObject = use.input
        if (tool := self._tools.get(use.name)) is not None:
            return tool(self.workspace(), arguments)
        match use.name:
            case name if name == SKILL_TOOL:
                return self._offer.launch(arguments)
            case name if name in stand_in_names(self._case):
                return ToolResult(text=STAND_IN_ANSWER)
            case name:
                known = (SKILL_TOOL, *self._tools, *stand_in_names(self._case))
                return refused(f"there is no tool {name[:200]!r}; the tools are: {', '.join(known)}")

    def workspace(self) -> Workspace:
        """Give the files of the run as they are now."""
        if self._workspace is None:
            self._workspace = Workspace(tree=self._offer.tree, case_files=self._case.files)
        return self._workspace

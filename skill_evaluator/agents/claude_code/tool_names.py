"""Names of the program's built-in tools: which are taken from a run, which a case may simply ask for.

Source: the command lines of the children of `claude plugin eval`, 2.1.332.
"""

from typing import Final

READERS: Final = ("Read", "Glob", "Grep")
WRITERS: Final = ("Edit", "Write", "NotebookEdit")
SHELLS: Final = ("Bash", "PowerShell")
NEVER: Final = ("Monitor", "EnterWorktree", "ExitWorktree")  # no grant brings them into a run
ON_REQUEST: Final = frozenset(
    (
        *READERS,
        *("Agent", "AskUserQuestion", "NotebookRead", "Skill", "TodoWrite"),
        *("TaskCreate", "TaskGet", "TaskList", "TaskStop", "TaskUpdate"),
    )
)
# Not there unless granted: they change or reach things, or belong to a session with a person.
GATED: Final = (
    *SHELLS,
    *NEVER,
    "ExitPlanMode",
    *WRITERS,
    *("memory_list", "memory_read", "memory_write"),
    *("WebFetch", "ReportFindings", "WebSearch", "SendFeedback", "SendToProject", "SendToProjectContext"),
    *("EnterPlanMode", "DesignSync", "Projects", "Artifact", "ArtifactComments", "ArtifactData", "ArtifactCheck"),
    *("AppifactRepl", "SendMessage", "SendFile", "ListAgents", "ShareOnboardingGuide", "Poll", "Yield", "Workflow"),
    *("CronCreate", "CronDelete", "CronList", "ScheduleWakeup", "RemoteTrigger", "SearchMcpRegistry"),
    *("SuggestConnectors", "ShowOnboardingRolePicker", "OfferChromeSetup", "WrapUp", "ReadNotifications"),
    *("ReadWidgetContext", "McpTaskCheck", "McpTaskResumePolling", "McpTaskShowQuestion"),
    *("enable__mcp__claude-in-chrome", "enable__mcp__remote-devices__Claude_Browser"),
    *("enable__mcp__remote-devices__computer", "request_computer", "ListConnectors", "SearchPlugins"),
    *("SearchSkills", "SuggestPluginInstall", "SuggestSkills", "ListPlugins", "ListSkills", "SendUserMessage"),
    *("SendUserFile", "propose_skills", "SetGoal", "PauseGoal", "GetGoal", "PublishPlugin", "PushNotification"),
    *("FetchInboxMessage", "ListMcpResourcesTool", "ReadMcpResourceTool", "ReadMcpResourceDirTool", "GetTask"),
)
BACKGROUND: Final = "GetTask"  # tells of what a shell left running
_ALIASES: Final = {"Task": "Agent", "KillShell": "TaskStop", "KillBash": "TaskStop", "Brief": "SendUserMessage"}
_REMOVABLE: Final = frozenset((*GATED, *ON_REQUEST, "ToolSearch", "LSP"))


def real_name(tool: str) -> str:
    """Give the name that the program has for a tool today."""
    return _ALIASES.get(tool, tool)


def is_removable(tool: str) -> bool:
    """Whether the program can be told to do without a tool of this name."""
    return real_name(tool) in _REMOVABLE

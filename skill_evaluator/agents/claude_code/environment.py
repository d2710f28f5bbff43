"""The variables that Claude Code is given in a run.

What is passed and what is set was read off the children of the real `claude plugin eval`, 2.1.332.
"""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from skill_evaluator.agents.claude_code.layout import Layout
from skill_evaluator.sandbox import Sandbox, child_environment

# Beyond what any child is given: the terminal, the user's name, cloud providers, switches of the program.
_PASSED: Final = re.compile(
    r"""(?x)
    TERM | COLORTERM | FORCE_COLOR | NO_COLOR | CI | USER | LOGNAME | SHELL
    | (?:AWS|GOOGLE|GCLOUD|CLOUDSDK|AZURE|VERTEX_REGION|DISABLE|BASH|MCP)_\w+ | CLOUD_ML_REGION
    | NODE_TLS_REJECT_UNAUTHORIZED | MAX_THINKING_TOKENS | MAX_MCP_OUTPUT_TOKENS | ENABLE_TOOL_SEARCH
    | USE_BUILTIN_RIPGREP | API_TIMEOUT_MS | SLASH_COMMAND_TOOL_CHAR_BUDGET
    """
)
_PROXY: Final = re.compile(r"(?:HTTPS?|ALL)_PROXY", re.IGNORECASE)
_OWN_SERVERS: Final = "127.0.0.1,localhost"
# Files with credentials of cloud providers, which stay where they are in the user's own home.
_CREDENTIALS: Final = {
    "AWS_CONFIG_FILE": ".aws/config",
    "AWS_SHARED_CREDENTIALS_FILE": ".aws/credentials",
    "AZURE_CONFIG_DIR": ".azure",
    "CLOUDSDK_CONFIG": ".config/gcloud",
}
_HOOKS: Final = (
    *("applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg"),
    *("commit-msg", "post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "pre-receive", "update"),
    *("proc-receive", "post-receive", "post-update", "reference-transaction", "push-to-checkout", "pre-auto-gc"),
    *("post-rewrite", "sendemail-validate", "fsmonitor-watchman", "p4-changelist", "p4-prepare-changelist"),
    *("p4-post-changelist", "p4-pre-submit", "post-index-change"),
)
# The model may fill the repository with settings that start programs when git runs in it.
_GIT: Final = (
    ("core.fsmonitor", ""),
    ("core.hooksPath", os.devnull),
    ("core.askPass", ""),
    ("protocol.ext.allow", "never"),
    ("core.alternateRefsCommand", "f() { git --git-dir=\"$1\" for-each-ref --format='%(objectname)'; }; f"),
    ("submodule.recurse", "false"),
    ("log.showSignature", "false"),
    ("format.pretty", "medium"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("diff.autoRefreshIndex", "false"),
    *((f"hook.{hook}.enabled", "false") for hook in _HOOKS),
    ("core.pager", "cat"),
    ("core.editor", "true"),
    ("credential.helper", ""),
)


def run_environment(
    folder: Sandbox, layout: Layout, *, case_env: Mapping[str, str], outside: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """Make the environment of a run.

    Args:
        folder: The run's sandbox.
        layout: Its folders.
        case_env: Variables of the case, named EVAL_*.
        outside: The environment of this program.
    """
    added = {
        **_places(layout),
        **_credentials(outside),
        **dict(_git_variables()),
        **_without_proxy(outside),
        "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
        "CLAUDE_CODE_ENTRYPOINT": "sdk-cli",
        "CLAUDE_CODE_EVAL_CONFINED": "1",
        "ENABLE_CLAUDEAI_MCP_SERVERS": "false",
        **case_env,
    }
    return child_environment(folder, outside=outside, passed=filter(_PASSED.fullmatch, outside), added=added)


def _places(layout: Layout) -> dict[str, str]:
    config = str(layout.config)
    return {
        "CLAUDE_CONFIG_DIR": config,
        "CLAUDE_CODE_MANAGED_SETTINGS_PATH": config,
        "CLAUDE_CODE_TMPDIR": str(layout.tmp),
    }


def _credentials(outside: Mapping[str, str]) -> dict[str, str]:
    home = outside.get("HOME") or outside.get("USERPROFILE")
    places = {name: str(Path(home) / below) for name, below in _CREDENTIALS.items()} if home else {}
    return {name: outside.get(name) or place for name, place in places.items()}


def _git_variables() -> Iterator[tuple[str, str]]:
    yield from {
        "GIT_CONFIG_COUNT": str(len(_GIT)),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_PROXY_COMMAND": "",
        "GIT_TERMINAL_PROMPT": "0",
    }.items()
    for number, (key, value) in enumerate(_GIT):
        yield f"GIT_CONFIG_KEY_{number}", key
        yield f"GIT_CONFIG_VALUE_{number}", value


def _without_proxy(outside: Mapping[str, str]) -> dict[str, str]:
    """Stand-ins are servers on the loopback, which no proxy reaches."""
    if not any(map(_PROXY.fullmatch, outside)):
        return {}
    kept = outside.get("NO_PROXY") or outside.get("no_proxy")
    return dict.fromkeys(("NO_PROXY", "no_proxy"), f"{kept},{_OWN_SERVERS}" if kept else _OWN_SERVERS)

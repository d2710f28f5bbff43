"""What to do about a suite that did not go well: where its traces are, and how to mend a refused login."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.results.suite_result import SuiteResult
from skill_evaluator.texts import joined, tr

_SERVER = "ANTHROPIC_BASE_URL"
_TRACES = "traces"


def advice(result: SuiteResult, asked: SuiteOptions, environ: Mapping[str, str] = os.environ) -> Iterator[str]:
    """Say what helps, one sentence each; nothing where all went well.

    Args:
        result: The answer.
        asked: What was asked.
        environ: Names the server.
    """
    if result.partial_reason == "auth_failed":
        yield tr(
            "The login was refused{by}. Mend what is used of these: {variables}.",
            by=_asked_at(environ),
            variables=_variables(asked),
        )
    elif _is_below(result) and (asked.output_dir / _TRACES).is_dir():
        kept = "" if asked.keep_temp else tr(" (--keep-temp keeps the workspaces too)")
        folder = str(Path(os.path.abspath(asked.output_dir), _TRACES))  # noqa: PTH100 - follows no link
        yield tr("Traces: {folder}{kept}", folder=folder, kept=kept)


def _asked_at(environ: Mapping[str, str]) -> str:
    from skill_evaluator.agents.messages.credentials import shown_url  # noqa: PLC0415 - most need no server

    return (
        tr(" by {url}, which {variable} names", url=shown_url(environ[_SERVER]), variable=_SERVER)
        if environ.get(_SERVER)
        else ""
    )


def _variables(asked: SuiteOptions) -> str:
    login = (
        ""
        if asked.agent == "messages"
        else tr(", CLAUDE_CODE_OAUTH_TOKEN, or the login of Claude Code (claude /login)")
    )
    return joined("", ["ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN", login])


def _is_below(result: SuiteResult) -> bool:
    """Say whether a run that the model's service let end was not perfect."""
    threshold = result.settings.threshold
    for case in result.cases:
        runs = [run for run in (*case.with_plugin, *(case.without_plugin or ())) if run.is_api_error is not True]
        below = case.numbers.score is None or case.numbers.score < threshold
        if runs and (below or any(run.error for run in runs)):
            return True
    return False

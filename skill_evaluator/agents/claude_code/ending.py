"""Why a run of Claude Code in an eval suite ended, and whether it still says something.

Source: Runs of `claude plugin eval`, 2.1.332.
"""

from dataclasses import dataclass
from typing import Final

from skill_evaluator.agents.claude_code.figures import Closing, Figures
from skill_evaluator.agents.stream_result import failure_kind
from skill_evaluator.model import Failure, FailureKind
from skill_evaluator.model.words import CutBy
from skill_evaluator.sandbox import Ended

_MAX_SHOWN: Final = 2_000  # characters of what the program says of an error
_NO_RESULT: Final = "the session ends without a result"
_CUT_BY: Final[dict[str | None, CutBy]] = {"error_max_turns": "max_turns", "max_output_tokens": "max_tokens"}
_NO_LOGIN: Final = (
    "; log in with Claude Code, or set ANTHROPIC_API_KEY, or CLAUDE_CODE_OAUTH_TOKEN as made by `claude setup-token`"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ending:
    """How a run ended.

    Attributes:
        error: Why it ended abnormally, or None.
        failure: Why it says nothing of the plugin, or None; a run that reached a limit says what it did until then.
        cut_by: The limit that it reached, or None.
    """

    error: str | None = None
    failure: Failure | None = None
    cut_by: CutBy | None = None


def failed(kind: FailureKind, error: str) -> Ending:
    """End a run with a failure."""
    return Ending(error=error, failure=Failure(kind=kind, message=error))


def ending_of(ended: Ended, figures: Figures, *, timeout_s: float) -> Ending:
    """Tell how a run ended that no stand-in ended.

    Args:
        ended: What became of the program.
        figures: What its session says.
        timeout_s: How long it had.
    """
    if ended.timed_out:
        return failed(FailureKind.TIMEOUT, f"timed out after {timeout_s:g}s")
    closing = figures.closing
    if ended.status == 0 and closing is not None and not closing.is_error:
        return Ending()
    return _by_error(f"{_how(ended.status)}: {_said(closing, ended.stderr)}", closing, figures.error_word)


def _by_error(error: str, closing: Closing | None, word: str | None) -> Ending:
    if closing is not None and closing.status is not None:
        return failed(failure_kind(closing.status, word, ""), error)
    cut_by = _CUT_BY.get(closing.subtype if closing else None) or _CUT_BY.get(word)
    if closing is not None and cut_by is not None:
        return Ending(error=error, cut_by=cut_by)
    if failure_kind(None, word, error) is FailureKind.AUTH:
        return failed(FailureKind.AUTH, error + _NO_LOGIN)
    return failed(FailureKind.CRASH, error)


def _how(status: int | None) -> str:
    return f"ended by signal {-status}" if status is not None and status < 0 else f"exit {status}"


def _said(closing: Closing | None, stderr: str) -> str:
    """What the session says of its error, else what the program wrote to standard error, from the end."""
    told = closing.message.strip() if closing is not None and closing.is_error else ""
    return told[:_MAX_SHOWN] or stderr.strip()[-_MAX_SHOWN:] or _NO_RESULT

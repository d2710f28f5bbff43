"""The text behind a target, or why there is none.

What the real program fails for is a failure here; what was merely not kept of a run leaves the question open.
"""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import assert_never

from skill_evaluator.graders.evidence import clean, not_run
from skill_evaluator.graders.javascript_json import stringify
from skill_evaluator.graders.suite.targets import FileTarget, Place, Target
from skill_evaluator.graders.suite.trace_lines import last_text
from skill_evaluator.model import MockCall, Outcome, Run, SeenFile
from skill_evaluator.texts import tr

SETTLED = Outcome(
    passed=None,
    code="not_run",
    message=tr("Nothing more was asked once the skill had fired, so this was not looked at."),
)

WHY_NO_LIST = (
    " They are not known where the workspace was replaced by another folder, could not be read in all its folders, or "
    "held too many files, nor of recordings."
)


def view(run: Run, target: Target) -> str | Outcome:
    """Give the text that a grader looks at.

    Args:
        run: What the agent did.
        target: What to look at.

    Returns:
        The text, untrimmed; or an outcome: a failure where the real program cannot look either (a file that is not
        there, no stand-in active), and otherwise one that leaves open what was not kept.

    Source:
        Suites recorded with Claude Code 2.1.332.
    """
    if isinstance(target, FileTarget):
        return _file(run, target.path)
    if target == "mock_calls" and run.mock_calls is None:
        return _NO_STAND_IN
    return SETTLED if run.was_settled else _at(run, target)


def _at(run: Run, place: Place) -> str | Outcome:
    match place:
        case "last_message":
            return _output(run)
        case "trace":
            return not_kept("trace") if run.trace is None else "\n".join(run.trace)
        case "files":
            return not_kept("created_files") if run.created_files is None else _listed(run.created_files)
        case "mock_calls":
            return "\n".join(map(_mock_call, run.mock_calls or ()))
        case _:
            assert_never(place)


def _listed(paths: Sequence[str]) -> str:
    """Join paths in the order of JavaScript: by UTF-16 code units."""
    return "\n".join(sorted(paths, key=lambda path: path.encode("utf-16-be", "surrogatepass")))


def not_kept(what: str) -> Outcome:
    """Say that a part of a run is not there to look at.

    Args:
        what: The part, such as `trace`.
    """
    why = WHY_NO_LIST if what == "created_files" else ""
    return Outcome(passed=None, code="not_run", message=f"The run was kept without its {what}.{why}")


def target_name(target: Target) -> str:
    """Name a target in a sentence, such as `file a.txt`."""
    return tr("file {path}", path=target.path) if isinstance(target, FileTarget) else target


def file_content(run: Run, path: str) -> bytes | Outcome:
    """Give the bytes of a file of the workspace after the run, or say why there are none, as `view` does."""
    seen = run.seen_files.get(path)
    if (fault := _path_fault(path)) is not None and (seen is None or seen.state != "file"):
        return fault
    if run.was_settled:
        return SETTLED
    if seen is None:
        message = tr("The run keeps nothing of the file {path!r}.", path=path)
        return Outcome(passed=None, code="not_run", message=message)
    content = seen.content
    return _no_content(path, seen) if content is None else content


_NO_STAND_IN = Outcome(
    passed=False,
    code="no_stand_in",
    message=tr("No stand-in for an MCP server was active in this run, so it has no calls to look at: add mocks/."),
    evidence={"target": "mock_calls"},
)


def _output(run: Run) -> str | Outcome:
    if run.output_cut:
        message = tr("The output is not whole, so neither a pattern nor a judge can say what it would have been.")
        return Outcome(passed=None, code="output_cut", message=message)
    if (text := last_text(run)) is not None:
        return text
    return not_run("makes no output") if run.output is None else run.output


def _mock_call(call: MockCall) -> str:
    error = {"isError": True} if call.is_error else {}
    shown = {"tool": call.tool, "input": call.arguments, "output": call.output, **error, "verdict": call.verdict}
    return stringify(shown)


def _file(run: Run, path: str) -> str | Outcome:
    content = file_content(run, path)
    return content if isinstance(content, Outcome) else content.decode("utf-8-sig", "replace")


def _path_fault(path: str) -> Outcome | None:
    """Tell a path that no run can have a file at, whatever it did."""
    if path.startswith("/"):
        return _unseen(path, "outside", tr("is absolute, and only paths inside the workspace are read"))
    depth = 0
    for part in PurePosixPath(path).parts:
        depth += -1 if part == ".." else 1
        if depth < 0:
            return _unseen(path, "outside", tr("leads out of the workspace"))
    return _unseen(path, "not_a_file", tr("is the workspace itself, which is no file")) if depth == 0 else None


def _no_content(path: str, seen: SeenFile) -> Outcome:
    match seen.state:
        case "too_large":
            message = tr("The file {path!r} was too large to keep.", path=path)
            return Outcome(passed=None, code="file_too_large", message=message)
        case "outside":
            return _unseen(path, "outside", tr("leads out of the workspace"))
        case "not_a_file":
            return _unseen(path, "not_a_file", tr("is no regular file"))
        case "unreadable":
            return _unseen(path, "unreadable", tr("cannot be read"))
        case _:
            return _unseen(path, "missing", tr("does not exist after the run"))


def _unseen(path: str, state: str, what: str) -> Outcome:
    return Outcome(
        passed=False,
        code=f"file_{state}",
        message=tr("The path {path!r} {what}.", path=path, what=what),
        evidence={"path": clean(path), "state": state},
    )

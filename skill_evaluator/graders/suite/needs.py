"""What of a run its graders look at, so that agents keep that and no more."""

from collections.abc import Iterable
from dataclasses import dataclass

from skill_evaluator.graders.suite.baseline import Baseline
from skill_evaluator.graders.suite.call_order import CallOrder
from skill_evaluator.graders.suite.file_exists import FileExists
from skill_evaluator.graders.suite.llm import Llm
from skill_evaluator.graders.suite.regex import Regex
from skill_evaluator.graders.suite.targets import FileTarget, Target
from skill_evaluator.graders.suite.tool_used import ToolUsed
from skill_evaluator.model import Check, Grader, JudgedCheck, Needs


@dataclass(frozen=True, kw_only=True, slots=True)
class EvidenceNeeded:
    """What graders look at beyond the output and the tool calls.

    Attributes:
        wants_trace: Whether the text of `Run.trace` is looked at.
        wants_calls: Whether calls of tools are counted: those of the trace where it was kept, which holds the calls of
            subagents too, and otherwise `Run.tool_calls`. An agent whose `tool_calls` are all there are need not keep
            its trace for them.
        wants_created: Whether `Run.created_files` is looked at.
        file_paths: Keys of `Run.seen_files` that are looked at, each once, sorted.
    """

    wants_trace: bool = False
    wants_calls: bool = False
    wants_created: bool = False
    file_paths: tuple[str, ...] = ()


def evidence_needed(graders: Iterable[Grader]) -> EvidenceNeeded:
    """Say what all these graders together look at."""
    checks = [grader.check for grader in graders]
    targets = [target for check in checks if (target := _target(check)) is not None]
    return EvidenceNeeded(
        wants_trace="trace" in targets,
        wants_calls=any(isinstance(check, ToolUsed | CallOrder) for check in checks),
        wants_created="files" in targets or any(isinstance(check, FileExists) for check in checks),
        file_paths=tuple(sorted({target.path for target in targets if isinstance(target, FileTarget)})),
    )


def needs_of(graders: Iterable[Grader]) -> Needs:
    """Say what is to be kept; calls are counted in the session, since arguments of calls are kept shortened."""
    needed = evidence_needed(graders)
    trace = needed.wants_trace or needed.wants_calls
    return Needs(trace=trace, created_files=needed.wants_created, files=needed.file_paths)


def _target(check: Check | JudgedCheck) -> Target | None:
    match check:
        case Regex():
            return check.target
        case Llm() | Baseline():
            return check.focus
        case _:
            return None

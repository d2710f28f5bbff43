"""What the graders of a case ask for: their patterns, the tools they need, how often."""

from collections.abc import Iterator
from dataclasses import dataclass

from skill_evaluator.formats.suite.faults import KeyPath
from skill_evaluator.formats.suite.seen import Doubt, SeenCase, SeenGrader
from skill_evaluator.graders.suite import CallOrder, FileExists, Regex, Selector, ToolUsed
from skill_evaluator.graders.suite.baseline import Baseline
from skill_evaluator.graders.suite.llm import Llm
from skill_evaluator.graders.suite.targets import FileTarget
from skill_evaluator.model import Level
from skill_evaluator.skill_names import SKILL_TOOL


@dataclass(frozen=True, kw_only=True, slots=True)
class Pattern:
    """A pattern of a grader.

    Attributes:
        text: The pattern.
        flags: Its flags.
        path: Where it stands among the options of the grader.
        takes_flags: Whether the grader has an option for flags.
    """

    text: str
    flags: str
    path: KeyPath
    takes_flags: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Calls:
    """Calls of a tool that a grader counts.

    Attributes:
        selector: Which calls.
        path: Where the tool stands among the options of the grader.
        least: How many there must be.
        most: How many there may be, None for any number.
    """

    selector: Selector
    path: KeyPath
    least: int
    most: int | None = None


def patterns(case: SeenCase) -> Iterator[tuple[SeenGrader, Pattern]]:
    """Give every pattern of the graders of a case."""
    for seen in case.graders:
        check = seen.grader.check
        if isinstance(check, Regex):
            yield seen, Pattern(text=check.pattern, flags=check.flags, path=("pattern",), takes_flags=True)
        for calls in calls_of(seen):
            if calls.selector.input_match is not None:
                path = (*calls.path[:-1], "input_match")
                yield seen, Pattern(text=calls.selector.input_match, flags="", path=path)


def regexes(case: SeenCase) -> Iterator[tuple[SeenGrader, Regex]]:
    """Give the graders of a case that look for a pattern."""
    for seen in case.graders:
        if isinstance(seen.grader.check, Regex):
            yield seen, seen.grader.check


def calls_of(seen: SeenGrader) -> Iterator[Calls]:
    """Give the calls that a grader counts."""
    match seen.grader.check:
        case ToolUsed() as check:
            selector = Selector(tool=check.tool, input_match=check.input_match)
            least = 1 if check.min is None else check.min
            yield Calls(selector=selector, path=("tool",), least=least, most=check.max)
        case CallOrder() as check:
            yield Calls(selector=check.before, path=("before", "tool"), least=1)
            yield Calls(selector=check.after, path=("after", "tool"), least=1)
        case _:
            pass


def needed_calls(case: SeenCase) -> Iterator[tuple[SeenGrader, Calls]]:
    """Give the calls without which a grader fails."""
    for seen in case.graders:
        for calls in calls_of(seen):
            if calls.least > 0:
                yield seen, calls


def is_skill_count(seen: SeenGrader) -> bool:
    """Say whether a grader counts calls of the tool that starts skills."""
    return isinstance(seen.grader.check, ToolUsed) and seen.grader.check.tool == SKILL_TOOL


def looked_at(seen: SeenGrader) -> object:
    """Give the `target` or `focus` of a grader; None for the types that have neither."""
    check = seen.grader.check
    return check.target if isinstance(check, Regex) else check.focus if isinstance(check, Llm) else None


def needs_work(seen: SeenGrader) -> bool:
    """Say whether a grader can only pass after a tool was called."""
    check, target = seen.grader.check, looked_at(seen)
    wants_file = isinstance(check, FileExists) and check.exists
    return wants_file or isinstance(target, FileTarget) or any(calls.least > 0 for calls in calls_of(seen))


def criteria_of(seen: SeenGrader) -> str | None:
    """Give what the judge is asked, None for a grader without a judge."""
    check = seen.grader.check
    return check.criteria if isinstance(check, Llm | Baseline) else None


def doubt_at(seen: SeenGrader, path: KeyPath, message: str, level: Level = Level.WARN, **values: object) -> Doubt:
    """Make a doubt about an option of a grader."""
    named = {"grader": seen.grader.name, **values}
    return Doubt(message=message, file=seen.file, path=(*seen.path, *path), values=named, level=level)


def short(text: str, limit: int = 60) -> str:
    """Cut a long text for a message."""
    return text if len(text) <= limit else text[: limit - 3] + "..."

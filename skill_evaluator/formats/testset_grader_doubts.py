"""What is doubtful about the graders of a test set: the rules for eval suites that look at one grader alone."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skill_evaluator.graders import CHECKS
from skill_evaluator.model import Case, Finding, Grader, Level, Setup
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    from skill_evaluator.formats.suite.seen import Doubt

# Those of one grader, but for what is a fault here, and weights, which mean nothing here.
_RULES: Final = (
    "pattern-matches-anything",
    "files-for-contents",
    "quote-in-trace",
    "path-never-matches",
    "count-never-met",
    "count-always-met",
    "count-of-one",
    "criteria-without-conditions",
    "tool-misnamed",
)


def grader_doubts(case: Case, file: str) -> Iterator[Finding]:
    """Give what is doubtful about each grader of a case by itself.

    Args:
        case: A sound case of a test set.
        file: The test set.

    Yields:
        WARNs with the codes that a suite gets for the same.
    """
    graders = [grader for grader in case.graders if _is_of_suites(grader)]
    for grader in graders:
        for code, doubt in _doubts(case, grader):
            yield Finding(
                level=Level.WARN,
                code=code,
                message=tr(
                    "the grader {grader!r}: {doubt}",
                    grader=grader.name,
                    doubt=_worded(code, doubt.message, doubt.values),
                ),
                file=file,
                case=case.id,
                line=case.source.line,
                values={"case": case.id, **doubt.values},
            )


def _is_of_suites(grader: Grader) -> bool:
    return type(grader.check) not in CHECKS.values()


def _doubts(case: Case, grader: Grader) -> "Iterator[tuple[str, Doubt]]":
    from skill_evaluator.formats.suite.rules import CASE_RULES  # noqa: PLC0415 - loads YAML
    from skill_evaluator.formats.suite.seen import SeenCase, SeenGrader, SeenSuite  # noqa: PLC0415 - loads YAML

    seen = SeenCase(place=case.id, case=None, setup=Setup(folder=Path()), graders=(SeenGrader(grader=grader, file=""),))
    suite = SeenSuite(cases=(seen,))
    return ((code, doubt) for code in _RULES for doubt in CASE_RULES[code](seen, suite))


def _worded(code: str, message: str, values: Mapping[str, object]) -> str:
    """Leave it open whether a tool of another name is there: agents of test sets may have tools of their own."""
    if code != "tool-misnamed":
        return message
    return tr(
        "tools are told apart by case, and {tool!r} is close to {nearest!r}; is that one meant?",
        tool=values["tool"],
        nearest=values["nearest"],
    )

"""JSON that is sound but no test set: what it is instead, and what to do."""

from collections.abc import Iterator
from typing import Final

from skill_evaluator.formats.json_file import is_unusable
from skill_evaluator.formats.json_text import JsonText
from skill_evaluator.formats.testset_form import kind_of
from skill_evaluator.formats.trigger_shapes import Kind, recognise
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import tr

_MESSAGES: Final[dict[Kind, str]] = {
    "trigger-set": (
        tr(
            "this is a trigger set in another format; turn it into a test set with "
            "`skill-evaluator import FILE -o testset.json` and use that"
        )
    ),
    "wrapped-testset": tr("the cases stand inside an object; a test set is the list alone, so keep only [ ... ]"),
    "output-evals": (
        tr(
            "this holds output evaluations of another format; turn it into a test set with "
            "`skill-evaluator import TRIGGERS FILE -o testset.json` and use that"
        )
    ),
    "report": tr("this is a report of an earlier run, not a test set"),
}


def explain_shape(document: JsonText, file: str) -> Iterator[Finding]:
    """Say in one finding that a file is no test set.

    Args:
        document: The parsed file; nothing is said of a text that did not parse.
        file: Its name.

    Yields:
        One FAIL `not-a-testset`, or nothing where it is a list that may hold cases.
    """
    kind = recognise(document.value)
    if is_unusable(document) or kind in {"testset", "list"}:
        return
    found = kind_of(document.value)
    message = _MESSAGES.get(kind, tr("a test set is a JSON list of cases, [ ... ], but this is {found}", found=found))
    yield Finding(level=Level.FAIL, code="not-a-testset", message=message, file=file, line=1, values={"kind": kind})

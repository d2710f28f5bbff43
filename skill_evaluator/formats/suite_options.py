"""Graders of a suite, written as the key `graders` of a test set takes them."""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Final

from skill_evaluator.formats.suite import keys
from skill_evaluator.formats.testset_form import Form
from skill_evaluator.formats.testset_graders import read_graders
from skill_evaluator.graders.suite import GRADER_TYPES, FileTarget, Selector
from skill_evaluator.model import Grader
from skill_evaluator.texts import Text, tr

_TYPE_OF: Final = {check: name for name, check in GRADER_TYPES.items()}


def written_options(grader: Grader) -> Mapping[str, object] | str:
    """Write a grader as an object of a test set; weight and arm mean nothing there.

    Returns:
        The object, options at their default left out; or why a test set cannot have such a grader.
    """
    name = _TYPE_OF.get(type(grader.check))
    if name is None:
        return tr("it is of no type that test sets know")
    options = {"name": grader.name, "type": name, **_options(name, grader.check)}
    form = Form({"graders": [options]})
    read_graders(form)
    return _without_place(form.faults[0].message) if form.faults else options


def _without_place(message: str) -> str:
    """Give what is said of the one item of "graders" that was read."""
    said = message.values.get("message") if isinstance(message, Text) else None
    return said if isinstance(said, str) else message.partition(": ")[2]


def _options(kind: str, check: object) -> dict[str, object]:
    """Give those that the format has; what a loader adds to a check, such as the text of a file, is none."""
    found: dict[str, object] = {}
    known = keys.GRADERS[kind].options
    for option in (one for one in fields(check) if one.name in known) if is_dataclass(check) else ():
        value = getattr(check, option.name)
        if option.default is MISSING or value != option.default:
            found[option.name] = _plain(value)
    return found


def _plain(value: object) -> object:
    match value:
        case FileTarget(path=path):
            return {"source": "file", "path": path}
        case Selector(tool=tool, input_match=None):
            return tool
        case Selector(tool=tool, input_match=pattern):
            return {"tool": tool, "input_match": pattern}
        case _:
            return value

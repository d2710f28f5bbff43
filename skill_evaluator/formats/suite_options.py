"""Graders of a suite, written as the key `graders` of a test set takes them."""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Final

from skill_evaluator.formats.suite import keys
from skill_evaluator.formats.testset_form import Form
from skill_evaluator.formats.testset_graders import read_graders
from skill_evaluator.graders.suite import GRADER_TYPES, FileTarget, Selector
from skill_evaluator.model import Grader
from skill_evaluator.texts import tr

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
    return form.faults[0].message.partition(": ")[2] if form.faults else options


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

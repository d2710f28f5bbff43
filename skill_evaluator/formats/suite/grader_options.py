"""The options of one grader, whatever file they stand in -> a `Grader`, or all that is wrong with them."""

import math
from types import MappingProxyType
from typing import Final

from skill_evaluator.formats.suite import keys
from skill_evaluator.formats.suite.blanks import trimmed
from skill_evaluator.formats.suite.checks import READERS
from skill_evaluator.formats.suite.faults import SuiteFault, Values
from skill_evaluator.formats.suite.form import Form, described, nearest, number
from skill_evaluator.model import Aspect, Check, Grader, GraderArm, JudgedCheck
from skill_evaluator.texts import listed, tr

_ASPECTS: Final = MappingProxyType({"tool_order": Aspect.TOOL_ORDER, "llm": Aspect.JUDGED, "baseline": Aspect.JUDGED})


def read_grader(values: Values, *, name: str | None, body: str | None) -> Grader | tuple[SuiteFault, ...]:
    """Read the options of one grader.

    Args:
        values: Its keys: `type`, `weight`, `arm`, `name` and the options of the type.
        name: Its name where `values` has none, such as that of its file; None where it must name itself.
        body: Text below the frontmatter, which stands for `pattern` or `criteria`; None where there is no such text.

    Returns:
        The grader, or its faults in the order in which they were found. A pattern that does not compile is no fault
        of this kind: the real program loads it.

    Source:
        Suites recorded with Claude Code 2.1.332.
    """
    kind = grader_type(values)
    form = Form(_with_body(values, kind, body))
    if kind is None:
        _note_type(form)
    own_name = form.text("name") if name is None or "name" in values else name
    if name is None and "name" not in values:
        form.fault("missing-option", (), tr("the grader has no 'name'; give it one that is unique in its case"))
    weight, arm = _weight(form), form.choice("arm", keys.ARMS)
    check = None if kind is None else _read_check(form, kind, has_text=body is not None)
    if form.faults or check is None or kind is None:
        return tuple(form.faults)
    aspect = _ASPECTS.get(kind, Aspect.OUTPUT)
    return Grader(name=own_name or "", check=check, aspect=aspect, weight=weight, arm=GraderArm(arm) if arm else None)


def grader_type(values: Values) -> str | None:
    """Give the type of a grader, or None where it has no usable one."""
    kind = values.get("type")
    return kind if isinstance(kind, str) and kind in keys.GRADERS else None


def _with_body(values: Values, kind: str | None, body: str | None) -> Values:
    """Let the text below the frontmatter stand for an option that is not written in it."""
    option = keys.GRADERS[kind].body if kind else None
    text = trimmed(body or "")
    return {option: text, **values} if option and text else values


def _note_type(form: Form) -> None:
    known = tr("one of {names}", names=listed(keys.GRADERS))
    if "type" not in form.values:
        form.fault("grader-type", (), tr("the grader has no 'type'; write {known}", known=known))
        return
    found = form.values["type"]
    message = tr(
        "'type' is {found}, which is no type of grader; expected {known}{meant}",
        found=described(found),
        known=known,
        meant=nearest(found, keys.GRADERS),
    )
    form.fault("grader-type", ("type",), message, {"found": found if isinstance(found, str) else None})


def _weight(form: Form) -> float:
    if "weight" not in form.values:
        return 1.0
    weight = number(form.values["weight"])
    if weight is None or weight <= 0:
        form.wrong(form.values["weight"], ("weight",), "'weight'", tr("a number above 0"))
        return math.nan
    return float(weight)


def _read_check(form: Form, kind: str, *, has_text: bool) -> Check | JudgedCheck | None:
    """Read the options of a type; what it gives is sound only if the form has no faults."""
    spec = keys.GRADERS[kind]
    form.check_keys((*keys.EVERY_GRADER, *spec.options), "unknown-option", tr("option of type {kind}:", kind=kind))
    for key in spec.required:
        if key not in form.values:
            below = tr(", or write it below the frontmatter") if has_text and key == spec.body else ""
            form.fault(
                "missing-option",
                (),
                tr("a grader of type {kind} needs {key!r}; add it{below}", kind=kind, key=key, below=below),
                {"key": key},
            )
    return READERS[kind](form)

"""The options of one grader, whatever file they stand in -> a `Grader`, or all that is wrong with them."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from skill_evaluator.formats.suite import keys
from skill_evaluator.formats.suite.blanks import trimmed
from skill_evaluator.formats.suite.faults import SuiteFault, Values
from skill_evaluator.formats.suite.form import Form, described, nearest, number
from skill_evaluator.graders.suite import (
    Baseline,
    CallOrder,
    FileExists,
    FileTarget,
    Llm,
    Regex,
    Selector,
    Target,
    ToolUsed,
)
from skill_evaluator.model import Aspect, Check, Grader, GraderArm, JudgedCheck

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
        form.fault("missing-option", (), "the grader has no 'name'; give it one that is unique in its case")
    weight, arm = _weight(form), form.choice("arm", keys.ARMS)
    check = None if kind is None else _read_check(form, kind)
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
    known = f"one of {', '.join(keys.GRADERS)}"
    if "type" not in form.values:
        form.fault("grader-type", (), f"the grader has no 'type'; write {known}")
        return
    found = form.values["type"]
    message = (
        f"'type' is {described(found)}, which is no type of grader; expected {known}{nearest(found, keys.GRADERS)}"
    )
    form.fault("grader-type", ("type",), message, {"found": found if isinstance(found, str) else None})


def _weight(form: Form) -> float:
    if "weight" not in form.values:
        return 1.0
    weight = number(form.values["weight"])
    if weight is None or weight <= 0:
        form.wrong(form.values["weight"], ("weight",), "'weight'", "a number above 0")
        return math.nan
    return float(weight)


def _read_check(form: Form, kind: str) -> Check | JudgedCheck | None:
    """Read the options of a type; what it gives is sound only if the form has no faults."""
    spec = keys.GRADERS[kind]
    form.check_keys((*keys.EVERY_GRADER, *spec.options), "unknown-option", f"option of type {kind}:")
    for key in spec.required:
        if key not in form.values:
            below = ", or write it below the frontmatter" if key == spec.body else ""
            form.fault("missing-option", (), f"a grader of type {kind} needs {key!r}; add it{below}", {"key": key})
    return _READERS[kind](form)


def _regex(form: Form) -> Regex:
    return Regex(
        pattern=form.text("pattern") or "",
        flags=_flags(form),
        match=_match(form),
        target=_target(form, "target"),
    )


def _flags(form: Form) -> str:
    flags = form.text("flags")
    if flags is None or all(flag in keys.REGEX_FLAGS for flag in flags):
        return flags or ""
    form.wrong(flags, ("flags",), "'flags'", f"some of the letters {keys.REGEX_FLAGS}, which JavaScript knows")
    return ""


def _match(form: Form) -> str:
    match = form.values.get("match", "contains")
    if isinstance(match, str) and keys.MATCH_PATTERN.fullmatch(match):
        return match
    expected = f"{', '.join(keys.MATCHES[:-1])} or {keys.MATCHES[-1]} with a number N and no blank"
    form.wrong(match, ("match",), "'match'", expected)
    return "contains"


def _target(form: Form, key: str) -> Target:
    value = form.values.get(key, "last_message")
    place = next((place for place in keys.PLACES if place == value), None)
    if place is not None:
        return place
    if isinstance(value, dict) and value.get("source") == "file" and set(value) == set(keys.FILE_TARGET_KEYS):
        path = value["path"]
        if isinstance(path, str):
            return FileTarget(path=path)
    form.wrong(value, (key,), repr(key), f"one of {', '.join(keys.PLACES)} or {{source: file, path: <path>}}")
    return "last_message"


def _tool_used(form: Form) -> ToolUsed:
    return ToolUsed(
        tool=form.text("tool") or "",
        input_match=form.text("input_match"),
        min=form.whole("min", 0),
        max=form.whole("max", 0),
    )


def _tool_order(form: Form) -> CallOrder:
    return CallOrder(before=_selector(form, "before"), after=_selector(form, "after"))


def _selector(form: Form, key: str) -> Selector:
    value = form.values.get(key)
    match value:
        case str():
            return Selector(tool=value)
        case {"tool": str(tool), **others} if not others:
            return Selector(tool=tool)
        case {"tool": str(tool), "input_match": str(pattern), **others} if not others:
            return Selector(tool=tool, input_match=pattern)
    if key in form.values:
        form.wrong(value, (key,), repr(key), "the name of a tool, or {tool: <name>, input_match: <pattern>}")
    return Selector(tool="")


def _file_exists(form: Form) -> FileExists:
    exists = form.flag("exists")
    return FileExists(path=form.text("path") or "", exists=exists is not False)


def _llm(form: Form) -> Llm:
    return Llm(criteria=form.text("criteria") or "", focus=_target(form, "focus"))


def _baseline(form: Form) -> Baseline:
    return Baseline(criteria=form.text("criteria") or "", baseline_file=form.text("baseline_file") or "")


_READERS: Final[Mapping[str, Callable[[Form], Check | JudgedCheck]]] = MappingProxyType(
    {
        "regex": _regex,
        "tool_order": _tool_order,
        "tool_used": _tool_used,
        "file_exists": _file_exists,
        "llm": _llm,
        "baseline": _baseline,
    }
)

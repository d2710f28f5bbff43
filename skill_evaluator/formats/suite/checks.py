"""The options of each grader type -> its check; what is wrong is noted in the form, and the check is then of no use.

Source: Suites recorded with Claude Code 2.1.332.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from skill_evaluator.formats.suite import keys
from skill_evaluator.formats.suite.form import Form
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
from skill_evaluator.model import Check, JudgedCheck
from skill_evaluator.texts import listed, tr


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
    form.wrong(
        flags, ("flags",), "'flags'", tr("some of the letters {flags}, which JavaScript knows", flags=keys.REGEX_FLAGS)
    )
    return ""


def _match(form: Form) -> str:
    match = form.values.get("match", "contains")
    if isinstance(match, str) and keys.MATCH_PATTERN.fullmatch(match):
        return match
    expected = tr(
        "{names} or {last} with a number N and no blank",
        names=listed(keys.MATCHES[:-1]),
        last=keys.MATCHES[-1],
    )
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
    form.wrong(
        value,
        (key,),
        repr(key),
        tr("one of {names} or {{source: file, path: <path>}}", names=listed(keys.PLACES)),
    )
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
        form.wrong(value, (key,), repr(key), tr("the name of a tool, or {{tool: <name>, input_match: <pattern>}}"))
    return Selector(tool="")


def _file_exists(form: Form) -> FileExists:
    exists = form.flag("exists")
    return FileExists(path=form.text("path") or "", exists=exists is not False)


def _llm(form: Form) -> Llm:
    return Llm(criteria=form.text("criteria") or "", focus=_target(form, "focus"))


def _baseline(form: Form) -> Baseline:
    return Baseline(criteria=form.text("criteria") or "", baseline_file=form.text("baseline_file") or "")


READERS: Final[Mapping[str, Callable[[Form], Check | JudgedCheck]]] = MappingProxyType(
    {
        "regex": _regex,
        "tool_order": _tool_order,
        "tool_used": _tool_used,
        "file_exists": _file_exists,
        "llm": _llm,
        "baseline": _baseline,
    }
)

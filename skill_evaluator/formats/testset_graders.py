"""The key `graders` of a test set: checks in the words of eval suites, read as those of a suite are.

What the real program finds out only when it grades is a fault here: a pattern that does not compile, and a grader that
no run of a test set can pass or fail.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.grader_options import read_grader
from skill_evaluator.formats.suite.rules.patterns import remedy
from skill_evaluator.formats.suite.rules.tested import Pattern
from skill_evaluator.formats.testset_files import leads_out
from skill_evaluator.formats.testset_form import Form, Graders
from skill_evaluator.graders.javascript import pattern_fault
from skill_evaluator.graders.suite import Baseline, CallOrder, FileExists, FileTarget, Llm, Regex, ToolUsed
from skill_evaluator.model import Grader, JsonObject
from skill_evaluator.texts import tr

_KEY = "graders"
_OF_RUN_ALONE = frozenset({"name", "weight", "arm"})  # say nothing of what is looked at
_BASELINE = tr(
    "a grader of type baseline compares with a recorded session, which a test set does not "
    "hold; keep it in an eval suite, or put an llm grader in its place that says what has "
    "to hold"
)
_NO_STAND_INS = tr(
    'what stand-ins answered ("mock_calls") is there in eval suites alone; look at another '
    'place, such as "trace", or keep the grader in a suite'
)


def read_graders(form: Form) -> Graders:
    """Give the graders; what is wrong is noted."""
    value = form.raw.get(_KEY, [])
    if not isinstance(value, list):
        form.wrong(value, (_KEY,))
        return Graders()
    names = _names(value)
    read = [_read(form, index, item, name) for index, (item, name) in enumerate(zip(value, names, strict=True))]
    _refuse_repeats(form, value)
    return Graders(read=tuple(grader for grader in read if grader), written=tuple(_written(value)))


def _names(items: Sequence[object]) -> list[str]:
    """Give each grader its name; one without gets its type and the first number that is free."""
    taken = {name for item in items if isinstance(name := _of(item, "name"), str)}
    names = []
    for item in items:
        name, kind = _of(item, "name"), _of(item, "type")
        if not isinstance(name, str):
            name = next(free for number in count(1) if (free := f"{kind} {number}") not in taken)
        taken.add(name)
        names.append(name)
    return names


def _of(item: object, key: str) -> object:
    return item.get(key) if isinstance(item, dict) else None


def _read(form: Form, index: int, item: object, name: str) -> Grader | None:
    if not isinstance(item, dict):
        form.wrong(item, (_KEY, index))
        return None
    read = read_grader(item, name=name, body=None)
    faults = _faults_here(item, read) if isinstance(read, Grader) else read
    for fault in faults:
        message = tr('item {index} of "{key}": {message}', index=index + 1, key=_KEY, message=fault.message)
        form.fault(fault.code, (_KEY, index, *fault.path), message, fault.values)
    return read if isinstance(read, Grader) else None


def _faults_here(item: Mapping[str, object], grader: Grader) -> Iterator[SuiteFault]:
    """What is no fault in a suite, or is one only once a run is graded."""
    if "name" in item and not grader.name.strip():
        yield SuiteFault(
            code="wrong-value", path=("name",), message=tr("'name' is empty; give it a name, or leave it out")
        )
    match grader.check:
        case Baseline():
            yield SuiteFault(code="baseline-not-here", path=("type",), message=_BASELINE)
        case Regex(pattern=pattern, flags=flags, target=target):
            yield from _pattern(("pattern",), pattern, flags, takes_flags=True)
            yield from _place("target", target)
        case Llm(focus=focus):
            yield from _place("focus", focus)
        case ToolUsed(input_match=pattern):
            yield from _pattern(("input_match",), pattern)
        case CallOrder(before=before, after=after):
            yield from _pattern(("before", "input_match"), before.input_match)
            yield from _pattern(("after", "input_match"), after.input_match)
        case FileExists(path=path) if leads_out(path):
            yield _outside(("path",), path)
        case _:
            pass


def _pattern(
    path: tuple[str, ...], pattern: str | None, flags: str = "", *, takes_flags: bool = False
) -> Iterator[SuiteFault]:
    if pattern is not None and (why := pattern_fault(pattern, flags)) is not None:
        known = remedy(Pattern(text=pattern, flags=flags, path=path, takes_flags=takes_flags))
        mend = known or tr("; mend it, and mind that JSON wants backslashes twice")
        message = tr("{pattern!r} is no JavaScript pattern ({why}){mend}", pattern=pattern, why=why, mend=mend)
        yield SuiteFault(code="bad-regex", path=path, message=message)


def _place(key: str, place: object) -> Iterator[SuiteFault]:
    if place == "mock_calls":
        yield SuiteFault(code="no-stand-ins", path=(key,), message=_NO_STAND_INS)
    elif isinstance(place, FileTarget) and leads_out(place.path):
        yield _outside((key, "path"), place.path)


def _outside(path: tuple[str, ...], written: str) -> SuiteFault:
    message = tr(
        "the path {written!r} leads out of the workspace; write a relative one, such as 'out/report.md'",
        written=written,
    )
    return SuiteFault(code="path-outside", path=path, message=message)


def _refuse_repeats(form: Form, items: Sequence[object]) -> None:
    first: dict[str, int] = {}
    for index, item in enumerate(items):
        name = _of(item, "name")
        if isinstance(name, str) and first.setdefault(name, index) != index:
            message = tr(
                'item {index} of "{key}" is named {name!r}, as item {first} is; give each its own '
                "name, or leave names out",
                index=index + 1,
                key=_KEY,
                name=name,
                first=first[name] + 1,
            )
            form.fault("duplicate-name", (_KEY, index, "name"), message, {"name": name})


def _written(items: Sequence[object]) -> Iterator[JsonObject]:
    for item in items:
        if isinstance(item, dict):
            yield {key: value for key, value in item.items() if key not in _OF_RUN_ALONE}

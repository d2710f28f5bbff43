"""What was wrong with outputs of runs that fired rightly: fields, texts, tools, out of the evidence of each check."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from skill_evaluator.advise.evidence import TuningCase, TuningEvidence
from skill_evaluator.advise.rounds import Found, Unit
from skill_evaluator.metrics.failed_checks import failures_of
from skill_evaluator.model import Aspect
from skill_evaluator.results import Cause, Note, RunState

_GROUPS = 3  # causes of one aspect told in one round, one by one
_SHARED = 2  # cases that make a fault shared
_NAMED = 5
_CAUSES: Mapping[Aspect, Cause] = {
    Aspect.PARAMS: Cause.FIELDS,
    Aspect.OUTPUT: Cause.OUTPUT,
    Aspect.TOOL_ORDER: Cause.TOOLS,
}
# Outcome code -> the keys of its evidence that make two failures the same.
_ALIKE: Mapping[str, tuple[str, ...]] = {
    "contains_missing": ("missing",),
    "not_contains_found": ("found",),
    "regex_missing": ("pattern",),
    "regex_timeout": ("pattern",),
    "params_no_json": (),
    "tools_missing": ("missing",),
    "tools_out_of_order": ("expected",),
    "tools_extra": ("extra",),
}
_SHOWN: Mapping[str, tuple[str, ...]] = {  # further facts, of the first case alone
    "tools_missing": ("actual",),
    "tools_out_of_order": ("actual",),
    "tools_extra": ("expected",),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Fault:
    """One thing that a check found, the same in every run and case where `key` is; `name` says it in a word."""

    key: str
    name: str
    note: Note


class FailedChecks:
    """Failed checks of one aspect."""

    def __init__(self, evidence: TuningEvidence, aspect: Aspect) -> None:
        self._aspect = aspect
        self._cases = {case.id: case for case in evidence.cases if case.result.aspects.get(aspect) is False}
        self._faults: defaultdict[str, dict[str, _Fault]] = defaultdict(dict)  # by key, then by case
        for case in self._cases.values():
            for fault in _faults(case, aspect):
                self._faults[fault.key].setdefault(case.id, fault)

    def look(self, explained: AbstractSet[Unit], *, last: bool) -> Sequence[Found]:
        """The faults that most cases share, a few in each round; then those of single cases, many of them together."""
        left = [key for key, found in self._faults.items() if any((case, key) not in explained for case in found)]
        ordered = sorted(left, key=lambda key: (-len(self._faults[key]), key))
        shared = [key for key in ordered if len(self._faults[key]) >= _SHARED]
        if shared and not last:
            return [self._found(key) for key in shared[:_GROUPS]]
        if len(ordered) <= _GROUPS:
            return [self._found(key) for key in ordered]
        return [self._various(ordered)]

    def _found(self, key: str) -> Found:
        note = self._faults[key][min(self._faults[key])].note
        return self._of([key], Note(code=f"found_{note.code}", values=note.values), _mended(note))

    def _various(self, keys: Sequence[str]) -> Found:
        names = [found[min(found)].name for found in (self._faults[key] for key in keys[:_NAMED])]
        note = Note(code="various", values={"aspect": str(self._aspect), "faults": len(keys), "names": names})
        return self._of(keys, Note(code="found_various", values=note.values), _mended(note))

    def _of(self, keys: Sequence[str], analysis: Note, proposal: Note) -> Found:
        ids = sorted(set().union(*(self._faults[key] for key in keys)))
        return Found(
            cause=_CAUSES[self._aspect],
            cases=tuple(self._cases[id_] for id_ in ids),
            explains=frozenset((id_, key) for key in keys for id_ in self._faults[key]),
            analysis=replace(analysis, values={**analysis.values, "cases": len(ids), "failed": len(self._cases)}),
            proposal=proposal,
        )


def _mended(note: Note) -> Note:
    return Note(code=f"mend_{note.code}", values=note.values)


def _faults(case: TuningCase, aspect: Aspect) -> Iterator[_Fault]:
    """What the runs of a case failed; a case that failed since too few runs fired has its fault in the others."""
    for run in case.result.runs:
        if run.state is RunState.TRIGGERED:
            for check in failures_of(run, aspect):
                yield from _of_check(check)


def _of_check(check: Mapping[str, object]) -> Iterator[_Fault]:
    code, evidence = str(check["code"]), check["evidence"]
    values = evidence if isinstance(evidence, Mapping) else {}
    fields = values.get("fields")
    if code == "params_mismatch" and isinstance(fields, list | tuple):
        yield from (_of_field(field) for field in fields if isinstance(field, Mapping))
    elif code in _ALIKE:
        alike = {key: values[key] for key in _ALIKE[code] if key in values}
        shown = {**alike, **{key: values[key] for key in _SHOWN.get(code, ()) if key in values}}
        name = ", ".join(
            str(part) for value in alike.values() for part in (value if isinstance(value, list) else [value])
        )
        yield _Fault(key=f"{code} {alike!r}", name=name or code, note=Note(code=code, values=shown))
    else:
        grader = str(check["grader"])
        yield _Fault(key=f"grader {grader!r}", name=grader, note=Note(code="grader", values={"grader": grader}))


def _of_field(field: Mapping[str, object]) -> _Fault:
    path, why = str(field.get("path")), str(field.get("why"))
    values = {"path": path, "expected": field.get("expected"), "actual": field.get("actual")}
    return _Fault(key=f"field {why} {path!r}", name=path, note=Note(code=f"field_{why}", values=values))

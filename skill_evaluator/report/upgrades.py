"""Reads reports of earlier schema versions: what they could not say yet is filled in with what then held."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from types import MappingProxyType

from skill_evaluator.metrics.aspects import VALID
from skill_evaluator.metrics.rubric import RUBRIC_PASS_RATE
from skill_evaluator.metrics.siblings import EXPECTED_SKILL_RATE, counted, first_skill
from skill_evaluator.metrics.votes import JUDGED_PASS_RATE, vote_count
from skill_evaluator.model import Severity
from skill_evaluator.results import SCHEMA_VERSION, Change, Metric, MetricChange, RunState

_RATES_OF_3 = (EXPECTED_SKILL_RATE, RUBRIC_PASS_RATE)
_RATES_OF_4 = (JUDGED_PASS_RATE,)

Content = Mapping[str, object]


def upgraded(content: Content) -> Content:
    """Bring a report's JSON up to this version.

    Args:
        content: An object whose `schema_version` is a whole number from 1 to `SCHEMA_VERSION`.

    Returns:
        The object itself where it is of this version.
    """
    version = content["schema_version"]
    while isinstance(version, int) and version < SCHEMA_VERSION:
        content, version = _STEPS[version](content), version + 1
    return content


def _to_2(content: Content) -> Content:
    """Version 1 had neither a canary nor suggestions, and counted no calls."""
    canary = {"state": "not_needed", "faults": [], "listing_checked": False}
    known = content.get("volatile")
    volatile = {**known, "calls": None, "retries": None} if isinstance(known, Mapping) else known
    return {**content, "canary": canary, "suggestions": [], "volatile": volatile, "schema_version": 2}


def _to_3(content: Content) -> Content:
    """Version 2 knew no judge, no expected siblings, no table of the skills that fired, and no sum of costs."""
    return {
        **content,
        "metrics": _with(content.get("metrics"), dict.fromkeys(_RATES_OF_3)),
        "splits": _each(content.get("splits"), lambda split, stored: _split_to_3(content, split, stored)),
        "comparison": _compared(content.get("comparison"), _RATES_OF_3),
        "judge": None,
        "volatile": _with(content.get("volatile"), {"spent_usd": None, "prices_path": None}),
        "schema_version": 3,
    }


def _split_to_3(content: Content, split: str, stored: object) -> object:
    if not isinstance(stored, Mapping):
        return stored
    fired = [asdict(count) for count in counted(_fired(content, split))]
    return {**stored, "metrics": _measured(stored.get("metrics"), _RATES_OF_3), "fired": fired, "rubric": {}}


def _fired(content: Content, split: str) -> Iterator[tuple[str | None, str | None]]:
    """What should have fired in each valid run and what did, as far as the file has the form of a report."""
    target = str(_get(content.get("skill"), "name"))
    for case in _objects(content.get("cases")):
        for run in _objects(case.get("runs")) if case.get("split") == split else ():
            invoked, state = run.get("skills_invoked"), run.get("state")
            if isinstance(state, str) and state in VALID and isinstance(invoked, list):
                first = first_skill([str(name) for name in invoked], target, triggered=state == RunState.TRIGGERED)
                yield target if case.get("expect_trigger") else None, first


def _to_4(content: Content) -> Content:
    """Version 3 knew no graders that a judge votes on, and a check that could not look decided nothing."""
    judge = content.get("judge")
    votes = asdict(vote_count(()))
    return {
        **content,
        "metrics": _with(content.get("metrics"), dict.fromkeys(_RATES_OF_4)),
        "splits": _each(content.get("splits"), _split_to_4),
        "comparison": _compared(content.get("comparison"), _RATES_OF_4),
        "cases": _undecisive(content.get("cases")),
        "judge": {**judge, "votes": votes} if isinstance(judge, Mapping) else judge,
        "schema_version": 4,
    }


def _undecisive(cases: object) -> object:
    """Mark checks that could not look, where others of their aspect did in some run of the case, as shown only."""
    return [_case_to_4(case) for case in cases] if isinstance(cases, list) else cases


def _case_to_4(case: object) -> object:
    runs = _get(case, "runs")
    if not isinstance(case, Mapping) or not isinstance(runs, list):
        return case
    verdicts = [verdict for run in runs for verdict in _objects(_get(run, "verdicts"))]
    looked = {str(one.get("aspect")) for one in verdicts if _get(one.get("outcome"), "passed") is not None}
    return {**case, "runs": [_run_to_4(run, looked) for run in runs]}


def _run_to_4(run: object, looked: Collection[str]) -> object:
    verdicts = _get(run, "verdicts")
    if not isinstance(run, Mapping) or not isinstance(verdicts, list):
        return run
    return {**run, "verdicts": [_verdict_to_4(verdict, looked) for verdict in verdicts]}


def _verdict_to_4(verdict: object, looked: Collection[str]) -> object:
    if not isinstance(verdict, Mapping) or _get(verdict.get("outcome"), "passed") is not None:
        return verdict
    return {**verdict, "severity": str(Severity.REPORT)} if str(verdict.get("aspect")) in looked else verdict


def _split_to_4(_split: str, stored: object) -> object:
    if not isinstance(stored, Mapping):
        return stored
    return {**stored, "metrics": _measured(stored.get("metrics"), _RATES_OF_4)}


def _to_5(content: Content) -> Content:
    """Version 4 knew no cases that leave open whether the skill should fire."""
    splits = _each(content.get("splits"), lambda _, stored: _with(stored, {"assertions": []}))
    return {**content, "splits": splits, "schema_version": 5}


def _to_6(content: Content) -> Content:
    """Version 5 kept neither the time of each run nor the file of each case."""
    volatile = _with(content.get("volatile"), {"durations_s": {}, "case_files": {}})
    return {**content, "volatile": volatile, "schema_version": 6}


def _measured(stored: object, rates: Sequence[str]) -> object:
    """Add rates for which nothing was looked at."""
    nothing = Metric(name="", value=None, numerator=0, denominator=0)
    return _with(stored, {name: asdict(replace(nothing, name=name)) for name in rates})


def _compared(stored: object, rates: Sequence[str]) -> object:
    """Add rates that were undefined in both reports."""
    if not isinstance(stored, Mapping):
        return stored
    unknown = [
        asdict(
            MetricChange(
                name=name,
                new=None,
                old=None,
                difference=None,
                mark=Change.NOT_COMPARABLE,
                unit="ratio",
                why=("undefined",),
            )
        )
        for name in rates
    ]
    changes = _each(
        stored.get("changes"), lambda _, listed: [*listed, *unknown] if isinstance(listed, list) else listed
    )
    return {**stored, "changes": changes}


def _with(stored: object, new: Content) -> object:
    return {**stored, **new} if isinstance(stored, Mapping) else stored


def _each(stored: object, change: Callable[[str, object], object]) -> object:
    return {key: change(key, value) for key, value in stored.items()} if isinstance(stored, Mapping) else stored


def _get(stored: object, key: str) -> object:
    return stored.get(key) if isinstance(stored, Mapping) else None


def _objects(stored: object) -> list[Content]:
    return [one for one in stored if isinstance(one, Mapping)] if isinstance(stored, list) else []


_STEPS: Mapping[int, Callable[[Content], Content]] = MappingProxyType(
    {1: _to_2, 2: _to_3, 3: _to_4, 4: _to_5, 5: _to_6}
)

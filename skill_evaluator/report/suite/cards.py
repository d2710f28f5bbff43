"""One card for each case of a suite: its scores and what it claims; its runs; its prompt and graders."""

from collections.abc import Iterator
from dataclasses import dataclass

from skill_evaluator.graders.javascript_json import number_text
from skill_evaluator.metrics.suite_notes import as_measured, ending_of
from skill_evaluator.report.escape import Md
from skill_evaluator.report.phrases import Phrases, as_json
from skill_evaluator.report.suite.figures import UNDEFINED, money, share, signed, weight
from skill_evaluator.report.suite.overview import reaches
from skill_evaluator.report.suite.run_cards import RunCard, run_cards
from skill_evaluator.results.suite_result import (
    CaseOfSuite,
    CaseStability,
    ClaimOfCase,
    GraderOfCase,
    SuiteMeasures,
    SuiteResult,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class GraderView:
    """How a case defines a grader; `settings` are pairs of an option and its value."""

    name: str
    type: str
    weight: Md
    settings: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimView:
    """One claim of a case: whether a skill should fire, and in how many runs it did; `skill` is None where all know."""

    skill: str | None
    wanted: Md
    fired: Md
    is_right: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Trouble:
    """What went wrong first: `where` is a grader or the tool of a stand-in, or our own word for an error."""

    where: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseCard:
    """One case.

    Attributes:
        anchor: What links to it name.
        passed: Whether it reaches the threshold.
        score, without, delta: As they are read; the last two are None in one arm.
        is_worse: Whether it does worse with the plugin.
        raw_score, raw_delta: As the file has them, for putting cases in order; "" where nobody measured them.
        width, without_at: How far its score, and that without the plugin, lie along the bar, in per cent; the latter
            is None where there is none.
        has_trouble: Whether a run of it ended abnormally.
    """

    anchor: Md
    name: str
    folder: str
    passed: bool
    score: Md
    without: Md | None
    delta: Md | None
    is_worse: bool
    raw_score: Md
    raw_delta: Md
    width: Md
    without_at: Md | None
    facts: tuple[Md, ...]
    claims: tuple[ClaimView, ...]
    advisories: tuple[str, ...]
    with_runs: tuple[RunCard, ...]
    without_runs: tuple[RunCard, ...]
    first_trouble: Trouble | None
    prompt: str
    graders: tuple[GraderView, ...]
    has_trouble: bool


def cards(result: SuiteResult, measures: SuiteMeasures, say: Phrases) -> tuple[CaseCard, ...]:
    """Give a card for each case, in order."""
    steady = measures.cases if len(measures.cases) == len(result.cases) else [None] * len(result.cases)
    several = len(measures.by_skill) > 1
    return tuple(
        _card(case, result, Md(f"case-{place}"), _claims(found, say, are_several=several), say)
        for place, (case, found) in enumerate(zip(result.cases, steady, strict=True), start=1)
    )


def _card(case: CaseOfSuite, result: SuiteResult, anchor: Md, claims: tuple[ClaimView, ...], say: Phrases) -> CaseCard:
    numbers, has_two_arms = case.numbers, case.without_plugin is not None
    without_runs = case.without_plugin or ()
    score = as_measured(numbers.score, case.with_plugin)
    without = as_measured(numbers.score_without, without_runs)
    delta = as_measured(numbers.delta, case.with_plugin, without_runs)
    return CaseCard(
        anchor=anchor,
        name=case.name,
        folder=case.folder,
        passed=reaches(case, result),
        score=share(score),
        without=share(without) if has_two_arms else None,
        delta=signed(delta) if has_two_arms else None,
        is_worse=delta is not None and signed(delta).startswith("-"),
        raw_score=_raw(score),
        raw_delta=_raw(delta),
        width=bar_width(score),
        without_at=bar_width(without) if has_two_arms and without is not None else None,
        facts=tuple(_case_facts(case, say)),
        claims=claims,
        advisories=case.advisories,
        with_runs=run_cards(case.with_plugin, "with_run", say),
        without_runs=run_cards(without_runs, "without_run", say),
        first_trouble=first_trouble(case, say),
        prompt=case.prompt,
        graders=tuple(_grader(grader) for grader in case.graders),
        has_trouble=any(ending_of(run) for run in (*case.with_plugin, *without_runs)),
    )


def bar_width(score: float | None) -> Md:
    """Give the width of a bar in per cent.

    >>> bar_width(2 / 3), bar_width(None), bar_width(7)
    ('66.67', '0.00', '100.00')
    """
    return Md(f"{100 * min(1.0, max(0.0, score or 0.0)):.2f}")


def first_trouble(case: CaseOfSuite, say: Phrases) -> Trouble | None:
    """Say what went wrong first with the plugin, or None where nothing did."""
    for run in case.with_plugin:
        if run.aborted is not None:
            return Trouble(where=f"{run.aborted.server}/{run.aborted.tool}", why=run.aborted.reason)
        if run.error is not None:
            return Trouble(where=say("suite.error"), why=run.error)
        for grader in run.graders:
            if grader.is_scored and not grader.passed:
                return Trouble(where=grader.name, why=grader.explanation)
    return None


def _raw(value: float | None) -> Md:
    return Md("" if value is None else number_text(value))


def _case_facts(case: CaseOfSuite, say: Phrases) -> Iterator[Md]:
    runs = [*case.with_plugin, *(case.without_plugin or ())]
    yield say("suite.runs", runs=len(runs))
    yield money(sum(run.cost_usd for run in runs))
    yield say("suite.at_most", turns=case.max_turns, seconds=case.timeout_s)


def _claims(steady: CaseStability | None, say: Phrases, *, are_several: bool) -> tuple[ClaimView, ...]:
    """Lay the claims of a case out; their skill is named where the suite speaks of several."""
    if steady is None or steady.expect_trigger is None:
        return ()
    by_itself = ClaimOfCase(
        skill=None, pattern=None, expect_trigger=steady.expect_trigger, fired=steady.fired, valid=steady.valid
    )
    claims = steady.claims or (by_itself,)
    return tuple(_claim(claim, say, is_named=are_several or len(claims) > 1) for claim in claims)


def _claim(claim: ClaimOfCase, say: Phrases, *, is_named: bool) -> ClaimView:
    right = claim.fired if claim.expect_trigger else claim.valid - claim.fired
    return ClaimView(
        skill=(claim.skill or claim.pattern or say("suite.any_skill")) if is_named else None,
        wanted=say("suite.yes" if claim.expect_trigger else "suite.no"),
        fired=Md(f"{claim.fired}/{claim.valid}") if claim.valid else UNDEFINED,
        is_right=not claim.valid or 2 * right > claim.valid,
    )


def _grader(grader: GraderOfCase) -> GraderView:
    settings = tuple((key, value if isinstance(value, str) else as_json(value)) for key, value in grader.config.items())
    return GraderView(name=grader.name, type=grader.type, weight=weight(grader.weight), settings=settings)

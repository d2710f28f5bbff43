"""One card for each case of a suite: its scores, then its runs with what each grader found."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skill_evaluator.metrics.suite_notes import Ending, as_measured, ending_of
from skill_evaluator.report.escape import Md
from skill_evaluator.report.phrases import as_json
from skill_evaluator.report.suite.figures import UNDEFINED, count, duration, money, share, signed, weight
from skill_evaluator.report.suite.overview import reaches
from skill_evaluator.results.suite_result import (
    CaseOfSuite,
    CaseStability,
    ClaimOfCase,
    GraderOfCase,
    GraderResult,
    RunOfCase,
    SuiteMeasures,
    SuiteResult,
)

_ENDINGS = {
    Ending.API_ERROR: Md("ended on an API error: it says nothing of the plugin"),
    Ending.STAND_IN: Md("a stand-in ended it"),
    Ending.INTERRUPTED: Md("interrupted: its score is no measure of it"),
    Ending.TURNS: Md("stopped at the turn cap"),
    Ending.TIME: Md("stopped at the time limit"),
    Ending.OTHER: Md("ended abnormally"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class GraderLine:
    """What a grader found in one run; `votes` are those of the judge, in order."""

    name: str
    passed: bool
    facts: tuple[Md, ...]
    explanation: str
    votes: tuple[bool, ...]
    evidence: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class RunCard:
    """One run; `ending` and `error` tell why it ended abnormally, or are None."""

    title: Md
    score: Md
    passed: bool
    facts: tuple[Md, ...]
    ending: Md | None
    error: str | None
    graders: tuple[GraderLine, ...]
    stand_ins: tuple[str, ...]


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
class CaseCard:
    """One case; `width` is that of its score bar in per cent."""

    anchor: Md
    name: str
    folder: str
    passed: bool
    score: Md
    without: Md | None
    delta: Md | None
    width: Md
    facts: tuple[Md, ...]
    claims: tuple[ClaimView, ...]
    advisories: tuple[str, ...]
    with_runs: tuple[RunCard, ...]
    without_runs: tuple[RunCard, ...]
    first_failure: tuple[str, str] | None
    prompt: str
    graders: tuple[GraderView, ...]
    has_trouble: bool


def cards(result: SuiteResult, measures: SuiteMeasures) -> tuple[CaseCard, ...]:
    """Give a card for each case, in order."""
    steady = measures.cases if len(measures.cases) == len(result.cases) else [None] * len(result.cases)
    pairs = zip(result.cases, steady, strict=True)
    several = len(measures.by_skill) > 1
    return tuple(
        _card(place, case, found, result, are_several=several) for place, (case, found) in enumerate(pairs, start=1)
    )


def _card(
    place: int, case: CaseOfSuite, steady: CaseStability | None, result: SuiteResult, *, are_several: bool
) -> CaseCard:
    numbers, has_two_arms = case.numbers, case.without_plugin is not None
    without_runs = case.without_plugin or ()
    return CaseCard(
        anchor=Md(f"case-{place}"),
        name=case.name,
        folder=case.folder,
        passed=reaches(case, result),
        score=share(as_measured(numbers.score, case.with_plugin)),
        without=share(as_measured(numbers.score_without, without_runs)) if has_two_arms else None,
        delta=signed(as_measured(numbers.delta, case.with_plugin, without_runs)) if has_two_arms else None,
        width=bar_width(numbers.score),
        facts=tuple(_case_facts(case)),
        claims=_claims(steady, are_several=are_several),
        advisories=case.advisories,
        with_runs=tuple(_run(case.with_plugin, "with the plugin")),
        without_runs=tuple(_run(without_runs, "without the plugin")),
        first_failure=first_failure(case),
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


def first_failure(case: CaseOfSuite) -> tuple[str, str] | None:
    """Say what went wrong first with the plugin: where and what, or None where nothing did."""
    for run in case.with_plugin:
        if run.aborted is not None:
            return f"{run.aborted.server}/{run.aborted.tool}", run.aborted.reason
        if run.error is not None:
            return "error", run.error
        for grader in run.graders:
            if grader.is_scored and not grader.passed:
                return grader.name, grader.explanation
    return None


def _case_facts(case: CaseOfSuite) -> Iterator[Md]:
    runs = [*case.with_plugin, *(case.without_plugin or ())]
    yield count(len(runs), "run")
    yield money(sum(run.cost_usd for run in runs))
    yield Md(f"at most {count(case.max_turns, 'turn')}, {case.timeout_s} s")


def _claims(steady: CaseStability | None, *, are_several: bool) -> tuple[ClaimView, ...]:
    """Lay the claims of a case out; their skill is named where the suite speaks of several."""
    if steady is None or steady.expect_trigger is None:
        return ()
    by_itself = ClaimOfCase(
        skill=None, pattern=None, expect_trigger=steady.expect_trigger, fired=steady.fired, valid=steady.valid
    )
    claims = steady.claims or (by_itself,)
    return tuple(_claim(claim, is_named=are_several or len(claims) > 1) for claim in claims)


def _claim(claim: ClaimOfCase, *, is_named: bool) -> ClaimView:
    right = claim.fired if claim.expect_trigger else claim.valid - claim.fired
    return ClaimView(
        skill=(claim.skill or claim.pattern or Md("any skill")) if is_named else None,
        wanted=Md("yes" if claim.expect_trigger else "no"),
        fired=Md(f"{claim.fired}/{claim.valid}") if claim.valid else UNDEFINED,
        is_right=not claim.valid or 2 * right > claim.valid,
    )


def _run(runs: Sequence[RunOfCase], arm: str) -> Iterator[RunCard]:
    for index, run in enumerate(runs, start=1):
        ending = ending_of(run)
        yield RunCard(
            title=Md(f"{arm}, run {index} of {len(runs)}"),
            score=share(as_measured(run.score, [run])),
            passed=run.passed,
            facts=(count(run.turns, "turn"), duration(run.duration_s), money(run.cost_usd)),
            ending=None if ending is None else _ENDINGS[ending],
            error=_error(run),
            graders=tuple(_line(grader) for grader in run.graders),
            stand_ins=tuple(_stand_ins(run)),
        )


def _error(run: RunOfCase) -> str | None:
    if run.aborted is None:
        return run.error
    return f"{run.aborted.server}/{run.aborted.tool}: {run.aborted.reason}"


def _line(grader: GraderResult) -> GraderLine:
    marks = [Md(f"weight {weight(grader.weight)}")]
    if grader.is_with_only:
        marks.append(Md("with the plugin only"))
    if not grader.is_scored:
        marks.append(Md("not scored"))
    return GraderLine(
        name=grader.name,
        passed=grader.passed,
        facts=tuple(marks),
        explanation=grader.explanation,
        votes=grader.judge_votes or (),
        evidence=grader.evidence,
    )


def _stand_ins(run: RunOfCase) -> Iterator[str]:
    """Tell of a run's stand-ins, those first that were not started."""
    if run.stand_ins is None:
        return
    for server in run.stand_ins.servers:
        answers = ", ".join(f"{tool.tool} ({tool.responder})" for tool in server.tools)
        yield f"{server.server}: {'not started, nothing stands in for it' if server.is_withheld else answers}"
    if run.stand_ins.total:
        yield f"{count(run.stand_ins.total, 'call')} answered, {run.stand_ins.errors} with a tool error"
    yield from (f"called without a stand-in: {tool} ({times} times)" for tool, times in run.stand_ins.unmocked)
    yield from run.stand_ins.warnings


def _grader(grader: GraderOfCase) -> GraderView:
    settings = tuple((key, value if isinstance(value, str) else as_json(value)) for key, value in grader.config.items())
    return GraderView(name=grader.name, type=grader.type, weight=weight(grader.weight), settings=settings)

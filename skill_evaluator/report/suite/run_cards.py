"""One run of a case as it is shown: how it ended, and what each grader found."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skill_evaluator.metrics.suite_notes import as_measured, ending_of
from skill_evaluator.model import StandInUse
from skill_evaluator.report.escape import Md
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.suite.figures import duration, money, share, weight
from skill_evaluator.results.suite_result import GraderResult, RunOfCase


@dataclass(frozen=True, kw_only=True, slots=True)
class GraderLine:
    """What a grader found in one run.

    Attributes:
        name: Its name.
        passed: Whether it passed.
        is_scored: Whether it counts.
        facts: Its weight and place.
        explanation: Its words.
        votes: Those of the judge, in order.
        evidence: What the judge was shown, or None.
    """

    name: str
    passed: bool
    is_scored: bool
    facts: tuple[Md, ...]
    explanation: str
    votes: tuple[bool, ...]
    evidence: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class RunCard:
    """One run; its `title` names the arm, `short` does not; `ending` and `error` tell why it broke off, or are None."""

    title: Md
    short: Md
    score: Md
    passed: bool
    facts: tuple[Md, ...]
    ending: Md | None
    error: str | None
    graders: tuple[GraderLine, ...]
    stand_ins: tuple[Md, ...]


def run_cards(runs: Sequence[RunOfCase], key: str, say: Phrases) -> tuple[RunCard, ...]:
    """Give the runs of an arm, in order.

    Args:
        runs: The runs.
        key: What titles say of the arm, such as `with_run`.
        say: The words of a language.
    """
    return tuple(_run(run, key, (index, len(runs)), say) for index, run in enumerate(runs, start=1))


def _run(run: RunOfCase, key: str, place: tuple[int, int], say: Phrases) -> RunCard:
    ending, (index, of) = ending_of(run), place
    return RunCard(
        title=say(f"suite.{key}", index=index, of=of),
        short=say("suite.run", index=index, of=of),
        score=share(as_measured(run.score, [run])),
        passed=run.passed,
        facts=(say("suite.turns", turns=run.turns), duration(run.duration_s, say), money(run.cost_usd)),
        ending=None if ending is None else say.name(ending, "suite_ending"),
        error=_error(run),
        graders=tuple(_line(grader, say) for grader in run.graders),
        stand_ins=() if run.stand_ins is None else tuple(_stand_ins(run.stand_ins, say)),
    )


def _error(run: RunOfCase) -> str | None:
    if run.aborted is None:
        return run.error
    return f"{run.aborted.server}/{run.aborted.tool}: {run.aborted.reason}"


def _line(grader: GraderResult, say: Phrases) -> GraderLine:
    marks = [say("suite.weight", weight=weight(grader.weight))]
    if grader.is_with_only:
        marks.append(say("suite.with_only"))
    if not grader.is_scored:
        marks.append(say("suite.not_scored"))
    return GraderLine(
        name=grader.name,
        passed=grader.passed,
        is_scored=grader.is_scored,
        facts=tuple(marks),
        explanation=grader.explanation,
        votes=grader.judge_votes or (),
        evidence=grader.evidence,
    )


def _stand_ins(use: StandInUse, say: Phrases) -> Iterator[Md]:
    """Tell of a run's stand-ins."""
    for server in use.servers:
        tools = [
            say("suite.tool", tool=tool.tool, responder=say.name(tool.responder, "suite_responder"))
            for tool in server.tools
        ]
        key = "withheld" if server.is_withheld else "answers"
        yield say(f"suite.{key}", server=server.server, tools=say.join(tools))
    if use.total:
        yield say("suite.calls", calls=use.total, errors=use.errors)
    yield from (say("suite.unmocked", tool=tool, times=times) for tool, times in use.unmocked)
    yield from (say.quote(warning) for warning in use.warnings)

"""The lines that tell how a suite goes: what is doubtful about a case, and what came of a run and of a grader."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from skill_evaluator.api.plugin_eval.options import PlannedCase
from skill_evaluator.cli.plugin_eval_numbers import dollars_text
from skill_evaluator.cli.wording import listed, names_listed, together
from skill_evaluator.model import Limits, StandInUse
from skill_evaluator.results.suite_result import GraderResult, RunOfCase
from skill_evaluator.texts import ntr, tr

_LONGEST_ERROR = 200
_CALLS_PER_TURN = 4  # of stand-ins that a model plays, for each turn that a case allows


def case_name(planned: PlannedCase) -> str:
    """Name a case as its author did, on one line."""
    metadata = planned.case.metadata
    return " ".join((metadata.name if metadata else planned.case.id).split())


def doubts_of(cases: Sequence[PlannedCase], *, runs_scripts: bool) -> Mapping[str, Sequence[str]]:
    """Give what is doubtful, each with the names of all cases of which it is true."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for case in cases:
        for line in _doubts(case, runs_scripts=runs_scripts):
            found[line].append(case_name(case))
    return found


def _doubts(planned: PlannedCase, *, runs_scripts: bool) -> Iterator[str]:
    if planned.case.setup is not None and planned.case.setup.scaffold_script and not runs_scripts:
        yield tr(
            "its scaffold script is not run, so the workspace is empty (--scaffold runs it, as you: read it first)"
        )
    yield from planned.advisories
    if planned.not_granted:
        yield tr("asks for tools that --allow-tools does not grant: {tools}", tools=names_listed(planned.not_granted))


def stand_in_lines(planned: PlannedCase, use: StandInUse) -> Iterator[str]:
    """Say what stands in for which servers, and how often a model may answer."""
    servers = [
        tr("{server}[not started: no mock]", server=server.server)
        if server.is_withheld
        else f"{server.server}({', '.join(f'{tool.tool}={tool.responder}' for tool in server.tools)})"
        for server in use.servers
    ]
    if servers:
        yield tr("mocked: {servers}", servers=names_listed(servers))
    if any(tool.responder == "agent" for server in use.servers for tool in server.tools):
        turns = (planned.case.limits or Limits()).max_turns
        yield tr(
            "a model may answer at most {per_turn} × max_turns = {calls} calls in one run",
            per_turn=_CALLS_PER_TURN,
            calls=_CALLS_PER_TURN * turns,
        )


def ending_text(graded: RunOfCase) -> str:
    """Say why a run ended abnormally; empty where it did not."""
    if graded.aborted is not None:
        mock = f"{graded.aborted.server}/{graded.aborted.tool}"
        return tr("  ended by the mock {mock}: {reason}", mock=mock, reason=graded.aborted.reason)
    if graded.error is None:
        return ""
    more = len(graded.error) - _LONGEST_ERROR
    if more <= 0:
        return tr("  error: {error}", error=graded.error)
    return tr("  error: {error}… [+{more} characters]", error=graded.error[:_LONGEST_ERROR], more=more)


def verdict_text(grader: GraderResult) -> str:
    """Say what a grader found."""
    weight = "?" if grader.weight is None else f"{grader.weight:g}"
    kind = tr("not scored, with-only") if grader.is_with_only else tr("not scored")
    return tr(
        "    {mark} {grader} ({kind}): {explanation}",
        mark="✓" if grader.passed else "✗",
        grader=grader.name,
        kind=tr("weight {weight}", weight=weight) if grader.is_scored else kind,
        explanation=grader.explanation,
    )


def details_text(graded: RunOfCase) -> str:
    """Say what a run took, and where its trace is."""
    took = tr("never started") if graded.duration_s is None else tr("{seconds:.1f} s", seconds=graded.duration_s)
    judge = tr("judge {cost}", cost=dollars_text(graded.judge_cost_usd)) if graded.judge_cost_usd else ""
    trace = tr("trace: {path}", path=graded.trace_path or tr("none"))
    details = together([listed([ntr("{n} turn", "{n} turns", graded.turns), took]), judge, trace])
    return tr("    {details}", details=details)

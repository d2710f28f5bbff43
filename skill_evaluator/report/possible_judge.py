"""What no judge can leave in a report, whatever it said."""

from collections import Counter
from collections.abc import Iterator, Mapping

from skill_evaluator.metrics.judge import unfit_reasons
from skill_evaluator.report.differences import escaped
from skill_evaluator.report.possible_votes import impossible_votes
from skill_evaluator.results import (
    HIGHEST,
    LOWEST,
    Ballot,
    CaseResult,
    ControlKind,
    JudgeResult,
    Panel,
    Report,
    RunState,
    Scored,
    TextSource,
)
from skill_evaluator.texts import tr

Impossible = tuple[str, object, str]  # JSON pointer, what stands there, the rule it breaks

_SCORES = tr("scores are whole numbers from {lowest} to {highest}", lowest=LOWEST, highest=HIGHEST)
_MOST = 1e15  # tokens, dollars or requests


def impossible_judge(report: Report) -> Iterator[Impossible]:
    """What cannot be, whatever the judge said."""
    for place, case in enumerate(report.cases):
        yield from _rubric(case, f"/cases/{place}/rubric")
        yield from impossible_votes(case, f"/cases/{place}", is_judged=report.judge is not None)
    judge, model = report.judge, report.config.judge_model
    # A run that ended early may not have come to its judge.
    if (judge is None) is not (model is None) and (judge is not None or report.stopped_by is None):
        yield "/config/judge_model", model, tr("a judge stands under `judge` where one is named here, and then only")
    if judge is not None:
        yield from _panels(judge, {case.id: case for case in report.cases})
        yield from _usage(judge)


def _rubric(case: CaseResult, pointer: str) -> Iterator[Impossible]:
    for item, score in case.rubric.items():
        if not LOWEST <= score.target <= HIGHEST:
            yield f"{pointer}/{escaped(item)}/target", score.target, _SCORES
        if score.human is not None and not LOWEST <= score.human <= HIGHEST:
            yield f"{pointer}/{escaped(item)}/human", score.human, _SCORES


def _usage(judge: JudgeResult) -> Iterator[Impossible]:
    used = judge.usage
    amounts = (used.input_tokens, used.output_tokens, used.cost_usd, used.requests) if used else ()
    if any(amount is not None and not 0 <= amount <= _MOST for amount in amounts):
        yield "/judge/usage", used, tr("tokens, costs and requests are numbers from 0")


def _panels(judge: JudgeResult, cases: Mapping[str, CaseResult]) -> Iterator[Impossible]:
    counts = Counter((panel.case_id, panel.item) for panel in judge.panels)
    fit = not unfit_reasons(judge.panels)
    for place, panel in enumerate(judge.panels):
        pointer = f"/judge/panels/{place}"
        if counts[panel.case_id, panel.item] > 1:
            yield f"{pointer}/item", panel.item, tr("a rubric item of a case is judged in one panel")
        case = cases.get(panel.case_id)
        if case is None or not case.expect_trigger:
            yield f"{pointer}/case_id", panel.case_id, tr("what is judged are cases of this report that should trigger")
            continue
        if fit and panel.item not in case.rubric:
            yield f"{pointer}/item", panel.item, tr("what a fit judge scored stands under `rubric` of the case")
        yield from _panel(panel, case, pointer)


def _panel(panel: Panel, case: CaseResult, pointer: str) -> Iterator[Impossible]:
    ballots = {"forward": panel.forward, "backward": panel.backward}
    shown = []
    for order, ballot in ballots.items():
        if ballot is not None:
            yield from _ballot(ballot, case, f"{pointer}/{order}")
        if ballot is not None and ballot.failure is None:
            shown.append([_text(one) for one in ballot.scores])
    if len(shown) == len(ballots) and shown[0] != shown[1][::-1]:
        yield f"{pointer}/backward/scores", tr("other texts"), tr("the second order is the first one reversed")


def _ballot(ballot: Ballot, case: CaseResult, pointer: str) -> Iterator[Impossible]:
    if ballot.failure is not None:
        if ballot.scores:
            yield f"{pointer}/scores", ballot.scores, tr("a call that failed gave no scores")
        return
    counts = Counter(_text(one) for one in ballot.scores)
    fired = {run.index for run in case.runs if run.state is RunState.TRIGGERED}
    for place, one in enumerate(ballot.scores):
        if not LOWEST <= one.score <= HIGHEST:
            yield f"{pointer}/scores/{place}/score", one.score, _SCORES
        if counts[_text(one)] > 1:
            yield f"{pointer}/scores/{place}", one, tr("a text stands once in an order")
        if not _is_text(one):
            yield f"{pointer}/scores/{place}", one, tr("a run has an index, a control has a kind, and neither has both")
        elif one.source is TextSource.RUN and one.index not in fired:
            yield f"{pointer}/scores/{place}/index", one.index, tr("what is judged are runs of the case that triggered")
    if any(counts[TextSource.CONTROL, None, kind] == 0 for kind in ControlKind):
        yield f"{pointer}/scores", tr("a control is missing"), tr("every order shows all controls")


def _is_text(one: Scored) -> bool:
    if one.source is TextSource.CONTROL:
        return one.index is None and one.control is not None
    return one.index is not None and one.index >= 0 and one.control is None


def _text(one: Scored) -> tuple[TextSource, int | None, ControlKind | None]:
    return one.source, one.index, one.control

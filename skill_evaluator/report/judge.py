"""What the judge said, and first of all whether it can be believed; of one that cannot, no score is shown."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from skill_evaluator.metrics.judge import asked_ballots, nothing_above_a_control
from skill_evaluator.metrics.kappa import FEWEST_PAIRS
from skill_evaluator.metrics.rubric import Beside, beside_baseline
from skill_evaluator.metrics.standing import Standing, standing
from skill_evaluator.model import Split
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.scores import cases_of, counts, shown
from skill_evaluator.report.votes import vote_lines, vote_tables
from skill_evaluator.results import ControlKind, JudgeResult, Metric, Report, ReportVerdict


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeView:
    """A judge in words.

    Attributes:
        verdict: Who judged, and whether it can be believed.
        reasons: Why it cannot.
        tables: Each under its heading.
        lines: What else to know, as list items.
    """

    verdict: Md
    reasons: tuple[Md, ...] = ()
    tables: tuple[tuple[Md, Table], ...] = ()
    lines: tuple[Md, ...] = ()


def judge_view(report: Report, say: Phrases) -> JudgeView | None:
    """Word the judge; None without one. An INVALID report tells only who was asked, and what that took."""
    judge = report.judge
    if judge is None:
        return None
    if report.verdict is ReportVerdict.INVALID:
        return JudgeView(verdict=say("page.judge_invalid", model=judge.model), lines=tuple(_calls(judge, say)))
    found = standing(judge)
    if found is Standing.IDLE:
        return JudgeView(verdict=say("page.judge_idle", model=judge.model))
    if found is Standing.VOTING:
        return _voting(report, judge, say)
    reasons = () if found is Standing.UNASKED else judge.reasons
    return JudgeView(
        verdict=say(f"page.judge_{found}", model=judge.model),
        reasons=tuple(say.coded("note", note.code, note.values) for note in reasons),
        tables=(*(_rubric_tables(report, say) if judge.fit else ()), *_controls(judge, say), *vote_tables(report, say)),
        lines=tuple(_lines(judge, say)),
    )


def _rubric_tables(report: Report, say: Phrases) -> Iterator[tuple[Md, Table]]:
    for split in Split:
        means = report.splits[split].rubric
        if means:
            beside = beside_baseline(cases_of(report, split))
            header = say.cells("page.judge_header_beside" if beside else "page.judge_header")
            items = _in_order(means, report)
            rows = [_item(item, means[item], split, report, say) for item in items]
            if beside:
                rows = [[*row, _beside(beside.get(item), say)] for row, item in zip(rows, items, strict=True)]
            yield say("page.judge_scores", split=say(f"page.split_{split}")), table(header, rows)


def _in_order(items: Iterable[str], report: Report) -> list[str]:
    """Sort items as the test set lists them; a report's file keeps that order in the panels alone."""
    judged = list(dict.fromkeys(panel.item for panel in report.judge.panels)) if report.judge else []
    places = {item: place for place, item in enumerate(judged)}
    return sorted(items, key=lambda item: (places.get(item, len(places)), item))


def _item(item: str, mean: Metric, split: Split, report: Report, say: Phrases) -> list[Md]:
    scores = [case.rubric[item] for case in cases_of(report, split) if item in case.rubric]
    passed = [score.passed for score in scores if score.passed is not None]
    return [
        say.quote(item),
        shown(mean.value, "score", say),
        Md(f"{len(passed)}/{len(scores)}"),
        Md(f"{sum(passed)}/{len(passed)}") if passed else say("page.undefined"),
        shown(sum(passed) / len(passed) if passed else None, "ratio", say),
    ]


def _beside(beside: Beside | None, say: Phrases) -> Md:
    if beside is None:
        return say("page.undefined")
    new, old = (shown(value, "score", say) for value in (beside.new, beside.old))
    return say("page.judge_beside", new=new, old=old, cases=beside.cases)


def _controls(judge: JudgeResult, say: Phrases) -> Iterator[tuple[Md, Table]]:
    """What the judge made of texts that are no answers; nothing where it never answered."""
    found = [(kind, judge.controls[kind]) for kind in ControlKind if kind in judge.controls]
    rows = [[say.name(kind, "control"), counts(share, say)] for kind, share in found if share.denominator]
    if rows:
        yield say("page.judge_controls"), table(say.cells("page.judge_controls_header"), rows)


def _lines(judge: JudgeResult, say: Phrases) -> Iterator[Md]:
    """What the reasons have not told yet."""
    yield from _same_model(judge, say)
    told, apart = {note.code for note in judge.reasons}, judge.inconsistent
    if apart.denominator and "judge_inconsistent" not in told:
        yield say("page.judge_inconsistent", apart=apart.numerator, scored=apart.denominator, share=_percent(apart))
    if judge.fit and nothing_above_a_control(judge.panels):
        yield say("page.judge_low", scored=apart.denominator)
    if judge.errors.denominator and "judge_errors" not in told:
        failed, calls = judge.errors.numerator, judge.errors.denominator
        yield say("page.judge_errors", failed=failed, calls=calls, share=_percent(judge.errors))
    if judge.fit:
        yield _kappa(judge.kappa, say)
    yield from vote_lines(judge.votes, say)
    yield from _calls(judge, say)


def _voting(report: Report, judge: JudgeResult, say: Phrases) -> JudgeView:
    """Word a judge that scored no rubric."""
    return JudgeView(
        verdict=say("page.judge_voting", model=judge.model),
        tables=tuple(vote_tables(report, say)),
        lines=(*_same_model(judge, say), *vote_lines(judge.votes, say), *_calls(judge, say)),
    )


def _same_model(judge: JudgeResult, say: Phrases) -> Iterator[Md]:
    if judge.same_model:
        yield say("page.judge_same_model")


def _percent(share: Metric) -> Md:
    return Md(numbers.percent(share.value or 0.0))


def _kappa(kappa: Metric, say: Phrases) -> Md:
    pairs, within = kappa.denominator or 0, kappa.numerator or 0
    if kappa.value is not None:
        return say("page.judge_kappa", kappa=Md(numbers.ratio(kappa.value)), pairs=pairs, within=within)
    return say("page.judge_kappa_few" if pairs < FEWEST_PAIRS else "page.judge_kappa_alike", pairs=pairs, within=within)


def _calls(judge: JudgeResult, say: Phrases) -> Iterator[Md]:
    """What it took, and what was left out."""
    asked = len(asked_ballots(judge.panels)) + judge.votes.asked
    planned = 2 * len(judge.panels) + judge.votes.planned
    if asked < planned:
        yield say("page.judge_partial", asked=asked, planned=planned)
    usage = judge.usage
    cost = usage.cost_usd if usage else None
    tokens = (usage.input_tokens, usage.output_tokens) if usage else (None, None)
    yield say(
        "page.judge_calls",
        calls=asked,
        read=shown(tokens[0], "tokens", say),
        written=shown(tokens[1], "tokens", say),
        cost=shown(cost, "usd", say),
    )

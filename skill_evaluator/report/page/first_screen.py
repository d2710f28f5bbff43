"""What the first screen says: the verdict, what is wrong, what to try first, and what was measured how."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from skill_evaluator.model import Split
from skill_evaluator.report.advice import foremost
from skill_evaluator.report.ci.outcome import stops_build
from skill_evaluator.report.escape import Md
from skill_evaluator.report.footer import model, short_hash
from skill_evaluator.report.headline import missing
from skill_evaluator.report.moments import moment
from skill_evaluator.report.output_only import is_output_only
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.scores import cases_of, shown
from skill_evaluator.report.stopping import gate_words
from skill_evaluator.results import Report, ReportVerdict

_LOOKS = {ReportVerdict.PASS: ("pass", "✓"), ReportVerdict.FAIL: ("fail", "✗"), ReportVerdict.INVALID: ("fail", "✗")}
_DOUBTED = ("partial", "!")
_MOST_REASONS = 4  # in sight of a report with a score; the others open


@dataclass(frozen=True, kw_only=True, slots=True)
class VerdictView:
    """The verdict in words.

    Attributes:
        look: A class of page.css.
        sign: What tells it without colours.
        word: The verdict.
        missing: What the verdict does not show; empty where it shows all.
        meaning: The verdict in a sentence.
        wrong: How many cases failed in which way, by split; nothing where no score is shown.
        gate: Whether a regression stops the build; None where that was not asked.
        most: How many reasons stand in sight.
    """

    look: str
    sign: str
    word: Md
    missing: Md
    meaning: Md
    wrong: tuple[Md, ...]
    gate: Md | None
    most: int


@dataclass(frozen=True, kw_only=True, slots=True)
class FirstAdvice:
    """What to try first; or why nothing is suggested.

    Attributes:
        lead: What the suggestions rest on, or why there are none.
        proposal: What to change, or None.
        analysis: What led to it, or None.
        more: How many other suggestions there are.
    """

    lead: Md
    proposal: Md | None = None
    analysis: Md | None = None
    more: int = 0


def verdict_view(report: Report, say: Phrases) -> VerdictView:
    """Word the verdict."""
    is_doubted = report.verdict is ReportVerdict.PASS and stops_build(report)
    look, sign = _DOUBTED if is_doubted else _LOOKS.get(report.verdict, _DOUBTED)
    scored = report.verdict is not ReportVerdict.INVALID
    kind = "outputs" if is_output_only(report) else "verdict"
    return VerdictView(
        look=look,
        sign=sign,
        word=say.name(report.verdict, "verdict"),
        missing=missing(report, say),
        meaning=say.name(report.verdict, f"meaning_{kind}"),
        wrong=tuple(_wrong(report, say)) if scored else (),
        gate=gate_words(report.comparison, say) if scored and report.comparison else None,
        most=_MOST_REASONS if scored else len(report.reasons),
    )


def first_advice(report: Report, lead: Md, say: Phrases) -> FirstAdvice | None:
    """What to try first; None where nothing failed, and where no score is shown.

    Args:
        report: The report.
        lead: What its suggestions rest on, or why there are none.
        say: The words.
    """
    if report.verdict is ReportVerdict.INVALID or not (report.failed_cases or report.suggestions):
        return None
    first = foremost(report)
    if first is None:
        return FirstAdvice(lead=lead)
    return FirstAdvice(
        lead=lead,
        proposal=say.coded("advice", first.proposal.code, first.proposal.values),
        analysis=say.coded("advice", first.analysis.code, first.analysis.values),
        more=len(report.suggestions) - 1,
    )


def facts(report: Report, say: Phrases) -> tuple[tuple[Md, Md], ...]:
    """What was measured, how, and what that took, each under its name; what is not known is a dash."""
    found: dict[str, object] = {
        "agent": report.agent.name,
        "model": model(report, say),
        "version": report.skill.version,
        "skill_hash": short_hash(report.skill.sha256),
        "testset": report.testset.name,
        "testset_hash": short_hash(report.testset.sha256),
        "cases": report.testset.cases,
        "runs": report.config.runs,
        "cost": shown(report.volatile.spent_usd, "usd", say),
        "duration": shown(report.volatile.duration_s, "s", say),
        "time": moment(report.timestamp, say),
        "program": report.evaluator_version,
    }
    return tuple((say(f"html.fact_{name}"), say.together(value)) for name, value in found.items())


def _wrong(report: Report, say: Phrases) -> Iterator[Md]:
    """Each failure once for each case, the acceptance cases first."""
    for split in Split:
        sorts = dict.fromkeys((failed.id, failed.sort) for failed in report.failed_cases if failed.split is split)
        found = Counter(sort for _, sort in sorts)
        if found:
            parts = (say(f"wrong.{sort}", n=n) for sort, n in found.most_common())
            yield say(
                "html.wrong",
                split=say(f"page.split_{split}"),
                cases=Md(len({id_ for id_, _ in sorts})),
                of=Md(len(cases_of(report, split))),
                parts=say.join(parts),
            )

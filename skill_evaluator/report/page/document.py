"""A report of `run` as one page that asks for nothing from outside."""

from collections.abc import Mapping
from dataclasses import dataclass

from skill_evaluator.model import Split
from skill_evaluator.report.advice import AdviceView
from skill_evaluator.report.content import report_content
from skill_evaluator.report.escape import Md
from skill_evaluator.report.footer import command_line
from skill_evaluator.report.output_only import is_output_only
from skill_evaluator.report.page.case_list import case_list
from skill_evaluator.report.page.charts import legend_of
from skill_evaluator.report.page.confusion import confusion_view
from skill_evaluator.report.page.distributions import costs, times
from skill_evaluator.report.page.first_screen import facts, first_advice, verdict_view
from skill_evaluator.report.page.shell import page
from skill_evaluator.report.page.tiles import tiles
from skill_evaluator.report.phrases import Phrases, phrases
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Report, ReportVerdict


@dataclass(frozen=True, kw_only=True, slots=True)
class Heading:
    """A section of the page: its place, and its name."""

    id: str
    name: Md


def report_to_html(report: Report, lang: Lang) -> str:
    """Lay a report out as a page; the same report gives the same bytes.

    Args:
        report: Any report; an INVALID one shows no score.
        lang: The language of everything but quoted text.
    """
    say = phrases(lang, "html")
    content = report_content(report, say)
    shown = {**content, **_first_screen(report, content, say), **_charts(report, say)}
    shown["cases"] = case_list(report, say)
    return page("report.html.j2", {**shown, "sections": _sections(shown, say)}, say)


def _first_screen(report: Report, content: Mapping[str, object], say: Phrases) -> Mapping[str, object]:
    advice = content["advice"]
    assert isinstance(advice, AdviceView)  # noqa: S101 - for the type checker
    scored = report.verdict is not ReportVerdict.INVALID
    shown = tiles(report, Split.ACCEPTANCE, say) if scored else ()
    return {
        "skill": report.skill.name,
        "first": verdict_view(report, say),
        "try_first": first_advice(report, advice.lead, say),
        "facts": facts(report, say),
        "tiles": shown,
        "legend": legend_of(tile.strip for tile in shown if tile.strip),
        "command_line": command_line(report),
        "output_only": is_output_only(report),
    }


def _charts(report: Report, say: Phrases) -> Mapping[str, object]:
    if report.verdict is ReportVerdict.INVALID:
        return {"confusion": {}, "times": (), "costs": ()}
    return {
        "confusion": {split: confusion_view(report, split, say) for split in Split},
        "times": times(report, say),
        "costs": costs(report, say),
    }


def _sections(shown: Mapping[str, object], say: Phrases) -> Mapping[str, Heading]:
    """The sections that have something to show, in their order."""
    there = {
        "scores": bool(shown["metrics"]),
        "cases": bool(shown["cases"]) or bool(shown["failed"]),
        "comparison": bool(shown["comparison"]),
        "suggestions": not shown["invalid"] or bool(getattr(shown["advice"], "proposals", ())),
        "tuning": Split.TUNING in metrics if isinstance(metrics := shown["metrics"], Mapping) else False,
        "fired": bool(shown["fired"]),
        "judge": bool(shown["judge"]),
        "time": bool(shown["times"] or shown["costs"]),
        "stability": bool(shown["stability"]),
        "tags": bool(shown["tags"]),
        "errors": bool(shown["errors"] or shown["causes"]),
        "warnings": bool(shown["warnings"]),
        "notes": bool(shown["notes"]),
        "definitions": bool(shown["metrics"]),
        "measured": True,
    }
    keys = {"stability": "page.stability_estimate"} if shown["estimate"] else {}
    names = [name for name, shows in there.items() if shows]
    return {name: Heading(id=name, name=say(keys.get(name, f"section.{name}"))) for name in names}

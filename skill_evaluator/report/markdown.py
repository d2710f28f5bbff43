"""A report as Markdown: what stands where is in the template, the words are in `words`."""

from skill_evaluator.report import headline
from skill_evaluator.report.changes import comparison_view
from skill_evaluator.report.content import report_content
from skill_evaluator.report.phrases import phrases
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Comparison, Report


def report_to_markdown(report: Report, lang: Lang) -> str:
    """Lay a report out for people.

    Args:
        report: Any report; an INVALID one shows no score.
        lang: The language of everything but quoted text.
    """
    say = phrases(lang)
    template = say.environment.get_template("report.md.j2")
    return template.render(report_content(report, say))


def comparison_to_markdown(new: Report, old: Report, comparison: Comparison, lang: Lang) -> str:
    """Lay a comparison of two reports out for people, what each of them found first."""
    say = phrases(lang)
    return say.environment.get_template("compare.md.j2").render(
        title=say("page.compare_title", name=new.skill.name),
        reports=headline.reports_table(new, old, say),
        comparison=comparison_view(new, comparison, say),
    )

"""What GitHub shows beside the lines of a pull request: failed cases at the line of their test set, and findings.

The worst come first, since GitHub shows ten errors and ten warnings of a step and drops the others without a word.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from skill_evaluator.model import Finding, Level, Split
from skill_evaluator.report.ci.failed import Failed, failed_cases
from skill_evaluator.report.ci.outcome import stops_build
from skill_evaluator.report.ci.suite_state import case_words, failed, suite_state
from skill_evaluator.report.escape import Md
from skill_evaluator.report.headline import missing, summed_up
from skill_evaluator.report.output_only import shown_input
from skill_evaluator.report.phrases import Phrases, phrases
from skill_evaluator.report.stopping import gate_words
from skill_evaluator.report.suite.overview import suite_name
from skill_evaluator.report.words import Lang
from skill_evaluator.results import Report, ReportVerdict
from skill_evaluator.results.suite_result import SuiteResult

MOST_SHOWN: Final = 10  # of each level, by GitHub
_LONGEST_INPUT: Final = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Annotation:
    """One message at a place.

    Attributes:
        file: As it was named, so relative to the working folder; None where it belongs to no file.
        line: 1-based, or None.
    """

    level: Literal["error", "warning"]
    title: str
    message: str
    file: str | None = None
    line: int | None = None


def of_report(report: Report, lang: Lang) -> list[Annotation]:
    """Tell what stops a build and which acceptance cases failed; these are errors where the build is stopped."""
    say = phrases(lang, "plain")
    return [*_of_outcome(report, say), *_of_cases(report, say)]


def of_regression(words: str, lang: Lang) -> list[Annotation]:
    """Tell which rates stop a build, in the words of the gate; nothing where these are empty."""
    title = phrases(lang, "plain")("ci.regression_title")
    return [Annotation(level="error", title=title, message=words)] if words else []


def of_suite(result: SuiteResult, lang: Lang) -> list[Annotation]:
    """Tell what came of a suite that did not pass, and which cases are below the threshold."""
    say = phrases(lang, "plain")
    found = suite_state(result, say)
    if found.state == "pass":
        return []
    title = say("ci.verdict_title", name=suite_name(result), verdict=Md(found.state.upper()))
    told = [Annotation(level="error", title=title, message="\n".join([found.words, *found.reasons]))]
    return told + [
        Annotation(
            level="error",
            title=say("ci.case_title", id=case.name),
            message=case_words(case, result, say),
            file=f"{result.settings.root}/{case.folder}/{'case.yaml' if case.source == 'case_yaml' else 'prompt.md'}",
        )
        for case in failed(result)
    ]


def of_findings(findings: Iterable[Finding], lang: Lang) -> list[Annotation]:
    """Tell every finding at its place, those that stop a run first."""
    told = [
        Annotation(
            level="error" if finding.level is Level.FAIL else "warning",
            title=finding.code,
            message=replace(finding, file=None, line=None).worded(lang),
            file=finding.file,
            line=finding.line,
        )
        for finding in findings
    ]
    return sorted(told, key=lambda one: one.level != "error")


def shown(annotations: Iterable[Annotation], lang: Lang) -> list[Annotation]:
    """Keep as many of each level as GitHub shows; the last of them says how many more there are."""
    kept: list[Annotation] = []
    every = list(annotations)
    for level in ("error", "warning"):
        of_level = [one for one in every if one.level == level]
        if more := len(of_level) - MOST_SHOWN if len(of_level) > MOST_SHOWN else 0:
            last = of_level[MOST_SHOWN - 1]
            message = phrases(lang, "plain")("ci.more_annotations", message=Md(last.message), more=more)
            of_level = [*of_level[: MOST_SHOWN - 1], replace(last, message=message)]
        kept += of_level
    return kept


def _of_outcome(report: Report, say: Phrases) -> Iterator[Annotation]:
    if report.comparison is not None and report.comparison.stops:
        yield from of_regression(gate_words(report.comparison, say) or "", say.lang)
    if not stops_build(report) or report.verdict in {ReportVerdict.PASS, ReportVerdict.ESTIMATE}:
        return
    verdict = say.name(report.verdict, "verdict")
    reasons = [say.coded("note", note.code, note.values) for note in report.reasons]
    yield Annotation(
        level="error",
        title=say("ci.verdict_title", name=report.skill.name, verdict=verdict),
        message="\n".join([say.together(summed_up(report, say), missing(report, say)), *reasons]),
        file=report.volatile.skill_path,
    )


def _of_cases(report: Report, say: Phrases) -> Iterator[Annotation]:
    """Wrong decisions come before cases that nobody could measure, and new ones before those of the baseline."""
    found = failed_cases(report, Split.ACCEPTANCE).values()
    for one in sorted(found, key=lambda one: (one.is_unmeasured, not one.is_flip)):
        yield _of_case(one, report, say)


def _of_case(one: Failed, report: Report, say: Phrases) -> Annotation:
    asked = say("ci.input", input=say.quote(shown_input(one.case.prompt, one.case), limit=_LONGEST_INPUT))
    return Annotation(
        level="error" if stops_build(report) else "warning",
        title=say("ci.case_title", id=one.case.id),
        message=f"{one.headline(say)}\n{asked}",
        file=report.volatile.case_files.get(one.case.id, report.volatile.testset_path),
        line=one.case.line,
    )

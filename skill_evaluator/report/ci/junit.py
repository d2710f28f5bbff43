"""A report as JUnit XML: a suite for the verdict, and one for each split.

There is a failure or an error in it exactly where the exit status is not 0: programs that read such files count these,
and a build that the verdict passes must not be stopped by them. So cases that failed are `skipped`, with what failed,
where they decide nothing: tuning cases, and acceptance cases of a report that passes.
"""

import json
import math
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice

from skill_evaluator.model import Split
from skill_evaluator.report.ci.clean import clean_lines
from skill_evaluator.report.ci.failed import Failed, failed_cases, flips
from skill_evaluator.report.ci.junit_file import TestCase, TestSuite, Trouble, junit_text
from skill_evaluator.report.ci.outcome import stops_build
from skill_evaluator.report.headline import missing, summed_up
from skill_evaluator.report.json_layout import ranked
from skill_evaluator.report.phrases import Phrases, phrases
from skill_evaluator.report.scores import cases_of
from skill_evaluator.report.stopping import gate_words
from skill_evaluator.report.words import Lang
from skill_evaluator.results import CaseResult, Change, Comparison, Report, ReportVerdict

_LONGEST_OUTPUT = 4_000


def report_to_junit(report: Report, lang: Lang) -> str:
    """Lay a report out for programs that show tests.

    Args:
        report: Any report.
        lang: The language of messages; names and types are the same in every language.
    """
    say = phrases(lang, "plain")
    name = report.skill.name
    splits = [
        TestSuite(
            name=f"{name}.{split}", cases=[*_cases(report, split, say)], properties=[*_flip_properties(report, split)]
        )
        for split in Split
    ]
    return junit_text([_verdict(report, say), *splits], started=_started(report.timestamp))


def _started(timestamp: str) -> str | None:
    try:
        return f"{datetime.fromisoformat(timestamp).astimezone(UTC):%Y-%m-%dT%H:%M:%S}"
    except ValueError:
        return None


def _verdict(report: Report, say: Phrases) -> TestSuite:
    cases = [TestCase(name="verdict", trouble=_trouble_of_verdict(report, say))]
    if report.comparison is not None:
        cases.append(TestCase(name="baseline", trouble=_trouble_of_comparison(report.comparison, say)))
    return TestSuite(name=f"{report.skill.name}.verdict", cases=cases, properties=[*_facts(report)])


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    yield "verdict", report.verdict
    yield "pass_threshold", json.dumps(report.config.pass_threshold)
    if report.verdict is not ReportVerdict.INVALID:
        metrics = report.splits[Split.ACCEPTANCE].metrics
        for name in ranked(metrics):
            yield f"acceptance.{name}", json.dumps(metrics[name].value)
    yield "agent", report.agent.name
    yield "model", report.agent.model or "none"
    yield "runs", str(report.config.runs)
    yield "skill.sha256", report.skill.sha256
    yield "testset.sha256", report.testset.sha256
    yield "evaluator_version", report.evaluator_version


def _trouble_of_verdict(report: Report, say: Phrases) -> Trouble | None:
    message = say.together(summed_up(report, say), missing(report, say))
    text = "\n".join(say.coded("note", note.code, note.values) for note in report.reasons)
    match report.verdict:
        case ReportVerdict.FAIL | ReportVerdict.UNSTABLE:
            return Trouble(kind="failure", type=report.verdict, message=message, text=text)
        case ReportVerdict.INVALID | ReportVerdict.DRAFT:
            return Trouble(kind="error", type=report.verdict, message=message, text=text)
        case ReportVerdict.PASS | ReportVerdict.ESTIMATE:
            pass
    if report.stopped_by:
        return Trouble(kind="error", type="partial", message=message, text=text)
    if report.verdict is ReportVerdict.ESTIMATE:
        return Trouble(kind="skipped", type=report.verdict, message=message, text=text)
    return None


def _trouble_of_comparison(comparison: Comparison, say: Phrases) -> Trouble | None:
    if comparison.stops:
        return Trouble(kind="failure", type="regression", message=gate_words(comparison, say) or "")
    if comparison.mark is Change.NOT_COMPARABLE:
        return Trouble(kind="skipped", type=comparison.mark, message=say.name(comparison.mark, "change"))
    return None


def _flip_properties(report: Report, split: Split) -> Iterator[tuple[str, str]]:
    """Name the flipped cases, where there is a baseline to have flipped from."""
    if report.comparison is None or split not in report.comparison.paired:
        return
    worsened, improved = flips(report, split)
    yield "flips.worsened", json.dumps(worsened, ensure_ascii=False)
    yield "flips.improved", json.dumps(improved, ensure_ascii=False)


def _cases(report: Report, split: Split, say: Phrases) -> Iterator[TestCase]:
    failed = failed_cases(report, split)
    decides = split is Split.ACCEPTANCE and stops_build(report)
    for case in cases_of(report, split):
        found = failed.get(case.id)
        yield TestCase(
            name=case.id,
            time_s=_time(report, case),
            trouble=_untold(case, say) if found is None else _trouble_of_case(found, say, decides=decides),
        )


def _untold(case: CaseResult, say: Phrases) -> Trouble | None:
    """A case that did not fail has passed only if something says so."""
    if case.is_right is not None:
        return None
    return Trouble(kind="skipped", type="undecided", message=say("ci.undecided"))


def _time(report: Report, case: CaseResult) -> float | None:
    """Give the seconds of all runs of a case together, as far as they are known."""
    known = [seconds for seconds in report.volatile.durations_s.get(case.id, ()) if seconds is not None]
    return math.fsum(known) if known else None


def _trouble_of_case(failed: Failed, say: Phrases, *, decides: bool) -> Trouble:
    message = failed.headline(say)
    return Trouble(
        kind="skipped" if not decides else "error" if failed.is_unmeasured else "failure",
        type=failed.type,
        message=message if decides else say("ci.not_counted", what=message),
        text="\n".join(_told(failed, say)),
    )


def _told(failed: Failed, say: Phrases) -> Iterator[str]:
    views = failed.views(say)
    yield say("ci.input", input=views[0].input)
    for view in views:
        yield say("page.expected_actual", expected=view.expected, actual=view.actual)
        yield from view.runs
    for place, output in _outputs(failed.case):
        yield from ("", say("ci.output", run=place), output)


def _outputs(case: CaseResult) -> Sequence[tuple[int, str]]:
    """Give the output of the first run that left one; the JSON has all."""
    found = ((run.index + 1, run.output) for run in case.runs if run.output)
    return [(place, clean_lines(output, limit=_LONGEST_OUTPUT)) for place, output in islice(found, 1)]

"""What a report shows of cases that are judged by their output alone: no trigger is asked for, so none is scored."""

from collections.abc import Iterator

from skill_evaluator.metrics.aspects import VALID
from skill_evaluator.metrics.output import OUTPUT_PASS_RATE
from skill_evaluator.model import Split
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Md, Table, table
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.results import AssertionTally, CaseResult, Metric, Report, RunState

_NO_METRIC = Metric(name=OUTPUT_PASS_RATE, value=None, numerator=0, denominator=0)


def is_output_only(report: Report) -> bool:
    """Whether no case says if the skill should fire, so that nothing about triggers is shown."""
    return bool(report.cases) and all(case.expect_trigger is None for case in report.cases)


def right_share(report: Report) -> Metric:
    """The share of acceptance cases whose output is right."""
    acceptance = report.splits.get(Split.ACCEPTANCE)
    return acceptance.metrics.get(OUTPUT_PASS_RATE, _NO_METRIC) if acceptance else _NO_METRIC


def assertion_table(report: Report, split: Split, say: Phrases) -> Table | None:
    """What each kind of assertion found; None without any."""
    rows = [_row(tally, say) for tally in report.splits[split].assertions]
    return table(say.cells("page.assertions_header"), rows) if rows else None


def failure_codes(report: Report, split: Split, say: Phrases) -> Iterator[Md]:
    """Say by which codes each kind of assertion failed; a terminal has no room for them in the table."""
    for tally in report.splits[split].assertions:
        codes = sorted(tally.codes, key=lambda name: (-tally.codes[name], name))
        named = [say("page.assertion_code", code=say.quote(name), cases=tally.codes[name]) for name in codes]
        if named:
            yield say("page.assertion_failed", assertion=say.quote(tally.assertion), codes=say.join(named))


def shown_input(prompt: str, case: CaseResult) -> str:
    """What a page shows as the input of a case: of a translation case the text, not the request around it."""
    from skill_evaluator.formats.evalcase.marks import marked_text  # noqa: PLC0415 - most reports have no such case

    text = marked_text(prompt) if case.expect_trigger is None else None
    return prompt if text is None else text


def fired_line(report: Report, split: Split, say: Phrases) -> Iterator[Md]:
    """Say how often the skill fired, which decides nothing here."""
    alone = [case for case in report.cases if case.split is split and case.expect_trigger is None]
    states = [run.state for case in alone for run in case.runs if run.state is not RunState.ERROR]
    if not states:
        return
    told = sum(state in VALID for state in states)
    fired = states.count(RunState.TRIGGERED)
    if not told:
        yield say("page.fired_unknown")
        return
    yield say("page.fired_in", fired=fired, told=told, untold=len(states) - told)


def _row(tally: AssertionTally, say: Phrases) -> list[Md]:
    rate, dash = tally.pass_rate, say("page.undefined")
    return [
        say.quote(tally.assertion),
        say.name(tally.severity, "severity"),
        Md(f"{rate.numerator}/{rate.denominator}"),
        dash if rate.value is None else Md(numbers.ratio(rate.value)),
        Md(numbers.interval(rate.interval)) if rate.interval else dash,
        Md(tally.undecided),
    ]

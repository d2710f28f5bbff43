"""What happened in each run of a case, with as much of its texts as there is room for; equal runs are told once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from skill_evaluator.metrics.votes import tally_of
from skill_evaluator.model import ToolCall, Verdict
from skill_evaluator.report import numbers
from skill_evaluator.report.escape import Html, Md
from skill_evaluator.report.in_html import html_line, html_text
from skill_evaluator.report.page.case_layout import Layout
from skill_evaluator.report.phrases import Phrases, as_json
from skill_evaluator.results import CaseResult, RunResult, RunState

_OPEN_CHARACTERS = 400  # a longer output is folded


@dataclass(frozen=True, kw_only=True, slots=True)
class Detail:
    """How much is told of a run.

    Attributes:
        characters: Longest text that is shown whole; with 0 neither outputs, arguments nor evidence are shown.
        items: Most tool calls, checks and different runs.
    """

    characters: int
    items: int


@dataclass(frozen=True, kw_only=True, slots=True)
class CallView:
    """One tool call; `arguments` is None where they were not recorded, or there is no room for them."""

    name: Html
    arguments: Html | None


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckView:
    """What a check found that did not pass; `state` is `bad`, or `odd` where it could not look."""

    state: Html
    grader: Html
    found: Md
    votes: Md | None
    evidence: Html | None


@dataclass(frozen=True, kw_only=True, slots=True)
class RunView:
    """What happened in one run, or in several alike.

    Attributes:
        state: Whether the skill fired, or how the run failed.
        failure: What the agent said of the failure, or None.
        skills: The skills that were invoked, in order; None where it was none.
        calls: Its tool calls, in order.
        more_calls: How many are left out.
        checks: Those that did not pass.
        passed: Names those that did, or None.
        output: Its last text, or None.
        is_folded: Whether the output is long.
    """

    SLOTS: ClassVar = ("state", "failure", "skills", "passed", "output", "note")

    state: Md
    failure: Md | None
    skills: Md | None
    calls: tuple[CallView, ...]
    more_calls: int
    checks: tuple[CheckView, ...]
    passed: Md | None
    output: Html | None
    is_folded: bool
    note: Md | None


def runs_html(case: CaseResult, detail: Detail, layout: Layout) -> tuple[tuple[Html, ...], int]:
    """Lay out the runs of a case.

    Returns:
        One piece for all runs alike, by the first of them; and how many runs are left out.
    """
    groups: dict[RunView, list[int]] = {}
    for run in case.runs:
        groups.setdefault(_view(run, case, detail, layout), []).append(run.index + 1)
    listed = list(groups.items())
    shown = tuple(
        layout.filled("one_run", _heading(indices, run, layout), run) for run, indices in listed[: detail.items]
    )
    return shown, sum(len(indices) for _, indices in listed[detail.items :])


def _heading(indices: Sequence[int], run: RunView, layout: Layout) -> Md:
    key = "cases.run" if len(indices) == 1 else "cases.runs"
    head = layout.told(key, numbers=layout.say.join(map(Md, numbers.ranges(indices))))
    return layout.told("cases.headed", head=head, what=run.state)


def _view(run: RunResult, case: CaseResult, detail: Detail, layout: Layout) -> RunView:
    """What happened in a run; without texts of its own it is like many others, and they are worded once."""
    if detail.characters or run.failure is not None or any(one.outcome.passed is not True for one in run.verdicts):
        return _run(run, case, detail, layout)
    names = tuple(call.name for call in run.tool_calls or ())
    known = ("run", case.expect_trigger is None, run.state, run.skills_invoked, run.cut_by, names, detail.items)
    return layout.kept(known, lambda: _run(run, case, detail, layout))


def _run(run: RunResult, case: CaseResult, detail: Detail, layout: Layout) -> RunView:
    calls, texts, say = run.tool_calls or (), detail.characters, layout.say
    output = run.output if texts else None
    return RunView(
        state=_state(run, case, say),
        failure=say.quote(run.failure.message, limit=max(texts, 80)) if run.failure else None,
        skills=layout.told("cases.skills", skills=run.skills_invoked) if run.skills_invoked else None,
        calls=tuple(_call(call, detail) for call in calls[: detail.items]),
        more_calls=max(0, len(calls) - detail.items),
        checks=tuple(_checks(run, detail, say)),
        passed=_passed(run, layout) if texts else None,
        output=None if output is None else Html(html_text(output, limit=texts)),
        is_folded=len(output or "") > _OPEN_CHARACTERS,
        note=say("cases.cut_by", option=f"--{run.cut_by.replace('_', '-')}") if run.cut_by else None,
    )


def _state(run: RunResult, case: CaseResult, say: Phrases) -> Md:
    if run.failure is not None:
        return say.name(run.failure.kind, "failure")
    if case.expect_trigger is None and run.state is RunState.UNKNOWN:
        return say("cases.answered")
    return say.name(run.state, "state")


def _call(call: ToolCall, detail: Detail) -> CallView:
    shown = call.arguments if detail.characters else None
    return CallView(
        name=Html(html_line(call.name, limit=100)),
        arguments=Html(html_line(as_json(shown), limit=detail.characters)) if shown else None,
    )


def _checks(run: RunResult, detail: Detail, say: Phrases) -> Iterator[CheckView]:
    open_checks = [verdict for verdict in run.verdicts if verdict.outcome.passed is not True]
    for verdict in sorted(open_checks, key=lambda one: one.outcome.passed is None)[: detail.items]:
        outcome, texts = verdict.outcome, detail.characters
        yield CheckView(
            state=Html("bad" if outcome.passed is False else "odd"),
            grader=Html(html_line(verdict.grader, limit=100)),
            found=say.coded("outcome", outcome.code, outcome.evidence, _said(verdict, detail, say)),
            votes=_votes(verdict, say),
            evidence=Html(html_text(as_json(outcome.evidence), limit=texts)) if texts and outcome.evidence else None,
        )


def _said(verdict: Verdict, detail: Detail, say: Phrases) -> "_Fallback":
    return _Fallback(say.quote(verdict.outcome.message, limit=max(detail.characters, 80)))


@dataclass(frozen=True, slots=True)
class _Fallback:
    text: Md

    def __call__(self) -> Md:
        return self.text


def _votes(verdict: Verdict, say: Phrases) -> Md | None:
    tally = tally_of(verdict.outcome)
    return say.join(say(f"cases.vote_{_VOTES[vote]}") for vote in tally.votes) if tally else None


_VOTES: Mapping[bool | None, str] = {True: "for", False: "against", None: "missing"}


def _passed(run: RunResult, layout: Layout) -> Md | None:
    names = tuple(verdict.grader for verdict in run.verdicts if verdict.outcome.passed)
    return layout.told("cases.passed", names=names) if names else None

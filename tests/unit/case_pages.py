"""Pages that hold nothing but a list of cases, and reports to list."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from lxml import html as lxml_html

from skill_evaluator.model import Outcome, Split, ToolCall, Usage, Verdict
from skill_evaluator.report.escape import Html
from skill_evaluator.report.page.case_list import case_list
from skill_evaluator.report.phrases import phrases
from skill_evaluator.report.serialize import report_from_json
from skill_evaluator.report.words import Lang
from skill_evaluator.results import CaseResult, FailedCase, Report, RunResult, RunState
from skill_evaluator.template_files import template_folder

GOLDEN = Path(__file__).parents[1] / "golden"
_PAGE = """{% extends "page/base.html.j2" %}
{% block title %}cases{% endblock %}
{% block content %}<h1>x</h1><h2>y</h2>{% include "page/cases.html.j2" %}{% endblock %}
{% block data %}{% include "page/cases_data.html.j2" %}{% endblock %}
"""


@cache
def golden(name: str = "failing") -> Report:
    return report_from_json((GOLDEN / f"{name}.json").read_text("utf-8"), name=name)


def page_of(report: Report, lang: Lang = "en") -> str:
    """A page of its cases alone; a policy without a hash lets its script run."""
    say = phrases(lang, "html")
    parts = {name: Html((template_folder() / "page" / file).read_text("utf-8")) for name, file in _ASSETS.items()}
    hashed = {"script_hash": Html("unsafe-inline"), "lang": Html(lang)}
    return say.environment.from_string(_PAGE).render(cases=case_list(report, say), has_charts=True, **parts, **hashed)


_ASSETS: Mapping[str, str] = {"style": "page.css", "script": "page.js"}


def document(report: Report, lang: Lang = "en") -> Any:  # noqa: ANN401 - lxml has no types
    return lxml_html.document_fromstring(page_of(report, lang))


def data(tree: Any, name: str) -> Any:  # noqa: ANN401 - JSON out of lxml
    """What the script reads from one block."""
    [block] = tree.xpath(f"//script[@id='data-{name}']")
    return json.loads(block.text)


def made_case(number: int, *, runs: int = 3, right: bool = True, output: str = "Here it is.") -> CaseResult:
    """A case that should fire, as it comes out of a run."""
    fired = RunState.TRIGGERED if right else RunState.NOT_TRIGGERED
    outcome = Outcome(passed=True, code="contains_ok", message="The output holds 'x'.")
    verdict = Verdict(grader="contains x", aspect=_OUTPUT, severity=_HARD, weight=1.0, outcome=outcome)
    one = RunResult(
        index=0,
        state=fired,
        output=output,
        skills_invoked=("level-maker",) if right else (),
        tool_calls=(ToolCall(name="Read", arguments={"path": "a.txt"}),),
        usage=Usage(input_tokens=100, output_tokens=10, cost_usd=0.001),
        verdicts=(verdict,) if right else (),
    )
    return replace(
        golden().cases[0],
        id=f"c{number}",
        split=Split.ACCEPTANCE if number % 2 else Split.TUNING,
        prompt=f"Make level {number} of the game",
        planned_runs=runs,
        valid_runs=runs,
        triggered_runs=runs if right else 0,
        decision=right,
        fluctuation=0.0,
        successes=runs if right else 0,
        aspects={},
        rubric={},
        runs=tuple(replace(one, index=index) for index in range(runs)),
    )


_OUTPUT, _HARD = golden().cases[0].runs[0].verdicts[0].aspect, golden().cases[0].runs[0].verdicts[0].severity


def with_cases(cases: tuple[CaseResult, ...]) -> Report:
    """A report of these cases; what it says of their rates is not looked at."""
    failed = tuple(
        FailedCase(
            id=case.id,
            split=case.split,
            sort="missed",
            input=case.prompt,
            expected={"trigger": True},
            actual={"trigger": False, "triggered_runs": 0, "valid_runs": case.valid_runs, "runs": []},
        )
        for split in Split
        for case in cases
        if case.split is split and not case.decision
    )
    return replace(golden(), cases=cases, failed_cases=failed, comparison=None)

"""A suite's answer -> the keys of `aggregate-result.json`, in their order.

Source: Files written by Claude Code 2.1.332; docs/reports.md lists the keys.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from skill_evaluator.model import StandInServer, StandInUse
from skill_evaluator.report.suite.added import added_content
from skill_evaluator.results.suite_result import (
    SUITE_SCHEMA_VERSION,
    CaseNumbers,
    CaseOfSuite,
    GraderOfCase,
    GraderResult,
    PluginOfSuite,
    RunOfCase,
    SuiteNumbers,
    SuiteResult,
    SuiteSettings,
)

Content = Mapping[str, object]


def result_content(result: SuiteResult) -> Content:
    """Lay an answer out as plain values; what was not given or is not known has no key."""
    partial = {"partialReason": result.partial_reason} if result.partial_reason else {}
    added = {} if result.measures is None else {"skillEvaluator": added_content(result, result.measures)}
    return {
        "schemaVersion": SUITE_SCHEMA_VERSION,
        "claudeVersion": result.claude_version,
        "startedAt": moment_text(result.started_at),
        "durationSeconds": round(result.duration_s),
        "costUsd": result.cost_usd,
        "partial": result.is_partial,
        **partial,
        "suite": _settings(result.settings),
        "cases": [_case(case) for case in result.cases],
        "aggregates": _suite_numbers(result.numbers),
        **added,
    }


def moment_text(moment: datetime) -> str:
    """Write a moment as JavaScript does: UTC with milliseconds.

    >>> moment_text(datetime(2026, 5, 1, 8, 43, 23, 665_999, tzinfo=UTC))
    '2026-05-01T08:43:23.665Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def whole_seconds(run: RunOfCase) -> int | None:
    """How long a run took as files have it, in whole seconds like the real program's; None where nobody knows."""
    return None if run.duration_s is None else round(run.duration_s)


def _given(pairs: Iterable[tuple[str, object]]) -> Content:
    return {key: value for key, value in pairs if value is not None}


def _settings(settings: SuiteSettings) -> Content:
    given = (
        ("modelOverride", settings.model),
        ("judgeModel", settings.judge_model),
        ("caseFilter", settings.case_filter),
        ("tagFilters", settings.tag_filters),
    )
    return {
        "root": settings.root,
        "ablation": settings.ablation,
        **_given(given),
        "threshold": settings.threshold,
        "concurrency": settings.concurrency,
        "plugins": [_plugin(plugin) for plugin in settings.plugins],
    }


def _plugin(plugin: PluginOfSuite) -> Content:
    version = _given([("version", plugin.version)])
    return {"name": plugin.name, **version, "path": plugin.path, **_given([("problem", plugin.problem)])}


def _case(case: CaseOfSuite) -> Content:
    without = {} if case.without_plugin is None else {"without": [_run(run) for run in case.without_plugin]}
    return {
        "name": case.name,
        "dir": case.folder,
        "source": case.source,
        "promptMarkdown": case.prompt,
        **_given([("model", case.model)]),
        "runsPerCase": case.runs_per_case,
        "timeoutSeconds": case.timeout_s,
        "maxTurns": case.max_turns,
        "graders": [_grader(grader) for grader in case.graders],
        "arms": {"with": [_run(run) for run in case.with_plugin], **without},
        **_given([("advisories", case.advisories or None)]),
        "aggregates": _case_numbers(case.numbers),
    }


def _grader(grader: GraderOfCase) -> Content:
    markdown = _given([("graderMarkdown", grader.markdown)])
    return {"name": grader.name, "type": grader.type, "weight": grader.weight, **markdown, "config": grader.config}


def _run(run: RunOfCase) -> Content:
    moment = None if run.started_at is None else moment_text(run.started_at)
    aborted = run.aborted and {"server": run.aborted.server, "tool": run.aborted.tool, "reason": run.aborted.reason}
    return {
        "score": run.score,
        "passed": run.passed,
        "turns": run.turns,
        "costUsd": run.cost_usd,
        "judgeCostUsd": run.judge_cost_usd,
        **_given([("durationSeconds", whole_seconds(run)), ("startedAt", moment)]),
        "error": run.error,
        "tracePath": run.trace_path,
        "skippedPaidGraders": run.skipped_paid_graders,
        **_given([("aborted", aborted), ("mocks", run.stand_ins and _stand_ins(run.stand_ins))]),
        "graders": [_verdict(verdict) for verdict in run.graders],
    }


def _verdict(verdict: GraderResult) -> Content:
    return {
        "name": verdict.name,
        "passed": verdict.passed,
        "weight": verdict.weight,
        "explanation": verdict.explanation,
        "withOnly": verdict.is_with_only,
        "scored": verdict.is_scored,
        **_given([("judgeVotes", verdict.judge_votes), ("evidence", verdict.evidence)]),
    }


def _stand_ins(use: StandInUse) -> Content:
    return {
        "servers": [_server(server) for server in use.servers],
        "warnings": use.warnings,
        "calls": {
            "total": use.total,
            "errors": use.errors,
            "unmocked": [{"tool": tool, "count": count} for tool, count in use.unmocked],
            "costUsd": use.cost_usd,
            "replay": {"hits": use.replay_hits, "misses": use.replay_misses},
        },
    }


def _server(server: StandInServer) -> Content:
    withheld = {"withheld": True} if server.is_withheld else {}
    tools = [{"tool": tool.tool, "responder": tool.responder} for tool in server.tools]
    pinned = {"replayPinned": server.replay_pinned} if server.replay_pinned else {}
    return {"server": server.server, "kind": server.kind, **withheld, **pinned, "tools": tools}


def _case_numbers(numbers: CaseNumbers) -> Content:
    given = (
        ("scoreWithout", numbers.score_without),
        ("passRateWithout", numbers.pass_rate_without),
        ("delta", numbers.delta),
    )
    return {"score": numbers.score, "passRate": numbers.pass_rate, **_given(given)}


def _suite_numbers(numbers: SuiteNumbers) -> Content:
    return {
        "casesTotal": numbers.cases_total,
        "casesPassed": numbers.cases_passed,
        "overallScore": numbers.score,
        "overallPassRate": numbers.pass_rate,
        **_given([("meanDelta", numbers.mean_delta)]),
    }

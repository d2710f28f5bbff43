"""What this product adds to `aggregate-result.json`, under its one key."""

from collections.abc import Iterator, Mapping

from skill_evaluator.report.suite.notes import as_sentence
from skill_evaluator.results import Confusion, Interval, Metric
from skill_evaluator.results.suite_result import (
    CaseStability,
    ClaimOfCase,
    OtherSkill,
    SkillTriggers,
    SuiteMeasures,
    SuiteResult,
)


def added_content(result: SuiteResult, measures: SuiteMeasures) -> Mapping[str, object]:
    """Lay the block out as plain values; all keys are always there, null is not known."""
    return {
        "version": measures.version,
        "agent": measures.agent,
        "model": measures.models,
        "trigger": {
            **_counts(measures.counts),
            "withoutClaim": measures.without_claim,
            "errorRuns": measures.error_runs,
            "neverFired": measures.never_fired,
            "byCase": _metrics(measures.trigger),
            "byRun": _metrics(measures.trigger_by_run),
            "bySkill": [_skill(skill) for skill in measures.by_skill],
            "otherSkillFired": _other(measures.other_skill),
        },
        "score": _metric(measures.score),
        "delta": _metric(measures.delta),
        "positiveScore": measures.positive_score,
        "negativeScore": measures.negative_score,
        "unstable": measures.is_unstable,
        "cases": [_stability(case) for case in measures.cases],
        "apiErrors": [*_api_errors(result)],
        "refused": result.refused,
        "notes": [as_sentence(note) for note in measures.notes],
    }


def _counts(counts: Confusion) -> Mapping[str, int]:
    return {
        "truePositives": counts.true_positives,
        "falseNegatives": counts.false_negatives,
        "falsePositives": counts.false_positives,
        "trueNegatives": counts.true_negatives,
        "unmeasured": counts.unmeasured,
    }


def _skill(skill: SkillTriggers) -> Mapping[str, object]:
    return {
        "skill": skill.skill,
        **_counts(skill.counts),
        "neverFired": skill.never_fired,
        "byCase": _metrics(skill.trigger),
    }


def _other(other: OtherSkill | None) -> object:
    return None if other is None else {"cases": other.cases, "of": other.of}


def _claim(claim: ClaimOfCase) -> Mapping[str, object]:
    return {
        "skill": claim.skill,
        "inputMatch": claim.pattern,
        "expectTrigger": claim.expect_trigger,
        "fired": claim.fired,
        "valid": claim.valid,
    }


def _metrics(metrics: Mapping[str, Metric]) -> Mapping[str, object]:
    return {_KEYS[name]: _metric(metrics[name]) for name in _KEYS if name in metrics}


_KEYS = {"precision": "precision", "recall": "recall", "f1": "f1", "false_trigger_rate": "falseTriggerRate"}


def _metric(metric: Metric | None) -> object:
    if metric is None:
        return None
    return {
        "value": metric.value,
        "low": _end(metric.interval, "low"),
        "high": _end(metric.interval, "high"),
        "numerator": metric.numerator,
        "denominator": metric.denominator,
    }


def _end(interval: Interval | None, name: str) -> float | None:
    return None if interval is None else getattr(interval, name)


def _stability(case: CaseStability) -> Mapping[str, object]:
    return {
        "name": case.name,
        "dir": case.folder,
        "expectTrigger": case.expect_trigger,
        "fired": case.fired,
        "valid": case.valid,
        "fluctuation": case.fluctuation,
        "scoreMin": case.score_min,
        "scoreMax": case.score_max,
        "claims": [_claim(claim) for claim in case.claims],
    }


def _api_errors(result: SuiteResult) -> Iterator[Mapping[str, object]]:
    """Name the runs that the model's service ended, by place; the real program's keys have no room for it."""
    for place, case in enumerate(result.cases):
        for arm, runs in (("with", case.with_plugin), ("without", case.without_plugin or ())):
            yield from ({"case": place, "arm": arm, "run": index} for index, run in enumerate(runs) if run.is_api_error)

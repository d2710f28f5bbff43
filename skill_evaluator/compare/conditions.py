"""What two reports have in common: what differs between them, what that touches, and what else to know."""

from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from skill_evaluator.model import Split
from skill_evaluator.results import CaseResult, Note, Report

# Other cases, another agent or model: another measurement altogether. Another number of runs changes what decides a
# case (at 70 % by run, 3 runs decide for a trigger in 78 % of cases, 4 in 65 %) but no mean over runs.
_ANY_METRIC = ("split_hash", "agent", "model")
_BY_DECISION = (*_ANY_METRIC, "runs")
BY_CHECK = (*_BY_DECISION, "checks")  # other checks of the same questions leave alone what only hangs on triggers
_BY_JUDGE = (*BY_CHECK, "judge")
TOUCHED_BY: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "precision": _BY_DECISION,
        "recall": _BY_DECISION,
        "f1": _BY_DECISION,
        "false_trigger_rate": _BY_DECISION,
        "output_pass_rate": BY_CHECK,
        "params_pass_rate": BY_CHECK,
        "tool_order_pass_rate": BY_CHECK,
        "judged_pass_rate": _BY_JUDGE,
        "expected_skill_rate": BY_CHECK,
        "rubric_pass_rate": _BY_JUDGE,
        "pass_hat_k": BY_CHECK,
        "input_tokens": _ANY_METRIC,
        "output_tokens": _ANY_METRIC,
        "cost_usd": _ANY_METRIC,
        "latency_p50": _ANY_METRIC,
        "latency_p95": _ANY_METRIC,
    }
)


def differences(new: Report, old: Report, split: Split) -> frozenset[str]:
    """Codes of what differs, of those that forbid the comparison of some metric."""
    other_cases = new.testset.split_sha256.get(split) != old.testset.split_sha256.get(split)
    same_questions = _questions(new, split) == _questions(old, split)
    found = {
        "split_hash": other_cases and not same_questions,
        "checks": other_cases and same_questions,
        "agent": _agent(new) != _agent(old),
        "model": new.agent.model != old.agent.model,
        "runs": new.config.runs != old.config.runs,
        "judge": has_other_judge(new, old),
    }
    return frozenset(code for code, stands in found.items() if stands)


def is_same_measurement(new: Report, old: Report) -> bool:
    """Whether the same question, asked by either, would get the same kind of answer."""
    return (_agent(new), new.agent.model, new.config.runs) == (_agent(old), old.agent.model, old.config.runs)


def _agent(report: Report) -> tuple[str, object]:
    """The agent, and the hash of what it words itself, where it does: other words are another measurement."""
    return report.agent.name, report.agent.settings.get("wording")


def has_other_judge(new: Report, old: Report) -> bool:
    """Whether both were judged, by different models; one that was not has no scores to compare."""
    return new.judge is not None and old.judge is not None and new.judge.model != old.judge.model


def cases_of(report: Report, split: Split) -> list[CaseResult]:
    """The cases of one split, in the order of the report."""
    return [case for case in report.cases if case.split is split]


def notes(new: Report, old: Report) -> Iterator[Note]:
    """What differs besides, and does not forbid a comparison but may explain its outcome."""
    if new.agent.estimate or old.agent.estimate:
        yield Note(code="estimates")
    if new.skill.sha256 == old.skill.sha256:
        yield Note(code="same_skill")
    elif new.skill.version == old.skill.version:
        yield Note(code="same_version", values={"version": new.skill.version})
    if new.skill.name != old.skill.name:
        yield Note(code="other_skill", values={"new": new.skill.name, "old": old.skill.name})
    if new.evaluator_version != old.evaluator_version:
        yield Note(code="other_evaluator", values={"new": new.evaluator_version, "old": old.evaluator_version})
    settings, earlier = new.agent.settings, old.agent.settings
    changed = sorted(key for key in settings.keys() | earlier.keys() if settings.get(key) != earlier.get(key))
    if changed and new.agent.name == old.agent.name:
        yield Note(code="settings_differ", values={"settings": changed})


def _questions(report: Report, split: Split) -> Counter[tuple[str, bool | None]]:
    """What was asked and which answer was right, and how often; ids, tags and checks do not change a trigger."""
    return Counter((case.prompt_sha256, case.expect_trigger) for case in cases_of(report, split))

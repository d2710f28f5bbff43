"""What two answers of a suite have in common: what differs, which numbers that touches, and what else to know."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.metrics.suite_pairing import SuitePairing
from skill_evaluator.results.suite_result import SuiteResult

_ANY = ("partial", "agent", "model", "cases")
_BY_SCORE = (*_ANY, "ablation", "judge")  # with two arms, graders that only the plugin can pass are not scored
TOUCHES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "score": _BY_SCORE,
        "delta": _BY_SCORE,
        "pass_share": (*_BY_SCORE, "threshold", "runs"),
        **dict.fromkeys(("precision", "recall", "f1", "false_trigger_rate"), (*_ANY, "runs")),
    }
)


def differences(new: SuiteResult, old: SuiteResult, pairing: SuitePairing) -> frozenset[str]:
    """Codes of what forbids the comparison of some number."""
    is_whole = not pairing.only_new and not pairing.only_old
    later, earlier = new.settings, old.settings
    found = {
        "partial": new.is_partial or old.is_partial,
        "agent": measures_of_result(new).agent != measures_of_result(old).agent,
        "model": later.model != earlier.model,
        "judge": later.judge_model != earlier.judge_model,
        "ablation": _arms(new, pairing, "new") != _arms(old, pairing, "old"),
        "threshold": later.threshold != earlier.threshold,
        "runs": any(len(one.new.case.with_plugin) != len(one.old.case.with_plugin) for one in pairing.pairs),
        "cases": not is_whole or any(pair.is_changed for pair in pairing.pairs),
    }
    return frozenset(code for code, stands in found.items() if stands)


def _arms(result: SuiteResult, pairing: SuitePairing, side: str) -> object:
    """How the suite was run, and which of the shared cases had a second arm."""
    cases = [getattr(pair, side).case for pair in pairing.pairs]
    return result.settings.ablation, [case.without_plugin is not None for case in cases]


def notes(new: SuiteResult, old: SuiteResult) -> Iterator[str]:
    """What differs besides, and does not forbid a comparison but may explain its outcome."""
    if new.claude_version != old.claude_version:
        yield f"The versions of Claude Code differ: {_named(new.claude_version)} and {_named(old.claude_version)}."
    later, earlier = (sorted((one.name, one.version or "") for one in side.settings.plugins) for side in (new, old))
    if later == earlier and later:
        yield "Both name the same version of the plugin."
    elif [name for name, _ in later] != [name for name, _ in earlier]:
        yield "The plugins have other names."
    if new.started_at < old.started_at:
        yield "The result named first is the earlier one."


def _named(version: str) -> str:
    return version or "none"

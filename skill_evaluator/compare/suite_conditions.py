"""What two answers of a suite have in common: what differs, which numbers that touches, and what else to know."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.metrics.suite_models import model_words
from skill_evaluator.metrics.suite_pairing import SuitePairing
from skill_evaluator.results import Note
from skill_evaluator.results.suite_result import SuiteResult

_ANY = ("partial", "agent", "model", "model_unknown", "cases")
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
    models = _models(new, old)
    found = {
        "partial": new.is_partial or old.is_partial,
        "agent": measures_of_result(new).agent != measures_of_result(old).agent,
        "model": None not in models and models[0] != models[1],
        "model_unknown": models.count(None) == 1,
        "judge": later.judge_model != earlier.judge_model,
        "ablation": _arms(new, pairing, "new") != _arms(old, pairing, "old"),
        "threshold": later.threshold != earlier.threshold,
        "runs": any(len(one.new.case.with_plugin) != len(one.old.case.with_plugin) for one in pairing.pairs),
        "cases": not is_whole or any(pair.is_changed for pair in pairing.pairs),
    }
    return frozenset(code for code, stands in found.items() if stands)


def model_of(result: SuiteResult) -> str | None:
    """Name the model of a side, as asked for and as recorded; None where the file tells neither."""
    return model_words(result.settings.model, measures_of_result(result).models)


def _models(new: SuiteResult, old: SuiteResult) -> tuple[str | None, str | None]:
    """Give what can be held against each other: the models that were used where both files have them."""
    used = [", ".join(measures_of_result(side).models) or None for side in (new, old)]
    if None not in used:
        return used[0], used[1]
    asked = new.settings.model, old.settings.model
    return asked if None not in asked else (asked[0] or used[0], asked[1] or used[1])


def _arms(result: SuiteResult, pairing: SuitePairing, side: str) -> object:
    """How the suite was run, and which of the shared cases had a second arm."""
    cases = [getattr(pair, side).case for pair in pairing.pairs]
    return result.settings.ablation, [case.without_plugin is not None for case in cases]


def notes(new: SuiteResult, old: SuiteResult) -> Iterator[Note]:
    """What differs besides, and does not forbid a comparison but may explain its outcome; codes and values."""
    if new.claude_version != old.claude_version:
        yield _versions(new.claude_version, old.claude_version)
    later, earlier = (sorted((one.name, one.version or "") for one in side.settings.plugins) for side in (new, old))
    if later == earlier and later:
        yield Note(code="same_version")
    elif [name for name, _ in later] != [name for name, _ in earlier]:
        yield Note(code="other_names")
    if sides := [name for name, side in (("new", new), ("old", old)) if model_of(side) is None]:
        yield Note(code="models_unknown" if len(sides) > 1 else f"model_unknown_{sides[0]}")
    if new.started_at < old.started_at:
        yield Note(code="other_order")


def _versions(new: str, old: str) -> Note:
    if new and old:
        return Note(code="versions", values={"new": new, "old": old})
    return (
        Note(code="version_new_only", values={"new": new})
        if new
        else Note(code="version_old_only", values={"old": old})
    )

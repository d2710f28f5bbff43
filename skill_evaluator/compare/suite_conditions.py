"""What two answers of a suite have in common: what differs, which numbers that touches, and what else to know."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from skill_evaluator.metrics.result_measures import measures_of_result
from skill_evaluator.metrics.suite_models import model_words
from skill_evaluator.metrics.suite_pairing import SuitePairing
from skill_evaluator.results.suite_result import SuiteResult

_ANY = ("partial", "agent", "model", "model_unknown", "cases")
_REMEDY = "run the suite again with --model, or with a version of this program that records it."
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


def notes(new: SuiteResult, old: SuiteResult) -> Iterator[str]:
    """What differs besides, and does not forbid a comparison but may explain its outcome."""
    if new.claude_version != old.claude_version:
        yield f"The versions of Claude Code differ: {_named(new.claude_version)} and {_named(old.claude_version)}."
    later, earlier = (sorted((one.name, one.version or "") for one in side.settings.plugins) for side in (new, old))
    if later == earlier and later:
        yield "The plugin's version is the same on both sides: it was not raised, though its files may have changed."
    elif [name for name, _ in later] != [name for name, _ in earlier]:
        yield "The plugins have other names."
    if sides := [name for name, side in (("new", new), ("old", old)) if model_of(side) is None]:
        which = "of the new and of the old result" if len(sides) > 1 else f"of the {sides[0]} result"
        yield f"The model {which} is not recorded, so both may have asked different ones: {_REMEDY}"
    if new.started_at < old.started_at:
        yield "The result named first is the earlier one."


def _named(version: str) -> str:
    return version or "none"

"""The check of an assertion: its params, and what it needs of its case."""

from collections.abc import Mapping, Sequence
from typing import cast

from skill_evaluator.formats.evalcase.case_row import CaseRow
from skill_evaluator.graders.translation import ASSERTIONS
from skill_evaluator.graders.translation.forbidden_renderings import Rendering
from skill_evaluator.model import Check, JsonObject


def check_of(name: str, params: JsonObject, row: CaseRow) -> Check:
    """Make the check of a sound assertion.

    Args:
        name: Of the assertion.
        params: As written.
        row: The case.
    """
    return ASSERTIONS[name](**_options(name, params, row))


def _options(name: str, params: JsonObject, row: CaseRow) -> JsonObject:
    match name:
        case "placeholder_integrity":
            return {**params, "source": row["source"], "target_locale": row["target_locale"]}
        case "number_fidelity":
            locales = {"source_locale": row["source_locale"], "target_locale": row["target_locale"]}
            return {**params, **locales, "source": row["source"]}
        case "required_tokens":
            return {**params, "tokens": tuple(row["required_tokens"])}
        case "forbidden_renderings":
            written = cast("Sequence[str | Mapping[str, str]]", params["renderings"])
            return {**params, "renderings": tuple(map(_rendering, written))}
        case _:
            return params


def _rendering(written: str | Mapping[str, str]) -> Rendering:
    return Rendering(text=written) if isinstance(written, str) else Rendering(text=written["pattern"], is_pattern=True)

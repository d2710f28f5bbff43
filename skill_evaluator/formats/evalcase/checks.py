"""The check of an assertion: its params, and what it needs of its case."""

from collections.abc import Mapping
from typing import Any

from skill_evaluator.graders.translation import ASSERTIONS
from skill_evaluator.graders.translation.forbidden_renderings import Rendering
from skill_evaluator.model import Check

_OF_CASE: Mapping[str, tuple[str, ...]] = {
    "placeholder_integrity": ("source", "target_locale"),
    "number_fidelity": ("source", "source_locale", "target_locale"),
}


def check_of(name: str, params: Mapping[str, Any], row: Mapping[str, Any]) -> Check:
    """Make the check of a sound assertion.

    Args:
        name: Of the assertion.
        params: As written.
        row: The case.
    """
    options = dict(params)
    if name == "required_tokens":
        options["tokens"] = tuple(row["required_tokens"])
    if name == "forbidden_renderings":
        written = options["renderings"]
        options["renderings"] = tuple(
            Rendering(text=one) if isinstance(one, str) else Rendering(text=one["pattern"], is_pattern=True)
            for one in written
        )
    return ASSERTIONS[name](**options, **{field: row[field] for field in _OF_CASE.get(name, ())})

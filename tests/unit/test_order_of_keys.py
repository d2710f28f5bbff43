"""Whatever order the keys of a report come in, what is shown of it is the same: a run and its saved report agree."""

from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import TypeVar, cast

import pytest

from skill_evaluator.api.saved import load_report
from skill_evaluator.report.compact import compact_view
from skill_evaluator.report.render import RENDERERS, render
from skill_evaluator.report.words import Lang

T = TypeVar("T")
ROOT = Path(__file__).parents[1]
REPORTS = [
    *((ROOT / "golden" / f"{name}.json") for name in ("failing", "passing", "estimate", "invalid")),
    ROOT / "data" / "reports" / "version-3.json",
]


def turned_round(value: T) -> T:
    """The same value with the keys of all its mappings in the opposite order."""
    made: object = value
    if isinstance(value, dict):
        made = {key: turned_round(one) for key, one in reversed(value.items())}
    elif isinstance(value, tuple):
        made = tuple(turned_round(one) for one in value)
    elif is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value) if field.init]
        made = replace(value, **{name: turned_round(getattr(value, name)) for name in names})
    return cast("T", made)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("form", [*RENDERERS])
def test_every_format_shows_the_same(form: str, path: Path, lang: Lang) -> None:
    report = load_report(path)

    assert render(turned_round(report), form, lang) == render(report, form, lang)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_a_terminal_shows_the_same(path: Path) -> None:
    report = load_report(path)

    assert compact_view(turned_round(report), "en") == compact_view(report, "en")

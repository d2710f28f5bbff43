"""A translation holds none of the wordings that it must not."""

import json

import pytest

from skill_evaluator.graders.text import MATCH_LIMIT_S
from skill_evaluator.graders.translation import ForbiddenRenderings, Rendering
from skill_evaluator.model import OUTPUT_GAP, Outcome, Run

ENDLESS = Rendering(text="(a|aa|aaa)+$", is_pattern=True)
AS = "a" * 5_000 + "!"


def pattern(text: str) -> Rendering:
    return Rendering(text=text, is_pattern=True)


def look(output: str | None, *renderings: str | Rendering, is_cut: bool = False) -> Outcome:
    wanted = tuple(Rendering(text=one) if isinstance(one, str) else one for one in renderings)
    return ForbiddenRenderings(renderings=wanted).check(Run(case_id="c", output=output, output_cut=is_cut))


@pytest.mark.parametrize(
    ("output", "rendering", "found"),
    [
        ("Drücke die Taste.", "Taste", True),
        ("Drücke die Taste.", "taste", False),
        ("Drücke die Taste.", "T.ste", False),
        ("Drücke die Taste.", pattern("T.ste"), True),
        ("Drücke die Taste.", pattern("(?i)taste"), True),
        ("Tastenfeld", pattern(r"\bTaste\b"), False),
        ("关卡", "关", True),
        ("a\r\nb", "a\nb", True),
        ("a\nb", "a\r\nb", True),
        ("cafe\u0301", "caf\u00e9", True),
        ("caf\u00e9", "cafe\u0301", True),
        ("cafe\u0301", "cafe", False),
        ("a\nb", pattern("^b$"), True),
        ("a", pattern("(?=a)"), True),
        ("", "a", False),
    ],
)
def test_wordings_are_looked_for_as_readers_see_them(output: str, rendering: str | Rendering, *, found: bool) -> None:
    outcome = look(output, rendering)
    assert outcome.passed is not found
    assert outcome.code == ("forbidden_rendering_found" if found else "ok")


def test_every_rendering_that_is_there_is_told_with_its_places() -> None:
    outcome = look("Sie und sie, Sie 12", "Sie", "du", pattern(r"\d+"))

    assert outcome.message == "The translation holds 'Sie', which it must not."
    assert outcome.evidence == {
        "renderings": 2,
        "found": [
            {"rendering": "Sie", "at": [0, 13], "excerpt": "Sie und sie, Sie 12"},
            {"pattern": r"\d+", "at": [17], "excerpt": "Sie und sie, Sie 12"},
        ],
    }
    assert look("12", pattern(r"\d")).message == r"The translation holds a text that matches '\\d', which it must not."


def test_evidence_stays_short_and_can_be_written() -> None:
    outcome = look("\ud800secret " * 100_000, *("secret " * number for number in range(1, 300)))

    assert len(json.dumps(outcome.evidence, ensure_ascii=False).encode()) < 6_000
    assert outcome.evidence["renderings"] == 1


def test_pattern_that_takes_too_long_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skill_evaluator.graders.translation.forbidden_renderings.MATCH_LIMIT_S", MATCH_LIMIT_S / 20)
    outcome = look(AS, *[ENDLESS] * 50)

    assert (outcome.passed, outcome.code) == (None, "rendering_timeout")
    assert outcome.evidence["pattern"] == ENDLESS.text
    found = look(AS, ENDLESS, "a!")
    assert found.code == "forbidden_rendering_found"


def test_pattern_that_does_not_compile_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a regular expression"):
        look("a", pattern("("))


def test_no_translation_is_not_looked_at() -> None:
    assert (look(None, "a").passed, look(None, "a").code) == (None, "not_run")


def test_translation_that_is_not_whole_is_decided_only_where_a_text_is_there() -> None:
    cut = f"a{'.' * 40}{OUTPUT_GAP}b"
    assert look(cut, "b", is_cut=True).code == "forbidden_rendering_found"
    assert look(cut, "c", is_cut=True).code == "output_cut"
    assert look(cut, pattern("b"), is_cut=True).code == "output_cut"

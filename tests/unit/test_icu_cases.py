"""Translations of the ICU cases that come with the product: good ones, and one for each way to go wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.graders.translation.placeholders.icu import compare_icu

FILE = Path(__file__).parents[2] / "testsets" / "translation" / "cases" / "dev" / "icu.jsonl"
CASES: dict[str, dict[str, Any]] = {case["id"]: case for case in map(json.loads, FILE.read_text("utf-8").splitlines())}
TICKETS = "{n, plural, one {# bilet} few {# bilety} many {# biletów} other {# biletu}}"
OPEN = "placeholder_undecided"
VECTORS = [
    (1, "Um {time, time, short} legt die Fähre {name} an Pier {pier, number} ab.", "ok"),
    (1, "Die Fähre {name} legt an Pier {pier} um {time, time, short} ab.", "placeholder_mutated"),
    (1, "Die Fähre {name} legt an Pier {pier, number} ab.", "placeholder_missing"),
    (
        2,
        "{count, plural, one {# судно в {harbour}} few {# в {harbour}} many {# судов в {harbour}} other {# {harbour}}}",
        "ok",
    ),
    (2, "{count, plural, one {# судно в {harbour}} other {# судов в {harbour}}}", "placeholder_missing"),
    (
        2,
        "{count, plural, one {Судно в {harbour}} few {# {harbour}} many {# {harbour}} other {# {harbour}}}",
        "placeholder_missing",
    ),
    (
        2,
        "{count, plural, one {# судно} few {# {harbour}} many {# {harbour} {harbour}} other {# {harbour}}}",
        "placeholder_missing",
    ),
    (3, "{count, plural, =0 {没有可租的船} other {# 艘船可租}}", "ok"),
    (3, "{count, plural, =0 {没有可租的船} one {# 艘船可租} other {# 艘船可租}}", "placeholder_extra"),
    (3, "{count, plural, other {# 艘船可租}}", "placeholder_missing"),
    (4, "Ce soir, le vent vient de l''{direction}.", "ok"),
    (4, "Ce soir, le vent vient de l'{direction}.", "placeholder_missing"),
    (
        5,
        "{sender_kind, select, captain {{name} hat befohlen} crew {{name} schrieb} other {Nachricht von {name}}}",
        "ok",
    ),
    (
        5,
        "{sender_kind, select, kapitän {{name} hat befohlen} crew {{name} schrieb} other {Von {name}}}",
        "placeholder_mutated",
    ),
    (5, "{sender_kind, select, captain {{name} hat befohlen} crew {{name} schrieb}}", "placeholder_malformed"),
    (
        6,
        "{days, plural, zero {لا أيام} one {# يوم} two {يومان} few {# أيام} many {# يومًا} other {# يوم}} في البحر",
        "ok",
    ),
    (6, "{days, plural, zero {لا أيام} one {يوم واحد} two {يومان} few {# أيام} many {# يومًا} other {# يوم}}", OPEN),
    (
        6,
        "{days, plural, zero {لا أيام} one {# يوم} two {يومان} few {أيام} many {# يومًا} other {# يوم}}",
        "placeholder_missing",
    ),
    (
        7,
        "{rank, selectordinal, one {#st for {boat}} two {#nd for {boat}} few {#rd for {boat}} other {#th for {boat}}}",
        "ok",
    ),
    (7, "{rank, selectordinal, one {#st for {boat}} other {#th for {boat}}}", "placeholder_missing"),
    (7, "{rank, plural, one {# for {boat}} other {# for {boat}}}", "placeholder_mutated"),
    (8, "{guests, plural, offset:1 =0 {誰も乗りません} =1 {{host}が乗ります} other {{host}とほか#人が乗ります}}", "ok"),
    (
        8,
        "{guests, plural, =0 {誰も乗りません} =1 {{host}が乗ります} other {{host}とほか#人が乗ります}}",
        "placeholder_mutated",
    ),
    (9, "Pagado el {day, date, ::yMMMMd}: {price, number, ::currency/EUR}", "ok"),
    (9, "Pagado el {day, date, ::yMMMMd}: {price, number, ::currency/USD}", "placeholder_mutated"),
    (10, "{kind, select, return {" + TICKETS + "} other {" + TICKETS + "}}", "ok"),
    (
        10,
        "{kind, select, return {" + TICKETS.replace("#", "# #") + "} other {" + TICKETS + "}}",
        "placeholder_count_mismatch",
    ),
    (10, "{kind, select, powrót {" + TICKETS + "} other {" + TICKETS + "}}", "placeholder_mutated"),
    (11, "Scrivi '{name}' tra graffe e compare {name}, non è vero?", "ok"),
    (11, "Scrivi {name} tra graffe e compare {name}, non è vero?", "placeholder_count_mismatch"),
    (12, "{from} bis {to}, wieder {from}", "ok"),
    (12, "{to} ab {from}, wieder {from}", "placeholder_reordered"),
]


@pytest.mark.parametrize(("number", "candidate", "code"), VECTORS)
def test_what_is_said_of_a_translation(number: int, candidate: str, code: str) -> None:
    case = CASES[f"placeholder.icu.{number:03}"]
    params = case["assertions"][0]["params"]

    found = compare_icu(
        case["source"],
        candidate,
        target_locale=case["target_locale"],
        allow_reorder=params.get("allow_reorder", True),
    )

    codes = {fault.code for fault in found.faults} or {OPEN if found.undecided else "ok"}
    assert code in codes


def test_each_case_has_translations_that_pass_and_others() -> None:
    for case in CASES:
        codes = [code for number, _, code in VECTORS if case == f"placeholder.icu.{number:03}"]
        assert "ok" in codes
        assert len(set(codes)) > 1

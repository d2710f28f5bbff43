"""Our own cases of numbers, each with translations that pass and translations that do not."""

from pathlib import Path

import pytest

from skill_evaluator.formats.evalcase.reading import open_cases
from skill_evaluator.model import EvalCase, Run

CASES = Path(__file__).parents[2] / "testsets" / "translation" / "cases" / "dev" / "numbers.jsonl"

# Translations by hand, with the code that each has to get.
VECTORS = [
    ("decimal.001", "Die Pier ist 1.234,5 m lang und 6,25 m breit.", "ok"),
    ("decimal.001", "Die Pier ist 1.234,5 m lang und 6,52 m breit.", "number_mutated"),
    ("decimal.001", "Die Pier ist 1,234.5 m lang und 6,25 m breit.", "number_undecided"),
    ("decimal.001", "Die Pier ist 1.234,5 m lang.", "number_missing"),
    ("decimal.002", "At low tide 1,500 m² of mud and 0.75 m of water remain.", "ok"),
    ("decimal.002", "At low tide 1.5 m² of mud and 0.75 m of water remain.", "number_mutated"),
    ("grouping.001", "Le port a traité 12\u202f345\u202f678 tonnes.", "ok"),
    ("grouping.001", "Le port a traité 12 345 678 tonnes.", "ok"),
    ("grouping.001", "Le port a traité 12\u202f345 tonnes.", "number_mutated"),
    ("grouping.001", "Le port a traité 12,3 millions de tonnes.", "number_undecided"),
    ("grouping.002", "बंदरगाह शुल्क १२,३४,५६७ रुपये है।", "ok"),
    ("grouping.002", "बंदरगाह शुल्क 12,34,567 रुपये है।", "ok"),
    ("grouping.002", "बंदरगाह शुल्क १२,३४,५७६ रुपये है।", "number_mutated"),
    ("digits.001", "الغاطس: ١١٫٧٥ م، ٢٬٠٤٨ حاوية.", "ok"),
    ("digits.001", "الغاطس: 11.75 م، 2,048 حاوية.", "ok"),
    ("digits.001", "الغاطس: ١١٫٧٥ م.", "number_missing"),
    ("identifier.001", "Karte 1.2.3 führt Boje 192.168.0.17 in Ausgabe v2.150.", "ok"),
    ("identifier.001", "Karte 1.2.3 führt Boje 192.168.0.71 in Ausgabe v2.150.", "number_mutated"),
    ("identifier.001", "Karte 1.3.2 führt Boje 192.168.0.17 in Ausgabe v2.150.", "number_undecided"),
    ("time.001", "Fergen går 14.08.2031 kl. 7.45.", "ok"),
    ("time.001", "Fergen går 14.08.2031 kl. 19:45.", "number_undecided"),
    ("time.001", "Fergen går 14.08.2031 kl. 9:45.", "number_mutated"),
    ("scale.001", "这里有12,000只海鸥和350只燕鸥。", "ok"),
    ("scale.001", "这里有1.2万只海鸥和350只燕鸥。", "number_undecided"),
    ("scale.001", "这里有一万二千只海鸥和350只燕鸥。", "number_undecided"),
    ("scale.001", "这里有12,000只海鸥和530只燕鸥。", "number_mutated"),
    ("sign.001", "Der Pegel fiel in 18 Stunden auf −35 cm.", "ok"),
    ("sign.001", "Der Pegel fiel in 18 Stunden auf minus 35 cm.", "number_undecided"),
    ("sign.001", "Der Pegel fiel in achtzehn Stunden auf −35 cm.", "number_undecided"),
    ("placeholder.001", "{count} z 4096 miejsc przy nabrzeżu %1$s jest wolnych.", "ok"),
    ("placeholder.001", "{count} z 4096 miejsc przy nabrzeżu %1$s jest wolnych (8192 łącznie).", "number_extra"),
    ("range.001", "３～５番の係船柱に、90分以内で係留してください。", "ok"),
    ("range.001", "係船柱35に、90分以内で係留してください。", "number_mutated"),
]


@pytest.fixture(scope="module")
def cases() -> dict[str, EvalCase]:
    return {case.id: case for case in open_cases(CASES)}


@pytest.mark.parametrize(("case_id", "candidate", "code"), VECTORS)
def test_candidate_gets_its_code(cases: dict[str, EvalCase], case_id: str, candidate: str, code: str) -> None:
    (assertion,) = cases[f"number.{case_id}"].assertions
    outcome = assertion.check.check(Run(case_id=case_id, output=candidate))

    assert outcome.code == code
    assert outcome.passed is {"ok": True, "number_undecided": None}.get(code, False)


def test_each_case_has_a_translation_that_passes_and_one_that_does_not(cases: dict[str, EvalCase]) -> None:
    assert {f"number.{case_id}" for case_id, _, code in VECTORS if code == "ok"} == set(cases)
    assert {f"number.{case_id}" for case_id, _, code in VECTORS if code != "ok"} == set(cases)

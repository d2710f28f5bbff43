"""Our own cases of placeholders, each with translations that pass and translations that do not."""

from pathlib import Path

import pytest

from skill_evaluator.formats.evalcase.reading import open_cases
from skill_evaluator.model import EvalCase, Run

CASES = Path(__file__).parents[2] / "testsets" / "translation" / "cases" / "dev" / "placeholders.jsonl"

# Translations by hand, with the code that each has to get.
VECTORS = [
    ("printf.001", "泊位 %s 在 %d 点之前空闲。", "ok"),
    ("printf.001", "%2$d 点之前泊位 %1$s 空闲。", "ok"),
    ("printf.001", "泊位 %s 空闲。", "placeholder_missing"),
    ("printf.001", "%d 点之前泊位 %s 空闲。", "placeholder_reordered"),
    ("printf.001", "泊位 %s 在 %s 点之前空闲。", "placeholder_mutated"),
    ("printf.001", "泊位 %s 在 %d 点之前空闲，还有 %d。", "placeholder_count_mismatch"),
    ("printf.001", "泊位 %s 在 %d 点之前空闲（100%）。", "placeholder_malformed"),
    ("printf.002", "%s fährt in %d Minuten nach %s ab.", "placeholder_reordered"),
    ("printf.002", "%1$s fährt in %3$d Minuten nach %2$s ab.", "ok"),
    ("printf.002", "%s fährt in %d Minuten ab.", "placeholder_count_mismatch"),
    ("printf.003", "%3$d番桟橋で%1$sが%2$sを待っています。", "ok"),
    ("printf.003", "%3$d番桟橋で%1$sが%1$sを待っています。", "placeholder_missing"),
    ("printf.003", "%3$d番桟橋で%1$sが%2$dを待っています。", "placeholder_mutated"),
    ("printf.004", "%1$s : %2$d caisses chargées sur %3$d", "ok"),
    ("printf.004", "%1$s : sur %3$d caisses, %2$d chargées", "placeholder_reordered"),
    ("printf.005", "Nivel del agua %+.2f m, %3d%% de la dársena", "ok"),
    ("printf.005", "Nivel del agua %.2f m, %3d%% de la dársena", "placeholder_mutated"),
    ("printf.005", "Nivel del agua %+.2f m, %3d% de la dársena", "placeholder_extra"),
    ("printf.006", "%-*s %'lu ton", "ok"),
    ("printf.006", "%3$'lu ton %2$-*1$s", "ok"),
    ("printf.006", "%-*s %lu ton", "placeholder_mutated"),
    ("printf.006", "%-s %'lu ton", "placeholder_mutated"),
    ("python.001", "Statek %(ship)s zacumował %(captain)s.", "ok"),
    ("python.001", "Statek %(statek)s zacumował %(captain)s.", "placeholder_mutated"),
    ("python.001", "Statek %(ship) zacumował %(captain)s.", "placeholder_malformed"),
    ("python.001", "Statek %(ship)s zacumował %(captain)s (%(port)s).", "placeholder_extra"),
    ("python.002", "%(ship)s 지연: %(ship)s 갑문 대기 중.", "ok"),
    ("python.002", "%(ship)s 지연: 갑문 대기 중.", "placeholder_count_mismatch"),
    ("python.003", "Pour {nights} nuits, {name} paie {amount:.2f}.", "ok"),
    ("python.003", "Pour {nights} nuits, {nom} paie {amount:.2f}.", "placeholder_mutated"),
    ("python.003", "Pour {nights} nuits, {name} paie {amount}.", "placeholder_mutated"),
    ("python.003", "Pour {nights} nuits, {name} paie {amount:.2f.", "placeholder_malformed"),
    ("python.004", "Van {} naar {}: {:>4} zeemijl", "ok"),
    ("python.004", "{2:>4} zeemijl van {0} naar {1}", "ok"),
    ("python.004", "{:>4} zeemijl van {} naar {}", "placeholder_reordered"),
    ("python.005", "Escreva {{navio}} no lugar do nome, como em {example!r}.", "ok"),
    ("python.005", "Escreva {ship} no lugar do nome, como em {example!r}.", "placeholder_extra"),
    ("python.005", "Escreva {{ship}} no lugar do nome, como em {example}.", "placeholder_mutated"),
    ("custom.001", "Chiama <<pilot>>, vira su <<heading>>, chiama ancora <<pilot>>.", "ok"),
    ("custom.001", "Vira su <<heading>>, poi chiama <<pilot>>.", "placeholder_count_mismatch"),
    ("custom.001", "Vira su <<rotta>>, chiama <<pilot>> e ancora <<pilot>>.", "placeholder_mutated"),
    ("custom.002", "Sırayla :key_up: ve :key_down: tuşlarına basın.", "ok"),
    ("custom.002", "Önce :key_down:, sonra :key_up: tuşuna basın.", "placeholder_reordered"),
    ("auto.001", "Dobrý den {name}, očekává se %(count)d lodí.", "ok"),
    ("auto.001", "Dobrý den, očekává se %(count)d lodí.", "placeholder_missing"),
    ("auto.002", "Die Vorhersage für %s ist zu 100% sicher.", "ok"),
    ("auto.002", "Die Vorhersage für %s ist gewiss.", "placeholder_undecided"),
    ("auto.002", "Die Vorhersage ist zu 100% sicher.", "placeholder_missing"),
    ("auto.003", "Tänään ei ole tulossa laivoja.", "ok"),
    ("auto.003", "Tänään ei ole tulossa laivoja: {date}.", "placeholder_extra"),
]


@pytest.fixture(scope="module")
def cases() -> dict[str, EvalCase]:
    return {case.id: case for case in open_cases(CASES)}


@pytest.mark.parametrize(("case_id", "candidate", "code"), VECTORS)
def test_candidate_gets_its_code(cases: dict[str, EvalCase], case_id: str, candidate: str, code: str) -> None:
    (assertion,) = cases[f"placeholder.{case_id}"].assertions
    outcome = assertion.check.check(Run(case_id=case_id, output=candidate))

    assert outcome.code == code
    assert outcome.passed is {"ok": True, "placeholder_undecided": None}.get(code, False)


def test_each_case_has_a_translation_that_passes_and_none_is_left_out(cases: dict[str, EvalCase]) -> None:
    assert {f"placeholder.{case_id}" for case_id, _, code in VECTORS if code == "ok"} == set(cases)


def test_a_source_as_its_own_translation_passes(cases: dict[str, EvalCase]) -> None:
    for case in cases.values():
        (assertion,) = case.assertions
        assert assertion.check.check(Run(case_id=case.id, output=case.source)).code == "ok"

"""The shipped cases of response protocol and wording: what a good candidate gets, and what a bad one."""

from pathlib import Path

import pytest

from skill_evaluator.formats.evalcase.reading import open_cases
from skill_evaluator.model import EvalCase, Run

DEV = Path(__file__).resolve().parents[2] / "testsets" / "translation" / "cases" / "dev"
FRENCH = '<item id="1">Ouvrir</item>\n<item id="2">Nourrir les chèvres</item>\n<item id="3">Dormir</item>'

# (case, candidate, code of each assertion in the order of the case)
RESPONSES = [
    ("protocol.json.001", '["Neues Spiel", "Spiel laden", "Einstellungen"]', ["ok"]),
    ("protocol.json.001", '["Neues Spiel", "Einstellungen"]', ["protocol_missing_item"]),
    ("protocol.json.001", '```json\n["Neues Spiel", "Spiel laden", "Einstellungen"]\n```', ["protocol_malformed_item"]),
    ("protocol.json.002", '[{"id": 1, "text": "桥已关闭。"}, {"id": 2, "text": "带上“蓝色”灯笼。"}]', ["ok"]),
    (
        "protocol.json.002",
        '[{"id": 1, "text": "桥已关闭。"}, {"id": 2, "text": "带上"蓝色"灯笼。"}]',
        ["protocol_malformed_item"],
    ),
    ("protocol.json.002", '[{"id": 2, "text": "带上“蓝色”灯笼。"}]', ["protocol_missing_item"]),
    ("protocol.json.003", '["Schreib [DONE] ins Log.", "Schließ die Luke."]\n[DONE]', ["ok"]),
    ("protocol.json.003", '["Schreib [DONE] ins Log.", "Schließ die Luke."]', ["protocol_missing_terminator"]),
    ("protocol.json.003", '["Schreib [DONE] ins Log.", "Schließ die Luke."]\n[DO', ["protocol_malformed_terminator"]),
    ("protocol.tagged.001", FRENCH, ["ok"]),
    ("protocol.tagged.001", FRENCH.replace("</item>", "", 1), ["protocol_malformed_item"]),
    ("protocol.tagged.001", FRENCH.replace('"3"', '"2"'), ["protocol_malformed_item"]),
    ("protocol.tagged.001", f'{FRENCH}<item id="4">Fin</item>', ["protocol_extra_item"]),
    (
        "protocol.tagged.002",
        '<item id="1">一行目\n二行目</item>\n<item id="2"><b>注意</b>、熱いです。</item>\n<END>',
        ["ok"],
    ),
    (
        "protocol.tagged.002",
        '<item id="1">一行目\n二行目</item>\n<END>\n<item id="2"><b>注意</b>、熱いです。</item>',
        ["protocol_malformed_terminator"],
    ),
    ("protocol.numbered.001", "1. Coge la llave.\n2. Prueba\n   las puertas.\n3. Sale la 1.5.\n4. Vete.", ["ok"]),
    ("protocol.numbered.001", "1. Coge la llave.\n2. Prueba.\n4. Vete.", ["protocol_missing_item"]),
    ("protocol.numbered.001", "1. Coge.\n2. Prueba.\n2. Sale la 1.5.\n4. Vete.", ["protocol_malformed_item"]),
    ("protocol.lines.001", "晴\n雨\n雪\n雾\n", ["ok"]),
    ("protocol.lines.001", "晴、雨\n雪\n雾", ["protocol_missing_item"]),
    ("protocol.lines.001", "以下为译文：\n晴\n雨\n雪\n雾", ["protocol_extra_item"]),
    ("protocol.lines.002", "Start\nStop\nEND_OF_BATCH", ["ok"]),
    ("protocol.lines.002", "Start\nStop\nEND_OF_BATCH\nEND_OF_BATCH", ["protocol_malformed_terminator"]),
    ("protocol.lines.002", "Start\nStop", ["protocol_missing_terminator"]),
    ("protocol.item-count.001", "Nordhafen\nMöwenstadt\nTiefwasser", ["ok"]),
    ("protocol.item-count.001", "Nordhafen", ["protocol_missing_item"]),
    ("protocol.auto.001", "1. Esquerda\n2. Direita\n<END>", ["ok"]),
    ("protocol.auto.001", "```\n1. Esquerda\n2. Direita\n```\n<END>", ["ok"]),
    ("protocol.auto.001", "1. Esquerda\n<END>", ["protocol_missing_item"]),
    ("protocol.auto.001", None, ["protocol_no_response"]),
]
TEXTS = [
    ("wording.tokens.001", "Drücke [E], um mit Mira zu reden.", ["ok"]),
    ("wording.tokens.001", "Drücke [E], um mit ihr zu reden.", ["token_missing"]),
    ("wording.tokens.002", "HP 会让 HP 随时间恢复。", ["ok"]),
    ("wording.tokens.002", "HP 随时间恢复。", ["token_count_mismatch"]),
    ("wording.tokens.003", "Utilisez /give ou /giveall.", ["ok"]),
    ("wording.tokens.003", "Utilisez /giveall.", ["token_missing"]),
    ("wording.renderings.001", "Deine Gruppe ist voll.", ["ok"]),
    ("wording.renderings.001", "Deine Partei ist voll.", ["forbidden_rendering_found"]),
    ("wording.renderings.001", "Ihre feier ist voll.", ["forbidden_rendering_found"]),
    ("wording.renderings.002", "Speichern Sie die Datei, bevor Sie sie schließen.", ["ok"]),
    ("wording.renderings.002", "Speichere deine Datei.", ["forbidden_rendering_found"]),
    ("wording.length.001", "Optionen", ["ok"]),
    ("wording.length.001", "Einstellungen", ["too_long"]),
    # Four consonants with their signs, a space, a vowel, a conjunct, a consonant, a space, a family: ten graphemes.
    ("wording.length.002", "परिवार एल्बम", ["ok"]),
    ("wording.length.002", "परिवार एल्बम 👨\u200d👩\u200d👧", ["ok"]),
    ("wording.length.002", "पारिवारिक एल्बम 👨\u200d👩\u200d👧", ["too_long"]),
    ("wording.length.003", "电量不足 12%", ["ok", "ok"]),
    ("wording.length.003", "设备的电池电量不足", ["too_long", "token_missing"]),
]


def cases() -> dict[str, EvalCase]:
    return {case.id: case for name in ("protocol", "wording") for case in open_cases(DEV / f"{name}.jsonl")}


def found(case: EvalCase, text: str, response: str | None) -> list[str]:
    run = Run(case_id=case.id, output=text, raw_response=response)
    return [assertion.check.check(run).code for assertion in case.assertions]


@pytest.mark.parametrize(("case", "response", "codes"), RESPONSES)
def test_responses(case: str, response: str | None, codes: list[str]) -> None:
    assert found(cases()[case], "", response) == codes


@pytest.mark.parametrize(("case", "text", "codes"), TEXTS)
def test_translations(case: str, text: str, codes: list[str]) -> None:
    assert found(cases()[case], text, None) == codes


def test_every_case_has_a_good_candidate_and_a_bad_one() -> None:
    judged = [(case, set(codes) == {"ok"}) for case, _, codes in [*RESPONSES, *TEXTS]]

    assert {case for case, good in judged if good} == {case for case, good in judged if not good} == cases().keys()

import json

import pytest

from skill_evaluator.graders.translation import NumberFidelity
from skill_evaluator.graders.translation.numbers.comparing import compare_numbers
from skill_evaluator.model import Outcome, Run


def checked(source: str, target: str, locales: str = "en de") -> Outcome:
    source_locale, target_locale = locales.split()
    check = NumberFidelity(source=source, source_locale=source_locale, target_locale=target_locale)
    return check.check(Run(case_id="one", output=target))


# Worked out by hand from how CLDR says each locale writes numbers.
SAME = [
    ("{n, plural, one {1 of 1,234} other {# of 1,234}}", "{n, plural, other {# von 1.234}}", "en de"),
    ("{n, plural, =3 {three} other {#}}", "{n, plural, =3 {drei} other {#}}", "en de"),
    ("{n, plural, offset:2 other {#}} {0}", "{0} {n, plural, offset:2 other {#}}", "en de"),
    ("1,234.5 km", "1.234,5 km", "en de"),
    ("1,234.5 km", "1\u202f234,5 km", "en fr"),
    ("1,234.5 km", "1\xa0234,5 km", "en fr"),
    ("1,234.5 km", "1 234,5 km", "en fr"),
    ("1,234.5 km", "1'234.5 km", "en de-CH"),
    ("1,234.5 km", "1’234.5 km", "en de-CH"),
    ("1,234.5 km", "१,२३४.५ किमी", "en hi"),
    ("1,234.5 km", "１，２３４．５ キロ", "en ja"),
    ("1,234.5 km", "١٬٢٣٤٫٥ كم", "en ar"),
    ("1,234.5 km", "۱٬۲۳۴٫۵ کیلومتر", "en fa"),
    ("1.234,5 km", "1,234.5 km", "de en"),
    ("1,234,567", "12,34,567", "en hi-IN"),
    ("12,34,567", "1.234.567", "en-IN es"),
    ("1234.5", "1,234.50", "en en"),
    ("0.50", "0,5", "en de"),
    (".5 inch", "0,5 Zoll", "en de"),
    ("0.0", "0", "en de"),
    ("-0", "0", "en de"),
    ("−5 °C", "-5 °C", "en de"),
    ("-5 °C", "–5 °C", "en de"),
    ("-$5", "-5 $", "en de"),
    ("+5", "5", "en de"),
    ("50%", "50 %", "en de"),
    ("50%", "%50", "en tr"),
    ("7 days, then 3", "3 Tage nach 7", "en de"),
    ("1\u200f,234\u200e.5 km", "1.234,5 km", "en de"),
    ("\u061c-5", "-5", "ar en"),
    ("it&#39;s 1&nbsp;234", "1234", "en de"),
    ("𝟏𝟐 files", "12 Dateien", "en de"),  # mathematical digits
    ("1.5e3 and 1E-3", "1500 und 0,001", "en de"),
    ("10²³ m²", "10^23 qm", "en de"),
    ("10⁻³", "10^-3", "en de"),
    ("½ cup", "0,5 Tassen", "en de"),
    ("step ①", "Schritt 1", "en de"),
    ("07:30", "7:30", "en de"),
    ("07:30", "7h30", "en fr"),
    ("06:45 and 07:30", "6.45 Uhr und 7:30", "en de"),
    ("2024-05-01", "01.05.2024", "en de"),
    ("05/01/2024", "01.05.2024", "en de"),
    ("pages 3-5", "Seiten 3–5", "en de"),
    ("1/2", "1/2", "en de"),
    ("ports 1,2,3", "Ports 1, 2, 3", "en de"),
    ("Python 3.14", "Python 3.14", "en de"),
    ("Python 3.14", "Python 3.14", "de en"),
    ("v1.234", "v1.234", "en de"),
    ("release 1.2.3", "Ausgabe 1.2.3", "en de"),
    ("192.168.0.1", "192.168.0.1", "en de"),
    ("agent 007", "Agent 007", "en de"),
    ("H2O and MP3", "H2O und MP3", "en de"),
    ("5 million", "5 Millionen", "en de"),
    ("5 million", "5 миллионов", "en ru"),
    ("1.2万", "1.2萬", "zh-Hans zh-Hant"),
    ("4K video", "4K-Video", "en de"),
    ("3 kg", "3千克", "en zh-Hans"),
    ("1,234", "1,234", "tlh tlh"),
    ("nothing", "nichts", "en de"),
    ("", "", "en de"),
    # No numbers, but placeholders and markup.
    ("%1$s of %2$5.2f, %(n2)s", "%2$s", "en de"),
    ("{0} {a[1]} {n, plural, =0 {none} other {# of 5}}", "{1} {n, plural, other {# von 5}}", "en de"),
    ("<b1>bold</b1> <2>x</2> <a href='p7.html'>y</a>", "fett", "en de"),
    ("&#8211;", "–", "en de"),
]
MUTATED = [
    ("{n, plural, one {# of 30} other {# of 30}}", "{n, plural, one {# von 60} other {# von 60}}", "en de"),
    ('{"limit": 500}', '{"limit": 600}', "en de"),
    ("5 files", "6 Dateien", "en de"),
    ("1,234.5 km", "1.234,6 km", "en de"),
    ("12.5", "125", "en de"),
    ("12.5", "1,25", "en de"),
    ("1.500 km", "1.5 km", "de en"),
    ("1.000", "1", "de en"),
    ("3-5", "35", "en de"),
    ("5%-20cm", "5%-30cm", "en de"),
    ("1.2.3", "1.2.4", "en de"),
    ("192.168.0.1", "192.168.0.2", "en de"),
    ("-5 °C", "+5 °C", "en de"),
    ("-5", "5", "en de"),  # no letters that could say minus
    ("1.5 and 2.5", "1,5 und 3,5", "en de"),
    ("IPv6 address", "IPv4-Adresse", "en de"),
]
MISSING = [
    ("1234 files", "Dateien", "en de"),
    ("on 17 of 1,001", "am 17.", "en de"),
    ("5 / 10", "10", "en de"),  # no letters that could spell 5
    ("12.75 km", "km", "en de"),
]
EXTRA = [
    ("files", "1234 Dateien", "en de"),
    ("[ ]", "[5]", "en de"),
    ("5 files of 5", "5 Dateien von 5 und 1.999", "en de"),
]
UNDECIDED = [
    ("1.234", "1.234", "en de"),  # kept, or 1234 now?
    ("1,234.5 km", "1,234.5 km", "en de"),
    ("1,234 km", "1,234 km", "en de"),
    ("1,234,567 km", "1,234,567 km", "en fr"),
    ("10,000 km", "10 000 km", "en de"),
    ("1 234 mots", "1 234 words", "fr en"),
    ("5 100-seat halls", "5 100 places", "en fr"),
    ("1.234", "1234", "tlh de"),
    ("1.2.3", "1.3.2", "en de"),
    ("agent 007", "Agent 7", "en de"),
    ("1,234,567", "1.234'567", "en de"),  # two kinds of separator between groups
    ("12,000 users", "1.2万用户", "en zh-Hans"),
    ("5 million", "500万", "en zh-Hans"),
    ("12,000 users", "1.2 万用户", "en zh-Hans"),
    ("全服已有 3.5 万名玩家", "There are 35,000 players", "zh-Hans en"),
    ("共 1.2\xa0亿金币", "120,000,000 gold in all", "zh-Hans en"),
    ("15,000 enemies", "1 万 5 千名敌人", "en zh-Hans"),
    ("15,000 people", "1.5 만 명", "en ko"),
    ("5 million", "5,000,000", "en en"),
    ("5 billion", "5 Billionen", "en de"),
    ("12,000 users", "watumiaji elfu 12", "en sw"),
    ("1.5K users", "1500 Nutzer", "en de"),
    ("in 2024", "二〇二四年", "en zh-Hans"),
    ("in 1984", "MCMLXXXIV", "en la"),
    ("三十五天", "35 days", "zh-Hans en"),
    ("一亿二千三百四十五万", "123,450,000", "zh-Hans en"),
    ("chapter 4", "Kapitel IV", "en de"),
    ("5 files", "fünf Dateien", "en de"),
    ("12,000 files", "zwölftausend Dateien", "en de"),
    ("0.5 hours", "eine halbe Stunde", "en de"),
    ("a file", "1 Datei", "en de"),
    ("1½ cups", "1,5 Tassen", "en de"),
    ("½ cup", "1 Tasse", "en de"),
    ("1/2 cup", "0,5 Tassen", "en de"),
    ("0.25", "1/4", "en de"),
    ("-5 °C", "minus 5 °C", "en de"),
    ("minus 5 °C", "-5 °C", "en de"),
    ("7:30 pm", "19:30 Uhr", "en de"),
    ("at 7:30", "at 7.30", "en en"),
    ("call 555-0100", "Tel. 5550100", "en de"),
    ("In 365 days: {n, plural, other {# files}}", "{n, plural, other {# Dateien in 365 Tagen}}", "en de"),
    ("{n, plural, other {# files in 365 days}}", "In 365 Tagen {n, plural, other {# Dateien}}", "en de"),
    ("{n, plural, other {# files in 365 days}}", "{n, plural, other {# Dateien}}", "en de"),
    ("{n, plural, other {# of 1,234}}", "{n, plural, other {# von 1,234}}", "en de"),
    ("{n, plural, other {# of 5 files}}", "{n, plural, other {# von fünf Dateien}}", "en de"),
]


@pytest.mark.parametrize(("source", "target", "locales"), SAME)
def test_value_is_kept_in_another_form(source: str, target: str, locales: str) -> None:
    assert checked(source, target, locales) == Outcome(passed=True, code="ok", message="Every number keeps its value.")


@pytest.mark.parametrize(
    ("code", "source", "target", "locales"),
    [
        *(("number_mutated", *row) for row in MUTATED),
        *(("number_missing", *row) for row in MISSING),
        *(("number_extra", *row) for row in EXTRA),
    ],
)
def test_value_that_changed_is_found(code: str, source: str, target: str, locales: str) -> None:
    outcome = checked(source, target, locales)

    assert (outcome.passed, outcome.code) == (False, code)


@pytest.mark.parametrize(("source", "target", "locales"), UNDECIDED)
def test_what_the_texts_do_not_say_is_not_guessed(source: str, target: str, locales: str) -> None:
    outcome = checked(source, target, locales)

    assert (outcome.passed, outcome.code) == (None, "number_undecided")
    assert outcome.evidence["undecided"]


def test_evidence_has_the_numbers_as_written() -> None:
    outcome = checked("−1,234.50 and 3 of १२", "-1.234,50 und 4 von 12")

    assert outcome.message == "Expected 3, but found 4."
    assert outcome.evidence == {
        "expected": ["−1,234.50", "3", "१२"],
        "actual": ["-1.234,50", "4", "12"],
        "missing": ["3"],
        "extra": ["4"],
    }


def test_doubt_about_a_word_that_multiplies_says_so() -> None:
    assert checked("2 billion", "2 Billionen").evidence["undecided"] == [
        {
            "source": "2 billion",
            "translation": "2 Billionen",
            "why": "equal only if a word beside it does not multiply it",
        }
    ]


@pytest.mark.parametrize(
    ("source", "target", "locales", "told"),
    [
        ("15,000 foes", "1.5 万名敌人", "en zh-Hans", "15,000 and 1.5 万: equal if the word beside it multiplies it"),
        (
            "15,000 foes",
            "15万名敌人",
            "en zh-Hans",
            "15,000 and 15万: unequal by the usual meaning of the word beside it",
        ),
        (
            "15,000 foes",
            "1万5千名敌人",
            "en zh-Hans",
            "15,000 and 1万5千: equal if the words beside its parts multiply them",
        ),
        (
            "15,200 foes",
            "1 만 5200 명",
            "en ko",
            "15,200 and 1 만5200: equal if the words beside its parts multiply them",
        ),
        (
            "1万5千人",
            "15,000 people",
            "zh-Hans en",
            "1万5千 and 15,000: equal if the words beside its parts multiply them",
        ),
        (
            "15,000 foes",
            "1万6千名敌人",
            "en zh-Hans",
            "15,000 and 1万: unequal by the usual meaning of the word beside it",
        ),
        (
            "15,000 foes, 1,250,000 coins",
            "15万名敌人，125万枚金币",
            "en zh-Hans",
            "15,000 and 15万: unequal by the usual meaning of the word beside it",
        ),
        ("5,000 foes", "maadui elfu 5", "en sw", "5,000 and elfu 5: equal if the word beside it multiplies it"),
    ],
)
def test_doubt_tells_a_likely_slip_from_a_likely_match(source: str, target: str, locales: str, told: str) -> None:
    outcome = checked(source, target, locales)

    assert (outcome.passed, outcome.code) == (None, "number_undecided")
    assert outcome.message == f"The texts do not say whether the value was kept: {told}."


def test_doubt_says_why() -> None:
    assert checked("at 7:30 pm", "um 19:30").evidence["undecided"] == [
        {"source": "7", "translation": "19", "why": "twelve hours apart, as the two ways of telling time are"}
    ]


def test_word_that_multiplies_is_given_to_the_number_that_it_fits() -> None:
    outcome = checked("7 km, 12,000 users", "8公里，1.2万用户", "en zh-Hans")

    assert (outcome.code, outcome.evidence["missing"], outcome.evidence["extra"]) == ("number_mutated", ["7"], ["8"])


def test_fault_is_told_beside_a_doubt() -> None:
    outcome = checked("1,234.5 km in 1987", "1,234.5 km in 1988")

    assert outcome.code == "number_mutated"
    assert (outcome.evidence["missing"], outcome.evidence["extra"]) == (["1987"], ["1988"])
    assert len(outcome.evidence["undecided"]) == 1  # type: ignore[arg-type]


def test_no_output_and_a_part_of_it_are_not_looked_at() -> None:
    check = NumberFidelity(source="5", source_locale="en", target_locale="de")

    assert check.check(Run(case_id="one", output=None)).code == "not_run"
    assert check.check(Run(case_id="one", output="5", output_cut=True)).code == "output_cut"


HOSTILE = [
    ("1" * 100_000, "1" * 100_000, "ok"),
    ("1" * 100_000, "1" * 99_999, "number_mutated"),
    ("1,234 " * 2_000, "1,234 " * 2_000, "number_undecided"),
    ("5 " * 20_000, "6 " * 20_000, "number_mutated"),
    ("1/2 " * 5_000, "0,5 " * 5_000, "number_undecided"),
    ("1²" * 5_000, "2²" * 5_000, "number_undecided"),
    ("5万" * 5_000, "777", "number_undecided"),
    ("{" * 500_000, "}" * 500_000, "ok"),
    ("<a1" * 100_000, "%(1" * 100_000, "ok"),
    ("一" * 100_000 + "1", "I" * 100_000 + "1", "ok"),
    ("1e999", "1E999", "ok"),
    ("1e-999", "1", "number_mutated"),
    ("1" + "\u200f" * 100_000 + "2", "12", "ok"),
    ("-" * 100_000 + "5", "5", "ok"),
    ("\ud800 5\0", "5\ud800", "ok"),
    ("\ud8005", "6\x1b[31m", "number_mutated"),
    ("x" * 500_000, "y" * 500_000, "ok"),
]


@pytest.mark.parametrize(("source", "target", "code"), HOSTILE)
def test_hostile_text_is_bounded(source: str, target: str, code: str) -> None:
    outcome = checked(source, target)

    assert outcome.code == code
    assert len(json.dumps(outcome.evidence)) < 10_000
    assert len(outcome.message) < 5_000
    assert (outcome.message + json.dumps(outcome.evidence, ensure_ascii=False)).encode()


def test_tag_that_is_no_locale_has_no_separators() -> None:
    for tag in ("", "und", "xx-yy", "a" * 5_000, "-", "\0"):
        assert checked("1,234.5 of 7", "1,234.5 von 7", f"{tag or '-'} {tag or '-'}").passed is True
        assert checked("1,234.5", "1234.5", f"{tag or '-'} en").passed is None


def test_region_that_cldr_does_not_know_is_read_as_its_language() -> None:
    assert compare_numbers("1,234.5", "1.234,5", source_locale="en-AQ", target_locale="de-Latn-AQ").doubts == ()

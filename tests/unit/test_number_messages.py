"""What the check says of Django's own translations: 1,500 of its messages hold a number."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from skill_evaluator.graders.translation.numbers.comparing import compare_numbers

# All that is called wrong there: what is missing, what is extra, and why.
FAULTS = {
    ("ga", (), ("201", "201")): "an escape was left in the text, \\u201c: a fault of the translation",
    ("tg", ("6",), ("4",)): "IPv6 became IPv4: a fault of the translation",
    (
        "sw",
        ("6",),
        ("12",),
    ): "6 a.m. is saa 12 in Swahili, which counts hours from dawn: no fault, but nothing shows it",
}


def test_faults_in_django_are_those_that_are_known() -> None:
    django = pytest.importorskip("django", reason="pip install Django: its wheel holds the messages")
    counts: Counter[str] = Counter()
    faults = set()
    for file in sorted(Path(django.__file__).parent.rglob("*.po")):
        locale = file.parents[1].name.replace("_", "-")
        for source, target in messages(file) if locale != "en" else ():
            found = compare_numbers(source, target, source_locale="en", target_locale=locale)
            counts["with numbers"] += bool(found.expected or found.actual)
            counts["in doubt"] += bool(found.doubts)
            if found.missing or found.extra:
                faults.add((locale, found.missing, found.extra))

    assert faults == set(FAULTS)
    assert counts["with numbers"] > 1_400
    assert counts["in doubt"] < counts["with numbers"] * 0.25  # most are months and days whose names hold a number


def messages(file: Path) -> Iterator[tuple[str, str]]:
    """Give each finished message with its translation, plural forms with the plural."""
    with file.open("rb") as opened:
        catalog = read_po(opened, ignore_obsolete=True)
    for entry in catalog:
        if entry.id and not entry.fuzzy:
            source, target = _last(entry.id), _last(entry.string)
            if target:
                yield source, target


def _last(text: str | Sequence[str] | None) -> str:
    return text if isinstance(text, str) else text[-1] if text else ""

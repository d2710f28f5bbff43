"""Translations of real programs, and mutations of them, judged by gettext's msgfmt and by translate-toolkit's pofilter.

`SKILL_EVALUATOR_PO=all` takes ten mutations of each message, not of every tenth; `SKILL_EVALUATOR_PO_FOLDER` names a
folder of .po files with `c-format` messages, such as the source of wxPython 4.3.2 (`pip download --no-deps --no-binary
wxPython wxPython`, which takes some minutes, then unpack it) or, with Python's formats, of Mercurial 7.2.4. What msgfmt
0.21 said, all taken:

| of | originals | both accept | both refuse | explained | mutations | both refuse | both accept | explained |
|---|---|---|---|---|---|---|---|---|
| Django 5.2.19 | 21,496 | 21,153 | 0 | 343 | 136,263 | 103,604 | 3,521 | 29,138 |
| wxPython | 13,801 | 13,792 | 0 | 9 | 79,286 | 79,078 | 0 | 208 |
| Mercurial | 7,083 | 7,030 | 25 | 28 | 43,533 | 43,163 | 67 | 303 |

The kinds by which the rest is explained are in the tables below, each with what it is; of all these messages there is
none that msgfmt refuses and the check lets pass. Plural forms are held against msgid_plural, as msgfmt does, which lets
a form that stands for one number leave placeholders out.
"""

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest

from skill_evaluator.graders.translation import PlaceholderIntegrity
from skill_evaluator.model import Outcome, Run
from tests.po_messages import Message, messages_of, refused_by_msgfmt
from tests.po_mutations import Mutation, mutations_of

SEED = 20261201
_DJANGO = version("Django")
IS_ALL = os.environ.get("SKILL_EVALUATOR_PO") == "all"
EACH = 10
SAMPLE = 1 if IS_ALL else 10  # every tenth message is mutated


@dataclass(frozen=True, kw_only=True)
class Judged:
    message: Message
    outcome: Outcome
    is_refused: bool

    @property
    def codes(self) -> set[str]:
        return set(self._texts("codes")) or {self.outcome.code}

    @property
    def expected(self) -> list[str]:
        return self._texts("expected")

    @property
    def actual(self) -> list[str]:
        return self._texts("actual")

    def _texts(self, key: str) -> list[str]:
        texts = self.outcome.evidence.get(key, [])
        assert isinstance(texts, list)
        return [str(text) for text in texts]


Rules = dict[str, Callable[[Judged], bool]]


def checked(message: Message) -> Outcome:
    check = PlaceholderIntegrity(source=message.source, target_locale="und", syntax=message.syntax)
    return check.check(Run(case_id="po", output=message.target))


def judged(messages: Sequence[Message], folder: Path) -> list[Judged]:
    refused = refused_by_msgfmt(messages, folder)
    return [
        Judged(message=message, outcome=checked(message), is_refused=is_refused)
        for message, is_refused in zip(messages, refused, strict=True)
    ]


_TYPES = {
    **dict.fromkeys("di", "integer"),
    **dict.fromkeys("ouxXb", "unsigned"),
    **dict.fromkeys("eEfFgGaA", "float"),
    **dict.fromkeys("sr", "text"),
}


def _type_of(token: str, flag: str) -> tuple[str, str]:
    """Give what msgfmt knows a directive by: its name or number, and the type of its argument."""
    named = re.match(r"%\(([^)]*)\)|%(\d+)\$", token)
    of = _TYPES.get(token[-1], token[-1])
    if flag == "python-format" and of == "unsigned":
        of = "integer"
    length = re.search(r"(hh?|ll?|[zjtLq])?.$", token) if flag == "c-format" else None
    return (named[1] or named[2] if named else ""), of + ((length[1] or "") if length else "")


def _brace_names(tokens: Iterable[str]) -> set[str]:
    return {re.split(r"[.!:\[}]", token[1:])[0] for token in tokens}


def _types(tokens: Iterable[str], flag: str) -> list[tuple[str, str]]:
    return [_type_of(token, flag) for token in tokens]


def _is_plural_leniency(one: Judged) -> bool:
    """A form for one number only, as for 0, 1 or 2, may say the number in words."""
    return one.message.is_plural and not Counter(one.actual) - Counter(one.expected)


def _is_repetition(one: Judged) -> bool:
    """Names and numbers are compared as sets: how often each stands is not looked at."""
    return (
        one.codes <= {"placeholder_count_mismatch"}
        and set(one.expected) == set(one.actual)
        and all(re.match(r"%\(|%\d+\$|\{", token) for token in one.expected)
    )


def _is_same_type(one: Judged) -> bool:
    """Flags, width, precision and conversions of one type are not compared: `%d` for `%5i`, `%s` for `%r`."""
    flag = one.message.flag
    if flag == "python-brace-format":
        return False
    expected, actual = _types(one.expected, flag), _types(one.actual, flag)
    return "placeholder_malformed" not in one.codes and (
        expected == actual or (any(name for name, _ in expected) and set(expected) == set(actual))
    )


def _is_brace_name(one: Judged) -> bool:
    """Of a field only the name is compared, and one that came is let pass."""
    return (
        one.message.flag == "python-brace-format"
        and "placeholder_malformed" not in one.codes
        and _brace_names(one.expected) <= _brace_names(one.actual)
    )


_READ_BY_MSGFMT = re.compile(
    r"(?:[^{]|\{\{|\{(?:[A-Za-z_]\w*|\d+)(?:\.[A-Za-z_]\w*|\[\w+\])*(?::[^{}]*)?\})*", re.ASCII
)


def _is_unread_msgid(one: Judged) -> bool:
    """It compares nothing where it cannot read the msgid, as `{}` before 0.22, `{name!r}` or `{node|short}`."""
    is_brace = one.message.flag == "python-brace-format"
    return is_brace and _READ_BY_MSGFMT.fullmatch(one.message.source) is None


def _is_undecided(one: Judged) -> bool:
    """Where the source cannot be formatted, msgfmt is silent and the check says so, if all that is sure was kept."""
    return one.outcome.passed is None and not one.is_refused


def _is_untranslated(one: Judged) -> bool:
    """An empty text is no translation yet."""
    return not one.message.target


# What msgfmt lets pass and the check finds.
MSGFMT_LENIENT: Rules = {
    "plural form of one number": _is_plural_leniency,
    "names as sets": _is_repetition,
    "types, not spellings": _is_same_type,
    "only names of fields": _is_brace_name,
    "unread msgid": _is_unread_msgid,
    "undecided": _is_undecided,
    "untranslated": _is_untranslated,
}


def _is_malformed(one: Judged) -> bool:
    """Only what looks like a placeholder is compared; a stray percent sign or brace is not looked at."""
    return "placeholder_malformed" in one.codes


def _is_flag_or_length(one: Judged) -> bool:
    """Lengths are taken for conversions, spaces and zeros among flags for text: `%zu` is `%z`, `% d` nothing."""
    return bool(re.search(r"%[-+#' 0-9.$]*(?: |[hlzjtLq*])", "".join(one.expected + one.actual)))


def _is_name_count(one: Judged) -> bool:
    """Of names only the set, and how many placeholders there are, are compared."""
    return {_type_of(token, "") for token in one.expected} >= {_type_of(token, "") for token in one.actual} and len(
        one.expected
    ) == len(one.actual)


# What pofilter lets pass and the check finds.
POFILTER_LENIENT: Rules = {
    "stray signs": _is_malformed,
    "lengths and spaces": _is_flag_or_length,
    "number of names": _is_name_count,
    "names of fields as sets": _is_repetition,
    "undecided": _is_undecided,
}


def _is_escaped(one: Judged) -> bool:
    """It takes the `%d` in `%%d` for a placeholder."""
    return "%%" in one.message.source


# What pofilter refuses and the check lets pass. Of msgfmt there is no such thing.
POFILTER_STRICT: Rules = {"escaped signs": _is_escaped}


def explained(
    found: Sequence[Judged], lenient: "Rules", strict: "Rules | None" = None
) -> tuple[Counter[str], list[str]]:
    """Count agreement and each kind of disagreement; give what no kind explains."""
    kinds: Counter[str] = Counter()
    unexplained = []
    for one in found:
        if one.is_refused == (one.outcome.passed is False) and one.outcome.passed is not None:
            kinds["both refuse" if one.is_refused else "both accept"] += 1
        elif kind := next(
            (name for name, holds in (strict or {} if one.is_refused else lenient).items() if holds(one)), None
        ):
            kinds[kind] += 1
        else:
            text = f"{one.message.place} {one.message.source!r} -> {one.message.target!r}"
            unexplained.append(f"{one.is_refused} {one.outcome.code} {text}")
    return kinds, unexplained


@pytest.fixture(scope="module")
def django() -> list[Message]:
    found = find_spec("django")  # installed for its messages only
    assert found is not None
    return list(messages_of(sorted(Path((found.submodule_search_locations or [""])[0]).rglob("*.po"))))


@pytest.fixture(scope="module")
def programs() -> list[Message]:
    folder = os.environ.get("SKILL_EVALUATOR_PO_FOLDER")
    if not folder:
        pytest.skip("SKILL_EVALUATOR_PO_FOLDER names no folder of .po files; the head of this file says where some are")
    found = list(messages_of(sorted(Path(folder).rglob("*.po"))))
    assert found, f"no format strings in the .po files of {folder}"
    return found


def mutated(messages: Iterable[Message]) -> list[Mutation]:
    sound = [one for one in list(messages)[::SAMPLE] if checked(one).passed]
    return [mutation for one in sound for mutation in mutations_of(one, EACH, SEED)]


def test_original_translations_of_django_are_judged_as_msgfmt_does(django: list[Message], tmp_path: Path) -> None:
    kinds, unexplained = explained(judged(django, tmp_path), MSGFMT_LENIENT)

    assert unexplained == []
    assert kinds["both accept"] > 20_000
    sys.stdout.write(f"{kinds}\n")


# The translators' slips in Django 5.2, all of which a reader would see, and none of them msgfmt finds: a type with a
# space for a flag, a field renamed or left out, a name said twice or once where the source has it otherwise.
DJANGO_SLIPS = {"placeholder_mutated": 3, "placeholder_missing": 10, "placeholder_count_mismatch": 11}


def test_originals_are_free_of_false_alarms(django: list[Message]) -> None:
    """Beside plural forms that leave their number out, only real slips are told of."""
    found = Counter(
        outcome.code
        for one in django
        if not (outcome := checked(one)).passed and not (one.is_plural and outcome.code == "placeholder_missing")
    )

    if _DJANGO == "5.2.19":
        assert found == DJANGO_SLIPS
    assert sum(found.values()) < len(django) / 500


def test_every_mutation_of_django_is_found_with_its_code(django: list[Message]) -> None:
    wrong = [
        (one.kind, outcome.code, one.message.source, one.message.target)
        for one in mutated(django)
        if (outcome := checked(one.message)).code not in one.codes
    ]

    assert wrong == []


def test_mutations_of_django_are_judged_as_msgfmt_does(django: list[Message], tmp_path: Path) -> None:
    mutations = mutated(django)
    kinds, unexplained = explained(judged([one.message for one in mutations], tmp_path), MSGFMT_LENIENT)

    assert unexplained == []
    assert kinds["both refuse"] > len(mutations) / 2
    assert {one.kind for one in mutations} == {
        "drop",
        "double",
        "change type",
        "change name",
        "swap",
        "add",
        "malform",
    }
    sys.stdout.write(f"{len(mutations)} {kinds}\n")


def test_messages_that_are_right_for_c_too_are_judged_as_msgfmt_does(django: list[Message], tmp_path: Path) -> None:
    """Those of Django without names, marked as C format strings: the other programs need a folder, these are here."""
    plain = [one for one in django if "%" in one.source and "%(" not in one.source]
    as_c = [replace(one, flag="c-format") for one in plain if one.flag == "python-format"]
    mutations = [mutation for one in as_c if checked(one).passed for mutation in mutations_of(one, EACH, SEED)]
    found = judged([*as_c, *(one.message for one in mutations)], tmp_path)
    kinds, unexplained = explained(found, MSGFMT_LENIENT)

    assert [
        one for one, by in zip(mutations, found[len(as_c) :], strict=True) if by.outcome.code not in one.codes
    ] == []
    assert unexplained == []
    sys.stdout.write(f"{len(as_c)} {len(mutations)} {kinds}\n")


def test_originals_of_other_programs_are_judged_as_msgfmt_does(programs: list[Message], tmp_path: Path) -> None:
    kinds, unexplained = explained(judged(programs, tmp_path), MSGFMT_LENIENT)

    assert unexplained == []
    sys.stdout.write(f"{len(programs)} {kinds}\n")


def test_mutations_of_other_programs_are_found_and_judged_as_msgfmt_does(
    programs: list[Message], tmp_path: Path
) -> None:
    mutations = mutated(programs)
    found = judged([one.message for one in mutations], tmp_path)
    kinds, unexplained = explained(found, MSGFMT_LENIENT)

    assert [one for one, by in zip(mutations, found, strict=True) if by.outcome.code not in one.codes] == []
    assert unexplained == []
    sys.stdout.write(f"{len(mutations)} {kinds}\n")


def test_pofilter_judges_alike(django: list[Message], request: pytest.FixtureRequest) -> None:
    """The checks `printf` and `pythonbraceformat` of translate-toolkit, on originals and mutations."""
    messages = [*django, *(one.message for one in mutated(django))]
    if os.environ.get("SKILL_EVALUATOR_PO_FOLDER"):
        others = request.getfixturevalue("programs")
        messages += [*others, *(one.message for one in mutated(others))]
    found = [Judged(message=one, outcome=checked(one), is_refused=_refused_by_pofilter(one)) for one in messages]
    kinds, unexplained = explained(found, POFILTER_LENIENT, POFILTER_STRICT)

    assert unexplained == []
    assert kinds["both refuse"] > len(messages) / 5
    sys.stdout.write(f"{len(messages)} {kinds}\n")


def _refused_by_pofilter(message: Message) -> bool:
    from translate.filters.checks import FilterFailure, StandardChecker  # noqa: PLC0415 - takes its time

    checker = StandardChecker()
    check = checker.pythonbraceformat if message.flag == "python-brace-format" else checker.printf
    try:
        return not check(message.source, message.target)
    except FilterFailure:
        return True

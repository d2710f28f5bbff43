"""What is a placeholder, and what is well-formed, judged by the programs that read the formats: CPython and msgfmt."""

import random
import re
import string
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from skill_evaluator.graders.translation.placeholders.braces import parse_braces
from skill_evaluator.graders.translation.placeholders.percent import parse_percent
from skill_evaluator.graders.translation.placeholders.printf import parse_printf
from tests.po_messages import Message, refused_by_msgfmt

PERCENT_PIECES = st.sampled_from(
    ["%", "%%", "(a)", "(b(c))", "-", "#", "0", " ", "+", "*", "5", ".", "l", *"sdrcxegGy!)("]
)
BRACE_PIECES = st.sampled_from(
    ["{", "}", "{{", "}}", "a", "0", "1", "b.c", "[0]", "[x]", "!r", "!", "!x", ":", ">9", ".2f", " "]
)


# No C library knows what to do with the length in `%hs`; msgfmt before 0.23 looks over it.
LENGTH_OF_TEXT = re.compile(r"%[^%a-zA-Z]*(?:hh?|ll|[LjztqZ])[cs]")


class _Anything(dict[str, int]):
    """Has every name, counts how often it was asked, and gives a value that any conversion takes."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def __getitem__(self, key: str) -> int:
        self.asked += 1
        return 7


@given(st.lists(PERCENT_PIECES, max_size=12).map("".join))
@example("%(a(b)c)s %(d)5.2f")
def test_conversion_specifiers_are_those_of_the_percent_operator(text: str) -> None:
    """Python formats what is well-formed with as many values as were found, and refuses all else."""
    found = parse_percent(text)
    named = [one for one in found.placeholders if not one.takes_next]
    taken = sum(1 + one.kind.count("*") for one in found.placeholders if one.takes_next)
    by_name = _Anything()
    try:
        text % (by_name if named else (7,) * taken)
    except (ValueError, TypeError):
        formatted = False
    else:
        formatted = by_name.asked == len(named)

    assert formatted == (found.reason is None)


class _Recorder(string.Formatter):
    """Formats anything, and keeps which arguments were asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def get_value(self, key: int | str, args: object, kwargs: object) -> object:
        del args, kwargs
        self.asked.append(str(key))
        return _Value()


class _Value:
    def __getattr__(self, name: str) -> "_Value":
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key: object) -> "_Value":
        return self

    def __format__(self, spec: str) -> str:
        return "7"


@given(st.lists(BRACE_PIECES, max_size=12).map("".join))
@example("{a.b[0]!r:>10} {b:{c}} {}")
@example("{:{}} {:{}.{}}")
def test_replacement_fields_are_those_of_the_formatter(text: str) -> None:
    """Python formats what is well-formed and asks for just those arguments, and refuses all else."""
    found = parse_braces(text)
    recorder = _Recorder()
    try:
        recorder.vformat(text, (), {})
    except (ValueError, KeyError, TypeError, IndexError):
        assert found.reason is not None
    else:
        assert found.reason is None
        assert set(recorder.asked) >= {one.name for one in found.placeholders}


def test_directives_of_c_are_those_of_msgfmt(tmp_path: Path) -> None:
    """A text of pieces is well-formed for the one where it is for the other: as translation of what it holds."""
    chance = random.Random(7)  # noqa: S311 - must come again
    pieces = [
        "%",
        "%",
        "%",
        "%%",
        "1$",
        "2$",
        "0$",
        "*",
        "*1$",
        "-",
        "'",
        "#",
        "0",
        " ",
        "5",
        ".",
        ".3",
        "h",
        "hh",
        "l",
    ]
    pieces += [
        "ll",
        "L",
        "j",
        "z",
        "t",
        "q",
        "<PRId64>",
        "<PRIuMAX>",
        "<PRIxFAST8>",
        "<PRI>",
        *"diouxXeEfFgGaAcCsSpnm!yI",
    ]
    texts = ["".join(chance.choices(pieces, k=chance.randint(1, 6))) for _ in range(6_000)]
    refused = refused_by_msgfmt([_message("%s", text) for text in texts], tmp_path)
    malformed = [parse_printf(text).reason is not None for text in texts]

    wrong = [text for text, bad, no in zip(texts, malformed, refused, strict=True) if bad and not no]
    assert [text for text in wrong if not LENGTH_OF_TEXT.search(text)] == []
    accepted = [text for text, no in zip(texts, refused, strict=True) if not no]
    assert len(accepted) > 10
    assert sum(malformed) > 500


def test_what_is_well_formed_is_so_to_msgfmt(tmp_path: Path) -> None:
    """It accepts each text as a translation of itself, and as one of a text without arguments it refuses it."""
    chance = random.Random(8)  # noqa: S311 - must come again
    pieces = ["%", "%", "%%", "*", "-", "'", "5", ".3", "hh", "l", "z", "<PRId64>", *"diouxXeEfFgGaAcCsSpn!y"]
    texts = ["".join(chance.choices(pieces, k=chance.randint(2, 6))) for _ in range(6_000)]
    sound = [text for text in texts if parse_printf(text).reason is None and parse_printf(text).placeholders]
    none = refused_by_msgfmt([_message("nothing", text) for text in sound], tmp_path)

    assert len(sound) > 500
    assert [text for text, no in zip(sound, none, strict=True) if not no] == []  # each has an argument too many
    assert not any(refused_by_msgfmt([_message(text, text) for text in sound], tmp_path))


def _message(source: str, target: str) -> Message:
    return Message(
        flag="c-format",
        plural_forms="nplurals=1; plural=0;",
        msgid=source,
        source=source,
        forms=(target,),
        form=0,
        place="",
    )

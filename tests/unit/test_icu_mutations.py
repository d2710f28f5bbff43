"""Random ICU messages, translated as the target language asks, then damaged: all damage is found, no translation is.

The translations are made here, with the plural categories of a few languages written down by hand.
"""

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from skill_evaluator.graders.translation.placeholders.icu import compare_icu

MESSAGES = 120
MUTATIONS = 10
CATEGORIES = {
    "de": ["one", "other"],
    "ja": ["other"],
    "fr": ["one", "other"],
    "ru": ["one", "few", "many", "other"],
    "cs": ["one", "few", "other"],
    "ar": ["zero", "one", "two", "few", "many", "other"],
}
ORDINALS = {"de": ["other"], "ja": ["other"], "fr": ["one", "other"], "ru": ["other"], "cs": ["other"], "ar": ["other"]}
FOR_ONE_NUMBER: dict[str, set[str]] = {
    "de": {"one"},
    "fr": {"one"},
    "cs": {"one"},
    "ar": {"zero", "one", "two"},
    "ru": set(),
    "ja": set(),
}
NAMES = ["name", "place", "file", "who", "größe", "0", "n1"]
TYPES = ["", "", ", number", ", date, short", ", time", ", number, ::percent"]


@dataclass
class Choice:
    name: str
    type: str
    branches: "dict[str, list[Part]]"
    offset: str = ""


Part = str | Choice
Message = list[Part]


@dataclass
class Damage:
    """What should be told of a damaged message: one of these codes, or that it is left open."""

    codes: set[str] = field(default_factory=set)
    is_open: bool = False


@dataclass
class Slot:
    """A message or the text of a branch, with the branch it is in."""

    parts: Message
    choice: Choice | None = None
    key: str = ""

    def without(self, part: Part, locale: str, codes: set[str]) -> "Damage":
        """Say what is to be told of a part that is gone.

        Where the words of a branch may say the number, nobody can tell a loss from a translation; and the source has no
        branch with which `two` of Arabic could be compared.
        """
        choice = self.choice
        if choice is None or choice.type == "select" or isinstance(part, Choice) or name_of(part) != "#":
            return Damage(codes)
        if self.key in {"zero", "two"} and self.key in FOR_ONE_NUMBER[locale]:
            return Damage()
        return Damage(codes, is_open=self.key.startswith("=") or self.key in FOR_ONE_NUMBER[locale])


def name_of(part: Part) -> str:
    return part.name if isinstance(part, Choice) else part.strip("{}").split(",")[0]


def head(part: Part) -> str:
    return part if isinstance(part, str) else f"{part.name}, {part.type}, {part.offset}"


def written(message: Message, rng: random.Random) -> str:
    words = ["", " ", " words ", " it''s ", " '{'quoted'}' ", "n", "\n", " o'clock ", "中文"]
    return "".join(text for part in message for text in (rng.choice(words), _part(part, rng), rng.choice(words)))


def _part(part: Part, rng: random.Random) -> str:
    if isinstance(part, str):
        return part
    branches = " ".join(f"{key} {{{written(branch, rng)}}}" for key, branch in part.branches.items())
    return f"{{{part.name}, {part.type}, {part.offset and f'offset:{part.offset} '}{branches}}}"


def drawn_message(rng: random.Random, levels: int) -> Message:
    message: Message = [f"{{{name}{rng.choice(TYPES)}}}" for name in rng.sample(NAMES, rng.randint(0, 3))]
    if levels and rng.random() < 0.8:
        message.insert(rng.randint(0, len(message)), drawn_choice(rng, levels - 1))
    return message


def drawn_choice(rng: random.Random, levels: int) -> Choice:
    kind = rng.choice(["plural", "plural", "selectordinal", "select"])
    name = f"{kind}{levels}"
    other = drawn_message(rng, levels)
    if kind == "select":
        keys = rng.sample(["male", "female", "a1"], rng.randint(1, 2))
        return Choice(name, kind, {**{key: drawn_message(rng, levels) for key in keys}, "other": other})
    other += ["#"] if rng.random() < 0.8 else []
    one = [part for part in copy.deepcopy(other) if part != "#" or rng.random() < 0.7]
    exact = {"=0": drawn_message(rng, 0)} if rng.random() < 0.3 else {}
    return Choice(name, kind, {**exact, "one": one, "other": other}, rng.choice(["", "", "1"]))


def translated(message: Message, locale: str, rng: random.Random) -> Message:
    """Choose the categories of the language, each with what `other` holds; then change places."""
    parts = [_translated(part, locale, rng) if isinstance(part, Choice) else part for part in message]
    rng.shuffle(parts)
    return parts


def _translated(choice: Choice, locale: str, rng: random.Random) -> Choice:
    made = {key: translated(branch, locale, rng) for key, branch in choice.branches.items()}
    if choice.type != "select":
        categories = (ORDINALS if choice.type == "selectordinal" else CATEGORIES)[locale]
        exact = {key: branch for key, branch in made.items() if key.startswith("=")}
        follows_one = {"one": made["one"]} if locale != "ru" or "#" in made["one"] else {}
        made = {**exact, **{key: copy.deepcopy(follows_one.get(key, made["other"])) for key in categories}}
    return Choice(choice.name, choice.type, made, choice.offset)


def slots_of(message: Message, choice: Choice | None = None, key: str = "") -> Iterator[Slot]:
    yield Slot(message, choice, key)
    for part in message:
        if isinstance(part, Choice):
            for name, branch in part.branches.items():
                yield from slots_of(branch, part, name)


LOST = {"placeholder_missing", "placeholder_count_mismatch"}
WON = {"placeholder_extra", "placeholder_count_mismatch"}


def drop(message: Message, locale: str, rng: random.Random) -> Damage | None:
    slot = rng.choice([slot for slot in slots_of(message) if slot.parts] or [Slot([])])
    if not slot.parts:
        return None
    part = slot.parts.pop(rng.randrange(len(slot.parts)))
    return slot.without(part, locale, {"placeholder_missing"})


def double(message: Message, locale: str, rng: random.Random) -> Damage | None:  # noqa: ARG001 - as the others
    slot = rng.choice([slot for slot in slots_of(message) if slot.parts] or [Slot([])])
    if not slot.parts:
        return None
    slot.parts.insert(rng.randint(0, len(slot.parts)), copy.deepcopy(rng.choice(slot.parts)))
    return Damage({"placeholder_count_mismatch"})


def change(message: Message, locale: str, rng: random.Random) -> Damage | None:  # noqa: ARG001 - as the others
    """Change the name, the type or the offset."""
    slot = rng.choice([slot for slot in slots_of(message) if slot.parts] or [Slot([])])
    if not slot.parts:
        return None
    at = rng.randrange(len(slot.parts))
    part = slot.parts[at]
    if isinstance(part, Choice):
        how = rng.choice(["name", "type", "offset"] if part.type != "select" else ["name"])
        if how == "name":
            part.name += "x"
        elif how == "type":
            part.type = "selectordinal" if part.type == "plural" else "plural"
        else:
            part.offset = "2"
    elif part == "#":
        slot.parts[at] = "{changed}"
    else:
        slot.parts[at] = rng.choice(
            [part.replace("{", "{x", 1), part[:-1] + ", number, ::changed}" if "," not in part else part[:-1] + "x}"]
        )
    return Damage({"placeholder_mutated"})


def add(message: Message, locale: str, rng: random.Random) -> Damage | None:  # noqa: ARG001 - as the others
    slot = rng.choice([*slots_of(message)])
    slot.parts.insert(rng.randint(0, len(slot.parts)), rng.choice(["{added}", "{added, number}"]))
    return Damage({"placeholder_extra"})


def move(message: Message, locale: str, rng: random.Random) -> Damage | None:
    """Move a placeholder from one branch into another."""
    choices = [part for slot in slots_of(message) for part in slot.parts if isinstance(part, Choice)]
    able = [choice for choice in choices if len(choice.branches) > 1 and any(choice.branches.values())]
    if not able:
        return None
    choice = rng.choice(able)
    came_from = rng.choice([key for key, branch in choice.branches.items() if branch])
    part = choice.branches[came_from].pop(rng.randrange(len(choice.branches[came_from])))
    choice.branches[rng.choice([key for key in choice.branches if key != came_from])].append(part)
    return Slot([], choice, came_from).without(part, locale, LOST | WON)


def rename(message: Message, locale: str, rng: random.Random) -> Damage | None:  # noqa: ARG001 - as the others
    """Take away a branch that has to be there, or rename a key."""
    choices = [
        part for slot in slots_of(message) for part in slot.parts if isinstance(part, Choice) and len(part.branches) > 1
    ]
    if not choices:
        return None
    choice = rng.choice(choices)
    key = rng.choice([key for key in choice.branches if key != "other"])
    branch = choice.branches.pop(key)
    if choice.type == "select" and rng.random() < 0.5:
        choice.branches["renamed"] = branch
        return Damage({"placeholder_mutated"})
    if {"zero": "=0", "=0": "zero"}.get(key) in choice.branches and not choice.offset:
        return Damage()  # which takes its place
    return Damage({"placeholder_missing"})


def impossible(message: Message, locale: str, rng: random.Random) -> Damage | None:  # noqa: ARG001 - as the others
    choices = [part for slot in slots_of(message) for part in slot.parts if isinstance(part, Choice)]
    if not choices:
        return None
    choice = rng.choice(choices)
    choice.branches["impossible"] = copy.deepcopy(choice.branches["other"])
    return Damage({"placeholder_extra"})


HOW: list[Callable[[Message, str, random.Random], Damage | None]] = [
    drop,
    double,
    change,
    add,
    move,
    rename,
    impossible,
]


@pytest.mark.parametrize("locale", [*CATEGORIES])
def test_every_damage_is_found_and_no_translation_is(locale: str) -> None:
    rng = random.Random(f"icu {locale}")  # noqa: S311 - the same each time
    seen = Counter[str]()
    for _ in range(MESSAGES):
        source = drawn_message(rng, 2)
        target = translated(source, locale, rng)
        text = written(source, rng)
        kept = compare_icu(text, written(target, rng), target_locale=locale, allow_reorder=True)
        assert (kept.faults, kept.undecided) == ((), None), (text, target)
        for _ in range(MUTATIONS):
            damaged, how = copy.deepcopy(target), rng.choice(HOW)
            damage = how(damaged, locale, rng)
            if damage is None or (not damage.codes and not damage.is_open):
                continue
            candidate = written(damaged, rng)
            found = compare_icu(text, candidate, target_locale=locale, allow_reorder=True)
            codes = {fault.code for fault in found.faults}
            assert damage.codes & codes or (damage.is_open and found.undecided), (how.__name__, text, candidate, found)
            seen[how.__name__] += 1
    assert min(seen[how.__name__] for how in HOW) > 30


@pytest.mark.parametrize("locale", [*CATEGORIES])
def test_two_that_changed_places_are_found_where_that_is_not_allowed(locale: str) -> None:
    rng = random.Random(f"swap {locale}")  # noqa: S311 - the same each time
    swapped = 0
    for _ in range(MESSAGES):
        source = drawn_message(rng, 0)
        if len(source) > 1:
            text, candidate = written(source, rng), written([source[1], source[0], *source[2:]], rng)
            strict = compare_icu(text, candidate, target_locale=locale, allow_reorder=False)
            assert [fault.code for fault in strict.faults] == ["placeholder_reordered"]
            assert compare_icu(text, candidate, target_locale=locale, allow_reorder=True).faults == ()
            swapped += 1
    assert swapped > 30

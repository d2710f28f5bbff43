"""What one eval of an evals.json expects -> graders of a test set."""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from skill_evaluator.formats.testset_files import leads_out
from skill_evaluator.formats.testset_form import kind_of, shown
from skill_evaluator.formats.trigger_prompts import ItemFault
from skill_evaluator.formats.trigger_shapes import Item
from skill_evaluator.texts import tr

# Keys that hold the words of an expectation that is an object, and keys that name it.
_WORDS: Final = (
    "text", "expectation", "assertion", "criterion", "criteria", "statement", "description", "check", "question",
    "name",
)  # fmt: skip
_NAMES: Final = ("name", "id")
_LISTS: Final = {"expectations": "expectation", "assertions": "assertion", "required_artifacts": "required artifact"}
_HOLDS: Final = "PASS if this is true of the answer, FAIL if it is not:\n{}"
_LIKE: Final = "PASS if the answer is as described here, FAIL if it is not:\n{}"
_PLACEHOLDER: Final = re.compile(r"<[^<>/]*>")
_NAME_CHARS: Final = 80


@dataclass(frozen=True, kw_only=True, slots=True)
class EvalChecks:
    """What an eval expects.

    Attributes:
        graders: As a test set has them.
        kinds: What each of them was in the file.
        dropped: Keys of expectations that find no place, one entry for each time.
        leaves_output_out: Whether there is an `expected_output` that other expectations stand for.
        placeholders: How many paths had a placeholder.
        outside: Paths that lead out of the workspace, for which there is no grader.
        faults: What is wrong.
    """

    graders: tuple[Mapping[str, object], ...] = ()
    kinds: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    leaves_output_out: bool = False
    placeholders: int = 0
    outside: tuple[str, ...] = ()
    faults: tuple[ItemFault, ...] = ()


def read_checks(item: Item) -> EvalChecks:
    """Read what one eval expects."""
    faults: list[ItemFault] = []
    graders: list[dict[str, object]] = []
    kinds: list[str] = []
    dropped: list[str] = []
    names: set[str] = set()
    outside: list[str] = []
    for key, kind in _LISTS.items():
        for index, entry in enumerate(_entries(item, key, faults)):
            words, name, rest = _words(entry, is_path=key == "required_artifacts")
            if words is None:
                faults.append(_wrong(item, (key, index), entry))
                continue
            if key == "required_artifacts" and leads_out(words):
                outside.append(words)
                continue
            grader = _artifact(words) if key == "required_artifacts" else _expectation(_HOLDS, words)
            graders.append({"name": free_name(name, names), **grader})
            kinds.append(kind)
            dropped += rest
    output = item.raw.get("expected_output")
    is_said = isinstance(output, str) and bool(output.strip())
    if is_said and not graders:
        graders.append({"name": free_name(str(output), names), **_expectation(_LIKE, str(output))})
        kinds.append("expected output")
    return EvalChecks(
        graders=tuple(graders),
        kinds=tuple(kinds),
        dropped=tuple(dropped),
        leaves_output_out="expected_output" in item.raw and "expected output" not in kinds,
        placeholders=sum(bool(_PLACEHOLDER.search(str(entry))) for entry in _artifacts(item)),
        outside=tuple(outside),
        faults=tuple(faults),
    )


def _entries(item: Item, key: str, faults: list[ItemFault]) -> Sequence[object]:
    value = item.raw.get(key, [])
    if isinstance(value, str) and value.strip():
        return [value]
    if isinstance(value, list):
        return value
    faults.append(_wrong(item, (key,), value, tr("a list")))
    return ()


def _artifacts(item: Item) -> Iterator[object]:
    value = item.raw.get("required_artifacts", [])
    yield from value if isinstance(value, list) else [value]


def _words(entry: object, *, is_path: bool) -> tuple[str | None, str, list[str]]:
    """Give the words of an expectation, its name, and the keys that are left."""
    if isinstance(entry, str) and entry.strip():
        return entry, entry, []
    if not isinstance(entry, dict):
        return None, "", []
    said = {key: value for key, value in entry.items() if isinstance(value, str) and value.strip()}
    key = next((key for key in (("path", "glob") if is_path else ()) + _WORDS if key in said), None)
    if key is None:
        return None, "", []
    name_key = next((name for name in _NAMES if name in said), key)
    return said[key], said[name_key], [name for name in entry if name not in {key, name_key}]


def _expectation(frame: str, words: str) -> dict[str, object]:
    return {"type": "llm", "criteria": frame.format(words)}


def _artifact(path: str) -> dict[str, object]:
    """New files are listed by plain paths; a folder is there where a file in it is."""
    plain = posixpath.normpath(_PLACEHOLDER.sub("*", path))
    return {"type": "file_exists", "path": f"{plain}/**" if path.endswith("/") else plain}


def free_name(words: str, taken: set[str]) -> str:
    """Name a grader by what it expects, on one line and cut; a second one of the name gets a number."""
    line = " ".join(words.split())
    plain = line if len(line) <= _NAME_CHARS else f"{line[: _NAME_CHARS - 3]}..."
    name, number = plain, 2
    while name in taken:
        name, number = f"{plain} ({number})", number + 1
    taken.add(name)
    return name


def _wrong(item: Item, parts: tuple[str | int, ...], value: object, expected: str = "") -> ItemFault:
    key = parts[0]
    place = tr('item {number} of "{key}"', number=int(parts[1]) + 1, key=key) if len(parts) > 1 else f'"{key}"'
    wanted = expected or tr('text in double quotes, or an object that holds it under a key such as "text"')
    message = tr(
        "{place} is {value} ({kind}); expected {wanted}",
        place=place,
        value=shown(value),
        kind=kind_of(value),
        wanted=wanted,
    )
    return ItemFault(code="wrong-value", parts=(*item.parts, *parts), message=message)

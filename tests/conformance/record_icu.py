"""Ask others what ICU messages and plural rules are, and keep their answers for tests of ours.

Asked are `@formatjs/icu-messageformat-parser` and `Intl.PluralRules` of node, and ICU itself through PyICU. The package
of npm lies in a folder that SKILL_EVALUATOR_FORMATJS names (`npm install @formatjs/icu-messageformat-parser@3.5.23`);
PyICU is built on installing, and needs ICU's headers. Neither is needed to compare with what was kept.

Each line but the first is a message, what formatjs made of it, and what ICU did: a tree as in `icu_answers.mjs`, or the
name of an error (formatjs), or null for any error (ICU). The first line has the locales.
"""

import gzip
import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))  # it is started as a script, from any folder

from tests.conformance.icu_messages import all_messages  # noqa: E402 - the line above comes first

RECORDED: Final = HERE / "icu_answers.jsonl.gz"
FOLDER: Final = "SKILL_EVALUATOR_FORMATJS"
VERSION: Final = "3.5.23"
PACKAGE: Final = Path("node_modules", "@formatjs", "icu-messageformat-parser")


def ask_node(messages: Sequence[str], locales: Sequence[str]) -> Mapping[str, Any]:
    """Ask the package of npm and node: `messages` and `locales` are the answers, in order."""
    node = shutil.which("node")
    if not node:
        raise SystemExit("node is not on PATH")
    question = json.dumps({"messages": messages, "locales": locales})
    command = [node, str(HERE / "icu_answers.mjs")]
    answer = subprocess.run(command, input=question, capture_output=True, text=True, check=True, encoding="utf-8")
    return dict(json.loads(answer.stdout))


def version_of(folder: str) -> str | None:
    """Read which version of the package a folder has; None without it."""
    file = Path(folder) / PACKAGE / "package.json"
    return str(json.loads(file.read_text("utf-8"))["version"]) if folder and file.exists() else None


def locales() -> list[str]:
    """List the languages that babel knows, and locales whose rules are not those of their language."""
    from babel import localedata  # noqa: PLC0415 - only needed to record

    languages = sorted(one for one in localedata.locale_identifiers() if "_" not in one)
    return [
        *languages,
        "pt-PT",
        "pt-BR",
        "es-419",
        "zh-Hans",
        "zh-Hant-HK",
        "sr-Latn-RS",
        "fr-CA",
        "en-IN",
        "ca-ES-valencia",
    ]


class _Parts:
    """What ICU made of one message, read from the first part to the last."""

    def __init__(self, icu: Any, message: str) -> None:  # noqa: ANN401 - PyICU has no types
        self.names = {
            getattr(icu.UMessagePatternPartType, name): name
            for name in dir(icu.UMessagePatternPartType)
            if name.isupper()
        }
        self.types = {
            getattr(icu.UMessagePatternArgType, name): name
            for name in dir(icu.UMessagePatternArgType)
            if name.isupper()
        }
        self.pattern = icu.MessagePattern()
        self.pattern.parse(message)
        self.at = 0

    def kind(self) -> str:
        return self.names[self.pattern.getPart(self.at).getType()]

    def take(self) -> str:
        """Give the text of a part, and go to the next."""
        self.at += 1
        return str(self.pattern.getSubstring(self.pattern.getPart(self.at - 1)))

    def message(self) -> list[Any]:
        self.take()
        parts: list[Any] = []
        while (kind := self.kind()) != "MSG_LIMIT":
            if kind == "ARG_START":
                parts.append(self.argument())
            else:
                parts += ["#"] if kind == "REPLACE_NUMBER" else []
                self.take()
        self.take()
        return parts

    def argument(self) -> list[Any]:
        """Read from ARG_START up to behind ARG_LIMIT."""
        chooses = self.types[self.pattern.getPart(self.at).getArgType()].lower()
        limit = self.pattern.getLimitPartIndex(self.at)
        self.at += 1
        name = self.take()
        if chooses == "choice":  # its text is not read as other branches are
            self.at = limit + 1
            return [name, chooses]
        rest = self.branches(chooses) if chooses in CHOOSING else self.simple()
        self.at = limit + 1
        return [name, *rest]

    def simple(self) -> list[str]:
        if self.kind() != "ARG_TYPE":
            return []
        kind = self.take()
        return [kind, self.take().strip(SPACE) if self.kind() == "ARG_STYLE" else ""]

    def branches(self, chooses: str) -> list[Any]:
        offset = self.number() if self.kind() in NUMBERS else 0
        branches: dict[str, Any] = {}
        while self.kind() == "ARG_SELECTOR":
            key = self.take()
            if self.kind() in NUMBERS:
                self.at += 1
            branches.setdefault(key, self.message())
        return [chooses, offset, branches]

    def number(self) -> float:
        self.at += 1
        value = float(self.pattern.getNumericValue(self.pattern.getPart(self.at - 1)))
        return int(value) if value.is_integer() else value


CHOOSING: Final = ("plural", "selectordinal", "select")
NUMBERS: Final = ("ARG_INT", "ARG_DOUBLE")
SPACE: Final = "\t\n\v\f\r \x85\u200e\u200f\u2028\u2029"


def ask_icu(messages: Sequence[str]) -> tuple[list[list[Any] | None], str]:
    """Ask ICU itself, and say which version it is."""
    icu = importlib.import_module("icu")

    def answer(message: str) -> list[Any] | None:
        try:
            return _Parts(icu, message).message()
        except icu.ICUError:
            return None

    return [answer(message) for message in messages], str(icu.ICU_VERSION)


def recorded() -> Iterator[str]:
    """Ask everybody, and give the lines to keep."""
    messages, places = all_messages(), locales()
    node = ask_node(messages, places)
    icu, version = ask_icu(messages)
    rules = dict(zip(places, node["locales"], strict=True))
    yield json.dumps(
        {"formatjs": version_of(os.environ[FOLDER]), "icu": version, "cldr": node["cldr"], "locales": rules}
    )
    for row in zip(messages, node["messages"], icu, strict=True):
        yield json.dumps(row)


if __name__ == "__main__":
    with RECORDED.open("wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
        packed.writelines(f"{line}\n".encode() for line in recorded())

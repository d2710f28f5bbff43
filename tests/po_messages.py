"""Messages out of .po files, and what gettext's msgfmt says of their format strings."""

import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from babel.messages.pofile import read_po

_SYNTAX: dict[str, Literal["printf", "python"]] = {
    "c-format": "printf",
    "python-format": "python",
    "python-brace-format": "python",
}


@dataclass(frozen=True, kw_only=True)
class Message:
    """One form of one message.

    `msgid` is the singular where there are plural forms, and `source` is what msgfmt holds a form against: then the
    plural.
    """

    flag: str
    plural_forms: str
    msgid: str
    source: str
    forms: tuple[str, ...]
    form: int
    place: str

    @property
    def syntax(self) -> Literal["printf", "python"]:
        return _SYNTAX[self.flag]

    @property
    def target(self) -> str:
        return self.forms[self.form]

    @property
    def is_plural(self) -> bool:
        return len(self.forms) > 1 or self.msgid != self.source

    def with_target(self, target: str) -> "Message":
        forms = (*self.forms[: self.form], target, *self.forms[self.form + 1 :])
        return Message(**{**vars(self), "forms": forms})


def messages_of(files: Iterable[Path]) -> Iterator[Message]:
    """Read every translated, finished message that is marked as a format string."""
    for file in files:
        text = file.read_bytes()
        if b"-format" not in text:
            continue
        with file.open("rb") as opened:
            catalog = read_po(opened, ignore_obsolete=True)
        plural_forms = f"nplurals={catalog.num_plurals}; plural={catalog.plural_expr};"
        for entry in catalog:
            flag = next((one for one in _SYNTAX if one in entry.flags), None)
            if flag is None or entry.fuzzy or not entry.id:
                continue
            ids, forms = _strings(entry.id), _strings(entry.string)
            for form in range(len(forms) if all(forms) else 0):
                yield Message(
                    flag=flag,
                    plural_forms=plural_forms,
                    msgid=ids[0],
                    source=ids[-1],
                    forms=forms,
                    form=form,
                    place=f"{file}:{entry.lineno}",
                )


def _strings(value: str | Sequence[str] | None) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value or ())


def refused_by_msgfmt(messages: Sequence[Message], folder: Path) -> list[bool]:
    """Ask msgfmt about each form; skips the test where there is no msgfmt."""
    if shutil.which("msgfmt") is None:
        pytest.skip("msgfmt is not on PATH; the gettext package of any system brings it")
    refused = [False] * len(messages)
    by_plural: dict[str, list[int]] = defaultdict(list)
    for number, message in enumerate(messages):
        by_plural[message.plural_forms].append(number)
    for batch, (plural_forms, numbers) in enumerate(by_plural.items()):
        lines = [
            'msgid ""',
            'msgstr ""',
            r'"Content-Type: text/plain; charset=UTF-8\n"',
            f'"Plural-Forms: {plural_forms}\\n"',
        ]
        at: dict[int, int] = {}
        for number in numbers:
            message = messages[number]
            lines += [f"#, {message.flag}", f'msgctxt "{number}"']
            lines.append(f"msgid {_quoted(message.msgid)}")
            if message.is_plural:
                lines.append(f"msgid_plural {_quoted(message.source)}")
            at[len(lines) + 1] = number
            if message.is_plural:
                lines += [f"msgstr[{form}] {_quoted(text)}" for form, text in enumerate(message.forms)]
            else:
                lines.append(f"msgstr {_quoted(message.target)}")
        file = folder / f"{batch}.po"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        for line, form in _complaints(file):
            number = at[line]
            if form in {None, messages[number].form}:
                refused[number] = True
    return refused


def _complaints(file: Path) -> Iterator[tuple[int, int | None]]:
    """Give the line of the first form of each message that msgfmt refuses, and the number of the form."""
    done = subprocess.run(
        ["msgfmt", "--check-format", "-o", "/dev/null", file.name],
        cwd=file.parent,
        env={"LC_ALL": "C", "PATH": "/usr/local/bin:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
        errors="replace",  # it prints single bytes of what it refuses
    )
    for line in done.stderr.splitlines():
        if (found := re.match(r"[^:]+:(\d+): (.*)", line)) is None:
            continue  # the sum at the end, or the rest of a complaint that quotes a line end
        form = re.search(r"'msgstr\[(\d+)\]'", found[2])
        yield int(found[1]), int(form[1]) if form else None


def _quoted(text: str) -> str:
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + text.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r") + '"'

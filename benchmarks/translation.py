"""How many messages a second `placeholder_integrity` checks, beside translate-toolkit's pofilter and a bare loop.

Takes the translated messages of the `.po` files that come with Django, gettext's own syntax of Python. All of them are
looked at by each way, in this process:

- `placeholder_integrity`: the check of EvalCase v1;
- `pofilter`: translate-toolkit's checker with its three filters for placeholders, on units that are parsed already;
- bare loop: the placeholders of both texts by one regular expression, counted and compared.

Then the same messages as files, each program in a process of its own: `translation check` reads, checks and joins
cases and candidates; `pofilter` reads `.po` files with the same filters. Modules are compiled before, and the best of a
few runs counts. Peak memory is that of the program.

Prints; never fails because of a time.

    python benchmarks/translation.py [MESSAGES]
"""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path

import django  # type: ignore[import-untyped]  # only its folder is wanted
from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from translate.filters import checks
from translate.storage.po import pounit

from skill_evaluator.graders.translation import PlaceholderIntegrity
from skill_evaluator.model import Run

ROUNDS = 3
FILTERS = ("printf", "pythonbraceformat", "variables")
_PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[-#0 +]*(?:\d+|\*)?(?:\.\d+)?[a-zA-Z%]|\{[^{}]*\}")
_MEASURE = """\
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(done.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One translated message."""

    locale: str
    source: str
    target: str


def messages() -> Iterator[Message]:
    """Give the messages of Django that have one translation and no plural."""
    for path in sorted(Path(django.__file__).parent.rglob("LC_MESSAGES/*.po")):
        locale = path.parts[-3].replace("_", "-")
        with path.open("rb") as file, contextlib.redirect_stdout(io.StringIO()):  # babel prints doubts about plurals
            catalog = read_po(file)
        seen: set[str] = set()  # a text that stands there twice, with two contexts, is taken once
        for message in catalog:
            text = message.id
            if isinstance(text, str) and text and message.string and not message.fuzzy and text not in seen:
                seen.add(text)
                yield Message(locale=locale, source=text, target=str(message.string))


def seconds(work: Callable[[], object]) -> float:
    """The shortest of a few tries, processor time."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def own_check(found: Sequence[Message]) -> Callable[[], object]:
    """Check each message by an assertion of its own, as a case has it."""
    pairs = [
        (
            PlaceholderIntegrity(source=one.source, target_locale=one.locale, syntax="python"),
            Run(case_id="a", output=one.target),
        )
        for one in found
    ]
    return lambda: [check.check(run) for check, run in pairs]


def pofilter(found: Sequence[Message]) -> Callable[[], object]:
    """Check each message with the filters of pofilter that look at placeholders."""
    checker = checks.StandardChecker(checks.CheckerConfig(), limitfilters=list(FILTERS))
    units = []
    for one in found:
        unit = pounit(one.source)
        unit.target = one.target
        units.append(unit)
    return lambda: [checker.run_filters(unit) for unit in units]


def bare_loop(found: Sequence[Message]) -> Callable[[], object]:
    """Count and compare: the least that any check has to do."""
    return lambda: [
        Counter(_PLACEHOLDER.findall(one.source)) == Counter(_PLACEHOLDER.findall(one.target)) for one in found
    ]


def write_files(found: Sequence[Message], root: Path) -> None:
    """Write the messages as cases and candidates, and as `.po` files like those that they are of."""
    (root / "cases" / "dev").mkdir(parents=True)
    with (
        (root / "cases" / "dev" / "django.jsonl").open("w", encoding="utf-8") as cases,
        (root / "candidates.jsonl").open("w", encoding="utf-8") as candidates,
    ):
        for number, one in enumerate(found, 1):
            case_id = f"placeholder.django.{number:06}"
            cases.write(json.dumps(_case(case_id, one)) + "\n")
            candidates.write(json.dumps({"case_id": case_id, "text": one.target}) + "\n")
    (root / "po").mkdir()
    for number, (locale, group) in enumerate(groupby(found, key=lambda one: one.locale)):
        catalog = Catalog(locale=_known(locale), fuzzy=False)
        for one in group:
            catalog.add(one.source, one.target)
        with (root / "po" / f"{number}-{locale}.po").open("wb") as file:
            write_po(file, catalog)


def _known(tag: str) -> Locale | None:
    """Give what babel knows of a locale; None for `udm`, of which it knows nothing."""
    try:
        return Locale.parse(tag, sep="-")
    except UnknownLocaleError:
        return None


def _case(case_id: str, message: Message) -> dict[str, object]:
    return {
        "schema_version": 1,
        "id": case_id,
        "source_locale": "en-US",
        "target_locale": message.locale if message.locale != "en" else "en-GB",
        "domain": "web-framework",
        "source": message.source,
        "assertions": [{"name": "placeholder_integrity", "severity": "report", "params": {"syntax": "python"}}],
        "provenance": {"kind": "compatible-licensed", "license": "BSD-3-Clause", "source": "Django"},
    }


def program(*arguments: str) -> tuple[float, float]:
    """Run a program to its end, a few times.

    Returns:
        The least seconds of processor time, and its peak memory in MB (on Linux).
    """
    with tempfile.TemporaryDirectory() as compiled:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        command = [sys.executable, "-c", _MEASURE, *arguments]
        results = []
        for _ in range(ROUNDS + 1):  # the first one compiles the modules, as an installed program has them
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
            status, used, peak = done.stdout.split()
            if status != "0":
                raise SystemExit(f"{arguments[0]} ended with {status}")
            results.append((float(used), float(peak)))
    return min(used for used, _ in results[1:]), max(peak for _, peak in results)


def main() -> None:
    """Print what each way does in a second, and the ratios."""
    found = list(islice(messages(), int(sys.argv[1]) if sys.argv[1:] else None))
    print(f"{len(found):,} messages, {len({one.locale for one in found})} locales; processor time, best of {ROUNDS}\n")
    rates = {
        name: len(found) / seconds(way(found))
        for name, way in {"placeholder_integrity": own_check, "pofilter": pofilter, "bare loop": bare_loop}.items()
    }
    for name, rate in rates.items():
        print(f"{name:22} {rate:>10,.0f} messages/s   {rate / rates['pofilter']:>6.2f} x pofilter")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_files(found, root)
        command = (sys.executable, "-m", "skill_evaluator", "translation", "check")
        ours, peak = program(*command, str(root), str(root / "candidates.jsonl"), "--json")
        other = Path(sys.executable).with_name("pofilter")
        options = [part for name in FILTERS for part in ("-t", name)]
        theirs, their_peak = program(str(other), "--progress=none", *options, str(root / "po"), str(root / "out"))
    print("\nas programs, over files, start-up included")
    for name, used, most in (("translation check", ours, peak), ("pofilter", theirs, their_peak)):
        print(f"{name:22} {len(found) / used:>10,.0f} messages/s   {theirs / used:>6.2f} x pofilter   {most:.0f} MB")


if __name__ == "__main__":
    main()

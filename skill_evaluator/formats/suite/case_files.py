"""The folder of a case -> what its files say, before any of it is checked; and where such folders are.

Source: Suites recorded with Claude Code 2.1.332.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from skill_evaluator.formats.suite import keys
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.folders import Entry, js_order, list_folder, walk_folders
from skill_evaluator.formats.suite.frontmatter import SuiteText, read_suite_text, read_suite_yaml
from skill_evaluator.formats.suite.names import GRADERS
from skill_evaluator.formats.suite.reading import read_inside
from skill_evaluator.texts import tr

PROMPT_MD: Final = "prompt.md"
CASE_YAML: Final = "case.yaml"
_MAX_GRADERS: Final = 256
_NOT_SEARCHED: Final = ("results", "mocks", "node_modules", ".git", ".claude")
_NEARLY: Final = ("prompt.md", "case.yaml", "case.yml")  # in small letters
_NEAR: Final = 0.88  # difflib ratio: a letter off
_FILE_KINDS: Final = ("file", "file-link", "broken-link", "looping-link", "other")

PlacedFault = tuple[str, SuiteFault]


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseFiles:
    """What the files of a case say.

    Attributes:
        folder: The case, absolute.
        texts: What could be read of prompt.md, case.yaml and the files of `graders/`, by path relative to the folder.
        faults: What could not be read, by file.
        odd_bytes: Files that are no UTF-8, with the line of the first odd byte.
        names: What lies in the folder and in its `graders/`, relative, sorted; folders end with `/`.
        misplaced: Files beside prompt.md that would be graders in `graders/`.
    """

    folder: Path
    texts: Mapping[str, SuiteText]
    faults: tuple[PlacedFault, ...] = ()
    odd_bytes: Mapping[str, int] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    misplaced: tuple[str, ...] = ()

    @property
    def prompt_md(self) -> SuiteText | None:
        """What prompt.md says, or None without it."""
        return self.texts.get(PROMPT_MD)

    @property
    def case_yaml(self) -> SuiteText | None:
        """What case.yaml says; None without it, and where it holds nothing, which is the same."""
        text = self.texts.get(CASE_YAML)
        return None if text is None or text.is_null else text

    @property
    def grader_files(self) -> tuple[tuple[str, SuiteText], ...]:
        """The files of `graders/` that are graders, in the order in which they count."""
        return tuple(
            (file, text) for file, text in self.texts.items() if file.startswith(f"{GRADERS}/") and text.has_frontmatter
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundCases:
    """Where the cases of a suite are.

    Attributes:
        folders: Folders of cases by path, each with what lies in it, or with what keeps a folder from being searched.
        strays: Files that look like those of a case, and folders of graders, in folders that are none.
    """

    folders: tuple[tuple[Path, tuple[Entry, ...] | SuiteFault], ...]
    strays: tuple[Path, ...] = ()


def find_cases(top: Path, *, root: Path) -> FoundCases:
    """Look for the folders of cases from one downwards.

    A case hides what is below it, and some folders are not searched, such as results and mocks, wherever they are.

    Args:
        top: The folder to start in, which may be a case itself.
        root: The outermost folder that may be read.
    """
    found: list[tuple[Path, tuple[Entry, ...] | SuiteFault]] = []
    strays: list[Path] = []
    for folder, entries in walk_folders(top, root=root, descend=_inner):
        if isinstance(entries, SuiteFault) or is_case(entries):
            found.append((folder, entries))
        else:
            strays += _strays(entries)
    return FoundCases(
        folders=tuple(sorted(found, key=lambda pair: js_order(pair[0].as_posix()))), strays=tuple(sorted(strays))
    )


def _strays(entries: tuple[Entry, ...]) -> Iterator[Path]:
    """Give what in a folder that is no case makes it look like one; its graders only where no file does."""
    files = [entry.path for entry in entries if entry.kind == "file" and _is_nearly(entry.name.lower())]
    graders = [entry.path for entry in entries if entry.kind == "folder" and entry.name == GRADERS]
    yield from files or graders


def _is_nearly(name: str) -> bool:
    stem = name.partition(".")[0]
    return name in _NEARLY or (stem.isalpha() and bool(get_close_matches(name, _NEARLY, n=1, cutoff=_NEAR)))


def is_case(entries: tuple[Entry, ...]) -> bool:
    """Say whether what lies in a folder makes it a case."""
    return any(entry.name in (PROMPT_MD, CASE_YAML) and entry.kind in _FILE_KINDS for entry in entries)


def read_case_files(folder: Path, entries: tuple[Entry, ...], *, root: Path) -> CaseFiles:
    """Read the files of a case.

    Args:
        folder: The case, absolute.
        entries: What lies in it.
        root: The outermost folder that may be read.
    """
    reader = _Reader(folder=folder, root=root)
    for entry in entries:
        if entry.name in (CASE_YAML, PROMPT_MD):
            reader.read(entry.name)
    inner = reader.list_graders(entries)
    for entry in inner:
        if entry.name.endswith(".md") and entry.kind in _FILE_KINDS:
            reader.read(f"{GRADERS}/{entry.name}")
    names = sorted([*map(_shown, entries), *(f"{GRADERS}/{_shown(entry)}" for entry in inner)])
    return CaseFiles(
        folder=folder,
        texts=reader.texts,
        faults=tuple(reader.faults),
        odd_bytes=reader.odd_bytes,
        names=tuple(names),
        misplaced=tuple(entry.name for entry in entries if _is_misplaced(entry, root)),
    )


@dataclass(kw_only=True, slots=True)
class _Reader:
    folder: Path
    root: Path
    texts: dict[str, SuiteText] = field(default_factory=dict)
    faults: list[PlacedFault] = field(default_factory=list)
    odd_bytes: dict[str, int] = field(default_factory=dict)

    def read(self, file: str) -> None:
        text = read_inside(self.folder / file, root=self.root)
        if isinstance(text, SuiteFault):
            self.faults.append((file, text))
            return
        if text.not_utf8_line is not None:
            self.odd_bytes[file] = text.not_utf8_line
        parts = read_suite_yaml(text.text) if file == CASE_YAML else read_suite_text(text.text)
        if isinstance(parts, SuiteFault):
            self.faults.append((file, parts))
        else:
            self.texts[file] = parts

    def list_graders(self, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        entry = next((entry for entry in entries if entry.name == GRADERS), None)
        if entry is None:
            return ()
        inner = list_folder(entry.path, root=self.root)
        if not isinstance(inner, SuiteFault):
            if sum(entry.name.endswith(".md") for entry in inner) <= _MAX_GRADERS:
                return inner
            words = tr(
                "holds more than {limit} .md files; put some of the graders into another case", limit=_MAX_GRADERS
            )
            self.faults.append((GRADERS, SuiteFault(code="too-many-entries", path=(), message=words)))
            return ()
        is_file = entry.kind in ("file", "file-link")
        what = tr("is a file; put each grader into a file of its own in a folder of this name")
        message = what if is_file else inner.message
        self.faults.append((GRADERS, SuiteFault(code="graders-unreadable", path=(), message=message)))
        return ()


def _inner(_: Path, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    return () if is_case(entries) else tuple(entry for entry in entries if entry.name not in _NOT_SEARCHED)


def _shown(entry: Entry) -> str:
    return f"{entry.name}/" if entry.kind in ("folder", "folder-link") else entry.name


def _is_misplaced(entry: Entry, root: Path) -> bool:
    """Say whether a file beside prompt.md is written as a grader."""
    if entry.kind != "file" or not entry.name.endswith(".md") or entry.name == PROMPT_MD:
        return False
    text = read_inside(entry.path, root=root)
    parts = read_suite_text(text.text) if not isinstance(text, SuiteFault) else text
    return not isinstance(parts, SuiteFault) and parts.values.get("type") in tuple(keys.GRADERS)

"""One folder of a case -> the parts of a `Case` and all its faults, each with its file and line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from skill_evaluator.formats.suite import keys
from skill_evaluator.formats.suite.case_fields import CaseFields, read_fields
from skill_evaluator.formats.suite.case_files import CASE_YAML, PROMPT_MD, CaseFiles, PlacedFault
from skill_evaluator.formats.suite.case_graders import ReadGraders, read_graders
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.filters import is_meant
from skill_evaluator.formats.suite.form import Form
from skill_evaluator.formats.suite.merge import Merged, merge
from skill_evaluator.formats.suite.seen import SeenGrader
from skill_evaluator.texts import tr


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadCase:
    """A case as its files say it.

    Attributes:
        folder: Its folder, absolute.
        files: What its files say.
        merged: What they say together.
        values: Its typed values; of a refused case as far as they could be read.
        graders: Its graders; of a refused case those that could be read.
        faults: Why it is refused, with paths in the files; empty where it loads.
    """

    folder: Path
    files: CaseFiles
    merged: Merged
    values: CaseFields
    graders: tuple[SeenGrader, ...] = ()
    faults: tuple[PlacedFault, ...] = ()

    @property
    def fields(self) -> CaseFields | None:
        """Its typed values; None where the case is refused."""
        return None if self.faults else self.values


def read_case(files: CaseFiles, *, globs: Sequence[str] = (), tags: Sequence[str] = ()) -> ReadCase | None:
    """Read a case.

    Args:
        files: What its files say.
        globs: As `--case`.
        tags: As `--tag`.

    Returns:
        The case, refused or not; None where it is not meant. One that is not meant is refused nevertheless if a file
        of it cannot be read, a key of prompt.md is unknown, a grader has no type, or its name or tags are wrong, as
        the real program does.
    """
    merged = merge(files)
    graders = read_graders(files, merged.graders)
    first = [*files.faults, *_unknown_keys(files)]
    values, wrong = read_fields(merged.values, folder_name=files.folder.name, has_case_yaml=files.case_yaml is not None)
    if not first and not graders.is_untyped and not _is_meant(merged, files, globs, tags):
        return None
    faults = [*first, *merged.faults, *_field_faults(merged, files, wrong), *_shown_faults(graders, files, merged)]
    return ReadCase(
        folder=files.folder, files=files, merged=merged, values=values, graders=graders.graders, faults=tuple(faults)
    )


def _is_meant(merged: Merged, files: CaseFiles, globs: Sequence[str], tags: Sequence[str]) -> bool:
    """Say whether a case is meant; one whose name or tags are wrong is looked at."""
    form = Form(merged.values)
    name = form.text("name") if "name" in form.values or files.case_yaml else files.folder.name
    case_tags = form.texts("tags")
    if form.faults or name is None:
        return True
    return is_meant(name, case_tags or (), globs=globs, tags=tags)


def _unknown_keys(files: CaseFiles) -> Iterator[PlacedFault]:
    form = Form(files.prompt_md.values if files.prompt_md else {})
    form.check_keys(keys.PROMPT_MD_KEYS, "unknown-key", tr("key"))
    yield from ((PROMPT_MD, fault) for fault in form.faults)


def _field_faults(merged: Merged, files: CaseFiles, wrong: tuple[SuiteFault, ...]) -> Iterator[PlacedFault]:
    """Give the faults of values; what is missing is not told where the file that would hold it cannot be read."""
    unread = {file for file, _ in files.faults}
    for fault in wrong:
        file, path = merged.place(fault.path)
        if file is not None:
            yield file, _at(fault, path)
        elif not unread & {PROMPT_MD, CASE_YAML}:
            yield _home(files, fault), fault


def _shown_faults(graders: ReadGraders, files: CaseFiles, merged: Merged) -> Iterator[PlacedFault]:
    """Give the faults of graders; that there is none is not told where a file or the list of them cannot be read."""
    no_list = (placed for placed in merged.faults if placed[1].path[:1] == ("graders",))
    is_unread = any(file != PROMPT_MD for file, _ in (*files.faults, *no_list))
    yield from (placed for placed in graders.faults if not (is_unread and placed[1].code == "no-grader"))


def _at(fault: SuiteFault, path: tuple[str | int, ...]) -> SuiteFault:
    return SuiteFault(code=fault.code, path=path, message=fault.message, effect=fault.effect, values=fault.values)


def _home(files: CaseFiles, fault: SuiteFault) -> str:
    """Say which file a missing thing belongs in."""
    needs_yaml = fault.code in ("missing-name", "missing-schema-version") or files.prompt_md is None
    return CASE_YAML if needs_yaml and files.case_yaml else PROMPT_MD

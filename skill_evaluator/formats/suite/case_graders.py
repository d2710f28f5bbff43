"""The graders of a case: those of case.yaml, then the files of `graders/`, each with a name of its own.

Source: Suites recorded with Claude Code 2.1.332.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final

from skill_evaluator.formats.suite.case_files import CASE_YAML, CaseFiles, PlacedFault
from skill_evaluator.formats.suite.faults import SuiteFault
from skill_evaluator.formats.suite.form import described
from skill_evaluator.formats.suite.grader_options import read_grader
from skill_evaluator.formats.suite.reading import read_bytes_inside
from skill_evaluator.formats.suite.seen import SeenGrader
from skill_evaluator.graders.suite import Baseline
from skill_evaluator.model import Grader
from skill_evaluator.texts import listed, tr

_LIST: Final = "graders"
_MAX_BASELINE: Final = 16 * 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadGraders:
    """The graders of a case.

    Attributes:
        graders: Those that are sound, in the order in which they count.
        faults: What is wrong with the others, or with all of them together.
        is_untyped: Whether a file has no `type` that is text: the real program then refuses the case before it looks
            at anything else.
    """

    graders: tuple[SeenGrader, ...]
    faults: tuple[PlacedFault, ...]
    is_untyped: bool


def read_graders(files: CaseFiles, listed: tuple[object, ...]) -> ReadGraders:
    """Read the graders of a case.

    Args:
        files: What its files say.
        listed: The list of case.yaml, or what stands for it.
    """
    graders: list[SeenGrader] = []
    faults: list[PlacedFault] = []
    for place, read in (*_listed(listed), *_own_files(files)):
        if isinstance(read, Grader):
            graders.append(replace(place, grader=read))
        else:
            faults.extend((place.file, replace(fault, path=(*place.path, *fault.path))) for fault in read)
    if not listed and not files.grader_files:
        faults.append((_home(files), _no_grader(files)))
    elif not faults:
        faults.extend(_same_names(graders))
    is_untyped = any(not isinstance(text.values.get("type"), str) for _, text in files.grader_files)
    return ReadGraders(graders=tuple(graders), faults=tuple(faults), is_untyped=is_untyped)


def with_baseline(grader: Grader, folder: Path, root: Path) -> Grader:
    """Give a grader of type `baseline` the session that it compares with; others stay as they are."""
    if not isinstance(grader.check, Baseline):
        return grader
    content = read_bytes_inside(folder / grader.check.baseline_file, root=root, max_bytes=_MAX_BASELINE)
    if isinstance(content, SuiteFault):
        return replace(grader, check=replace(grader.check, problem=content.message, problem_code=content.code))
    return replace(grader, check=replace(grader.check, content=content.decode("utf-8-sig", "replace")))


_Read = Grader | tuple[SuiteFault, ...]
_UNREAD: Final = Grader(name="", check=Baseline(criteria="", baseline_file=""))  # stands in until one is read


def _listed(listed: tuple[object, ...]) -> Iterator[tuple[SeenGrader, _Read]]:
    for index, values in enumerate(listed):
        place = SeenGrader(grader=_UNREAD, file=CASE_YAML, path=(_LIST, index))
        if isinstance(values, dict):
            yield place, read_grader(values, name=None, body=None)
        else:
            message = tr(
                "item {number} of 'graders' is {found}; expected a mapping with name and type",
                number=index + 1,
                found=described(values),
            )
            yield place, (SuiteFault(code="wrong-value", path=(), message=message),)


def _own_files(files: CaseFiles) -> Iterator[tuple[SeenGrader, _Read]]:
    for file, text in files.grader_files:
        name = PurePosixPath(file).name.removesuffix(".md")
        yield SeenGrader(grader=_UNREAD, file=file), read_grader(text.values, name=name, body=text.body)


def _same_names(graders: list[SeenGrader]) -> Iterator[PlacedFault]:
    first: dict[str, str] = {}
    for place in graders:
        name = place.grader.name
        if name in first:
            message = tr(
                "the name {name!r} is that of a grader in {file} too; give each its own name",
                name=name,
                file=first[name],
            )
            path = (*place.path, "name") if place.path else ()
            yield place.file, SuiteFault(code="duplicate-grader", path=path, message=message, values={"name": name})
        first.setdefault(name, place.file)


def _home(files: CaseFiles) -> str:
    return CASE_YAML if files.case_yaml and not files.prompt_md else "prompt.md"


def _no_grader(files: CaseFiles) -> SuiteFault:
    skipped = [file for file in files.texts if file.startswith("graders/")]
    found = tr("; what stands in {names} has no '---' block with a type", names=listed(skipped)) if skipped else ""
    message = tr("the case has no grader{found}; add graders/<name>.md with a type and its options", found=found)
    return SuiteFault(code="no-grader", path=(), message=message)

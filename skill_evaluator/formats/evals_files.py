"""The files that an eval names: read from beside its file, and from nowhere else."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from skill_evaluator.formats.testset_files import clash, path_fault
from skill_evaluator.formats.text_file import read_text
from skill_evaluator.formats.trigger_shapes import EVALS_FOLDER
from skill_evaluator.model import Finding

MAX_BYTES: Final = 1_000_000  # of one file; a test set holds them as text


@dataclass(frozen=True, kw_only=True, slots=True)
class LaidOut:
    """Files of one eval.

    Attributes:
        files: Their texts by the path that the eval gives.
        left_out: What it names and could not be carried over.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


def read_laid_out(value: object, folder: Path) -> LaidOut:
    """Read the files that an eval names.

    Args:
        value: A list of paths, or of objects with a path and its content; or an object of paths and contents.
        folder: Where the eval's file lies. In a folder `evals`, paths may also start at the folder above it, as
            skill-creator writes them.
    """
    found: dict[str, str] = {}
    left_out = []
    for path, content in _named(value):
        text = content if content is not None else _text(path, folder)
        if text is None or path_fault(path) or any(clash(path, other) for other in found):
            left_out.append(path or "?")
        else:
            found[path] = text
    return LaidOut(files=found, left_out=tuple(left_out))


def _named(value: object) -> Iterator[tuple[str, str | None]]:
    """Give each path with its content, or None where only the path stands there."""
    match value:
        case None:
            return
        case dict():
            entries: list[object] = [{"path": path, "content": content} for path, content in value.items()]
        case list():
            entries = value
        case _:
            entries = [value]
    for entry in entries:
        match entry:
            case str():
                yield entry, None
            case {"path": str(path), "content": str(content)} | {"name": str(path), "content": str(content)}:
                yield path, content
            case {"path": str(path)} | {"name": str(path)}:
                yield path, None
            case _:
                yield "", None


def _text(path: str, folder: Path) -> str | None:
    """Read a text that lies beside the eval's file, links resolved; None for anything else."""
    if not path or path_fault(path):
        return None
    bases = [folder, *([folder.parent] if os.path.basename(os.path.realpath(folder)) == EVALS_FOLDER else [])]  # noqa: PTH119 - a real name
    for base in bases:
        real, root = os.path.realpath(base / path), os.path.realpath(base)
        if os.path.commonpath([root, real]) == root and os.path.isfile(real):  # noqa: PTH113 - may raise
            text = read_text(Path(real), max_bytes=MAX_BYTES)
            return None if isinstance(text, Finding) or "\0" in text else text
    return None

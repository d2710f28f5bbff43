"""The key `files` of a test set: texts that stand in the agent's workspace, by paths that cannot lead out of it."""

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PureWindowsPath

from skill_evaluator.formats.testset_form import Form
from skill_evaluator.texts import tr

_KEY = "files"
_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile(r"[\0-\x1f\x7f]")
_EMPTY = re.compile(r"(^|/)\.?(/|$)")


def read_files(form: Form) -> Mapping[str, str]:
    """Give the texts by path; what is wrong is noted."""
    files = form.mapping(_KEY)
    for path, text in files.items():
        if not isinstance(text, str):
            form.wrong(text, (_KEY, path))
        if why := path_fault(path):
            message = tr(
                'the path "{path}" of "{key}" {why}; write a relative path such as "notes/todo.txt"',
                path=path,
                key=_KEY,
                why=why,
            )
            form.fault("bad-path", (_KEY, path), message, {"path": path})
    for path, other in _clashes(files):
        message = tr(
            'the paths "{other}" and "{path}" of "{key}" cannot stand side by side on every system; rename one',
            other=other,
            path=path,
            key=_KEY,
        )
        form.fault("path-clash", (_KEY, path), message, {"path": path, "other": other})
    return {path: text for path, text in files.items() if isinstance(text, str)}


def path_fault(path: str) -> str | None:
    """Say why a path cannot stand in a workspace; None for one that can."""
    checks = (
        (not path, tr("is empty")),
        (_CONTROL.search(path), tr("holds a control character")),
        ("\\" in path, tr("holds a backslash")),
        (path.startswith("/"), tr("is absolute")),
        (_DRIVE.match(path), tr("starts with a drive")),
        (".." in path.split("/"), tr('leads upwards by ".."')),
        (_EMPTY.search(path), tr('has a part that is empty or "."')),
    )
    return next((why for wrong, why in checks if wrong), None)


def leads_out(path: str) -> bool:
    """Say whether no file of a workspace can be at a path."""
    plain = posixpath.normpath(path)
    return "\0" in path or plain in {".", ".."} or plain.startswith(("/", "../")) or bool(PureWindowsPath(path).drive)


def clash(path: str, other: str) -> bool:
    """Say whether two paths cannot stand side by side on every system."""
    return _collide(_folded(path), _folded(other))


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _clashes(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Find paths that some file system takes for one, and files that would have to be folders as well."""
    seen: dict[str, str] = {}
    for path in paths:
        folded = _folded(path)
        other = next((seen[known] for known in seen if _collide(folded, known)), None)
        if other is not None:
            yield path, other
        seen.setdefault(folded, path)


def _collide(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}/") or other.startswith(f"{one}/")

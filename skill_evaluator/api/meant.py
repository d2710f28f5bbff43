"""What was probably meant where the skill or the test set of a run is not there."""

from collections.abc import Iterator
from pathlib import Path

from skill_evaluator.file_names import shown
from skill_evaluator.formats.skill_files import SKILL_FILE
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import tr

_MOST_NAMED = 10


def plugin_fault(folder: Path) -> Finding | None:
    """Say which skills there are, where the folder of a plugin was named in place of one; None for any other path."""
    if not folder.is_dir() or (folder / SKILL_FILE).exists():
        return None
    skills = sorted(path.parent for path in folder.glob(f"skills/*/{SKILL_FILE}"))
    if not skills:
        return None
    named = ", ".join(map(shown, skills[:_MOST_NAMED]))
    more = tr(" and {n} more", n=len(skills) - _MOST_NAMED) if len(skills) > _MOST_NAMED else ""
    message = tr(
        "this is a folder with {n} skills in it; a run scores one at a time, so name it: {named}{more}",
        n=len(skills),
        named=named,
        more=more,
    )
    return Finding(level=Level.FAIL, code="plugin-not-skill", message=message, file=str(folder))


def testset_fault(folder: Path) -> Finding:
    """Say that the folder of a skill holds no test set, and name a suite that could be taken in its place."""
    suite, cases = next(_suites(folder), None), next(_translations(folder), None)
    taken = tr("a score without test cases is refused")
    remedy = (
        tr("there is an eval suite, so say --testset {suite}", suite=shown(suite))
        if suite is not None
        else tr("there are translation cases, so say --testset {cases}", cases=shown(cases))
        if cases is not None
        else tr("name one with --testset")
    )
    where = tr(
        "neither {folder} nor {suite} exists",
        folder=folder / "testset.json",
        suite=folder / "evals" / "testset.json",
    )
    message = tr("no test set: {where}; {remedy} ({taken})", where=where, remedy=remedy, taken=taken)
    return Finding(level=Level.FAIL, code="testset-missing", message=message)


def _suites(folder: Path) -> Iterator[Path]:
    """Look for the suite of a skill, and for that of its plugin."""
    from skill_evaluator.formats.suite.suite import read_suite  # noqa: PLC0415 - loads YAML, and only after a fault

    for root in (folder, folder.parent.parent if folder.parent.name == "skills" else folder):
        loaded = read_suite(root / "evals") if (root / "evals").is_dir() else None
        if loaded is not None and not isinstance(loaded, Finding) and (loaded.suite.cases or loaded.refused):
            yield root / "evals"


def _translations(folder: Path) -> Iterator[Path]:
    """Look for the translation cases of a skill."""
    from skill_evaluator.formats.targets import find_targets  # noqa: PLC0415 - only after a fault

    yield from (target.path for target in find_targets(folder) if target.kind == "cases")

"""Two kinds of reports and cases: about translations, or about when a skill fires; neither says of the other."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from skill_evaluator.api.faults import option_fault
from skill_evaluator.api.testset_kinds import is_of_translations
from skill_evaluator.file_names import shown
from skill_evaluator.model import Finding, Level, Suite
from skill_evaluator.report.output_only import is_output_only
from skill_evaluator.results import Report
from skill_evaluator.texts import tr

_ABOUT: Final = {True: tr("translations"), False: tr("when a skill fires")}


def pair_faults(new: Report, old: Report, names: tuple[Path, Path]) -> Iterator[Finding]:
    """Refuse two reports that have no metric and no question in common.

    Args:
        new: The later report.
        old: The earlier one.
        names: How the user named them.
    """
    if is_output_only(new) is not is_output_only(old):
        message = tr(
            "{first} and {second} cannot be compared: one is about {about}, the other about "
            "{other}; name two of one kind",
            first=shown(names[0]),
            second=shown(names[1]),
            about=_ABOUT[True],
            other=_ABOUT[False],
        )
        yield Finding(level=Level.FAIL, code="compare-kinds", message=message)


def baseline_faults(suite: Suite | None, baseline: Report | None, name: Path | None) -> Iterator[Finding]:
    """Refuse an earlier report of the other kind, before anything is asked.

    Args:
        suite: The cases; None where they cannot be read, of which nothing is said here.
        baseline: The earlier report, or None.
        name: How the user named it, or None.
    """
    if suite is None or baseline is None:
        return
    ours, theirs = is_of_translations(suite), is_output_only(baseline)
    if ours is not theirs:
        message = tr(
            "cannot be a baseline: it is about {about}, and the cases about {other}; name a report of the same kind",
            about=_ABOUT[theirs],
            other=_ABOUT[ours],
        )
        yield Finding(level=Level.FAIL, code="compare-kinds", file=shown(name) if name else None, message=message)


def regrade_faults(suite: Suite | None, testset: Path | None, *, of_translations: bool) -> Iterator[Finding]:
    """Refuse cases of the other kind for runs that are there: not one of their questions was asked.

    Args:
        suite: The cases; None where they cannot be read.
        testset: What was named in place of the cases that are kept with the runs, or None.
        of_translations: Whether those are translation cases.
    """
    if suite is None or testset is None or is_of_translations(suite) is of_translations:
        return
    message = tr(
        "{testset!r} holds cases about {about}, and the runs are about "
        "{other}; name cases of the same kind, or leave it out",
        testset=shown(testset),
        about=_ABOUT[not of_translations],
        other=_ABOUT[of_translations],
    )
    yield option_fault("--testset", message)

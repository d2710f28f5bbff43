"""Annotations and the summary of a step, where GitHub Actions runs this; elsewhere nothing happens.

Annotations go to standard error, which GitHub reads as well, so that standard output stays what it is.
"""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skill_evaluator.cli.console import forget, say
from skill_evaluator.cli.github_log import is_on_github, workflow_command
from skill_evaluator.reasons import reason_of
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    from skill_evaluator.model import Finding
    from skill_evaluator.report.ci.annotations import Annotation
    from skill_evaluator.report.words import Lang
    from skill_evaluator.results import Report
    from skill_evaluator.results.suite_result import SuiteResult

_MOST_OF_SUMMARY: Final = 1024 * 1024  # bytes; GitHub shows nothing of a larger one
_SUMMARY: Final = "GITHUB_STEP_SUMMARY"
_SKILL_FILE: Final = "SKILL.md"  # a skill may be named by its folder, and a folder has no lines


def tell_report(report: "Report", lang: "Lang") -> None:
    """Tell GitHub what a report found."""
    if is_on_github():
        from skill_evaluator.report.ci.annotations import of_report  # noqa: PLC0415 - rarely needed
        from skill_evaluator.report.ci.pull_request import report_to_comment  # noqa: PLC0415

        _annotate(of_report(report, lang), lang)
        _summarize(lambda: report_to_comment(report, lang))


def tell_suite(result: "SuiteResult", lang: "Lang") -> None:
    """Tell GitHub what came of an eval suite."""
    if is_on_github():
        from skill_evaluator.report.ci.annotations import of_suite  # noqa: PLC0415 - rarely needed
        from skill_evaluator.report.ci.suite_pull_request import suite_result_to_comment  # noqa: PLC0415

        _annotate(of_suite(result, lang), lang)
        _summarize(lambda: suite_result_to_comment(result, lang))


def tell_comparison(page: Callable[[], str], stops: str, lang: "Lang") -> None:
    """Tell GitHub what changed between two reports or results.

    Args:
        page: Makes the comparison as Markdown.
        stops: Why it stops the build, in one line of plain text; empty where it does not.
        lang: The language of what is said besides.
    """
    if is_on_github():
        from skill_evaluator.report.ci.annotations import of_regression  # noqa: PLC0415 - rarely needed

        _annotate(of_regression(stops, lang), lang)
        _summarize(page)


def tell_findings(findings: "Sequence[Finding]", lang: "Lang") -> None:
    """Tell GitHub what is wrong or doubtful about inputs."""
    if is_on_github():
        from skill_evaluator.report.ci.annotations import of_findings  # noqa: PLC0415 - rarely needed
        from skill_evaluator.report.ci.findings import findings_to_comment  # noqa: PLC0415

        _annotate(of_findings(findings, lang), lang)
        _summarize(lambda: findings_to_comment(findings, lang))


def _annotate(annotations: "Iterable[Annotation]", lang: "Lang") -> None:
    from skill_evaluator.report.ci.annotations import shown  # noqa: PLC0415 - rarely needed

    for one in shown(annotations, lang):
        place = {} if one.file is None else _place(one.file, one.line)
        _print(workflow_command(one.level, {**place, "title": one.title}, one.message))


def _place(file: str, line: int | None) -> dict[str, str]:
    """Name a file as GitHub does, relative to the repository; one outside it has no place there."""
    root = os.environ.get("GITHUB_WORKSPACE")
    try:
        real = Path(file).resolve()
        real = real / _SKILL_FILE if (real / _SKILL_FILE).is_file() else real
        below = real.relative_to(Path(root or ".").resolve()).as_posix()
    except (OSError, ValueError, RuntimeError):
        return {}
    if not real.is_file():
        return {}
    return {"file": below} | ({} if line is None else {"line": str(line)})


def _print(line: str) -> None:
    """Print a command as it is: `say` would keep it from being one."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        forget(sys.stderr)


def _summarize(page: Callable[[], str]) -> None:
    """Add a page to the summary of the step; whatever goes wrong with that changes no result."""
    where = os.environ.get(_SUMMARY)
    if not where:
        return
    file = Path(where)
    text = page().encode(errors="backslashreplace") + b"\n"
    try:
        if (file.stat().st_size if file.exists() else 0) + len(text) > _MOST_OF_SUMMARY:
            say(tr("WARN {name}: the summary would be too long for GitHub; nothing was added", name=_SUMMARY))
            return
        with file.open("ab") as stream:
            stream.write(text)
    except OSError as error:
        say(tr("WARN {name}: the summary cannot be written: {reason}", name=_SUMMARY, reason=reason_of(error)))

"""A folder of translation cases in place of a test set: those of dev/ are asked, and a copy of them is kept."""

from pathlib import Path

from skill_evaluator.file_names import shown
from skill_evaluator.formats.evalcase.dev_cases import prompt_faults
from skill_evaluator.formats.visible import encodable
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import ntr


def case_bytes(path: Path, findings: list[Finding]) -> bytes | None:
    """Read the cases that may be asked, and give the copy that is kept with their runs.

    Files of locked cases are not opened.

    Args:
        path: A folder of cases, or one file of them.
        findings: What is wrong or doubtful, and how much was left out, is added to it.

    Returns:
        The copy; None where something is wrong.
    """
    from skill_evaluator.formats.evalcase.kept import kept_bytes  # noqa: PLC0415 - few need cases
    from skill_evaluator.formats.evalcase.reading import open_cases  # noqa: PLC0415 - likewise

    if faults := prompt_faults(path):
        findings += faults
        return None
    source = open_cases(path, include_locked=False)
    findings += source.findings
    if not source.is_sound:
        return None
    if source.left_out:
        findings.append(_left_out(path, source.left_out))
    return kept_bytes(source)


def _left_out(path: Path, files: int) -> Finding:
    return Finding(
        level=Level.WARN,
        code="locked-not-opened",
        message=ntr(
            "{n} file of locked cases was not opened, since no prompt may be made of them; "
            "`translation check` reads them",
            "{n} files of locked cases were not opened, since no prompt may be made of them; "
            "`translation check` reads them",
            files,
        ),
        file=encodable(shown(path)),
        values={"files": files},
    )

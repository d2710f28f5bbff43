"""What `--testset` may name, as bytes to keep: a test set, an eval suite, which is converted, or translation cases."""

import json
from collections.abc import Sequence
from pathlib import Path

from skill_evaluator.api.translation.testset import case_bytes
from skill_evaluator.file_names import shown
from skill_evaluator.formats.evalcase.dev_cases import names_cases
from skill_evaluator.formats.import_files import import_files
from skill_evaluator.formats.suite_sets import is_suite_path
from skill_evaluator.formats.testset import read_bytes
from skill_evaluator.formats.visible import encodable, visible
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import joined, ntr, tr


def testset_bytes(path: Path, *, skill: str | None, seed: int, findings: list[Finding]) -> bytes | None:
    """Give the bytes of a test set; those of cases of another form are made of them, the same with the same seed.

    Args:
        path: A test set; the folder of a suite, or the file of one of its cases; or translation cases.
        skill: Name of the skill under test, which decides the types of cases.
        seed: For the split of a suite.
        findings: What is wrong, and what of a suite was left out, is added to it.

    Returns:
        The bytes; None where there are none.
    """
    if names_cases(path):
        return case_bytes(path, findings)
    if not is_suite_path(path):
        raw = read_bytes(path)
        if isinstance(raw, bytes):
            return raw
        findings.append(raw)
        return None
    imported = import_files([path], skill=skill, seed=seed)
    findings += imported.findings
    if imported.findings:
        return None
    (rows,) = imported.sets.values()
    findings.append(_made(path, skill, len(rows), imported.notes))
    return json.dumps(list(rows), ensure_ascii=False, indent=1).encode()


def _made(path: Path, skill: str | None, rows: int, notes: Sequence[str]) -> Finding:
    """Say once what became of a suite."""
    cases = ntr("{n} case", "{n} cases", rows)
    told = joined(
        "; ", [tr("{cases} of this suite became a test set for the skill {skill!r}", cases=cases, skill=skill), *notes]
    )
    return Finding(
        level=Level.WARN,
        code="suite-as-testset",
        message=visible(told),
        file=encodable(shown(path)),
        values={"skill": skill, "cases": rows, "notes": list(notes)},
    )

"""The folder of an eval suite in place of a test set: its cases are converted, and what was converted is kept."""

import json
import os
from pathlib import Path

from skill_evaluator.file_names import shown
from skill_evaluator.formats.import_files import import_files
from skill_evaluator.formats.testset import read_bytes
from skill_evaluator.formats.visible import encodable
from skill_evaluator.model import Finding, Level


def testset_bytes(path: Path, *, skill: str | None, seed: int, findings: list[Finding]) -> bytes | None:
    """Give the bytes of a test set; those of a suite are made of its cases, the same each time with the same seed.

    Args:
        path: A test set, or the folder of a suite.
        skill: Name of the skill under test.
        seed: For the split of a suite.
        findings: What is wrong, and what of a suite was left out, is added to it.

    Returns:
        The bytes; None where there are none.
    """
    if not os.path.isdir(path):  # noqa: PTH112 - Path.is_dir may raise
        raw = read_bytes(path)
        if isinstance(raw, bytes):
            return raw
        findings.append(raw)
        return None
    imported = import_files([path], skill=skill, seed=seed)
    findings += imported.findings
    if imported.findings:
        return None
    findings += [
        Finding(level=Level.WARN, code="suite-as-testset", message=note, file=encodable(shown(path)))
        for note in imported.notes
    ]
    (rows,) = imported.sets.values()
    return json.dumps(list(rows), ensure_ascii=False, indent=1).encode()

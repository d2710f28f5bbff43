"""`validate`: what would break or mislead, told before anything is run."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from skill_evaluator.cli.console import say, show
from skill_evaluator.formats.loader import check_paths
from skill_evaluator.model import Finding, Level


def execute(options: argparse.Namespace) -> int:
    """Print all findings; the exit status is 1 if one of them stops a run."""
    findings = check_paths(options.paths)
    if options.json:
        show(json.dumps([_fields(finding) for finding in findings], ensure_ascii=False, indent=2))
    else:
        for finding in findings:
            show(str(finding))
        say(_summary(options.paths, findings))
    return 1 if any(finding.level is Level.FAIL for finding in findings) else 0


def _fields(finding: Finding) -> dict[str, object]:
    names = ("level", "code", "file", "case", "pointer", "line", "message")
    return {name: getattr(finding, name) for name in names}


def _summary(paths: Sequence[Path], findings: Sequence[Finding]) -> str:
    counts = [f"{sum(finding.level is level for finding in findings)} {level}" for level in Level]
    looked_at = ", ".join(str(path) for path in paths)
    return f"{', '.join(counts)} in {looked_at}"

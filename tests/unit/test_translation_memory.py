"""Memory does not grow with the number of pairs."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.translation_files import candidate_row, case_row, write_cases, write_rows

pytest.importorskip("resource", reason="only POSIX systems tell the peak of a process; run this test on Linux or macOS")

FEW, MANY = 2_000, 20_000
MEASURED = """
import resource, sys
from skill_evaluator.cli import main

assert main(["translation", "check", *sys.argv[1:], "--json"]) == 0
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak if sys.platform == "darwin" else peak * 1024, file=sys.stderr)
"""


def peak_bytes(root: Path, pairs: int) -> int:
    ids = [f"wording.tokens.{number:06}" for number in range(pairs)]
    write_cases(root, (case_row(one) for one in ids))
    file = write_rows(root / "candidates.jsonl", (candidate_row(one) for one in reversed(ids)))
    command = [sys.executable, "-c", MEASURED, str(root), str(file)]
    done = subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return int(done.stderr.split()[-1])


def test_ten_times_the_pairs_take_hardly_more_memory(tmp_path: Path) -> None:
    """18,000 more texts of cases and candidates alone would take 10 MB and more; 100 bytes a pair are 2 MB."""
    few, many = peak_bytes(tmp_path / "few", FEW), peak_bytes(tmp_path / "many", MANY)

    assert many - few < 5_000_000

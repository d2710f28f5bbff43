"""The benchmark of the advice: a word cut out of a description is named again."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "advice_cut_word.py"
SKILL_MD = """---
name: knits
description: Patterns for yarn projects such as scarves and socks.
---
# Knits
"""
QUERIES = [
    *(f"{what} {how}" for what in ("scarves", "socks") for how in ("for my aunt", "in blue", "for winter", "in wool")),
    *("fix the failing unit test", "translate the contract", "plot the sales", "book a flight"),
]
CORPUS = os.environ.get("SKILL_EVALUATOR_CORPUS")


def measure(corpus: str | Path, seeds: int) -> str:
    command = [sys.executable, str(BENCHMARK), str(corpus), str(seeds)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_figures_of_a_small_corpus_are_those_counted_by_hand(tmp_path: Path) -> None:
    """Four positives are for tuning; with three seeds only two words can be cut, and both must be named."""
    folder = tmp_path / "triggersets" / "someone+knits"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL_MD, "utf-8")
    rows = [f'{{"query": "{query}", "should_trigger": {str(n < 8).lower()}}}' for n, query in enumerate(QUERIES)]
    (folder / "trigger.json").write_text(f"[{', '.join(rows)}]", "utf-8")

    printed = measure(tmp_path, 3)

    cut = re.findall(r"^knits +(\w+) +[234] of 4 +named", printed, re.MULTILINE)
    assert sorted(cut) == ["scarves", "socks"]
    assert "(a) a rule that misses exactly the positives with the word: named in 2 of 2, 95% interval 0.34" in printed


@pytest.mark.skipif(not CORPUS, reason="SKILL_EVALUATOR_CORPUS does not name a folder of real trigger sets")
def test_a_word_cut_out_of_real_descriptions_is_mostly_named() -> None:
    printed = measure(str(CORPUS), 1)

    assert "aim: (a) at least 8 of 10: reached" in printed

"""The benchmark of the embedded agent: its figures, and what they must reach on real trigger sets."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "embedded_quality.py"
SKILL_MD = """---
name: knitting
description: Design knitting patterns with stitch counts, yarn amounts and gauge for sweaters, socks and scarves.
---
# Knitting
"""
QUERIES = [
    {"query": "stitch counts and yarn for a knitting pattern, socks", "should_trigger": True},
    {"query": "design a scarf pattern, gauge is 20 stitches", "should_trigger": True},
    {"query": "fix the failing unit test in the parser", "should_trigger": False},
    {"query": "translate the contract into German", "should_trigger": False},
    {"query": "plot the sales of last month", "should_trigger": False},
]
CORPUS = os.environ.get("SKILL_EVALUATOR_CORPUS")


def measure(corpus: str | Path) -> dict[str, str]:
    """Run the benchmark; its lines by their first words."""
    done = subprocess.run([sys.executable, str(BENCHMARK), str(corpus)], check=True, capture_output=True, text=True)
    return {line[:34].strip(): line[34:] for line in done.stdout.splitlines()}


def test_figures_of_a_small_corpus_are_those_counted_by_hand(tmp_path: Path) -> None:
    folder = tmp_path / "triggersets" / "someone+knitting"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL_MD, "utf-8")
    (folder / "trigger.json").write_text(json.dumps(QUERIES), "utf-8")

    lines = measure(tmp_path)

    assert lines["knitting"].split() == ["2", "3", "1.00", "[1.00,", "1.00]", "1.00", "1.00", "1.00", "0.00"]
    assert lines["- always fires"].split() == ["2", "3", "0.50", "0.40", "1.00", "0.57", "1.00"]
    assert lines["- never fires"].split() == ["2", "3", "0.50", "-", "0.00", "0.00", "0.00"]


@pytest.mark.skipif(not CORPUS, reason="SKILL_EVALUATOR_CORPUS does not name a folder of real trigger sets")
def test_mean_auc_on_real_trigger_sets_reaches_the_aim() -> None:
    """The constants were fixed without them; see docs/agents.md."""
    printed = " ".join(key + rest for key, rest in measure(str(CORPUS)).items())

    found = re.search(r"mean AUC (\d\.\d+)", printed)

    assert found is not None
    assert float(found[1]) >= 0.75

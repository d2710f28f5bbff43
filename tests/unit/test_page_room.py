"""A page without room for what draws charts."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from skill_evaluator.report.page import charts, distributions
from skill_evaluator.report.phrases import phrases
from tests.unit.case_pages import golden

PROGRAM = """
import sys
from pathlib import Path
import resource
resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))
from skill_evaluator.report.page.document import report_to_html
from tests.unit.case_pages import golden
page = report_to_html(golden(), sys.argv[1])
print("<svg" in page, 'id="no-charts"' in page, "numpy" in sys.modules, "vl_convert" in sys.modules)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no memory by process")
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_where_memory_is_limited_a_page_has_no_charts_and_says_so(lang: str) -> None:
    root = Path(__file__).resolve().parents[2]
    finished = subprocess.run(
        [sys.executable, "-c", PROGRAM, lang], capture_output=True, text=True, check=False, cwd=root
    )

    assert (finished.stdout, finished.stderr) == ("False True False False\n", "")


def test_a_value_on_an_edge_counts_in_the_bar_above_and_the_largest_in_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[charts.Bars] = []
    monkeypatch.setattr(distributions, "bar_chart", drawn.append)
    report = golden()
    case = report.cases[0]
    seconds = (0.0, 1.0, 7.9, 8.0)[: len(case.runs)]
    assert len(seconds) == 4

    distributions.times(
        replace(report, volatile=replace(report.volatile, durations_s={case.id: seconds})), phrases("en", "html")
    )

    [bars] = drawn
    assert list(bars.edges) == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert list(bars.counts) == [1, 1, 0, 0, 0, 0, 0, 2]

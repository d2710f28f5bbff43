"""Charts are drawn to scale, and not at all where drawing would end the process."""

import re
import subprocess
import sys

from skill_evaluator.report.page.charts import Strip, legend_of, strip_chart


def test_a_scale_goes_from_its_lower_end_to_one() -> None:
    ends = [re.findall(r">([\u2212\d.]+)</text>", str(strip_chart(Strip(value=0.5, low=low)))) for low in (0.0, -1.0)]

    assert [[float(end.replace("\u2212", "-")) for end in each] for each in ends] == [[0, 0.5, 1], [-1, 0, 1]]


def test_nothing_is_drawn_where_memory_is_limited() -> None:
    """What draws would end the whole process there, and the answer of a suite with it."""
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32));"
        "from skill_evaluator.report.page.charts import Bars, Strip, bar_chart, strip_chart;"
        "bars = Bars(edges=(0.0, 1.0), counts=(1,), marks=(), across='s', up='runs');"
        "print(strip_chart(Strip(value=0.5)), bar_chart(bars))"
    )

    assert (
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
        == "None None\n"
    )


def test_a_legend_lists_the_marks_that_are_drawn_and_no_other() -> None:
    plain, limited = Strip(value=0.5, interval=(0.4, 0.6)), Strip(value=0.5, limit=0.0, do_nothing=0.0)

    assert legend_of([plain]) == ("value", "interval")
    assert legend_of([limited, plain]) == ("value", "interval", "limit", "never")
    assert legend_of([Strip(value=0.5, old=0.0)]) == ("value", "old")
    assert legend_of([]) == ()

"""What a page of very many cases takes: bytes, seconds to lay it out, first paint, longest pause in a browser.

10,000 cases are made up (with a fixed seed), asked five times each, scored and laid out. Seconds are those of the
processor, told beside those of `json.dumps` of the same report in the same process, so that machines can be compared.
The browser (Chromium) opens the file, turns pages, sorts, filters, searches and scrolls. Prints; never fails because
of a figure.

    python benchmarks/page.py [CASES]
"""

import json
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import scale

from skill_evaluator.api.regrade import regrade
from skill_evaluator.api.request import RegradeRequest
from skill_evaluator.report.page.document import report_to_html
from skill_evaluator.report.serialize import report_to_json
from skill_evaluator.results import Report

if TYPE_CHECKING:
    from playwright.sync_api import Page

CASES, RUNS = 10_000, 5
AIM_MB, AIM_PAINT_MS, AIM_PAUSE_MS = 15, 2_000, 100
WATCH = """
window.pauses = [];
new PerformanceObserver((list) => pauses.push(...list.getEntries().map((one) => one.duration)))
  .observe({ type: "longtask", buffered: true });
"""


def made_up(cases: int) -> Report:
    """Give a report of so many cases."""
    scale.RUNS = RUNS
    with tempfile.TemporaryDirectory() as place:
        scale.make_folder(Path(place) / "run", cases)
        return regrade(RegradeRequest(path=Path(place) / "run", output_dir=Path(place) / "reports"))


def laid_out(report: Report) -> tuple[str, float]:
    """The page, and how many times the seconds of `json.dumps` it takes."""
    content = json.loads(report_to_json(report))
    start = time.process_time()
    json.dumps(content)
    dumped = time.process_time()
    html = report_to_html(report, "en")
    made = time.process_time()
    print(f"laid out in {made - dumped:.2f} s, {(made - dumped) / (dumped - start):.1f} times json.dumps of the report")
    return html, made - dumped


def in_browser(path: Path) -> None:
    """Open it and do what a reader does."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - not every machine has it

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-background-networking"]
        )
        tab = browser.new_page(viewport={"width": 1280, "height": 800})
        tab.add_init_script(WATCH)
        tab.goto(path.as_uri())
        paint = tab.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null")
        print(f"first paint after {paint:.0f} ms (aim: below {AIM_PAINT_MS})")
        told(tab, "loading, in which the tool that steers the browser decodes the whole file once more")
        for _ in range(30):
            tab.mouse.wheel(0, 900)
            tab.wait_for_timeout(30)
        told(tab, "scrolling")
        for name in ("next", "next", "last", "previous", "first"):
            for bar in ("#row-pages", "#card-pages"):
                tab.click(f"{bar} button[value={name}]")
                tab.wait_for_timeout(50)
        told(tab, "paging")
        for head in tab.query_selector_all("thead button"):
            head.click()
            head.click()
        told(tab, "sorting")
        tab.fill("input[name=search]", "lava bridge")
        tab.select_option("select[name=outcome]", index=1)
        tab.click("button[type=reset]")
        told(tab, "filtering")
        tab.evaluate("location.hash = '#case-c9999'")
        tab.wait_for_timeout(100)
        told(tab, "following a link")
        browser.close()


def told(tab: "Page", what: str) -> None:
    """Print the longest pause since the last time."""
    tab.wait_for_timeout(100)
    pauses = tab.evaluate("pauses.splice(0)")
    aim = f"{len(pauses)} above 50; aim: none above {AIM_PAUSE_MS}"
    print(f"longest pause while {what}: {max(pauses, default=0):.0f} ms ({aim})")


def main() -> None:
    """Make, lay out, open."""
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else CASES
    html, _ = laid_out(made_up(cases))
    size = len(html.encode())
    print(f"{cases:,} cases x {RUNS}: {size / 1e6:.1f} MB (aim: below {AIM_MB})")
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "report.html"
        path.write_text(html, "utf-8")
        in_browser(path)


if __name__ == "__main__":
    main()

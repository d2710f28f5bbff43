"""Opens a page in Chromium and tells what it did: for tests of pages; the fixture is `browser` of conftest.py.

    def test_a_page_is_quiet(browser: Browser) -> None:
        with browser.open(html, width=360, theme="dark") as opened:
            assert opened.errors == opened.requests == []
            assert opened.axe() == []
            assert not opened.overflows()
            opened.page.keyboard.press("Tab")  # the page of Playwright
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import ConsoleMessage, Page, Request, sync_playwright

GET_CHROMIUM = (
    "there is no Chromium: `apt-get install chromium` or `playwright install chromium`, "
    "or name one in SKILL_EVALUATOR_CHROMIUM"
)
HEIGHT = 768
_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_ARGUMENTS = ("--no-sandbox", "--disable-background-networking", "--disable-component-update")
_SERIOUS = frozenset({"serious", "critical"})


@dataclass(kw_only=True)
class Opened:
    """A page that Chromium shows.

    Attributes:
        page: Playwright's own page, to press keys and to ask things of.
        errors: What the console said of errors and warnings, breaches of the policy among them, and what was thrown.
        requests: Every address that was asked for, but for that of the page itself.
    """

    page: Page
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def axe(self) -> list[str]:
        """What axe-core finds that is serious or critical: rule, element and what to do, one line each."""
        self.page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
            for one in found["violations"]
            if one["impact"] in _SERIOUS
            for node in one["nodes"]
        ]

    def overflows(self) -> bool:
        """Whether the page as a whole can be scrolled sideways."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))

    def bottom(self, selector: str) -> float:
        """How many CSS pixels from the top of the page the first such element ends."""
        box = self.page.locator(selector).first.bounding_box()
        assert box is not None, f"{selector} is not shown"
        return box["y"] + box["height"] + float(self.page.evaluate("window.scrollY"))

    def shoot(self, path: Path, *, whole: bool = True) -> None:
        """Take a picture as PNG: of the whole page, or of what is in sight."""
        self.page.screenshot(path=path, full_page=whole)


class Browser:
    """A running Chromium; each page opens in a profile of its own, without a network."""

    def __init__(self, chromium: Chromium, folder: Path) -> None:
        self._chromium = chromium
        self._folder = folder

    @contextmanager
    def open(
        self,
        html: str,
        *,
        width: int = 1440,
        height: int = HEIGHT,
        theme: Literal["light", "dark"] = "light",
        still: bool = True,
        script: bool = True,
    ) -> Iterator[Opened]:
        """Show a page until the block ends.

        Args:
            html: The page.
            width: Of the window, in CSS pixels.
            height: Of the window, in CSS pixels.
            theme: What the system prefers.
            still: Whether the system asks for less motion.
            script: Whether scripts may run.
        """
        place = self._folder / "page.html"
        place.write_text(html, "utf-8")
        context = self._chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,
            reduced_motion="reduce" if still else "no-preference",
            java_script_enabled=script,
            offline=True,
        )
        try:
            opened = Opened(page=context.new_page())
            _listen(opened, place.as_uri())
            opened.page.goto(place.as_uri())
            yield opened
        finally:
            context.close()


def _listen(opened: Opened, address: str) -> None:
    def said(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            opened.errors.append(message.text)

    def asked(request: Request) -> None:
        if request.url != address:
            opened.requests.append(request.url)

    opened.page.on("console", said)
    opened.page.on("pageerror", lambda error: opened.errors.append(str(error)))
    opened.page.on("request", asked)


@contextmanager
def started_browser(folder: Path) -> Iterator[Browser]:
    """Start Chromium; skips the test where there is none.

    Args:
        folder: An empty folder for the pages.
    """
    with sync_playwright() as playwright:
        program = _program(playwright.chromium.executable_path)
        if program is None:
            pytest.skip(GET_CHROMIUM)
        chromium = playwright.chromium.launch(executable_path=program, args=list(_ARGUMENTS))
        try:
            yield Browser(chromium, folder)
        finally:
            chromium.close()


def _program(own: str) -> str | None:
    """The one that is named, else the system's, else that of Playwright."""
    if named := os.environ.get("SKILL_EVALUATOR_CHROMIUM"):
        return named
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    return found or (own if Path(own).is_file() else None)

"""Reads numbers back out of what was laid out for people: tables, drawings and the visible text of pages."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lxml import html as lxml_html

Rows = list[list[str]]
_BASELINE = 3  # pixels by which the foot of a label of 10 pixels stands below what it names

# A number with its signs; digits within a word (F1, P95, 3a7f) are no number.
NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.,$])[<>]?[+-]?<?\$?\d+(?:,\d{3})*(?:\.\d+)?%?(?:e-?\d+)?(?![A-Za-z_\d])", re.ASCII
)
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
_QUOTED = "self::code or self::pre or self::script or self::style or self::svg or self::b or self::noscript"
_INLINE = ("a", "em", "i", "span", "strong")
_CASE_TEXTS = "contains(@class, 'wide') or (self::th and ancestor::table[@class='cases'])"


def numbers_in(text: str) -> list[str]:
    """Numbers in a sentence, quoted texts left out; a sign belongs to its number where no word stands before it."""
    return NUMBER.findall(without_code(text))


def without_code(text: str) -> str:
    return _CODE.sub(" ", text)


def page_of(text: str) -> Any:  # noqa: ANN401 - lxml has no types
    return lxml_html.document_fromstring(text)


def text_of(element: Any) -> str:  # noqa: ANN401 - lxml has no types
    return " ".join(element.text_content().split())


def unquoted(element: Any) -> str:  # noqa: ANN401 - lxml has no types
    """The text of an element without what is quoted in it."""
    found = element.xpath(f".//text()[not(ancestor::*[{_QUOTED}])]")
    return " ".join("".join(found).split())


def html_tables(section: Any) -> Iterator[Rows]:  # noqa: ANN401 - lxml has no types
    """Tables of metrics and the like; those of the confusion and of cases have classes of their own."""
    for table in section.xpath(".//table[not(@class)]"):
        yield html_rows(table)


def html_rows(table: Any) -> Rows:  # noqa: ANN401 - lxml has no types
    return [[text_of(cell) for cell in row.xpath("./th | ./td")] for row in table.xpath("./tbody/tr")]


def markdown_tables(text: str) -> list[Rows]:
    """Tables without their headers; code spans are read as their text."""
    found: list[Rows] = []
    lines = text.splitlines()
    for place, line in enumerate(lines):
        if re.fullmatch(r"\|(-+\|)+", line):
            found.append([])
            for row in lines[place + 1 :]:
                if not row.startswith("|"):
                    break
                found[-1].append([_bare(cell) for cell in re.split(r"(?<!\\)\|", row)[1:-1]])
    return found


def _bare(cell: str) -> str:
    text = re.sub(r"`(.*?)`", r"\1", cell.strip())
    return " ".join(text.replace("**", "").replace("\\|", "|").split())


def visible_blocks(page: Any) -> Iterator[str]:  # noqa: ANN401 - lxml has no types
    """The visible text of a page, a paragraph or cell at a time, without what is quoted from others."""
    blocks: dict[Any, list[str]] = {}
    for text in page.xpath(f"//body//text()[normalize-space()][not(ancestor::*[{_QUOTED} or {_CASE_TEXTS}])]"):
        parent = text.getparent() if text.is_text else text.getparent().getparent()
        while parent.tag in _INLINE:
            parent = parent.getparent()
        blocks.setdefault(parent, []).append(str(text))
    yield from (" ".join("".join(each).split()) for each in blocks.values())
    yield from map(str, page.xpath("//body//@aria-label"))


def strip_places(drawing: Any) -> dict[str, Any]:  # noqa: ANN401 - lxml has no types
    """Where the marks of a strip stand, in shares of its scale: by colour, the interval as a pair.

    The scale is read from the drawn axis, whose ticks are labelled with the values that they stand at.
    """
    axis = [
        (_signed(label.text), _first(label.get("transform")))
        for label in drawing.xpath(".//*[local-name()='g'][contains(@class, 'role-axis-label')]/*")
    ]
    (low, start), (high, end) = min(axis), max(axis)
    found: dict[str, Any] = {}
    marks = "contains(@class, 'role-mark')"
    for mark in drawing.xpath(f".//*[local-name()='g'][{marks}]/*[local-name()='path']"):
        colour = (mark.get("fill") or mark.get("stroke") or "").removeprefix("var(--").removesuffix(")")
        place = mark.get("transform")
        xs = [_first(place)] * 2 if place else _across(mark.get("d"))
        shares = [low + (x - start) * (high - low) / (end - start) for x in xs]
        found[colour] = tuple(shares) if colour == "chart" else sum(shares) / 2
    return found


def _first(place: str) -> float:
    return float(re.findall(r"-?[\d.]+", place)[0])


def _signed(label: str) -> float:
    return float(label.replace("\N{MINUS SIGN}", "-"))


def _across(path: str) -> Sequence[float]:
    """How far a drawn shape goes from left to right; `h` is relative to where the pen is."""
    pen, xs = 0.0, []
    for command, told in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        numbers = [float(one) for one in re.findall(r"-?[\d.]+(?:e-?\d+)?", told)]
        if command == "h":
            pen += numbers[0]
        elif command in "ML":
            pen = numbers[0]
        elif command == "C":
            pen = numbers[4]
        xs.append(pen)
    return min(xs), max(xs)


def bars(drawing: Any) -> list[float]:  # noqa: ANN401 - lxml has no types
    """How high each bar stands, in the units of the upright axis."""
    low, a_pixel, _ = _axis(drawing, upright=True)
    paths = drawing.xpath(".//*[local-name()='g'][contains(@class, 'role-mark')]/*[local-name()='path']/@d")
    return [low + float(re.findall(r"v(-?[\d.]+)", path)[0]) * -a_pixel for path in paths]


def rules(drawing: Any) -> list[float]:  # noqa: ANN401 - lxml has no types
    """At which values upright lines stand, in the units of the level axis."""
    low, a_pixel, start = _axis(drawing, upright=False)
    lines = drawing.xpath(".//*[local-name()='g'][contains(@class, 'role-mark')]/*[local-name()='line']/@transform")
    return [low + (_first(line) - start) * a_pixel for line in lines]


def dots(drawing: Any) -> list[float]:  # noqa: ANN401 - lxml has no types
    """At which values of the upright axis dots stand, from left to right."""
    low, a_pixel, bottom = _axis(drawing, upright=True)
    symbols = ".//*[local-name()='g'][contains(@class, 'mark-symbol')]/*[local-name()='path']/@transform"
    places = sorted([float(one) for one in re.findall(r"-?[\d.]+", place)[:2]] for place in drawing.xpath(symbols))
    return [low + (y - bottom) * a_pixel for _, y in places]


def _axis(drawing: Any, *, upright: bool) -> tuple[float, float, float]:  # noqa: ANN401 - lxml has no types
    """The lowest label, how much one pixel is, and where the lowest stands; each label must stand where it belongs."""
    labels = drawing.xpath(".//*[local-name()='g'][contains(@class, 'role-axis-label')]")[-1 if upright else 0]
    below = _BASELINE if upright else 0
    axis = [(_signed(one.text), _place(one)[upright] - below) for one in labels]
    (low, start), (high, end) = axis[0], axis[-1]
    a_pixel = (high - low) / (end - start)
    for value, place in axis:
        assert abs(low + (place - start) * a_pixel - value) <= abs(a_pixel), f"{value} stands at {place} of {axis}"
    return low, a_pixel, start


def _place(mark: Any) -> list[float]:  # noqa: ANN401 - lxml has no types
    return [float(one) for one in re.findall(r"-?[\d.]+", mark.get("transform"))[:2]]

"""The lines at the foot of a terminal while runs are under way: a bar with what is known of them."""

from collections.abc import Iterable

from skill_evaluator.cli.language import spoken
from skill_evaluator.cli.tally import Tally
from skill_evaluator.cli.wrapping import wrapped
from skill_evaluator.report.escape import display_width
from skill_evaluator.texts import localized

_LONGEST, _SHORTEST = 30, 8  # columns of the bar
_BETWEEN = " · "


def foot_of(tally: Tally, width: int, *, besides: str = "") -> str:
    """Draw how far runs are: in one line where there is room, else bar and times first, counts and cost below.

    Args:
        tally: The runs.
        width: Columns of the terminal.
        besides: Something else that is under way, as the calls of a judge.
    """
    done = f"{tally.finished}/{tally.total}"
    counts, cost, times, besides = (_said(text) for text in (tally.outcome(), tally.cost(), tally.times(), besides))
    whole = _joined([done, counts, cost, times, besides])
    room = width - 1 - display_width(whole) - 1
    if room >= _SHORTEST:
        return f"{_bar(tally, room)} {whole}"
    first, second = _joined([done, times]), _joined([counts, cost, besides])
    room = width - 1 - display_width(first) - 1
    return wrapped(f"{_bar(tally, room)} {first}" if room >= _SHORTEST else first, width - 1) + (
        f"\n{wrapped(second, width - 1)}" if second else ""
    )


def _bar(tally: Tally, room: int) -> str:
    length = min(_LONGEST, room)
    full = int(length * tally.share())
    return "━" * full + "─" * (length - full)


def _joined(parts: Iterable[str]) -> str:
    return _BETWEEN.join(filter(None, parts))


def _said(text: str) -> str:
    return localized(text, spoken())

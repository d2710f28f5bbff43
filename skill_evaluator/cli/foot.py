"""Lines at the foot of a terminal that are drawn anew all the time, below whatever else is said."""

import sys
from collections.abc import Callable
from contextvars import copy_context

from skill_evaluator.cli.console import is_styled, width_of

_USUAL_WIDTH = 80
_DRAWN_PER_S = 4


class Foot:
    """Lines that show how far something is; what is said meanwhile stands above them, and in the end they are gone.

    Args:
        draw: Gives the lines, told how many columns there are; called from a thread of its own.
    """

    def __init__(self, draw: Callable[[int], str]) -> None:
        from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
        from rich.live import Live  # noqa: PLC0415 - only a terminal needs it
        from rich.text import Text  # noqa: PLC0415 - only a terminal needs it

        terminal, spoken_in = sys.stderr, copy_context()  # a new thread would not know the language
        self._live = Live(
            console=Console(file=terminal, force_terminal=True, highlight=False),
            get_renderable=lambda: Text(
                spoken_in.copy().run(draw, width_of(terminal) or _USUAL_WIDTH), no_wrap=True, overflow="crop"
            ),
            refresh_per_second=_DRAWN_PER_S,
            transient=True,
            redirect_stdout=False,
        )

    def begin(self) -> None:
        """Show the lines; what goes to standard error from now on comes above them."""
        self._live.start(refresh=True)

    def end(self) -> None:
        """Take them away."""
        self._live.stop()


def can_draw() -> bool:
    """Whether somebody watches standard error at a terminal that can move back over what it shows."""
    return is_styled(sys.stderr)

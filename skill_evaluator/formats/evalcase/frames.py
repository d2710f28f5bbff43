"""Lines of a file that differ in id and source alone, as those of a whole test set often do: the rest is read once.

Nothing is taken on trust. What stands around an id and a source is read as any line is, with two other pairs of texts
in their places: only where exactly these come out again as the id and the source of the case is it a frame.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from skill_evaluator.formats.evalcase.json_line import may_hold_half, read_object

_KEPT: Final = 256  # frames, so that memory stays flat
_LENGTH: Final = 4_000  # characters of a line; a longer one is read whole
_PATIENCE: Final = 64  # lines that had a frame of their own, more than had a known one, before no more are looked at
_TRIED: Final = (("a", "b"), ("c", "d"))  # ids and sources
_DECODER: Final = json.JSONDecoder()

_Frame = tuple[str, str, str]  # what stands before the id, between id and source, and after the source


class Frames:
    """Reads one line after the other.

    Args:
        is_sound: Whether a case has no fault, which is asked for each frame with an id and a source that have none.
    """

    def __init__(self, is_sound: Callable[[Mapping[str, object]], bool]) -> None:
        self._is_sound = is_sound
        self._known: dict[_Frame, dict[str, Any] | None] = {}
        self._patience = _PATIENCE

    def read(self, text: str) -> dict[str, Any] | None:
        """Read a line whose frame is sound.

        Returns:
            The object, of which only id and source are to be looked at; None where the line has to be read whole.
        """
        if len(text) > _LENGTH or self._patience < 0 or (parts := _split(text)) is None:
            return None
        frame, case_id, source = parts
        if frame in self._known:
            row = self._known[frame]
            self._patience = min(self._patience + 1, _PATIENCE)
        else:
            row = self._learn(frame)
            self._patience -= 1
        return None if row is None else {**row, "id": case_id, "source": source}

    def _learn(self, frame: _Frame) -> dict[str, Any] | None:
        if len(self._known) >= _KEPT:
            self._known.clear()
        row = self._known[frame] = _row_of(frame)
        if row is not None and not self._is_sound(row):
            row = self._known[frame] = None
        return row


def _split(text: str) -> tuple[_Frame, str, str] | None:
    """Cut id and source out of a line; None where they do not stand there in this order, or need a closer look."""
    colon = '": ' if '"id": "' in text else '":'
    id_at = text.find(f'"id{colon}"')
    source_at = text.find(f'"source{colon}"', id_at)
    if id_at < 0 or source_at < 0 or may_hold_half(text):
        return None
    id_at += len('"id') + len(colon)
    source_at += len('"source') + len(colon)
    try:
        case_id, id_end = _DECODER.raw_decode(text, id_at)
        source, source_end = _DECODER.raw_decode(text, source_at)
    except ValueError:
        return None
    return (text[:id_at], text[id_end:source_at], text[source_end:]), case_id, source


def _row_of(frame: _Frame) -> dict[str, Any] | None:
    """Read a frame; None where it has a fault, or has its gaps elsewhere than at the id and the source of the case."""
    before, between, after = frame
    rows = []
    for texts in _TRIED:
        row, faults = read_object(f'{before}"{texts[0]}"{between}"{texts[1]}"{after}')
        if row is None or faults or (row.get("id"), row.get("source")) != texts:
            return None
        rows.append(row)
    return dict(rows[0])

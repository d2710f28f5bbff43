"""The macros that lay out cases, and what is the same in many of them, each made once."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from skill_evaluator.report.escape import Html, Md
from skill_evaluator.report.phrases import Phrases

if TYPE_CHECKING:
    from jinja2.environment import TemplateModule

_Made = TypeVar("_Made")

_TEMPLATE = "page/case_macros.html.j2"
_MOST_KEPT = 20_000  # of either kind; more are made anew
_GAP = "\0"  # stands in nothing that is shown: texts of others have a sign for it


@dataclass(frozen=True, kw_only=True, slots=True)
class _Form:
    """What a macro gave for views that differ in their slots alone: texts, and between them the places of slots."""

    pieces: Sequence[str]
    slots: Sequence[int]

    def filled(self, slots: Sequence[Md], say: Phrases) -> Html:
        """Put the slots in."""
        parts = [*self.pieces]
        for place, slot in enumerate(self.slots):
            found = slots[slot]
            parts[2 * place + 1] = found if isinstance(found, Html) else say.together(found)
        return Html("".join(parts))


class Layout:
    """Says and lays out what a list of cases shows; what is asked for again is remembered, as nearly all is."""

    def __init__(self, say: Phrases) -> None:
        self.say = say
        self._macros: TemplateModule = say.environment.get_template(_TEMPLATE).module
        self._kept: dict[Hashable, Any] = {}
        self._forms: dict[Hashable, _Form] = {}

    def told(self, key: str, /, **values: Hashable) -> Md:
        """Say a sentence with values that many cases have, such as counts."""
        return self.kept((key, *values.items()), lambda: Html(self.say(key, **values)))

    def made(self, macro: str, *values: Any) -> Html:  # noqa: ANN401 - whatever a macro lays out
        """Lay something out."""
        return Html(getattr(self._macros, macro)(*values))

    def kept(self, known: Hashable, make: Callable[[], _Made]) -> _Made:
        """Give what is known by that key, made where it is not kept."""
        found: _Made | None = self._kept.get(known)
        if found is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            found = self._kept[known] = make()
        return found

    def filled(self, macro: str, *views: Any) -> Html:  # noqa: ANN401 - any views
        """Lay out what many cases have alike but for some words.

        Args:
            macro: Its name.
            views: What it is given: words of a case; dataclasses whose `SLOTS` name the fields that hold such words;
                and other hashable values. A macro does nothing to the words but put them out, or ask whether there are
                any.
        """
        shape, slots = _apart(views)
        known = (macro, *shape)
        form = self._forms.get(known)
        if form is None:
            if len(self._forms) >= _MOST_KEPT:
                self._forms.clear()
            form = self._forms[known] = self._form(macro, views)
        return form.filled(slots, self.say)

    def _form(self, macro: str, views: Sequence[Any]) -> _Form:
        pieces = self.made(macro, *_with_gaps(views)).split(_GAP)
        return _Form(pieces=pieces, slots=tuple(map(int, pieces[1::2])))


def _apart(views: Sequence[Any]) -> tuple[list[Hashable], list[Md]]:
    """What decides about the form of views, and their slots; of a slot without words itself."""
    shape: list[Hashable] = []
    slots: list[Md] = []
    for view in views:
        if isinstance(view, Html):
            put: tuple[Md, ...] = (view,)
        elif names := getattr(view, "SLOTS", None):
            put_of, rest_of = _getters(view.__class__, names)
            put = put_of(view)
            shape.append(rest_of(view))
        else:
            put = ()
            shape.append(view)
        slots += put
        shape += [True if one else one for one in put]
    return shape, slots


def _with_gaps(views: Sequence[Any]) -> list[Any]:
    """The same views, with the number of each slot that has words in its place."""
    marked: list[Any] = []
    count = 0
    for view in views:
        if isinstance(view, Html):
            marked.append(Html(f"{_GAP}{count}{_GAP}") if view else view)
            count += 1
        elif names := getattr(view, "SLOTS", None):
            gaps = {name: Html(f"{_GAP}{place}{_GAP}") for place, name in enumerate(names, start=count)}
            marked.append(replace(view, **{name: gap for name, gap in gaps.items() if getattr(view, name)}))
            count += len(names)
        else:
            marked.append(view)
    return marked


@cache
def _getters(kind: type, names: tuple[str, ...]) -> tuple[Callable[[Any], tuple[Md, ...]], Callable[[Any], Hashable]]:
    rest = [field.name for field in fields(kind) if field.name not in names]
    return attrgetter(*names), attrgetter(*rest) if rest else _nothing


def _nothing(_view: object) -> None:
    return None

"""The macros that lay out cases, and words that are said of many of them, each made once."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from skill_evaluator.report.escape import Html, Md
from skill_evaluator.report.phrases import Phrases

if TYPE_CHECKING:
    from jinja2.environment import TemplateModule

_TEMPLATE = "page/case_macros.html.j2"
_MOST_KEPT = 20_000  # of either kind; more are made anew


class Layout:
    """Says and lays out what a list of cases shows; what is asked for again is remembered, as nearly all is."""

    def __init__(self, say: Phrases) -> None:
        self.say = say
        self._macros: TemplateModule = say.environment.get_template(_TEMPLATE).module
        self._kept: dict[Hashable, Html] = {}

    def told(self, key: str, /, **values: Hashable) -> Md:
        """Say a sentence with values that many cases have, such as counts."""
        known = (key, *values.items())
        if known not in self._kept:
            self._keep(known, Html(self.say(key, **values)))
        return self._kept[known]

    def made(self, macro: str, *values: Any) -> Html:  # noqa: ANN401 - whatever a macro lays out
        """Lay something out."""
        return Html(getattr(self._macros, macro)(*values))

    def made_once(self, macro: str, *values: Hashable) -> Html:
        """Lay out what many cases have alike."""
        known = (macro, *values)
        found = self._kept.get(known)
        return found if found is not None else self._keep(known, self.made(macro, *values))

    def _keep(self, known: Hashable, html: Html) -> Html:
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        self._kept[known] = html
        return html

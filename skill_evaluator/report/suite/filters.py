"""By what the cases of a suite's page are filtered and put in order; the page's script does it."""

from collections.abc import Sequence
from dataclasses import dataclass

from skill_evaluator.report.escape import Html, Md
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.suite.cards import CaseCard

_KINDS = ("below", "worse", "trouble")


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """One entry of a list to choose from; `value` is what the script goes by."""

    value: Html
    label: Md


def kinds_of(card: CaseCard) -> Html:
    """Name the filters that show a case, with spaces between."""
    found = {"below": not card.passed, "worse": card.is_worse, "trouble": card.has_trouble}
    return Html(" ".join(kind for kind in _KINDS if found[kind]))


def filters(cards: Sequence[CaseCard], say: Phrases, *, two_arms: bool) -> tuple[Choice, ...]:
    """Give what can be shown, each with its number of cases; in one arm nothing can be worse."""
    kinds = [kinds_of(card).split() for card in cards]
    choices = [Choice(value=Html(""), label=say("suite.show_all", cases=len(cards)))]
    for kind in _KINDS:
        if two_arms or kind != "worse":
            label = say(f"suite.show_{kind}", cases=sum(kind in one for one in kinds))
            choices.append(Choice(value=Html(kind), label=label))
    return tuple(choices)


def orders(say: Phrases, *, two_arms: bool) -> tuple[Choice, ...]:
    """Give the orders in which cases can be put; the first is their own."""
    keys = ("suite", "score", "delta", "name") if two_arms else ("suite", "score", "name")
    return tuple(Choice(value=Html(key), label=say(f"suite.order_{key}")) for key in keys)

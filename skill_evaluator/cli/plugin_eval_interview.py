"""The questions of `plugin-eval init`: each proposed case is taken, changed or dropped."""

from collections.abc import Sequence
from dataclasses import replace

from skill_evaluator.api.plugin_eval.starter_files import Proposal
from skill_evaluator.cli.asking import ask
from skill_evaluator.cli.console import say
from skill_evaluator.model import one_line
from skill_evaluator.texts import joined, tr

_CHOICES = tr("[t]ake, [c]hange, [d]rop, take [a]ll that is left, [q]uit:")
_LETTERS = frozenset("tcdaq")


def choose(proposals: Sequence[Proposal]) -> Sequence[Proposal]:
    """Ask about each proposal.

    Returns:
        Those to write, as changed and then taken; none where the user has quit.
    """
    chosen: list[Proposal] = []
    for place, proposed in enumerate(proposals):
        proposal, choice = _settled(proposed, tr("{place} of {n}", place=place + 1, n=len(proposals)))
        match choice:
            case "a":
                return [*chosen, proposal, *proposals[place + 1 :]]
            case "q":
                return ()
            case "t":
                chosen.append(proposal)
            case _:
                pass
    return chosen


def _settled(proposal: Proposal, place: str) -> tuple[Proposal, str]:
    """Ask until it is taken or dropped; one that was changed is shown again first."""
    while True:
        say(joined("\n", ["", place, shown(proposal)]))
        if (choice := _choice()) != "c":
            return proposal, choice
        proposal = _changed(proposal)


def shown(proposal: Proposal) -> str:
    """Show a proposal; texts of others are made harmless."""
    expected = tr("should start") if proposal.kind == "fires" else tr("should not start")
    other = tr(", {sibling} should", sibling=one_line(proposal.sibling)) if proposal.sibling else ""
    about = tr("{skill} {expected}{other}", skill=one_line(proposal.skill), expected=expected, other=other)
    lines = [about, *_quoted(tr("user"), proposal.prompt)]
    return joined("\n", [*lines, *(_quoted(tr("judge"), proposal.criteria) if proposal.criteria else ())])


def _quoted(who: str, text: str) -> list[str]:
    return [tr("  {who}: {line}", who=who, line=one_line(line)) for line in text.splitlines() if line.strip()]


def _choice() -> str:
    while (answer := _asked(_CHOICES)) not in _LETTERS:
        if answer is None:
            return "q"
    return answer


def _changed(proposal: Proposal) -> Proposal:
    """Take other words in, on one line each; an empty line keeps what is there."""
    has_judge = proposal.kind == "fires"
    prompt = _words(
        tr("1 of 2, what the user says (empty: as it is):")
        if has_judge
        else tr("what the user says (empty: as it is):")
    )
    criteria = ""
    if has_judge:
        criteria = _words(tr("2 of 2, what the judge looks for, PASS if ... FAIL if ... (empty: as it is):"))
    source = "user" if prompt else proposal.source
    return replace(proposal, prompt=prompt or proposal.prompt, criteria=criteria or proposal.criteria, source=source)


def _words(question: str) -> str:
    """Take words; a letter of the choices is likely meant as one, and those come again right after."""
    words = (ask(question) or "").strip()
    if words.lower() in _LETTERS:
        say(
            tr(
                "{words!r} is one of the choices and no text, so nothing is changed here; the choices come again",
                words=words,
            )
        )
        return ""
    return words


def _asked(question: str) -> str | None:
    line = ask(question)
    return None if line is None else line.strip().lower()

"""The questions of `plugin-eval init`: each proposed case is taken, changed or dropped."""

from collections.abc import Sequence
from dataclasses import replace

from skill_evaluator.api.plugin_eval.starter_files import Proposal
from skill_evaluator.cli.asking import ask
from skill_evaluator.cli.console import say
from skill_evaluator.model import one_line

_CHOICES = "[t]ake, [c]hange, [d]rop, take [a]ll that is left, [q]uit:"
_LETTERS = frozenset("tcdaq")


def choose(proposals: Sequence[Proposal]) -> Sequence[Proposal]:
    """Ask about each proposal.

    Returns:
        Those to write, as changed and then taken; none where the user has quit.
    """
    chosen: list[Proposal] = []
    for place, proposed in enumerate(proposals):
        proposal, choice = _settled(proposed, f"{place + 1} of {len(proposals)}")
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
        say(f"\n{place}\n{shown(proposal)}")
        if (choice := _choice()) != "c":
            return proposal, choice
        proposal = _changed(proposal)


def shown(proposal: Proposal) -> str:
    """Show a proposal; texts of others are made harmless."""
    expected = "should start" if proposal.kind == "fires" else "should not start"
    other = f", {one_line(proposal.sibling)} should" if proposal.sibling else ""
    lines = [f"{one_line(proposal.skill)} {expected}{other}", *_quoted("user", proposal.prompt)]
    return "\n".join([*lines, *(_quoted("judge", proposal.criteria) if proposal.criteria else ())])


def _quoted(who: str, text: str) -> list[str]:
    return [f"  {who}: {one_line(line)}" for line in text.splitlines() if line.strip()]


def _choice() -> str:
    while (answer := _asked(_CHOICES)) not in _LETTERS:
        if answer is None:
            return "q"
    return answer


def _changed(proposal: Proposal) -> Proposal:
    """Take other words in, on one line each; an empty line keeps what is there."""
    has_judge = proposal.kind == "fires"
    prompt = _words(f"{'1 of 2, ' if has_judge else ''}what the user says (empty: as it is):")
    criteria = ""
    if has_judge:
        criteria = _words("2 of 2, what the judge looks for, PASS if ... FAIL if ... (empty: as it is):")
    source = "user" if prompt else proposal.source
    return replace(proposal, prompt=prompt or proposal.prompt, criteria=criteria or proposal.criteria, source=source)


def _words(question: str) -> str:
    """Take words; a letter of the choices is likely meant as one, and those come again right after."""
    words = (ask(question) or "").strip()
    if words.lower() in _LETTERS:
        say(f"{words!r} is one of the choices and no text, so nothing is changed here; the choices come again")
        return ""
    return words


def _asked(question: str) -> str | None:
    line = ask(question)
    return None if line is None else line.strip().lower()

"""The questions of `plugin-eval init`: each proposed case is taken, changed or dropped."""

import sys
from collections.abc import Sequence
from dataclasses import replace

from skill_evaluator.api.plugin_eval.starter_files import Proposal
from skill_evaluator.cli.console import say
from skill_evaluator.model import one_line

_CHOICES = "[t]ake, [c]hange, [d]rop, take [a]ll that is left, [q]uit:"


def choose(proposals: Sequence[Proposal]) -> Sequence[Proposal]:
    """Ask about each proposal.

    Returns:
        Those to write, as changed; none where the user has quit.
    """
    chosen: list[Proposal] = []
    for place, proposal in enumerate(proposals):
        say(f"\n{place + 1} of {len(proposals)}\n{shown(proposal)}")
        match _choice():
            case "a":
                return [*chosen, *proposals[place:]]
            case "q":
                return ()
            case "t":
                chosen.append(proposal)
            case "c":
                chosen.append(_changed(proposal))
            case _:
                pass
    return chosen


def shown(proposal: Proposal) -> str:
    """Show a proposal; texts of others are made harmless."""
    expected = "should start" if proposal.kind == "fires" else "should not start"
    other = f", {one_line(proposal.sibling)} should" if proposal.sibling else ""
    lines = [f"{one_line(proposal.skill)} {expected}{other}", *_quoted("user", proposal.prompt)]
    return "\n".join([*lines, *(_quoted("judge", proposal.criteria) if proposal.criteria else ())])


def agrees(question: str) -> bool:
    """Ask a question whose answer is yes or no; the end of the input is a no."""
    return _asked(f"{question} [y/N]") in {"y", "yes"}


def _quoted(who: str, text: str) -> list[str]:
    return [f"  {who}: {one_line(line)}" for line in text.splitlines() if line.strip()]


def _choice() -> str:
    while (answer := _asked(_CHOICES)) not in {"t", "c", "d", "a", "q"}:
        if answer is None:
            return "q"
    return answer


def _changed(proposal: Proposal) -> Proposal:
    """Take other words in, on one line each; an empty line keeps what is there."""
    prompt = _words("what the user says (empty: as it is):") or proposal.prompt
    criteria = proposal.criteria
    if proposal.kind == "fires":
        criteria = _words("what the judge looks for, PASS if ... FAIL if ... (empty: as it is):") or criteria
    return replace(proposal, prompt=prompt, criteria=criteria)


def _words(question: str) -> str:
    return (_line(question) or "").strip()


def _asked(question: str) -> str | None:
    line = _line(question)
    return None if line is None else line.strip().lower()


def _line(question: str) -> str | None:
    """Ask for one line; None at the end of the input."""
    print(question, end=" ", file=sys.stderr, flush=True)
    try:
        return input()
    except EOFError:
        return None

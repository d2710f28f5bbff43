"""Makes the agent for test sets from options and environment; what is missing is said with its remedy."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from skill_evaluator.agents.claude_code.agent import MAX_TURNS, TIMEOUT_S, ClaudeCodeAgent, Offer
from skill_evaluator.agents.claude_code.login import check_login
from skill_evaluator.agents.claude_code.program import open_program
from skill_evaluator.agents.command_checks import name_faults
from skill_evaluator.agents.messages.setup import MODEL
from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    from skill_evaluator.agents import AgentSetup


def make_agent(setup: "AgentSetup", environ: Mapping[str, str]) -> ClaudeCodeAgent:
    """Make the agent; of the program no more is asked than its version.

    Args:
        setup: The options.
        environ: Where the model may be named, and PATH; an empty value counts as none.

    Raises:
        InputError: With everything that is missing or cannot be.
    """
    check_login(environ)
    model = setup.model or environ.get(MODEL)
    faults = list(_faults(setup, model))
    if faults or not model:
        raise InputError(faults)
    offer = Offer(
        skill=setup.skill,
        model=model,
        neighbours=tuple(setup.neighbours),
        probe=setup.probe,
        timeout_s=setup.timeout_s or TIMEOUT_S,
        max_turns=setup.max_turns or MAX_TURNS,
    )
    return ClaudeCodeAgent(open_program(environment=environ), offer, cases=setup.cases)


def _faults(setup: "AgentSetup", model: str | None) -> Iterator[Finding]:
    if not model:
        message = tr("agent claude-code needs the name of a model: --model NAME, or the variable {model}", model=MODEL)
        yield Finding(level=Level.FAIL, code="model-missing", message=message)
    yield from name_faults(setup.skill, (*setup.neighbours, *([setup.probe] if setup.probe else [])))

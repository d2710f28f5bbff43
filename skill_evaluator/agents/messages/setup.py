"""Makes the messages agent from options and environment; what is missing is said with its remedy."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from skill_evaluator.agents.command_checks import name_faults
from skill_evaluator.agents.messages.agent import MAX_TURNS, MessagesAgent, Setup
from skill_evaluator.agents.messages.credentials import can_ask
from skill_evaluator.agents.messages.price_file import read_prices
from skill_evaluator.agents.messages.protocol import TIMEOUT_S
from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Level
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    from skill_evaluator.agents import AgentSetup

MODEL: Final = "ANTHROPIC_MODEL"


def make_agent(setup: "AgentSetup", environ: Mapping[str, str]) -> MessagesAgent:
    """Make the agent; nothing is asked yet.

    Args:
        setup: The options.
        environ: Where model, server and credentials may be named; an empty value counts as none.

    Raises:
        InputError: With everything that is missing or cannot be.
    """
    from skill_evaluator.agents.messages.api import MessagesApi  # noqa: PLC0415 - loads the SDK

    model = setup.model or environ.get(MODEL)
    others = (*setup.neighbours, *([setup.probe] if setup.probe else []))
    faults = [*_missing(model, environ), *name_faults(setup.skill, others)]
    if faults or not model:
        raise InputError(faults)
    prices = read_prices(setup.prices)
    timeout_s = setup.timeout_s or TIMEOUT_S
    return MessagesAgent(
        MessagesApi(model, timeout_s=timeout_s, prices=prices),
        Setup(
            skill=setup.skill,
            neighbours=setup.neighbours,
            probe=setup.probe,
            cases=setup.cases,
            seed=setup.seed,
            max_turns=setup.max_turns or MAX_TURNS,
            timeout_s=timeout_s,
            batch=setup.batch,
            prices=prices,
        ),
    )


def _missing(model: str | None, environ: Mapping[str, str]) -> Iterator[Finding]:
    if not model:
        message = tr("agent messages needs the name of a model: --model NAME, or the variable {model}", model=MODEL)
        yield Finding(level=Level.FAIL, code="model-missing", message=message)
    if not can_ask(environ):
        message = tr(
            "agent messages needs a key: set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN; or set ANTHROPIC_BASE_URL to a "
            "server that takes none, such as one on this machine; --agent embedded needs neither, and only estimates"
        )
        yield Finding(level=Level.FAIL, code="credential-missing", message=message)

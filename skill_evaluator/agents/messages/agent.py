"""Asks a model over the Messages API: one conversation for each run, nothing on this machine but the model's words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Self

from skill_evaluator.agents.messages.custom_ids import custom_id
from skill_evaluator.agents.messages.forecast import Rate, about_usd
from skill_evaluator.agents.messages.offer import Offer, wording_hash
from skill_evaluator.agents.messages.protocol import (
    MAX_TURNS,
    OUTPUT_TOKENS,
    TRIGGER_TOKENS,
    Api,
    FirstReplies,
    Setup,
)
from skill_evaluator.agents.messages.request import ApiReply, ApiRequest
from skill_evaluator.agents.messages.stopwatch import new_stopwatch
from skill_evaluator.agents.messages.toolbox import Toolbox
from skill_evaluator.agents.messages.tools import stand_in_faults, stand_in_names, tools_beside, writes
from skill_evaluator.agents.messages.turns import Conversation, next_step, opening
from skill_evaluator.agents.messages.workspace import file_faults, read_skills
from skill_evaluator.agents.trace import Trace
from skill_evaluator.model import AgentInfo, Arm, Case, CutBy, Failure, Finding, Run, Skill
from skill_evaluator.skill_names import is_target

__all__ = ["MAX_TURNS", "MessagesAgent", "Setup", "trigger_only"]


class MessagesAgent:
    """Offers the skill in a list and answers the model's tool calls until the run is settled.

    Args:
        api: Who is asked.
        setup: What holds for all runs.

    Attributes:
        api: Who is asked.
        setup: As given.
        findings: What is wrong with the cases for this agent.
        first_replies: First answers of runs that were asked for in a batch, or None.
    """

    def __init__(self, api: Api, setup: Setup) -> None:
        self.api = api
        self.setup = setup
        others = (*setup.neighbours, *([setup.probe] if setup.probe else []))
        tree = read_skills((setup.skill, *others))
        self._offers: Mapping[Arm, Offer] = {
            Arm.WITH: Offer((setup.skill, *others), seed=setup.seed, tree=tree),
            Arm.WITHOUT: Offer(others, seed=setup.seed, tree=tree.without(setup.skill)),
        }
        self.findings: tuple[Finding, ...] = (*stand_in_faults(setup.cases), *file_faults(setup.cases, tree))
        self.first_replies: FirstReplies | None = None

    async def __aenter__(self) -> Self:
        """Open the connections."""
        await self.api.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close them."""
        await self.api.__aexit__(*error)

    @property
    def info(self) -> AgentInfo:
        """How reports name this agent; no credential is among the settings."""
        setup = self.setup
        names = dict.fromkeys(name for case in setup.cases for name in stand_in_names(case))
        settings: dict[str, object] = {
            "base_url": self.api.base_url,
            "max_turns": setup.max_turns,
            "timeout_s": setup.timeout_s,
            "max_tokens": {"trigger": TRIGGER_TOKENS, "output": OUTPUT_TOKENS},
            "seed": setup.seed,
            "listing": "checked",
            "cost": "reported" if self._is_priced else "not reported",
            "prices": setup.prices.as_of if setup.prices and self._is_priced else None,
            "neighbours": [f"{skill.name}@{skill.sha256[:12]}" for skill in setup.neighbours],
            "stand_ins": list(names),
            "wording": wording_hash(writing=any(map(writes, setup.cases))),
            **({"batch": True} if setup.batch else {}),
        }
        return AgentInfo(name="messages", model=self.api.model, settings=settings)

    def first_request(self, case: Case, arm: Arm, _index: int) -> ApiRequest:
        """Give what a run starts with; it is the same for all repetitions."""
        offer, beside = self._offers[arm], tools_beside(case)
        is_plain = trigger_only(case)
        return ApiRequest(
            system=offer.system,
            tools=(*offer.tools, *beside) if beside else offer.tools,
            messages=opening(case.context, case.prompt),
            max_tokens=TRIGGER_TOKENS if is_plain else OUTPUT_TOKENS,
            stream=not is_plain,
        )

    def about_usd(self, cases: Sequence[Case], runs: int) -> float | None:
        """Say roughly what so many repetitions of the cases cost, in dollars; None where the price is not known."""
        if self.setup.prices is None:
            return None
        requests = [(self.first_request(case, Arm.WITH, 0), trigger_only(case)) for case in cases]
        rates = Rate(prices=self.setup.prices, model=self.api.model, batch=self.setup.batch)
        cost_usd = about_usd(requests, rates, body=self.setup.skill.body)
        return None if cost_usd is None else cost_usd * runs

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        """Hold one conversation."""
        request = self.first_request(case, arm, index)
        toolbox = Toolbox(self._offers[arm], case)
        talk = Conversation(request, toolbox.answer, trace=Trace() if case.needs.trace else None)
        waiting = None if self.first_replies is None else self.first_replies.taken(custom_id(case, arm, index))
        watch = new_stopwatch()
        ended = await self._hold(talk, waiting or await self.api.ask(request), settling=self._settling(case))
        failure = ended if isinstance(ended, Failure) else None
        invoked = talk.skills_invoked()
        run = Run(
            case_id=case.id,
            arm=arm,
            index=index,
            triggered=None if failure else _has_fired(talk, self.setup.skill),
            output=talk.output,
            skills_invoked=invoked,
            tool_calls=tuple(talk.calls),
            failure=failure,
            duration_s=watch.read_s() if waiting is None else None,
            usage=talk.usage,
            output_cut=ended == "max_tokens" or talk.is_output_cut or talk.is_settled,
            cut_by=None if isinstance(ended, Failure) else ended,
        )
        return run if failure else _with_evidence(run, case, talk, toolbox)

    async def _hold(
        self, talk: Conversation, reply: ApiReply | Failure, *, settling: Skill | None
    ) -> CutBy | Failure | None:
        """Go on until the model stops, the run is settled, or it may not go on.

        Args:
            talk: What was said; gets the rest.
            reply: The first answer.
            settling: The skill with which the run is settled as soon as it fires, or None.

        Returns:
            What cut the run off or failed it, or None where it came to its end.
        """
        while True:
            if isinstance(reply, Failure):
                return reply
            talk.take(reply)
            step = next_step(reply)
            if isinstance(step, Failure):
                return step
            match step:
                case "end":
                    return None
                case "max_tokens":
                    return step
                case "go_on":
                    talk.go_on(reply)
                case "answer":
                    talk.answer(reply)
                    if settling and _has_fired(talk, settling):
                        talk.is_settled = True
                        return None
            if talk.requests >= self.setup.max_turns:
                return "max_turns"
            reply = await self.api.ask(talk.next_request())

    @property
    def _is_priced(self) -> bool:
        prices = self.setup.prices
        return (
            prices is not None and prices.cost_usd(self.api.model, input=0, cached=0, written=0, output=0) is not None
        )

    def _settling(self, case: Case) -> Skill | None:
        """The skill whose start is all that a case waits for; the canary's questions wait for the probe."""
        if not trigger_only(case):
            return None
        probe = self.setup.probe
        return probe if probe and case.source.path == str(probe.path) else self.setup.skill


def _with_evidence(run: Run, case: Case, talk: Conversation, toolbox: Toolbox) -> Run:
    """Add what graders look at."""
    talk.close_trace(cut_by=run.cut_by)
    if not case.needs.of_workspace:
        return replace(run, trace=talk.trace)
    workspace = toolbox.workspace()
    return replace(
        run,
        trace=talk.trace,
        created_files=workspace.created if case.needs.created_files else None,
        seen_files={path: workspace.look_at(path) for path in case.needs.files},
    )


def _has_fired(talk: Conversation, skill: Skill) -> bool:
    return any(is_target(name, skill.name) for name in talk.skills_invoked())


def trigger_only(case: Case) -> bool:
    """Whether nothing but the trigger of a case is looked at."""
    return not case.graders and not case.rubric

"""Asks a model over the Messages API: one conversation for each run, nothing on this machine but the model's words."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, Self

from skill_evaluator.agents.messages.custom_ids import custom_id
from skill_evaluator.agents.messages.offer import Offer, wording_hash
from skill_evaluator.agents.messages.request import ApiReply, ApiRequest, ToolUse
from skill_evaluator.agents.messages.searching import glob, grep
from skill_evaluator.agents.messages.tool_result import ToolResult, refused
from skill_evaluator.agents.messages.tools import (
    GLOB,
    GREP,
    READ,
    SKILL,
    STAND_IN_ANSWER,
    stand_in,
    stand_in_faults,
    stand_in_names,
)
from skill_evaluator.agents.messages.turns import Conversation, next_step, opening
from skill_evaluator.agents.messages.workspace import SkillTree, Workspace, file_faults, read_skills
from skill_evaluator.model import AgentInfo, Arm, Case, CutBy, Failure, Finding, JsonObject, Run, Skill
from skill_evaluator.skill_names import is_target

if TYPE_CHECKING:
    from skill_evaluator.agents.messages.prices import Prices

MAX_TURNS: Final = 10
TRIGGER_TOKENS: Final = 2_048  # longest answer where only the trigger counts
OUTPUT_TOKENS: Final = 8_192  # and where the output does
_CHARACTERS: Final = 4  # of a token, roughly, in English


class Api(Protocol):
    """One model on one server, such as `MessagesApi`."""

    @property
    def model(self) -> str:
        """The model asked."""
        ...

    @property
    def base_url(self) -> str:
        """The server, without anything secret."""
        ...

    async def __aenter__(self) -> object:
        """Open what the calls need."""
        ...

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        ...

    async def ask(self, request: ApiRequest) -> ApiReply | Failure:
        """Ask once; whatever the server does is returned, never raised."""
        ...


class FirstReplies(Protocol):
    """First answers that were asked for before, in a batch."""

    def taken(self, custom_id: str) -> ApiReply | Failure | None:
        """Give the answer, which is not given again; None where there is none, so that it is asked now."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Setup:
    """What holds for all runs.

    Attributes:
        skill: The skill under test.
        neighbours: Skills that stand beside it in the list.
        probe: The skill that the canary asks for, or None without a canary.
        cases: What will be asked.
        seed: For the order of the list.
        max_turns: Most requests of one run, >= 1.
        timeout_s: Longest time of one request, in seconds.
        batch: Whether first requests are sent as message batches.
        prices: What models cost, or None where nothing is known.
    """

    skill: Skill
    neighbours: Sequence[Skill] = ()
    probe: Skill | None = None
    cases: Sequence[Case] = ()
    seed: int = 0
    max_turns: int = MAX_TURNS
    timeout_s: float = 300.0
    batch: bool = False
    prices: "Prices | None" = None


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
            "wording": wording_hash(),
            **({"batch": True} if setup.batch else {}),
        }
        return AgentInfo(name="messages", model=self.api.model, settings=settings)

    def first_request(self, case: Case, arm: Arm, _index: int) -> ApiRequest:
        """Give what a run starts with; it is the same for all repetitions."""
        offer, stand_ins = self._offers[arm], stand_in_names(case)
        is_plain = trigger_only(case)
        return ApiRequest(
            system=offer.system,
            tools=(*offer.tools, *(stand_in(name) for name in stand_ins)) if stand_ins else offer.tools,
            messages=opening(case.context, case.prompt),
            max_tokens=TRIGGER_TOKENS if is_plain else OUTPUT_TOKENS,
            stream=not is_plain,
        )

    def about_usd(self, cases: Sequence[Case], runs: int) -> float | None:
        """Say roughly what so many repetitions of the cases cost, without canary and retries.

        Returns:
            Dollars, or None where the price of the model is not known. Counted are 4 characters a token, one request
            where only the trigger counts, else three with longer answers; nothing is taken off for the cache.
        """
        prices, body = self.setup.prices, len(self.setup.skill.body)
        if prices is None:
            return None
        total = 0.0
        for case in cases:
            request = self.first_request(case, Arm.WITH, 0)
            size = len(json.dumps([request.system, request.tools, request.messages])) // _CHARACTERS
            requests, answer = (1, 100) if trigger_only(case) else (3, 500)
            more = 0 if requests == 1 else 2 * (body // _CHARACTERS + answer)
            cost_usd = prices.cost_usd(
                self.api.model,
                input=size * requests + more,
                cached=0,
                written=0,
                output=answer * requests,
                batch=self.setup.batch,
            )
            if cost_usd is None:
                return None
            total += cost_usd
        return total * runs

    async def run(self, case: Case, arm: Arm, index: int) -> Run:
        """Hold one conversation."""
        request = self.first_request(case, arm, index)
        talk = Conversation(request, _Tools(self._offers[arm], case).answer)
        waiting = None if self.first_replies is None else self.first_replies.taken(custom_id(case, arm, index))
        started_s = time.monotonic()
        ended = await self._hold(talk, waiting or await self.api.ask(request), settles=trigger_only(case))
        failure = ended if isinstance(ended, Failure) else None
        invoked = talk.skills_invoked()
        return Run(
            case_id=case.id,
            arm=arm,
            index=index,
            triggered=None if failure else self._has_fired(talk),
            output=talk.output,
            skills_invoked=invoked,
            tool_calls=tuple(talk.calls),
            failure=failure,
            duration_s=time.monotonic() - started_s if waiting is None else None,
            usage=talk.usage,
            output_cut=ended == "max_tokens",
            cut_by=None if isinstance(ended, Failure) else ended,
        )

    async def _hold(self, talk: Conversation, reply: ApiReply | Failure, *, settles: bool) -> CutBy | Failure | None:
        """Go on until the model stops, the run is settled, or it may not go on.

        Args:
            talk: What was said; gets the rest.
            reply: The first answer.
            settles: Whether the run is settled once the target has fired.

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
                    if settles and self._has_fired(talk):
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

    def _has_fired(self, talk: Conversation) -> bool:
        return any(is_target(name, self.setup.skill.name) for name in talk.skills_invoked())


def trigger_only(case: Case) -> bool:
    """Whether nothing but the trigger of a case is looked at."""
    return not case.graders and not case.rubric


class _Tools:
    """The tools of one run; its files are put together only where a tool asks for them."""

    def __init__(self, offer: Offer, case: Case) -> None:
        self._offer = offer
        self._case = case
        self._workspace: Workspace | None = None

    def answer(self, use: ToolUse) -> ToolResult:
        """Carry out one call."""
        arguments: JsonObject = use.input
        match use.name:
            case "Skill":
                return self._offer.launch(arguments)
            case "Read":
                return self._files().read(arguments)
            case "Glob":
                return glob(self._files(), arguments)
            case "Grep":
                return grep(self._files(), arguments)
            case name if name in stand_in_names(self._case):
                return ToolResult(text=STAND_IN_ANSWER)
            case name:
                known = (SKILL, READ, GLOB, GREP, *stand_in_names(self._case))
                return refused(f"there is no tool {name[:200]!r}; the tools are: {', '.join(known)}")

    def _files(self) -> Workspace:
        if self._workspace is None:
            self._workspace = Workspace(tree=self._tree, case_files=self._case.files)
        return self._workspace

    @property
    def _tree(self) -> SkillTree:
        return self._offer.tree

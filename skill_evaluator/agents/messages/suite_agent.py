"""Runs the cases of an eval suite over the Messages API: skills are offered, files can be read, nothing is written.

What a case needs beyond that is refused before anything runs (`api/plugin_eval/messages_agent.py`).
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Self

from skill_evaluator.agents.messages.price_file import read_prices
from skill_evaluator.agents.messages.protocol import OUTPUT_TOKENS, Api
from skill_evaluator.agents.messages.request import ApiRequest, ToolUse
from skill_evaluator.agents.messages.suite_files import SuiteFiles
from skill_evaluator.agents.messages.suite_offer import PluginOffer, suite_tools
from skill_evaluator.agents.messages.suite_talk import SuiteTalk, is_of_service
from skill_evaluator.agents.messages.tool_result import ToolResult, refused
from skill_evaluator.agents.messages.turns import opening
from skill_evaluator.agents.messages.usual_models import PRICED_AS
from skill_evaluator.agents.messages.workspace import SkillTree, Workspace
from skill_evaluator.model import AgentInfo, Arm, AskedRun, Case, Failure, FailureKind, Limits, Run, Turn, Usage
from skill_evaluator.skill_names import SKILL_TOOL


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseSetup:
    """What runs of one case are given, read before the first run.

    Attributes:
        model: Who is asked.
        offers: What each arm is told.
        files: What each arm can read.
        context: Earlier turns of the conversation.
        appended: What the case adds to the system prompt, or None.
        disallowed: Tools that it goes without.
    """

    model: str
    offers: Mapping[Arm, PluginOffer]
    files: Mapping[Arm, SuiteFiles]
    context: Sequence[Turn] = ()
    appended: str | None = None
    disallowed: frozenset[str] = frozenset()


class MessagesSuiteAgent:
    """A `SuiteAgent` that holds one conversation for each run; usable only inside `async with`.

    Args:
        setups: By id of the case.
        connect: Makes the connection to a model; entered and left by this.
    """

    def __init__(self, setups: Mapping[str, CaseSetup], connect: Callable[[str], Api]) -> None:
        self._setups = setups
        self._apis = {model: connect(model) for model in dict.fromkeys(one.model for one in setups.values())}
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Open the connections."""
        for api in self._apis.values():
            await self._stack.enter_async_context(api)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close them."""
        await self._stack.aclose()

    @property
    def info(self) -> AgentInfo:
        """How results name this agent; no credential is among the settings."""
        models = ", ".join(self._apis)
        urls = dict.fromkeys(api.base_url for api in self._apis.values())
        return AgentInfo(name="messages", model=models or None, settings={"base_url": ", ".join(urls)})

    async def ask(self, case: Case, arm: Arm, index: int) -> AskedRun:
        """Run one case once; a broken run is returned, never raised."""
        setup, limits = self._setups[case.id], case.limits or Limits()
        talk = SuiteTalk(
            _first_request(case, setup, arm),
            lambda use: _answer(use, setup, arm),
            model=setup.model,
            max_turns=limits.max_turns,
        )
        started_at, began_s = datetime.now(UTC), time.monotonic()
        failure = await _held(talk, self._apis[setup.model], limits.timeout_s)
        duration_s = time.monotonic() - began_s
        return AskedRun(
            run=_run(case, arm, index, talk, failure, duration_s),
            error=(failure.message if failure else talk.ended) or None,
            turns=talk.turns,
            cost_usd=_cost_usd(talk.usage),
            duration_s=duration_s,
            started_at=started_at,
        )


async def _held(talk: SuiteTalk, api: Api, timeout_s: float) -> Failure | None:
    """Go on until the model stops, it may not go on, or its time is over."""
    try:
        async with asyncio.timeout(timeout_s):
            while talk.ended is None:
                reply = await api.ask(talk.next_request())
                if isinstance(reply, Failure):
                    return reply
                talk.take(reply)
    except TimeoutError:
        return Failure(kind=FailureKind.TIMEOUT, message=f"the run was not done after {timeout_s:g} s")
    return None


def _first_request(case: Case, setup: CaseSetup, arm: Arm) -> ApiRequest:
    return ApiRequest(
        system=setup.offers[arm].system(setup.appended),
        tools=suite_tools(setup.disallowed),
        messages=opening(setup.context, case.prompt),
        max_tokens=OUTPUT_TOKENS,
        may_be_empty=True,
        stream=True,
    )


def _answer(use: ToolUse, setup: CaseSetup, arm: Arm) -> ToolResult:
    if use.name in setup.disallowed:
        return refused(f"the tool {use.name!r} is taken away in this case")
    if use.name == SKILL_TOOL:
        return setup.offers[arm].launch(use.input)
    found = setup.files[arm].answer(use.name, use.input)
    return refused(f"there is no tool {use.name[:200]!r} here") if found is None else found


def _cost_usd(usage: Usage | None) -> float:
    """Say what a run cost; a model without a known price counts as in the real program."""
    if usage is None or usage.cost_usd is not None:
        return (usage.cost_usd if usage else None) or 0.0
    read, written = usage.input_tokens or 0, usage.output_tokens or 0
    return read_prices().cost_usd(PRICED_AS, input=read, output=written, cached=0, written=0) or 0.0


def _run(case: Case, arm: Arm, index: int, talk: SuiteTalk, failure: Failure | None, duration_s: float) -> Run:
    empty = Workspace(tree=SkillTree(files={}, names={}), case_files={})
    trace = talk.close(failure)
    return Run(
        case_id=case.id,
        arm=arm,
        index=index,
        output=talk.output,
        skills_invoked=tuple(talk.skills),
        tool_calls=tuple(talk.calls),
        failure=failure,
        duration_s=duration_s,
        usage=talk.usage,
        cut_by=None if failure else talk.cut_by,
        trace=None if failure and is_of_service(failure) else trace,
        created_files=(),
        seen_files={path: empty.look_at(path) for path in case.needs.files},
    )

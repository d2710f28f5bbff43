"""Asks a model a question that is answered by one tool call, or by a word; the judge and the analyst ask so."""

from collections.abc import Iterator
from typing import Self

from skill_evaluator.agents.messages.api import MessagesApi
from skill_evaluator.agents.messages.errors import failure
from skill_evaluator.agents.messages.request import ApiReply, ApiRequest
from skill_evaluator.model import AnyQuestion, Completion, Failure, FailureKind, JsonObject, PlainQuestion, Question

_MOST_QUOTED = 200
_REFUSED = "the model refused to answer"
_CALL_IT = "Answer by calling the tool `{tool}` exactly once. Write nothing beside the call."


class ModelCompleter:
    """A model as a `Completer`; usable only inside `async with`, like the connection it is made of.

    Args:
        api: The connection, entered and left by this.
    """

    def __init__(self, api: MessagesApi) -> None:
        self._api = api
        self._may_force = True

    @property
    def model(self) -> str:
        """The model, as reports name it."""
        return self._api.model

    async def __aenter__(self) -> Self:
        await self._api.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._api.__aexit__()

    async def complete(self, question: AnyQuestion) -> Completion:
        """Ask once.

        Where a tool takes the answer, its call is forced as long as the model lets itself be forced; newer ones refuse
        that and are told to.
        """
        if isinstance(question, PlainQuestion):
            return _in_words(await self._api.ask(_plain_request(question)))
        may_force = self._may_force
        reply = await self._api.ask(_request(question, force=may_force))
        if may_force and isinstance(reply, Failure) and _cannot_be_forced(reply):
            self._may_force = False
            reply = await self._api.ask(_request(question, force=False))
        if isinstance(reply, Failure):
            return Completion(failure=reply)
        return _completion(reply, question.tool)


def _request(question: Question, *, force: bool) -> ApiRequest:
    told = _CALL_IT.format(tool=question.tool)
    tool = {"name": question.tool, "description": question.tool_description, "input_schema": question.schema}
    return ApiRequest(
        system=({"type": "text", "text": question.system if force else f"{question.system}\n\n{told}".strip()},),
        messages=({"role": "user", "content": [{"type": "text", "text": question.text}]},),
        max_tokens=question.max_tokens,
        tools=(tool,),
        tool_choice={"type": "tool", "name": question.tool} if force else {"type": "auto"},
    )


def _plain_request(question: PlainQuestion) -> ApiRequest:
    return ApiRequest(
        system=({"type": "text", "text": question.system},),
        messages=({"role": "user", "content": [*_picture(question), {"type": "text", "text": question.text}]},),
        max_tokens=question.max_tokens,
        may_be_empty=True,
    )


def _picture(question: PlainQuestion) -> Iterator[JsonObject]:
    image = question.image
    if image is not None:
        source = {"type": "base64", "media_type": image.media_type, "data": image.base64}
        yield {"type": "image", "source": source}


def _in_words(reply: ApiReply | Failure) -> Completion:
    """Take the words of an answer as they are: also one that is empty, or was cut, says something."""
    if isinstance(reply, Failure):
        return Completion(failure=reply)
    if reply.stop_reason == "refusal":
        return Completion(failure=failure(FailureKind.API, _REFUSED), usage=reply.usage)
    return Completion(text=reply.text, usage=reply.usage)


def _cannot_be_forced(refused: Failure) -> bool:
    """Whether a server took offence at the forced call, and not at anything else."""
    return refused.message.startswith("HTTP 400") and "tool_choice" in refused.message


def _completion(reply: ApiReply, tool: str) -> Completion:
    fault = _fault(reply, tool)
    if fault is None:
        return Completion(answer=reply.tool_uses[0].input, usage=reply.usage)
    words = f"{fault}; it said: {reply.text.strip()[:_MOST_QUOTED]!r}" if reply.text.strip() else fault
    return Completion(failure=failure(FailureKind.API, words), usage=reply.usage)


def _fault(reply: ApiReply, tool: str) -> str | None:
    names = [use.name for use in reply.tool_uses]
    if reply.stop_reason == "max_tokens":
        return "the model's answer was cut at max_tokens"
    if reply.stop_reason == "refusal":
        return _REFUSED
    if not names:
        return f"the model wrote prose instead of calling {tool!r}"
    if names != [tool]:
        return f"the model was to call {tool!r} once and called {', '.join(map(repr, names))}"
    return None

"""Questions to a model outside the runs."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from skill_evaluator.model.runs import Failure, Usage
from skill_evaluator.model.words import JsonObject


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """Something to ask a model outside the runs, answered by one forced tool call.

    Attributes:
        system: The system text.
        text: The user's message.
        tool: Name of the tool that takes the answer.
        tool_description: What the tool is said to be for.
        schema: JSON Schema of the tool's input, an object.
        max_tokens: Longest answer.
    """

    system: str
    text: str
    tool: str
    tool_description: str
    schema: JsonObject
    max_tokens: int = 4096


@dataclass(frozen=True, kw_only=True, slots=True)
class Image:
    """A picture sent along with a question."""

    media_type: str
    base64: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PlainQuestion:
    """Something to ask a model outside the runs, answered in plain text.

    Attributes:
        system: The system text.
        text: The user's message.
        image: A picture that stands before the text, or None.
        vote: Number of this asking, 0-based, where the same is asked several times: answers are kept one by one.
        max_tokens: Longest answer.
    """

    system: str
    text: str
    image: Image | None = None
    vote: int = 0
    max_tokens: int = 1024


AnyQuestion = Question | PlainQuestion


@dataclass(frozen=True, kw_only=True, slots=True)
class Completion:
    """What came of a question.

    Attributes:
        answer: The input of the forced tool call as the model gave it, not yet held against the schema; None after a
            failure.
        failure: Why there is none; prose in place of the call is an `api` failure.
        usage: Tokens and cost, or None.
        text: The words of the answer to a `PlainQuestion`, "" for an empty one; None after a failure.
    """

    answer: JsonObject | None = None
    failure: Failure | None = None
    usage: Usage | None = None
    text: str | None = None


# How the message of a failure begins where nobody was asked, as beyond a ceiling: it says nothing of the model.
NOT_ASKED = "not asked"


class Completer(Protocol):
    """A model that answers questions; the judge and the analyst ask it."""

    @property
    def model(self) -> str:
        """The model, as reports name it."""
        ...

    async def complete(self, question: AnyQuestion) -> Completion:
        """Ask once; a failed call is returned with its `failure`, never raised."""
        ...


@runtime_checkable
class Connected(Protocol):
    """An agent or a completer that holds connections: entered in the event loop that asks it, and left there."""

    async def __aenter__(self) -> object:
        """Open what the calls need."""
        ...

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        ...

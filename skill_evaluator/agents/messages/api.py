"""The one place that speaks to the SDK: a model on a server, asked with retries, deadlines and respect for its limits.

Whatever the server does comes back as a value: an answer that was checked, or a failure by kind.
"""

import json
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Self, TypeVar
from urllib.parse import quote

import anthropic

from skill_evaluator.agents.messages.attempts import Attempts, TimedOutError
from skill_evaluator.agents.messages.credentials import (
    base_url_of,
    check_credentials,
    check_model,
    credential_names,
    not_there_hint,
    shown_url,
)
from skill_evaluator.agents.messages.errors import MalformedReplyError, failure, status_failure, without_secrets
from skill_evaluator.agents.messages.events import joined
from skill_evaluator.agents.messages.gate import Gate
from skill_evaluator.agents.messages.price_file import read_prices
from skill_evaluator.agents.messages.prices import Prices
from skill_evaluator.agents.messages.protocol import TIMEOUT_S
from skill_evaluator.agents.messages.reply import Billing, read_batch_line, read_reply
from skill_evaluator.agents.messages.request import ApiReply, ApiRequest
from skill_evaluator.model import Failure, FailureKind
from skill_evaluator.redaction import secrets_of
from skill_evaluator.sendable import sendable
from skill_evaluator.server_address import BASE_URL_VARIABLE

__all__ = ["MessagesApi", "credential_names"]

MAX_RETRIES = 5

# A host that does not even accept a connection is not worth a whole timeout.
_CONNECT_S = 30.0
# The SDK sends nothing without a key; a server of one's own takes any.
_NO_KEY = "none"
_MESSAGES = "/v1/messages"
_BATCHES = "/v1/messages/batches"

_T = TypeVar("_T")


class _UnusableUrlError(Exception):
    """The base URL cannot be used; the text says why."""


class MessagesApi:
    """One model on one server; usable only inside `async with`, which may be entered again in another event loop.

    Args:
        model: The model, as the server calls it.
        timeout_s: Longest time of one attempt; waiting for a server that refuses requests is not counted.
        prices: What tokens cost, or None for the table shipped.
        max_retries: Further attempts after a refusal or a broken connection.

    Attributes:
        model: The model.
        base_url: The server, without a user or a query.

    Raises:
        InputError: If the environment names a base URL that is none or a key that cannot be sent, or the model's name
            is no text.
    """

    def __init__(
        self,
        model: str,
        *,
        timeout_s: float = TIMEOUT_S,
        prices: Prices | None = None,
        max_retries: int = MAX_RETRIES,
    ) -> None:
        check_model(model)
        self.model = model
        self.base_url = shown_url(base_url_of())
        check_credentials()
        self._timeout_s = timeout_s
        self._prices = prices or read_prices()
        self._max_retries = max_retries
        self._client: anthropic.AsyncAnthropic | None = None
        self._attempts: Attempts | None = None
        self._secrets: tuple[str, ...] = ()
        self._unusable: Failure | None = None

    async def __aenter__(self) -> Self:
        if self._client is not None:
            raise RuntimeError("this connection is open already; leave it before it is entered again")
        self._attempts = attempts = Attempts(
            Gate(), self._timeout_s, timeout_errors=anthropic.APITimeoutError, again=anthropic.RetryableError
        )

        async def attempt(
            request: anthropic.APIRequest, send: anthropic.AsyncCallNext
        ) -> anthropic.AsyncAPIResponse[object]:
            return await attempts.make(lambda: send(request), streams=request.stream)

        self._secrets = secrets_of(os.environ)
        try:
            self._client = self._opened(attempt)
        except (anthropic.AnthropicError, _UnusableUrlError) as error:
            self._unusable = without_secrets(self._failure_of(error), self._secrets)
        else:
            self._unusable = None
            self.base_url = shown_url(str(self._client.base_url))
        return self

    def _opened(self, attempt: anthropic.AsyncMiddlewareCallable) -> anthropic.AsyncAnthropic:
        # Without the variable the SDK's own ways of finding a server hold, such as a profile.
        named = base_url_of() if os.environ.get(BASE_URL_VARIABLE) else None
        try:
            return anthropic.AsyncAnthropic(
                api_key=_NO_KEY if named and not credential_names() else None,
                base_url=named,
                max_retries=self._max_retries,
                timeout=anthropic.Timeout(None, connect=min(_CONNECT_S, self._timeout_s)),
                middleware=[attempt],
            )
        except anthropic.AnthropicError:
            raise
        except Exception as error:
            # The transport refuses more addresses than the standard library does, by errors of its own.
            raise _UnusableUrlError(f"{BASE_URL_VARIABLE} is no address that can be asked: {error}") from error

    async def __aexit__(self, *_: object) -> None:
        client, self._client, self._attempts, self._unusable = self._client, None, None, None
        if client is not None:
            await client.close()

    async def ask(self, request: ApiRequest) -> ApiReply | Failure:
        """Ask once.

        Returns:
            The answer, or why there is none; nothing that the server does is raised.
        """

        async def asked(client: anthropic.AsyncAnthropic, attempts: Attempts) -> ApiReply:
            body = self._body(request)
            if request.stream:
                message: object = await _streamed(client, attempts, {**body, "stream": True})
            else:
                message = _json(await client.post(_MESSAGES, body=body, cast_to=object))
            return read_reply(message, request, self._billing())

        return await self._guarded(asked)

    async def submit(self, requests: Mapping[str, ApiRequest]) -> str | Failure:
        """Hand over a message batch, requests by custom id; gives the id of the batch."""

        async def submitted(client: anthropic.AsyncAnthropic, _: Attempts) -> str:
            entries = [{"custom_id": key, "params": self._body(request)} for key, request in requests.items()]
            made = _json(await client.post(_BATCHES, body={"requests": entries}, cast_to=object))
            return _field(made, "id")

        return await self._guarded(submitted)

    async def batch_ended(self, batch_id: str) -> bool | Failure:
        """Tell whether all entries of a batch have ended, in whatever way."""

        async def looked(client: anthropic.AsyncAnthropic, _: Attempts) -> bool:
            state = _json(await client.get(f"{_BATCHES}/{quote(batch_id, safe='')}", cast_to=object))
            return _field(state, "processing_status") == "ended"

        return await self._guarded(looked)

    async def batch_results(self, batch_id: str) -> Mapping[str, ApiReply | Failure] | Failure:
        """Fetch what came of the entries of a batch that has ended.

        Returns:
            Answers and failures by custom id, in any order; an entry that the server leaves out is not among them.
        """

        async def fetched(client: anthropic.AsyncAnthropic, _: Attempts) -> Mapping[str, ApiReply | Failure]:
            # Not the address that the server gives: the key would go wherever that leads.
            lines = await client.get(
                f"{_BATCHES}/{quote(batch_id, safe='')}/results",
                cast_to=bytes,
                options={"headers": {"Accept": "application/binary"}},
            )
            billing = self._billing(batch=True)
            return dict(read_batch_line(_json(line), billing) for line in lines.splitlines() if line.strip())

        return await self._guarded(fetched)

    async def _guarded(self, call: Callable[[anthropic.AsyncAnthropic, Attempts], Awaitable[_T]]) -> _T | Failure:
        if self._unusable is not None:
            return self._unusable
        if self._client is None or self._attempts is None:
            raise RuntimeError("the connection is not open; use `async with`")
        try:
            async with self._attempts.call():
                return await call(self._client, self._attempts)
        except (anthropic.AnthropicError, TimedOutError, ValueError, RecursionError) as error:
            return without_secrets(self._failure_of(error), self._secrets)
        except TypeError as error:
            if "authentication" not in str(error):
                raise
            words = "no credentials are set; set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN (a local server takes any)"
            return failure(FailureKind.AUTH, words)

    def _failure_of(self, error: Exception) -> Failure:
        match error:
            case TimedOutError() | anthropic.RetryableError() | anthropic.APITimeoutError():
                return failure(FailureKind.TIMEOUT, f"no whole answer within {self._timeout_s:g} s")
            case anthropic.APIStatusError():
                said = error.api_message if isinstance(error.api_message, str) else str(error.body or "")
                type_ = error.type if isinstance(error.type, str) else None
                return status_failure(error.status_code, said, error_type=type_, hint=self._hint(error))
            case anthropic.APIConnectionError():
                return failure(FailureKind.API, self._unreached(error))
            case _UnusableUrlError():
                return failure(FailureKind.API, str(error))
            case anthropic.CredentialsError():
                return failure(FailureKind.AUTH, f"the credentials cannot be used: {error}")
            case _:
                return failure(FailureKind.API, f"the answer cannot be read: {error}")

    def _hint(self, error: anthropic.APIStatusError) -> str:
        return not_there_hint(self.base_url, self.model, batches=error.request.url.path.endswith(_BATCHES))

    def _unreached(self, error: anthropic.APIConnectionError) -> str:
        named = os.environ.get(BASE_URL_VARIABLE, "").strip()
        if not _found_nobody(error):
            return f"the connection to {self.base_url} failed: {_cause(error)}"
        check = f"check {BASE_URL_VARIABLE}, and that the server runs" if named else "check the network"
        return f"nobody answers at {self.base_url}: {check} ({_cause(error)})"

    def _billing(self, *, batch: bool = False) -> Billing:
        return Billing(model=self.model, prices=self._prices, batch=batch)

    def _body(self, request: ApiRequest) -> dict[str, object]:
        body: dict[str, object] = {
            "model": self.model,
            "max_tokens": request.max_tokens,
            "messages": list(request.messages),
        }
        given = {"system": list(request.system), "tools": list(request.tools), "tool_choice": request.tool_choice}
        return body | {name: value for name, value in given.items() if value}


async def _streamed(client: anthropic.AsyncAnthropic, attempts: Attempts, body: Mapping[str, object]) -> object:
    """Read an answer piece by piece; one that took too long is asked for once more."""
    while True:
        stream = await client.post(
            _MESSAGES, body=body, cast_to=object, stream=True, stream_cls=anthropic.AsyncStream[object]
        )
        if (events := await attempts.reading(_events(stream))) is not None:
            return joined(events)


async def _events(stream: anthropic.AsyncStream[object]) -> list[object]:
    try:
        async with stream:
            return [event async for event in stream]
    except (anthropic.AnthropicError, TimeoutError, ValueError):
        raise
    except Exception as error:
        # The transport raises errors of its own here, which the SDK leaves as they are.
        raise MalformedReplyError(f"the stream broke off: {_named(error)}") from error


def _json(answer: object) -> object:
    """Take an answer as JSON, also one that the server did not call so."""
    return json.loads(answer) if isinstance(answer, str | bytes) else answer


def _field(answer: object, name: str) -> str:
    value = answer.get(name) if isinstance(answer, Mapping) else None
    if not isinstance(value, str) or not value or sendable(value) != value:
        raise MalformedReplyError(f"the batch has no {name}: {repr(answer)[:120]}")
    return value


def _cause(error: BaseException) -> str:
    """Tell what lies at the bottom of an error, which says more than the error itself."""
    while error.__cause__ is not None:
        error = error.__cause__
    return _named(error)


def _found_nobody(error: BaseException) -> bool:
    """Whether a connection was not even made; the transport's own classes are not imported for their names."""
    cause: BaseException | None = error
    while cause is not None and type(cause).__name__ != "ConnectError":
        cause = cause.__cause__
    return cause is not None


def _named(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")

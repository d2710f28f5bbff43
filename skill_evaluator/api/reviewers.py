"""Who is asked about finished runs, and what is done around each of its answers."""

from collections.abc import Callable
from pathlib import Path
from typing import Self

from skill_evaluator.api.answers import is_not_asked
from skill_evaluator.api.keeping import keeping
from skill_evaluator.api.request import Request
from skill_evaluator.metrics.invalid import FATAL
from skill_evaluator.model import AnyQuestion, Completer, Completion, Connected
from skill_evaluator.runner.stop import Stop


def make_completer(model: str, request: Request) -> Completer:
    """Make a model of the Messages API, on the server that the environment names; nothing is asked yet."""
    from skill_evaluator.agents.messages.api import MessagesApi  # noqa: PLC0415 - loads the SDK
    from skill_evaluator.agents.messages.completer import ModelCompleter  # noqa: PLC0415 - likewise
    from skill_evaluator.agents.messages.price_file import read_prices  # noqa: PLC0415 - likewise
    from skill_evaluator.agents.messages.protocol import TIMEOUT_S  # noqa: PLC0415 - likewise

    timeout_s = request.timeout_s or TIMEOUT_S
    return ModelCompleter(MessagesApi(model, timeout_s=timeout_s, prices=read_prices(request.prices)))


class Stopping:
    """Calls the run to a stop where every further call would fail alike."""

    def __init__(self, completer: Completer, stop: Stop) -> None:
        self.model = completer.model
        self._completer, self._stop = completer, stop

    async def __aenter__(self) -> Self:
        if isinstance(self._completer, Connected):
            await self._completer.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        if isinstance(self._completer, Connected):
            await self._completer.__aexit__(*error)

    async def complete(self, question: AnyQuestion) -> Completion:
        """Ask once."""
        completion = await self._completer.complete(question)
        if completion.failure is not None and completion.failure.kind in FATAL:
            self._stop.call(str(completion.failure.kind))
        return completion


class Told:
    """Tells of each answer, and says what to do where one cannot be kept."""

    def __init__(self, completer: Completer, folder: Path, tell: Callable[[int, int, int], None]) -> None:
        """Take what is asked.

        Args:
            completer: Who is asked.
            folder: Where the answers are kept.
            tell: Called with the numbers of calls answered, failed and not made so far.
        """
        self.model = completer.model
        self._completer, self._folder, self._tell = completer, folder, tell
        self._answered = self._failed = self._not_asked = 0

    async def complete(self, question: AnyQuestion) -> Completion:
        """Ask once.

        Raises:
            UnmeasuredError: If the answer cannot be kept.
        """
        with keeping(self._folder):
            completion = await self._completer.complete(question)
        failure = completion.failure
        self._answered += failure is None
        self._not_asked += is_not_asked(failure)
        self._failed += failure is not None and not is_not_asked(failure)
        self._tell(self._answered, self._failed, self._not_asked)
        return completion

"""Answers calls of tools that a model plays, from recordings where there are some; one call of a server at a time."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from skill_evaluator.model import Completer, JsonObject, MockTool
from skill_evaluator.stand_ins.log import RunLog
from skill_evaluator.stand_ins.playing import Played, earlier_call, question, read_played
from skill_evaluator.stand_ins.recordings import Recording, recording_key, replay_folder
from skill_evaluator.stand_ins.replay import Replay, Shelf
from skill_evaluator.texts import joined, tr

NO_MODEL: Final = tr("no model is set that could play this server")


@dataclass(kw_only=True, slots=True)
class Player:
    """Plays the `agent` tools of one server during one run.

    Attributes:
        server: The server, as its folder is called.
        run: Number of the run.
        completer: The model, or None where there is none: every call that no recording answers is a tool error.
        shelf: Gives the recordings for a tool.
        log: Where calls of the run are noted.
        earlier: What was answered so far; all tools of the server share it.
    """

    server: str
    run: int
    completer: Completer | None
    shelf: Callable[[MockTool], Shelf]
    log: RunLog
    earlier: list[str] = field(default_factory=list)
    _replay: Replay = field(default_factory=Replay)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def play(self, tool: MockTool, arguments: JsonObject) -> Played | None:
        """Answer a call.

        Returns:
            The answer; `abort` as its verdict ends the run. None where another call ended it meanwhile.
        """
        async with self._turn:
            if self.log.is_over:
                return None
            if self.log.spent >= self.log.budget:
                reason = f"the run's budget of {self.log.budget} calls that a model answers is used up; raise max_turns"
                return Played(text=reason, verdict="abort")
            self.log.spent += 1
            return await self._answered(tool, arguments)

    async def _answered(self, tool: MockTool, arguments: JsonObject) -> Played:
        key = recording_key(self.server, tool, arguments, self.earlier)
        played = self._replayed(tool, key, arguments)
        if played is None:
            self.log.misses += 1
            played = await self._asked(tool, key, arguments)
        if played is None:
            return Played(text="the model that plays this server gave no answer", verdict="tool_error")
        self.earlier.append(earlier_call(tool.name, arguments, played))
        return played

    def _replayed(self, tool: MockTool, key: str, arguments: JsonObject) -> Played | None:
        kept = self._replay.find(self.shelf(tool), tool.name, key, arguments)
        if kept is None:
            return None
        self.log.hits += 1
        if not kept.is_ours:
            self.log.notes[
                tr(
                    "{server}: {name} was recorded by another program and answers by its input alone; "
                    "record anew if the mock, or what is called before, has changed since",
                    server=self.server,
                    name=kept.name,
                )
            ] = None
        return Played(text=kept.output, verdict=kept.verdict)

    async def _asked(self, tool: MockTool, key: str, arguments: JsonObject) -> Played | None:
        if self.completer is None:
            self.log.notes[joined(": ", [self.server, NO_MODEL])] = None
            return None
        asked = question(self.server, tool, arguments, self.earlier, number=self.run)
        completion = await self.completer.complete(asked)
        if completion.usage is not None:
            self.log.cost_usd += completion.usage.cost_usd or 0.0
        if completion.text is None:
            why = completion.failure.message if completion.failure else "no text came back"
            self.log.notes[
                tr("{server}: the model that plays it gave no answer: {why}", server=self.server, why=why)
            ] = None
            return None
        played = read_played(completion.text, may_abort=tool.abort_when is not None)
        self.log.recordings.append(
            Recording(
                server=self.server,
                tool=tool.name,
                key=key,
                arguments=arguments,
                output=played.text,
                verdict=played.verdict,
                recorded_at=datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                model=self.completer.model,
                adopt_to=replay_folder(self.server, tool),
            )
        )
        return played

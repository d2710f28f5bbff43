"""Gathers what the events of one program say, in their order; nothing is decided before the last one was read."""

from dataclasses import dataclass

from skill_evaluator.agents.command_config import Reading
from skill_evaluator.agents.command_opened import SkillFiles
from skill_evaluator.agents.command_text import BoundedText, cut, cut_all
from skill_evaluator.agents.command_values import as_text, call_key, flat, found, objects
from skill_evaluator.agents.json_lines import MAX_DEPTH, nests_deeper
from skill_evaluator.model import JsonObject, ToolCall, Usage

MOST_CALLS = 10_000  # tool calls, or skills invoked, of one run
_ABSURD = 1e15  # no session takes so many tokens or dollars
_TOO_DEEP = f"[left out: nested deeper than {MAX_DEPTH} levels]"


@dataclass(slots=True)
class _Called:
    """One tool call, as far as it is known."""

    name: str
    arguments: JsonObject | None
    opened: list[str]
    result: str | None = None
    failed: bool = False

    def is_other(self, name: object, arguments: JsonObject | None) -> bool:
        """Whether what is told under the same id is about another call."""
        if isinstance(name, str) and name != self.name:
            return True
        return self.result is not None and arguments is not None and arguments != self.arguments

    def take(self, result: object, *, failed: object) -> None:
        """Note how it ended; the last word counts."""
        if result is not None:
            self.result = cut(as_text(result))
        self.failed = self.failed or bool(failed)


class CommandSession:
    """What the events read so far say.

    Args:
        reading: Where events say it.
        files: The SKILL.md files of the run.
        root: The run's folder; its path, which no two runs share, is written as /RUN.
    """

    def __init__(self, reading: Reading, files: SkillFiles, root: str) -> None:
        self._reading = reading
        self._files = files
        self._root = root
        self._text = BoundedText()
        self._calls: list[_Called] = []
        self._by_id: dict[str, _Called] = {}
        self._invoked: list[str | _Called] = []
        self._amounts: dict[str, float | None] = {}
        self.started = reading.start is None
        self.listed: set[str] | None = None
        self.error: str | None = None
        self.too_many = False

    def take(self, event: object) -> None:
        """Take one event in, or the whole document."""
        reading = self._reading
        self.started = self.started or bool(found(reading.start, event))
        self._list(found(reading.listed, event))
        self._invoke(found(reading.skill, event))
        for call in objects(found(reading.tool_calls, event)):
            self._call(call)
        for result in objects(found(reading.tool_results, event)):
            if called := self._by_id.get(call_key(result.get("id")) or ""):
                called.take(self._plain(result.get("result")), failed=result.get("failed"))
        self._say(found(reading.text, event))
        for name in ("input_tokens", "output_tokens", "cost_usd"):
            self._count(name, found(getattr(reading, name), event))
        if error := found(reading.error, event):
            self.error = cut(self._named(as_text(error)), 2_000)

    @property
    def output(self) -> str | None:
        """The final text, "" where the agent gave none; None where nobody looks for one."""
        return self._text.text if self._reading.text is not None else None

    @property
    def output_cut(self) -> bool:
        """Whether the middle of the final text is missing."""
        return self._text.is_cut

    @property
    def tool_calls(self) -> tuple[ToolCall, ...] | None:
        """All calls in the order made; None where nobody looks for them."""
        if self._reading.tool_calls is None:
            return None
        return tuple(ToolCall(name=one.name, arguments=one.arguments, result=one.result) for one in self._calls)

    @property
    def skills_invoked(self) -> tuple[str, ...]:
        """Skills that were named, and those whose SKILL.md was opened without being named; in order."""
        named = {one for one in self._invoked if isinstance(one, str)}
        order: list[str] = []
        for one in self._invoked:
            if isinstance(one, str):
                order.append(one)
            elif not one.failed:
                order += [name for name in one.opened if name not in named and name not in order]
        return tuple(order)

    @property
    def usage(self) -> Usage | None:
        """Tokens and cost as reported; None without any."""
        if not any(amount is not None for amount in self._amounts.values()):
            return None
        tokens_in, tokens_out = (self._amounts.get(name) for name in ("input_tokens", "output_tokens"))
        return Usage(
            input_tokens=None if tokens_in is None else int(tokens_in),
            output_tokens=None if tokens_out is None else int(tokens_out),
            cost_usd=self._amounts.get("cost_usd"),
        )

    def _list(self, names: object) -> None:
        if isinstance(names, list):
            self.listed = (self.listed or set()) | {name for name in names if isinstance(name, str)}

    def _invoke(self, names: object) -> None:
        for name in flat(names):
            if isinstance(name, str) and name and self._has_room():
                self._invoked.append(name)

    def _call(self, call: JsonObject) -> None:
        """Take a call in; what is told of it again, under the same id, completes it.

        Some agents number the calls of each turn anew: another name, or another input after a result, is another call.
        """
        name, given = call.get("name"), call.get("input")
        key = call_key(call.get("id"))
        called = self._by_id.get(key or "")
        if called is None or called.is_other(name, self._arguments(given) if given else None):
            if not isinstance(name, str) or not self._has_room():
                return
            called = _Called(name, self._arguments(given), self._files.opened_by(given))
            self._calls.append(called)
            self._invoked.append(called)
            if key:
                self._by_id[key] = called
        elif given:
            called.arguments = self._arguments(given)
            called.opened = called.opened or self._files.opened_by(given)
        called.take(self._plain(call.get("result")), failed=call.get("failed"))

    def _has_room(self) -> bool:
        self.too_many = self.too_many or len(self._invoked) >= MOST_CALLS
        return not self.too_many

    def _arguments(self, given: object) -> JsonObject | None:
        """Take arguments as far as the journal can hold them; None where they are not told."""
        if given is None:
            return None
        table = given if isinstance(given, dict) else {"input": given}
        shallow = {key: _TOO_DEEP if nests_deeper(value, MAX_DEPTH - 1) else value for key, value in table.items()}
        cleaned = cut_all(self._plain(shallow))
        return cleaned if isinstance(cleaned, dict) else {}

    def _say(self, text: object) -> None:
        parts = [part for part in flat(text) if isinstance(part, str) and part]
        if parts and not self._reading.joined:
            self._text = BoundedText()
        for part in parts:
            self._text.add(self._named(part))

    def _count(self, name: str, amount: object) -> None:
        if isinstance(amount, bool) or not isinstance(amount, int | float) or not 0 <= amount < _ABSURD:
            return
        before = self._amounts.get(name) if self._reading.summed else None
        self._amounts[name] = amount if before is None else before + amount

    def _named(self, text: str) -> str:
        return text.replace(self._root, "/RUN")

    def _plain(self, value: object) -> object:
        match value:
            case str():
                return self._named(value)
            case dict():
                return {key: self._plain(item) for key, item in value.items()}
            case list():
                return [self._plain(item) for item in value]
            case _:
                return value

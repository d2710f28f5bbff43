"""Gathers what the lines of one Claude Code session say, in their order."""

from skill_evaluator.agents.json_lines import MAX_DEPTH, nests_deeper, read_line
from skill_evaluator.agents.stream_result import StreamResult
from skill_evaluator.model import Failure, FailureKind, JsonObject, ToolCall
from skill_evaluator.skill_names import SKILL_TOOL, is_target

_SYNTHETIC = "<synthetic>"  # the model of messages that the program made up itself, such as those on API errors
_TOO_DEEP = f"[left out: nested deeper than {MAX_DEPTH} levels]"


class StreamSession:
    """What the lines read so far say.

    Attributes:
        model: The model that the session names, or None.
        output: The last text of the model; what the program says by itself, such as an error, is none.
        last_words: The last text that is not blank, whoever said it; a blank one where there is no other.
        result: What its result lines say.
    """

    def __init__(self) -> None:
        self.model: str | None = None
        self.output = ""
        self.last_words = ""
        self.result = StreamResult()
        self._listed: set[str] | None = None
        self._calls: dict[str, tuple[str, JsonObject]] = {}
        self._results: dict[str, str] = {}
        self._failed: set[str] = set()
        self._lines = self._broken = 0

    def read(self, line: str) -> None:
        """Take one line in."""
        if not line.strip():
            return
        self._lines += 1
        try:
            event = read_line(line)
        except ValueError:
            event = None
        if isinstance(event, dict):
            self.take(event)
        else:
            self._broken += 1

    def take(self, event: JsonObject) -> None:
        """Take in what one line says."""
        match event:
            case {"type": "system", "subtype": "init"}:
                self._start(event)
            case {"type": "assistant", "message": {"content": list(blocks), **message}}:
                self._say(blocks, is_main=not event.get("parent_tool_use_id"), model=message.get("model"))
                self.result.note_error(event.get("error"))
            case {"type": "user", "message": {"content": list(blocks)}}:
                self._receive(blocks)
            case {"type": "result"}:
                self.result.add(event)
            case _:
                pass  # other lines tell of progress, and later versions may add more

    def triggered(self, skill_name: str) -> bool:
        """Whether the skill was invoked, or its SKILL.md opened by a `Read` that worked."""
        return any(is_target(name, skill_name) for name in self.skills_invoked()) or any(
            name == "Read" and key not in self._failed and _is_skill_file(arguments.get("file_path"), skill_name)
            for key, (name, arguments) in self._calls.items()
        )

    def skills_invoked(self) -> list[str]:
        """Names given to the `Skill` tool, in order."""
        asked = [arguments.get("skill") for name, arguments in self._calls.values() if name == SKILL_TOOL]
        return [name for name in asked if isinstance(name, str)]

    def tool_calls(self) -> tuple[ToolCall, ...]:
        """All calls in order, with their results."""
        return tuple(
            ToolCall(name=name, arguments=arguments, result=self._results.get(key))
            for key, (name, arguments) in self._calls.items()
        )

    def failure(self, skill_name: str) -> Failure | None:
        """Why the session does not count, or None."""
        if self._listed is not None and not any(is_target(name, skill_name) for name in self._listed):
            message = f"the session lists {len(self._listed)} skills, and {skill_name!r} is not one of them"
            return Failure(kind=FailureKind.SKILL_NOT_LISTED, message=message)
        if not self.result.is_there:
            message = f"the session ends without a result ({self._lines} lines read, {self._broken} of them not JSON)"
            return Failure(kind=FailureKind.CRASH, message=message)
        return self.result.failure

    def _start(self, event: JsonObject) -> None:
        """Note model and skills; a session starts anew whenever a background task reports back."""
        model, skills = event.get("model"), event.get("skills")
        if self.model is None and isinstance(model, str):
            self.model = model
        if self._listed is None and isinstance(skills, list):
            self._listed = {name for name in skills if isinstance(name, str)}

    def _say(self, blocks: list[object], *, is_main: bool, model: object) -> None:
        for block in blocks:
            match block:
                case {"type": "text", "text": str(text)} if is_main:
                    self._end_with(text, is_of_model=model != _SYNTHETIC)
                case {"type": "tool_use", "name": str(name), **rest}:
                    key = str(rest.get("id") or len(self._calls))
                    self._calls.setdefault(key, (name, _arguments(rest.get("input"))))
                case _:
                    pass  # thinking, images and the like

    def _end_with(self, text: str, *, is_of_model: bool) -> None:
        if is_of_model:
            self.output = text
        if text.strip() or not self.last_words.strip():
            self.last_words = text

    def _receive(self, blocks: list[object]) -> None:
        for block in blocks:
            match block:
                case {"type": "tool_result", "tool_use_id": str(key), **rest}:
                    self._results.setdefault(key, _text_of(rest.get("content")))
                    if rest.get("is_error") is True:
                        self._failed.add(key)
                case _:
                    pass  # the body of a skill, among others


def _arguments(given: object) -> JsonObject:
    """Take arguments as far as the journal can hold them."""
    if not isinstance(given, dict):
        return {}
    return {key: _TOO_DEEP if nests_deeper(value, MAX_DEPTH - 1) else value for key, value in given.items()}


def _is_skill_file(path: object, skill_name: str) -> bool:
    return isinstance(path, str) and f"/{path}".replace("\\", "/").endswith(f"/{skill_name}/SKILL.md")


def _text_of(content: object) -> str:
    """Give the text of a tool's result, which is a string or a list of blocks."""
    match content:
        case str():
            return content
        case list():
            texts = [block.get("text") for block in content if isinstance(block, dict)]
            return "\n".join(text for text in texts if isinstance(text, str))
        case _:
            return ""

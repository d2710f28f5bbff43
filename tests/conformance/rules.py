"""Rules of a scripted server -> what it answers: the language in which recorded suites write the other side.

Each rule says `when` it applies and what it answers, once for all or in turn; the first that applies answers. The
conditions and the answers are those of the conformance folder's suites; an unknown one is an error.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tests.api_answers import Answer, Block, call, delayed, fault, text

_CWD = re.compile(r"[Ww]orking directory:\s*(\S+)")
_VARIABLE = re.compile(r"\{\{env:(\w+)\}\}")
_USAGE = {
    "input_tokens": 100,
    "output_tokens": 20,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
}


@dataclass(frozen=True, kw_only=True)
class Request:
    """The body of one request, as conditions look at it."""

    body: Mapping[str, Any]

    @cached_property
    def raw(self) -> str:
        """The body as the program wrote it: compact JSON that escapes no more than it must."""
        return json.dumps(self.body, ensure_ascii=False, separators=(",", ":"))

    @cached_property
    def system(self) -> str:
        """The system text, with messages of that role that stand between the others."""
        later = [message for message in self.messages if message.get("role") == "system"]
        return "\n".join([_words(self.body.get("system") or ""), *(_words(message["content"]) for message in later)])

    @cached_property
    def messages(self) -> Sequence[Mapping[str, Any]]:
        """All messages."""
        return self.body.get("messages") or ()

    @cached_property
    def users(self) -> Sequence[Mapping[str, Any]]:
        """The messages of the user's side."""
        return [message for message in self.messages if message.get("role") == "user"]

    @cached_property
    def last_user(self) -> str:
        """What was typed last; what the program adds by itself is not typed."""
        for message in reversed(self.users):
            texts = [block["text"] for block in _blocks(message["content"]) if block.get("type") == "text"]
            if typed := [words for words in texts if not words.lstrip().startswith("<system-reminder>")]:
                return "\n".join(typed)
        return ""

    @cached_property
    def all_user(self) -> str:
        """All texts and results of the user's side."""
        return "\n".join(_words(message["content"]) for message in self.users)

    @cached_property
    def results(self) -> Sequence[str]:
        """The results of tools, in order."""
        blocks = [block for message in self.users for block in _blocks(message["content"])]
        return [_words(block.get("content", "")) for block in blocks if block.get("type") == "tool_result"]

    @cached_property
    def ends_with_result(self) -> bool:
        """Whether the last message brings a result."""
        last = _blocks(self.users[-1]["content"]) if self.users else ()
        return any(block.get("type") == "tool_result" for block in last)

    @cached_property
    def tools(self) -> Sequence[str]:
        """The names of the tools that are offered."""
        return [tool["name"] for tool in self.body.get("tools") or ()]

    @cached_property
    def cwd(self) -> str:
        """The working directory that the request names."""
        found = _CWD.search(f"{self.system}\n{self.all_user}")
        return found[1] if found else ""


CONDITIONS: Mapping[str, Callable[[Any, Request], bool]] = {
    "last_user_contains": lambda words, seen: _all_in(words, seen.last_user),
    "last_user_regex": lambda pattern, seen: bool(re.search(pattern, seen.last_user, re.DOTALL)),
    "any_user_contains": lambda words, seen: _all_in(words, seen.all_user),
    "system_contains": lambda words, seen: _all_in(words, seen.system),
    "system_regex": lambda pattern, seen: bool(re.search(pattern, seen.system, re.DOTALL)),
    "has_tool": lambda names, seen: set(_list(names)) <= set(seen.tools),
    "no_tool": lambda names, seen: set(_list(names)).isdisjoint(seen.tools),
    "has_tools": lambda wanted, seen: bool(seen.tools) == wanted,
    "tool_result": lambda wanted, seen: seen.ends_with_result == wanted,
    "tool_results": lambda count, seen: len(seen.results) == count,
    "tool_results_min": lambda count, seen: len(seen.results) >= count,
    "tool_result_contains": lambda words, seen: words in (seen.results[-1] if seen.results else ""),
    "model": lambda pattern, seen: bool(re.search(pattern, seen.body.get("model") or "")),
    "body_contains": lambda words, seen: _all_in(words, seen.raw),
    "body_regex": lambda pattern, seen: bool(re.search(pattern, seen.raw, re.DOTALL)),
    "streaming": lambda wanted, seen: bool(seen.body.get("stream")) == wanted,
}


def applies(when: Mapping[str, Any], request: Request) -> bool:
    """Whether all conditions hold."""
    return all(CONDITIONS[name](wanted, request) for name, wanted in when.items())


@dataclass(kw_only=True, slots=True)
class _Rule:
    when: Mapping[str, Any]
    answers: Sequence[Mapping[str, Any]]
    seen: int = 0
    hits: int = 0

    def answer(self, request: Request) -> Mapping[str, Any] | None:
        """What it answers, or None where it does not apply; `nth` counts what all its other conditions let through."""
        if not applies({name: wanted for name, wanted in self.when.items() if name != "nth"}, request):
            return None
        self.seen += 1
        if "nth" in self.when and self.seen not in _list(self.when["nth"]):
            return None
        self.hits += 1
        return self.answers[min(self.hits, len(self.answers)) - 1]


@dataclass(kw_only=True, slots=True)
class Script:
    """A script; called with the body of a request it gives the answer, as `ApiServer` wants it."""

    rules: list[_Rule] = field(default_factory=list)
    default: Mapping[str, Any] = field(default_factory=lambda: {"text": "ok"})

    @classmethod
    def of(cls, written: Mapping[str, Any]) -> "Script":
        """Read a script."""
        rules = [_Rule(when=rule.get("when", {}), answers=_list(rule["respond"])) for rule in written.get("rules", ())]
        return cls(rules=rules, default=written.get("default", {"text": "ok"}))

    def __call__(self, body: Mapping[str, object]) -> Answer:
        """Answer one request."""
        request = Request(body=body)
        for rule in self.rules:
            if (answer := rule.answer(request)) is not None:
                return _made(_filled(answer, request, rule.hits))
        return _made(_filled(self.default, request, 0))


def _made(written: Mapping[str, Any]) -> Answer:
    if written.get("status", 200) >= 400:
        answer = fault(
            written["status"],
            kind=written.get("error_type"),
            message=written.get("error_message", "scripted"),
            headers={"x-should-retry": "false", **written.get("headers", {})},
        )
    else:
        answer = _message(written)
    return delayed(answer, written.get("delay", 0))


def _message(written: Mapping[str, Any]) -> Answer:
    content = tuple(written.get("content") or _blocks_of(written))
    kind = "tool_use" if any(block["type"] == "tool_use" for block in content) else "end_turn"
    usage = {**_USAGE, **written.get("usage", {})}
    changed = {"model": written["model"]} if "model" in written else {}
    return replace(
        text(""), content=content, stop_reason=written.get("stop_reason", kind), usage=usage, changed=changed
    )


def _blocks_of(written: Mapping[str, Any]) -> Iterator[Block]:
    if written.get("thinking"):
        yield {"type": "thinking", "thinking": written["thinking"], "signature": "sig"}
    if written.get("text") is not None:
        yield {"type": "text", "text": written["text"]}
    for use in written.get("tool_use") or ():
        (block,) = call(use["name"], use.get("input", {})).content
        yield {**block, "id": use.get("id") or block["id"]}


def _filled(value: Any, request: Request, hit: int) -> Any:  # noqa: ANN401 - JSON as it was written
    if isinstance(value, Mapping):
        return {key: _filled(item, request, hit) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, request, hit) for item in value]
    if not isinstance(value, str) or "{{" not in value:
        return value
    places = {
        "{{cwd}}": request.cwd,
        "{{n}}": str(hit),
        "{{last_user}}": request.last_user,
        "{{last_result}}": request.results[-1] if request.results else "",
    }
    for place, words in places.items():
        value = value.replace(place, words)
    return _VARIABLE.sub(lambda found: os.environ.get(found[1], ""), value)


def _list(value: Any) -> Sequence[Any]:  # noqa: ANN401 - JSON as it was written
    return value if isinstance(value, list) else [value]


def _all_in(words: Any, where: str) -> bool:  # noqa: ANN401 - one text or several
    return all(word in where for word in _list(words))


def _blocks(content: Any) -> Sequence[Mapping[str, Any]]:  # noqa: ANN401 - a text or blocks
    return [{"type": "text", "text": content}] if isinstance(content, str) else content or ()


def _words(content: Any) -> str:  # noqa: ANN401 - a text or blocks
    return "\n".join(words for block in _blocks(content) for words in _words_of(block))


def _words_of(block: Mapping[str, Any]) -> Iterator[str]:
    match block.get("type"):
        case "text":
            yield block["text"]
        case "tool_result":
            yield _words(block.get("content", ""))
        case _:
            pass

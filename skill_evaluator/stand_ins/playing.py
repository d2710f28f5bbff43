"""A model that plays an MCP server: what it is asked, and what its words mean.

Source: Suites recorded with Claude Code 2.1.332: what it is told of earlier calls, and how its answer is read.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from skill_evaluator.graders.javascript_json import stringify
from skill_evaluator.model import JsonObject, MockTool, PlainQuestion
from skill_evaluator.sendable import sendable
from skill_evaluator.stand_ins.recordings import Verdict

_ERROR, _ABORT = "ERROR:", "ABORT:"
MAX_TOKENS: Final = 8192
_MOST_OF_EARLIER: Final = 4_000  # characters of the input or answer of an earlier call
_MOST_OF_CURRENT: Final = 100_000

_ROLE: Final = """\
You stand in for the MCP server "{server}" in a test of an agent. A tool of it is called; give what the real server \
would give back, and nothing else: no explanation, no quotes or code fences around it. Stay consistent with your \
answers to earlier calls. Where the real server would refuse the call, answer `ERROR: ` and its message.
{ending}

How the server behaves:

{body}"""
_MAY_NOT_ABORT: Final = "Never answer ABORT."
_MAY_ABORT: Final = """\
Answer `ABORT: ` and the reason if, and only if, this holds; it ends the test:

{conditions}"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Played:
    """What a model that plays a server answered: the text, and whether it is fine, a tool error or ends the run."""

    text: str
    verdict: Verdict


def question(
    server: str, tool: MockTool, arguments: JsonObject, earlier: Sequence[str], *, number: int
) -> PlainQuestion:
    """Ask for the answer to a call.

    Args:
        server: The server, as its folder is called.
        tool: The tool that is called.
        arguments: The input of the call.
        earlier: Lines of `earlier_call`, oldest first.
        number: Number of the run: the same call in another run is another question.
    """
    ending = _MAY_ABORT.format(conditions=tool.abort_when) if tool.abort_when else _MAY_NOT_ABORT
    shown = _shortened(json.dumps(arguments, indent=2, ensure_ascii=False), _MOST_OF_CURRENT)
    before = "\n".join(["Earlier calls of this run:", *(f"- {line}" for line in earlier), "", ""]) if earlier else ""
    return PlainQuestion(
        system=sendable(_ROLE.format(server=server, ending=ending, body=tool.body)),
        text=sendable(f"{before}Call to answer: {tool.name}\nInput:\n{shown}"),
        vote=number,
        max_tokens=MAX_TOKENS,
    )


def earlier_call(tool: str, arguments: JsonObject, played: Played) -> str:
    """Tell a call and its answer on one line, for the questions after it."""
    mark = "" if played.verdict == "ok" else "[tool error] "
    given, answered = (_shortened(text, _MOST_OF_EARLIER) for text in (stringify(arguments), played.text))
    return f"{tool}({given}) -> {mark}{answered}"


def read_played(text: str, *, may_abort: bool) -> Played:
    """Read what a model answered.

    Args:
        text: Its words.
        may_abort: Whether its file says when it may end the run; where it does not, ending it is a tool error.
    """
    words = text.strip()
    if words.startswith(_ABORT):
        return Played(text=_behind(words, _ABORT) or "abort", verdict="abort" if may_abort else "tool_error")
    if words.startswith(_ERROR):
        return Played(text=_behind(words, _ERROR) or "error", verdict="tool_error")
    return Played(text=words, verdict="ok")


def _behind(words: str, mark: str) -> str:
    return words.removeprefix(mark).strip()


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} [... {len(text) - most} characters left out ...]"

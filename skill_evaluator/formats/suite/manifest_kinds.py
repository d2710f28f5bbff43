"""What a plugin.json may say of MCP servers and hooks.

Source: Suites recorded with Claude Code 2.1.332, one for each row.
"""

from collections.abc import Mapping
from typing import Final

from skill_evaluator.formats.suite.shapes import (
    YES_OR_NO,
    Each,
    Either,
    Items,
    Kinds,
    Plain,
    Record,
    Shape,
    text,
    whole,
)
from skill_evaluator.texts import tr

TEXT: Final = text(tr("text"))
FILLED: Final = text(tr("text that is not empty"), r".+")
TEXTS: Final = Items(of=TEXT)
TEXT_OF_EACH: Final = Each(value=TEXT)
NO_MAPPING: Final = Plain(words=tr("anything else"), holds=lambda value: not isinstance(value, dict))
MILLISECONDS: Final = whole(tr("a whole number of at least 1"), least=1)
BUNDLE: Final = text(tr("a bundle"), r"(?:\./.*|[A-Za-z][A-Za-z0-9+.-]*:\S*)\.(?:mcpb|dxt)")
_EVERY_SERVER: Final[Mapping[str, Shape]] = {"timeout": MILLISECONDS, "alwaysLoad": YES_OR_NO}
_OAUTH: Final = Record(keys={"clientId": TEXT, "callbackPort": whole(tr("a port"), least=1, most=65535)})
_REMOTE: Final[Mapping[str, Shape]] = {"url": TEXT, "headers": TEXT_OF_EACH, "headersHelper": TEXT, **_EVERY_SERVER}
_WEB: Final = Record(keys={**_REMOTE, "oauth": _OAUTH}, needs=("url",))
_EDITOR_KEYS: Final[Mapping[str, Shape]] = {
    "url": TEXT,
    "ideName": TEXT,
    "ideRunningInWindows": YES_OR_NO,
    "authToken": TEXT,
}
_EDITOR: Final = Record(keys={**_EDITOR_KEYS, **_EVERY_SERVER}, needs=("url", "ideName"))
SERVER: Final = Kinds(
    key="type",
    default="stdio",
    kinds={
        "stdio": Record(
            keys={"command": FILLED, "args": TEXTS, "env": TEXT_OF_EACH, **_EVERY_SERVER}, needs=("command",)
        ),
        "http": _WEB,
        "streamable-http": _WEB,
        "sse": _WEB,
        "ws": Record(keys=_REMOTE, needs=("url",)),
        "sse-ide": _EDITOR,
        "ws-ide": _EDITOR,
        "sdk": Record(keys={"name": TEXT, **_EVERY_SERVER}, needs=("name",)),
        "claudeai-proxy": Record(keys={"url": TEXT, "id": TEXT}, needs=("url", "id")),
    },
)
_ABOVE_ZERO: Final = Plain(
    words=tr("a number above 0"),
    holds=lambda value: isinstance(value, int | float) and not isinstance(value, bool) and value > 0,
)
_EVERY_HOOK: Final[Mapping[str, Shape]] = {"timeout": _ABOVE_ZERO, "statusMessage": TEXT, "once": YES_OR_NO, "if": TEXT}
_HOOK: Final = Kinds(
    key="type",
    kinds={
        "command": Record(keys={"command": TEXT, "args": TEXTS, "async": YES_OR_NO, **_EVERY_HOOK}, needs=("command",)),
        "prompt": Record(keys={"prompt": TEXT, **_EVERY_HOOK}, needs=("prompt",)),
        "agent": Record(keys={"prompt": TEXT, **_EVERY_HOOK}, needs=("prompt",)),
        "http": Record(
            keys={"url": text(tr("a URL"), r"[A-Za-z][A-Za-z0-9+.-]*:.+"), **_EVERY_HOOK},
            needs=("url",),
        ),
        "mcp_tool": Record(keys={"server": TEXT, "tool": TEXT, **_EVERY_HOOK}, needs=("server", "tool")),
    },
)
_MATCHERS: Final = Either(
    (
        Plain(words="null", holds=lambda value: value is None),
        Items(of=Record(keys={"matcher": TEXT, "hooks": Items(of=_HOOK)}, needs=("hooks",))),
    )
)
# Of the events, these two alone are looked at; what stands below others may be anything.
_EVENTS: Final = Record(keys={"PreToolUse": _MATCHERS, "PermissionRequest": _MATCHERS})
HOOKS: Final = Record(keys={**_EVENTS.keys, "hooks": Either((_EVENTS, NO_MAPPING))})

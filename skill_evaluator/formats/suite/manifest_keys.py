"""What the keys of a plugin.json may hold: a plugin with anything else there does not load.

Keys that do not stand here may hold anything. The keys of one kind of thing that are not known here are let pass.

Source: Suites recorded with Claude Code 2.1.332, one for each row.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from skill_evaluator.formats.suite.shapes import (
    ANY_MAPPING,
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

_TEXT: Final = text("text")
_FILLED: Final = text("text that is not empty", r".+")
_TEXTS: Final = Items(of=_TEXT)
_TEXT_OF_EACH: Final = Each(value=_TEXT)
_NUMBER: Final = Plain(words="a number", holds=lambda value: type(value) in (int, float))
_NO_MAPPING: Final = Plain(words="anything else", holds=lambda value: not isinstance(value, dict))
_PATH: Final = text("a path that begins with './'", r"\./.*")
_JSON_FILE: Final = text("a path that begins with './' and ends in .json", r"\./.*\.json")
_MD_FILE: Final = text("a path that begins with './' and ends in .md", r"\./.*\.md")
_MILLISECONDS: Final = whole("a whole number of at least 1", least=1)


def _one_or_more(shape: Shape) -> Either:
    return Either((shape, Items(of=shape)))


def _file_or(shape: Shape) -> Either:
    return _one_or_more(Either((_JSON_FILE, shape)))


BUNDLE: Final = text("a bundle", r"(?:\./.*|[A-Za-z][A-Za-z0-9+.-]*:\S*)\.(?:mcpb|dxt)")
_EVERY_SERVER: Final = {"timeout": _MILLISECONDS, "alwaysLoad": YES_OR_NO}
_OAUTH: Final = Record(keys={"clientId": _TEXT, "callbackPort": whole("a port", least=1, most=65535)})
_REMOTE: Final = {"url": _TEXT, "headers": _TEXT_OF_EACH, "headersHelper": _TEXT, **_EVERY_SERVER}
_WEB: Final = Record(keys={**_REMOTE, "oauth": _OAUTH}, needs=("url",))
_EDITOR_KEYS: Final = {"url": _TEXT, "ideName": _TEXT, "ideRunningInWindows": YES_OR_NO, "authToken": _TEXT}
_EDITOR: Final = Record(keys={**_EDITOR_KEYS, **_EVERY_SERVER}, needs=("url", "ideName"))
_SERVER: Final = Kinds(
    key="type",
    default="stdio",
    kinds={
        "stdio": Record(
            keys={"command": _FILLED, "args": _TEXTS, "env": _TEXT_OF_EACH, **_EVERY_SERVER}, needs=("command",)
        ),
        "http": _WEB,
        "streamable-http": _WEB,
        "sse": _WEB,
        "ws": Record(keys=_REMOTE, needs=("url",)),
        "sse-ide": _EDITOR,
        "ws-ide": _EDITOR,
        "sdk": Record(keys={"name": _TEXT, **_EVERY_SERVER}, needs=("name",)),
        "claudeai-proxy": Record(keys={"url": _TEXT, "id": _TEXT}, needs=("url", "id")),
    },
)
_COMMAND: Final = Record(
    keys={
        "source": _PATH,
        "content": _FILLED,
        "description": _TEXT,
        "argumentHint": _TEXT,
        "model": _TEXT,
        "allowedTools": _TEXTS,
    },
    one_of=("source", "content"),
)
_ABOVE_ZERO: Final = Plain(
    words="a number above 0",
    holds=lambda value: isinstance(value, int | float) and not isinstance(value, bool) and value > 0,
)
_EVERY_HOOK: Final = {"timeout": _ABOVE_ZERO, "statusMessage": _TEXT, "once": YES_OR_NO, "if": _TEXT}
_HOOK: Final = Kinds(
    key="type",
    kinds={
        "command": Record(
            keys={"command": _TEXT, "args": _TEXTS, "async": YES_OR_NO, **_EVERY_HOOK}, needs=("command",)
        ),
        "prompt": Record(keys={"prompt": _TEXT, **_EVERY_HOOK}, needs=("prompt",)),
        "agent": Record(keys={"prompt": _TEXT, **_EVERY_HOOK}, needs=("prompt",)),
        "http": Record(
            keys={"url": text("a URL", r"[A-Za-z][A-Za-z0-9+.-]*:.+"), **_EVERY_HOOK},
            needs=("url",),
        ),
        "mcp_tool": Record(keys={"server": _TEXT, "tool": _TEXT, **_EVERY_HOOK}, needs=("server", "tool")),
    },
)
_MATCHERS: Final = Either(
    (
        Plain(words="null", holds=lambda value: value is None),
        Items(of=Record(keys={"matcher": _TEXT, "hooks": Items(of=_HOOK)}, needs=("hooks",))),
    )
)
# Of the events, these two alone are looked at; what stands below others may be anything.
_EVENTS: Final = Record(keys={"PreToolUse": _MATCHERS, "PermissionRequest": _MATCHERS})
_HOOKS: Final = Record(keys={**_EVENTS.keys, "hooks": Either((_EVENTS, _NO_MAPPING))})
_LANGUAGE_SERVER: Final = Record(
    keys={
        "command": text("a command without blanks, or an absolute path", r"/.*|[^ ]+"),
        "args": _TEXTS,
        "env": _TEXT_OF_EACH,
        "extensionToLanguage": Each(value=_FILLED, key=text("an ending such as '.py'", r"\..+"), is_filled=True),
        "transport": text("'stdio' or 'socket'", "stdio|socket"),
        "workspaceFolder": _TEXT,
        "startupTimeout": _MILLISECONDS,
        "shutdownTimeout": _MILLISECONDS,
        "restartOnCrash": YES_OR_NO,
        "maxRestarts": whole("a whole number", least=0),
    },
    needs=("command", "extensionToLanguage"),
)
_SETTING: Final = Record(
    keys={
        "type": text("'string', 'number', 'boolean', 'directory' or 'file'", "string|number|boolean|directory|file"),
        "title": _TEXT,
        "description": _TEXT,
        "required": YES_OR_NO,
        "default": Either((_TEXT, _NUMBER, YES_OR_NO, _TEXTS)),
        "sensitive": YES_OR_NO,
        "multiple": YES_OR_NO,
        "min": _NUMBER,
        "max": _NUMBER,
    },
    needs=("type", "title", "description"),
)
_SETTINGS: Final = Each(value=_SETTING, key=text("a key of letters, digits and '_'", r"[A-Za-z_]\w*"))
_PLUGIN_NAME: Final = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_DEPENDENCY: Final = Either(
    (
        text("the name of a plugin, such as name@marketplace", rf"{_PLUGIN_NAME}(?:@{_PLUGIN_NAME})?(?:@\^\S+)?"),
        Record(keys={"name": text("the name of a plugin", _PLUGIN_NAME), "marketplace": _TEXT}, needs=("name",)),
    )
)
_MONITOR: Final = Record(
    keys={
        "name": _FILLED,
        "command": _FILLED,
        "description": _FILLED,
        "when": text("'always' or 'on-skill-invoke:' and a skill", r"always|on-skill-invoke:.+"),
    },
    needs=("name", "command", "description"),
)
_MONITORS: Final = Either((_JSON_FILE, Items(of=_MONITOR, once="name")))
_NAME: Final = text(
    "text without blanks and control characters", r"[^\x00-\x20\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]+"
)
_EXPERIMENTAL: Final = Record(
    keys={"evals": Either((_TEXT, _TEXTS)), "monitors": _MONITORS, "themes": _one_or_more(_PATH)}
)

KEYS: Final[Mapping[str, Shape]] = MappingProxyType(
    {
        "name": _NAME,
        "version": text('text such as "1.0.0"'),
        "skills": _one_or_more(text("a path that begins with './'", r"\.|\./.*")),
        "commands": Either((_PATH, Items(of=_PATH), Each(value=_COMMAND))),
        "agents": _one_or_more(_MD_FILE),
        "hooks": _file_or(_HOOKS),
        "mcpServers": _one_or_more(Either((_JSON_FILE, BUNDLE, Each(value=_SERVER)))),
        "lspServers": _file_or(Each(value=_LANGUAGE_SERVER)),
        "outputStyles": _one_or_more(_PATH),
        "themes": _one_or_more(_PATH),
        "workflows": _one_or_more(_PATH),
        "settings": ANY_MAPPING,
        "userConfig": _SETTINGS,
        "channels": Items(
            of=Record(keys={"server": _FILLED, "displayName": _TEXT, "userConfig": _SETTINGS}, needs=("server",))
        ),
        "dependencies": Items(of=_DEPENDENCY),
        "monitors": _MONITORS,
        "defaultEnabled": YES_OR_NO,
        "experimental": Either((_EXPERIMENTAL, _NO_MAPPING)),
    }
)
NEEDED: Final = ("name",)

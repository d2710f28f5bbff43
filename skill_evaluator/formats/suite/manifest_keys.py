"""What the keys of a plugin.json may hold: a plugin with anything else there does not load.

Keys that do not stand here may hold anything. The keys of one kind of thing that are not known here are let pass.

Source: Suites recorded with Claude Code 2.1.332, one for each row.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from skill_evaluator.formats.suite.manifest_kinds import (
    BUNDLE,
    FILLED,
    HOOKS,
    MILLISECONDS,
    NO_MAPPING,
    SERVER,
    TEXT,
    TEXT_OF_EACH,
    TEXTS,
)
from skill_evaluator.formats.suite.shapes import (
    ANY_MAPPING,
    YES_OR_NO,
    Each,
    Either,
    Items,
    Plain,
    Record,
    Shape,
    text,
    whole,
)
from skill_evaluator.texts import tr

_NUMBER: Final = Plain(words=tr("a number"), holds=lambda value: type(value) in (int, float))
_PATH: Final = text(tr("a path that begins with './'"), r"\./.*")
_JSON_FILE: Final = text(tr("a path that begins with './' and ends in .json"), r"\./.*\.json")
_MD_FILE: Final = text(tr("a path that begins with './' and ends in .md"), r"\./.*\.md")


def _one_or_more(shape: Shape) -> Either:
    return Either((shape, Items(of=shape)))


def _file_or(shape: Shape) -> Either:
    return _one_or_more(Either((_JSON_FILE, shape)))


_COMMAND: Final = Record(
    keys={
        "source": _PATH,
        "content": FILLED,
        "description": TEXT,
        "argumentHint": TEXT,
        "model": TEXT,
        "allowedTools": TEXTS,
    },
    one_of=("source", "content"),
)
_LANGUAGE_SERVER: Final = Record(
    keys={
        "command": text(tr("a command without blanks, or an absolute path"), r"/.*|[^ ]+"),
        "args": TEXTS,
        "env": TEXT_OF_EACH,
        "extensionToLanguage": Each(value=FILLED, key=text(tr("an ending such as '.py'"), r"\..+"), is_filled=True),
        "transport": text(tr("'stdio' or 'socket'"), "stdio|socket"),
        "workspaceFolder": TEXT,
        "startupTimeout": MILLISECONDS,
        "shutdownTimeout": MILLISECONDS,
        "restartOnCrash": YES_OR_NO,
        "maxRestarts": whole(tr("a whole number"), least=0),
    },
    needs=("command", "extensionToLanguage"),
)
_SETTING: Final = Record(
    keys={
        "type": text(
            tr("'string', 'number', 'boolean', 'directory' or 'file'"), "string|number|boolean|directory|file"
        ),
        "title": TEXT,
        "description": TEXT,
        "required": YES_OR_NO,
        "default": Either((TEXT, _NUMBER, YES_OR_NO, TEXTS)),
        "sensitive": YES_OR_NO,
        "multiple": YES_OR_NO,
        "min": _NUMBER,
        "max": _NUMBER,
    },
    needs=("type", "title", "description"),
)
_SETTINGS: Final = Each(value=_SETTING, key=text(tr("a key of letters, digits and '_'"), r"[A-Za-z_]\w*"))
_PLUGIN_NAME: Final = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_DEPENDENCY: Final = Either(
    (
        text(tr("the name of a plugin, such as name@marketplace"), rf"{_PLUGIN_NAME}(?:@{_PLUGIN_NAME})?(?:@\^\S+)?"),
        Record(keys={"name": text(tr("the name of a plugin"), _PLUGIN_NAME), "marketplace": TEXT}, needs=("name",)),
    )
)
_MONITOR: Final = Record(
    keys={
        "name": FILLED,
        "command": FILLED,
        "description": FILLED,
        "when": text(tr("'always' or 'on-skill-invoke:' and a skill"), r"always|on-skill-invoke:.+"),
    },
    needs=("name", "command", "description"),
)
_MONITORS: Final = Either((_JSON_FILE, Items(of=_MONITOR, once="name")))
_NAME: Final = text(
    tr("text without blanks and control characters"), r"[^\x00-\x20\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]+"
)
_EXPERIMENTAL: Final = Record(
    keys={"evals": Either((TEXT, TEXTS)), "monitors": _MONITORS, "themes": _one_or_more(_PATH)}
)

KEYS: Final[Mapping[str, Shape]] = MappingProxyType(
    {
        "name": _NAME,
        "version": text(tr('text such as "1.0.0"')),
        "skills": _one_or_more(text(tr("a path that begins with './'"), r"\.|\./.*")),
        "commands": Either((_PATH, Items(of=_PATH), Each(value=_COMMAND))),
        "agents": _one_or_more(_MD_FILE),
        "hooks": _file_or(HOOKS),
        "mcpServers": _one_or_more(Either((_JSON_FILE, BUNDLE, Each(value=SERVER)))),
        "lspServers": _file_or(Each(value=_LANGUAGE_SERVER)),
        "outputStyles": _one_or_more(_PATH),
        "themes": _one_or_more(_PATH),
        "workflows": _one_or_more(_PATH),
        "settings": ANY_MAPPING,
        "userConfig": _SETTINGS,
        "channels": Items(
            of=Record(keys={"server": FILLED, "displayName": TEXT, "userConfig": _SETTINGS}, needs=("server",))
        ),
        "dependencies": Items(of=_DEPENDENCY),
        "monitors": _MONITORS,
        "defaultEnabled": YES_OR_NO,
        "experimental": Either((_EXPERIMENTAL, NO_MAPPING)),
    }
)
NEEDED: Final = ("name",)

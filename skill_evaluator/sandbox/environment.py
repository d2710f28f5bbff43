"""Which variables a child is given: few, so that personal settings of one machine do not change a score."""

import os
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from skill_evaluator.sandbox.folder import Sandbox

MARKER = "SKILL_EVALUATOR_RUN"  # what carries the run's value of it belongs to the run

_ALLOWED = re.compile(
    r"""(?x)
    PATH | LANG | LANGUAGE | LC_\w+ | TZ
    | (?:HTTPS?|FTP|ALL|NO)_PROXY | SSL_CERT_(?:FILE|DIR) | REQUESTS_CA_BUNDLE | CURL_CA_BUNDLE | NODE_EXTRA_CA_CERTS
    | (?:ANTHROPIC|CLAUDE_CODE|EVAL)_\w+
    | SYSTEMROOT | SYSTEMDRIVE | WINDIR | COMSPEC | PATHEXT | PROGRAMDATA | PROGRAMFILES(?:\(X86\))? | PROGRAMW6432
    | NUMBER_OF_PROCESSORS | PROCESSOR_ARCHITECTURE
    """,
    re.IGNORECASE,
)
_HOMES: Mapping[str, str] = MappingProxyType(
    {
        "HOME": "",
        "USERPROFILE": "",
        "XDG_CONFIG_HOME": ".config",
        "XDG_CACHE_HOME": ".cache",
        "XDG_DATA_HOME": ".local/share",
        "XDG_STATE_HOME": ".local/state",
        "APPDATA": "AppData/Roaming",
        "LOCALAPPDATA": "AppData/Local",
    }
)
_TEMPORARY = ("TMPDIR", "TMP", "TEMP")


def child_environment(
    folder: Sandbox,
    *,
    outside: Mapping[str, str] = os.environ,
    passed: Iterable[str] = (),
    added: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, str]:
    """Make the environment of a child.

    Args:
        folder: Where it runs; its home, its folder for temporary files and its marker come from here.
        outside: The environment of this program.
        passed: Further names to pass through as they are outside; a name that is not set stays unset.
        added: Names and values that the user wrote down; they go before all others but the marker.
    """
    wanted = set(passed)
    kept = {name: value for name, value in outside.items() if name in wanted or _ALLOWED.fullmatch(name)}
    return {
        "PATH": os.defpath,
        **kept,
        **{name: str(folder.home / below) for name, below in _HOMES.items()},
        **dict.fromkeys(_TEMPORARY, str(folder.tmp)),
        "PWD": str(folder.workspace),
        **added,
        MARKER: folder.marker,
    }


def names_passed(passed: Iterable[str] = (), outside: Mapping[str, str] = os.environ) -> list[str]:
    """List the variables of this program's environment that a child sees, sorted; never their values."""
    wanted = set(passed)
    return sorted(name for name in outside if name in wanted or _ALLOWED.fullmatch(name))

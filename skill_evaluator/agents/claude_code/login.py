"""The user's own login to Claude Code: looked up where the program keeps it, and handed to its children.

The program keeps it in its configuration, and a run has a configuration of its own. So the token is handed over as the
real `claude plugin eval`, 2.1.332, does it: through a pipe whose number a variable names, where neither hooks nor
servers of a plugin, nor the shell, find it. Nothing is renewed or written.
"""

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skill_evaluator.errors import InputError
from skill_evaluator.file_names import shown
from skill_evaluator.model import Finding, Level
from skill_evaluator.redaction import longest_first
from skill_evaluator.texts import tr

TOKEN: Final = "CLAUDE_CODE_OAUTH_TOKEN"  # noqa: S105 - a name
PIPE: Final = f"{TOKEN}_FILE_DESCRIPTOR"
SCOPES: Final = "CLAUDE_CODE_OAUTH_SCOPES"
HANDED: Final = frozenset({TOKEN, PIPE, SCOPES})  # a run is given these anew, or not at all
_NEEDED: Final = "user:inference"
_FILE: Final = ".credentials.json"
_BEFORE_IT: Final = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
_CLOUD: Final = "CLAUDE_CODE_USE_"


@dataclass(frozen=True, kw_only=True, slots=True)
class Login:
    """A login of the user.

    Attributes:
        token: What the server is shown.
        source: The variable or file that it comes from.
        scopes: What it is good for, apart by blanks.
        more: Further values that open something, and are kept out of everything too.
        ends_s: When it ends, in seconds since 1970; None where nobody says.
    """

    token: str
    source: str
    scopes: str = _NEEDED
    more: tuple[str, ...] = ()
    ends_s: float | None = None

    def __repr__(self) -> str:
        """Show where it comes from, and nothing that opens anything."""
        return f"Login(source={self.source!r})"

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must be shown nowhere, longest first."""
        return longest_first((self.token, *self.more))


def find_login(outside: Mapping[str, str] = os.environ) -> Login | None:
    """Look for the login that runs use; None where there is none, or a key or a cloud provider goes before it.

    Args:
        outside: The environment of this program. `CLAUDE_CODE_OAUTH_TOKEN` holds a token itself; else it is looked for
            in the program's configuration, in `CLAUDE_CONFIG_DIR` or the home.
    """
    if any(outside.get(name) for name in _BEFORE_IT):
        return None
    if any(value not in {"", "0", "false"} for name, value in outside.items() if name.startswith(_CLOUD)):
        return None
    if token := outside.get(TOKEN):
        return Login(token=token, source=TOKEN, scopes=outside.get(SCOPES) or _NEEDED)
    return _kept_login(outside)


def check_login(outside: Mapping[str, str] = os.environ) -> None:
    """Make sure that a login that would be used has not ended, before anything is asked.

    Raises:
        InputError: If it has; it says how to renew it.
    """
    login = find_login(outside)
    if login is None or login.ends_s is None or login.ends_s > time.time():
        return
    when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(login.ends_s))
    message = tr(
        "the login in {source} ended at {when}, and only Claude Code itself renews it: start claude once and "
        "say something, or set {token} to what `claude setup-token` prints",
        source=login.source,
        when=when,
        token=TOKEN,
    )
    raise InputError([Finding(level=Level.FAIL, code="login-ended", message=message)])


def login_secrets(outside: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Give what opens the user's account, so that it can be kept out of everything."""
    login = find_login(outside)
    return login.secrets if login else ()


def _kept_login(outside: Mapping[str, str]) -> Login | None:
    """Read the file of the program; one that says something else is none, and the program then tells so itself."""
    home = outside.get("HOME") or outside.get("USERPROFILE")
    folder = outside.get("CLAUDE_CONFIG_DIR") or (home and str(Path(home, ".claude")))
    if not folder:
        return None
    path = Path(folder, _FILE)
    try:
        kept = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    found = kept.get("claudeAiOauth") if isinstance(kept, dict) else None
    return _login_of(found, path) if isinstance(found, dict) else None


def _login_of(found: Mapping[str, object], path: Path) -> Login | None:
    token, renewal, ends, scopes = (found.get(key) for key in ("accessToken", "refreshToken", "expiresAt", "scopes"))
    if not isinstance(token, str) or not token:
        return None
    words = [word for word in scopes if isinstance(word, str)] if isinstance(scopes, list) else [_NEEDED]
    if _NEEDED not in words:
        return None
    return Login(
        token=token,
        source=shown(path),
        scopes=" ".join(words),
        more=(renewal,) if isinstance(renewal, str) and renewal else (),
        ends_s=ends / 1000 if isinstance(ends, int | float) and not isinstance(ends, bool) else None,
    )


def hand_over(login: Login | None, environment: Mapping[str, str]) -> tuple[dict[str, str], dict[str, bytes]]:
    """Say how a run is given a login.

    Args:
        login: The user's, or None.
        environment: Of the run.

    Returns:
        The environment; and texts to be read from pipes, by the variable that will name each pipe.
    """
    kept = {name: value for name, value in environment.items() if name not in HANDED}
    if login is None:
        return kept, {}
    kept[SCOPES] = login.scopes
    if os.name != "posix":
        return {**kept, TOKEN: login.token}, {}  # there a child inherits no pipe by its number
    return kept, {PIPE: login.token.encode(errors="replace")}

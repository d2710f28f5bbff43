"""Keeps a shell that the user granted inside the program's own sandbox.

Source: the settings that `claude plugin eval`, 2.1.332, writes for its children where bubblewrap and socat are there.
"""

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skill_evaluator.agents.claude_code.grants import Grants, read_disallowed
from skill_evaluator.agents.claude_code.hidden import Hidden
from skill_evaluator.agents.claude_code.layout import Layout
from skill_evaluator.model import Arm, Case, JsonObject, Setup
from skill_evaluator.texts import tr

GET_SANDBOX: Final = tr("on Linux install bubblewrap and socat; on Windows run the suite in WSL2")
_BACKEND: Final = ("bwrap", "socat")
_SHARED: Final = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - kept from the shell, not used
_PROGRAMS_OWN: Final = "/tmp/claude"  # noqa: S108 - the program lets its shell write there if nobody says no
_SECRETS: Final = (
    *("/run/secrets", "/run/credentials", "/etc/kubernetes/pki", "/var/lib/kubelet/pki", "/var/kerberos/krb5/user"),
    "/var/lib/rancher/k3s/server/tls",
)
# Files in the home that make other programs run something, or read settings, whoever starts them later.
_STARTERS: Final = (
    *(".git/hooks", ".git/config", ".git/commondir", ".git/glab-cli", ".gitconfig", ".gitmodules"),
    *(".config/git", ".config/glab-cli", "cwd/.eval-artifacts", "pyrightconfig.json"),
    *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".envrc"),
    *(".zshrc", ".zprofile", ".zshenv", ".zlogin", ".zlogout"),
    *(".claude", ".claude.json", ".mcp.json", ".aws", ".vscode", ".idea", ".husky", ".cargo", ".devcontainer"),
    *(".devcontainer.json", ".yarn", ".yarnrc", ".yarnrc.yml", ".mvn", ".npmrc", ".pnp.cjs", ".pnp.loader.mjs"),
    *(".pnp.js", ".pnp.data.json", ".bazelversion", "gradle-wrapper.properties", "maven-wrapper.properties"),
    *(".pnpmfile.cjs", ".bazelrc", ".bazeliskrc", ".ripgreprc", "bunfig.toml", ".bunfig.toml", ".local/lib"),
    *(".pre-commit-config.yaml", "lefthook.yml", ".lefthook.yml", "lefthook.yaml", ".lefthook.yaml"),
)
_CREDENTIAL_FILES: Final = (
    *("/etc/npmrc", "/usr/etc/npmrc", "/usr/local/etc/npmrc", "/opt/homebrew/etc/npmrc", "/etc/boto.cfg"),
    *("/etc/pip.conf", "/etc/xdg/pip/pip.conf", "/etc/wgetrc", "/usr/local/etc/wgetrc", "/etc/conda/condarc"),
    *("/etc/pg_service.conf", "/etc/postgresql-common/pg_service.conf", "/usr/bin/security"),
    *("/usr/lib/git-core/git-credential-store", "/usr/lib/git-core/git-credential-cache"),
)
_SECRET_NAME: Final = re.compile(
    r"(?i).*(?:KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|COOKIE|CERT|CUSTOM_HEADERS|CONNECTION|_DSN)"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Confined:
    """What the settings of a run depend on.

    Attributes:
        layout: Its folders.
        case: Its case.
        environment: What the program is given; names that look like secrets are kept from the shell.
        outside: The environment of this program, for the user's own home.
        eval_dir: As for `rules.child_rules`.
        arm: Likewise.
        results: Likewise.
    """

    layout: Layout
    case: Case
    environment: Mapping[str, str]
    outside: Mapping[str, str]
    eval_dir: Path | None = None
    arm: Arm = Arm.WITH
    results: tuple[Path, ...] = ()


def has_sandbox(path: str | None = None) -> bool:
    """Whether the program can confine a shell on this machine.

    Args:
        path: Folders to look for its helpers in; None for those of this program's environment.
    """
    if sys.platform == "darwin":
        return True  # part of the system
    return sys.platform == "linux" and all(shutil.which(name, path=path) for name in _BACKEND)


def sandbox_settings(
    grants: Grants, disallow: Sequence[str] = (), confined: Confined | None = None, *, path: str | None = None
) -> JsonObject | str:
    """Give the settings of the program that confine its shell.

    Args:
        grants: What the user gave.
        disallow: Tools that the user or the case took away.
        confined: The run; None only asks whether runs must be refused.
        path: As for `has_sandbox`.

    Returns:
        What `write_settings` hands over, empty where no shell is granted; or why runs must be refused.
    """
    given = grants.without(read_disallowed(disallow)[0])
    if not given.has_shell:
        return {}
    if not has_sandbox(path):
        return f"a shell is granted, and this machine has nothing to confine it with, so it is not run: {GET_SANDBOX}"
    return _settings(given, confined) if confined else {}


def write_settings(layout: Layout, settings: JsonObject) -> None:
    """Put the settings of a run into its configuration; no others may allow a confined child anything.

    With `--settings` the program takes what is denied, and nothing that is allowed: the workspace could not be written.

    Raises:
        OSError: If they cannot be written, as on a full disk.
    """
    if settings:
        (layout.config / "settings.json").write_bytes(json.dumps(settings).encode())


def _settings(grants: Grants, run: Confined) -> JsonObject:
    setup = run.case.setup or Setup(folder=run.layout.cwd)
    hidden = Hidden(setup=setup, eval_dir=run.eval_dir, arm=run.arm, results=run.results, run=run.layout.root)
    own = (run.layout.home, run.layout.tmp)
    secret = (run.layout.config, run.layout.out, *hidden.unreadable())
    return {
        "sandbox": {
            "enabled": True,
            "failIfUnavailable": True,
            "autoAllowBashIfSandboxed": False,  # a grant such as Bash(npm test *) allows no more than it says
            "allowUnsandboxedCommands": False,
            "network": {"allowedDomains": list(grants.domains)},
            "filesystem": {
                "allowWrite": _rules(own),
                "denyWrite": _rules((*_unshared(run.layout), *secret, *hidden.unwritable(), *_starters(run.layout))),
                "denyRead": _rules(_kept_from_reading(run, (*hidden.absent, *secret))),
                "allowRead": _rules((*own, *hidden.plugins, *hidden.added)),
            },
            "credentials": {
                "files": [{"path": f"/{path}", "mode": "deny"} for path in _CREDENTIAL_FILES],
                "envVars": [{"name": name, "mode": "deny"} for name in _secret_names(run.environment)],
            },
        }
    }


def _kept_from_reading(run: Confined, secret: Sequence[Path]) -> list[Path]:
    return [*_personal(run.outside), *_paths((*_SHARED, *_SECRETS)), *_user_run(), *secret]


def _rules(places: Sequence[Path]) -> list[str]:
    """Write absolute paths as the settings have them, with a second slash in front."""
    return list(dict.fromkeys(f"/{place.as_posix()}" for place in places))


def _unshared(layout: Layout) -> Iterator[Path]:
    """Give the folders of all users in which nothing is written: nobody's workspace may lie there.

    The real command denies them in any case. So a run whose folders are in /tmp, as they are mostly, cannot write at
    all there, though its workspace is allowed.
    """
    yield from (place for place in _paths((*_SHARED, _PROGRAMS_OWN)) if not layout.root.is_relative_to(place))


def _paths(places: Sequence[str]) -> Iterator[Path]:
    yield from map(Path, places)


def _starters(layout: Layout) -> Iterator[Path]:
    yield from (layout.home / name for name in _STARTERS)


def _personal(outside: Mapping[str, str]) -> Iterator[Path]:
    """Give the user's own folders: the home, and the configuration wherever it is."""
    for name in ("HOME", "USERPROFILE", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"):
        if place := outside.get(name):
            yield Path(os.path.abspath(place))  # noqa: PTH100 - a link is named as it is, and so is what it leads to
            yield Path(os.path.realpath(place))


def _user_run() -> Iterator[Path]:
    if hasattr(os, "getuid"):
        yield Path(f"/run/user/{os.getuid()}")


def _secret_names(environment: Mapping[str, str]) -> list[str]:
    return sorted(name for name in environment if _SECRET_NAME.match(name) and not name.startswith("GIT_CONFIG_"))

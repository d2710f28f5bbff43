"""The TOML file of `--agent-config` -> `CommandConfig`, or everything that is wrong with it."""

import hashlib
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Final, Literal, cast

from skill_evaluator.agents.command_config import DEFAULT_TIMEOUT_S, PROMPT_PLACES, CommandConfig
from skill_evaluator.agents.command_form import TomlForm
from skill_evaluator.agents.command_reading import read_reading
from skill_evaluator.agents.command_template import placeholders, unknown_placeholders
from skill_evaluator.errors import InputError
from skill_evaluator.file_names import shown
from skill_evaluator.model import FailureKind, Finding, Level
from skill_evaluator.reasons import reason_of
from skill_evaluator.regular_files import read_regular
from skill_evaluator.sandbox import is_confined
from skill_evaluator.texts import tr

MAX_BYTES: Final = 1024 * 1024
_FORMATS: Final = ("jsonl", "json", "text")
_EXPECTED: Final = MappingProxyType(
    {
        "argv": tr('the program and its arguments, such as ["codex", "exec", "--json", "--", "{{prompt}}"]'),
        "stdin": tr('"prompt" or "none"'),
        "format": tr('"jsonl", "json" or "text"'),
        "timeout_s": tr("seconds above 0"),
        "model": tr("the name of a model in quotes"),
        "env": tr('a table of names and texts, such as {{ NO_COLOR = "1" }}'),
        "env_from": tr('a list of names of variables, such as ["OPENAI_API_KEY"]'),
        "skills_dir": tr('"skills", or a place in the run\'s home/ or workspace/, such as "home/.codex/skills"'),
        "read": tr("a table [read] that says where the output tells what"),
        "errors": tr("a table [errors] of words by which errors are told apart"),
    }
)
_ERRORS: Final = MappingProxyType(dict.fromkeys(("auth", "rate_limit", "api"), tr('a list of texts, such as ["401"]')))
_VARIABLE: Final = re.compile(r"[^\s=\0]+")


def read_config(path: Path) -> CommandConfig:
    """Read how a program is called.

    Raises:
        InputError: With every fault of the file.
    """
    raw = _bytes(path)
    form = TomlForm(table=_table(raw, path), file=shown(path), expected=_EXPECTED)
    form.check_keys()
    format_ = form.choice("format", _FORMATS)
    if "format" not in form.table:
        form.fault("format", tr("is missing; expected {expected}", expected=_EXPECTED["format"]))
    config = CommandConfig(
        path=path,
        sha256=hashlib.sha256(raw).hexdigest(),
        argv=_argv(form),
        stdin="prompt" if form.choice("stdin", ("prompt", "none")) == "prompt" else "none",
        format=cast("Literal['jsonl', 'json', 'text']", format_ or "jsonl"),
        reading=read_reading(form, format_),
        timeout_s=form.seconds("timeout_s") or DEFAULT_TIMEOUT_S,
        model=form.text("model"),
        env=_env(form),
        env_from=_env_from(form),
        skills_dir=_skills_dir(form),
        errors=_errors(form),
    )
    if config.argv and config.stdin == "none" and not PROMPT_PLACES & placeholders(config.argv):
        form.fault(
            "argv", tr('nothing hands over the prompt; put {{prompt}} or {{prompt_file}} there, or stdin = "prompt"')
        )
    if form.faults:
        raise InputError(form.faults)
    return config


def _bytes(path: Path) -> bytes:
    try:
        raw = read_regular(path)
    except (OSError, ValueError) as error:
        why = reason_of(error)
        raise InputError(
            [_fault(path, tr("cannot be read ({why}); name a TOML file, see docs/agents.md", why=why))]
        ) from error
    if len(raw) > MAX_BYTES:
        raise InputError(
            [
                _fault(
                    path,
                    tr("is larger than {max_bytes:,} bytes; name a TOML file, see docs/agents.md", max_bytes=MAX_BYTES),
                )
            ]
        )
    return raw


def _table(raw: bytes, path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(
            [_fault(path, tr("is not UTF-8 (byte {start}); save it as UTF-8", start=error.start))]
        ) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line = re.search(r"\(at line (\d+)", str(error))
        fault = _fault(
            path, tr("is no TOML: {error}; mend that place", error=error), line=int(line[1]) if line else None
        )
        raise InputError([fault]) from error


def _fault(path: Path, message: str, line: int | None = None) -> Finding:
    return Finding(level=Level.FAIL, code="agent-config", file=shown(path), line=line, message=message)


def _argv(form: TomlForm) -> tuple[str, ...]:
    if "argv" not in form.table:
        form.fault("argv", tr("is missing; expected {expected}", expected=_EXPECTED["argv"]))
        return ()
    argv = form.texts("argv")
    if not argv and isinstance(form.table["argv"], list) and not form.table["argv"]:
        form.wrong("argv", [])
    if argv and PROMPT_PLACES & placeholders(argv[:1]):
        form.fault("argv", tr("the program itself cannot be the prompt; name the program first"))
    _check_placeholders(form, "argv", argv)
    return argv


def _check_placeholders(
    form: TomlForm, key: str, texts: tuple[str, ...], *, without: frozenset[str] = frozenset()
) -> None:
    for message in unknown_placeholders(texts, without=without):
        form.fault(key, message)


def _env(form: TomlForm) -> Mapping[str, str]:
    env = form.names_and_texts("env")
    for name, value in env.items():
        if not _VARIABLE.fullmatch(name):
            form.fault(f"env.{name}", tr("{name!r} is no name of a variable; leave out blanks and '='", name=name))
        _check_placeholders(form, f"env.{name}", (value,), without=frozenset({"prompt", "model"}))
    return env


def _env_from(form: TomlForm) -> tuple[str, ...]:
    names = form.texts("env_from")
    for name in names:
        if not _VARIABLE.fullmatch(name):
            form.fault("env_from", tr("{name!r} is no name of a variable; leave out blanks and '='", name=name))
    return names


def _skills_dir(form: TomlForm) -> str:
    place = form.text("skills_dir") or "skills"
    parts = PurePosixPath(place).parts
    inside = len(parts) > 1 and parts[0] in {"home", "workspace"}
    if not is_confined(place) or not (place == "skills" or inside):
        form.wrong("skills_dir", place)
    return place


def _errors(form: TomlForm) -> Mapping[FailureKind, tuple[str, ...]]:
    inner = form.inner("errors", _ERRORS)
    inner.check_keys()
    return {FailureKind(kind): tuple(word.casefold() for word in inner.texts(kind)) for kind in _ERRORS}

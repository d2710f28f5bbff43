r"""What GitHub Actions reads in the log of a step, and how texts are kept from being read so.

A line that begins with `::`, or that holds `##[` anywhere, is a command there: it may set the outputs of the step or
mask words of the log. Texts of skills and models must not give any.

Source:
    actions/runner, src/Runner.Common/ActionCommand.cs; actions/toolkit, packages/core/src/command.ts.
"""

import os
import re
import stat
import sys
from collections.abc import Mapping
from typing import Final

_COMMAND: Final = re.compile(r"(^|[\r\n])(\s*)::")
_OLD_COMMAND: Final = "##["
_LINE_ENDS: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def is_on_github() -> bool:
    """Whether a step of GitHub Actions runs this."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def log_text(text: str) -> str:
    r"""Keep a text from being read as a command of the log, where there is one; elsewhere it stays as it is.

    Args:
        text: Lines for people.
    """
    return without_commands(text) if is_on_github() else text


def log_json(document: str) -> str:
    """Keep a JSON document from being read as commands; it says the same, with one character escaped."""
    return document.replace(_OLD_COMMAND, r"#\u0023[") if is_on_github() and not _goes_to_file() else document


def without_commands(text: str) -> str:
    r"""Put a backslash into whatever a runner would take for a command.

    >>> print(without_commands("::add-mask::a\nb ##[set-output name=c]d\n  ::stop-commands::e"))
    \::add-mask::a
    b ##\[set-output name=c]d
      \::stop-commands::e
    """
    return _COMMAND.sub(r"\1\2\\::", text.replace(_OLD_COMMAND, r"##\["))


def workflow_command(name: str, properties: Mapping[str, str], message: str) -> str:
    r"""Write a command, escaped as GitHub's own toolkit does.

    >>> workflow_command("error", {"title": "a, b: c"}, "50%\nof all")
    '::error title=a%2C b%3A c::50%25%0Aof all'
    """
    listed = ",".join(f"{key}={value.translate(_IN_PROPERTY)}" for key, value in properties.items())
    head = f"{name} {listed}" if listed else name
    return f"::{head}::{message.translate(_LINE_ENDS)}"


def _goes_to_file() -> bool:
    try:
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):
        return False

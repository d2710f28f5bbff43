"""Every way this program gives up, and the exit status each one means.

```text
EvaluatorError            1
├── InputError            1   files or options that cannot be used; carries all findings at once
│   └── LockedCaseError   1   a prompt was to be made of a case that no prompt may be made of
└── UnmeasuredError       2   nothing reliable could be measured
```

Whatever else is raised is a bug, and its traceback is shown.
"""

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from skill_evaluator.texts import localized

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from skill_evaluator.model import Finding
    from skill_evaluator.texts import Language


# What a command ends with after a signal that it could still answer: 128 and the number of the signal.
EXIT_BY_SIGNAL: Final["Mapping[str, int]"] = MappingProxyType(
    {"SIGHUP": 129, "SIGINT": 130, "SIGQUIT": 131, "SIGTERM": 143}
)


class EvaluatorError(Exception):
    """The base of all expected failures: a text for the user and an exit status."""

    exit_status: int = 1

    def worded(self, language: "Language") -> str:
        """Say it in a language; words that are no `texts.Text` stay English."""
        return "\n".join(localized(part, language) if isinstance(part, str) else str(part) for part in self.args)


class InputError(EvaluatorError):
    """Input that cannot be used; nothing has been run or written.

    Attributes:
        findings: Every fault found, in file order. Never empty.
    """

    def __init__(self, findings: "Sequence[Finding]") -> None:
        if not findings:
            raise ValueError("an InputError names at least one finding")
        self.findings = tuple(findings)
        super().__init__("\n".join(str(finding) for finding in self.findings))

    def worded(self, language: "Language") -> str:
        """Say every fault in a language, each on a line of its own."""
        return "\n".join(finding.worded(language) for finding in self.findings)


class LockedCaseError(InputError):
    """A locked case was to become a prompt; what it holds must stay unknown to whoever is measured."""


class UnmeasuredError(EvaluatorError):
    """Nothing reliable was measured, so no score may be shown."""

    exit_status = 2

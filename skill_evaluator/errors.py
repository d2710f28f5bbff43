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

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from skill_evaluator.model import Finding


# What a command ends with after a signal that it could still answer: 128 and the number of the signal.
EXIT_BY_SIGNAL: Final["Mapping[str, int]"] = MappingProxyType(
    {"SIGHUP": 129, "SIGINT": 130, "SIGQUIT": 131, "SIGTERM": 143}
)


class EvaluatorError(Exception):
    """The base of all expected failures: a text for the user and an exit status."""

    exit_status: int = 1


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


class LockedCaseError(InputError):
    """A locked case was to become a prompt; what it holds must stay unknown to whoever is measured."""


class UnmeasuredError(EvaluatorError):
    """Nothing reliable was measured, so no score may be shown."""

    exit_status = 2

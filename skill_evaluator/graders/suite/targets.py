"""What a grader looks at: the words of the format, and the text behind each."""

from dataclasses import dataclass
from typing import Literal

Place = Literal["last_message", "trace", "files", "mock_calls"]


@dataclass(frozen=True, kw_only=True, slots=True)
class FileTarget:
    """The content of one file of the workspace after the run.

    Attributes:
        path: Relative to the workspace, as the grader names it.
    """

    path: str


Target = Place | FileTarget

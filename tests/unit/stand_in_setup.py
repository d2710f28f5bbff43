"""Cases with mocks, and models that play servers from a script, for tests of stand-ins."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from skill_evaluator.formats.suite.failing import Written, find_failing
from skill_evaluator.formats.suite.suite import read_suite
from skill_evaluator.model import (
    AnyQuestion,
    Case,
    Completer,
    Completion,
    Failure,
    FailureKind,
    Finding,
    PlainQuestion,
    Usage,
)
from skill_evaluator.stand_ins import SuiteStandIns, program_names
from tests.suite_files import SOUND, lay_out

PRICE_USD = 0.25
AGENT = "---\ntype: agent\n---\nYou keep the log of the harbour.\n"
SERVERS = '{"mcpServers": {"tide": {"command": "false"}, "crane": {"command": "false"}}}'


class Actor:
    """A model that answers in turn; the last answer repeats, and None stands for a failed call."""

    model = "claude-scripted"

    def __init__(self, *answers: str | None) -> None:
        self._answers = answers
        self.asked: list[PlainQuestion] = []

    async def complete(self, question: AnyQuestion) -> Completion:
        assert isinstance(question, PlainQuestion)
        self.asked.append(question)
        answer = self._answers[min(len(self.asked), len(self._answers)) - 1]
        if answer is None:
            return Completion(failure=Failure(kind=FailureKind.API, message="HTTP 529"))
        return Completion(text=answer, usage=Usage(cost_usd=PRICE_USD))


class Stage:
    """A plugin `harbour` with one case, as its stand-ins see it.

    Attributes:
        root: The plugin.
        case: The case.
        stand_ins: Those of its runs.
    """

    def __init__(
        self,
        root: Path,
        mocks: Mapping[str, str],
        *,
        servers: str | None = SERVERS,
        completer: Completer | None = None,
        off: bool = False,
        allow_real_servers: bool = False,
    ) -> None:
        below = {f"evals/{path}": text for path, text in mocks.items()}
        self.root = lay_out(root, {**SOUND, ".mcp.json": servers, **below})
        self.case, served = _case(self.root)
        self.stand_ins = SuiteStandIns(
            served={self.case.id: served},
            root=self.root,
            completer=completer,
            mode="off" if off else "record",
            allow_real_servers=allow_real_servers,
            names=program_names([self.case], root=self.root),
        )


def _case(root: Path) -> tuple[Case, Mapping[str, str]]:
    loaded = read_suite(root, case_globs=("high-water",))
    assert not isinstance(loaded, Finding), loaded
    (case,) = loaded.suite.cases
    assert case.setup is not None
    (failing,) = find_failing(root / "evals", [(case.setup, Written())], root=root).cases
    assert failing.faults == ()
    return replace(case, setup=replace(case.setup, mocks=failing.mocks)), failing.served


def texts(questions: Iterable[PlainQuestion]) -> list[str]:
    """Give what was said to a model as the user."""
    return [question.text for question in questions]

"""What an agent cannot show of some cases: a sibling that is not installed, a conversation it does not see."""

from collections.abc import Iterator, Sequence

from skill_evaluator.graders.suite import GRADER_TYPES
from skill_evaluator.metrics.siblings import as_scored
from skill_evaluator.model import AgentInfo, Case, Finding, Grader, Level
from skill_evaluator.results import Note
from skill_evaluator.texts import ntr, tr


def unseen_doubts(cases: Sequence[Case], agent: AgentInfo, file: str) -> Iterator[Finding]:
    """Warn of what will not be looked at.

    Args:
        cases: What will be asked.
        agent: Who will be asked, or was.
        file: The test set.
    """
    absent = _absent(cases, agent)
    if absent and not agent.estimate:
        values = _named(absent)
        skills, names = (", ".join(map(repr, values[key])) for key in ("skills", "cases"))
        message = tr(
            "expected, but not installed beside the skill under test: {skills}; so whether they fire is not scored in "
            "the cases {names}; install them with --neighbours DIR",
            skills=skills,
            names=names,
        )
        yield Finding(level=Level.WARN, code="sibling-not-installed", message=message, file=file, values=values)
    graded = sum(any(_is_of_suites(grader) for grader in case.graders) for case in cases)
    if graded and agent.estimate:
        message = ntr(
            "{n} case has graders, and this agent makes no output, so none of them looks at anything",
            "{n} cases have graders, and this agent makes no output, so none of them looks at anything",
            graded,
        )
        yield Finding(
            level=Level.WARN, code="graders-not-looked-at", message=message, file=file, values={"cases": graded}
        )
    talks = sum(bool(case.context) for case in cases)
    if talks and agent.estimate:
        message = ntr(
            "{n} case goes on with a conversation, and this agent decides on the input alone",
            "{n} cases go on with a conversation, and this agent decides on the input alone",
            talks,
        )
        yield Finding(
            level=Level.WARN, code="context-not-looked-at", message=message, file=file, values={"cases": talks}
        )


def _is_of_suites(grader: Grader) -> bool:
    return type(grader.check) in GRADER_TYPES.values()


def unseen_notes(cases: Sequence[Case], agent: AgentInfo) -> tuple[Note, ...]:
    """Say in a report whose expected skill was not scored, and why."""
    absent = _absent(cases, agent)
    if not absent:
        return ()
    if agent.estimate:
        return (Note(code="siblings_not_estimated", values={"cases": len(absent)}),)
    return (Note(code="siblings_not_installed", values=_named(absent)),)


def _absent(cases: Sequence[Case], agent: AgentInfo) -> Sequence[Case]:
    return [case for case in cases if as_scored(case, agent).expected_skill != case.expected_skill]


def _named(cases: Sequence[Case]) -> dict[str, list[str]]:
    return {
        "cases": [case.id for case in cases],
        "skills": sorted({case.expected_skill for case in cases if case.expected_skill}),
    }

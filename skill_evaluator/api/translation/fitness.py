"""Whether translation cases can be run so, and what of them decides nothing; told before anything is asked."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from skill_evaluator.api.faults import option_fault
from skill_evaluator.api.request import Request
from skill_evaluator.formats.visible import encodable
from skill_evaluator.model import AgentInfo, Case, Finding, Level, Severity, Suite
from skill_evaluator.texts import listed, ntr, tr

WRITERS: Final = ("messages", "claude-code", "command", "replay")  # agents that give an output
_NAMED: Final = 5


def narrowing_faults(suite: Suite, request: Request, *, locked: int) -> Iterator[Finding]:
    """Refuse patterns of ids that no case has, rather than measure less than was asked for.

    Args:
        suite: The cases that may be asked.
        request: The options.
        locked: How many files of locked cases lie beside them.
    """
    for glob in request.case_globs:
        if not any(fnmatchcase(case.id, glob) for case in suite.cases):
            message = tr("no case of {suite} has an id like {glob!r}", suite=suite.name, glob=glob)
            if locked:
                closed = ntr(
                    "the file in locked/ is not opened, so that a locked case cannot be asked",
                    "the {n} files in locked/ are not opened, so that a locked case cannot be asked",
                    locked,
                )
                message = tr("{found}; {remedy}", found=message, remedy=closed)
            yield option_fault("--case", message)


def fitness_findings(
    request: Request, cases: Sequence[Case], info: AgentInfo | None, testset: Path | None
) -> Iterator[Finding]:
    """Give every reason why a run would show nothing, and what it will not count.

    Args:
        request: The options.
        cases: What will be asked.
        info: The agent, or None where it cannot be asked.
        testset: Where the cases lie.
    """
    yield from _option_faults(request)
    if info is not None and info.estimate:
        yield option_fault("--agent", _no_output(info, named=request.agent is not None))
    if cases and request.is_scored:
        yield from _weightless(cases, encodable(str(testset)))


def _no_output(info: AgentInfo, *, named: bool) -> str:
    agent = (
        tr("agent {name}", name=info.name)
        if named
        else tr("agent {name}, the default where no key is set,", name=info.name)
    )
    return tr(
        "{agent} writes no translations, so there is nothing to check; name one that does: {writers}",
        agent=agent,
        writers=listed(WRITERS),
    )


def _option_faults(request: Request) -> Iterator[Finding]:
    if request.judge_model is not None:
        message = tr("translation cases have no rubric, so there is nothing to judge; leave it out")
        yield option_fault("--judge-model", message)
    if request.advise_model is not None:
        message = tr(
            "advice is drawn from tuning cases, and all translation cases are for acceptance, so "
            "there is nothing to advise from; leave it out"
        )
        yield option_fault("--advise-model", message)


def _weightless(cases: Sequence[Case], file: str) -> Iterator[Finding]:
    """Cases of which nothing decides, since all their assertions only report."""
    without = [case for case in cases if not any(one.severity is Severity.HARD for one in case.graders)]
    if len(without) == len(cases):
        message = tr(
            'no case that is asked has an assertion of severity "hard", so nothing could decide; '
            "make one hard, or look at translations with `translation check`"
        )
        yield Finding(level=Level.FAIL, code="nothing-decides", message=message, file=file)
    elif without:
        named = [*(repr(case.id) for case in without[:_NAMED]), *(["..."] if len(without) > _NAMED else [])]
        yield Finding(
            level=Level.WARN,
            code="case-decides-nothing",
            message=ntr(
                '{n} case has no assertion of severity "hard", so nothing of them counts: {cases}',
                '{n} cases have no assertion of severity "hard", so nothing of them counts: {cases}',
                len(without),
                cases=listed(named),
            ),
            file=file,
            values={"cases": [case.id for case in without]},
        )

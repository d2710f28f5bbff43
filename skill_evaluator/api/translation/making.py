"""Has an agent translate each case once.

The way is that of a run: every answer lies in the journal before the next one is asked for, so that nothing that was
paid for is lost, whatever happens to the process or to the file that is written in the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from skill_evaluator.api.evaluate import Progress, ask_prepared
from skill_evaluator.api.faults import collecting, option_fault
from skill_evaluator.api.preflight import prepare
from skill_evaluator.api.request import Prepared, Request
from skill_evaluator.api.targets import place_faults
from skill_evaluator.api.translation.candidate_file import candidates_text, is_theirs
from skill_evaluator.errors import InputError
from skill_evaluator.file_names import shown
from skill_evaluator.formats.evalcase.dev_cases import names_cases
from skill_evaluator.formats.skill_md import read_skill
from skill_evaluator.formats.visible import encodable
from skill_evaluator.grading.translations import candidate_of
from skill_evaluator.journal import read_journal
from skill_evaluator.model import Candidate, Case, Finding, Level, Run
from skill_evaluator.results import Canary
from skill_evaluator.runner import OnProbe, OnRetry, unheard, unseen
from skill_evaluator.texts import joined, tr

_ONCE: Final = 1  # run a case


@dataclass(frozen=True, kw_only=True, slots=True)
class Unmade:
    """A case without a candidate, and why."""

    case_id: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Made:
    """What came of asking.

    Attributes:
        candidates: One for each case that was translated, in the order of the cases.
        unmade: The other cases.
        run_dir: Where the answers are kept.
        stopped_by: What ended the asking early, such as `SIGINT`, or None.
        violations: Files of the skill that changed meanwhile; then the candidates may not be its own work.
        canary: What the probe showed.
    """

    candidates: tuple[Candidate, ...]
    unmade: tuple[Unmade, ...]
    run_dir: Path
    stopped_by: str | None = None
    violations: tuple[str, ...] = ()
    canary: Canary

    @property
    def is_whole(self) -> bool:
        """Whether each case has a candidate that the skill can be judged by."""
        return not (self.unmade or self.violations or self.stopped_by)


def prepare_candidates(request: Request, output: Path) -> Prepared:
    """Read what is needed and refuse at once whatever cannot work; nothing is asked or written.

    Args:
        request: The options of a run, `testset` among them; how often is asked, and what is scored, is set here.
        output: The file to write.

    Raises:
        InputError: With every fault.
    """
    findings = _output_faults(request, output)
    once = replace(request, runs=_ONCE, draft=True, is_scored=False)
    prepared = collecting(findings, lambda: prepare(once))
    if prepared is not None:
        collecting(findings, lambda: _refuse_to_replace(output, prepared))
    elif not request.resume:
        collecting(findings, lambda: _refuse_other(output, "", request))
    if prepared is None or any(finding.level is Level.FAIL for finding in findings):
        raise InputError(sorted(findings, key=lambda finding: finding.level is not Level.FAIL))
    return prepared


def make_candidates(
    prepared: Prepared,
    *,
    progress: Progress = lambda _run: None,
    on_retry: OnRetry = unheard,
    on_probe: OnProbe = unseen,
) -> Made:
    """Ask the agent for each translation that is not kept yet.

    Args:
        prepared: What `prepare_candidates` gave.
        progress: As in `evaluate`.
        on_retry: As in `evaluate`.
        on_probe: As in `evaluate`.
    """
    measured = ask_prepared(prepared, progress=progress, on_retry=on_retry, on_probe=on_probe)
    found = [_candidate(case, measured.runs.get(case.id, ())) for case in measured.cases]
    changed = {name for runs in measured.runs.values() for run in runs for name in run.skill_changes}
    return Made(
        candidates=tuple(one for one in found if isinstance(one, Candidate)),
        unmade=tuple(one for one in found if isinstance(one, Unmade)),
        run_dir=measured.run_dir,
        stopped_by=measured.end.stopped_by,
        violations=tuple(sorted(changed.union(measured.end.violations))),
        canary=measured.canary,
    )


def kept_candidates(prepared: Prepared) -> tuple[Candidate, ...]:
    """Give the candidates that an earlier process has made; none where nothing is continued."""
    if prepared.resumed is None:
        return ()
    runs = {entry.run.case_id: entry.run for entry in read_journal(prepared.resumed.folder).entries}
    found = (_candidate(case, [runs[case.id]]) for case in prepared.cases if case.id in runs)
    return tuple(one for one in found if isinstance(one, Candidate))


def _candidate(case: Case, runs: Sequence[Run]) -> Candidate | Unmade:
    """Give the translation that the checks of a report would look at."""
    if not runs:
        return Unmade(case_id=case.id, why=tr("it was not asked any more"))
    run = runs[0]
    if run.failure is not None:
        return Unmade(case_id=case.id, why=joined(": ", [run.failure.kind, run.failure.message]))
    if run.output is None:
        return Unmade(case_id=case.id, why=tr("the agent made no output"))
    if run.output_cut or run.cut_by is not None:
        return Unmade(case_id=case.id, why=tr("its output is not whole: it was too long, or cut off before its end"))
    seen = candidate_of(case, run)
    return Candidate(case_id=case.id, text=seen.output or "", raw_response=seen.raw_response)


def _output_faults(request: Request, output: Path) -> list[Finding]:
    faults = place_faults("-o", output, read_skill(request.skill).skill)
    if request.testset is None:
        return faults
    if not names_cases(request.testset):
        message = tr(
            "is no folder of translation cases and no .jsonl file of them; docs/formats.md tells what they are"
        )
        fault = Finding(level=Level.FAIL, code="no-cases", message=message, file=encodable(shown(request.testset)))
        return [*faults, fault]
    return faults


def _refuse_to_replace(output: Path, prepared: Prepared) -> None:
    """Nothing is written over but what an earlier process wrote of the same answers.

    Raises:
        InputError: If the file is another one.
    """
    _refuse_other(output, candidates_text(kept_candidates(prepared)), prepared.request)


def _refuse_other(output: Path, text: str, request: Request) -> None:
    if not is_theirs(output, text):
        message = tr("{output!r} exists already and is never written over; name another file", output=shown(output))
        if not request.resume:
            message = tr("{remedy}, or go on with the run that wrote it by --resume", remedy=message)
        raise InputError([option_fault("-o", message)])

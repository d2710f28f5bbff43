"""Finds the kept run that `--resume` continues: the newest one that asks the same of the same skill in the same way."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from skill_evaluator.api.request import Resumable
from skill_evaluator.api.terms import spent_before
from skill_evaluator.errors import InputError
from skill_evaluator.file_names import shown
from skill_evaluator.journal import Journal, JournalHeader, is_run_folder, read_end, read_header, read_journal
from skill_evaluator.model import AgentInfo, Case, Finding, JsonObject, Level
from skill_evaluator.results import Config, TestsetInfo
from skill_evaluator.texts import joined, tr

REMEDY = tr("leave --resume out to start anew, or undo the change to continue")


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """What a run has to be about to be continued.

    Attributes:
        skill_name: Name of the skill.
        skill_sha256: Hash of its files.
        cases: What is to be asked.
    """

    skill_name: str
    skill_sha256: str
    agent: AgentInfo
    testset: TestsetInfo
    config: Config
    cases: Sequence[Case]


def find_resumable(runs_dir: Path, wanted: Wanted) -> Resumable | None:
    """Look for the run to continue.

    Args:
        runs_dir: Where run folders are kept; it need not exist.
        wanted: What is to be measured now.

    Returns:
        The newest run that matches; None where no run of this skill was left unfinished, so that there is nothing
        to continue.

    Raises:
        InputError: If a run was left unfinished, but was about something else, or if the journal cannot be read.
    """
    unfinished: list[tuple[Path, tuple[str, ...]]] = []
    for folder, header in _newest_first(runs_dir):
        if header.skill.name != wanted.skill_name:
            continue
        differs = tuple(_differences(header, wanted))
        if not differs:
            return replace(_resumable(folder, wanted), passed_over=tuple(_passed_over(unfinished)))
        if not _is_finished(folder):
            unfinished.append((folder, differs))
    if unfinished:
        folder, differs = min(unfinished, key=lambda one: len(one[1]))  # the newest of those that differ least
        message = tr(
            "the run that was left unfinished here was of something else: {differs}; {remedy}",
            differs=joined("; ", differs),
            remedy=REMEDY,
        )
        raise InputError([_fault("resume-differs", folder, message)])
    return None


def _passed_over(unfinished: Sequence[tuple[Path, tuple[str, ...]]]) -> Iterator[str]:
    for folder, differs in unfinished:
        yield joined("", [f"{shown(folder)} (", joined("; ", differs), ")"])


def _is_finished(folder: Path) -> bool:
    """Whether a run reached its end; it may hold errors still."""
    end = read_end(folder)
    return end is not None and end.stopped_by is None


def _newest_first(runs_dir: Path) -> Iterator[tuple[Path, JournalHeader]]:
    """Run folders whose header can be read; what was killed before that asked nothing."""
    found = []
    for folder in runs_dir.iterdir() if runs_dir.is_dir() else ():
        if not is_run_folder(folder):
            continue
        try:
            header = read_header(folder)
        except InputError:
            continue
        found.append(((header.timestamp, len(folder.name), folder.name), folder, header))
    for _, folder, header in sorted(found, key=lambda one: one[0], reverse=True):
        yield folder, header


def _differences(header: JournalHeader, wanted: Wanted) -> Iterator[str]:
    """What forbids to put new runs beside the kept ones, in words."""
    pairs: Mapping[str, tuple[object, object]] = {
        tr("the skill's files (hash)"): (header.skill.sha256[:12], wanted.skill_sha256[:12]),
        tr("the agent"): (header.agent.name, wanted.agent.name),
        tr("the model"): (header.agent.model, wanted.agent.model),
        tr("the test set (hash)"): (header.testset.sha256[:12], wanted.testset.sha256[:12]),
        tr("the cases asked"): (header.testset.cases, wanted.testset.cases),
        **_settings(header.agent.settings, wanted.agent.settings),
        "--runs": (header.config.runs, wanted.config.runs),
        "--seed": (header.config.seed, wanted.config.seed),
        "--tag": (header.config.tags, wanted.config.tags),
        "--case": (header.config.case_globs, wanted.config.case_globs),
        "--draft": (header.config.draft, wanted.config.draft),
        "--judge-model": (header.config.judge_model, wanted.config.judge_model),
        "--advise-model": (header.config.advise_model, wanted.config.advise_model),
        "--pass-threshold": (header.config.pass_threshold, wanted.config.pass_threshold),
    }
    for name, (then, now) in pairs.items():
        if then != now:
            yield tr("{name}: {then!r} then, {now!r} now", name=name, then=then, now=now)


def _settings(then: JsonObject, now: JsonObject) -> Mapping[str, tuple[object, object]]:
    """Pair the settings of the agent by name, each as it reads back from JSON."""
    names = dict.fromkeys((*then, *now))
    return {
        tr("the agent's setting {name!r}", name=name): (_plain(then.get(name)), _plain(now.get(name))) for name in names
    }


def _plain(value: object) -> object:
    plain: object = json.loads(json.dumps(value))
    return plain


def _resumable(folder: Path, wanted: Wanted) -> Resumable:
    journal = read_journal(folder)
    refuse_foreign(journal, wanted.cases)
    spent = spent_before(journal.entries, journal.end, journal.answers)
    errors = sum(entry.run.failure is not None for entry in journal.entries)
    return Resumable(
        folder=folder,
        measured=len(journal.entries) - errors,
        errors=errors,
        calls=spent.calls,
        batches=len(journal.batches),
        spent_usd=spent.cost_usd,
        judged=_judged(journal, wanted.config),
    )


def _judged(journal: Journal, config: Config) -> int:
    """Answers of the judge that are kept; none can be told from those of an analyst that is the same model."""
    if config.judge_model == config.advise_model:
        return 0
    answered = {kept.key for kept in journal.answers if kept.completion.failure is None}
    return len({kept.key for kept in journal.answers if kept.model == config.judge_model} & answered)


def refuse_foreign(journal: Journal, cases: Sequence[Case]) -> None:
    """Make sure that every kept run answers one of the questions.

    Raises:
        InputError: With every run that does not.
    """
    asked = {(case.id, case.prompt_sha256) for case in cases}
    strangers = [entry for entry in journal.entries if (entry.run.case_id, entry.prompt_sha256) not in asked]
    faults = [
        _fault(
            "journal-foreign",
            journal.path,
            tr(
                "repetition {index} of case {case_id!r} answers a question that is not in its "
                "test set: a line of another run was put there; start anew without --resume",
                index=entry.run.index,
                case_id=entry.run.case_id,
            ),
        )
        for entry in strangers
    ]
    if faults:
        raise InputError(faults)


def _fault(code: str, folder: Path, message: str) -> Finding:
    return Finding(level=Level.FAIL, code=code, file=shown(folder), message=message)

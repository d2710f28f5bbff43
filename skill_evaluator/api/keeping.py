"""Where the answers of a run are kept, and what is said when they cannot be."""

import contextlib
import hashlib
import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from skill_evaluator.api.narrow import testset_info
from skill_evaluator.api.request import Prepared
from skill_evaluator.errors import UnmeasuredError
from skill_evaluator.file_names import shown, slug, stamp
from skill_evaluator.journal import JournalHeader, JournalWriter
from skill_evaluator.model import Skill, one_line
from skill_evaluator.reasons import reason_of
from skill_evaluator.redaction import secrets_of
from skill_evaluator.results import SkillInfo
from skill_evaluator.texts import tr

Clock = Callable[[], datetime]


def open_journal(prepared: Prepared, clock: Clock) -> JournalWriter:
    """Make a run folder, or open the one that is continued.

    Raises:
        UnmeasuredError: If it cannot be written.
    """
    secrets = secrets_of(os.environ)
    if prepared.resumed is None:
        return _new_journal(prepared, _header(prepared, clock()), secrets)
    try:
        return JournalWriter.reopen(prepared.resumed.folder, secrets=secrets)
    except OSError as error:
        raise _lost(prepared.resumed.folder, error) from error


@contextlib.contextmanager
def keeping(folder: Path) -> Iterator[None]:
    """Turn what the system refuses into an end of the run that says what to do.

    Raises:
        UnmeasuredError: In place of an OSError.
    """
    try:
        yield
    except OSError as error:
        raise _lost(folder, error) from error


def _new_journal(prepared: Prepared, header: JournalHeader, secrets: Sequence[str]) -> JournalWriter:
    """Make a run folder of its own, also where another run starts in the same second."""
    base = prepared.request.state_dir / "runs" / f"{stamp(header.timestamp)}-{slug(header.skill.name)}"
    for number in itertools.count(1):
        folder = base if number == 1 else base.with_name(f"{base.name}-{number}")
        try:
            return JournalWriter(folder, header, prepared.testset_bytes, secrets=secrets)
        except FileExistsError:
            continue
        except OSError as error:
            raise _lost(folder, error) from error
    raise AssertionError("counting never ends")


def _header(prepared: Prepared, time_: datetime) -> JournalHeader:
    return JournalHeader(
        agent=prepared.agent.info,
        skill=_skill_info(prepared.skill),
        testset=testset_info(prepared.suite, prepared.cases),
        config=prepared.config,
        timestamp=time_.strftime("%Y-%m-%dT%H:%M:%SZ"),
        skill_path=shown(prepared.request.skill),
        testset_path=shown(prepared.testset_path),
        testset_real_path=shown(Path(os.path.realpath(prepared.testset_path))),
        prices_path=shown(prepared.request.prices) if prepared.request.prices else None,
        concurrency=prepared.request.concurrency,
        testset_file_sha256=hashlib.sha256(prepared.testset_bytes).hexdigest(),
        warnings=prepared.warnings,
        notes=prepared.notes,
        identities=prepared.skill.identities,
    )


def _skill_info(skill: Skill) -> SkillInfo:
    return SkillInfo(
        name=skill.name,
        version=skill.version_label,
        description=skill.description,
        sha256=skill.sha256,
        files=skill.files,
        when_to_use=skill.when_to_use,
    )


def _lost(folder: Path, error: OSError) -> UnmeasuredError:
    return UnmeasuredError(
        tr(
            "FAIL {folder}: runs cannot be kept ({why}), so none is asked any more; "
            "make room, or call from another folder; what was kept so far can be regraded",
            folder=one_line(shown(folder)),
            why=reason_of(error),
        )
    )

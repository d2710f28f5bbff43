"""`translation candidates`: plan, ask, say what was not translated, write."""

import argparse
from collections.abc import Iterator
from typing import Final

from skill_evaluator.api.translation.candidate_file import write_candidates
from skill_evaluator.api.translation.making import Made, kept_candidates, make_candidates, prepare_candidates
from skill_evaluator.cli.before_calls import agreed_to_plan, asking_request
from skill_evaluator.cli.console import say
from skill_evaluator.cli.language import spoken
from skill_evaluator.cli.news import telling_canary, telling_retries
from skill_evaluator.cli.progress import showing_progress
from skill_evaluator.errors import EXIT_BY_SIGNAL
from skill_evaluator.file_names import shown
from skill_evaluator.model import one_line
from skill_evaluator.report.phrases import stopped_text, word_note
from skill_evaluator.texts import changed, listed, ntr, tr

_PARTIAL: Final = 2  # exit status where a case has no candidate


def execute(options: argparse.Namespace) -> int:
    """Make candidates and write them; a file that lacks some is written too, and its exit status says so."""
    prepared = prepare_candidates(asking_request(options, options.cases), options.output)
    if not agreed_to_plan(prepared, options):
        return 1
    earlier = kept_candidates(prepared)
    with showing_progress(prepared.calls, quiet=options.quiet, by_trigger=False) as progress:
        made = make_candidates(
            prepared,
            progress=progress,
            on_retry=telling_retries(quiet=options.quiet),
            on_probe=telling_canary(quiet=options.quiet),
        )
    for line in _told(made):
        say(changed(line, one_line))
    if made.candidates:
        write_candidates(options.output, made.candidates, earlier=earlier)
        say(changed(tr("wrote {path}: {counts}", path=shown(options.output), counts=_counts(made)), one_line))
    else:
        file = shown(options.output)
        say(changed(tr("{counts}, so {file} was not written", counts=_counts(made), file=file), one_line))
    return EXIT_BY_SIGNAL.get(made.stopped_by or "", 0 if made.is_whole else _PARTIAL)


def _told(made: Made) -> Iterator[str]:
    """Say what is missing or doubtful, and why."""
    yield from (tr("no translation of {case!r}: {why}", case=one.case_id, why=one.why) for one in made.unmade)
    yield from (word_note(fault, spoken()) for fault in made.canary.faults)
    if made.violations:
        yield tr(
            "FAIL files of the skill changed meanwhile, so these may not be translations by the skill as it is: "
            "{files}",
            files=listed(made.violations),
        )
    if made.stopped_by:
        yield _stopped(made.stopped_by, shown(made.run_dir))


def _stopped(code: str, folder: str) -> str:
    """Say why no more was asked; the usual words for these speak of a score and a report."""
    if code == "error_budget":
        return tr(
            "stopped, since most translations failed; what had finished is kept in {folder}; mend the causes named "
            "above, then go on: the same command with --resume asks the failed ones again",
            folder=folder,
        )
    if code == "canary":
        return tr(
            "stopped by the canary, which failed; what had finished is kept in {folder}; mend what is named above, "
            "then give the same command again",
            folder=folder,
        )
    return stopped_text(code, spoken(), folder=folder)


def _counts(made: Made) -> str:
    cases = len(made.candidates) + len(made.unmade)
    return tr(
        "{made} of {cases}",
        made=len(made.candidates),
        cases=ntr("{n} case has a candidate", "{n} cases have a candidate", cases),
    )

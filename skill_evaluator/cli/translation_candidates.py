"""`translation candidates`: plan, ask, say what was not translated, write."""

import argparse
from collections.abc import Iterator
from typing import Final

from skill_evaluator.api.translation.candidate_file import write_candidates
from skill_evaluator.api.translation.making import Made, kept_candidates, make_candidates, prepare_candidates
from skill_evaluator.cli.before_calls import agreed_to_plan, asking_request
from skill_evaluator.cli.console import say
from skill_evaluator.cli.news import telling_canary, telling_retries
from skill_evaluator.cli.plan import counted
from skill_evaluator.cli.progress import showing_progress
from skill_evaluator.errors import EXIT_BY_SIGNAL
from skill_evaluator.file_names import shown
from skill_evaluator.model import one_line
from skill_evaluator.report.phrases import stopped_text, word_note

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
        say(one_line(line))
    if made.candidates:
        write_candidates(options.output, made.candidates, earlier=earlier)
        say(one_line(f"wrote {shown(options.output)}: {_counts(made)}"))
    else:
        say(one_line(f"{_counts(made)}, so {shown(options.output)} was not written"))
    return EXIT_BY_SIGNAL.get(made.stopped_by or "", 0 if made.is_whole else _PARTIAL)


def _told(made: Made) -> Iterator[str]:
    """Say what is missing or doubtful, and why."""
    yield from (f"no translation of {one.case_id!r}: {one.why}" for one in made.unmade)
    yield from (word_note(fault, "en") for fault in made.canary.faults)
    if made.violations:
        yield (
            "FAIL files of the skill changed meanwhile, so these may not be translations by the skill as it is: "
            f"{', '.join(made.violations)}"
        )
    if made.stopped_by:
        yield _stopped(made.stopped_by, shown(made.run_dir))


def _stopped(code: str, folder: str) -> str:
    """Say why no more was asked; the usual words for these speak of a score and a report."""
    kept = f"what had finished is kept in {folder}"
    if code == "error_budget":
        return (
            f"stopped, since most translations failed; {kept}; mend the causes named above, then go on: the same "
            "command with --resume asks the failed ones again"
        )
    if code == "canary":
        return (
            f"stopped by the canary, which failed; {kept}; mend what is named above, then give the same command again"
        )
    return stopped_text(code, "en", folder=folder)


def _counts(made: Made) -> str:
    cases = len(made.candidates) + len(made.unmade)
    return f"{len(made.candidates)} of {counted(cases, 'case')} {'has' if cases == 1 else 'have'} a candidate"

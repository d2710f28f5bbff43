"""What makes scores of a whole suite doubtful: runs that ended in errors, and too few files to be opened."""

from collections.abc import Iterator, Sequence
from typing import Final

from skill_evaluator.api.plugin_eval.finished import FinishedRun
from skill_evaluator.model import INTERRUPTED
from skill_evaluator.texts import ntr, tr

_FILES_OF_ALL: Final = 32  # open at once beside those of runs: streams, libraries, the disk
_FILES_OF_RUN: Final = 8  # pipes of a program while it is started, a server, its connections


def api_errors(runs: Sequence[FinishedRun]) -> Iterator[str]:
    """Say how many runs the model's service ended, where there are any."""
    count = sum(run.entry.is_api_error is True for run in runs)
    if count:
        yield ntr(
            "{n} run ended on an error of the model's service and scored 0 without being graded; see each run's error",
            "{n} runs ended on an error of the model's service and scored 0 without being graded; see each run's error",
            count,
        )


def graded_errors(runs: Sequence[FinishedRun]) -> Iterator[str]:
    """Say how many runs ended in an error and were graded all the same, as the real program grades them.

    A grader that asks for something not to be there passes on a run in which the model was never reached.
    """
    count = sum(run.entry.error not in {None, INTERRUPTED} and bool(run.entry.graders) for run in runs)
    if count:
        yield ntr(
            "{n} run ended in an error and was graded all the same, so a pass "
            "may mean that nothing was done; see each run's error",
            "{n} runs ended in an error and were graded all the same, so a pass "
            "may mean that nothing was done; see each run's error",
            count,
        )


def too_few_files(concurrency: int) -> Iterator[str]:
    """Say that runs may fail since the system lets too few files be open, where it does.

    Args:
        concurrency: Runs under way at once.
    """
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = _FILES_OF_ALL + _FILES_OF_RUN * concurrency
    if allowed != resource.RLIM_INFINITY and allowed < needed:
        yield (
            tr(
                "{allowed} files may be open at once, and -j {concurrency} needs up to {needed}: runs may fail, "
                "which is no fault of the plugin; raise it, as by `ulimit -n 256`, or use a smaller -j",
                allowed=allowed,
                concurrency=concurrency,
                needed=needed,
            )
        )

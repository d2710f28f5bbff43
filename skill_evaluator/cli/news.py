"""What is told while a run is under way, besides how far it is: the canary, failed calls, the judge, batches."""

from collections.abc import Callable
from typing import assert_never

from skill_evaluator.agents.messages.batch_terms import BatchNews
from skill_evaluator.api.review import ReviewNews
from skill_evaluator.cli.console import say
from skill_evaluator.cli.wording import listed
from skill_evaluator.model import Run, one_line
from skill_evaluator.report.numbers import clock
from skill_evaluator.runner.canary import CANARY_CALLS
from skill_evaluator.texts import changed, ntr, tr

PLAIN_LINES = 10  # how many lines a log gets at the most, where runs are quick
_FIRST_LOOK_S = 30.0  # of waiting, before a batch that goes on is told of again; then twice as long each time


def telling_retries(*, quiet: bool) -> Callable[[Run, float], None]:
    """Give a function to be told of failed calls that are tried again; it says each kind of failure once.

    Args:
        quiet: Say nothing at all.
    """
    told: set[str] = set()

    def tell(run: Run, wait_s: float) -> None:
        failure = _failure(run)
        if not quiet and failure not in told:
            told.add(failure)
            _tell(tr("a call failed ({failure}); it is tried again in {wait_s:.0f} s", failure=failure, wait_s=wait_s))

    return tell


def telling_canary(*, quiet: bool) -> Callable[[int, Run | None], None]:
    """Give a function to be told of the canary's questions: a sign of life before the first run has finished.

    Args:
        quiet: Say nothing at all.
    """

    def tell(number: int, run: Run | None) -> None:
        if quiet:
            return
        which = {"number": number, "of": CANARY_CALLS}
        if run is None:
            _tell(tr("canary: question {number} of {of} is asked ...", **which))
        elif run.failure is None:
            _tell(tr("canary: question {number} of {of} was answered", **which))
        else:
            _tell(tr("canary: question {number} of {of} failed ({failure})", **which, failure=_failure(run)))

    return tell


def telling_review(*, quiet: bool) -> Callable[[ReviewNews], None]:
    """Give a function to be told of each call of the judge and of the analyst; it says so now and then.

    Args:
        quiet: Say nothing at all.
    """

    def tell(news: ReviewNews) -> None:
        over, step = _over(news), max(1, -(-news.planned // PLAIN_LINES))
        if not quiet and (over % step == 0 or over == news.planned):
            say(review_text(news))

    return tell


def review_text(news: ReviewNews) -> str:
    """Say how many calls were made, and what came of them."""
    told = [
        *([tr("{n} answered", n=news.answered)] if news.answered else []),
        *([tr("{n} failed", n=news.failed)] if news.failed else []),
        *([tr("{n} not asked", n=news.not_asked)] if news.not_asked else []),
    ]
    values = {"over": _over(news), "planned": news.planned, "told": listed(told)}
    if news.who == "judge":
        return tr("judge: {over}/{planned} calls: {told}", **values)
    return tr("analyst: {over}/{planned} calls: {told}", **values)


def telling_batches(*, quiet: bool) -> Callable[[BatchNews], None]:
    """Give a function to be told of message batches; one that is left behind is named in any case, since it costs.

    Args:
        quiet: Say nothing else.
    """
    told_s = _FIRST_LOOK_S

    def tell(news: BatchNews) -> None:
        nonlocal told_s
        if news.state == "waiting":
            if news.waited_s < told_s:
                return
            told_s = 2 * news.waited_s
        if not quiet or news.state in {"left", "lost", "refused"}:
            _tell(_batch_text(news))

    return tell


def _batch_text(news: BatchNews) -> str:
    requests = ntr("{n} request", "{n} requests", news.requests)
    batch = tr("batch {id} ({requests})", id=news.id, requests=requests)
    match news.state:
        case "submitted":
            return tr(
                "{batch} was submitted; it may take a day, and --resume fetches it should this be ended before",
                batch=batch,
            )
        case "waiting":
            return tr("{batch} has not ended after {waited} of waiting", batch=batch, waited=clock(news.waited_s))
        case "fetched":
            return _fetched(batch, news.unknown)
        case "left":
            return tr("{batch} goes on at the server and is paid for; --resume fetches it", batch=batch)
        case "poll_failed" | "lost" | "refused":
            return _batch_failed(batch, requests, news)
        case _:
            assert_never(news.state)


def _fetched(batch: str, unknown: int) -> str:
    if not unknown:
        return tr("{batch} has ended and was fetched", batch=batch)
    return tr(
        "{batch} has ended and was fetched; {unknown} results of other requests in it are ignored",
        batch=batch,
        unknown=unknown,
    )


def _batch_failed(batch: str, requests: str, news: BatchNews) -> str:
    failure = news.failure.message if news.failure else ""
    if news.state == "poll_failed":
        return tr("{batch} could not be asked for ({failure}); it is tried again", batch=batch, failure=failure)
    if news.id:
        return tr(
            "{batch} could not be fetched ({failure}): its runs are errors; --resume tries again",
            batch=batch,
            failure=failure,
        )
    return tr("batch ({requests}) was not taken ({failure}): its runs are errors", requests=requests, failure=failure)


def _failure(run: Run) -> str:
    return "" if run.failure is None else f"{run.failure.kind}: {run.failure.message}"


def _over(news: ReviewNews) -> int:
    return news.answered + news.failed + news.not_asked


def _tell(text: str) -> None:
    say(changed(text, one_line))

"""From the options of a run to the terms under which its agent is asked."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from skill_evaluator.api.request import Prepared
from skill_evaluator.journal import JournalEnd, JournalEntry, KeptAnswer
from skill_evaluator.metrics.invalid import FATAL, MIN_ERRORS_TO_GIVE_UP, errors_too_many
from skill_evaluator.model import Case
from skill_evaluator.results import Canary, CanaryState
from skill_evaluator.runner import NO_RETRIES, RETRIES, Group, OnRetry, Sleep, Spent, Terms, unheard
from skill_evaluator.runner.canary import checks_listing

_UNSPENT = Spent()


def terms_of(prepared: Prepared, *, sleep: Sleep, on_retry: OnRetry = unheard, spent: Spent = _UNSPENT) -> Terms:
    """Say how often, how much and how long an agent is asked.

    What answers from the program itself, or from recordings, gives the same answer every time and costs nothing: it
    is asked once, to the end, and no ceiling on costs can be reached.

    Args:
        prepared: What is to be run.
        sleep: Lets time go by between attempts.
        on_retry: Told of each failed attempt that is repeated.
        spent: What the runs that are kept have cost already.
    """
    request, seed = prepared.request, prepared.config.seed
    if not prepared.probed:
        return Terms(max_calls=request.max_calls, spent=spent, seed=seed, sleep=sleep)
    return Terms(
        probe=prepared.probe,
        retries=RETRIES if prepared.retried else NO_RETRIES,
        fatal=FATAL,
        max_calls=request.max_calls,
        max_cost_usd=request.max_cost_usd,
        give_up_at=_give_up_at(prepared.cases, prepared.config.runs, is_scored=request.is_scored),
        spent=spent,
        seed=seed,
        sleep=sleep,
        on_retry=on_retry,
    )


def spent_before(kept: Sequence[JournalEntry], end: JournalEnd | None, answers: Sequence[KeptAnswer] = ()) -> Spent:
    """Say what a run that is continued has spent already.

    Args:
        kept: Its finished runs, errors too.
        answers: What the judge and the analyst answered.
        end: How it ended; after a kill only what its runs tell is known, without the canary and the last calls.
    """
    costs = [entry.run.usage.cost_usd for entry in kept if entry.run.usage and entry.run.usage.cost_usd is not None]
    whole = end is not None and end.calls is not None
    return Spent(
        calls=(end.calls or 0) if end and whole else sum(entry.attempts for entry in kept),
        retries=(end.retries or 0) if end and whole else sum(entry.attempts - 1 for entry in kept),
        cost_usd=(end.spent_usd or 0.0)
        if end and whole
        else math.fsum((answers_usd(answers), *(entry.spent_usd or 0.0 for entry in kept))),
        dearest_usd=max(costs, default=0.0),
    )


def answers_usd(answers: Iterable[KeptAnswer]) -> float:
    """What kept answers cost, as far as they say."""
    usages = (answer.completion.usage for answer in answers)
    return math.fsum(usage.cost_usd for usage in usages if usage and usage.cost_usd is not None)


def canary_before(prepared: Prepared) -> Canary:
    """What is known of a probed agent before it is asked."""
    state = CanaryState.SKIPPED if prepared.probe is None else CanaryState.UNFINISHED
    return Canary(state=state, listing_checked=checks_listing(prepared.agent.info))


def _give_up_at(cases: Sequence[Case], runs: int, *, is_scored: bool) -> Mapping[Group, int]:
    """By split and expectation: as many errors as leave no other verdict than INVALID.

    Where nothing is scored, each answer is worth having: some that always fail must not keep the others from coming.
    """
    sizes = Counter((case.split, case.expect_trigger) for case in cases)
    bound = errors_too_many if is_scored else _most
    return {group: bound(size * runs) for group, size in sizes.items()}


def _most(planned: int) -> int:
    return max(planned // 2 + 1, MIN_ERRORS_TO_GIVE_UP)

"""Asks the models that look at finished runs: first the judge, then the analyst; and finds their kept answers again.

What they answered is kept before it is used, so that a report made again from the run folder is the same.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from skill_evaluator.advise import ROUNDS, advise
from skill_evaluator.api.analyse import analyse
from skill_evaluator.api.answers import KeptCompleter
from skill_evaluator.api.judge import calls_made, judge, judge_again, judged_beside, planned
from skill_evaluator.api.keeping import keeping
from skill_evaluator.api.measure import Measured, tuning_evidence
from skill_evaluator.api.request import Prepared
from skill_evaluator.api.reviewers import Stopping, Told, make_completer
from skill_evaluator.journal import JournalWriter, KeptAnswer
from skill_evaluator.model import Completer
from skill_evaluator.runner.loop import run_alone
from skill_evaluator.runner.stop import Stop, until_done


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewNews:
    """How far a review is.

    Attributes:
        who: `judge` or `analyst`.
        answered: Calls that were answered, now or by an earlier process.
        failed: Calls that failed.
        not_asked: Calls that were not made any more.
        planned: How many there can be at the most.
    """

    who: str
    answered: int
    failed: int
    not_asked: int
    planned: int


OnReview = Callable[[ReviewNews], None]


def unwatched(_news: ReviewNews) -> None:
    """Tell nobody of answers."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reviewed:
    """What came of a review.

    Attributes:
        measured: What was measured, with what the models said of it.
        stopped_by: What ended the review early, or None.
        spent_usd: What its calls cost, as far as it is known.
    """

    measured: Measured
    stopped_by: str | None = None
    spent_usd: float = 0.0


def review(
    measured: Measured,
    prepared: Prepared,
    journal: JournalWriter,
    *,
    spent_usd: float,
    progress: OnReview = unwatched,
) -> Reviewed:
    """Ask whoever the options name about finished runs; what earlier processes were answered is not asked again.

    Args:
        measured: A whole run.
        prepared: The options.
        journal: Where answers are kept.
        spent_usd: What was spent before; the ceiling holds for all of it.
        progress: Told of each answer.
    """
    review_ = _Review(measured, prepared, journal, spent_usd=spent_usd, progress=progress)
    run_alone(review_.whole())
    return review_.reviewed()


def review_again(measured: Measured, answers: Sequence[KeptAnswer]) -> Measured:
    """Say again what the models said of these runs; no call is made.

    Where they were never asked, since the run ended before all its runs were there, nothing is said of them.
    """
    config = measured.header.config
    if measured.end.stopped_by is not None and not answers and not _runs_are_there(measured):
        return measured
    judge_model, advise_model = config.judge_model, config.advise_model
    return run_alone(
        _review_again(
            measured,
            KeptCompleter(judge_model, answers=answers) if judge_model else None,
            KeptCompleter(advise_model, answers=answers) if advise_model else None,
        )
    )


def _runs_are_there(measured: Measured) -> bool:
    return all(len(measured.runs.get(case.id, ())) >= measured.header.config.runs for case in measured.cases)


async def _review_again(measured: Measured, judge_: Completer | None, analyst: Completer | None) -> Measured:
    if judge_ is not None:
        measured = await judge_again(measured, judge_)
    return await _analysed(measured, analyst) if analyst is not None else measured


async def _analysed(measured: Measured, analyst: Completer) -> Measured:
    evidence = tuning_evidence(measured)
    return replace(measured, analysed=await analyse(evidence, advise(evidence), analyst))


class _Review:
    """One review on its way; used once."""

    def __init__(
        self,
        measured: Measured,
        prepared: Prepared,
        journal: JournalWriter,
        *,
        spent_usd: float,
        progress: OnReview,
    ) -> None:
        self._measured, self._prepared, self._journal = measured, prepared, journal
        self._before, self._progress = Decimal(repr(spent_usd)), progress
        self._stop = Stop()
        config = prepared.config
        self._judge = self._kept(config.judge_model, self._stop)
        self._analyst = self._kept(config.advise_model, None)
        self._result: Measured | None = None

    async def whole(self) -> None:
        await until_done(self._job(), self._stop)

    def reviewed(self) -> Reviewed:
        """What came of it; after a signal, what was kept until then."""
        stopped_by = self._stop.reason
        answers = [answer for completer in self._completers for answer in completer.answers]
        measured = self._measured
        if stopped_by is not None:
            measured = review_again(replace(measured, end=replace(measured.end, stopped_by=stopped_by)), answers)
        elif self._result is not None:
            measured = self._result
        return Reviewed(measured=measured, stopped_by=stopped_by, spent_usd=float(self._spent))

    async def _job(self) -> None:
        measured = self._measured
        if self._judge is not None:
            plan = planned(measured)
            if plan.calls:
                measured = self._keeping_beside()
                plan = planned(measured)  # as kept: credentials are masked
                async with self._judge as completer:
                    asked = self._told("judge", completer, plan.calls)
                    measured = await judge(measured, plan, asked, concurrency=self._prepared.request.concurrency)
                    if calls_made(measured) < plan.calls:
                        self._stop.keeps_back()
            else:
                measured = await judge(measured, plan, self._judge, concurrency=1)
        if self._analyst is not None and tuning_evidence(measured).is_due:
            async with self._analyst as completer:
                measured = await _analysed(measured, self._told("analyst", completer, ROUNDS))
        self._result = measured

    def _keeping_beside(self) -> Measured:
        """Keep what the judge is going to see of a baseline, so that its answers fit whichever is named later."""
        with keeping(self._journal.folder):
            beside = self._journal.keep_beside(judged_beside(self._measured))
        self._measured = replace(self._measured, beside=beside)
        return self._measured

    @property
    def _completers(self) -> list[KeptCompleter]:
        return [one for one in (self._judge, self._analyst) if one is not None]

    @property
    def _spent(self) -> Decimal:
        return sum((Decimal(repr(one.spent_usd)) for one in self._completers), Decimal(0))

    def _kept(self, model: str | None, stop: Stop | None) -> KeptCompleter | None:
        if model is None:
            return None
        asked = make_completer(model, self._prepared.request)
        return KeptCompleter(
            model,
            journal=self._journal,
            completer=asked if stop is None else Stopping(asked, stop),
            may_start=self._may_start,
        )

    def _may_start(self) -> bool:
        """Hold all that was spent against the ceiling before a call."""
        most = self._prepared.request.max_cost_usd
        if most is not None:
            if any(one.cost_unknown for one in self._completers):
                self._stop.call("cost_unknown")
            elif self._before + self._spent >= Decimal(repr(most)):
                self._stop.call("max_cost")
        return not self._stop.keeps_back()

    def _told(self, who: str, completer: Completer, planned: int) -> Completer:
        def tell(answered: int, failed: int, not_asked: int) -> None:
            news = ReviewNews(who=who, answered=answered, failed=failed, not_asked=not_asked, planned=planned)
            self._progress(news)

        return Told(completer, self._journal.folder, tell)

"""The suggestions of a report in words: a short list, and how each came about, by round."""

from collections.abc import Iterator
from dataclasses import dataclass

from skill_evaluator.advise import ROUNDS, TuningEvidence
from skill_evaluator.model import Split
from skill_evaluator.report.escape import Md
from skill_evaluator.report.output_only import is_output_only
from skill_evaluator.report.phrases import Phrases
from skill_evaluator.report.scores import cases_of
from skill_evaluator.results import Report, Suggestion

_FEW = 6  # as many cases as the floors of a test set ask for: three of each class


@dataclass(frozen=True, kw_only=True, slots=True)
class AdviceView:
    """The suggestions in words.

    Attributes:
        lead: What they rest on, or why there are none.
        proposals: What to change: by rules, then by a model, each in the order of the rounds.
        rounds: Heading, and the lines of each suggestion: the cause, then what led to it.
    """

    lead: Md
    proposals: tuple[Md, ...] = ()
    rounds: tuple[tuple[Md, tuple[tuple[Md, tuple[Md, ...]], ...]], ...] = ()


def advice_view(report: Report, say: Phrases) -> AdviceView:
    """All suggestions; where there are none, why."""
    if not report.suggestions:
        return AdviceView(lead=_why_none(report, say))
    return AdviceView(
        lead=say("page.suggestions_estimate" if report.agent.estimate else "page.suggestions_from"),
        proposals=tuple(proposal(one, report, say) for one in report.suggestions),
        rounds=tuple(_rounds(report, say)),
    )


def foremost(report: Report) -> Suggestion | None:
    """The suggestion to try first: the one that most failed cases speak for, of several the earliest; None without."""
    return max(report.suggestions, key=lambda one: len(one.cases), default=None)


def proposal(suggestion: Suggestion, report: Report, say: Phrases) -> Md:
    """Say what to change, and how many cases speak for it."""
    proposed = say.coded("advice", suggestion.proposal.code, suggestion.proposal.values)
    if suggestion.source == "model":
        model = report.config.advise_model or ""
        return say("page.suggestion_model", proposal=proposed, cases=len(suggestion.cases), model=model)
    return say("page.suggestion", proposal=proposed, cases=len(suggestion.cases))


def _why_none(report: Report, say: Phrases) -> Md:
    if is_output_only(report):
        return say("no_advice.output_only")
    cases = cases_of(report, Split.TUNING)
    measured = [case for case in cases if case.decision is not None]
    if not measured:
        return say("no_advice.unmeasured" if cases else "no_advice.no_cases")
    failed = [failed for failed in report.failed_cases if failed.split is Split.TUNING and failed.sort != "unmeasured"]
    if not failed:
        return (
            say("no_advice.few_cases", cases=len(measured)) if len(measured) < _FEW else say("no_advice.nothing_failed")
        )
    return say("no_advice.not_made" if _is_due(report) else "no_advice.good_enough")


def _is_due(report: Report) -> bool:
    tuning = cases_of(report, Split.TUNING)
    return TuningEvidence.of(report.skill, tuning, pass_threshold=report.config.pass_threshold).is_due


def _rounds(report: Report, say: Phrases) -> Iterator[tuple[Md, tuple[tuple[Md, tuple[Md, ...]], ...]]]:
    """Those of the rules first: the model was asked after them."""
    for source, round_ in dict.fromkeys((one.source, one.round) for one in report.suggestions):
        listed = [one for one in report.suggestions if (one.source, one.round) == (source, round_)]
        heading = say("page.round", round=round_, rounds=ROUNDS)
        if source == "model":
            model = report.config.advise_model or ""
            heading = say("page.round_model", round=round_, rounds=ROUNDS, model=model)
        yield heading, tuple(_logged(one, say) for one in listed)


def _logged(suggestion: Suggestion, say: Phrases) -> tuple[Md, tuple[Md, ...]]:
    """The cause, then in the order of the seed's log: samples, analysis, proposal; and the evidence."""
    cause = say("page.log_cause", cause=say.name(suggestion.cause, "cause"), cases=len(suggestion.cases))
    return cause, (
        say("page.log_samples", samples=say.join(suggestion.samples)),
        say("page.log_analysis", analysis=say.coded("advice", suggestion.analysis.code, suggestion.analysis.values)),
        say("page.log_proposal", proposal=say.coded("advice", suggestion.proposal.code, suggestion.proposal.values)),
        say("page.log_cases", cases=suggestion.cases),
    )

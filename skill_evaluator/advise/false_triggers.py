"""Why a skill fired where it should not: the kinds of request that its description does not keep out."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from skill_evaluator.advise.evidence import TuningCase, TuningEvidence
from skill_evaluator.advise.rounds import MOST_WORDS, Found, Unit, about_decisions, decision_of
from skill_evaluator.advise.texts import Texts
from skill_evaluator.advise.vocabulary import Barred, Term, cover, telling_terms
from skill_evaluator.results import Cause, Note

_MOST_BROAD = 2
_KIN = 0.5  # a further word belongs to a kind of request where half of its users are of it


class FalseTriggers:
    """Negatives that fired."""

    def __init__(self, evidence: TuningEvidence, texts: Texts) -> None:
        self._texts = texts
        self._fired = tuple(case for case in evidence.cases if case.false_trigger)

    def look(self, explained: AbstractSet[Unit], *, last: bool) -> Sequence[Found]:
        """One kind of request in each round, then all that is left."""
        return list(self._look([case for case in self._fired if decision_of(case) not in explained], last=last))

    def _look(self, left: Sequence[TuningCase], *, last: bool) -> Iterator[Found]:
        kind = self._kind(left)
        if kind:
            members = set().union(*(term.cases for term in kind))
            yield self._gathered([case for case in left if case.id in members], kind)
            left = [case for case in left if case.id not in members] if last else []
        if left:
            yield self._scattered(left)

    def _kind(self, left: Sequence[TuningCase]) -> list[Term]:
        """The most telling word, and those that mostly stand in the same requests."""
        terms = self._terms(left, barred=self._is_claimed)
        if not terms:
            return []
        core = terms[0].cases
        return cover(
            [term for term in terms if len(term.cases & core) >= _KIN * len(term.cases)], MOST_WORDS - _MOST_BROAD
        )

    def _gathered(self, cases: Sequence[TuningCase], kind: Sequence[Term]) -> Found:
        words = [term.form for term in kind]
        refused = all(term.key in self._texts.refused for term in kind)
        broad = self._broad(cases, words)
        values: dict[str, object] = {"words": words, "cases": len(cases), "fired": len(self._fired)}
        return about_decisions(
            Cause.FALSE_TRIGGERS,
            cases,
            Note(code="one_kind_broad", values={**values, "broad": broad})
            if broad
            else Note(code="one_kind", values=values),
            Note(code="stress_exclusion" if refused else "exclude_words", values={"words": words}),
        )

    def _scattered(self, cases: Sequence[TuningCase]) -> Found:
        """No kind is seen; at best each request names something that is none of the skill's business."""
        own = [term for term in map(self._own_word, cases) if term]
        new = [term.form for term in own if term.key not in self._texts.refused][:MOST_WORDS]
        broad = self._broad(cases, new)[: MOST_WORDS - len(new)]
        values: dict[str, object] = {"cases": len(cases), "fired": len(self._fired)}
        analysis = Note(code="no_kind", values=values)
        if broad:
            analysis = Note(code="no_kind_broad", values={**values, "broad": broad})
        if new:
            return about_decisions(
                Cause.FALSE_TRIGGERS, cases, analysis, Note(code="exclude_own_words", values={"words": new})
            )
        if own:
            stressed = [term.form for term in own][: MOST_WORDS - len(broad)]
            return about_decisions(
                Cause.FALSE_TRIGGERS, cases, analysis, Note(code="stress_exclusion", values={"words": stressed})
            )
        return about_decisions(
            Cause.FALSE_TRIGGERS,
            cases,
            analysis,
            Note(code="narrow_words", values={"words": broad}) if broad else Note(code="narrow"),
        )

    def _own_word(self, case: TuningCase) -> Term | None:
        """The best words of one request, a name of something else before all: `water tank` says more than `check`."""
        wording = self._texts.of([case])[case.id]

        def barred(key: str) -> bool:
            return self._is_claimed(key) or not (key in wording.whole or " " in key)

        terms = self._terms([case], barred=barred, least=1)
        return min(
            terms, key=lambda term: (term.key not in wording.brands, term.key not in wording.names), default=None
        )

    def _is_claimed(self, key: str) -> bool:
        """Whether the skill says that it is for this; to exclude it would contradict that."""
        return key in self._texts.wanted or self._texts.is_name(key)

    def _broad(self, cases: Sequence[TuningCase], besides: Sequence[str]) -> list[str]:
        """Words of the description that such requests use and right ones hardly do."""
        texts = self._texts
        terms = self._terms(cases, barred=lambda key: key not in texts.wanted or texts.is_name(key) or " " in key)
        return [term.form for term in cover([term for term in terms if term.form not in besides], _MOST_BROAD)]

    def _terms(self, cases: Sequence[TuningCase], *, barred: Barred, least: int = 2) -> list[Term]:
        return telling_terms(self._texts.of(cases), self._texts.of_ours, barred=barred, least=least)

"""Why a skill stayed quiet: the words are not in its description, the agent answered itself, or a sibling fired."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum, auto

from skill_evaluator.advise.evidence import TuningCase, TuningEvidence
from skill_evaluator.advise.rounds import MOST_WORDS, Found, Unit, about_decisions, decision_of
from skill_evaluator.advise.texts import Texts
from skill_evaluator.advise.vocabulary import Barred, Term, by_chance, cover, telling_terms, users_by_key
from skill_evaluator.results import Cause, Note, RunState

_CHANCE = 0.05  # a word explains direct answers only where chance rarely gives such a difference
_GROUPS = 3  # siblings told in one round
_SHARED = 2  # users that make a word shared


class _How(Enum):
    SIBLING = auto()
    DIRECT = auto()
    UNKNOWN = auto()


class Misses:
    """Positives that stayed quiet."""

    def __init__(self, evidence: TuningEvidence, texts: Texts) -> None:
        self._texts = texts
        self._missed = tuple(case for case in evidence.cases if case.missed)
        self._users, self._users_fired = users_by_key(texts.positives), users_by_key(texts.fired)
        self._how = {case.id: _how(case) for case in self._missed}

    def look(self, explained: AbstractSet[Unit], *, last: bool) -> Sequence[Found]:
        """Siblings and direct answers are seen in the runs; all else rests on words."""
        left = [case for case in self._missed if decision_of(case) not in explained]
        siblings = self._by_sibling(left, last=last)
        others = [case for case in left if self._how[case.id] is not _How.SIBLING]
        direct = [case for case in others if self._how[case.id] is _How.DIRECT]
        unknown = [case for case in others if self._how[case.id] is _How.UNKNOWN]
        return [*siblings, *self._answered(direct), *self._unworded(unknown, last=last)]

    def _by_sibling(self, left: Sequence[TuningCase], *, last: bool) -> list[Found]:
        groups: defaultdict[str, list[TuningCase]] = defaultdict(list)
        for case in left:
            if self._how[case.id] is _How.SIBLING:
                groups[_sibling(case)].append(case)
        ordered = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
        return [self._sibling(name, cases) for name, cases in (ordered if last else ordered[:_GROUPS])]

    def _sibling(self, name: str, cases: Sequence[TuningCase]) -> Found:
        """Words that tell such requests from those that are rightly not ours; the description may use them already."""
        terms = self._terms(cases, self._texts.is_name)
        words = [term.form for term in cover(terms)]
        values = {"skill": name, "cases": len(cases), "missed": len(self._missed)}
        proposal = (
            Note(code="delimit_words", values={"skill": name, "words": words})
            if words
            else Note(code="delimit", values={"skill": name})
        )
        return about_decisions(Cause.SIBLING_FIRED, cases, Note(code="sibling_fired", values=values), proposal)

    def _answered(self, direct: Sequence[TuningCase]) -> Iterator[Found]:
        """Words alone are to blame only where they plainly tell the quiet requests from those that fired."""
        terms = [term for term in self._terms(direct, self._texts.is_said) if self._is_plain(term, len(direct))]
        if terms:
            found = self._words(direct, terms, direct=True)
            yield found
            direct = [case for case in direct if decision_of(case) not in found.explains]
        for covered in (True, False):
            cases = [case for case in direct if self._is_covered(case) is covered]
            if cases:
                yield self._direct(cases, covered=covered)

    def _is_plain(self, term: Term, pool: int) -> bool:
        fired = self._texts.fired
        return by_chance(len(term.cases), pool, self._users_fired[term.key], len(fired)) <= _CHANCE

    def _is_covered(self, case: TuningCase) -> bool:
        """Whether name or description use any word of a request."""
        return any(self._texts.is_said(key) for key in self._texts.of([case])[case.id].forms)

    def _direct(self, cases: Sequence[TuningCase], *, covered: bool) -> Found:
        values: dict[str, object] = {"cases": len(cases), "missed": len(self._missed)}
        words = [] if covered else self._own_words(cases)
        proposal = Note(code="say_when_needed")
        if words:
            proposal = Note(code="say_when_needed_words", values={"words": words})
        analysis = Note(code="answered_covered" if covered else "answered_uncovered", values=values)
        return about_decisions(Cause.ANSWERED_DIRECTLY, cases, analysis, proposal)

    def _unworded(self, cases: Sequence[TuningCase], *, last: bool) -> Iterator[Found]:
        if not cases:
            return
        terms = self._terms(cases, self._texts.is_said)
        if not terms:
            yield self._single(cases)
            return
        found = self._words(cases, terms, direct=False)
        yield found
        rest = [case for case in cases if decision_of(case) not in found.explains]
        if last and rest:
            yield self._single(rest)

    def _words(self, cases: Sequence[TuningCase], terms: Sequence[Term], *, direct: bool) -> Found:
        chosen = cover(terms)
        users = set().union(*(term.cases for term in chosen))
        worded = [case for case in cases if case.id in users]
        words = [term.form for term in chosen]
        code = "shared_words_direct" if direct else "shared_words"
        values = {"words": words, "cases": len(worded), "missed": len(self._missed)}
        return about_decisions(
            Cause.MISSED_WORDS,
            worded,
            Note(code=code, values=values),
            Note(code="add_words", values={"words": words}),
        )

    def _single(self, cases: Sequence[TuningCase]) -> Found:
        """Nothing is shared; at best each request has a phrase of its own."""
        words = self._own_words(cases)
        values = {"cases": len(cases), "missed": len(self._missed)}
        proposal = Note(code="add_single_words", values={"words": words}) if words else Note(code="widen")
        return about_decisions(Cause.MISSED_WORDS, cases, Note(code="no_shared_words", values=values), proposal)

    def _own_words(self, cases: Sequence[TuningCase]) -> list[str]:
        """The best word of each request, those of most positives first."""
        own = {term.key: term.form for term in map(self._own_word, cases) if term}
        return [own[key] for key in sorted(own, key=lambda key: (-self._users[key], key))][:MOST_WORDS]

    def _own_word(self, case: TuningCase) -> Term | None:
        """The word of one request that most positives use; what is named in it is its own affair."""
        texts, wording = self._texts, self._texts.of([case])[case.id]

        def barred(key: str) -> bool:
            alone = key in wording.whole or self._users[key] >= _SHARED
            return texts.is_said(key) or key in wording.names or not alone

        terms = self._terms([case], barred, least=1)
        return min(terms, key=lambda term: -self._users[term.key], default=None)

    def _terms(self, cases: Sequence[TuningCase], barred: Barred, *, least: int = _SHARED) -> list[Term]:
        return telling_terms(self._texts.of(cases), self._texts.of_others, barred=barred, least=least)


def _how(case: TuningCase) -> _How:
    """What happened in most of its quiet runs."""
    seen: Counter[_How] = Counter()
    for run in case.result.runs:
        if run.state is RunState.NOT_TRIGGERED:
            direct = _How.UNKNOWN if run.output is None else _How.DIRECT
            seen[_How.SIBLING if run.skills_invoked else direct] += 1
    return max(_How, key=lambda how: (seen[how], -how.value))


def _sibling(case: TuningCase) -> str:
    """The skill that fired first in most of its quiet runs."""
    first = Counter(
        run.skills_invoked[0] for run in case.result.runs if run.state is RunState.NOT_TRIGGERED and run.skills_invoked
    )
    return min(first, key=lambda name: (-first[name], name))

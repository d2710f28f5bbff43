"""Finds the words that some requests share and others lack: what a description could name, or exclude."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from skill_evaluator.advise.rounds import MOST_WORDS
from skill_evaluator.advise.words import Wording, spelled

_SLACK = 0.5  # added to every count, so that a word seen nowhere is unlikely, not impossible
_RARE = 4  # a word is rare among others where at most this fraction (1/4) as many use it
_FILL = 0.5  # a further word has to be half as telling as the first

Wordings = Mapping[str, Wording]  # by case id
Barred = Callable[[str], bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class Term:
    """A word or phrase of several requests.

    Attributes:
        key: What makes its forms equal.
        form: How it is written.
        cases: Ids of the requests that use it.
        score: How telling it is; higher is better.
    """

    key: str
    form: str
    cases: frozenset[str]
    score: float


class Elsewhere:
    """How common words are in the requests that a group of them is held against; counted once.

    Args:
        rare_in: Requests that must hardly use a word.
        rather_not_in: Requests that may use it; it then explains less.
    """

    def __init__(self, *, rare_in: Wordings, rather_not_in: Wordings) -> None:
        self._rare, self._rare_of = users_by_key(rare_in), len(rare_in)
        self._seen, self._seen_of = users_by_key(rather_not_in), len(rather_not_in)

    def is_rare(self, key: str, shared: int, pool: int) -> bool:
        """Whether a word that `shared` of `pool` requests use is much rarer where it must be."""
        return self._rare[key] * pool * _RARE <= shared * self._rare_of

    def score(self, key: str, shared: int, pool: int) -> float:
        """Users, times the log ratio of how common the word is in the pool and elsewhere."""
        against = _common(self._rare[key], self._rare_of) + _common(self._seen[key], self._seen_of)
        return shared * (2 * _common(shared, pool) - against)


def users_by_key(wordings: Wordings) -> Counter[str]:
    """How many requests use each word."""
    return Counter(key for wording in wordings.values() for key in wording.forms)


def telling_terms(pool: Wordings, elsewhere: "Elsewhere", *, barred: Barred, least: int = 2) -> list[Term]:
    """Rank the words of some requests.

    Args:
        pool: The requests whose words are wanted.
        elsewhere: The requests they are held against.
        barred: Says which keys are out of the question.
        least: How many of the pool have to use a word.

    Returns:
        The most telling first. Of words that the same requests use, one within the other, only the longest is kept.
    """
    terms = [
        Term(
            key=key,
            form=spelled(pool[case].forms[key] for case in sorted(cases)),
            cases=cases,
            score=elsewhere.score(key, len(cases), len(pool)),
        )
        for key, cases in _by_key(pool, least, barred).items()
        if elsewhere.is_rare(key, len(cases), len(pool))
    ]
    ranked = sorted(_longest(terms), key=lambda term: (-term.score, -len(term.form), term.form))
    return [term for term in ranked if term.score > 0]


def cover(terms: Sequence[Term], most: int = MOST_WORDS) -> list[Term]:
    """Choose few words for many requests: first those for requests without a chosen one, then the next best."""
    chosen: list[Term] = []
    covered: set[str] = set()
    while len(chosen) < most and (best := _next(terms, chosen, covered)):
        chosen.append(best)
        covered |= best.cases
    return chosen


def by_chance(users: int, pool: int, others_using: int, others: int) -> float:
    """How likely it is that at least so many of the pool use a word if pool and others did not differ in it.

    Source:
        R. A. Fisher (1935), *The Design of Experiments*: the exact test, one-sided.
    """
    using, every = users + others_using, pool + others
    ways = sum(math.comb(using, k) * math.comb(every - using, pool - k) for k in range(users, min(using, pool) + 1))
    return ways / math.comb(every, pool)


def _by_key(pool: Wordings, least: int, barred: Barred) -> dict[str, frozenset[str]]:
    users: defaultdict[str, set[str]] = defaultdict(set)
    for case, wording in pool.items():
        for key in wording.forms:
            users[key].add(case)
    return {key: frozenset(cases) for key, cases in users.items() if len(cases) >= least and not barred(key)}


def _common(users: int, all_: int) -> float:
    return math.log((users + _SLACK) / (all_ + 2 * _SLACK))


def _longest(terms: Sequence[Term]) -> Iterator[Term]:
    groups: defaultdict[frozenset[str], list[Term]] = defaultdict(list)
    for term in terms:
        groups[term.cases].append(term)
    for group in groups.values():
        for term in group:
            if not any(term.key != other.key and term.key in other.key for other in group):
                yield term


def _next(terms: Sequence[Term], chosen: Sequence[Term], covered: set[str]) -> Term | None:
    free = [term for term in terms if not any(_overlap(term, one) for one in chosen)]
    if not chosen:
        return free[0] if free else None
    good = [term for term in free if term.score >= _FILL * chosen[0].score]
    gains = [term for term in free if term.cases - covered]
    best = max(gains, key=lambda term: len(term.cases - covered) / len(term.cases) * term.score, default=None)
    return best or (good[0] if good else None)


def _overlap(one: Term, two: Term) -> bool:
    return one.key in two.key or two.key in one.key

"""The tuning cases and the skill's own texts as words, cut once for all that ask."""

from collections.abc import Iterable

from skill_evaluator.advise.evidence import TuningCase, TuningEvidence
from skill_evaluator.advise.vocabulary import Elsewhere, Wordings
from skill_evaluator.advise.words import said_in, wording
from skill_evaluator.agents.embedded_text import split_exclusions


class Texts:
    """Words by case, and what the skill says already.

    Attributes:
        fired: Positives that fired.
        positives: All positives.
        negatives: All negatives.
        quiet: Negatives that stayed quiet.
        of_others: What missed requests are held against.
        of_ours: What false triggers are held against.
        wanted: What the skill's description asks for; an agent sees this, never the body.
        refused: What it refuses.
    """

    def __init__(self, evidence: TuningEvidence) -> None:
        self._wordings = {case.id: wording(case.prompt) for case in evidence.cases}
        positives = [case for case in evidence.cases if case.result.expect_trigger]
        negatives = [case for case in evidence.cases if not case.result.expect_trigger]
        self.positives, self.negatives = self.of(positives), self.of(negatives)
        self.fired = self.of(case for case in positives if not case.missed)
        self.quiet = self.of(case for case in negatives if not case.false_trigger)
        self.of_others = Elsewhere(rare_in=self.negatives, rather_not_in=self.fired)
        self.of_ours = Elsewhere(rare_in=self.positives, rather_not_in=self.quiet)
        skill = evidence.skill
        wanted, refused = split_exclusions("\n".join(filter(None, (skill.description, skill.when_to_use))))
        self.wanted, self.refused, self._name = said_in(wanted), said_in(refused), said_in(_spoken(skill.name))

    def of(self, cases: Iterable[TuningCase]) -> Wordings:
        """The words of some cases."""
        return {case.id: self._wordings[case.id] for case in cases}

    def is_said(self, key: str) -> bool:
        """Whether name or description use a word, or a word of a phrase; naming it once more helps nobody."""
        parts = key.split(" ")
        return any(part in self.wanted or part in self.refused or self.is_name(part) for part in parts)

    def is_name(self, key: str) -> bool:
        """Whether a word is part of the skill's name."""
        return key in self._name


def _spoken(name: str) -> str:
    return f"{name} {name.replace('-', ' ').replace('_', ' ')}"

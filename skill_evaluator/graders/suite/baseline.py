"""The grader type `baseline`: a judge votes on whether a run does at least as well as a session kept for reference."""

from collections.abc import Sequence
from dataclasses import dataclass

from skill_evaluator.graders.evidence import clean, cut_middle
from skill_evaluator.graders.suite.seen import elided, seen_by_judge
from skill_evaluator.graders.suite.targets import Target
from skill_evaluator.graders.suite.voting import decided, put_to_vote, shown_in
from skill_evaluator.model import Completion, Outcome, PlainQuestion, Run
from skill_evaluator.texts import tr

_REFERENCE, _NEW = "reference session", "new session"
_DEMAND = "Does the new session meet the criterion at least as well as the reference session?"


@dataclass(frozen=True, kw_only=True, slots=True)
class Baseline:
    """A model finds that the session meets a criterion at least as well as the one kept for reference.

    Attributes:
        criteria: What both are held against, in the words of the suite.
        baseline_file: The file of the reference, as the suite names it.
        content: The lines of that file, or None where it could not be read: the grader then fails without a call.
        problem: What is wrong with it, where it could not be read: the rest of a sentence that begins with the file.
        problem_code: The same as a stable name, such as `not-found` or `leads-outside`.
    """

    criteria: str
    baseline_file: str
    content: str | None = None
    problem: str = "was not read"
    problem_code: str = "not-read"

    @property
    def focus(self) -> Target:
        """What of the run is shown: its session."""
        return "trace"

    def ask(self, run: Run) -> PlainQuestion | Outcome:
        """Lay out both sessions."""
        if self.content is None:
            return Outcome(
                passed=False,
                code="baseline_unreadable",
                message=tr("The reference session {file!r} {problem}.", file=self.baseline_file, problem=self.problem),
                evidence={"file": clean(self.baseline_file), "problem": clean(self.problem)},
            )
        seen = seen_by_judge(run, self.focus)
        if isinstance(seen, Outcome):
            return seen
        texts = {_REFERENCE: elided(self.content.removesuffix("\n").split("\n")), _NEW: seen.text}
        return put_to_vote(self.criteria, texts, _DEMAND)

    def decide(self, question: PlainQuestion, votes: Sequence[Completion]) -> Outcome:
        """Count the votes; the evidence shows the criterion, the new session and what was said."""
        facts = {
            "criteria": cut_middle(clean(self.criteria)),
            "baseline_file": clean(self.baseline_file),
            "shown": cut_middle(shown_in(question, _NEW)),
        }
        return decided(votes, facts)

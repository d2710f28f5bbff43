"""The grader type `llm`: a judge votes on whether a criterion holds."""

from collections.abc import Sequence
from dataclasses import dataclass

from skill_evaluator.graders.evidence import clean, cut_middle
from skill_evaluator.graders.suite.seen import focus_words, seen_by_judge
from skill_evaluator.graders.suite.targets import Target
from skill_evaluator.graders.suite.voting import decided, put_to_vote, shown_in
from skill_evaluator.model import Completion, Outcome, PlainQuestion, Run

_OUTPUT = "output"
_PICTURE = "[a picture]"


@dataclass(frozen=True, kw_only=True, slots=True)
class Llm:
    """A model finds that the output meets a criterion, by two votes of three.

    Attributes:
        criteria: What has to hold, in the words of the suite.
        focus: What of the run is shown.
    """

    criteria: str
    focus: Target = "last_message"

    def ask(self, run: Run) -> PlainQuestion | Outcome:
        """Lay out what the judge sees; a file that cannot be shown fails without a call."""
        seen = seen_by_judge(run, self.focus)
        if isinstance(seen, Outcome):
            return seen
        where = focus_words(self.focus)
        if seen.image is not None:
            demand = f"Does the attached image ({where}) meet the criterion?"
            return put_to_vote(self.criteria, {}, demand, image=seen.image)
        demand = f"Does the agent's output ({where}) meet the criterion?"
        return put_to_vote(self.criteria, {_OUTPUT: seen.text}, demand)

    def decide(self, question: PlainQuestion, votes: Sequence[Completion]) -> Outcome:
        """Count the votes; the evidence shows the criterion, what was seen and what was said."""
        seen = _PICTURE if question.image is not None else shown_in(question, _OUTPUT)
        facts = {
            "criteria": cut_middle(clean(self.criteria)),
            "focus": focus_words(self.focus),
            "shown": cut_middle(clean(seen)),
        }
        return decided(votes, facts)

"""The program's own result, and the judge's answers, -> what a recording keeps of them; its message texts stay out."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from skill_evaluator.model.checks import VOTES
from tests.conformance.json_values import Json
from tests.conformance.stand_in import JudgeAnswer

JUDGED = frozenset({"llm", "baseline"})
_KEPT = ("name", "passed", "weight", "scored", "withOnly", "judgeVotes")


def paths_of(graders: Sequence[Mapping[str, Json]]) -> list[str]:
    """Paths of files that graders name as their target or focus, each once."""
    places = [
        config.get(key)
        for grader in graders
        if isinstance(config := grader.get("config"), Mapping)
        for key in ("target", "focus")
    ]
    return sorted({str(place["path"]) for place in places if isinstance(place, Mapping) and "path" in place})


def verdicts_of(
    run: Mapping[str, Json], types: Mapping[str, str], asked: Iterator[Sequence[JudgeAnswer]]
) -> list[dict[str, Json]]:
    """What each grader found in one run, with the judge's words where it was asked.

    Args:
        run: One run of the result.
        types: Type of each grader by name.
        asked: What the judge was asked next, grader by grader; advanced by as many as this run used.
    """
    found: list[dict[str, Json]] = []
    for grader in _mappings(run.get("graders")):
        kept = {key: grader[key] for key in _KEPT if key in grader}
        explanation = str(grader.get("explanation", ""))
        kept["threw"] = explanation.startswith("grader threw:")
        if types[str(grader["name"])] in JUDGED:
            kept["evidence"] = grader.get("evidence")
            if "judgeVotes" in grader or "judge call failed" in explanation:
                kept["answers"] = [answer.text for answer in next(asked)]
        found.append(kept)
    return found


def by_grader(answers: Sequence[JudgeAnswer]) -> Iterator[Sequence[JudgeAnswer]]:
    """Split what a judge was asked into what each grader asked: three answers, or some and an error.

    The program asks again after an error by itself, so errors before an answer to the same question are no votes.
    """
    for _, group in groupby(answers, key=lambda answer: answer.question):
        same = list(group)
        votes = [answer for answer in same if answer.text is not None]
        for start in range(0, len(votes), VOTES):
            chunk = votes[start : start + VOTES]
            yield chunk if len(chunk) == VOTES else [*chunk, same[-1]]
        if not votes:
            yield same[-1:]


def _mappings(value: Json) -> Iterator[Mapping[str, Json]]:
    yield from (item for item in value if isinstance(item, Mapping)) if isinstance(value, list) else ()

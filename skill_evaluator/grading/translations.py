"""A run of a translation seen as a candidate: the text that was delivered, and the response as it came."""

from dataclasses import replace

from skill_evaluator.model import Case, Run


def candidate_of(case: Case, run: Run) -> Run:
    """Give the run that the checks of a translation look at.

    Models end an answer with a line end, or begin it with one, that is no part of the translation. So white space
    around the output is left out; it stays where the text to translate has some around it too.

    Args:
        case: A case that does not say whether the skill should fire.
        run: One of its runs that did not fail.

    Returns:
        The run with the translation as `output` and the whole final output as `raw_response`; both None where the
        agent made no output.
    """
    whole = run.output
    text = whole if whole is None or _has_outer_space(case) else whole.strip()
    return replace(run, output=text, raw_response=whole)


def _has_outer_space(case: Case) -> bool:
    """Whether white space stands around the text to translate, as far as a check of the case knows that text."""
    sources = (getattr(grader.check, "source", None) for grader in case.graders)
    return any(isinstance(source, str) and source != source.strip() for source in sources)

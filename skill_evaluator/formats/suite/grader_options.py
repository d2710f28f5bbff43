"""The options of one grader, whatever file they stand in -> a `Grader`, or all that is wrong with them."""

from skill_evaluator.formats.suite.faults import SuiteFault, Values
from skill_evaluator.model import Grader


def read_grader(values: Values, *, name: str | None, body: str | None) -> Grader | tuple[SuiteFault, ...]:
    """Read the options of one grader.

    Args:
        values: Its keys: `type`, `weight`, `arm`, `name` and the options of the type.
        name: Its name where `values` has none, such as that of its file; None where it must name itself.
        body: Text below the frontmatter, which stands for `pattern` or `criteria`; None where there is no such text.

    Returns:
        The grader, or its faults in the order in which they were found. A pattern that does not compile is no fault
        of this kind: the real program loads it.
    """
    raise NotImplementedError

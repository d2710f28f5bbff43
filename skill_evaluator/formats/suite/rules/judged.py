"""Rules about graders that a model votes on, and what they and mocks look at."""

import re
from collections.abc import Iterator
from typing import Final

from skill_evaluator.formats.suite.rules.tested import criteria_of, doubt_at, is_skill_count, looked_at
from skill_evaluator.formats.suite.seen import Doubt, SeenCase, SeenGrader, SeenSuite
from skill_evaluator.graders.suite import ToolUsed
from skill_evaluator.graders.suite.baseline import Baseline
from skill_evaluator.model import GraderArm, Level
from skill_evaluator.texts import tr

_FAILS_THE_RUN: Final = ("leads-outside", "is-a-folder", "not-regular")
_CONDITION: Final = re.compile(r"\bpass|\bfail|通过|通過|合格|不及格|失败|失敗", re.IGNORECASE)


def only_judged(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """Votes of a model differ from run to run; a case needs something that does not."""
    if case.graders and all(criteria_of(seen) is not None for seen in case.graders):
        message = tr(
            "every grader of the case is a model's opinion, which costs money and varies; add one that "
            "is computed: `regex`, `tool_used`, `tool_order` or `file_exists`"
        )
        yield Doubt(message=message)


def no_conditions(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """A judge answers PASS or FAIL, so the criteria say when to answer which."""
    for seen in case.graders:
        criteria = criteria_of(seen)
        if criteria is not None and not _CONDITION.search(criteria):
            message = tr(
                "the criteria do not say when to answer PASS or FAIL, so the judge decides by taste; write "
                "`PASS if ...` and `FAIL if ...`"
            )
            yield doubt_at(seen, ("criteria",), message)


def _has_key(case: SeenCase, seen: SeenGrader, key: str) -> bool:
    text = case.texts.get(seen.file)
    return text is not None and (*seen.path, key) in text.entries


def no_mock_to_look_at(case: SeenCase, suite: SeenSuite) -> Iterator[Doubt]:
    """Without any stand-in there are no calls of stand-ins, and the grader fails even if it asks for none."""
    setup = case.case.setup if case.case else None
    if setup is None or setup.mocks or not suite.mocks_load:
        return
    for seen in case.graders:
        if looked_at(seen) == "mock_calls":
            message = tr(
                "`mock_calls` is looked at, but no mock stands in for a server, so the grader fails every "
                "run; add `mocks/<server>/<tool>.md`"
            )
            path = ("target",) if _has_key(case, seen, "target") else ("focus",)
            yield doubt_at(seen, path, message, level=Level.FAIL)


def no_baseline(case: SeenCase, _: SeenSuite) -> Iterator[Doubt]:
    """Without the session to compare with, the grader fails without asking anybody."""
    for seen in case.graders:
        check = seen.grader.check
        if isinstance(check, Baseline) and check.content is None and not _leads_out(check):
            message = tr(
                "`baseline_file` {baseline_file!r} {problem}; without it the grader fails every run",
                baseline_file=check.baseline_file,
                problem=check.problem,
            )
            yield doubt_at(seen, ("baseline_file",), message, level=Level.FAIL)


def _leads_out(check: Baseline) -> bool:
    """Such a file fails the run as a whole, which is told elsewhere."""
    return check.baseline_file.startswith("/") or check.problem_code in _FAILS_THE_RUN


def unscored_must_not_fire(case: SeenCase, suite: SeenSuite) -> Iterator[Doubt]:
    """With two arms a count of `Skill` calls is shown but not scored, unless `arm: both` says otherwise."""
    setup = case.case.setup if case.case else None
    if suite.plugin is None or setup is None or not setup.plugins or setup.history_file is not None:
        return
    if all(_is_excluded(seen) for seen in case.graders):
        return  # then all of them are scored
    for seen in case.graders:
        check = seen.grader.check
        if is_skill_count(seen) and isinstance(check, ToolUsed) and check.max == 0 and seen.grader.arm is None:
            message = tr(
                "a run with and without the plugin shows this grader but does not score it, as each count of "
                "`Skill` calls; write `arm: both` to let a skill that fires here cost points"
            )
            yield doubt_at(seen, (), message)


def _is_excluded(seen: SeenGrader) -> bool:
    return seen.grader.arm is GraderArm.WITH_ONLY or (is_skill_count(seen) and seen.grader.arm is not GraderArm.BOTH)

"""Files that `plugin-eval` writes for other programs: `--junit` and `--csv`."""

from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.api.plugin_eval.writable import problem_of_file
from skill_evaluator.cli.console import say
from skill_evaluator.errors import EvaluatorError
from skill_evaluator.model import one_line
from skill_evaluator.report.files import write_whole
from skill_evaluator.results.suite_result import SuiteResult
from skill_evaluator.texts import Language, changed, tr


def may_write_side_files(asked: SuiteOptions) -> bool:
    """Say what cannot be written, before anything is run."""
    problems = {option: (file, problem_of_file(file)) for option, file in asked.side_files.items()}
    for option, (file, problem) in problems.items():
        if problem is not None:
            words = tr("FAIL {option}: {file} cannot be written: {problem}", option=option, file=file, problem=problem)
            say(changed(words, one_line))
    return not any(problem for _, problem in problems.values())


def write_side_files(result: SuiteResult, asked: SuiteOptions, lang: Language) -> int:
    """Write the result in other formats, all files or none; give the status that a failure makes."""
    if not asked.side_files:
        return 0
    from skill_evaluator.report.ci.suite_csv import suite_result_to_csv  # noqa: PLC0415 - rarely needed
    from skill_evaluator.report.ci.suite_junit import suite_result_to_junit  # noqa: PLC0415

    made = {"--junit": lambda: suite_result_to_junit(result, lang), "--csv": lambda: suite_result_to_csv(result)}
    try:
        write_whole({file: made[option]() for option, file in asked.side_files.items()})
    except EvaluatorError as error:
        say(error.worded(lang))
        return 1
    for file in asked.side_files.values():
        say(changed(tr("Wrote {file}", file=str(file)), one_line))
    return 0

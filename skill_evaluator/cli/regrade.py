"""`regrade`: saved runs, graded and scored again."""

import argparse

from skill_evaluator.api.regrade import regrade
from skill_evaluator.cli.writing import present


def execute(options: argparse.Namespace) -> int:
    """Make a report from saved runs and return the exit status of its verdict."""
    report = regrade(
        options.path,
        testset=options.testset,
        pass_threshold=options.pass_threshold,
        baseline=options.baseline,
        output_dir=options.output_dir,
    )
    return present(report, options)

"""`regrade`: saved runs, graded and scored again."""

import argparse

from skill_evaluator.api.regrade import regrade
from skill_evaluator.api.request import RegradeRequest
from skill_evaluator.cli.side_files import side_files
from skill_evaluator.cli.writing import json_file, present


def execute(options: argparse.Namespace) -> int:
    """Make a report from saved runs and return the exit status of its verdict."""
    request = RegradeRequest(
        path=options.path,
        testset=options.testset,
        pass_threshold=options.pass_threshold,
        baseline=options.baseline,
        fail_on=options.fail_on,
        on_shared_cases=options.on_shared_cases,
        output_dir=options.output_dir,
        json_file=json_file(options),
        side_files=side_files(options),
    )
    return present(regrade(request), options)

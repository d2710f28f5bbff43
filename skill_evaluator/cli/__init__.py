"""The command line: parse, print, ask, show progress, give exit statuses; nothing else.

Each command lives in a module of its own and is imported only when it is called, so that `--help`,
`validate` and `report` start quickly.
"""

import gc
import importlib
import sys
from collections.abc import Sequence

from skill_evaluator.cli.console import forget, prepare_streams, say
from skill_evaluator.cli.github import tell_findings
from skill_evaluator.cli.language import asked_for, speak, spoken
from skill_evaluator.cli.parser import build_parser
from skill_evaluator.cli.signals import status_of, stopped_by_signals
from skill_evaluator.errors import EvaluatorError, InputError
from skill_evaluator.reasons import told
from skill_evaluator.texts import tr

# Nearly all that a command imports or measures lasts until it ends, so looking for garbage as often as Python does by
# default finds none and takes a sixth of the time to start.
_RARE_COLLECTIONS = (20_000, 20, 20)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Args:
        argv: Arguments without the program's name; None takes the process's own.

    Returns:
        0 passed or estimated, 1 failed or refused, 2 nothing reliable measured, 130 and 143 stopped by a signal.
    """
    gc.set_threshold(*_RARE_COLLECTIONS)
    speak(asked_for(sys.argv[1:] if argv is None else argv))
    try:
        with stopped_by_signals():
            return _run(argv)
    except KeyboardInterrupt as stop:
        say(tr("interrupted"))
        return status_of(stop)


def _run(argv: Sequence[str] | None) -> int:
    prepare_streams()
    try:
        options = build_parser().parse_args(argv)
        command = importlib.import_module(f"skill_evaluator.cli.{options.module}")
        status = int(command.execute(options))
        sys.stdout.flush()
    except EvaluatorError as error:
        say(error.worded(spoken()))
        if isinstance(error, InputError):
            tell_findings(error.findings, spoken())
        return error.exit_status
    except BrokenPipeError:
        forget(sys.stdout)
        return 1
    except OSError as error:
        say(tr("FAIL {error}", error=told(error)))
        forget(sys.stdout)
        return 1
    return status

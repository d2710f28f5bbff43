"""Give our own suites to the real `claude plugin eval` and keep the facts of its answers beside them.

`run_suites.jsonl` holds a suite a line: its files, its arguments, what the scripted server says, perhaps a signal. Each
is run twice, against a server on the loopback: no account is needed and nothing is paid. An answer that is not the
same twice is not kept, and said.
"""

import argparse
import concurrent.futures
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))  # it is started as a script, from any folder

from tests.conformance.json_values import Json, read_lines  # noqa: E402 - the line above comes first
from tests.conformance.masking import line_of  # noqa: E402
from tests.conformance.suite_run import differences, facts_of, run_suite  # noqa: E402
from tests.recorded_suites import RecordedSuite  # noqa: E402

VERSION = "2.1.332"
SUITES = HERE / "run_suites.jsonl"


def recorded(claude: str, suite: RecordedSuite) -> tuple[dict[str, Json], Sequence[str]]:
    """The facts of the first answer, and where the second one differs from them."""
    first, second = _answer(claude, suite), _answer(claude, suite)
    return first, list(differences(first, second))


def _answer(claude: str, suite: RecordedSuite) -> dict[str, Json]:
    with tempfile.TemporaryDirectory(prefix="recording-", ignore_cleanup_errors=True) as work:
        return facts_of(run_suite([claude, "plugin", "eval"], suite, Path(work)))


def main() -> int:
    """Record the suites that the command line names."""
    options = _options()
    version = subprocess.run([options.claude, "--version"], capture_output=True, text=True, check=True).stdout
    if VERSION not in version.split():
        raise SystemExit(f"{options.claude} is {version.strip()}; recordings are made with {VERSION}")
    rows = read_lines(options.suites)
    wanted = [row for row in rows if options.only in str(row["name"])]
    suites = [RecordedSuite(name=str(row["name"]), row=row) for row in wanted]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        answers = pool.map(lambda suite: recorded(options.claude, suite), suites)
        for row, (facts, unlike) in zip(wanted, answers, strict=True):
            if unlike:
                sys.stdout.write(f"{row['name']} is not the same twice, and kept as it was: {'; '.join(unlike)}\n")
            else:
                row["expected"] = facts
    options.suites.write_text("".join(map(line_of, rows)), encoding="utf-8")
    sys.stdout.write(f"gave {len(wanted)} of {len(rows)} suites to {options.claude}\n")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claude", default="claude", help=f"the program, version {VERSION} (default: %(default)s)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only suites with this in their name")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="suites at a time (default: %(default)s)")
    parser.add_argument("--suites", type=Path, default=SUITES, metavar="FILE", help="(default: %(default)s)")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

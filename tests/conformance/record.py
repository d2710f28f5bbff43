"""Give suites to the real `claude plugin eval` and keep what its graders saw and found, for tests of ours.

Each suite is laid out in a temporary folder and run against a scripted server on the loopback: no account is needed
and nothing is paid. Kept are, for each run, the messages of the session, the new files, the files that graders name,
the calls to stand-ins, and what the program said of it. Of the suites of the conformance folder only the names are
kept, their files stay there; those of `own.jsonl` beside this script have both.
"""

import argparse
import concurrent.futures
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))  # it is started as a script, from any folder

from tests.conformance.answers import by_grader, paths_of, verdicts_of  # noqa: E402 - the line above comes first
from tests.conformance.json_values import Json, items  # noqa: E402
from tests.conformance.kept import KeptRun, files_of_scaffold  # noqa: E402
from tests.conformance.masking import Masks, line_of  # noqa: E402
from tests.conformance.stand_in import JudgeAnswer, StandIn, default_script, serving  # noqa: E402
from tests.recorded_suites import RecordedSuite, suites_of  # noqa: E402

VERSION = "2.1.332"
LIMIT_S = 300
ALONE = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER")  # set, they keep the program to its server
_KEPT = re.compile(r"^\s*kept temp[^:]*: (/\S+)", re.MULTILINE)
_SCAFFOLD = re.compile(r"scaffold_script:\s*([\w./-]+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorder:
    """Where the program and the scripted server are."""

    claude: str
    conformance: Path

    def record(self, suite: RecordedSuite) -> dict[str, Json] | None:
        """Run one suite and keep what can be graded again; None where the program started no run."""
        work = Path(tempfile.mkdtemp(prefix="recording-"))
        try:
            with serving(self.conformance, suite.script or default_script(self.conformance)) as server:
                stderr = self._run(work, suite.placed_in(work), server)
            result = work / "out" / "aggregate-result.json"
            if not result.exists():
                return None
            recorded = _recorded(suite, json.loads(result.read_text(encoding="utf-8")), work, server.answers)
            _remove(_KEPT.findall(stderr))
        finally:
            shutil.rmtree(work, ignore_errors=True)
        return recorded

    def _run(self, work: Path, suite: RecordedSuite, server: StandIn) -> str:
        home = work / "home"
        home.mkdir()
        ended = subprocess.run(
            [self.claude, *suite.args, "--keep-temp", "--output-dir", str(work / "out")],
            cwd=suite.lay_out(work / "plugin"),
            env={**_surroundings(home), **server.variables(), **suite.row.get("env", {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIMIT_S,
            check=False,  # a suite below its threshold ends with 1
        )
        return ended.stderr.decode(errors="replace")


def _surroundings(home: Path) -> dict[str, str]:
    """What the program sees of the machine: an empty home, and no terminal to write colours to."""
    return dict.fromkeys(ALONE, "1") | {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "LC_ALL": "C.UTF-8",
        "TERM": "dumb",
    }


def _recorded(
    suite: RecordedSuite, result: Mapping[str, Json], work: Path, answers: Sequence[JudgeAnswer]
) -> dict[str, Json] | None:
    asked = by_grader(answers)
    cases = [_case(suite, case, work, asked) for case in result["cases"]]  # type: ignore[union-attr, arg-type]
    if not any(case["runs"] for case in cases):
        return None
    version = result.get("claudeVersion")
    if version != VERSION:
        raise ValueError(f"{version} made this result; recordings are made with {VERSION}")
    told: Mapping[str, Json] = result["suite"]  # type: ignore[assignment]
    whole: Json = {
        "suite": suite.name,
        "ablation": told["ablation"],
        "threshold": told["threshold"],
        "aggregates": result["aggregates"],
        "cases": cases,
    }
    return Masks(work=str(work)).hide(whole)  # type: ignore[return-value]


def _case(
    suite: RecordedSuite, case: Mapping[str, Json], work: Path, asked: Iterator[Sequence[JudgeAnswer]]
) -> dict[str, Json]:
    graders: Sequence[Mapping[str, Json]] = case["graders"]  # type: ignore[assignment]
    types = {str(grader["name"]): str(grader["type"]) for grader in graders}
    before = _before(suite, work / "plugin" / str(case["dir"]))
    runs: list[Json] = []
    for arm, index, run in _runs(case):
        kept: dict[str, Json] = {"arm": arm, "index": index, "error": run["error"], "aborted": run.get("aborted")}
        trace = str(run.get("tracePath") or "")
        if trace and Path(trace).exists():
            folder = Path(trace).parent.parent
            kept |= KeptRun(folder=folder, before=before, looked_at=paths_of(graders)).facts()
        kept |= {"score": run["score"], "passed": run["passed"], "graders": verdicts_of(run, types, asked)}
        runs.append(kept)
    return {"name": case["name"], "dir": case["dir"], "aggregates": case["aggregates"], "runs": runs}


def _runs(case: Mapping[str, Json]) -> Iterator[tuple[str, int, Mapping[str, Json]]]:
    for arm, runs in items(case["arms"]):
        for index, run in enumerate(runs if isinstance(runs, list) else ()):
            if isinstance(run, Mapping):
                yield arm, index, run


def _before(suite: RecordedSuite, folder: Path) -> frozenset[str]:
    if "--scaffold" not in suite.args or "--no-scaffold" in suite.args:
        return frozenset()
    texts = [path.read_text(encoding="utf-8") for path in (folder / "case.yaml", folder / "prompt.md") if path.exists()]
    found = [match[1] for text in texts if (match := _SCAFFOLD.search(text))]
    return files_of_scaffold(folder / found[0]) if found else frozenset()


def _remove(folders: Sequence[str]) -> None:
    for folder in folders:
        for path in (Path(folder), *Path(folder).rglob("*")):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    """Record the suites that the command line names."""
    options = _options()
    folder: Path = options.conformance
    suites = suites_of(folder / "static.jsonl", folder / "run.jsonl", HERE / "own.jsonl")
    wanted = [suite for suite in suites if options.only in suite.name]
    recorder = Recorder(claude=options.claude, conformance=folder)
    recorded: list[dict[str, Json]] = []
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for future in concurrent.futures.as_completed([pool.submit(recorder.record, suite) for suite in wanted]):
                recorded += [row for row in [future.result()] if row is not None]
    finally:  # a suite that cannot be recorded must not cost the others
        _write(options.output, recorded)
    sys.stdout.write(f"recorded {len(recorded)} of {len(wanted)} suites in {options.output}\n")
    return 0


def _kept_lines(path: Path) -> dict[str, str]:
    """Earlier recordings by suite; those of suites that are recorded again are replaced."""
    if not path.exists():
        return {}
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return {json.loads(line)["suite"]: line + "\n" for line in raw.decode().split("\n") if line}


def _write(path: Path, recorded: Sequence[Mapping[str, Json]]) -> None:
    lines = _kept_lines(path) | {str(row["suite"]): line_of(row) for row in recorded}
    text = "".join(lines[name] for name in sorted(lines)).encode()
    path.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = os.environ.get("SKILL_EVALUATOR_CONFORMANCE")
    parser.add_argument("--claude", default="claude", help=f"the program, version {VERSION} (default: %(default)s)")
    parser.add_argument(
        "--conformance",
        type=Path,
        default=default,
        required=not default,
        help="the folder of suites, with fake_api.py (default: $SKILL_EVALUATOR_CONFORMANCE)",
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="only suites with this in their name")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="suites at a time (default: %(default)s)")
    parser.add_argument(
        "--output",
        type=Path,
        default=HERE / "transcripts.jsonl.gz",
        metavar="FILE",
        help="a .gz is packed (default: %(default)s)",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

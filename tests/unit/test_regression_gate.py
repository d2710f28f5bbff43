"""A build that lost something, from the command line to the exit status."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from skill_evaluator.cli import main

POSITIVES, NEGATIVES = 10, 6  # in the acceptance split; the tuning split has the fewest that a test set may have
FIRED: Mapping[str, object] = {"skills_invoked": ["level-maker"]}
QUIET: Mapping[str, object] = {"skills_invoked": []}
ERROR: Mapping[str, object] = {"error": {"kind": "api", "message": "500"}}

Run = Callable[..., int]


def rows(prefix: str = "", *, positives: int = POSITIVES) -> list[dict[str, object]]:
    counts = {("p", "acceptance"): positives, ("n", "acceptance"): NEGATIVES, ("p", "tuning"): 3, ("n", "tuning"): 3}
    return [
        {
            "id": f"{prefix}{label}{split[0]}{number:02}",
            "type": "should_trigger" if label == "p" else "should_not_trigger",
            "split": split,
            "input": f"{'make level' if label == 'p' else 'what is'} {number} for {split}",
        }
        for (label, split), count in counts.items()
        for number in range(count)
    ]


@pytest.fixture
def run(skill_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Score recordings in which these positives of the acceptance split (by number) stay quiet, or give no answer."""
    monkeypatch.chdir(tmp_path)

    def call(
        lost: Sequence[int],
        *options: str,
        cases: Sequence[Mapping[str, object]] = tuple(rows()),
        failed: Sequence[int] = (),
    ) -> int:
        (skill_dir / "testset.json").write_text(json.dumps(cases), "utf-8")
        special = {f"make level {number} for acceptance": QUIET for number in lost}
        special |= {f"make level {number} for acceptance": ERROR for number in failed}
        answers = [
            {
                "case_id": row["id"],
                "index": index,
                **special.get(str(row["input"]), QUIET if "n" in str(row["id"]) else FIRED),
            }
            for row in cases
            for index in range(3)
        ]
        Path("r.jsonl").write_text("\n".join(json.dumps(answer) for answer in answers) + "\n", "utf-8")
        base = ["run", str(skill_dir), "--agent", "replay", "--recordings", "r.jsonl", "--pass-threshold", "0.3"]
        return main([*base, "--yes", "--quiet", *options])

    return call


def comparison(name: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(Path(name).read_text("utf-8"))["comparison"]
    return found


@pytest.mark.parametrize(
    ("lost", "fail_on", "status"),
    [
        (range(7), "significant", 1),
        (range(7), "marked", 1),
        (range(7), "never", 0),
        (range(2), "significant", 0),  # 20 points of recall, and yet no more than chance does
        (range(2), "marked", 1),
        (range(2), "never", 0),
        ((), "marked", 0),
    ],
)
def test_a_marked_regression_stops_a_build_as_asked(
    run: Run, capsys: pytest.CaptureFixture[str], lost: Sequence[int], fail_on: str, status: int
) -> None:
    assert run((), "--json", "old.json") == 0
    capsys.readouterr()

    assert run(lost, "--baseline", "old.json", "--fail-on", fail_on, "--json", "new.json") == status

    shown = capsys.readouterr()
    assert ("The build is stopped" in shown.out) is bool(status)
    assert ("The build is stopped" in shown.err.splitlines()[-1]) is bool(status)
    assert comparison("new.json")["fail_on"] == fail_on
    assert bool(comparison("new.json")["stops"]) is bool(status)
    assert '"verdict": "PASS"' in Path("new.json").read_text("utf-8")


def test_significant_is_what_happens_unless_asked_otherwise_and_the_reason_is_told(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    run((), "--json", "old.json")

    assert run(range(7), "--baseline", "old.json", "--lang", "zh") == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("❌ 因倒退拦下这次构建")
    assert "召回率从 1.00 变为 0.30（逐题差值的 96.7% 区间为 [-100.0, " in last


def test_the_new_report_says_which_cases_flipped(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run((), "--json", "old.json")
    capsys.readouterr()
    run((1, 4), "--baseline", "old.json")

    shown = capsys.readouterr().out
    assert "2 went from right to wrong, 0 from wrong to right (McNemar mid-p = 0.2500)." in shown
    assert "- Now wrong: `pa01`, `make level 1 for acceptance`" in shown
    assert "within noise" in shown
    assert "To show a change of 5 points" in shown


def test_a_gain_stops_nothing(run: Run) -> None:
    run(range(7), "--json", "old.json")

    assert run((), "--baseline", "old.json", "--fail-on", "marked") == 0


def test_renamed_cases_are_the_same_cases(run: Run) -> None:
    run((), "--json", "old.json")

    assert run(range(7), "--baseline", "old.json", "--json", "new.json", cases=rows("renamed-")) == 1
    paired = comparison("new.json")["paired"]
    assert isinstance(paired, dict)
    assert (paired["acceptance"]["shared"], paired["acceptance"]["only_old"]) == (16, 0)
    assert paired["acceptance"]["worsened"][0] == "renamed-pa00"


def test_an_invalid_report_beside_other_cases_is_written_and_read_back(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    run((), "--json", "old.json")
    options = ("--baseline", "old.json", "--on-shared-cases", "--json", "new.json")

    assert run((), *options, cases=rows(positives=12), failed=range(4)) == 2
    assert comparison("new.json")["shared_only"] is False
    assert main(["report", "new.json"]) == 0
    assert "were worked out again" not in capsys.readouterr().out


@pytest.mark.parametrize(("fail_on", "status"), [("significant", 2), ("marked", 2), ("never", 0)])
@pytest.mark.parametrize(("failed", "options"), [(range(4), ()), ((), ("--draft",))])
def test_a_gate_on_saved_reports_lets_no_broken_run_pass(
    run: Run,
    capsys: pytest.CaptureFixture[str],
    failed: Sequence[int],
    options: Sequence[str],
    fail_on: str,
    status: int,
) -> None:
    run((), "--json", "old.json")
    run((), *options, "--json", "new.json", failed=failed)
    capsys.readouterr()

    assert main(["compare", "new.json", "old.json", "--fail-on", fail_on]) == status
    page = capsys.readouterr().out
    assert ("No rate of the acceptance cases could be compared" in page) is (bool(failed) and fail_on != "never")
    assert ("No regression stops the build" in page) is (not failed and fail_on != "never")


def test_other_cases_stop_nothing_unless_the_shared_ones_are_asked_for(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    run((), "--json", "old.json")
    more = rows(positives=12)

    assert run(range(7), "--baseline", "old.json", "--json", "apart.json", cases=more) == 0
    assert comparison("apart.json")["mark"] == "not_comparable"
    assert "With `--on-shared-cases` the cases that both reports have are compared." in capsys.readouterr().out
    capsys.readouterr()
    assert run(range(7), "--baseline", "old.json", "--on-shared-cases", "--json", "shared.json", cases=more) == 1

    shown = capsys.readouterr().out
    assert "16 of 18 acceptance cases and 6 of 6 tuning cases" in shown
    assert re.search(r"\| Recall +\| 0\.30 +\| 1\.00 +\| -70\.0 points", shown)
    assert comparison("shared.json")["shared_only"] is True


def test_compare_gives_0_unless_it_is_told_to_fail(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run((), "--json", "old.json")
    run(range(7), "--json", "new.json")
    capsys.readouterr()

    assert main(["compare", "new.json", "old.json"]) == 0
    assert "The build" not in capsys.readouterr().out
    assert main(["compare", "new.json", "old.json", "--fail-on", "significant"]) == 1
    assert "Recall from 1.00 to 0.30" in capsys.readouterr().err
    assert main(["compare", "old.json", "new.json", "--fail-on", "marked"]) == 0


def test_regrade_stops_as_run_does(run: Run) -> None:
    run((), "--json", "old.json")
    run(range(7), "--json", "new.json")
    options = ["--yes", "--baseline", "old.json"]

    assert main(["regrade", "new.json", *options]) == 1
    assert main(["regrade", "new.json", *options, "--fail-on", "never"]) == 0


def test_an_estimate_is_held_against_an_estimate(
    skill_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A skill that no longer speaks of levels finds no request for one."""
    monkeypatch.chdir(tmp_path)
    (skill_dir / "testset.json").write_text(json.dumps(rows()), "utf-8")
    assert main(["run", str(skill_dir), "--yes", "--quiet", "--json", "old.json"]) == 0
    page = skill_dir / "SKILL.md"
    _, _, body = page.read_text("utf-8").partition("metadata:")
    page.write_text(f"---\nname: bread-baker\ndescription: Bakes bread.\nmetadata:{body}", "utf-8")

    assert main(["run", str(skill_dir), "--yes", "--quiet", "--baseline", "old.json"]) == 1
    shown = capsys.readouterr()
    assert "ESTIMATE" in shown.out
    assert "The build is stopped" in shown.err.splitlines()[-1]


def test_a_draft_stays_a_draft(run: Run) -> None:
    run((), "--json", "old.json")

    assert run(range(7), "--baseline", "old.json", "--draft", "--fail-on", "marked") == 2


def test_an_invalid_report_stays_invalid_and_has_no_evidence(run: Run, tmp_path: Path) -> None:
    run((), "--json", "old.json")
    cases = rows()
    run((), cases=cases)
    text = (tmp_path / "r.jsonl").read_text("utf-8")
    broken = text.replace('"skills_invoked": ["level-maker"]', '"error": {"kind": "timeout", "message": "late"}')
    (tmp_path / "r.jsonl").write_text(broken, "utf-8")
    options = ["--agent", "replay", "--recordings", "r.jsonl", "--yes", "--quiet", "--baseline", "old.json"]

    assert main(["run", str(tmp_path / "level-maker"), *options, "--json", "new.json"]) == 2
    assert (comparison("new.json")["paired"], comparison("new.json")["stops"]) == ({}, [])


@pytest.mark.parametrize("command", ["run", "regrade", "compare"])
def test_another_word_for_fail_on_is_wrong_usage(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([command, "a", "b", "--fail-on", "always"])

    assert stopped.value.code == 1
    assert "--fail-on" in capsys.readouterr().err

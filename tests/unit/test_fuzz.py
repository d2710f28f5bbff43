"""Whatever stands in a file: no traceback, an exit status of the table, and no number but the right one."""

import contextlib
import io
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.cli import main
from tests.hostile import bounded, damaged_bytes, damaged_json, stream_lines

STATUSES = {0, 1, 2}
UNSURE = ("volatile", "timestamp")


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What a command gave back."""

    status: int
    out: str
    err: str


def call(*arguments: str | Path) -> Answer:
    """Run a command in this process, as its entry point does."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([str(argument) for argument in arguments])
    answer = Answer(status=status, out=out.getvalue(), err=err.getvalue())
    assert status in STATUSES, answer
    assert "Traceback" not in answer.err
    if status == 1 and not answer.out:
        assert answer.err.strip(), "a refusal says why"
    return answer


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A sound skill, its recordings, its saved runs and its report, to be damaged; and room for the damaged ones."""

    folder: Path
    skill: Path
    recordings: Path
    run: Path
    report: Path

    def file(self, name: str, content: bytes) -> Path:
        path = self.folder / "damaged" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        return path

    def replay(self, recordings: Path, *, skill: Path | None = None, testset: Path | None = None) -> Answer:
        """Score recordings; nothing is kept."""
        chosen = skill or self.skill
        more = ("--testset", testset) if testset else ()
        answer = call("run", chosen, *more, "--agent", "replay", "--recordings", recordings, "--quiet", "--json")
        shutil.rmtree(self.folder / ".skill-evaluator", ignore_errors=True)
        return answer


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    from tests.unit.conftest import NEGATIVES, SKILL_MD, rows  # noqa: PLC0415 - the fixtures there live for one test

    folder = tmp_path_factory.mktemp("fuzz")
    skill = folder / "level-maker"
    skill.mkdir()
    (skill / "SKILL.md").write_text(SKILL_MD, "utf-8")
    (skill / "testset.json").write_text(json.dumps(rows(), indent=1), "utf-8")
    recordings = folder / "answers.jsonl"
    answers = [
        {
            "case_id": row["id"],
            "index": index,
            "text": "done 3",
            "skills_invoked": [] if row["input"] in NEGATIVES else ["level-maker"],
            "tool_calls": ["Read", {"name": "Skill", "arguments": {"n": 1.5}}],
            "usage": {"input_tokens": 17, "output_tokens": 3, "cost_usd": 0.25},
            "duration_s": 1.5,
        }
        for row in rows()
        for index in range(3)
    ]
    recordings.write_text("".join(json.dumps(answer) + "\n" for answer in answers), "utf-8")
    with contextlib.chdir(folder):
        made = call("run", skill, "--agent", "replay", "--recordings", recordings, "--yes", "--quiet")
        assert made.status == 0, made.err
        (run,) = (folder / ".skill-evaluator" / "runs").iterdir()
        run = run.rename(folder / "saved")
    (report,) = (folder / "reports").glob("*.json")
    return Place(folder=folder, skill=skill, recordings=recordings, run=run, report=report)


@pytest.fixture(autouse=True)
def inside(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place.folder)


def told(answer: Answer) -> Mapping[str, object]:
    """The report that a command printed, without what differs from run to run."""
    report = json.loads(answer.out)
    return {key: value for key, value in report.items() if key not in UNSURE}


@bounded(30)
@given(data=st.data())
def test_damaged_test_sets(place: Place, data: st.DataObject) -> None:
    real = (place.skill / "testset.json").read_bytes()
    damage = damaged_bytes(real) | damaged_json(json.loads(real)).map(lambda value: json.dumps(value).encode())
    path = place.file("testset.json", data.draw(damage))

    checked = call("validate", place.skill / "SKILL.md", path)
    call("import", path, "-o", place.folder / "imported.json")
    (place.folder / "imported.json").unlink(missing_ok=True)
    scored = place.replay(place.recordings, testset=path)
    assert checked.status != 1 or scored.status != 0  # what is refused has no score


@bounded(30)
@given(data=st.data())
def test_damaged_skills(place: Place, data: st.DataObject) -> None:
    path = place.file("SKILL.md", data.draw(damaged_bytes((place.skill / "SKILL.md").read_bytes())))

    checked = call("validate", path)
    scored = place.replay(place.recordings, skill=path, testset=place.skill / "testset.json")
    assert checked.status != 1 or scored.status != 0


@bounded(30)
@given(data=st.data())
def test_damaged_recordings(place: Place, data: st.DataObject) -> None:
    path = place.file("answers.jsonl", data.draw(damaged_bytes(place.recordings.read_bytes())))

    place.replay(path)


@bounded(30)
@given(
    lines=st.lists(stream_lines("level-maker"), min_size=1, max_size=3), names=st.permutations(["p0.0", "p0.1", "x"])
)
def test_sessions_of_an_agent_that_prints_anything(place: Place, lines: Sequence[bytes], names: Sequence[str]) -> None:
    folder = place.folder / "sessions"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in zip(names, lines, strict=False):
        (folder / f"{name}.jsonl").write_bytes(content)

    narrow = ("--case", "p0", "--draft", "--runs", "1")
    call("run", place.skill, *narrow, "--agent", "replay", "--recordings", folder, "--quiet", "--json")
    call("run", place.skill, "--agent", "replay", "--recordings", folder / f"{names[0]}.jsonl", "--quiet")


@bounded(30)
@given(data=st.data())
def test_damaged_reports(place: Place, data: st.DataObject) -> None:
    real = place.report.read_bytes()
    damage = damaged_bytes(real) | damaged_json(json.loads(real)).map(lambda value: json.dumps(value).encode())
    path = place.file("report.json", data.draw(damage))

    shown = call("report", path, "--format", "json")
    call("report", path, "--format", "md", "--lang", "zh")
    call("compare", path, place.report)
    call("compare", place.report, path, "--json")
    if shown.status == 0:  # what a report's runs decide is as it was
        kept = json.loads(shown.out)
        whole = json.loads(real)
        assert (
            kept["verdict"] == whole["verdict"]
            or kept["config"] != whole["config"]
            or kept["cases"] != whole["cases"]
            or (
                kept["agent"] != whole["agent"]
                or kept["violations"] != whole["violations"]
                or kept["stopped_by"] != whole["stopped_by"]
            )
        )


def copied(place: Place) -> Path:
    folder = place.folder / "damaged-run"
    shutil.rmtree(folder, ignore_errors=True)
    return Path(shutil.copytree(place.run, folder))


@bounded(40)
@given(data=st.data())
def test_damaged_runs_are_refused_or_give_what_their_sound_lines_give(place: Place, data: st.DataObject) -> None:
    folder = copied(place)
    name = data.draw(st.sampled_from(["journal.jsonl", "journal.jsonl", "run.json", "end.json", "testset.json"]))
    real = (folder / name).read_bytes()
    content = data.draw(damaged_bytes(real))
    (folder / name).write_bytes(content)

    found = call("regrade", folder, "--json")
    call("run", place.skill, "--agent", "replay", "--recordings", folder, "--quiet")
    shutil.rmtree(place.folder / ".skill-evaluator", ignore_errors=True)
    if not found.out:
        assert found.status == 1
        return
    sound = copied(place)
    expected = [numbers(told(call("regrade", sound, "--json")))]
    if name == "journal.jsonl":
        known = {body(line): line for line in real.splitlines(keepends=True)}
        kept = [known[body(line)] for line in content.splitlines() if body(line) in known]
        (sound / name).write_bytes(b"".join(dict.fromkeys(kept)))
        expected = [numbers(told(call("regrade", sound, "--json")))]
    elif name == "end.json":
        (sound / name).write_bytes(b"")  # taken for none: the run counts as killed
        expected.append(numbers(told(call("regrade", sound, "--json"))))
    assert numbers(told(found)) in expected


def body(text: bytes) -> bytes:
    """A sealed object without its last key, the seal, which tells nothing of the run."""
    return text[: text.rfind(b",")]


def numbers(report: Mapping[str, object]) -> Mapping[str, object]:
    """All but the note that a line was torn."""
    notes = report["notes"]
    assert isinstance(notes, list)
    return {**report, "notes": [note for note in notes if note["code"] != "torn_journal"]}


@pytest.mark.parametrize("arguments", [("report",), ("regrade",), ("validate",), ("compare", "x")])
@bounded(8)
@given(content=st.binary(max_size=300))
def test_anything_at_all(place: Place, arguments: tuple[str, ...], content: bytes) -> None:
    run: Callable[..., Answer] = call
    run(*arguments, place.file("anything", content))

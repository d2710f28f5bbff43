"""What models that play servers said is kept, and answers later runs."""

import hashlib
import json
from pathlib import Path

import pytest

from skill_evaluator.model import JsonObject
from skill_evaluator.stand_ins import OpenStandIns, WrittenRecording, write_recordings
from skill_evaluator.stand_ins.recordings import recording_key
from skill_evaluator.stand_ins.replay import MAX_FILES
from tests.unit.stand_in_setup import AGENT, Actor, Stage
from tests.unit.test_stand_ins import call, during, nothing, unanswered

REPLAY = "mocks/.replay/tide/"
# As the real program named the first call of `t` with {"a": "x"} for one mock; what it hashes is not known.
FOREIGN = "t-d6b6809fcd722b9a4143a750e6636adb3fc38e6ae2d397e2cb1d46cb3f180580.json"


def foreign(arguments: JsonObject, output: str, verdict: str = "ok", at: str = "2026-11-30T18:53:20.084Z") -> str:
    content = {"input": arguments, "output": output, "verdict": verdict, "recordedAt": at, "model": None}
    return json.dumps(content, indent=2)


async def three_calls(run: OpenStandIns) -> None:
    for _ in range(2):
        await call(run, "a", {"x": 1, "y": [1.0, None]})
    await call(run, "a", {"y": [1.0, None], "x": 1})


def recorded(root: Path, output: Path, *answers: str) -> tuple[WrittenRecording, ...]:
    run = during(Stage(root, {"mocks/tide/a.md": AGENT}, completer=Actor(*answers)), three_calls)
    return write_recordings(run.recordings, output)


def test_recordings_have_the_layout_of_the_real_program(tmp_path: Path) -> None:
    plugin = tmp_path / "plugin"
    first, *_, last = recorded(plugin, tmp_path / "out", "one", "ERROR: two", "three")

    assert first.path.parent == tmp_path / "out" / "mock-recordings" / "tide"
    assert first.path.name.startswith("a-")
    assert len(first.path.stem) == 2 + 64
    content = json.loads(first.path.read_text("utf-8"))
    assert list(content) == ["input", "output", "verdict", "recordedAt", "model", "namedBy"]
    assert (content["input"], content["output"], content["verdict"]) == ({"x": 1, "y": [1.0, None]}, "one", "ok")
    assert content["model"] == "claude-scripted"
    assert content["recordedAt"][10:11] + content["recordedAt"][-1:] == "TZ"
    assert first.adopt_to == plugin / "evals" / "mocks" / ".replay" / "tide"
    assert hashlib.sha256(last.path.read_bytes()).hexdigest() == last.sha256
    adopt = (tmp_path / "out" / "mock-recordings" / "ADOPT.txt").read_text("utf-8")
    assert f"{first.path}  sha256={first.sha256}\n    -> {first.adopt_to}\n" in adopt
    assert adopt.count("sha256=") == 3


def test_adopted_recordings_answer_the_same_calls_without_a_model(tmp_path: Path) -> None:
    for one in recorded(tmp_path / "plugin", tmp_path / "out", "one", "ERROR: two", "three"):
        one.adopt_to.mkdir(parents=True, exist_ok=True)
        one.path.rename(one.adopt_to / one.path.name)

    async def job(run: OpenStandIns) -> None:
        said = [await call(run, "a", {"y": [1.0, None], "x": 1}) for _ in range(3)]
        assert said == ["one", "!two", "three"]

    run = during(Stage(tmp_path / "plugin", {"mocks/tide/a.md": AGENT}), job)

    assert run.use is not None
    assert (run.use.replay_hits, run.use.replay_misses, run.use.errors) == (3, 0, 1)
    assert run.use.servers[0].replay_pinned == 3
    assert run.recordings == ()
    assert not any("recorded" in warning for warning in run.use.warnings)


def test_a_recording_answers_no_more_once_the_mock_changed(tmp_path: Path) -> None:
    for one in recorded(tmp_path / "plugin", tmp_path / "out", "one"):
        one.adopt_to.mkdir(parents=True, exist_ok=True)
        one.path.rename(one.adopt_to / one.path.name)
    actor = Actor("new")
    run = during(Stage(tmp_path / "plugin", {"mocks/tide/a.md": f"{AGENT} Be brief."}, completer=actor), three_calls)

    assert len(actor.asked) == 3
    assert run.use is not None
    assert (run.use.replay_hits, run.use.replay_misses) == (0, 3)


def test_a_call_is_named_by_all_that_is_asked(tmp_path: Path) -> None:
    stage = Stage(tmp_path, {"mocks/tide/a.md": AGENT, "mocks/tide/b.md": AGENT, "mocks/crane/a.md": f"{AGENT} X"})
    assert stage.case.setup is not None
    crane, tide = stage.case.setup.mocks
    keys = [
        recording_key("tide", tide.tools[0], {"x": 1}, []),
        recording_key("tide", tide.tools[1], {"x": 1}, []),
        recording_key("crane", tide.tools[0], {"x": 1}, []),
        recording_key("tide", crane.tools[0], {"x": 1}, []),
        recording_key("tide", tide.tools[0], {"x": "1"}, []),
        recording_key("tide", tide.tools[0], {"x": 1}, ["b({}) -> low"]),
    ]

    assert len(set(keys)) == len(keys)


def test_recordings_of_the_real_program_answer_by_their_input_in_their_order(tmp_path: Path) -> None:
    mocks = {
        "mocks/tide/t.md": AGENT,
        f"{REPLAY}t-{'1' * 64}.json": foreign({"a": "x"}, "SECOND", at="2026-11-30T18:53:21.000Z"),
        f"{REPLAY}{FOREIGN}": foreign({"a": "x"}, "FIRST", at="2026-11-30T18:53:20.000Z"),
        f"{REPLAY}t-{'2' * 64}.json": foreign({"a": "e", "b": 1}, "REFUSED", "tool_error"),
        f"{REPLAY}u-{'3' * 64}.json": foreign({"a": "y"}, "OF ANOTHER TOOL"),
    }

    async def job(run: OpenStandIns) -> None:
        assert [await call(run, "t", {"a": "x"}) for _ in range(3)] == ["FIRST", "SECOND", "asked"]
        assert await call(run, "t", {"b": 1, "a": "e"}) == "!REFUSED"
        assert await call(run, "t", {"a": "y"}) == "asked"

    run = during(Stage(tmp_path, mocks, completer=Actor("asked")), job)

    assert run.use is not None
    assert (run.use.replay_hits, run.use.replay_misses) == (3, 2)
    assert run.use.servers[0].replay_pinned == 4
    assert any(FOREIGN in warning for warning in run.use.warnings)


def test_a_recording_can_end_the_run_as_in_the_real_program(tmp_path: Path) -> None:
    async def job(run: OpenStandIns) -> None:
        await unanswered(run, "t", {"a": "x"})

    mocks = {"mocks/tide/t.md": AGENT, f"{REPLAY}{FOREIGN}": foreign({"a": "x"}, "REC", "abort")}
    run = during(Stage(tmp_path, mocks), job)

    assert run.aborted is not None
    assert run.aborted.reason == "REC"


def test_recordings_lie_beside_the_mock_that_they_belong_to(tmp_path: Path) -> None:
    """The mock of the case takes the place of the suite's, so the suite's recordings are not looked at."""
    mocks = {
        "mocks/tide/t.md": AGENT,
        f"{REPLAY}{FOREIGN}": foreign({"a": "x"}, "OF THE SUITE"),
        "high-water/mocks/tide/t.md": AGENT,
        f"high-water/{REPLAY}{FOREIGN}": foreign({"a": "x"}, "OF THE CASE"),
    }

    async def job(run: OpenStandIns) -> None:
        assert await call(run, "t", {"a": "x"}) == "OF THE CASE"

    during(Stage(tmp_path, mocks), job)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{nope", "no valid JSON"),
        ("[]", "no recording"),
        ('{"input": {"a": "x"}, "output": "low", "verdict": "fine"}', "no recording"),
        ("x" * 1_048_577, "1,048,577 bytes"),
    ],
)
def test_a_recording_that_cannot_be_read_is_told_and_passed_over(tmp_path: Path, content: str, said: str) -> None:
    async def job(run: OpenStandIns) -> None:
        assert await call(run, "t", {"a": "x"}) == "asked"

    mocks = {"mocks/tide/t.md": AGENT, f"{REPLAY}{FOREIGN}": content}
    run = during(Stage(tmp_path, mocks, completer=Actor("asked")), job)

    assert run.use is not None
    assert any(FOREIGN in warning and said in warning for warning in run.use.warnings)
    assert run.use.servers[0].replay_pinned == 1


def test_a_place_for_recordings_that_is_no_folder_or_too_full_is_told(tmp_path: Path) -> None:
    run = during(Stage(tmp_path / "a", {"mocks/tide/t.md": AGENT, "mocks/.replay/tide": "a file"}), nothing)
    assert run.use is not None
    assert any(".replay/tide" in warning for warning in run.use.warnings)

    full = Stage(tmp_path / "b", {"mocks/tide/t.md": AGENT, f"{REPLAY}{FOREIGN}": "{}"})
    for number in range(MAX_FILES):
        (full.root / "evals" / REPLAY / f"t-{number}.json").touch()
    run = during(full, nothing)
    assert run.use is not None
    assert any("4,097 recordings" in warning for warning in run.use.warnings)


def test_of_the_same_call_in_several_runs_the_first_recording_stands(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "plugin", {"mocks/tide/a.md": AGENT}, completer=Actor("first", "second"))

    async def once(run: OpenStandIns) -> None:
        await call(run, "a", {})

    recordings = [*during(stage, once).recordings, *during(stage, once).recordings]
    (written,) = write_recordings(recordings, tmp_path / "out")

    assert json.loads(written.path.read_text("utf-8"))["output"] == "first"


def test_credentials_are_masked_in_recordings(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "plugin", {"mocks/tide/a.md": AGENT}, completer=Actor('the "key" is s3cr"et-value'))

    async def once(run: OpenStandIns) -> None:
        await call(run, "a", {"key": 's3cr"et-value'})

    (written,) = write_recordings(during(stage, once).recordings, tmp_path / "out", secrets=['s3cr"et-value'])
    content = json.loads(written.path.read_text("utf-8"))

    assert (content["input"], content["output"]) == ({"key": "[redacted]"}, 'the "key" is [redacted]')


def test_nothing_is_written_where_no_model_said_anything(tmp_path: Path) -> None:
    assert write_recordings([], tmp_path / "out") == ()
    assert not (tmp_path / "out").exists()

"""The messages agent, end to end: the real program and the real client against a scripted server."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.cli import main
from tests.api_server import Answer, cut, delayed, error_event, fault, malformed, many, text, wrong
from tests.api_server import call as tool
from tests.unit.conftest import NEGATIVES, POSITIVES, rows
from tests.unit.messages_setup import (
    FIRE,
    PROBE,
    case_in,
    change_rows,
    model,
    prompt_of,
    run,
    serve,
    started,
    turn_of,
)
from tests.unit.report_files import written

KEY = "sk-ant-made-up-for-a-test"
QUICKLY = {"retry-after-ms": "1"}
SKILL_MD = f"skills/{FIRE}/SKILL.md"


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


def at(server_environment: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in server_environment.items():
        monkeypatch.setenv(name, value)


def steady(report: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in report.items() if key not in {"volatile", "timestamp"}}


def states(report: Mapping[str, Any], id_: str) -> list[str]:
    return [one["state"] for one in case_in(report, id_)["runs"]]


CHECKS: Mapping[str, Mapping[str, object]] = {
    "p3": {
        "expected_output_contains": ["stage"],
        "expected_params": {"level_id": 4},
        "expected_tool_calls": ["load_map", "save_map"],
    },
    "p5": {
        "expected_output_contains": ["boss"],
        "expected_params": {"level_id": 6},
        "expected_tool_calls": ["load_map", "save_map"],
    },
}


def working() -> dict[str, list[Answer]]:
    """One positive misses, one negative fires falsely, one reads first; one output is right, one wrong in all ways."""
    fire = tool("Skill", {"skill": FIRE}, "I start the skill.")
    load, save = tool("load_map", {"level": 3}), tool("save_map", {"level": 4})
    return {
        POSITIVES[1]: [text("Two rooms and a door.")],
        POSITIVES[2]: [tool("Glob", {"pattern": "**"}), tool("Read", {"path": SKILL_MD})],
        NEGATIVES[3]: [fire],
        POSITIVES[3]: [fire, load, save, text('{"level_id": 4, "kind": "stage"}')],
        POSITIVES[5]: [fire, many(save, load), text('{"level_id": 5}')],
    }


def test_the_report_is_the_one_worked_out_by_hand_at_any_number_of_workers(skill_dir: Path, in_folder: Path) -> None:
    """Acceptance: p1 missed, n3 fired: TP 2, FN 1, FP 1, TN 2. Of p3 and p5, which fired, p5 fails every check."""
    change_rows(skill_dir, CHECKS)
    answers = working()
    with serve(model(answers)) as server:
        for workers in ("1", "32"):
            words = ("run", str(skill_dir), "--agent", "messages", "--model", "some-model", "--yes")
            done = started(
                in_folder, server.environment(), *words, "--concurrency", workers, "--output-dir", f"reports-{workers}"
            )
            assert done.returncode == 1, done.stderr

    report = written("reports-1")
    acceptance, tuning = report["splits"]["acceptance"], report["splits"]["tuning"]
    assert acceptance["confusion"] == {
        "true_positives": 2, "false_negatives": 1, "false_positives": 1, "true_negatives": 2, "unmeasured": 0,
    }  # fmt: skip
    assert tuning["confusion"] == {
        "true_positives": 3, "false_negatives": 0, "false_positives": 0, "true_negatives": 3, "unmeasured": 0,
    }  # fmt: skip
    for name in ("output_pass_rate", "params_pass_rate", "tool_order_pass_rate"):
        metric = acceptance["metrics"][name]
        assert (metric["numerator"], metric["denominator"]) == (1, 2)
    assert report["verdict"] == "FAIL"
    assert report["canary"]["state"] == "passed"
    assert report["model"] == "some-model"
    assert steady(written("reports-32")) == steady(report)


def test_order_and_results_of_tools_are_kept(skill_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change_rows(skill_dir, CHECKS)
    with serve(model(working())) as server:
        at(server.environment(), monkeypatch)
        run(skill_dir)

    report = written()
    first = case_in(report, "p5")["runs"][0]
    assert [one["name"] for one in first["tool_calls"]] == ["Skill", "save_map", "load_map"]
    assert first["tool_calls"][1]["arguments"] == {"level": 4}
    assert first["output"] == '{"level_id": 5}'
    assert first["usage"] == {"input_tokens": 30, "output_tokens": 15, "cost_usd": None, "requests": 3}
    opened = case_in(report, "p2")["runs"][0]
    assert (opened["state"], opened["skills_invoked"]) == ("triggered", [FIRE])
    assert [one["name"] for one in opened["tool_calls"]] == ["Glob", "Read"]


def test_a_sibling_that_comes_first_does_not_hide_the_skill(
    skill_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sibling = tmp_path / "siblings" / "map-maker"
    sibling.mkdir(parents=True)
    (sibling / "SKILL.md").write_text("---\nname: map-maker\ndescription: Draws maps.\n---\n\n# Maps\n", "utf-8")
    answers = {
        POSITIVES[3]: [tool("Skill", {"skill": "map-maker"}), tool("Skill", {"skill": FIRE})],
        NEGATIVES[1]: [tool("Skill", {"skill": "map-maker"}), text("No map.")],
    }
    with serve(model(answers)) as server:
        at(server.environment(), monkeypatch)
        assert run(skill_dir, "--neighbours", str(sibling.parent)) == 0

    report = written()
    assert case_in(report, "p3")["runs"][0]["skills_invoked"] == ["map-maker", FIRE]
    assert (states(report, "p3"), states(report, "n1")) == (["triggered"] * 3, ["not_triggered"] * 3)
    (neighbour,) = report["agent"]["settings"]["neighbours"]
    assert neighbour.startswith("map-maker@")


def test_runs_that_were_cut_are_noted(skill_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {
        NEGATIVES[0]: [tool("Glob", {"pattern": "*"})],
        NEGATIVES[2]: [text("Dear Sir,", stop_reason="max_tokens")],
    }
    with serve(model(answers)) as server:
        at(server.environment(), monkeypatch)
        assert run(skill_dir, "--max-turns", "2") == 0

    report = written()
    assert {"code": "cut_runs", "values": {"runs": 6, "cases": ["n0", "n2"]}} in report["notes"]
    assert [case_in(report, id_)["runs"][0]["cut_by"] for id_ in ("n0", "n2", "n4")] == [
        "max_turns",
        "max_tokens",
        None,
    ]
    (page,) = Path("reports").glob("*.md")
    assert "--max-turns 2" in page.read_text("utf-8")
    assert main(["report", str(next(Path("reports").glob("*.json")))]) == 0
    (folder,) = Path(".skill-evaluator/runs").iterdir()
    main(["regrade", str(folder), "--yes", "--output-dir", "again"])
    assert case_in(written("again"), "n0")["runs"][0]["cut_by"] == "max_turns"


FAULTS: Mapping[str, tuple[Answer, str]] = {
    "400": (fault(400), "api"),
    "403": (fault(403), "auth"),
    "404": (fault(404), "api"),
    "413": (fault(413), "api"),
    "429": (fault(429, headers=QUICKLY), "rate_limit"),
    "500": (fault(500, headers=QUICKLY), "api"),
    "529": (fault(529, headers=QUICKLY), "api"),
    "malformed": (malformed(), "api"),
    "cut": (cut(20, tidy=True), "api"),
    "no reason to stop": (wrong(stop_reason=None), "api"),
    "refusal": (text("I will not.", stop_reason="refusal"), "api"),
    "cut in a call": (tool("Skill", {"skill": FIRE}, stop_reason="max_tokens"), "api"),
    "call without a call": (text("Hm", stop_reason="tool_use"), "api"),
    "other reason": (text("Hm", stop_reason="tired"), "api"),
    "context": (text("Hm", stop_reason="model_context_window_exceeded"), "api"),
}

ANSWERED = ("refusal", "cut in a call", "other reason", "context")  # worth nothing, but the tokens were used


@pytest.mark.parametrize("name", FAULTS)
def test_no_fault_is_a_decision(skill_dir: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """One negative and one positive meet it in every repetition, after the first turn for the positive."""
    answer, kind = FAULTS[name]
    change_rows(skill_dir, {"p1": {"expected_output_contains": ["level"]}})
    answers = {NEGATIVES[1]: [answer], POSITIVES[1]: [tool("Skill", {"skill": FIRE}), answer]}
    with serve(model(answers)) as server:
        at(server.environment(), monkeypatch)
        assert run(skill_dir, "--concurrency", "8") == 2

    report = written()
    assert report["verdict"] == "INVALID"
    assert report["metrics"]["f1"] is None
    met = [one for id_ in ("n1", "p1") for one in case_in(report, id_)["runs"]]
    assert met
    assert {one["state"] for one in met} == {"error"}
    assert {one["failure"]["kind"] for one in met} == {kind}
    requests = {one["usage"]["requests"] for one in case_in(report, "p1")["runs"]}
    stopped_before = kind == "auth" and not requests  # the negative's failure ended the suite before p1's turn
    assert stopped_before or requests == {1 + (name in ANSWERED)}


def test_a_broken_stream_is_an_error(skill_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change_rows(skill_dir, {f"p{n}": {"expected_output_contains": ["level"]} for n in (1, 3)})
    answers = {
        POSITIVES[1]: [replace(error_event(), headers=QUICKLY)],
        POSITIVES[3]: [cut(200, text("A level of many words"), tidy=True)],
    }
    with serve(model(answers)) as server:
        at(server.environment(), monkeypatch)
        assert run(skill_dir, "--concurrency", "8") == 2

    report = written()
    assert {one["state"] for id_ in ("p1", "p3") for one in case_in(report, id_)["runs"]} == {"error"}


def test_a_timeout_is_an_error(skill_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(model({NEGATIVES[1]: [delayed(text("late"), 5)]})) as server:
        at(server.environment(), monkeypatch)
        assert run(skill_dir, "--timeout-s", "0.3", "--concurrency", "8") == 2

    runs = case_in(written(), "n1")["runs"]
    assert {one["failure"]["kind"] for one in runs} == {"timeout"}


def test_a_rejected_key_stops_everything_at_once(skill_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(lambda _: fault(401, message="invalid x-api-key")) as server:
        at(server.environment(), monkeypatch)
        assert run(skill_dir) == 2
        assert len(server.requests) == 1

    report = written()
    assert report["verdict"] == "INVALID"
    assert not any(case["runs"] for case in report["cases"])


def test_a_key_that_expires_stops_everything(skill_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual, served = model(), []

    def script(asked: Mapping[str, Any]) -> Answer:
        served.append(asked)
        return usual(asked) if len(served) <= 10 else fault(401)

    with serve(script) as server:
        at(server.environment(), monkeypatch)
        assert run(skill_dir, "--concurrency", "2") == 2

    assert len(served) <= 12
    assert written()["stopped_by"] == "auth"


def test_a_storm_of_refusals_is_sat_out(skill_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every request is refused three times before it is answered."""
    usual, refused = model(), dict[str, int]()

    def script(asked: Mapping[str, Any]) -> Answer:
        key = json.dumps(asked["messages"])
        refused[key] = refused.get(key, 0) + 1
        return usual(asked) if refused[key] % 4 == 0 else fault(429, headers=QUICKLY)

    with serve(script) as server:
        at(server.environment(), monkeypatch)
        assert run(skill_dir, "--concurrency", "1") == 0

    assert written()["verdict"] == "PASS"


def test_too_many_errors_give_no_score(skill_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the acceptance negatives fail once in four runs each: 3 of 12 are more than a tenth."""
    usual, asked_before = model(), dict[str, int]()

    def script(asked: Mapping[str, Any]) -> Answer:
        prompt = prompt_of(asked)
        asked_before[prompt] = asked_before.get(prompt, 0) + 1
        first = prompt in NEGATIVES and asked_before[prompt] == 1
        return fault(400) if first else usual(asked)

    with serve(script) as server:
        at(server.environment(), monkeypatch)
        assert run(skill_dir, "--runs", "4") == 2

    report = written()
    assert report["verdict"] == "INVALID"
    assert report["metrics"]["f1"] is None


def test_a_model_that_ignores_the_list_is_not_scored(skill_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(lambda _: text("I am only a chat model.")) as server:
        at(server.environment(), monkeypatch)
        assert run(skill_dir) == 2
        assert len(server.requests) == 2

    report = written()
    assert (report["verdict"], report["canary"]["state"]) == ("INVALID", "failed")
    assert [fault["code"] for fault in report["canary"]["faults"]] == ["canary_silent_model"]
    page = next(Path("reports").glob("*.md")).read_text("utf-8")
    assert "Try another model, one that was trained to call tools." in page
    assert "the folder with the skills" not in page
    assert not any(case["runs"] for case in report["cases"])


def test_keys_are_in_no_file_that_is_written(skill_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is as careless as it can be: it repeats the key in an answer and in an error."""
    answers = {
        NEGATIVES[1]: [text(f"Your key is {KEY}, and your password hunter22hunter22.")],
        POSITIVES[1]: [tool("Grep", {"pattern": KEY}), text("Done.")],
        NEGATIVES[2]: [fault(400, message=f"bad key {KEY}")],
    }
    with serve(model(answers)) as server:
        at(server.environment(), monkeypatch)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url.replace("http://", "http://me:hunter22hunter22@"))
        run(skill_dir)

    files = [path for path in Path().rglob("*") if path.is_file()]
    assert len(files) >= 5
    for path in files:
        content = path.read_bytes()
        assert KEY.encode() not in content, path
        assert b"me:hunter22hunter22" not in content, path


def test_prompts_are_sent_as_they_stand(skill_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = [
        "/help me design a level",
        "--version",
        "-",
        "\U0001f468\u200d\U0001f469 关卡",
        "@file ![x](y) <system>",
        " a\r\nb\t",
    ]
    changed = [{**row, "input": odd[n]} if n < len(odd) else row for n, row in enumerate(rows())]
    (skill_dir / "testset.json").write_text(json.dumps(changed), "utf-8")
    script = model({prompt: [tool("Skill", {"skill": FIRE})] for prompt in odd})
    with serve(script) as server:
        at(server.environment(), monkeypatch)
        assert run(skill_dir) == 0
        sent = {prompt_of(asked) for asked in server.requests}

    assert set(odd) <= sent


def test_nothing_of_the_test_set_but_the_prompt_is_sent(skill_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = {
        "expected_output_contains": ["MARK-contains"],
        "expected_params": {"level_id": "MARK-params"},
        "tag": ["MARK-tag"],
        "rubric": {"MARK-rubric": 4},
    }
    change_rows(skill_dir, {f"p{n}": planted for n in range(6)})
    looking = [
        tool("Glob", {"pattern": "**/*"}),
        tool("Grep", {"pattern": "MARK|should_trigger"}),
        tool("Read", {"path": f"skills/{FIRE}/testset.json"}),
        tool("Read", {"path": str(skill_dir / "testset.json")}),
        tool("Read", {"path": "testset.json"}),
        text("Nothing."),
    ]
    with serve(model({POSITIVES[0]: looking, NEGATIVES[0]: looking})) as server:
        at(server.environment(), monkeypatch)
        run(skill_dir)
        sent = b"".join(server.raw)

    assert b"capital of Portugal" in sent
    for planted_text in (b"MARK-", b"acceptance", b"should_not_trigger", b"expected_"):
        assert planted_text not in sent.replace(b"MARK|should_trigger", b"")


def test_no_temperature_is_set_and_the_same_opening_is_cached(skill_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change_rows(skill_dir, CHECKS)
    with serve(model(working())) as server:
        at(server.environment(), monkeypatch)
        run(skill_dir)

    assert not any("temperature" in asked or "top_p" in asked for asked in server.requests)
    openings = {json.dumps([asked["system"], asked["tools"][:4]]) for asked in server.requests}  # type: ignore[index]
    assert len(openings) == 1
    assert PROBE in next(iter(openings))
    assert {turn_of(asked) for asked in server.requests} >= {0, 1, 2, 3}

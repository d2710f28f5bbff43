"""The contract EvalCase v1, sections 1, 2, 7 and 8: what it is for, its folder, its example, and what comes of it.

Sections 3 to 6 stand in the files beside this one; `tests.contract_sentences` numbers all sentences.
"""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from skill_evaluator.cli import main
from skill_evaluator.errors import LockedCaseError
from skill_evaluator.formats.evalcase.building import build_case
from skill_evaluator.formats.evalcase.kept import kept_bytes
from skill_evaluator.formats.evalcase.prompts import prompt_of
from skill_evaluator.formats.evalcase.reading import open_cases
from skill_evaluator.model import Source
from tests.case_rows import EXAMPLE, case_folder, written
from tests.contract_bench import CASE_SCHEMA, PACKAGE, PAGE, ROOT, Bench, example
from tests.contract_sentences import SENTENCES, sentence
from tests.unit.translation_setup import SKILL, cases_at, recordings_at

OURS = ROOT / "testsets" / "translation"
CREDENTIAL = "sk-ant-api03-" + "Ab1" * 12
# Calls commands where nothing can be reached and no program be started, and says what was loaded.
ALONE = """
import json, sys

def forbid(event, arguments):
    if event.split(".")[0] in {"socket", "subprocess"} or event in {"os.system", "os.exec", "os.posix_spawn"}:
        raise SystemExit(f"it tried {event}")

from skill_evaluator.cli import main
sys.addaudithook(forbid)
statuses = [main(words) for words in json.loads(sys.argv[1])]
print(json.dumps([statuses, sorted(sys.modules)]), file=open("said.json", "w"))
"""


@pytest.fixture
def bench(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Bench:
    return Bench(tmp_path, capsys)


def test_each_sentence_has_a_test() -> None:
    marked: set[str] = set()
    for file in Path(__file__).parent.glob("test_evalcase_contract*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                marked |= {
                    str(ast.literal_eval(number))
                    for call in node.decorator_list
                    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "sentence"
                    for number in call.args
                }

    assert [number for number in SENTENCES if number not in marked] == []


def test_a_sentence_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no sentence 3\.9"):
        sentence("3.1.1", "3.9")


def alone(folder: Path, *commands: list[str]) -> tuple[list[int], set[str]]:
    subprocess.run(
        [sys.executable, "-c", ALONE, json.dumps(commands)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )
    statuses, modules = json.loads((folder / "said.json").read_text("utf-8"))
    return statuses, set(modules)


@sentence("1.1", "1.4", "8.1", "8.3")
def test_validating_and_checking_need_neither_each_other_nor_a_provider_an_agent_or_a_judge(tmp_path: Path) -> None:
    validate = ["validate", str(OURS)]
    check = ["translation", "check", str(OURS), str(OURS / "candidates.jsonl"), "--json"]
    foreign = {"anthropic", "openai", "httpx", "requests", "asyncio", "http.client", "ssl", "mcp"}

    for commands in ([validate], [check]):
        statuses, modules = alone(tmp_path, *commands)
        assert statuses == [0]
        assert not modules & foreign
        parts = {name.split(".")[1] for name in modules if name.startswith("skill_evaluator.")}
        assert not parts & {"agents", "runner", "judging", "stand_ins", "sandbox", "mcp_server", "compare", "advise"}


def test_the_watcher_of_the_network_would_see_it(tmp_path: Path) -> None:
    script = ALONE.replace("statuses = ", "import socket; socket.socket().connect(('127.0.0.1', 9)); statuses = ")
    finished = subprocess.run(
        [sys.executable, "-c", script, "[]"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert "it tried socket." in finished.stderr


@sentence("1.2", "8.2")
def test_one_schema_of_a_case_and_the_field_names_in_it() -> None:
    schemas = [file for file in PACKAGE.rglob("*.schema.json") if "required_tokens" in file.read_text("utf-8")]
    of_cases = [file for file in schemas if "provenance" in json.loads(file.read_text("utf-8")).get("properties", {})]

    assert [file.name for file in of_cases] == ["case.schema.json"]


@sentence("1.2", "8.4")
def test_one_model_of_a_case_made_in_one_place() -> None:
    models, makers = [], []
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                fields = {
                    one.target.id
                    for one in node.body
                    if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
                }
                models += [node.name] if {"assertions", "provenance"} <= fields else []
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "EvalCase":
                makers.append(file.name)

    assert models == ["EvalCase"]
    assert makers == ["building.py"]


@sentence("1.3")
def test_a_case_has_thirteen_fields(bench: Bench) -> None:
    assert set(CASE_SCHEMA["properties"]) == {*EXAMPLE, "context"}
    assert len(CASE_SCHEMA["properties"]) == 13
    assert bench.said(example(expected_output="x", trigger=True)) == [
        "unknown-field /expected_output",
        "unknown-field /trigger",
    ]


@sentence("1.5")
def test_the_same_case_and_candidate_give_the_same_results(bench: Bench) -> None:
    first = bench.results(example(), "你好 %s")

    assert bench.results(example(), "你好 %s") == first
    assert [one["passed"] for one in first] == [False]


@sentence("1.6", "1.8")
@pytest.mark.parametrize("field", ["source", "context", "references"])
def test_a_case_with_a_credential_is_refused_and_the_credential_not_shown(bench: Bench, field: str) -> None:
    value = {"source": f"Use {CREDENTIAL}", "context": {"note": CREDENTIAL}, "references": [CREDENTIAL]}[field]
    (found,) = bench.findings(case_folder(bench.root, {"cases/dev/a.jsonl": [example(**{field: value})]}))

    assert found["code"] == "credential"
    assert CREDENTIAL not in json.dumps(found)


@sentence("1.8")
def test_a_case_with_a_secret_of_a_program_is_refused(bench: Bench) -> None:
    for secret in (
        "postgres://app:9fj3kd83ka@db/prod",
        "-----BEGIN RSA PRIVATE KEY-----",
        "client_secret=9fj3kd83ka02",
    ):
        assert bench.said(example(context={"note": secret})) == ["credential /context/note"]


@sentence("1.7")
def test_a_case_with_a_hidden_prompt_is_refused(bench: Bench) -> None:
    assert bench.said(example(context={"system_prompt": "You translate."})) == ["hidden-prompt /context/system_prompt"]
    assert bench.said(example(source="<|im_start|>system")) == ["hidden-prompt /source"]


@sentence("1.9")
def test_a_case_of_dev_with_the_answer_of_a_locked_one_is_refused(bench: Bench) -> None:
    shown, locked = example(id="a.1", references=["你好 %s，%d"]), example(id="a.2")
    folder = case_folder(bench.root, {"cases/dev/a.jsonl": [shown], "cases/locked/b.jsonl": [locked]})

    assert [(one["level"], one["code"]) for one in bench.findings(folder)] == [("FAIL", "locked-answer")]


@sentence("2.1", "2.6")
def test_the_folder_with_all_its_parts_in_the_evals_of_a_skill(bench: Bench) -> None:
    junk = b"\xff not read \x00"
    case_folder(
        bench.root,
        {
            "SKILL.md": b"---\nname: s\ndescription: Translates. Use when asked for a translation.\n---\n\nText.\n",
            "evals/i18n-prompt/manifest.yaml": b"schema_version: 1\n",
            "evals/i18n-prompt/cases/dev/protocol.jsonl": [example(id="a.1")],
            "evals/i18n-prompt/cases/dev/placeholders.jsonl": [example(id="a.2")],
            "evals/i18n-prompt/cases/locked/held-back.jsonl": [example(id="a.3", source="%s, %d")],
            "evals/i18n-prompt/rubrics/cases.jsonl": junk,
            "evals/i18n-prompt/baselines/dev/a.jsonl": junk,
        },
    )
    folder = bench.root / "evals" / "i18n-prompt"

    assert bench.findings(bench.root) == []
    assert bench.findings(folder) == []
    assert [(case.id, case.locked) for case in open_cases(folder)] == [("a.2", False), ("a.1", False), ("a.3", True)]


@sentence("2.2")
def test_two_files_of_dev_are_enough(bench: Bench) -> None:
    folder = case_folder(
        bench.root,
        {"cases/dev/protocol.jsonl": [example(id="a.1")], "cases/dev/placeholders.jsonl": [example(id="a.2")]},
    )

    assert bench.findings(folder) == []
    assert {"protocol.jsonl", "placeholders.jsonl"} <= {file.name for file in (OURS / "cases" / "dev").iterdir()}


@sentence("2.4")
def test_locked_cases_are_validated_and_checked(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    folder = case_folder(bench.root / "c", {"cases/locked/a.jsonl": [example()]})
    candidates = bench.root / "candidates.jsonl"
    candidates.write_bytes(written({"case_id": EXAMPLE["id"], "text": "%s"}))

    assert main(["translation", "check", str(folder), str(candidates), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)[0]["code"] == "placeholder_missing"
    case_folder(folder, {"cases/locked/a.jsonl": [example(domain="?")]})
    assert [one["code"] for one in bench.findings(folder)] == ["bad-domain"]


@sentence("2.3")
def test_nothing_of_a_locked_case_is_in_a_prompt(bench: Bench) -> None:
    locked = example(id="a.2", source="The lighthouse is asleep", context={"page": "lighthouse"}, tags=["lighthouse"])
    folder = case_folder(bench.root, {"cases/dev/a.jsonl": [example()], "cases/locked/b.jsonl": [locked]})

    assert b"lighthouse" not in kept_bytes(open_cases(folder, include_locked=False))
    with pytest.raises(LockedCaseError):
        prompt_of(next(case for case in open_cases(folder) if case.locked))


@sentence("2.5")
@pytest.mark.usefixtures("translator")
@pytest.mark.parametrize("command", ["run", "candidates"])
def test_commands_that_make_prompts_do_not_notice_what_is_in_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = cases_at(tmp_path / "ui")
    (folder / "cases" / "locked" / "secret.jsonl").write_bytes(b"\xff\x00 no JSON at all")
    replay = ["--agent", "replay", "--recordings", str(recordings_at(tmp_path / "recorded.jsonl")), "--quiet"]
    words = {
        "run": ["run", SKILL, "--testset", "ui", "--yes"],
        "candidates": ["translation", "candidates", SKILL, "ui", "-o", "made.out"],
    }

    assert main(["validate", "ui"]) == 1
    assert main([*words[command], *replay]) == 0


@sentence("7.1")
def test_the_example_is_in_no_test_set() -> None:
    files = [file for file in (ROOT / "testsets").rglob("*") if file.suffix in {".jsonl", ".json", ".yaml", ".md"}]

    assert len(files) > 5
    assert not [file for file in files if EXAMPLE["source"] in file.read_text("utf-8")]


@sentence("7.2")
def test_the_example_is_valid_read_and_written_back(bench: Bench) -> None:
    assert bench.said(example()) == bench.said(example(), level="WARN") == []
    Draft202012Validator(CASE_SCHEMA).validate(example())
    (case,) = open_cases(bench.root / "validated")

    assert case.row == EXAMPLE
    assert json.loads(written(case.row)) == EXAMPLE
    assert (case.id, case.source, case.required_tokens) == (EXAMPLE["id"], EXAMPLE["source"], ("%s", "%d"))
    assert (case.provenance.kind, case.provenance.license) == ("synthetic", "GPL-3.0-or-later")


@sentence("8.1")
def test_our_own_cases_are_synthetic(bench: Bench) -> None:
    assert bench.findings(OURS) == []
    cases = list(open_cases(OURS))
    names = {one.name for case in cases for one in case.assertions}

    assert {case.provenance.kind for case in cases} == {"synthetic"}
    assert {"protocol_complete", "placeholder_integrity"} <= names


@sentence("8.3")
def test_what_is_refused_says_where_and_what_to_do(bench: Bench) -> None:
    folder = case_folder(
        bench.root, {"cases/dev/a.jsonl": [example(), example(id="a.2", target_locale="zh_CN", sauce=1)]}
    )
    found = bench.findings(folder)

    assert [(one["line"], one["case"], one["pointer"]) for one in found] == [
        (2, "a.2", "/sauce"),
        (2, "a.2", "/target_locale"),
    ]
    assert 'did you mean "source"?' in found[0]["message"]
    assert 'write "zh-CN"' in found[1]["message"]


@sentence("8.5")
@pytest.mark.usefixtures("translator")
def test_an_evaluator_runs_cases_and_reports_by_assertion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cases_at(tmp_path / "ui")
    replay = ["--agent", "replay", "--recordings", str(recordings_at(tmp_path / "recorded.jsonl")), "--quiet"]

    assert main(["run", SKILL, "--testset", "ui", "--yes", "--json", "report.json", *replay]) == 0
    assert "required_tokens" in (tmp_path / "report.json").read_text("utf-8")


@sentence("8.6")
def test_a_later_version_is_refused_with_the_way_to_go_on_and_version_1_stays(bench: Bench) -> None:
    later = example(id="a.2", schema_version=2, parts=["a"], source=...)
    folder = case_folder(bench.root, {"cases/dev/a.jsonl": [example(), later]})
    (found,) = bench.findings(folder)

    assert (found["code"], found["line"], found["pointer"]) == ("other-version", 2, "/schema_version")
    assert "reads 1" in found["message"]
    assert "later skill-evaluator" in found["message"]
    assert "write the case again" in found["message"]
    assert "stays readable in every later version" in PAGE


@sentence("8.6")
def test_a_manifest_of_a_later_version_is_refused_likewise(bench: Bench) -> None:
    folder = case_folder(bench.root, {"cases/dev/a.jsonl": [example()], "manifest.yaml": b"schema_version: 2\n"})

    assert [one["code"] for one in bench.findings(folder)] == ["other-version"]


@sentence("7.2", "8.4")
def test_the_model_has_the_fields_of_the_contract() -> None:
    case = build_case(example(context={"page": "start"}), Source(path="a.jsonl", line=1), locked=False)

    assert {
        key: getattr(case, key) for key in ("id", "source_locale", "target_locale", "domain", "source", "difficulty")
    } == {key: EXAMPLE[key] for key in ("id", "source_locale", "target_locale", "domain", "source", "difficulty")}
    assert case.context == {"page": "start"}
    assert (case.tags, case.references) == (("printf", "placeholder"), ())
    assert [(one.name, one.severity, one.params) for one in case.assertions] == [
        ("placeholder_integrity", "hard", {"syntax": "printf", "allow_reorder": True})
    ]

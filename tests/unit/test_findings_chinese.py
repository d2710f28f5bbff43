"""Whatever readers find wrong, and what commands tell of it, is said in Chinese to whoever asked for Chinese.

Each input is faulty in its own way. What is found is worded in Chinese and must hold no English prose: after names,
paths and quoted text are taken out, no two English words may stand in a row.
"""

import json
import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from skill_evaluator.cli import main
from skill_evaluator.errors import LockedCaseError
from skill_evaluator.formats.evalcase.candidates import CandidateSource, open_candidates
from skill_evaluator.formats.evalcase.dev_cases import prompt_faults
from skill_evaluator.formats.evalcase.kept import read_kept
from skill_evaluator.formats.evalcase.prompts import refuse_locked
from skill_evaluator.formats.evalcase.reading import open_cases
from skill_evaluator.formats.import_files import import_files
from skill_evaluator.formats.skill_creator import import_triggers
from skill_evaluator.formats.skill_md import read_skill
from skill_evaluator.formats.testset import read_testset
from skill_evaluator.grading.translations import grade_candidate
from skill_evaluator.locales import catalogue
from skill_evaluator.model import Candidate, EvalCase, Finding
from skill_evaluator.texts import Text, listed, localized

# Names of formats, programs and keys of their own, which no language translates.
_NAMES = (
    "Agent Skill", "JSON Lines", "JSON", "YAML", "UTF-8", "BCP-47", "SPDX", "ICU", "Unicode", "Python", "printf",
    "Claude Code", "Messages API", "JUnit XML", "pip install", "npm install", "PASS if", "FAIL if",
)  # fmt: skip
_TAKEN_OUT = re.compile(
    r"```.*?```|`[^`]*`|“[^”]*”|\"[^\"]*\"|'(?:[^'\\]|\\.)*'|<[^<>]*>|\{[^{}]*\}|\[[^\[\]]*\]"  # quoted, or code
    r"|--?[a-z][\w-]*|[\w.~-]*/[\w./~-]*|\w+(?:[._]\w+)+|\d+"  # options, paths, dotted and snake_case names, numbers
)
_TWO_WORDS = re.compile(r"[A-Za-z]{2,}(?:'[a-z]+)?[ ,;:]+[A-Za-z]{2,}")


def english_left(text: str) -> list[str]:
    """Find English words that stand in a row."""
    plain = _TAKEN_OUT.sub(" · ", text)
    for name in _NAMES:
        plain = plain.replace(name, "·")
    return _TWO_WORDS.findall(plain)


def assert_chinese(texts: Sequence[str]) -> None:
    left = {text: found for text in texts if (found := english_left(text))}
    assert not left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("缺少 'name of it'；请加上", []),
        ("请运行 `skill-evaluator validate` 和 --no-such-thing now", []),
        ("不是 JSON Lines 或 YAML", []),
        ("路径 a/b c/d.json 与 x.y z_w", []),
        ("it is missing；请加上", ["it is"]),
        ("请加上 the key", ["the key"]),
    ],
)
def test_english_is_told_from_names(text: str, left: list[str]) -> None:
    assert english_left(text) == left


def test_no_words_of_a_catalogue_hold_english() -> None:
    def without_values(words: str) -> str:
        return "".join(text + ("" if name is None else "·") for text, name, _, _ in string.Formatter().parse(words))

    assert_chinese([without_values(words) for words in catalogue("zh").values()])


def front(**keys: str) -> str:
    written = {"name": "map-maker", "description": "Draws maps of towns on request.", **keys}
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in written.items() if value) + "---\nDraw it.\n"


SKILLS: Mapping[str, tuple[str, str]] = {
    "empty": ("skill-frontmatter-missing", ""),
    "no block": ("skill-frontmatter-missing", "Some words\n"),
    "block too late": ("skill-frontmatter-missing", "\n" + front()),
    "open block": ("skill-frontmatter-open", "---\nname: a\n"),
    "no keys": ("skill-frontmatter-empty", "---\n- a\n---\nDraw.\n"),
    "no name": ("skill-name", front(name="")),
    "other name": ("skill-name", front(name="").replace("---\n", "---\nName: x\n", 1)),
    "empty name": ("skill-name", front(name='""')),
    "name of another type": ("skill-name", front(name="[a]")),
    "a number": ("skill-name", front(name="3")),
    "true or false": ("skill-name", front(name="true")),
    "a mapping": ("skill-description", front(description="{a: b}")),
    "name style": ("skill-name-style", front(name="Map Maker")),
    "long name": ("skill-name-long", front(name="a" * 80)),
    "long description": ("skill-description-long", front(description="map " * 400)),
    "tag": ("skill-angle-brackets", front(description="Draws a <b> of towns")),
    "catch-all": ("catch-all-description", front(description="Use for any request.")),
    "comment": ("skill-comment-in-description", front(description="Draws maps #of towns")),
    "key": ("skill-unknown-key", front(licence="x")),
    "by hand": ("skill-manual-only", front(**{"disable-model-invocation": "true"})),
    "value type": ("skill-value-type", front(version="[1, 2]")),
    "no body": ("skill-body-empty", front().replace("Draw it.\n", "")),
    "yaml: colon": ("skill-frontmatter-yaml", front(description="Draws: maps")),
    "yaml: tab": ("skill-frontmatter-yaml", front(description="x\n\tb: c")),
    "yaml: reserved": ("skill-frontmatter-yaml", front(description="@draws")),
    "yaml: back-quote": ("skill-frontmatter-yaml", "---\n`: x\n---\n"),
    "yaml: alias": ("skill-frontmatter-yaml", front(description="*all maps")),
    "yaml: list item": ("skill-frontmatter-yaml", front(description="- a")),
    "yaml: goes on": ("skill-frontmatter-yaml", front(description='"a" b')),
    "yaml: not indented": ("skill-frontmatter-yaml", front(description="a\nb")),
    "yaml: escape": ("skill-frontmatter-yaml", front(description='"a\\d"')),
    "yaml: quote": ("skill-frontmatter-yaml", front(description='"a')),
    "yaml: key twice": ("skill-frontmatter-yaml", front().replace("name:", "name: b\nname:")),
    "yaml: anchor twice": ("skill-frontmatter-yaml", front(description="&a x\nmodel: &a y")),
    "yaml: tag": ("skill-frontmatter-yaml", front(description="!!int x")),
    "yaml: control": ("skill-frontmatter-yaml", front(description="a\x01b")),
    "yaml: key is a list": ("skill-frontmatter-yaml", "---\n[a]: b\n---\nDraw.\n"),
    "yaml: flow": ("skill-frontmatter-yaml", "---\n{a: b\n---\nDraw.\n"),
    "yaml: list without end": ("skill-frontmatter-yaml", "---\n[a, b\n---\nDraw.\n"),
    "yaml: directive": ("skill-frontmatter-yaml", "---\n%FOO\n---\nDraw.\n"),
    "yaml: anchor": ("skill-frontmatter-yaml", "---\n? &\n---\nDraw.\n"),
    "yaml: two documents": ("skill-frontmatter-yaml", "---\na: b\n...\nc: d\n---\nDraw.\n"),
    "yaml: deep": ("skill-frontmatter-yaml", "---\na: " + "[" * 60 + "]" * 60 + "\n---\nDraw.\n"),
    "yaml: long": ("skill-frontmatter-yaml", "---\na: " + "b" * 300_000 + "\n---\nDraw.\n"),
    "yaml: many": ("skill-frontmatter-yaml", "---\na: [" + "1," * 21_000 + "]\n---\nDraw.\n"),
    "yaml: aliases": (
        "skill-frontmatter-yaml",
        "---\na: &a [" + "1," * 900 + "]\nb: [" + "*a," * 40 + "]\n---\nDraw.\n",
    ),
    "yaml: alias to itself": ("skill-frontmatter-yaml", "---\na: &a [*a]\n---\nDraw.\n"),
    "yaml: half a character": ("skill-frontmatter-yaml", front(description='"\\ud800"')),
    "yaml: no character": ("skill-frontmatter-yaml", front(description='"\\UFFFFFFFF"')),
}


def worded(findings: Sequence[Finding]) -> list[str]:
    return [finding.worded("zh") for finding in findings]


@pytest.mark.parametrize("case", SKILLS)
def test_faults_of_a_skill(tmp_path: Path, case: str) -> None:
    code, text = SKILLS[case]
    (tmp_path / "SKILL.md").write_text(text, "utf-8")
    findings = read_skill(tmp_path).findings

    assert code in {finding.code for finding in findings}
    assert_chinese(worded(findings))
    assert all(isinstance(finding.message, Text) for finding in findings)


def test_a_skill_file_of_another_name(tmp_path: Path) -> None:
    (tmp_path / "map.md").write_text(front(), "utf-8")
    assert_chinese(worded(read_skill(tmp_path / "map.md").findings))


WORDS = (
    *("draw a map of the harbour", "who won the match", "plan a round trip by train", "cook rice without a lid"),
    *("mark every bakery nearby", "explain the offside rule", "show contour lines up north", "mend a bicycle tube"),
    *("add a legend in French", "choose a birthday present", "print the valley on A3", "write a limerick on rain"),
)


def rows(**changes: object) -> list[dict[str, object]]:
    """Twelve sound cases, six of each class; the changes go into the first, `...` takes a key out of it."""
    made: list[dict[str, object]] = [
        {
            "id": f"c{number:02}",
            "type": "should_not_trigger" if number % 2 else "should_trigger",
            "split": "acceptance" if number % 4 < 2 else "tuning",
            "input": words,
        }
        for number, words in enumerate(WORDS)
    ]
    made[0] = {key: value for key, value in {**made[0], **changes}.items() if value is not ...}
    return made


def with_case(**fields: object) -> list[dict[str, object]]:
    return [*rows(), {"id": "x", "type": "should_not_trigger", "input": "something else", **fields}]


def grader(**options: object) -> list[dict[str, object]]:
    return rows(graders=[options])


TESTSETS: Mapping[str, tuple[str, object]] = {
    "a trigger set": ("not-a-testset", [{"query": "a", "should_trigger": True}]),
    "a wrapped one": ("not-a-testset", {"cases": rows()}),
    "output evals": ("not-a-testset", {"evals": [{"prompt": "a", "expectations": ["b"]}]}),
    "a report": ("not-a-testset", {"schema_version": 1, "metrics": {}, "cases": [], "verdict": "PASS"}),
    "anything else": ("not-a-testset", {"a": 1}),
    "a text": ("not-a-testset", "hello there you"),
    "empty": ("too-few-cases", []),
    "too few": ("too-few-of-class", rows()[:1]),
    "no acceptance": ("acceptance-lacks-class", [{**row, "split": "tuning"} for row in rows()]),
    "no object": ("wrong-value", [*rows(), 3]),
    **{f"no {key}": ("missing-key", rows(**{key: ...})) for key in ("id", "input", "type")},
    **{
        f"{key} is {value!r}": ("wrong-value", rows(**{key: value}))
        for key in (
            *("id", "input", "type", "split", "expected_output_contains", "expected_output_not_contains"),
            *("expected_output_regex", "expected_params", "expected_tool_calls", "context", "files", "rubric"),
            *("human_scores", "graders", "tag", "expected_skill"),
        )
        for value in (3, None, True)
    },
    "id is empty": ("wrong-value", rows(id=" ")),
    "flag is a text": ("wrong-value", rows(expected_trigger="true")),
    "items of other types": ("wrong-value", rows(expected_output_contains=[1], tag=[[]], rubric={"a": 9})),
    "file is no text": ("wrong-value", rows(files={"a.txt": 1})),
    "turn": ("wrong-value", rows(context=[{"role": "cook", "text": ""}])),
    "turn is a text": ("wrong-value", rows(context=["hello"])),
    "tool calls": ("wrong-value", rows(expected_tool_calls={"names": [], "match": "any"})),
    "keys of tool calls": ("unknown-key", rows(expected_tool_calls={"name": ["a"]})),
    "unknown key": ("unknown-key", rows(zzzz=1)),
    "misspelt key": ("unknown-key", rows(inptu="a")),
    "type disagrees": ("type-disagrees", rows(expected_trigger=False)),
    "pattern": ("bad-regex", rows(expected_output_regex="(")),
    "large pattern": ("bad-regex", rows(expected_output_regex="(a{9999}){9999}")),
    "sibling on positive": ("sibling-on-positive", rows(expected_skill="other")),
    "check on negative": ("check-on-negative", with_case(expected_output_contains=["a"])),
    "sibling is target": ("sibling-is-target", with_case(expected_skill="map-maker")),
    "score without item": ("score-without-item", rows(rubric={"clarity": 3}, human_scores={"claritx": 3})),
    "score without any item": ("score-without-item", rows(rubric={"clarity": 3}, human_scores={"zzz": 3})),
    "same id": ("duplicate-id", with_case(id="c00")),
    "same input": ("duplicate-input", with_case(input=WORDS[1])),
    "opposite": ("contradictory-input", with_case(input=WORDS[0])),
    "first turn": ("context-first-turn", rows(context=[{"role": "assistant", "text": "a"}])),
    "last turn": ("context-last-turn", rows(context=[{"role": "user", "text": "a"}])),
    **{
        f"path {path!r}": ("bad-path", rows(files={path: "x"}))
        for path in ("", "a\x01b", "a\\b", "/a", "c:a", "../a", "a//b")
    },
    "paths": ("path-clash", rows(files={"a": "x", "A": "y"})),
    "rubric": ("rubric-not-scored", rows(rubric={"clarity": 3})),
    "voted": ("graders-not-judged", grader(type="llm", criteria="PASS if it is a map")),
    "weight": ("grader-weight-unused", grader(type="file_exists", path="a.md", weight=2)),
    "small": ("class-too-small", rows()),
    "near": ("near-duplicate-across-splits", with_case(input=WORDS[3] + " a", split="acceptance")),
    "quoted": ("acceptance-input-in-skill", rows()),
    "named": ("positive-names-skill", rows(input="use map-maker for the harbour")),
    "tags": ("one-sided-tag", [{**row, "tag": "a"} if row["type"] == "should_trigger" else row for row in rows()]),
    "slash": ("prompt-starts-with-slash", rows(input="/map the harbour")),
    "baseline": ("baseline-not-here", grader(type="baseline", baseline_file="a.jsonl", criteria="PASS if as good")),
    "stand-ins": ("no-stand-ins", grader(type="regex", pattern="a", target="mock_calls")),
    "outside": ("path-outside", grader(type="file_exists", path="../a")),
    "JavaScript": ("bad-regex", grader(type="regex", pattern="(")),
    "no name": ("wrong-value", grader(type="file_exists", path="a.md", name=" ")),
    "same name": (
        "duplicate-name",
        rows(graders=[{"type": "file_exists", "path": "a.md", "name": "a"}, {"type": "llm", "name": "a"}]),
    ),
    "tool": ("tool-misnamed", grader(type="tool_used", tool="read")),
}
OF_SUITES = {"same name"}  # holds faults that readers of suites word


@pytest.mark.parametrize("case", TESTSETS)
def test_faults_of_a_test_set(tmp_path: Path, case: str) -> None:
    code, content = TESTSETS[case]
    skill_md = front(description=f"Draws maps of towns, as when asked to {WORDS[4]}.")
    (tmp_path / "SKILL.md").write_text(skill_md, "utf-8")
    skill = read_skill(tmp_path).skill
    file = tmp_path / "testset.json"
    file.write_text(json.dumps(content, ensure_ascii=False), "utf-8")
    findings = read_testset(file, skill=skill).findings

    assert code in {finding.code for finding in findings}
    assert_chinese(worded([one for one in findings if case not in OF_SUITES or one.code == code]))


def case_row(case_id: object = "menu.start.001", **fields: object) -> dict[str, object]:
    row = {
        "schema_version": 1,
        "id": case_id,
        "source_locale": "en-US",
        "target_locale": "fr-FR",
        "domain": "game-ui",
        "source": "Keep %s",
        "required_tokens": ["%s"],
        "assertions": [{"name": "required_tokens", "severity": "hard"}],
        "provenance": {"kind": "synthetic", "license": "CC0-1.0"},
        **fields,
    }
    return {key: value for key, value in row.items() if value is not ...}


def asserting(name: str, params: object = ..., **fields: object) -> dict[str, object]:
    assertion = {"name": name, "severity": "hard", "params": params}
    return case_row(assertions=[{key: value for key, value in assertion.items() if value is not ...}], **fields)


def origin(**fields: object) -> dict[str, object]:
    return case_row(provenance={"kind": "synthetic", "license": "CC0-1.0", **fields})


KEY = "sk-ant-" + "a1b2" * 8
CASES: Mapping[str, tuple[str, object]] = {
    **{f"no {key}": ("missing-field", case_row(**{key: ...})) for key in case_row() if key != "required_tokens"},
    **{
        f"{key} is {value!r}": ("wrong-value", case_row(**{key: value}))
        for key in (*case_row(), "context", "references", "difficulty", "tags")
        for value in (None, [1], "", {"a": 1})
        if value != {"a": 1} or key not in {"context", "provenance"}
    },
    "version": ("other-version", case_row(schema_version=2)),
    "no version": ("other-version", case_row(schema_version=0)),
    "id": ("bad-id", case_row("Menu Start.001")),
    **{
        f"locale {tag!r}": ("bad-locale", case_row(source_locale=tag))
        for tag in ("en_US", "EN-us", "x" * 300, "en us", "x-klingon")
    },
    "same locale": ("same-locale", case_row(source_locale="fr-FR")),
    "domain": ("bad-domain", case_row(domain="Game UI")),
    "unknown field": ("unknown-field", case_row(zzz=1)),
    "misspelt field": ("unknown-field", case_row(sorce="a")),
    "inside": ("unknown-field", origin(licence="MIT")),
    "missing inside": ("missing-field", case_row(provenance={})),
    "kind": ("wrong-value", origin(kind="syntetic")),
    **{
        f"licence {text!r}": ("bad-license", origin(license=text))
        for text in ("unknown", "no such one at all", "MIT AND " * 100 + "MIT")
    },
    "spelling": ("license-spelling", origin(license="mit")),
    "no source": ("no-source", origin(kind="public-domain")),
    "not anonymous": ("not-anonymised", origin(kind="authorized-regression", source="a")),
    "tag": ("bad-tag", case_row(tags=["Printf "])),
    "tag twice": ("repeated-tag", case_row(tags=["a", "a"])),
    "no assertions": ("wrong-value", case_row(assertions=[])),
    "bare": ("wrong-value", case_row(assertions=["required_tokens"])),
    "another": ("wrong-value", case_row(assertions=[3])),
    "unknown assertion": ("unknown-assertion", asserting("required_token")),
    "quite unknown": ("unknown-assertion", asserting("zzz")),
    "twice": ("repeated-assertion", case_row(assertions=[{"name": "number_fidelity", "severity": "hard"}] * 2)),
    "no tokens": ("no-tokens", case_row(required_tokens=...)),
    "astray": ("unknown-field", case_row(assertions=[{"name": "max_chars", "severity": "hard", "limit": 3}])),
    "severity": ("wrong-value", case_row(assertions=[{"name": "number_fidelity", "severity": "sharp"}])),
    "no params": ("missing-field", asserting("max_chars")),
    "limit": ("wrong-value", asserting("max_chars", {"limit": 0, "unit": "words"})),
    "none known": ("unknown-field", asserting("number_fidelity", {"a": 1})),
    "protocol": (
        "wrong-value",
        asserting("protocol_complete", {"expected_items": 0, "terminator": "", "allow_extra_items": 1, "format": "x"}),
    ),
    "custom": ("missing-field", asserting("placeholder_integrity", {"syntax": "custom"})),
    "misplaced": ("misplaced-pattern", asserting("placeholder_integrity", {"pattern": "a", "allow_reorder": 1})),
    "pattern": ("bad-pattern", asserting("placeholder_integrity", {"syntax": "custom", "pattern": "("})),
    "large pattern": (
        "bad-pattern",
        asserting("placeholder_integrity", {"syntax": "custom", "pattern": "(a{9999}){9999}"}),
    ),
    "no pattern": ("wrong-value", asserting("placeholder_integrity", {"syntax": "custom", "pattern": 1})),
    "renderings": ("wrong-value", asserting("forbidden_renderings", {"renderings": []})),
    "rendering": ("wrong-value", asserting("forbidden_renderings", {"renderings": [1, {"pattern": ""}]})),
    "credential": ("credential", case_row(source=f"Keep %s {KEY}")),
    "credential as a name": ("credential", case_row(context={KEY: "a"})),
    "field of a credential": ("credential", case_row(context={"api_key": "abcd"})),
    "prompt": ("hidden-prompt", case_row(source="<|im_start|>system %s")),
    "field of a prompt": ("hidden-prompt", case_row(context={"system_prompt": "abcd"})),
    "no object": ("wrong-value", [1]),
}


def write_lines(file: Path, *lines: object) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    texts = (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    file.write_text("".join(f"{text}\n" for text in texts), "utf-8")
    return file


@pytest.mark.parametrize("case", CASES)
def test_faults_of_a_translation_case(tmp_path: Path, case: str) -> None:
    code, row = CASES[case]
    findings = open_cases(write_lines(tmp_path / "cases" / "dev" / "a.jsonl", row).parents[2]).findings

    assert code in {finding.code for finding in findings}
    assert_chinese(worded(findings))


Make = Callable[[Path], Sequence[Finding]]


def dev(root: Path, *lines: object) -> Path:
    return write_lines(root / "cases" / "dev" / "a.jsonl", *lines).parents[2]


def locked(root: Path, *lines: object) -> Path:
    return write_lines(root / "cases" / "locked" / "b.jsonl", *lines).parents[2]


def _raw(root: Path, content: bytes) -> Sequence[Finding]:
    (dev(root) / "cases" / "dev" / "a.jsonl").write_bytes(content)
    return open_cases(root).findings


def _manifest(root: Path, text: str) -> Sequence[Finding]:
    write_lines(dev(root, case_row()) / "manifest.yaml", text)
    return open_cases(root).findings


def _link(root: Path, *, is_folder: bool = False) -> Path:
    locked(root, case_row())
    (root / "cases" / "dev").mkdir()
    target = root / "cases" / "locked"
    link = root / "cases" / "dev" / ("inner" if is_folder else "a.jsonl")
    link.symlink_to(target if is_folder else target / "b.jsonl")
    return root


def _locked_case(root: Path) -> Sequence[Finding]:
    (case,) = open_cases(locked(root, case_row()))
    with pytest.raises(LockedCaseError) as raised:
        refuse_locked(case)
    return raised.value.findings


FOLDERS: Mapping[str, tuple[str, Make]] = {
    "no cases": ("no-cases", lambda root: open_cases(root).findings),
    "no case": ("no-cases", lambda root: open_cases(dev(root, "")).findings),
    "all locked": ("locked-cases", lambda root: open_cases(locked(root, case_row()), include_locked=False).findings),
    "id twice": ("duplicate-id", lambda root: open_cases(dev(root, case_row(), case_row())).findings),
    "answer": (
        "locked-answer",
        lambda root: open_cases(locked(dev(root, case_row("a.b", references=["Gardez %s"])), case_row())).findings,
    ),
    "question": ("locked-answer", lambda root: open_cases(locked(dev(root, case_row("a.b")), case_row())).findings),
    "misplaced": (
        "misplaced-file",
        lambda root: (
            open_cases(write_lines(dev(root, case_row()) / "cases" / "c.jsonl", case_row()).parents[1]).findings
        ),
    ),
    "no folder": (
        "misplaced-file",
        lambda root: open_cases(write_lines(root / "cases" / "dev", "a").parents[1]).findings,
    ),
    "not read": (
        "not-read",
        lambda root: open_cases(write_lines(dev(root, case_row()) / "cases" / "dev" / "c.txt", "").parents[2]).findings,
    ),
    "link": ("link-to-locked", lambda root: open_cases(_link(root)).findings),
    "link to a folder": ("folder-link", lambda root: open_cases(_link(root, is_folder=True)).findings),
    "candidates": ("candidates-file", lambda root: open_cases(dev(root, {"case_id": "a", "text": "b"})).findings),
    "byte order mark": ("not-json", lambda root: open_cases(dev(root, case_row(), "\ufeff{}")).findings),
    "several lines": ("not-json", lambda root: open_cases(dev(root, "{", '"id": 1}')).findings[:1]),
    "two in a line": ("not-json", lambda root: open_cases(dev(root, "{} {}")).findings),
    "key twice": ("duplicate-key", lambda root: open_cases(dev(root, '{"id": "a.b", "id": "a.c"}')).findings[:1]),
    "unsound with a secret": ("not-json", lambda root: open_cases(dev(root, f'{{"id": {KEY}')).findings),
    "long line": ("line-too-long", lambda root: _raw(root, b"x" * 3_000_000)),
    "bytes": ("not-utf8", lambda root: _raw(root, b'{"id": "\xff"}')),
    "other encoding": ("not-utf8", lambda root: _raw(root, '{"id": 1}'.encode("utf-16"))),
    "manifest": ("not-yaml", lambda root: _manifest(root, "a: b: c")),
    "manifest without keys": ("wrong-value", lambda root: _manifest(root, "- a")),
    "manifest of nothing": (
        "bad-license",
        lambda root: _manifest(root, "schema_version: 1\naccepted_licenses: [unknown, 3]\nzzz: 1"),
    ),
    "version of the manifest": ("other-version", lambda root: _manifest(root, "schema_version: 7")),
    "since": (
        "reused-id",
        lambda root: (
            open_cases(dev(root / "now", case_row(source="Drop %s")), since=dev(root / "before", case_row())).findings
        ),
    ),
    "since nothing": (
        "no-cases",
        lambda root: open_cases(dev(root / "now", case_row()), since=dev(root / "before", "")).findings,
    ),
    "prompts of locked": ("locked-case", lambda root: prompt_faults(locked(root, case_row()) / "cases" / "locked")),
    "prompts of a part": ("no-cases", lambda root: prompt_faults(dev(root, case_row()) / "cases")),
    "prompts of a link": ("link-to-locked", lambda root: prompt_faults(_link(root))),
    "a locked case": ("locked-case", _locked_case),
    "copy": ("kept-cases", lambda _: read_kept(b"{}", "kept.json").findings),
}


@pytest.mark.parametrize("case", FOLDERS)
def test_faults_of_a_folder_of_translation_cases(tmp_path: Path, case: str) -> None:
    code, make = FOLDERS[case]
    findings = make(tmp_path)

    assert code in {finding.code for finding in findings}
    assert_chinese(worded(findings))


CANDIDATES: Mapping[str, tuple[str, Sequence[object]]] = {
    "no object": ("wrong-value", [[1]]),
    "missing": ("missing-field", [{}]),
    "wrong": ("wrong-value", [{"case_id": 3, "text": None, "raw_response": {}}]),
    "unknown": ("unknown-field", [{"case_id": "a", "text": "b", **{f"zz{number}": 1 for number in range(40)}}]),
    "half": ("half-character", ['{"case_id": "a", "text": "\\ud800"}']),
    "key twice": ("duplicate-key", ['{"case_id": "a", "case_id": "b", "text": "c"}']),
    "deep": ("too-deep", ["[" * 100_000 + "]" * 100_000]),
    "digits": ("not-a-number", ["1" * 5_000]),
    "same case": ("duplicate-candidate", [{"case_id": "a", "text": "b"}] * 2),
    "cases": ("cases-file", [case_row()]),
    "nobody asked": ("no-case", [{"case_id": "a", "text": "b"}]),
}


def _left_over(source: CandidateSource) -> Sequence[Finding]:
    with source.opened() as candidates:
        return tuple(candidates.left_over())


@pytest.mark.parametrize("case", CANDIDATES)
def test_faults_of_candidates(tmp_path: Path, case: str) -> None:
    code, lines = CANDIDATES[case]
    source = open_candidates(write_lines(tmp_path / "c.jsonl", *lines))
    findings = source.findings or _left_over(source)

    assert code in {finding.code for finding in findings}
    assert_chinese(worded(findings))


def trigger(query: object, should: object = True, **more: object) -> dict[str, object]:  # noqa: FBT002 - as JSON has it
    return {"query": query, "should_trigger": should, **more}


EVAL: dict[str, object] = {"id": 1, "prompt": "draw it", "expected_output": "a map", "expectations": ["a legend"]}
IMPORTS: Mapping[str, Sequence[object]] = {
    "a test set": [rows()],
    "a wrapped one": [{"cases": rows()}],
    "a report": [{"schema_version": 1, "metrics": {}, "cases": [], "verdict": "PASS"}],
    "nothing": [{"a": 1}],
    "no prompts": [{"queries": []}],
    "no words": [[trigger("", "yes"), {"zzz": 1, "should_trigger": True}, {"query": "a"}, 3]],
    "no skill": [[{"query": "a", "expected_skill": "b"}, {"query": "c"}, {"query": "d", "expected_skill": 3}]],
    "none fires": [[{"query": "a", "expected_skill": "none"}]],
    "opposite": [[trigger("a", id="x"), trigger("a", should=False), trigger("b"), trigger("b", should=False)]],
    "two trigger sets": [[trigger("a")], [trigger("b")]],
    "notes of triggers": [
        {
            "skill_name": "maps",
            "note": "x",
            "queries": [
                *(trigger(f"q{number}", number % 2 == 0, id=number, remark="x") for number in range(4)),
                trigger("q1", should=False),
                trigger("z", id="1"),
                trigger("y", split="train"),
                trigger("v"),
            ],
        }
    ],
    "routing": [
        [
            {"query": "a", "expected_skill": "one", "acceptable": ["two"]},
            {"query": "b", "expected_skill": "two"},
            {"query": "c", "expected_skill": "none"},
        ]
    ],
    "evals": [
        {
            "skill_name": "maps",
            "version": 2,
            "evals": [
                EVAL,
                {**EVAL, "prompt": "other", "files": ["missing.txt"], "zzz": 1},
                {"prompt": "third", "required_artifacts": ["out/<name>.md", "../x"], "expected_output": "a"},
                {"prompt": "fourth", "expectations": [{"text": "a", "level": 3}], "assertions": ["b"]},
                {"prompt": "fifth"},
            ],
        }
    ],
    "faulty evals": [{"evals": [{"prompt": 3, "expectations": [3]}, {"prompt": "a", "assertions": 4}, 5]}],
    "evals of another skill": [[trigger("draw it", target="maps")], {"skill_name": "other", "evals": [EVAL]}],
    "evals that contradict": [[trigger("draw it", should=False)], {"evals": [EVAL]}],
    "evals of many": [
        [{"query": "a", "expected_skill": "one"}, {"query": "b", "expected_skill": "two"}],
        {"evals": [EVAL]},
    ],
}


@pytest.mark.parametrize("case", IMPORTS)
def test_what_import_finds_and_notes(tmp_path: Path, case: str) -> None:
    paths = []
    for number, content in enumerate(IMPORTS[case]):
        paths.append(tmp_path / f"{number}.json")
        paths[-1].write_text(json.dumps(content), "utf-8")
    said = []
    for skill in (None, "maps"):
        imported = import_files(paths, skill=skill)
        said += [*worded(imported.findings), *(localized(note, "zh") for note in imported.notes)]
        said += worded(import_triggers(paths[0], skill=skill).findings)

    assert said
    assert_chinese(said)


SKILL_CALL = {"type": "tool_used", "tool": "Skill"}
SUITE: Mapping[str, Sequence[Mapping[str, object]]] = {
    "fires": [{**SKILL_CALL, "name": "one", "min": 2}, {"type": "file_exists", "name": "f", "path": "a.md"}],
    "quiet": [{**SKILL_CALL, "name": "none", "max": 0}, {"type": "file_exists", "name": "f", "path": "a.md"}],
    "silent": [{"type": "file_exists", "name": "f", "path": "a.md"}],
    "both": [{**SKILL_CALL, "name": "a", "input_match": "."}, {**SKILL_CALL, "name": "b", "max": 0}],
    "unusable": [{**SKILL_CALL, "name": "a", "input_match": "("}],
    "unwritable": [
        {**SKILL_CALL, "name": "a"},
        {"type": "regex", "name": "r", "pattern": "a", "target": "mock_calls", "weight": 2},
    ],
}


def suite(root: Path, names: Sequence[str] = tuple(SUITE)) -> Path:
    plugin = root / "plugin"
    for name in names:
        folder = plugin / "evals" / name
        folder.mkdir(parents=True)
        (folder / "prompt.md").write_text(f"Do {name}\n", "utf-8")
        (folder / "graders").mkdir()
        for one in SUITE[name]:
            keys = "".join(f"{key}: {json.dumps(value)}\n" for key, value in one.items() if key != "name")
            (folder / "graders" / f"{one['name']}.md").write_text(f"---\n{keys}---\n", "utf-8")
    return plugin


@pytest.mark.parametrize("skill", [None, "maps"])
@pytest.mark.parametrize("names", [tuple(SUITE), ("fires", "quiet"), ("silent",)])
def test_what_import_notes_of_a_suite(tmp_path: Path, names: Sequence[str], skill: str | None) -> None:
    imported = import_files([suite(tmp_path, names)], skill=skill)
    own = [one for one in imported.findings if one.code in {"unknown-skill", "no-triggers"}]
    assert_chinese([*worded(own), *(localized(note, "zh") for note in imported.notes)])


def check(name: str, source: str, text: str | None, params: object = ..., **fields: object) -> list[str]:
    """Say in Chinese what an assertion finds."""
    raw = fields.pop("raw", None)
    row: Mapping[str, Any] = asserting(name, params, source=source, **fields)
    from skill_evaluator.formats.evalcase.building import build_case  # noqa: PLC0415 - of this one
    from skill_evaluator.model import Source  # noqa: PLC0415 - of this one

    case: EvalCase = build_case(row, Source(path="a.jsonl", line=1), locked=False)
    candidate = Candidate(case_id=case.id, text=text or "", raw_response=None if raw is None else str(raw))
    return [localized(one.message, "zh") for one in grade_candidate(case, candidate)]


PAIRS: Sequence[tuple[str, str, str, object, Mapping[str, object]]] = (
    ("required_tokens", "a %s", "b", ..., {}),
    ("required_tokens", "a %s", "%s", ..., {}),
    ("required_tokens", "a %s", "％s", ..., {}),
    ("required_tokens", "a", "é é", ..., {"required_tokens": ["e\u0301", "e\u0301"]}),
    ("required_tokens", "a", "x", ..., {"required_tokens": ["x", "x", "x"]}),
    ("max_chars", "a", "bbbb", {"limit": 2}, {}),
    ("max_chars", "a", "b", {"limit": 2, "unit": "bytes"}, {}),
    ("max_chars", "a", "bbbb", {"limit": 1, "unit": "codepoints"}, {}),
    ("forbidden_renderings", "a", "b c", {"renderings": ["b", {"pattern": "c"}]}, {}),
    ("forbidden_renderings", "a", "bcc", {"renderings": [{"pattern": "c+"}]}, {}),
    ("forbidden_renderings", "a", "x", {"renderings": ["b"]}, {}),
    ("forbidden_renderings", "a", "x" * 40, {"renderings": [{"pattern": "(x+x+)+y"}]}, {}),
    *(
        ("number_fidelity", source, text, ..., fields)
        for source, text, fields in (
            ("5 of 7", "5 de 7", {}),
            ("5 of 7", "5 de 8", {}),
            ("5 of 7", "5", {}),
            ("5", "5 et 8", {}),
            ("1,500", "1.500", {}),
            ("1.5", "1,500", {}),
            ("3/4", "0,75", {}),
            ("-3 degrees", "3 degrés", {}),
            ("3 pm", "15 h", {}),
            ("5 million", "5", {}),
            ("05", "5", {}),
            ("5", "cinq", {}),
            ("7:30", "7 30", {}),
            ("12/31", "31/12", {}),
            ("1½", "1,5", {}),
            ("3", "三", {"target_locale": "zh-Hans"}),
            ("two or 3", "2 ou 3", {}),
        )
    ),
    *(
        ("placeholder_integrity", source, text, params, {})
        for source, text, params in (
            ("a %s", "b %s", ...),
            ("a", "b", ...),
            ("%s %d", "%d", ...),
            ("%s", "%s %s", ...),
            ("%s", "%d", ...),
            ("%s %d", "%d %s", ...),
            ("%s %d", "%d %s", {"syntax": "printf", "allow_reorder": False}),
            ("%s", "% ", {"syntax": "printf"}),
            ("%s", "%", {"syntax": "printf"}),
            ("%s", "%q", {"syntax": "printf"}),
            ("%1$s %s", "a", {"syntax": "printf"}),
            ("%s", "%1$s %s", {"syntax": "printf"}),
            ("%s", "%0$s", {"syntax": "printf"}),
            ("%s", "%hhs", {"syntax": "printf"}),
            ("%(a)s", "%(b)s", {"syntax": "python"}),
            ("%(a)s", "%(a)s %s", {"syntax": "python"}),
            ("%(a)s", "%", {"syntax": "python"}),
            ("%(a)s", "%q", {"syntax": "python"}),
            ("{a}", "{b}", {"syntax": "python"}),
            ("{a}", "{0} {}", {"syntax": "python"}),
            ("{a}", "{a.[}", {"syntax": "python"}),
            ("{a}", "{a!q}", {"syntax": "python"}),
            ("{a}", "{a:{b:{c:{d}}}}", {"syntax": "python"}),
            ("{a}", "}", {"syntax": "python"}),
            ("{a}", "{", {"syntax": "python"}),
            ("{a}", "｛a｝", {"syntax": "python"}),
            ("100% sure", "100% s", ...),
            ("100% of {a", "100 %", ...),
            ("a { b", "{a}", ...),
            ("a {{x}}", "a {{y}}", ...),
            ("%s {a}", "%s l'{a}", ...),
            ("{a} {{b}}", "{a} {{c}}", ...),
            ("%s 50% d", "%s", ...),
            ("%@ a", "b", ...),
            ("{a}", "b", {"syntax": "icu"}),
            ("{a}", "l'{a}", {"syntax": "icu"}),
            ("{a}", "{a} {b}", {"syntax": "icu"}),
            ("{a} {a}", "{a}", {"syntax": "icu"}),
            ("{a} {b}", "{b} {a}", {"syntax": "icu", "allow_reorder": False}),
            ("{a", "b", {"syntax": "icu"}),
            ("{a}", "{", {"syntax": "icu"}),
            ("{a}", "{a ", {"syntax": "icu"}),
            ("{a}", "{a, ", {"syntax": "icu"}),
            ("{a}", "{a, plural}", {"syntax": "icu"}),
            ("{a}", "{a, plural, one {x}}", {"syntax": "icu"}),
            ("{a}", "{a, plural, one {x} one {y} other {z}}", {"syntax": "icu"}),
            ("{a}", "{a, plural, one x}", {"syntax": "icu"}),
            ("{a}", "{a, plural, = {x}}", {"syntax": "icu"}),
            ("{a}", "{a, plural, offset:x other {x}}", {"syntax": "icu"}),
            ("{a}", "{a, number, }", {"syntax": "icu"}),
            ("{a}", "{a, number, 'x", {"syntax": "icu"}),
            ("{a}", "{a, number, x", {"syntax": "icu"}),
            ("{a}", "{a, select, x {" * 60, {"syntax": "icu"}),
            ("{a, zzz, words here}", "{a, zzz, mots}", {"syntax": "icu"}),
            ("{g, select, he {x} other {y}}", "{g, select, she {x} other {y}}", {"syntax": "icu"}),
            ("{g, select, he {x} other {y}}", "{g, select, other {y}}", {"syntax": "icu"}),
            ("{g, select, other {y}}", "{g, select, he {x} other {y}}", {"syntax": "icu"}),
            ("{n, plural, =0 {x} one {# y} other {# z}}", "{n, plural, one {# y} other {# z}}", {"syntax": "icu"}),
            ("{n, plural, one {# y} other {# z}}", "{n, plural, other {# z}}", {"syntax": "icu"}),
            ("{n, plural, one {# y} other {# z}}", "{n, plural, few {# y} other {# z}}", {"syntax": "icu"}),
            (
                "{n, selectordinal, one {# y} other {# z}}",
                "{n, selectordinal, few {# y} other {# z}}",
                {"syntax": "icu"},
            ),
            ("{n, plural, one {# {a}} other {# {a}}}", "{n, plural, one {# x} other {# y}}", {"syntax": "icu"}),
            ("{n, plural, one {# y} other {# z}}", "{n, plural, =1 {un} one {un} other {# z}}", {"syntax": "icu"}),
            ("<a> <b>", "<a>", {"syntax": "custom", "pattern": "<.>"}),
            ("x" * 40, "x" * 40, {"syntax": "custom", "pattern": "(x+x+)+y"}),
        )
    ),
    *(
        ("protocol_complete", "a", "b", params, {"raw": raw})
        for params, raw in (
            ({"expected_items": 2}, '["a", "b"]'),
            ({"expected_items": 2}, '["a"]'),
            ({"expected_items": 3}, '[{"id": 1, "text": "a"}, {"text": "b"}]'),
            ({"expected_items": 1}, '["a", "b"]'),
            ({"expected_items": 2}, ""),
            ({}, None),
            ({"format": "json"}, '["a", 3, ""]'),
            ({"format": "json"}, '[{"id": 1, "id": 2}, "a", {"id": 1}, {"id": 1}]'),
            ({"format": "json"}, '["a"] and more'),
            ({"format": "json"}, 'Here: ["a"]'),
            ({"format": "json"}, '{"a": 1}'),
            ({"format": "json"}, '```json\n["a"]'),
            ({"format": "json"}, '["a" "b"]'),
            ({"format": "json"}, '["a", “b”]'),
            ({"format": "json"}, '["a", NaN]'),
            ({"format": "json"}, '["a'),
            ({"format": "json"}, "[" * 100_000),
            ({"format": "numbered"}, "words\n1. a\n1. b\n2.\n5. c\n3. d"),
            ({"format": "lines"}, '{"a": 1}\n{"b'),
            ({"format": "lines"}, "- a\n-\n- c"),
            ({"format": "tagged"}, '<item id="1">a</item><item id=2>b</item> words <item id="3"></item><item id="4">c'),
            ({"format": "tagged"}, '<item id="1">a<item id="2">b</item></item><item>c</item><item id="1">d</item><ite'),
            ({"format": "tagged"}, '<items><item id="1">a</item>'),
            ({"terminator": "<END>"}, '["a"]'),
            ({"terminator": "<END>"}, '["a"]\n<END>\n<END>'),
            ({"terminator": "<END>"}, '["a"]\n<END> more'),
            ({"terminator": "<END>"}, '["a"]\n<EN'),
            ({"terminator": "<END>"}, '["a"]\n<end>'),
        )
    ),
)


def test_what_assertions_find() -> None:
    said = {message: pair for pair in PAIRS for message in check(pair[0], pair[1], pair[2], pair[3], **dict(pair[4]))}
    assert_chinese(list(said))
    assert all(re.search("[\u4e00-\u9fff]", message) for message in said), said


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: object, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(main([str(one) for one in arguments]))
    printed = capsys.readouterr()
    return int(ended.value.code or 0), printed.out, printed.err


def test_translation_check_speaks_chinese_and_its_json_english(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dev(folder, case_row("a.001"), case_row("a.002"), case_row("a.003", source_locale="fr-FR"))
    locked(folder, case_row("a.004", source="Other %s"))
    write_lines(folder / "c.jsonl", {"case_id": "a.001", "text": "x"}, {"case_id": "zz", "text": "x"})

    status, out, err = run("translation", "check", ".", "c.jsonl", "--lang", "zh", "--without-locked", capsys=capsys)
    assert status == 1
    lines = [line.partition(": {")[0] for line in (out + err).splitlines()]
    assert_chinese([line.replace("required_tokens token_missing", "·") for line in lines])
    assert "译文应含" in out

    _, out, err = run("translation", "check", ".", "c.jsonl", "--lang", "zh", "--json", capsys=capsys)
    assert {one["message"] for one in json.loads(out)} == {
        "The translation should hold '%s' once, but does not hold it."
    }
    assert "未通过" in err


def test_import_speaks_chinese(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_lines(folder / "a.json", json.dumps([trigger("a"), trigger("b", should=False), trigger("a")]))

    status, out, err = run("import", "a.json", "-o", "b.json", "--lang", "zh", capsys=capsys)
    assert (status, out) == (0, "")
    assert_chinese(err.splitlines())
    assert "已写入 b.json：共 2 道题目" in err

    status, _, err = run("import", "a.json", "-o", "b.json", "--lang", "zh", capsys=capsys)
    assert status == 1
    assert "绝不会被覆盖" in err
    assert_chinese(err.splitlines())


def corpus_files(corpus: Path) -> Iterator[Path]:
    yield from sorted((corpus / "triggersets").glob("*/*.json"))
    yield from sorted((corpus / "evalsjson").rglob("*.json"))


def test_real_sets(corpus: Path) -> None:
    said = []
    for path in corpus_files(corpus):
        imported = import_files([path])
        said += [*worded(imported.findings), *(localized(note, "zh") for note in imported.notes)]
    assert said
    # Names of others may be any words, and stand in lists.
    assert all(re.search("[\u4e00-\u9fff]", one) for one in said)


def test_lists_have_the_commas_of_the_language() -> None:
    assert listed(["a", "b"]) == "a, b"
    assert localized(listed(["a", "b"]), "zh") == "a、b"

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from skill_evaluator.formats.skill_md import LoadedSkill, read_skill
from skill_evaluator.model import Finding, Level, Skill


def load(folder: Path, content: bytes | str) -> LoadedSkill:
    path = folder / "SKILL.md"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_skill(path)


def sound(loaded: LoadedSkill) -> Skill:
    assert loaded.skill, loaded.findings
    return loaded.skill


def only_fault(loaded: LoadedSkill) -> Finding:
    assert loaded.skill is None
    (fault,) = [finding for finding in loaded.findings if finding.level is Level.FAIL]
    return fault


PLAIN = "---\nname: map-maker\ndescription: Draws maps. 画地图。\n---\n# Map\n"


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        "\ufeff" + PLAIN,
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        PLAIN.replace("---\n", "---  \n"),
        PLAIN.replace("map-maker", "map-maker # the name"),
        PLAIN.replace("Draws maps. 画地图。", '"Draws maps. 画地图。" # why'),
        PLAIN.replace("Draws maps. 画地图。", "'Draws maps. 画地图。'"),
        PLAIN.replace("Draws maps. 画地图。", ">-\n  Draws maps.\n  画地图。"),
        PLAIN.replace("Draws maps. 画地图。", ">\n  Draws maps.\n  画地图。\n"),
        PLAIN.replace("Draws maps. 画地图。", "|\n  Draws maps. 画地图。\n"),
        PLAIN.replace("Draws maps. 画地图。", "Draws maps.\n  画地图。"),
        PLAIN.replace("Draws maps. 画地图。", '"Draws maps.\n  画地图。"'),
        PLAIN.replace("name: map-maker", "name:\tmap-maker\nextra: [1, {a: b}]\nlicence-note: x"),
    ],
)
def test_every_way_to_write_the_same_skill(tmp_path: Path, content: str) -> None:
    skill = sound(load(tmp_path, content))

    assert (skill.name, skill.description, skill.body) == ("map-maker", "Draws maps. 画地图。", "# Map")


def test_all_fields(tmp_path: Path) -> None:
    content = (
        '---\nname: map-maker\ndescription: Draws maps. Use for "a map". Not for globes.\n'
        'when_to_use: When the user says "chart".\nallowed-tools: Read, Bash(git add:*, git rm:*) Grep\n'
        "metadata:\n  version: 1.10\n---\n\n## When to use\n- an atlas\n\n## When not to use\n- a plan\n"
    )
    skill = sound(load(tmp_path, content))

    assert skill.path == tmp_path / "SKILL.md"
    assert skill.when_to_use == 'When the user says "chart".'
    assert skill.version == skill.version_label == "1.10"
    assert skill.allowed_tools == ("Read", "Bash(git add:*, git rm:*)", "Grep")
    assert skill.triggers == ("a map", "chart", "an atlas")
    assert skill.non_triggers == ("globes", "a plan")
    assert skill.files == ("SKILL.md",)
    assert len(skill.sha256) == 64
    assert skill.body.startswith("## When to use")


@pytest.mark.parametrize(
    ("lines", "version"),
    [
        ("version: 2", "2"),
        ("version: '2.0'", "2.0"),
        ("version: 1.0.3 # note", "1.0.3"),
        ("metadata: {version: 3.20}", "3.20"),
        ("version: 1\nmetadata: {version: 2}", "1"),
        ("version:\nmetadata: {version: 2}", "2"),
        ("version: ~", None),
        ("version: [1]", None),
        ("metadata: x", None),
        ("other: 1", None),
    ],
)
def test_version_is_taken_as_written(tmp_path: Path, lines: str, version: str | None) -> None:
    skill = sound(load(tmp_path, PLAIN.replace("---\n# Map", f"{lines}\n---\n# Map")))

    assert skill.version == version
    assert skill.version_label == version or skill.version_label == skill.sha256[:12]


@pytest.mark.parametrize(
    ("value", "tools"),
    [
        ("Read Grep", ("Read", "Grep")),
        ("[Read, 'Bash(ls *)']", ("Read", "Bash(ls *)")),
        ("\n  - Read\n  - Grep", ("Read", "Grep")),
        ("", None),
        ("{a: b}", None),
        ("'Bash(unclosed, x'", ("Bash(unclosed, x",)),
    ],
)
def test_allowed_tools_are_a_text_or_a_list(tmp_path: Path, value: str, tools: tuple[str, ...] | None) -> None:
    skill = sound(load(tmp_path, PLAIN.replace("---\n# Map", f"allowed-tools: {value}\n---\n# Map")))

    assert skill.allowed_tools == tools


@pytest.mark.parametrize(
    ("content", "code", "line", "words"),
    [
        ("", "skill-frontmatter-missing", 1, "the file is empty"),
        ("# Map\n", "skill-frontmatter-missing", 1, "does not open with a `---` block"),
        ("\n\n" + PLAIN, "skill-frontmatter-missing", 1, "the `---` stands in line 3"),
        ("---\nname: a\ndescription: b\n", "skill-frontmatter-open", 1, "never closed"),
        ("---\n---\nx", "skill-frontmatter-empty", 1, "holds no keys"),
        ("---\n- a\n---\nx", "skill-frontmatter-empty", 1, "holds no keys"),
        (b"---\nname: a\ndescription: \xff\n---\n", "not-utf8", 3, "byte 0xff"),
        (PLAIN.encode("utf-16"), "not-utf8", 1, "UTF-16"),
        ("---\ndescription: b\n---\nx", "skill-name", 1, "'name' is missing"),
        ("---\nName: a\ndescription: b\n---\nx", "skill-name", 1, "rename 'Name' to 'name'"),
        ("---\nname: a\ndescription:\n---\nx", "skill-description", 3, "'description' is empty"),
        ("---\nname: a\ndescription: ' '\n---\nx", "skill-description", 3, "'description' is empty"),
        ("---\nname: 7\ndescription: b\n---\nx", "skill-name", 2, "a number, not text; put it in double quotes"),
        ("---\nname: a\ndescription: [b]\n---\nx", "skill-description", 3, "a list, not text"),
        ("---\nname: a\nname: b\ndescription: c\n---\n", "skill-frontmatter-yaml", 3, "stands twice (first in line 2)"),
        ("---\nname: a\ndescription: Use when: x\n---\n", "skill-frontmatter-yaml", 3, "'description' holds ': '"),
        ("---\nname: a\ndescription: b\n  c: d\n---\n", "skill-frontmatter-yaml", 4, "'description' holds ': '"),
        ('---\nname: a\ndescription: "b" c\n---\n', "skill-frontmatter-yaml", 3, "goes on after a closing quote"),
        ("---\nname: a\ndescription: 'Don't'\n---\n", "skill-frontmatter-yaml", 3, "goes on after a closing quote"),
        ('---\nname: a\ndescription: "b\n---\n', "skill-frontmatter-yaml", 3, "never closed"),
        ("---\nname: a\ndescription: b\nc d\n---\n", "skill-frontmatter-yaml", 4, "not indented"),
        ("---\nname: a\n\tdescription: b\n---\n", "skill-frontmatter-yaml", 3, "indented with a tab"),
        ("---\nname: a\ndescription: @b\n---\n", "skill-frontmatter-yaml", 3, "YAML keeps for itself"),
        ("---\nname: a\ndescription: *b* c\n---\n", "skill-frontmatter-yaml", 3, "YAML keeps for itself"),
        ("---\nname: a\ndescription: - b\n---\n", "skill-frontmatter-yaml", 3, "starts like a list item"),
        ("---\nname: a\nx: !!python/name:os.system\n---\n", "skill-frontmatter-yaml", 3, "no valid YAML"),
    ],
)
def test_what_cannot_work_is_one_fault_with_its_line(
    tmp_path: Path, content: bytes | str, code: str, line: int, words: str
) -> None:
    fault = only_fault(load(tmp_path, content))

    assert (fault.code, fault.line, fault.file) == (code, line, str(tmp_path / "SKILL.md"))
    assert words in fault.message


def test_all_faults_are_said_at_once(tmp_path: Path) -> None:
    loaded = load(tmp_path, "---\nname:\ndescription: 3\n---\n")

    assert [finding.code for finding in loaded.findings if finding.level is Level.FAIL] == [
        "skill-name",
        "skill-description",
    ]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("map-maker", "Map Maker", "skill-name-style"),
        ("map-maker", "m" * 65, "skill-name-long"),
        ("Draws maps.", "Draws " + "many " * 250 + "maps.", "skill-description-long"),
        ("Draws maps.", "Draws <b>maps</b>.", "skill-angle-brackets"),
        ("Draws maps.", "Use for any request.", "catch-all-description"),
        ("Draws maps. 画地图。", "Draws maps #7 and more", "skill-comment-in-description"),
        ("---\n# Map", "allowed_tools: Read\n---\n# Map", "skill-unknown-key"),
        ("---\n# Map", "verson: 1\n---\n# Map", "skill-unknown-key"),
        ("---\n# Map", "disable-model-invocation: true\n---\n# Map", "skill-manual-only"),
        ("---\n# Map", "version: [1]\n---\n# Map", "skill-value-type"),
        ("# Map\n", "\n", "skill-body-empty"),
    ],
)
def test_what_is_only_doubtful_is_a_warning(tmp_path: Path, old: str, new: str, code: str) -> None:
    assert not load(tmp_path, PLAIN).findings
    loaded = load(tmp_path, PLAIN.replace(old, new))

    (finding,) = loaded.findings
    assert sound(loaded).name
    assert (finding.level, finding.code) == (Level.WARN, code)


def test_unknown_keys_are_nobodys_affair(tmp_path: Path) -> None:
    extra = "tags: [x]\ntag: x\nauthor: y\ndispatcher-layer: z\nmetadata: {a: {b: c}}\nicon: 🗺\n"

    assert not load(tmp_path, PLAIN.replace("---\n# Map", f"{extra}---\n# Map")).findings


def test_a_folder_stands_for_its_skill_md(tmp_path: Path) -> None:
    skill = sound(load(tmp_path, PLAIN))

    assert read_skill(tmp_path).skill == skill
    assert only_fault(read_skill(tmp_path / "SKIL.md")).message.endswith(f"did you mean {str(skill.path)!r}?")
    assert only_fault(read_skill(tmp_path / "a" / "b")).code == "not-found"
    assert only_fault(read_skill(tmp_path / ("x" * 300))).code == "unreadable"
    assert only_fault(read_skill(tmp_path / "a\0b")).code == "not-found"


def test_another_file_name_is_doubtful(tmp_path: Path) -> None:
    path = tmp_path / "draft.md"
    path.write_text(PLAIN, encoding="utf-8")
    loaded = read_skill(path)

    assert sound(loaded).files == ("draft.md",)
    assert [finding.code for finding in loaded.findings] == ["skill-file-name"]


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    assert only_fault(load(tmp_path, PLAIN + "x" * 1024 * 1024)).code == "too-large"


def test_every_real_skill_loads(corpus: Path) -> None:
    """Descriptions are compared with PyYAML's own reading, which agrees on plain texts."""
    paths = sorted(corpus.glob("**/SKILL.md"))
    assert len(paths) >= 15
    for path in paths:
        loaded = read_skill(path)
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        expected = yaml.safe_load(text.split("\n---\n")[0].removeprefix("---\n"))
        skill = sound(loaded)

        assert (skill.name, skill.description) == (expected["name"], expected["description"].strip()), path
        assert not {finding.code for finding in loaded.findings} - {
            *("skill-name-style", "skill-angle-brackets", "skill-description-long"),
        }, path


HEADED = st.text(max_size=40).map(lambda text: f"---\nname: a\ndescription: b\n{text}\n---\n{text}")


@given(content=st.binary(max_size=200) | HEADED.map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.getbasetemp() / "any-skill"
    folder.mkdir(exist_ok=True)
    loaded = load(folder, content)

    assert (loaded.skill is None) == any(finding.level is Level.FAIL for finding in loaded.findings)
    assert all(str(finding) for finding in loaded.findings)

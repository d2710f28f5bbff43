"""The TOML file of the command agent: read strictly, every fault at once."""

import re
from pathlib import Path

import pytest

from skill_evaluator.agents import AGENTS, AgentSetup
from skill_evaluator.agents.command_reader import read_config
from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Level
from tests.unit.command_setup import case_of, config, skill_at

SOUND = 'argv = ["agent", "{prompt}"]\nformat = "jsonl"\n[read]\nskill = "name"\n'


def faults(folder: Path, text: str | bytes) -> list[Finding]:
    path = folder / "agent.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        read_config(path)
    assert all(fault.file == str(path) for fault in caught.value.findings)
    return list(caught.value.findings)


def test_a_sound_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "agent.toml"
    path.write_text(
        """
argv = ["codex", "--model", "{model}", "-"]
stdin = "prompt"
format = "jsonl"
timeout_s = 60
model = "m1"
env = { CODEX_HOME = "{home}/.codex" }
env_from = ["OPENAI_API_KEY"]
skills_dir = "home/.codex/skills"
[read]
skill = "type == 'skill' && name"
text_mode = "joined"
usage_mode = "sum"
[errors]
rate_limit = ["Rate Limit"]
""",
        "utf-8",
    )

    read = read_config(path)

    assert (read.argv, read.stdin, read.format) == (("codex", "--model", "{model}", "-"), "prompt", "jsonl")
    assert (read.timeout_s, read.model, read.skills_dir) == (60.0, "m1", "home/.codex/skills")
    assert (read.env, read.env_from) == ({"CODEX_HOME": "{home}/.codex"}, ("OPENAI_API_KEY",))
    assert (read.reading.joined, read.reading.summed, read.reading.listed) == (True, True, None)
    assert read.errors["rate_limit"] == ("rate limit",)  # type: ignore[index]
    assert read.reading.skill is not None
    assert read.reading.skill.search({"type": "skill", "name": "x"}) == "x"


def test_every_example_of_the_page_is_sound(tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "agents.md").read_text("utf-8")
    examples = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)

    assert len(examples) == 6
    for example in examples:
        (tmp_path / "agent.toml").write_text(example, "utf-8")
        assert read_config(tmp_path / "agent.toml").argv


def test_what_may_be_left_out_has_the_usual_value(tmp_path: Path) -> None:
    path = tmp_path / "agent.toml"
    path.write_bytes(b"\xef\xbb\xbf" + SOUND.replace("\n", "\r\n").encode())

    read = read_config(path)

    assert (read.stdin, read.timeout_s, read.model, read.skills_dir) == ("none", 300.0, None, "skills")


@pytest.mark.parametrize(
    ("old", "new", "pointer", "words"),
    [
        ('argv = ["agent", "{prompt}"]', "", "argv", "is missing; expected the program"),
        ('["agent", "{prompt}"]', "[]", "argv", "[] does not fit"),
        ('["agent", "{prompt}"]', '"agent {prompt}"', "argv", "'agent {prompt}' does not fit; expected the program"),
        ('["agent", "{prompt}"]', '["agent", 3]', "argv", "does not fit"),
        ('"{prompt}"]', '"x"]', "argv", "nothing hands over the prompt"),
        ('"{prompt}"]', '"{promt}", "{prompt}"]', "argv", "unknown placeholder {promt}; did you mean {prompt}?"),
        ('"{prompt}"]', '"{zzz}", "{prompt}"]', "argv", "unknown placeholder {zzz}; known are {prompt},"),
        ('["agent", "{prompt}"]', '["{prompt}"]', "argv", "the program itself cannot be the prompt"),
        ('format = "jsonl"', "", "format", "is missing; expected"),
        ('"jsonl"', '"xml"', "format", "'xml' does not fit; expected \"jsonl\", \"json\" or \"text\""),
        ("[read]", 'stdin = "yes"\n[read]', "stdin", "'yes' does not fit"),
        ("[read]", "timeout_s = 0\n[read]", "timeout_s", "0 does not fit; expected seconds above 0"),
        ("[read]", "timeout_s = inf\n[read]", "timeout_s", "inf does not fit"),
        ("[read]", "timeout_s = true\n[read]", "timeout_s", "True does not fit"),
        ("[read]", 'model = ""\n[read]', "model", "'' does not fit"),
        ("[read]", "env = { A = 1 }\n[read]", "env", "does not fit; expected a table of names and texts"),
        ("[read]", 'env = { "A=B" = "1" }\n[read]', "env.A=B", "no name of a variable"),
        ("[read]", 'env = { A = "{prompt}" }\n[read]', "env.A", "unknown placeholder {prompt}"),
        ("[read]", 'env_from = ["A B"]\n[read]', "env_from", "no name of a variable"),
        ("[read]", 'skills_dir = "../x"\n[read]', "skills_dir", "'../x' does not fit"),
        ("[read]", 'skills_dir = "/x"\n[read]', "skills_dir", "'/x' does not fit"),
        ("[read]", 'skills_dir = "tmp/x"\n[read]', "skills_dir", "'tmp/x' does not fit"),
        ("[read]", "timeout = 3\n[read]", "timeout", "unknown key 'timeout'; did you mean 'timeout_s'?"),
        ('skill = "name"', 'skil = "name"\nskill = "a"', "read.skil", "unknown key 'skil'; did you mean 'skill'?"),
        ('skill = "name"', 'skill = "type = 1"', "read.skill", "'type = 1' is no JMESPath expression"),
        ('skill = "name"', "skill = 3", "read.skill", "3 does not fit; expected a JMESPath expression"),
        ('skill = "name"', 'text = "name"', "read", "nothing would say which skill fired"),
        ('skill = "name"', 'skill = "a"\ntool_results = "b"', "read.tool_results", "results belong to calls"),
        ('skill = "name"', 'skill = "a"\ntext_mode = "all"', "read.text_mode", "'all' does not fit"),
        ('skill = "name"', 'skill = "a"\nskill_pattern = "(?P<skill>a)"', "read.skill_pattern", "is for format"),
        ('[read]\nskill = "name"', 'read = "x"', "read", "'x' does not fit"),
        ('skill = "name"', 'skill = "a"\n[errors]\nauht = ["401"]', "errors.auht", "did you mean 'auth'?"),
        ('skill = "name"', 'skill = "a"\n[errors]\nauth = "401"', "errors.auth", "'401' does not fit"),
    ],
)  # fmt: skip
def test_a_fault_says_where_what_and_what_to_do(tmp_path: Path, old: str, new: str, pointer: str, words: str) -> None:
    assert old in SOUND
    found = faults(tmp_path, SOUND.replace(old, new))

    assert [fault.pointer for fault in found if words in fault.message] == [pointer], found


@pytest.mark.parametrize(
    ("read", "pointer", "words"),
    [
        ("", "read.skill_pattern", "is missing, so nothing would say which skill fired"),
        ("skill_pattern = 'Using (.*)'", "read.skill_pattern", "has no group (?P<skill>...)"),
        ("skill_pattern = '(?P<skill>'", "read.skill_pattern", "is no regular expression"),
        ("skill_pattern = '(?P<skill>a)'\ntext = 'x'", "read.text", "the format is text"),
    ],
)
def test_plain_text_needs_a_pattern(tmp_path: Path, read: str, pointer: str, words: str) -> None:
    text = f'argv = ["agent", "{{prompt}}"]\nformat = "text"\n[read]\n{read}\n'

    (fault,) = faults(tmp_path, text)

    assert fault.pointer == pointer
    assert words in fault.message


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    found = faults(tmp_path, 'argv = ["a"]\nformat = "x"\nzzz = 1\n[read]\nskill = "("\n[errors]\nauth = 1\n')

    assert {fault.pointer for fault in found} == {"argv", "format", "zzz", "read.skill", "errors.auth"}


@pytest.mark.parametrize(
    ("raw", "line", "words"),
    [
        (b'argv = ["a"]\nformat = \n', 2, "is no TOML"),
        (b"\xff\xfe", None, "is not UTF-8"),
        (b"#" * (1024 * 1024 + 1), None, "is larger than"),
    ],
)
def test_what_is_no_toml_is_said_so(tmp_path: Path, raw: bytes, line: int | None, words: str) -> None:
    (fault,) = faults(tmp_path, raw)

    assert (fault.line, words in fault.message) == (line, True)


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            read_config(path)


def refused(skill_dir: Path, path: Path, prompt: str = "design a level", **options: object) -> list[Finding]:
    """Make the agent, as a run would; give what it refuses or doubts."""
    case = case_of(prompt)
    setup = AgentSetup(
        skill=skill_at(skill_dir), cases=[case], testset=[case], seed=0, agent_config=path, **options,  # type: ignore[arg-type]
    )  # fmt: skip
    try:
        agent = AGENTS["command"].factory(setup)
    except InputError as error:
        return list(error.findings)
    return list(getattr(agent, "findings", ()))


def test_a_model_that_would_not_reach_the_program_is_refused(skill_dir: Path, tmp_path: Path) -> None:
    (fault,) = refused(skill_dir, config(tmp_path), model="m2")

    assert "'m2' would change nothing" in fault.message


def test_a_model_that_is_asked_for_has_to_be_named(skill_dir: Path, tmp_path: Path) -> None:
    path = config(tmp_path, prompt='"{prompt}", "{model}"')
    (fault,) = refused(skill_dir, path)

    assert "no model is named" in fault.message
    assert refused(skill_dir, path, model="m2") == []


def test_two_skills_of_one_name_cannot_stand_side_by_side(skill_dir: Path, tmp_path: Path) -> None:
    (fault,) = refused(skill_dir, config(tmp_path), neighbours=[skill_at(skill_dir)])

    assert "has the same name" in fault.message


@pytest.mark.parametrize(
    ("prompt", "code", "level"),
    [
        ("-x level", "prompt-looks-like-option", Level.WARN),
        ("a\0level", "prompt-holds-nul", Level.FAIL),
        ("level " * 30_000, "prompt-too-long", Level.FAIL),
    ],
)
def test_prompts_that_no_argument_can_carry_are_told_before_anything_is_run(
    skill_dir: Path, tmp_path: Path, prompt: str, code: str, level: Level
) -> None:
    (finding,) = refused(skill_dir, config(tmp_path), prompt)

    assert (finding.code, finding.level, finding.case) == (code, level, "c1")
    assert refused(skill_dir, config(tmp_path, "well", prompt='"--", "{prompt_file}"'), prompt) == []


def test_a_dash_after_two_dashes_is_no_option(skill_dir: Path, tmp_path: Path) -> None:
    assert refused(skill_dir, config(tmp_path, prompt='"--", "{prompt}"'), "-x level") == []

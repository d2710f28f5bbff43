"""The probe skill is a sound skill that no request asks for by chance."""

from pathlib import Path

from skill_evaluator.api.probe import probe_skill
from skill_evaluator.formats.skill_md import read_skill


def test_the_probe_is_a_sound_skill_without_a_doubt() -> None:
    probe = probe_skill()

    assert probe.name == "brindlewick-tide-word"
    assert probe.files == ("SKILL.md",)
    assert read_skill(probe.path).findings == ()
    assert "Use it only when the request names" in probe.description
    assert "amberlock" in probe.body


def test_the_probe_reads_the_same_where_the_program_lies_in_an_ignored_folder(tmp_path: Path) -> None:
    """A virtual environment usually is one."""
    (tmp_path / ".gitignore").write_text(".venv/\n", "utf-8")
    (tmp_path / ".git").mkdir()
    folder = tmp_path / ".venv" / "probe" / "brindlewick-tide-word"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_bytes(probe_skill().path.read_bytes())

    copied = read_skill(folder).skill
    assert copied is not None
    assert (copied.sha256, copied.files) == (probe_skill().sha256, ("SKILL.md",))

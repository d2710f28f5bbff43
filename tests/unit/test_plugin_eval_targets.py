"""What a target means: a path, or a plugin that Claude Code has installed."""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from skill_evaluator.api.plugin_eval.installed import find_installed, installed_ids
from skill_evaluator.api.plugin_eval.targets import find_target, results_dir
from skill_evaluator.errors import EvaluatorError
from tests.suite_files import MANIFEST, SOUND, lay_out


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with nothing in it, and an empty working folder."""
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    for name in ("CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(work)
    return home


def write_json(file: Path, content: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content), "utf-8")


def install(folder: Path, **plugins: object) -> None:
    """Write the records of installed plugins, as `claude plugin install` writes them."""
    records = {name.replace("_at_", "@"): [record] for name, record in plugins.items()}
    write_json(folder / "plugins" / "installed_plugins.json", {"version": 2, "plugins": records})


def offer(folder: Path, name: str, place: Path, source: str, *entries: Mapping[str, object]) -> None:
    """Write the record of a marketplace and its catalog."""
    file = folder / "plugins" / "known_marketplaces.json"
    known = json.loads(file.read_text("utf-8")) if file.exists() else {}
    write_json(file, {**known, name: {"source": {"source": source}, "installLocation": str(place)}})
    write_json(place / ".claude-plugin" / "marketplace.json", {"name": name, "plugins": list(entries)})


def copy_of(home: Path) -> Path:
    return lay_out(home / ".claude" / "plugins" / "cache" / "port" / "harbour" / "0.1.0", SOUND)


def test_a_path_is_taken_as_it_is(home: Path) -> None:
    for text in (".", "..", "evals/c", "./harbour", "/nowhere", "harbour"):
        target = find_target(text)
        assert (target.path, target.plugin, target.is_named) == (Path(text), None, False)
    assert find_target("").path == Path()
    assert home.is_dir()


def test_a_plugin_of_a_marketplace_elsewhere_is_read_from_its_copy(home: Path) -> None:
    copy = copy_of(home)
    install(home / ".claude", harbour_at_port={"scope": "user", "installPath": str(copy)})
    offer(home / ".claude", "port", home / "clone", "github", {"name": "harbour", "source": "./harbour"})
    for text in ("harbour", "harbour@port"):
        target = find_target(text)
        assert (target.path, target.plugin, target.label) == (copy, copy, "harbour@port")


@pytest.mark.parametrize("kind", ["directory", "file"])
def test_a_plugin_of_a_marketplace_on_this_machine_is_read_in_place(home: Path, kind: str) -> None:
    install(home / ".claude", harbour_at_port={"scope": "user", "installPath": str(copy_of(home))})
    offer(home / ".claude", "port", home / "market", kind, {"name": "harbour", "source": "./plugins/harbour"})
    assert find_target("harbour").path == home / "market" / "plugins" / "harbour"


def test_a_root_of_plugins_in_the_catalog_counts_for_sources_without_a_dot(home: Path) -> None:
    install(home / ".claude", harbour_at_port={"installPath": str(copy_of(home))})
    offer(home / ".claude", "port", home / "market", "directory")
    catalog = home / "market" / ".claude-plugin" / "marketplace.json"
    for source, inside in (("harbour", "plugins/harbour"), ("./harbour", "harbour")):
        plugins = [{"name": "harbour", "source": source}]
        write_json(catalog, {"name": "port", "metadata": {"pluginRoot": "./plugins"}, "plugins": plugins})
        assert find_target("harbour").path == home / "market" / inside


@pytest.mark.parametrize("source", [{"source": "github", "repo": "a/b"}, "../elsewhere", None])
def test_what_a_folder_offers_from_elsewhere_is_read_from_its_copy(home: Path, source: object) -> None:
    copy = copy_of(home)
    install(home / ".claude", harbour_at_port={"installPath": str(copy)})
    offer(home / ".claude", "port", home / "market", "directory", {"name": "harbour", "source": source})
    assert find_target("harbour").path == copy


@pytest.mark.parametrize(
    ("catalog", "said"),
    [
        (None, "cannot be read"),
        ("{", "cannot be read"),
        ('{"plugins": []}', "no longer lists it"),
        ('{"plugins": {"harbour": 1}}', "no longer lists it"),
    ],
)
def test_a_plugin_that_no_session_could_load_is_refused(home: Path, catalog: str | None, said: str) -> None:
    install(home / ".claude", harbour_at_port={"installPath": str(copy_of(home))})
    offer(home / ".claude", "port", home / "market", "directory", {"name": "harbour", "source": "./harbour"})
    file = home / "market" / ".claude-plugin" / "marketplace.json"
    file.unlink() if catalog is None else file.write_text(catalog, "utf-8")
    with pytest.raises(EvaluatorError, match=f"harbour@port: no session could load it: .*{said}"):
        find_target("harbour")


def test_a_plugin_without_a_noted_copy_is_refused(home: Path) -> None:
    install(home / ".claude", harbour_at_port={"scope": "user"})
    with pytest.raises(EvaluatorError, match="install it again"):
        find_target("harbour@port")


def test_a_name_of_several_plugins_must_say_which(home: Path) -> None:
    install(home / ".claude", harbour_at_port={"installPath": "/a"}, harbour_at_dock={"installPath": "/b"})
    with pytest.raises(EvaluatorError, match="harbour@port, harbour@dock"):
        find_target("harbour")
    assert find_target("harbour@dock").path == Path("/b")
    assert find_target("Harbour").is_named is False


def test_an_installed_plugin_wins_over_a_folder_of_its_name(home: Path) -> None:
    install(home / ".claude", harbour_at_port={"installPath": str(copy_of(home))})
    Path("harbour").mkdir()
    assert find_target("harbour").is_named
    assert not find_target("./harbour").is_named


def test_the_copy_for_this_project_comes_first_then_the_users(home: Path) -> None:
    here = str(Path.cwd())
    records = [
        {"installPath": "/other", "projectPath": "/elsewhere"},
        {"installPath": "/user"},
        {"installPath": "/mine", "projectPath": here},
    ]
    file = home / ".claude" / "plugins" / "installed_plugins.json"
    for kept, path in ((records, "/mine"), (records[:2], "/user"), (records[:1], "/other")):
        write_json(file, {"plugins": {"harbour@port": kept}})
        assert find_target("harbour").path == Path(path)


def test_a_plugin_of_a_skills_directory_is_called_as_its_manifest_has_it(home: Path) -> None:
    root = lay_out(home / ".claude" / "skills" / "folder-name", SOUND)
    lay_out(home / ".claude" / "skills" / "plain-skill", {"SKILL.md": "---\nname: a\n---\n"})
    assert installed_ids() == ("harbour@skills-dir",)
    assert find_target("harbour@skills-dir").path == root
    assert find_target("harbour").path == root
    assert find_installed("folder-name") is None


def test_a_plugin_of_a_projects_skills_directory_needs_trust_in_the_project(home: Path) -> None:
    root = lay_out(Path.cwd() / ".claude" / "skills" / "harbour", SOUND)
    assert find_target("harbour@skills-dir").is_named is False
    write_json(home / ".claude.json", {"projects": {str(Path.cwd()): {"hasTrustDialogAccepted": True}}})
    assert find_target("harbour@skills-dir").path == root


def test_another_folder_of_configuration_is_heard(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "other"))
    install(home / "other", harbour_at_port={"installPath": "/copy"})
    assert find_target("harbour").path == Path("/copy")


@pytest.mark.parametrize("content", ["", "[]", "{", '{"plugins": []}', '{"plugins": {"harbour@port": 1}}', "[" * 99999])
def test_records_that_are_damaged_do_no_harm(home: Path, content: str) -> None:
    file = home / ".claude" / "plugins" / "installed_plugins.json"
    file.parent.mkdir(parents=True)
    file.write_text(content, "utf-8")
    try:
        assert not find_target("harbour").is_named
    except EvaluatorError as error:
        assert "install it again" in str(error)


def test_results_of_a_named_plugin_go_below_the_working_folder(home: Path) -> None:
    install(home / ".claude", harbour_at_port={"installPath": "/copy"})
    named, path = find_target("harbour"), find_target("plugin")
    assert results_dir(named, Path("/copy/quality"), None, "now") == Path("evals/results/now")
    assert results_dir(named, Path("/copy/qa/x"), "qa/x", "now") == Path("qa/x/results/now")
    assert results_dir(path, Path("plugin/quality"), None, "now") == Path("plugin/quality/results/now")


def test_what_the_real_program_installs_is_found(home: Path, claude_program: Path) -> None:
    market = home / "market"
    lay_out(market / "plugins" / "harbour", SOUND)
    entry = {"name": "harbour", "source": "./plugins/harbour", "description": "tides"}
    catalog = {"name": "port", "owner": {"name": "x"}, "plugins": [entry]}
    write_json(market / ".claude-plugin" / "marketplace.json", catalog)
    lay_out(home / ".claude" / "skills" / "quay", {".claude-plugin/plugin.json": MANIFEST.replace("harbour", "quay")})
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "DISABLE_AUTOUPDATER": "1"}
    environment["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"] = "1"
    for words in (["marketplace", "add", str(market)], ["install", "harbour@port"]):
        subprocess.run([claude_program, "plugin", *words], env=environment, check=True, timeout=60, capture_output=True)
    assert installed_ids() == ("harbour@port", "quay@skills-dir")
    assert find_target("harbour").path == market / "plugins" / "harbour"
    known = home / ".claude" / "plugins" / "known_marketplaces.json"
    known.unlink()
    assert find_target("harbour").path == home / ".claude" / "plugins" / "cache" / "port" / "harbour" / "0.1.0"

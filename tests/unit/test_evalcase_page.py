"""What docs/formats.md says of translation cases is so."""

import json
import re
from pathlib import Path

from skill_evaluator.formats.evalcase import keys, params
from skill_evaluator.formats.evalcase.reading import open_cases
from tests.case_rows import case_folder

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "formats.md").read_text("utf-8")
SECTION = PAGE.partition("### Folder, manifest and cases")[2].partition("\n### ")[0]
CHAPTER = PAGE.partition("## Translation cases\n")[2].partition("\n## ")[0]


def example(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", SECTION, re.DOTALL)
    return str(found)


def test_the_example_is_read(tmp_path: Path) -> None:
    manifest, cases = example("yaml").encode(), example("jsonl").encode()
    folder = case_folder(tmp_path, {"manifest.yaml": manifest, "cases/dev/a.jsonl": cases})

    assert not open_cases(folder).findings
    assert set(json.loads(cases)) == set(keys.CASE)


def test_every_field_name_and_param_is_there() -> None:
    words = {*keys.CASE, *keys.ASSERTION, *keys.PROVENANCE, *keys.MANIFEST, *keys.KINDS, *keys.NAMES}
    words |= {word for known in params.EXPECTED.values() for word in known}

    assert all(re.search(rf"\b{word}\b", SECTION) for word in words)


def test_every_code_is_there() -> None:
    sources = [path.read_text("utf-8") for path in (ROOT / "skill_evaluator/formats/evalcase").glob("*.py")]
    codes = {code for text in sources for code in re.findall(r'(?:code=|fault\(|doubt\()"([a-z0-9-]+)"', text)}

    assert len(codes) > 30
    assert all(f"`{code}`" in CHAPTER for code in codes), sorted(code for code in codes if f"`{code}`" not in CHAPTER)

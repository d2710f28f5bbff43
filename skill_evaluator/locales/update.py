"""Brings the catalogues up to date with the code: `python -m skill_evaluator.locales.update`.

New templates are added without words, and those that are gone are dropped; a test fails until every one has words.
"""

import ast
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

_PACKAGE = Path(__file__).parent.parent
Key = str | tuple[str, str]


def templates() -> Mapping[str, tuple[Key, ...]]:
    """All templates that the code says, by the name of their catalogue: that of the package or module they stand in."""
    found: dict[str, dict[Key, None]] = {}
    for path in sorted(_PACKAGE.rglob("*.py")):
        name = path.relative_to(_PACKAGE).parts[0].removesuffix(".py")
        for key in _keys(ast.parse(path.read_text("utf-8"))):
            found.setdefault(name, {})[key] = None
    return {name: tuple(keys) for name, keys in found.items()}


def _keys(tree: ast.Module) -> Iterator[Key]:
    """Give the templates of a module in their order; Babel's own reader passes over calls inside of other calls."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        literals = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        match call.func, literals:
            case ast.Name(id="tr"), [key, *_]:
                yield key
            case ast.Name(id="ntr"), [one, many, *_]:
                yield one, many
            case _:
                pass


def updated(language: str) -> Iterator[tuple[Path, str]]:
    """Give each catalogue of a language as it should be, with its path."""
    folder = Path(__file__).parent / language
    for name, keys in templates().items():
        path = folder / f"{name}.po"
        yield path, _text(_catalogue(path, keys, language))


def _catalogue(path: Path, keys: tuple[Key, ...], language: str) -> Catalog:
    old = Catalog(locale=language)
    if path.exists():
        with path.open(encoding="utf-8") as file:
            old = read_po(file, locale=language)
    new = Catalog(locale=language, fuzzy=False)
    for key in keys:
        known = old.get(key)
        new.add(key, known.string if known is not None else "", flags=["python-brace-format"])
    return new


def _text(catalogue: Catalog) -> str:
    """Write a catalogue without the heads that change with every machine and minute."""
    buffer = BytesIO()
    write_po(buffer, catalogue, width=0, omit_header=True, sort_output=False)
    head = 'msgid ""\nmsgstr ""\n"Language: zh\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    return head + '"Plural-Forms: nplurals=1; plural=0;\\n"\n\n' + buffer.getvalue().decode().strip() + "\n"


def main() -> None:
    """Write the catalogues."""
    for path, text in updated("zh"):
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()

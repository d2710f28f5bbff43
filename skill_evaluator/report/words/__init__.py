"""All words that reports say, by language and key such as `note.f1_below`; the keys are the same in every language.

Each is a Jinja template over the values it names, rendered by `phrases`, which makes the values safe.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal

Lang = Literal["en", "zh"]


@cache
def words(lang: Lang) -> Mapping[str, str]:
    """All templates of one language, by `family.code`."""
    families = tomllib.loads((Path(__file__).parent / f"{lang}.toml").read_text("utf-8"))
    return MappingProxyType(
        {f"{family}.{code}": text for family, texts in families.items() for code, text in texts.items()}
    )


__all__ = ["Lang", "words"]

"""English left over in what is said in Chinese, for tests."""

import re

# What may stand as it is, whatever the language: quoted text, code, paths and dotted keys, options, numbers, names.
_QUOTED = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|"[^"]*\.\.\.|`[^`]*`|“[^”]*”""")
_PLACE = re.compile(r"[^\s，。；：、（）“”]*[/.<>_\\][^\s，。；：、（）“”]*|--[a-z-]+")
_NUMBER = re.compile(r"\d[\d,.]*")
_NAMES = re.compile(r"JSON|YAML|UTF-8|UTF-16|MCP|Claude Code|JavaScript|SKILL\.md|Linux|Errno")
_ROW = re.compile(r"[A-Za-z]{2,}[ ,;:!?]+[A-Za-z]{2,}")


def english_in(text: str) -> str | None:
    """Give two English words that stand in a row where no text of others is quoted; None where there are none.

    >>> english_in("文件 'a b' 不存在；check the path"), english_in("请写 `type: fixed` 或 --mocks off")
    ('check the', None)
    """
    for pattern in (_QUOTED, _PLACE, _NUMBER, _NAMES):
        text = pattern.sub(" 、 ", text)
    found = _ROW.search(text)
    return found[0] if found else None

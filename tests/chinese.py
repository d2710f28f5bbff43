"""English left over in what is said in Chinese, for tests."""

import re
from collections.abc import Iterable, Mapping

# What may stand as it is, whatever the language: quoted and cut text, code, `<what to write>`, values of templates.
_QUOTED = re.compile(
    r"```.*?```|`[^`]*`|“[^”]*”|‘[^’]*’|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|\"[^\"]*\.\.\.|<[^<>]*>|\{[^{}]*\}"
)
# Names that no language translates, and commands that somebody is told to type.
_NAMES = re.compile(
    r"Agent Skill|(?:PASS|FAIL) if|JUnit XML|BCP-47|Claude Code|EvalCase v1|ICU|JSON Lines|JSON|JavaScript|Linux|MCP"
    r"|Messages API|Python|SPDX|UTF-8|UTF-16|Unicode|YAML|npm (?:install|test)|pip install|printf|Errno"
    r"|skill-evaluator(?: [a-z][a-z-]*)*"
)
# Options, variables, paths, dotted and snake_case keys, numbers.
_TYPED = re.compile(
    r"--?[a-z][\w-]*|\b[A-Z][A-Z_]+\b|[^\s，。；：、（）“”|]*[/.<>_\\@][^\s，。；：、（）“”|]*|\d[\d,.]*"
)
# Commas part names of a list, and wide gaps part columns; words of a sentence stand one blank apart.
_IN_A_ROW = re.compile(r"[A-Za-z]{2,}(?:'[a-z]+)?(?: [A-Za-z]{2,}(?:'[a-z]+)?)+")


def english_in(text: str) -> list[str]:
    """Give the English words that stand in a row where nothing is quoted, named or to be typed.

    >>> english_in("文件 'a b' 不存在；check the path"), english_in("请写 `type: fixed` 或 --mocks off")
    (['check the path'], [])
    """
    for pattern in (_QUOTED, _NAMES, _TYPED):
        text = pattern.sub(" · ", text)
    return _IN_A_ROW.findall(text)


def english_left(texts: Iterable[str]) -> Mapping[str, list[str]]:
    """Give the texts with English in them, each with that English; empty where all of them are Chinese."""
    return {text: found for text in texts if (found := english_in(text))}

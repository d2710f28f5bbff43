"""Chinese words have a space before and after Latin ones, and none among themselves: where values are put in, too.

Whoever writes a sentence cannot know which of the two a value begins with that is a sentence of ours itself.
"""

import re

_OWN, _OTHERS = "\ufdd0", "\ufdd1"  # edges of sentences of ours, and of values that stay as they are; no characters
_HAN = "\u3400-\u9fff"
_CHINESE = f"{_HAN}\u3001\u3002\u2018-\u201d\uff01-\uff1f"  # with its punctuation
_RULES = (
    (re.compile(f"(?<=[{_CHINESE}]) (?={_OWN}+[{_CHINESE}])"), ""),
    (re.compile(f"(?<=[{_CHINESE}])({_OWN}+) (?=[{_CHINESE}])"), r"\1"),
    (re.compile(f"(?<=[{_HAN}])(?={_OWN}+[A-Za-z0-9`'\"<{{\\[/$~-])"), " "),
    (re.compile(f"(?<=[A-Za-z0-9`'\">}}\\]/%*])({_OWN}+)(?=[{_HAN}])"), r"\1 "),
)


class _Edged(str):  # noqa: SLOT000 - it has an edge besides
    """A value with signs at both ends once it is put into a template; where `repr` is asked for, it is the value's."""

    edge: str
    quoted: str

    def __repr__(self) -> str:
        return self.quoted

    def __format__(self, spec: str) -> str:
        return f"{self.edge}{super().__format__(spec)}{self.edge}"


def edged(value: str, *, ours: bool) -> str:
    """Mark where a value begins and ends, for `spaced`.

    Args:
        value: Words in Chinese.
        ours: Whether they are a sentence of ours, so that spaces beside it may be put right.
    """
    made = _Edged(value.replace(_OWN, "").replace(_OTHERS, ""))
    made.edge, made.quoted = _OWN if ours else _OTHERS, repr(value)
    return made


def spaced(sentence: str) -> str:
    """Put the spaces beside values right, and take the marks out.

    Args:
        sentence: Made of `edged` values.

    >>> spaced("应为" + f"{edged('JSON 对象', ours=True)}")
    '应为 JSON 对象'
    >>> spaced(f"{edged('文本', ours=True)} 或 {edged('数字', ours=True)}")
    '文本或数字'
    """
    for pattern, instead in _RULES:
        sentence = pattern.sub(instead, sentence)
    return sentence.replace(_OWN, "").replace(_OTHERS, "")

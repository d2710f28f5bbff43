"""Tells by its neighbours whether a single word stands as an identifier or as an ordinary word.

Only so many characters are looked at on each side, so the time grows with the number of words alone.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import Flag, auto

import regex

REACH = 80  # characters looked at on each side

_OPEN = r"""["'`*_“‘「『《【(（\[]"""
_CLOSE = r"""["'`*_”’」』》】)）\]]"""
_KEYS = (
    r"authors?|owners?|maintainers?|vendors?|organi[sz]ations?|org|publishers?|company|creators?|provider|team|plugin|namespace"
    r"|作者|所有者|维护者|厂商|供应商|组织|机构|发布者|公司|出品方?|创建者"
)
_HOSTS = (
    r"(?:github|gitlab|bitbucket|gitee|codeberg|huggingface|sr|npmjs|modelscope|gist\.github)\.(?:com|org|co|ht|cn)[/:]~?"
    r"|api\.github\.com/(?:users|orgs|repos)/|githubusercontent\.com/"
)


class Kind(Flag):
    """Whose name a word may be."""

    SKILL = auto()
    PERSON = auto()
    MODEL = auto()


# Only letters of ASCII bound a word here: Chinese ones stand beside a name without a blank.
_FLAGS = regex.IGNORECASE | regex.MULTILINE | regex.ASCII


def _ahead(*patterns: str) -> regex.Pattern[str]:
    return regex.compile("|".join(patterns), _FLAGS)


def _back(*patterns: str) -> regex.Pattern[str]:
    """Match what ends at a place, read from there backwards, so that nearly all words are done with at one look."""
    return regex.compile("|".join(patterns), _FLAGS | regex.REVERSE)


_LEAD = r"""[ \t:=："'`*_>“‘「『《【(（\[\-]"""  # between "skill" and a name

# What stands before any word and makes it an identifier by itself.
_ACCOUNT = _back(r"(?<![\w.+\-])@", rf"(?:{_HOSTS})")  # @owner, github.com/owner

# The same for skills, people and firms.
_BEFORE = _back(
    r"(?<![\w/\\.:~\-])/",  # /map
    r"(?:^|[^\w/\\])(?:~|\.{1,2}|[a-z]:|[/\\][\w.\-]+|\.[\w\-]+)(?:[/\\][\w.\-@]+){0,9}[/\\]",  # ./map, /opt/map
    r"(?<![a-z])(?:skill|plugin)s?[/\\]",  # skills/map
    r"(?<![\w.\-])[a-z][\w.\-]*:",  # plugin:map
    rf"(?<![a-z])skill(?:[\s_\-]?(?:named|called|names?|id|tool))?{_LEAD}{{1,8}}",  # the skill map, Skill("map")
    rf"(?<![a-z])skills{_OPEN}{{0,3}}\s*[:=]\s*{_LEAD}{{0,8}}",  # "skills": ["map"
    rf"技能(?:名称?|是|为|叫)?{_LEAD}{{0,8}}",
)
_AFTER = _ahead(
    r"[/\\](?:SKILL\.md|scripts[/\\]|references[/\\]|assets[/\\])",
    r":[a-z][\w\-]",  # map:thing
    rf"{_CLOSE}{{0,3}}[ \t\-]{{0,2}}(?:agent )?skill(?![a-z])",  # the map skill
    rf"{_CLOSE}{{0,3}}\s{{0,2}}(?:这个|的)?技能",
    r"\.github\.io",
)
_NAME_LINE = _back(r"""^[ \t\-]*["']?name["']?[ \t]*[:=][ \t]*["']?""", r"<name>", r"""["']name["'][ \t]*:[ \t]*["']""")
_LINE_ENDS = _ahead(r"""["']?[ \t\r,;}\]]*+(?:#.*)?$""", r"</name>", r"""["'][ \t]*[,}]""")

# The same for people, firms, models and their makers.
_OWNER_BEFORE = _back(
    rf"(?<![a-z])(?:{_KEYS})[\"']?[ \t]*[:=：][ \t]*(?:{_OPEN}|\s)*",
    r"@author[ \t]+|(?:authored|signed-off)-by:[ \t]*",
    r"(?<![a-z])(?:authored|maintained|published|written) by (?:the )?",
    r"(?:©|\(c\)|\bcopyright)[ \t]*(?:\(c\)[ \t]*)?(?:\d{4}(?:[-–]\d{4})?,?)?[ \t]*(?:by )?",
)
_LAST_SEGMENT = _back(r"(?<![\w.\-])[\w.\-]+")
_IN_PATH = _back(r"[\w/.\-]")
_OWNER_AFTER = _ahead(r"/[a-z0-9][\w.\-]+(?![\w/.\-])")  # owner/repo

# The same for models and their makers alone.
_MODEL_BEFORE = _back(
    r"(?<![a-z])(?:i am|i['’]m|my name is) (?:the )?",
    r"(?:我是|我叫|作为|由)\s*",
    r"(?<![a-z])(?:made|created|built|developed|trained|powered|released|provided|generated|written) by (?:the )?",
    rf"(?<![a-z])(?:model|llm|vendor)(?:[ _\-]?(?:name|id))?[\"']?\s*[:=：]\s*{_OPEN}{{0,3}}",
    r"(?<![\w\-])--?model[ =]",
    rf"(?:模型|厂商)\s*[:=：]?\s*{_OPEN}{{0,3}}",
)
_MODEL_AFTER = _ahead(
    rf"{_CLOSE}{{0,3}}[ \-]?(?:model|assistant|llms?|language model|ai)(?![a-z])",
    rf"{_CLOSE}{{0,3}}\s?(?:的)?(?:大模型|语言模型|模型|助手|训练|开发)",
)


def is_identifier(text: str, start: int, end: int, kind: Kind, owners: Collection[str]) -> bool:
    """Say whether a word stands where only an identifier stands.

    Args:
        text: The text, folded.
        start: Where the word starts.
        end: Where it ends.
        kind: Whose name it may be.
        owners: Names, casefolded, that may stand before `/` and a repository.
    """
    place = _Place(text, start, end)
    if text[start - 1 : start] == text[end : end + 1] == "`" or place.before(_ACCOUNT) or place.owner() in owners:
        return True
    if kind & (Kind.SKILL | Kind.PERSON) and (place.within(_BEFORE, _AFTER) or place.is_named()):
        return True
    if kind & (Kind.PERSON | Kind.MODEL) and (place.before(_OWNER_BEFORE) or place.is_owner()):
        return True
    return bool(kind & Kind.MODEL) and place.within(_MODEL_BEFORE, _MODEL_AFTER)


@dataclass(frozen=True, slots=True)
class _Place:
    """A word in a text."""

    text: str
    start: int
    end: int

    def before(self, pattern: regex.Pattern[str]) -> bool:
        return pattern.match(self.text, max(0, self.start - REACH), self.start) is not None

    def after(self, pattern: regex.Pattern[str]) -> bool:
        return pattern.match(self.text, self.end, self.end + REACH) is not None

    def within(self, before: regex.Pattern[str], after: regex.Pattern[str]) -> bool:
        return self.before(before) or self.after(after)

    def owner(self) -> str | None:
        """What stands before it and a slash."""
        if self.text[self.start - 1 : self.start] != "/":
            return None
        found = _LAST_SEGMENT.match(self.text, max(0, self.start - REACH), self.start - 1)
        return found[0].casefold() if found else None

    def is_named(self) -> bool:
        """`name: map` to the end of the line, or what stands for it in JSON and XML."""
        return self.before(_NAME_LINE) and self.after(_LINE_ENDS)

    def is_owner(self) -> bool:
        """`owner/repo` is written small; `Rust/Go` are two languages."""
        word = self.text[self.start : self.end]
        return word.islower() and self.after(_OWNER_AFTER) and not self.before(_IN_PATH)

"""What a judge must not read: names of authors, owners, vendors, models and skills, by how they are looked for.

A name of several parts is a name wherever it stands. A single word may be an ordinary one, so it counts only where
the text around it makes it an identifier, see `identifiers`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import regex

from skill_evaluator.judging.folding import fold

_EMAIL = regex.compile(r"[\w.+-]{1,64}+@[\w-]{1,64}+(?:\.[\w-]{1,64}+){1,8}+", regex.IGNORECASE)
_TAIL = r"""[^\s<>()\[\]"'`,;]+"""
_URL = regex.compile(rf"(?:git\+)?(?:https?|ssh|git)://{_TAIL}|git@[\w.-]+:{_TAIL}", regex.IGNORECASE)
_BARE_URL = regex.compile(rf"(?<![\w.-])(?:[\w-]+\.){{1,8}}[a-z]{{2,}}/{_TAIL}", regex.IGNORECASE)
_SCHEME = regex.compile(r"\A(?:git\+)?(?:\w+://|git@)(?:[^/@\s]*@)?(?:www\.)?", regex.IGNORECASE)
_CODE_HOSTS = frozenset(
    (
        *("github.com", "gitlab.com", "gitee.com", "bitbucket.org", "codeberg.org", "huggingface.co", "sr.ht"),
        *("raw.githubusercontent.com", "gist.github.com", "npmjs.com", "pypi.org", "modelscope.cn"),
    )
)
_EVERYBODYS_HOSTS = _CODE_HOSTS | {
    *(
        "gmail.com",
        "outlook.com",
        "hotmail.com",
        "yahoo.com",
        "icloud.com",
        "qq.com",
        "163.com",
        "126.com",
        "proton.me",
    ),
    *("googlemail.com", "protonmail.com", "foxmail.com", "users.noreply.github.com", "example.com", "example.org"),
}
_OUTER = " \t\r\n.,;:!?\"'`()[]{}<>|/\\@#*_-，。；：！？（）【】《》「」“”‘’、"
# Between two people: not a blank, which parts first name and last.
_APART = regex.compile(r"\s*(?:[,;|&/()\[\]<>，；、（）]|\b(?:and|und|et)\b|\s[-–—]\s)\s*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Hidden:
    """Names to keep from a judge, as they were written.

    Attributes:
        skills: Names of skills.
        people: Authors, owners, vendors, and the owners in links.
        models: Models asked.
        whole: Addresses, links and hosts, found as they are.
    """

    skills: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()
    models: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()


def hidden_names(*, skills: Iterable[str], identities: Iterable[str] = (), models: Iterable[str | None] = ()) -> Hidden:
    """Collect what a judge must not read.

    Args:
        skills: Names of the skill under test, and of the baseline's.
        identities: `Skill.identities` of both: authors, owners, vendors, addresses and links as written.
        models: The agent's model, the baseline's and the judge's; None is passed over.

    Returns:
        The names; which source one came from is not kept, since all are replaced alike.
    """
    people: set[str] = set()
    repositories: set[str] = set()
    whole: set[str] = set()
    for identity in identities:
        _take_apart(fold(identity).text, people, repositories, whole)
    asked = [name for model in models if model for name in _model_names(fold(model).text)]
    return Hidden(
        skills=_sound([fold(name).text for name in skills]) | _sound(repositories),
        people=_sound(people),
        models=_sound(asked),
        whole=frozenset(whole),
    )


def _take_apart(identity: str, people: set[str], repositories: set[str], whole: set[str]) -> None:
    """Part `Ann Lee (ann@lee.example, https://github.com/annlee/tool)` into what is looked for."""
    for pattern in (_URL, _EMAIL, _BARE_URL):
        for match in pattern.finditer(identity):
            _address(match[0].rstrip(_OUTER), people, repositories, whole)
        identity = pattern.sub("()", identity)
    people.update(_APART.split(identity))


def _address(address: str, people: set[str], repositories: set[str], whole: set[str]) -> None:
    plain = _SCHEME.sub("", address)
    if "@" in plain.partition("/")[0]:
        whole.add(plain)
        host, path = plain.rpartition("@")[2], ""
    else:
        host, _, path = plain.replace(":", "/", 1).partition("/")
    segments = [part.removesuffix(".git").lstrip("~@") for part in regex.split(r"[/?#]", path) if part]
    if host.lower() in _CODE_HOSTS:
        people.update(segments[:1])
        repositories.update(segments[1:2])
        whole.update(["/".join((host, *segments[:2])), "/".join(segments[:2])] if len(segments) > 1 else [])
    elif host.lower() not in _EVERYBODYS_HOSTS and "." in host:
        whole.add(host)
        people.add(host.removeprefix("www.").partition(".")[0] if "@" not in plain else "")


def _model_names(model: str) -> Iterator[str]:
    """`anthropic/claude-x:beta` is looked for whole and by its parts; so is the name of a file of weights."""
    yield model
    for part in regex.split(r"[/\\:]", model):
        yield part.removesuffix(".gguf")


def _sound(names: Iterable[str]) -> frozenset[str]:
    stripped = (name.strip(_OUTER) for name in names)
    return frozenset(name for name in stripped if len(name) > 1 and len(parts_of(name)) <= _MOST_PARTS)


def parts_of(name: str) -> tuple[str, ...]:
    """Part a name at its separators and humps.

    >>> parts_of("level-maker"), parts_of("LevelMaker v2"), parts_of("map")
    (('level', 'maker'), ('Level', 'Maker', 'v2'), ('map',))
    """
    return tuple(hump for token in tokens_of(name) for hump in humps_of(token))


def tokens_of(name: str) -> list[str]:
    """Part a name at what is neither letter nor digit; `c++` and `c#` stay whole."""
    return [token for token in _SEPARATORS.split(name) if token] or [name]


def humps_of(token: str) -> list[str]:
    """Part a word where small letters go over into a capital, or several capitals into a word."""
    return _HUMP.sub(" ", token).split(" ")


_SEPARATORS = regex.compile(r"[^\p{L}\p{N}\p{M}+#]+")
_HUMP = regex.compile(r"(?<=[a-z]{2})(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z]{2})")


def stands_alone(name: str) -> bool:
    """Whether a name can be nothing but a name, wherever it stands.

    Source:
        docs/judge.md, "What is taken out".
    """
    parts = parts_of(name)
    if len(parts) > 1:
        return True
    if regex.fullmatch(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]+", name):
        return len(name) >= _CJK_NAME
    return len(name) >= _LONG_NAME and any(char.isdigit() for char in name)


_MOST_PARTS = 10  # more is a sentence
_CJK_NAME = 3  # most ordinary Chinese words have two characters
_LONG_NAME = 8  # with digits in it: no word of any language

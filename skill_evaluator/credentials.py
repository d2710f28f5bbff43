"""The shapes of credentials: keys of well-known services, private keys, web tokens, passwords."""

import re
from typing import Final

MASK: Final = "[redacted]"
_TOKEN: Final = re.compile(
    r"""(?x) (?<![A-Za-z0-9_-]) (?:
        sk-(?:ant|proj)-[A-Za-z0-9_-]{16,} | sk-[A-Za-z0-9]{32,} | gh[pousr]_[A-Za-z0-9]{20,} | A[KS]IA[0-9A-Z]{16}
        | github_pat_[A-Za-z0-9_]{20,} | glpat-[A-Za-z0-9_-]{20,} | xox[abeoprs]-[A-Za-z0-9-]{10,}
        | [sr]k_live_[A-Za-z0-9]{16,} | AIza[A-Za-z0-9_-]{35} | ya29\.[A-Za-z0-9_-]{20,} | hf_[A-Za-z0-9]{30,}
        | npm_[A-Za-z0-9]{36} | pypi-[A-Za-z0-9_-]{50,} | SG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}
        | eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}
    ) | (?<=Bearer\ )[A-Za-z0-9._~+/=-]{16,}"""
)
# In JSON within JSON a quote has backslashes. A call (`password = base64.b64decode(x)`) is no value, and a value has
# letters and digits.
_ASSIGNED: Final = re.compile(
    r"""(?xi) (?<![a-z]) (?: (?:api|secret)[_-]?key | (?:access|auth)[_-]?token | client[_-]?secret | passw(?:or)?d )
    (?:\\{0,8}["'])? \s* [=:] \s* (?:\\{0,8}["'])?
    (?P<secret>(?=[a-z_/+.-]*[0-9])(?=[0-9_/+.-]*[a-z])[a-z0-9_/+.-]{12,}+) (?!\()"""
)
# Without quotes, which end an address: the next member of a line of JSON is no password.
_IN_URL: Final = re.compile(
    r"""(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s/:@?#"']*:(?P<secret>[^\s/@?#"]+)@"""
)
_NO_PASSWORD: Final = re.compile(r"[%{<$\[*]|^(?:password|pass|passwd|pwd|secret|x+|\.+)$", re.IGNORECASE)
# The lines of its body may stand in quotes, with line ends as escapes. The first line alone is no secret.
_PRIVATE_KEY: Final = re.compile(
    r"""(?x) -----BEGIN\ (?:[A-Z0-9]+\ )*PRIVATE\ KEY(?:\ BLOCK)?-----
    (?: \s*+ [A-Z][A-Za-z-]{1,20}:\ [^\r\n"]{1,100}+ )*+
    (?: (?:\\[nrt]|[^A-Za-z0-9+/=-]){0,40}+ [A-Za-z0-9+/=]{16,}+ )++
    (?: (?: (?:\\[nrt]|[^A-Za-z0-9+/=-]){0,40}+ [A-Za-z0-9+/=]{0,80}+ ){0,2}+
        (?:\\[nrt]|[^A-Za-z0-9+/=-]){0,40}+ -----END\ (?:[A-Z0-9]+\ )*PRIVATE\ KEY(?:\ BLOCK)?----- )?"""
)
# Every credential holds one of these beside its character, and few texts do: to look for them is many times as fast.
_HINTS: Final = (
    ("-", ("-----BEGIN ", "sk-", "glpat-", "xox", "pypi-")),
    ("_", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "k_live_", "hf_", "npm_")),
    (".", ("ya29.", "SG.", "eyJ")),
    ("A", ("AIza", "AKIA", "ASIA")),
    ("r", ("Bearer ",)),
    (":", ("://",)),
)
_NAMES: Final = ("key", "token", "secret", "passw")  # before an equals sign or a colon, in any case


def has_hint(text: str) -> bool:
    """Say whether a text may hold a credential; where it says no, there is none."""
    for character, hints in _HINTS:
        if character in text and any(hint in text for hint in hints):
            return True
    if not ("=" in text or ":" in text):
        return False
    folded = text.casefold()
    return any(name in folded for name in _NAMES)


def mask_credentials(text: str) -> str:
    """Put a mask in place of all that has the shape of a credential, and nothing else.

    >>> mask_credentials("api_key: 9f8e7d6c5b4a3210, and the password is yours")
    'api_key: [redacted], and the password is yours'
    """
    if not has_hint(text):
        return text
    text = mask_keys(text)
    return _IN_URL.sub(_without_secret, _ASSIGNED.sub(_without_secret, text))


def mask_keys(text: str) -> str:
    """Put a mask in place of keys alone, which by their shape can be nothing else.

    A password in an address, or after a name, may be an example that somebody asked for.

    >>> mask_keys("API_KEY=9f8e7d6c5b4a3210 and ghp_abcdefghijklmnopqrst")
    'API_KEY=9f8e7d6c5b4a3210 and [redacted]'
    """
    return _TOKEN.sub(MASK, _PRIVATE_KEY.sub(MASK, text)) if has_hint(text) else text


def _without_secret(found: re.Match[str]) -> str:
    if found.re is _IN_URL and _NO_PASSWORD.search(found["secret"]):
        return found[0]
    start = found.start()
    return f"{found[0][: found.start('secret') - start]}{MASK}{found[0][found.end('secret') - start :]}"

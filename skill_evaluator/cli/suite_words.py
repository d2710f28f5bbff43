"""What `validate --help` says of eval suites: every key, type, option and bound, from the tables the reader uses."""

import textwrap
from collections.abc import Iterable, Iterator

from skill_evaluator.formats.suite import keys

WHAT_VALIDATE_READS = """\
what a path may be:
  SKILL.md, or the folder of a skill     also its test set, and its suite in evals/
  test set (JSON)                        compared with the one skill named beside it
  plugin (has a plugin.json)             its suite, and the skills it carries
  eval directory, folder of a case       as `claude plugin eval` reads them
  prompt.md, case.yaml                   the one case
  folder with cases/dev/, or FILE.jsonl  translation cases
  folder of plugins or of skills         each of them
"""
_WIDTH = 116
_INDENT = " " * 24


def suite_words() -> str:
    """Give the whole contract of the suite format, as it is checked."""
    return "\n".join([WHAT_VALIDATE_READS, "eval suites:", *_lines()])


def _lines() -> Iterator[str]:
    yield from _entry("keys of prompt.md", [*keys.PROMPT_MD_KEYS, "no others"])
    yield from _entry("keys of case.yaml", keys.CASE_YAML_KEYS)
    yield from _entry("  below execution", keys.CASE_YAML_EXECUTION_KEYS)
    yield from _entry("  below context", keys.CASE_YAML_CONTEXT_KEYS)
    yield from _entry("", ["others do nothing and get a WARN"])
    yield from _entry("case.yaml requires", ["schema_version", "name (either may stand in prompt.md)"])
    yield from _entry("bounds", [f"{key} {bounds}" for key, bounds in keys.BOUNDS.items()])
    yield from _entry("schema_version", [f'quoted, such as "{keys.SCHEMA_VERSION}"; major at most {keys.NEWEST_MAJOR}'])
    yield from _entry("keys of env", [f"{keys.ENV_KEY_WORDS}; any other makes every run fail"])
    yield from _entry("a case requires", ["a prompt", "at least one grader; each name once, each weight above 0"])
    yield from _entry("keys of every grader", keys.EVERY_GRADER)
    for name, options in keys.GRADERS.items():
        yield from _entry(f"  {name}", [_option(option, options) for option in options.options])
    yield from _entry("", ["* is required; + may be the text below the frontmatter instead"])
    yield from _entry("arm", keys.ARMS)
    yield from _entry("match", keys.MATCHES)
    yield from _entry("flags", [f"of {keys.REGEX_FLAGS}"])
    yield from _entry("target, focus", [*keys.PLACES, "{source: file, path: PATH}"])
    yield from _entry("before, after", [f"a tool, or a mapping of {', '.join(keys.SELECTOR_KEYS)}"])


def _option(name: str, options: keys.GraderKeys) -> str:
    return name + ("*" if name in options.required else "") + ("+" if name == options.body else "")


def _entry(name: str, words: Iterable[str]) -> list[str]:
    first = f"  {name:<{len(_INDENT) - 2}}"
    return textwrap.wrap(
        ", ".join(words), _WIDTH, initial_indent=first, subsequent_indent=_INDENT, break_on_hyphens=False
    )

"""What `validate --help` says of eval suites: every key, type, option and bound, from the tables the reader uses."""

from collections.abc import Iterable, Iterator

from skill_evaluator.cli.language import spoken
from skill_evaluator.cli.wrapping import broken
from skill_evaluator.formats.suite import keys
from skill_evaluator.report.escape import display_width
from skill_evaluator.texts import localized, tr

WHAT_VALIDATE_READS = tr("""\
what a path may be:
  SKILL.md, or the folder of a skill     also its test set, and its suite in evals/
  test set (JSON)                        compared with the one skill named beside it
  plugin (has a plugin.json)             its suite, and the skills it carries
  eval directory, folder of a case       as `claude plugin eval` reads them
  prompt.md, case.yaml                   the one case
  folder with cases/dev/, or FILE.jsonl  translation cases
  folder of plugins or of skills         each of them
""")
_WIDTH = 116
_INDENT = " " * 24


def suite_words() -> str:
    """Give the whole contract of the suite format, as it is checked, laid out in the language of the user."""
    return "\n".join([localized(WHAT_VALIDATE_READS, spoken()), localized(tr("eval suites:"), spoken()), *_lines()])


def _lines() -> Iterator[str]:
    yield from _entry(tr("keys of prompt.md"), [*keys.PROMPT_MD_KEYS, tr("no others")])
    yield from _entry(tr("keys of case.yaml"), keys.CASE_YAML_KEYS)
    yield from _entry(tr("  below execution"), keys.CASE_YAML_EXECUTION_KEYS)
    yield from _entry(tr("  below context"), keys.CASE_YAML_CONTEXT_KEYS)
    yield from _entry("", [tr("others do nothing and get a WARN")])
    yield from _entry(tr("case.yaml requires"), ["schema_version", tr("name (either may stand in prompt.md)")])
    yield from _entry(
        tr("bounds"),
        [
            tr("{key} {least} to {most}", key=key, least=bounds.least, most=bounds.most)
            for key, bounds in keys.BOUNDS.items()
        ],
    )
    yield from _entry(
        "schema_version",
        [
            tr(
                'quoted, such as "{version}"; major at most {newest}',
                version=keys.SCHEMA_VERSION,
                newest=keys.NEWEST_MAJOR,
            )
        ],
    )
    yield from _entry(tr("keys of env"), [tr("{keys}; any other makes every run fail", keys=keys.ENV_KEY_WORDS)])
    yield from _entry(
        tr("a case requires"), [tr("a prompt"), tr("at least one grader; each name once, each weight above 0")]
    )
    yield from _entry(tr("keys of every grader"), keys.EVERY_GRADER)
    for name, options in keys.GRADERS.items():
        yield from _entry(f"  {name}", [_option(option, options) for option in options.options])
    yield from _entry("", [tr("* is required; + may be the text below the frontmatter instead")])
    yield from _entry("arm", keys.ARMS)
    yield from _entry("match", keys.MATCHES)
    yield from _entry("flags", [tr("of {flags}", flags=keys.REGEX_FLAGS)])
    yield from _entry("target, focus", [*keys.PLACES, "{source: file, path: PATH}"])
    yield from _entry("before, after", [tr("a tool, or a mapping of {keys}", keys=", ".join(keys.SELECTOR_KEYS))])


def _option(name: str, options: keys.GraderKeys) -> str:
    return name + ("*" if name in options.required else "") + ("+" if name == options.body else "")


def _entry(name: str, words: Iterable[str]) -> list[str]:
    first = f"  {localized(name, spoken())}"
    said = [localized(word, spoken()) for word in words]
    listed = (", " if all(map(str.isascii, said)) else "；").join(said)
    return broken(first + " " * (len(_INDENT) - display_width(first)) + listed, _WIDTH, len(_INDENT))

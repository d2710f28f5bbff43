"""What a suite's author wrote, as the rules look at it: no more files are opened once this is there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from skill_evaluator.formats.suite.blocked import NOTHING_BLOCKED, Blocked
from skill_evaluator.formats.suite.faults import KeyPath
from skill_evaluator.formats.suite.frontmatter import SuiteText
from skill_evaluator.model import Case, Grader, JsonObject, Level, Limits, Setup

PROMPT_MD = "prompt.md"
CASE_YAML = "case.yaml"


@dataclass(frozen=True, kw_only=True, slots=True)
class SeenGrader:
    """A grader and where it stands.

    Attributes:
        grader: As loaded.
        file: Relative to the folder of the case.
        path: Its mapping in case.yaml; empty for a file of its own.
    """

    grader: Grader
    file: str
    path: KeyPath = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class SeenPlugin:
    """A plugin under test.

    Attributes:
        root: Its folder, absolute.
        name: As its manifest has it.
        skills: Names by which its skills and commands can be called, without the plugin's, sorted.
        servers: MCP servers that it declares, sorted.
        servers_problem: Why what its .mcp.json declares is not heard; None where it is, and without such a file.
        version: As its manifest has it, or None.
        is_invalid: Whether its manifest keeps it from loading.
    """

    root: Path
    name: str
    skills: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    servers_problem: str | None = None
    version: str | None = None
    is_invalid: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class SeenCase:
    """The folder of a case.

    Attributes:
        place: The folder relative to the eval directory, POSIX style, as findings name the case.
        case: As loaded, or None where the real program refuses it.
        misplaced: Files beside prompt.md that would be graders in `graders/`.
        ignored_mocks: Files of its own `mocks/` that are read by nobody, relative, POSIX style.
        bare_plugins: Those of its plugins that have nothing of a plugin in them.
        setup: What its runs need; where it is refused, what could be read of it.
        graders: Its graders, in their order; where it is refused, those that could be read.
        texts: What could be read of prompt.md, case.yaml and the files of `graders/`, by path relative to the folder.
        names: What lies in the folder and in its `graders/`, relative, POSIX style, sorted; folders end with `/`.
        limits: How often and how long it runs; a value at fault has its default.
        plugins: Those that it is run with, which may be others than the one around the suite.
        served: MCP servers of the plugins it is run with: folder in `mocks/` -> name in names of tools.
        blocked: Why its runs cannot be started.
    """

    place: str
    case: Case | None
    setup: Setup
    graders: tuple[SeenGrader, ...] = ()
    texts: Mapping[str, SuiteText] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    misplaced: tuple[str, ...] = ()
    ignored_mocks: tuple[str, ...] = ()
    bare_plugins: frozenset[Path] = frozenset()
    limits: Limits = Limits()  # noqa: RUF009 - it is frozen
    served: Mapping[str, str] = field(default_factory=dict)
    plugins: tuple[SeenPlugin, ...] = ()
    blocked: Blocked = NOTHING_BLOCKED

    @property
    def file(self) -> str:
        """The file that findings about the whole case name."""
        return PROMPT_MD if PROMPT_MD in self.texts or CASE_YAML not in self.texts else CASE_YAML

    def where(self, key: str, *below: str) -> tuple[str, KeyPath]:
        """Give the file and the place of a key: prompt.md wins, else case.yaml, there below other keys."""
        prompt_md = self.texts.get(PROMPT_MD)
        if prompt_md is not None and key in prompt_md.values:
            return PROMPT_MD, (key,)
        return (CASE_YAML, (*below, key)) if CASE_YAML in self.texts else (self.file, ())


@dataclass(frozen=True, kw_only=True, slots=True)
class SeenSuite:
    """All that the rules look at.

    Attributes:
        cases: In the order in which they run, refused ones among them.
        plugin: The plugin under test, or None where none was found.
        strays: Files and folders outside cases that look like parts of one, relative to the eval directory.
        ignored_mocks: Files of the suite's `mocks/` that are read by nobody, likewise.
        is_whole: Whether the suite was looked at as a whole, not one case of it.
        mocks_load: Whether no mock file has a fault; else it is not known what they stand in for.
    """

    cases: tuple[SeenCase, ...]
    plugin: SeenPlugin | None = None
    strays: tuple[str, ...] = ()
    ignored_mocks: tuple[str, ...] = ()
    is_whole: bool = True
    mocks_load: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Doubt:
    """What a rule says.

    Attributes:
        message: What was found, what it leads to, what to do; one sentence, without the place.
        file: Relative to the folder of the case; None for the case, or the suite, as a whole.
        path: The place in that file.
        values: The facts in the message by name.
        level: FAIL only for graders that can do nothing but fail.
    """

    message: str
    file: str | None = None
    path: KeyPath = ()
    values: JsonObject = field(default_factory=dict)
    level: Level = Level.WARN

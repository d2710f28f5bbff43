"""Makes agent messages for an eval suite, or says which cases need the real program."""

import functools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skill_evaluator.agents.messages.credentials import can_ask
from skill_evaluator.agents.messages.suite_files import SuiteFiles, files_at, files_below
from skill_evaluator.agents.messages.suite_offer import PluginOffer
from skill_evaluator.agents.messages.usual_models import full_name
from skill_evaluator.api.plugin_eval.messages_history import history_turns
from skill_evaluator.api.plugin_eval.messages_needs import needs
from skill_evaluator.api.plugin_eval.options import SuiteOptions
from skill_evaluator.api.plugin_eval.plugin_skills import plugin_skills
from skill_evaluator.errors import InputError
from skill_evaluator.formats.suite.plugin import Plugin, read_plugin
from skill_evaluator.formats.visible import visible_findings
from skill_evaluator.model import Arm, Case, Finding, Level, PluginSkill, Setup, Turn
from skill_evaluator.sandbox.installed import copies
from skill_evaluator.texts import tr

if TYPE_CHECKING:
    from skill_evaluator.agents.messages.protocol import Api
    from skill_evaluator.agents.messages.suite_agent import CaseSetup, MessagesSuiteAgent

MODEL: Final = "ANTHROPIC_MODEL"
_NO_MODEL: Final = "model-missing"
_NAME_IT: Final = tr("--model NAME, or the variable {model}", model=MODEL)


def make_suite_agent(
    options: SuiteOptions, cases: Iterable[Case], environ: Mapping[str, str] = os.environ
) -> "MessagesSuiteAgent":
    """Make the agent; nothing is asked yet, and everything that runs read is read now.

    Args:
        options: What the command line says.
        cases: Those that are going to be run.
        environ: Where model, server and credentials may be named.

    Raises:
        InputError: With one finding for each case that needs more than skills and reading, one for all that no model is
            named for, and one where no credential is set.
    """
    from skill_evaluator.agents.messages.suite_agent import MessagesSuiteAgent  # noqa: PLC0415 - takes long to load

    reader = _Reader()
    found = {case.id: _setup_of(case, options, environ, reader) for case in cases}
    faults = [*_missing(environ), *_joined([one for one in found.values() if isinstance(one, Finding)])]
    if faults:
        raise InputError(visible_findings(faults))
    return MessagesSuiteAgent({key: one for key, one in found.items() if not isinstance(one, Finding)}, _connected)


def _connected(model: str) -> "Api":
    from skill_evaluator.agents.messages.api import MessagesApi  # noqa: PLC0415 - loads the SDK

    return MessagesApi(model)


def _missing(environ: Mapping[str, str]) -> Iterator[Finding]:
    if not can_ask(environ):
        message = tr(
            "agent messages needs a key: set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, or ANTHROPIC_BASE_URL for a "
            "server that takes none"
        )
        yield Finding(level=Level.FAIL, code="credential-missing", message=message)


def _joined(faults: Sequence[Finding]) -> Iterator[Finding]:
    """Say once, not for each case, that no model is named."""
    nameless = [fault for fault in faults if fault.code == _NO_MODEL]
    if len(nameless) > 1:
        yield Finding(
            level=Level.FAIL,
            code=_NO_MODEL,
            message=tr("no model is named for {n} cases: {name_it}", n=len(nameless), name_it=_NAME_IT),
        )
        nameless = []
    yield from (fault for fault in faults if fault in nameless or fault.code != _NO_MODEL)


class _Reader:
    """Reads plugins and folders, each once."""

    def __init__(self) -> None:
        self.plugin = functools.cache(read_plugin)
        self.skills = functools.cache(self._skills)
        self.below = functools.cache(files_below)

    def _skills(self, root: Path) -> tuple[tuple[PluginSkill, ...], SuiteFiles]:
        skills = plugin_skills(self.plugin(root))
        return skills, files_at(path for one in skills for _, path in copies(one.skill))


def _setup_of(case: Case, options: SuiteOptions, environ: Mapping[str, str], reader: _Reader) -> "CaseSetup | Finding":
    """Read what runs of a case are given, or say why it cannot be run by this agent."""
    setup = case.setup or Setup(folder=Path())
    plugins = tuple(reader.plugin(root) for root in setup.plugins)
    context = _context(setup, plugins)
    lacking = [
        *needs(case, options, plugins),
        *([tr("goes on with a transcript that has no text")] if context == () else []),
    ]
    model = options.model or setup.model or environ.get(MODEL)
    if lacking:
        return _refused(case, lacking)
    if not model:
        return _finding(case, _NO_MODEL, tr("no model is named for the case: {name_it}", name_it=_NAME_IT))
    return _made(setup, options, full_name(model, environ), context or (), reader)


def _context(setup: Setup, plugins: Sequence[Plugin]) -> tuple[Turn, ...] | None:
    """Give the earlier turns; None where the case has none to go on with."""
    if not setup.history_file:
        return None
    root = next((plugin.root for plugin in plugins if setup.folder.is_relative_to(plugin.root)), setup.folder)
    return history_turns(setup.folder / setup.history_file, root=root)


def _made(setup: Setup, options: SuiteOptions, model: str, context: Sequence[Turn], reader: _Reader) -> "CaseSetup":
    from skill_evaluator.agents.messages.suite_agent import CaseSetup  # noqa: PLC0415 - takes long to load

    dirs = [(setup.folder / written).resolve() for written in setup.add_dirs]
    beside = functools.reduce(SuiteFiles.and_those_of, map(reader.below, dirs), SuiteFiles(files={}))
    read = [reader.skills(root) for root in setup.plugins]
    own = functools.reduce(SuiteFiles.and_those_of, (files for _, files in read), beside)
    skills = tuple(one for found, _ in read for one in found)
    shown = tuple(folder.as_posix() for folder in dirs)
    return CaseSetup(
        model=model,
        offers={Arm.WITH: PluginOffer(skills=skills, dirs=shown), Arm.WITHOUT: PluginOffer(dirs=shown)},
        files={Arm.WITH: own, Arm.WITHOUT: beside},
        context=context,
        appended=setup.append_system_prompt,
        disallowed=frozenset((*setup.disallowed_tools, *options.disallow_tools)),
    )


def _refused(case: Case, lacking: Sequence[str]) -> Finding:
    message = tr(
        "it {lacking}, which is not for agent messages: that offers skills, reads files, and runs "
        "nothing; use --agent claude-code",
        lacking=_all_of(lacking),
    )
    return _finding(case, "needs-claude-code", message)


def _finding(case: Case, code: str, message: str) -> Finding:
    return Finding(level=Level.FAIL, code=code, message=message, file=case.source.path, case=case.id)


def _all_of(said: Sequence[str]) -> str:
    return said[0] if len(said) == 1 else tr("{first}, and {second}", first=_all_of(said[:-1]), second=said[-1])

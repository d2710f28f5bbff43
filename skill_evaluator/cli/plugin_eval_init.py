"""`plugin-eval init`: the first cases of a plugin's suite, blank or out of an interview."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from skill_evaluator.api.plugin_eval.starter import (
    model_to_ask,
    propose_all,
    skills_to_start,
    write_bare,
    write_proposals,
)
from skill_evaluator.api.plugin_eval.starter_files import Proposal
from skill_evaluator.api.plugin_eval.starter_place import StarterPlace, find_starter_place
from skill_evaluator.cli.asking import agrees, can_ask
from skill_evaluator.cli.console import say, show
from skill_evaluator.cli.language import spoken
from skill_evaluator.cli.options import Parser, text
from skill_evaluator.cli.plugin_eval_interview import choose, shown
from skill_evaluator.errors import InputError
from skill_evaluator.model import Finding, Level, PluginSkill, one_line
from skill_evaluator.texts import joined, localized, ntr, tr

_DRAFTS = tr("Those by templates are drafts (tag `draft`): put them in the words of your users.")
_HOW_TO_ASK = tr("{drafts} To have a model write them: --model NAME, with ANTHROPIC_API_KEY set.", drafts=_DRAFTS)
INIT_TEXT = tr("""\
Start the eval suite of the plugin in the working folder. With a NAME: one blank case to fill in. Without: an
interview, which proposes cases from the descriptions of the plugin's skills and lets you take, change or drop each.

reads   the plugin's manifest and SKILL.md files; runs nothing of it, so nothing need be trusted
writes  new cases below the eval directory; never over what is there, and all of them or none
costs   nothing; or one request a skill, where a model is named by --model or ANTHROPIC_MODEL and can be reached
""")


def add_init(parser: Parser) -> None:
    """Declare the options of `plugin-eval init`."""
    parser.add_argument("name", metavar="NAME", nargs="?", help=tr("name of a blank case; without it, the interview"))
    parser.add_argument("--bare", action="store_true", help=tr("write a blank case, whose NAME is needed"))
    parser.add_argument(
        "--eval-dir",
        metavar="DIR",
        type=text,
        help=tr("where the suite lies, relative; default: as plugin.json says, else evals"),
    )
    parser.add_argument("--model", metavar="MODEL", type=text, help=tr("who proposes cases; default: ANTHROPIC_MODEL"))
    parser.add_argument(
        "-i", "--interactive", action="store_true", help=tr("the interview, which a terminal has without this")
    )
    parser.add_argument(
        "--yes", action="store_true", help=tr("ask nothing: write all that is proposed, each case tagged `draft`")
    )


def execute(options: argparse.Namespace) -> int:
    """Write a blank case, or hold the interview."""
    if options.interactive and (options.bare or options.name is not None):
        raise _wrong(tr("--interactive asks, a NAME and --bare do not; leave one of them out"))
    if options.bare and options.name is None:
        raise _wrong(tr("--bare needs the NAME of the case: plugin-eval init --bare NAME"))
    if options.name is None and not options.yes and not can_ask():
        raise _wrong(
            tr("the interview needs a terminal; write a blank case: plugin-eval init --bare NAME, or add --yes")
        )
    place = find_starter_place(Path(), options.eval_dir)
    for warning in place.warnings:
        say(warning.worded(spoken()))
    if options.name is not None:
        _tell(write_bare(place, options.name))
        return 0
    return _interview(place, options)


def _interview(place: StarterPlace, options: argparse.Namespace) -> int:
    skills = skills_to_start(place)
    proposed = propose_all(skills, model := _model(options))
    for note in proposed.notes:
        say(tr("note: {note}", note=one_line(note)))
    say(_introduced(proposed.proposals, skills, place))
    if any(one.source == "template" for one in proposed.proposals):
        say(_HOW_TO_ASK if model is None else _DRAFTS)
    chosen = proposed.proposals if options.yes else choose(proposed.proposals)
    if options.yes:
        say(joined("\n", map(shown, chosen)))
    elif not chosen or not agrees(tr("Write {n} cases to {named}? [y/N]", n=len(chosen), named=place.named.as_posix())):
        say(tr("nothing was written"))
        return 1
    _tell(write_proposals(place, chosen, is_draft=options.yes))
    return 0


def _model(options: argparse.Namespace) -> str | None:
    """Name who is asked; a model that only the environment names costs nothing before somebody agrees."""
    model = model_to_ask(options.model)
    if model is None or options.model or options.yes:
        return model
    return (
        model
        if agrees(
            tr("Ask the model {model} for cases? It is sent the texts of the skills. [y/N]", model=one_line(model))
        )
        else None
    )


def _introduced(proposals: Sequence[Proposal], skills: Sequence[PluginSkill], place: StarterPlace) -> str:
    """Say what is proposed, for which skills, and by whom; a model that gave nothing usable proposed nothing."""
    named = ", ".join(skill.plain_name for skill in skills)
    by_model = sum(one.source == "model" for one in proposals)
    sources = [
        *([ntr("{n} case by the model", "{n} cases by the model", by_model)] if by_model else []),
        *(
            [ntr("{n} case by templates", "{n} cases by templates", rest)]
            if (rest := len(proposals) - by_model)
            else []
        ),
    ]
    return one_line(
        tr(
            "plugin {name} in {root}: {skills} ({named}); proposed: {sources}",
            name=place.plugin.name,
            root=str(place.plugin.root),
            skills=ntr("{n} skill", "{n} skills", len(skills)),
            named=named,
            sources=joined(", ", sources),
        )
    )


def _tell(files: Sequence[Path]) -> None:
    for file in files:
        show(localized(tr("wrote {file}", file=file.as_posix()), spoken()))
    say(tr("edit them, then look for what is left to do: skill-evaluator validate ."))


def _wrong(message: str) -> InputError:
    return InputError([Finding(level=Level.FAIL, code="option", message=message)])

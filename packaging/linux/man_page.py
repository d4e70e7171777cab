"""The man page, made of the parsers of the command line and of the window."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

_OPENING = """\
.TH PAIRWRIGHT 1 "{date}" "Pairwright {version}" "User Commands"
.SH NAME
pairwright \\- turn papers into data sets of scientific language inference
.SH SYNOPSIS
.B pairwright
.RI [ FILE.pairwright ]
.br
.B pairwright
.I COMMAND
.RI [ options ]
.SH DESCRIPTION
{description}
.PP
Without a command the window is opened, on a project file if one is given.
"""
_CLOSING = """\
.SH FILES
.TP
.I *.pairwright
Project files. Each is one SQLite database; backups and models are in folders beside it.
.TP
.IR $XDG_CONFIG_HOME/pairwright ", " $XDG_DATA_HOME/pairwright
Settings of the window; its log, and the sample project.
"""


def man_page(commands: argparse.ArgumentParser, window: argparse.ArgumentParser, *, version: str, date: str) -> str:
    """The page in the language of man(7). `date`: as YYYY-MM-DD."""
    parts = [_OPENING.format(date=date, version=version, description=_text(commands.description or ""))]
    parts += [".SH OPTIONS OF THE WINDOW\n", *_options(window)]
    parts += [".SH OPTIONS OF ALL COMMANDS\n", *_options(commands)]
    common = {string for action in commands._actions for string in action.option_strings}
    parts.append(".SH COMMANDS\n")
    for parser in subparsers(commands):
        parts += _command(parser, common)
    parts.append(_CLOSING)
    examples, _, notes = (commands.epilog or "").partition("\n\n")
    parts += [".SH EXAMPLES\n", _example(examples), ".SH NOTES\n", _example(notes)]
    return "".join(parts)


def subparsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parsers of the subcommands, in their order, without those that an alias names again."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from dict.fromkeys(action.choices.values())


def _command(parser: argparse.ArgumentParser, common: set[str]) -> Iterator[str]:
    yield f".SS {_text(parser.prog)}\n{_text(parser.description or '')}\n"
    yield from _options(parser, common)
    if parser.epilog and "\n" in parser.epilog:
        yield ".PP\n" + _example(parser.epilog)
    for inner in subparsers(parser):
        yield from _command(inner, common)


def _options(parser: argparse.ArgumentParser, known: frozenset[str] | set[str] = frozenset()) -> Iterator[str]:
    for action in parser._actions:
        hidden = action.help is argparse.SUPPRESS or isinstance(action, argparse._SubParsersAction)
        if hidden or known.intersection(action.option_strings):
            continue
        yield f".TP\n{_heading(action)}\n{_text(_help(parser, action))}\n"


def _heading(action: argparse.Action) -> str:
    names = action.option_strings or [_metavar(action)]
    style = r"\fB" if action.option_strings else r"\fI"
    heading = ", ".join(f"{style}{_escape(name)}\\fR" for name in names)
    if action.option_strings and action.nargs != 0:
        heading += f" \\fI{_escape(_metavar(action))}\\fR"
    return heading


def _metavar(action: argparse.Action) -> str:
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    if action.metavar is not None:
        return action.metavar
    if action.choices is not None:
        return "|".join(map(str, action.choices))
    return action.dest.upper() if action.option_strings else action.dest


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    return parser._get_formatter()._expand_help(action) if action.help else ""


def _example(text: str) -> str:
    return f".EX\n{_lines(text)}\n.EE\n"


def _text(text: str) -> str:
    """A paragraph, a sentence a line."""
    return _lines(re.sub(r"(?<=[.!?]) +(?=[A-Z])", "\n", " ".join(text.split())))


def _lines(text: str) -> str:
    return re.sub(r"^(?=[.'])", r"\\&", _escape(text), flags=re.MULTILINE)


def _escape(text: str) -> str:
    return text.replace("\\", r"\e").replace("-", r"\-").replace("~", r"\(ti").replace("^", r"\(ha")

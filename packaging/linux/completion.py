"""Completion in bash, zsh and fish, made of the parser of the command line by shtab."""

from __future__ import annotations

import argparse
from pathlib import Path

import shtab
from man_page import subparsers

PATHS = {  # below usr/share, by shell
    "bash": "bash-completion/completions/pairwright",
    "zsh": "zsh/vendor-completions/_pairwright",
    "fish": "fish/vendor_completions.d/pairwright.fish",
}


def completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """The completion for "bash", "zsh" or "fish"; options that take a path complete file names. Changes the parser."""
    _prepare(parser)
    text: str = shtab.complete(parser, shell=shell)
    # What is no command may be a project file.
    return text.replace("complete -o bashdefault -F", "complete -o bashdefault -o default -F")


def _prepare(parser: argparse.ArgumentParser) -> None:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:  # what `--help` lists, which is shorter than their descriptions
                action.choices[choice.dest].description = choice.help
        if action.type is Path:
            folder = action.metavar == "DIR"
            action.complete = shtab.DIRECTORY if folder else shtab.FILE  # type: ignore[attr-defined]  # shtab reads it
    for inner in subparsers(parser):
        _prepare(inner)

"""What a command is on the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from desktop.cli.argument_types import Parser

_AddOptions = Callable[[Parser], None]


@dataclass(frozen=True, slots=True)
class Command:
    """A command. `runs`: the function that runs it, as "module:function" of `desktop.cli`; it takes the options."""

    name: str
    runs: str
    help: str
    examples: tuple[str, ...]
    add_options: _AddOptions


def command(name: str, runs: str, help: str, *examples: str) -> Callable[[_AddOptions], Command]:
    """Makes a command of the function that adds its options."""

    def make(add_options: _AddOptions) -> Command:
        return Command(name, runs, help, examples, add_options)

    return make

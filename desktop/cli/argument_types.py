"""The argument parser: error messages with suggestions, and the types of arguments."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from miner.declared_options import MAX_SEED
from miner.errors import UserError
from miner.records import Label
from miner.splits import SPLITS

_MAX_NUMBER = 2**31 - 1  # of anything that is counted; a database holds no more


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Wraps descriptions of one line; leaves others, such as examples, as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text if "\n" in text else super(argparse.RawDescriptionHelpFormatter, self)._fill_text
        return fill(text, width, indent)


class Parser(argparse.ArgumentParser):
    """Raises `UserError` for a wrong command. The exit code of argparse, 2, stands for a bug here.

    add_options: adds this parser's options, once it is asked to parse or for its help: most starts of the program run
    one command of many.
    """

    add_options: Callable[[Parser], None] | None = None

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        raise UserError(f"{message[0].upper()}{message[1:]}.", hint=f"See: {self.prog} --help")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:  # as in argparse
        """Report unknown arguments here, where the command is known, with a similar option."""
        self._complete()
        options, unknown = super().parse_known_args(args, namespace)
        if not unknown:
            return options, unknown
        word = next((word for word in unknown if word.startswith("-")), "")
        if not word:
            self.error(f"{'unexpected arguments' if len(unknown) > 1 else 'unexpected argument'}: {' '.join(unknown)}")
        raise self._unknown("option", word.partition("=")[0], self._option_string_actions)

    def format_help(self) -> str:
        self._complete()
        return super().format_help()

    def complete_all(self) -> None:
        """Add the options of this parser and of all commands below it."""
        self._complete()
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for parser in action.choices.values():
                    parser.complete_all()

    def _complete(self) -> None:
        if self.add_options is not None:
            add_options, self.add_options = self.add_options, None
            add_options(self)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        name = action.metavar or "/".join(action.option_strings) or action.dest
        kind = "command" if isinstance(action, argparse._SubParsersAction) else f"{name} called"
        raise self._unknown(kind, str(value), map(str, action.choices))

    def _unknown(self, kind: str, word: str, known: Iterable[str]) -> UserError:
        names = list(known)
        if similar := get_close_matches(word, names, 1):
            hint = f"Did you mean {similar[0]}?"
        else:
            hint = f"See: {self.prog} --help" if kind == "option" else f"There are: {', '.join(names)}."
        return UserError(f"There is no {kind} {word}.", hint=hint)


def common_options() -> Parser:
    """The options that may precede or follow the command; a new parser each time, since argparse shares actions."""
    common = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("--project", metavar="FILE", type=Path, help="the project file")
    common.add_argument("--json", action="store_true", help="print the result as JSON")
    common.add_argument("--quiet", action="store_true", help="show no progress bar")
    common.add_argument("--verbose", action="store_true", help="write a log to stderr")
    return common


def positive(text: str) -> int:
    return whole_number(text, 1, _MAX_NUMBER)


def not_negative(text: str) -> int:
    return whole_number(text, 0, _MAX_NUMBER)


def bootstrap_samples(text: str) -> int:
    return whole_number(text, 0, 100_000)


def round_size(text: str) -> int:
    return whole_number(text, 1, 50_000)


def target(text: str) -> int:
    return whole_number(text, 0, 50_000)


def votes(text: str) -> int:
    return whole_number(text, 1, 99)


def year(text: str) -> int:
    return whole_number(text, 1000, 9999, "must be a year of four digits")


def year_or_none(text: str) -> int:
    """A year, or 0 for an empty text."""
    return year(text) if text else 0


def language(text: str) -> str:
    """The code of a language, or "" for an empty text."""
    from miner.parsing.language import language_code

    if (code := language_code(text)) is None:
        raise argparse.ArgumentTypeError(f"must be a language such as English, or its code such as en, not {text!r}")
    return code


def percent(text: str) -> int:
    return whole_number(text, 0, 100)


def wrong_percent(text: str) -> int:
    return whole_number(text, 1, 99)


def seeds(text: str) -> tuple[int, ...]:
    return tuple(seed(part) for part in text.split(","))


def label_order(text: str) -> tuple[Label, ...]:
    order = [part.strip() for part in text.split(",")]
    if sorted(order) != sorted(Label):
        raise argparse.ArgumentTypeError(f"must name {', '.join(Label)} once each, in the model's order")
    return tuple(map(Label, order))


def label_numbers(text: str) -> tuple[Label, ...]:
    from storage.exchange.import_rows import find_label

    found = tuple(label for word in text.split(",") if (label := find_label(word)))
    if len(found) < len(text.split(",")):
        raise argparse.ArgumentTypeError("must be relations such as entailment,neutral,contradiction, in order from 0")
    return found


def seed(text: str) -> int:
    return whole_number(text, 0, MAX_SEED)


def whole_number(text: str, minimum: int, maximum: int, message: str = "") -> int:
    """The number that a text is; `ArgumentTypeError`, with this message, if it is none between these."""
    with suppress(ValueError):
        if minimum <= (number := int(text)) <= maximum:
            return number
    raise argparse.ArgumentTypeError(message or f"must be a whole number from {minimum:,} to {maximum:,}")


def percent_share(text: str) -> float:
    return percent(text) / 100


def shares(text: str) -> tuple[tuple[str, float], ...]:
    try:
        numbers = [float(part) for part in text.split("/")]
    except ValueError:
        numbers = []
    if len(numbers) != 3 or min(numbers) < 0 or not 0 < sum(numbers) < math.inf:
        raise argparse.ArgumentTypeError("give three shares, like 80/10/10")
    return tuple(zip(SPLITS, numbers, strict=True))


def split_names(text: str) -> tuple[str, ...]:
    found = {part.strip().lower() for part in text.split(",")}
    if not found or not found <= set(SPLITS):
        raise argparse.ArgumentTypeError("must name splits: train, dev or test")
    return tuple(split for split in SPLITS if split in found)


def shares_or_none(text: str) -> tuple[tuple[str, float], ...]:
    return () if text == "none" else shares(text)

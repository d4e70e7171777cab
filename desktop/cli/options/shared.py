"""Options that several commands have."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from desktop.cli.argument_types import Parser, common_options, label_numbers, label_order, positive
from miner.declared_options import DEVICES


def add_process_count(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs", type=positive, metavar="N", help="number of processes (default: one for each processor)"
    )


def add_label_numbers(parser: Parser) -> None:
    what = "the meaning of numeric labels, from 0, such as entailment,neutral,contradiction"
    parser.add_argument("--label-numbers", type=label_numbers, default=(), metavar="A,B,…", help=what)


def add_device(parser: Parser) -> None:
    parser.add_argument(
        "--device",
        choices=DEVICES,
        default="auto",
        help="the device to compute on (default: %(default)s)",
    )


def add_model(parser: Parser) -> None:
    add_device(parser)
    parser.add_argument(
        "--labels", type=label_order, metavar="A,B,C,D", help="the classes of another classifier, in its order"
    )


def add_pairs(parser: Parser) -> None:
    """The options of `execution.chosen_pairs`."""
    what = "only papers of this domain; may be repeated"
    parser.add_argument("--domain", action="append", default=[], metavar="NAME", help=what)
    add_where(parser, "only pairs that match")


def add_where(parser: argparse.ArgumentParser, what: str) -> None:
    full_help = f"{what}, such as domain=nlp, label=neutral,reasoning or year=2015..; may be repeated"
    parser.add_argument("--where", action="append", default=[], metavar="FIELD=VALUE", help=full_help)


def add_kind(kinds: argparse._SubParsersAction[Parser], name: str, runs: str, what: str) -> argparse.ArgumentParser:
    """Add one of the things that a command can do."""
    added = kinds.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.", parents=[common_options()])
    added.set_defaults(runs=runs)
    return added


def given_options(add_options: Callable[[Parser], None], options: argparse.Namespace) -> list[str]:
    """Which of the options that `add_options` adds have another value than their default, such as "--seed"."""
    parser = Parser(add_help=False)
    add_options(parser)
    flagged = [action for action in parser._actions if action.option_strings]
    return [one.option_strings[0] for one in flagged if getattr(options, one.dest) != one.default]

"""Options that fields of dataclasses declare: each is added to the parser once, and none is forgotten when read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import pytest

from desktop.cli.options.declared import add_option, add_options, read_options, with_changes
from desktop.cli.parser import Parser
from miner.errors import UserError
from miner.options import declared


class Drink(StrEnum):
    TEA = "tea"
    COFFEE = "coffee"


@dataclass(frozen=True)
class Breakfast:
    drink: Drink = declared(Drink.TEA, "what to drink (default: %(default)s)")
    cups: int = declared(2, "how many cups", metavar="N", least=0, most=10)
    seconds: int = declared(0, "the most minutes to eat", flag="minutes", metavar="N", unit=60, least=0, most=3600)
    toast: bool = declared(True, "leave out the toast", flag="no-toast")
    butter: bool = declared(False, "with butter, or without", flag="[no-]butter")
    jam: bool = declared(False, "with jam")
    sweetness: float = declared(0.5, "how sweet", metavar="X")
    guests: tuple[str, ...] = ()


def parser(*, or_none: bool = False) -> Parser:
    made = Parser(prog="breakfast")
    add_options(made, Breakfast, or_none=or_none)
    return made


def test_without_options_all_fields_have_their_defaults() -> None:
    assert read_options(Breakfast, parser().parse_args([]), guests=()) == Breakfast()


def test_options_become_values_of_the_fields_types() -> None:
    words = "--drink coffee --cups 3 --minutes 2 --no-toast --butter --jam --sweetness 0.1"
    options = parser().parse_args(words.split())
    found = read_options(Breakfast, options, guests=("Ada",))
    assert found == Breakfast(Drink.COFFEE, 3, 120, False, True, True, 0.1, ("Ada",))
    assert isinstance(found.drink, Drink)


def test_only_options_that_were_given_change_a_value() -> None:
    before = Breakfast(Drink.COFFEE, 4, butter=True, guests=("Ada",))
    assert with_changes(before, parser(or_none=True).parse_args([])) == before
    options = parser(or_none=True).parse_args(["--no-butter", "--cups", "0"])
    assert with_changes(before, options) == Breakfast(Drink.COFFEE, 0, guests=("Ada",))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--cups 11", "must be a whole number from 0 to 10"),
        ("--minutes 61", "must be a whole number from 0 to 60"),
        ("--drink tee", "There is no --drink called tee."),
    ],
)
def test_a_value_that_is_not_declared_is_refused(words: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        parser().parse_args(words.split())


def test_a_field_without_an_option_is_asked_for() -> None:
    with pytest.raises(AttributeError, match="guests"):
        read_options(Breakfast, parser().parse_args([]))


def test_an_option_that_stands_elsewhere_is_not_added_again() -> None:
    made = Parser(prog="breakfast")
    add_option(made, Breakfast, "jam", help="with jam, at last")
    add_options(made, Breakfast, "toast")
    order = [line.split()[0] for line in made.format_help().splitlines() if line.startswith("  --")]
    assert order[:3] == ["--jam", "--no-toast", "--drink"]


def test_options_are_added_when_they_are_needed(tmp_path: Path) -> None:
    added: list[Parser] = []
    made = Parser(prog="breakfast")
    made.add_options = added.append
    assert not added
    made.format_help()
    made.parse_args([])
    assert added == [made]

"""The options that fields of dataclasses declare (`miner.options`): adds them to a parser, and reads them back."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import fields, replace
from enum import StrEnum
from functools import partial
from typing import Any, TypeVar

from desktop.cli.parser import Parser, whole_number
from miner.options import DeclaredField, declared_fields, option_names

T = TypeVar("T")
_BOTH = "[no-]"


def add_options(
    parser: Parser, kind: type[Any], *first: str, or_none: bool = False, **read: Callable[[str], Any]
) -> None:
    """Add the options of all fields that were not added yet: `first`, then the others in their order.

    read: what makes a field's value of text, where its default does not tell.
    """
    added = {action.dest for action in parser._actions}
    for name in dict.fromkeys((*first, *option_names(kind))):
        if name not in added:
            more = {"type": read[name]} if name in read else {}
            add_option(parser, kind, name, or_none=or_none, **more)


def add_option(
    parser: argparse._ActionsContainer, kind: type[Any], name: str, *, or_none: bool = False, **more: Any
) -> None:
    """Add the option of one field. Its default is that of the field, or None, for `with_changes`.

    A flag of "[no-]word" can be switched on and off. more: for `add_argument`.
    """
    declared = declared_fields(kind)[name]
    flag = declared.flag or name.replace("_", "-")
    values: dict[str, Any] = {"dest": name, "help": declared.help, "default": None if or_none else declared.default}
    match declared.default:
        case bool():
            one_way = "store_false" if flag.startswith("no-") else "store_true"
            values["action"] = argparse.BooleanOptionalAction if flag.startswith(_BOTH) else one_way
        case int():
            values["type"] = partial(_number, declared)
        case float():
            values["type"] = float
        case StrEnum() as default:
            values["choices"] = [*type(default)]
            values["type"] = partial(_member, type(default))
    if declared.metavar:
        values["metavar"] = declared.metavar
    parser.add_argument(f"--{flag.removeprefix(_BOTH)}", **values | more)


def read_options(kind: type[T], options: argparse.Namespace, **others: Any) -> T:
    """A dataclass whose fields have the values of the options with their names, but for `others`."""
    names = [one.name for one in fields(kind) if one.name not in others]  # type: ignore[arg-type]
    return kind(**{name: getattr(options, name) for name in names}, **others)


def with_changes(value: T, options: argparse.Namespace, **others: Any) -> T:
    """A dataclass with the values of the options that were given, and of `others`; None stands for not given."""
    given = {name: getattr(options, name) for name in option_names(type(value))} | others
    changed: T = replace(value, **{name: one for name, one in given.items() if one is not None})  # type: ignore[type-var]
    return changed


def _number(declared: DeclaredField, text: str) -> int:
    """In units of the field."""
    return whole_number(text, *declared.limits) * declared.unit


def _member(kind: type[StrEnum], text: str) -> str:
    """The member; other texts as they are, of which the parser says that there is no such choice."""
    return kind(text) if text in set(kind) else text

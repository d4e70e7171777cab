"""Commands about the project file as a whole."""

from __future__ import annotations

from pathlib import Path

from desktop.cli.options.command import command
from desktop.cli.parser import Parser


@command(
    "new",
    "project:new",
    "make a new, empty project",
    "pairwright new psy.pairwright",
)
def new(parser: Parser) -> None:
    parser.add_argument("file", type=Path, help="the project file to make; its name ends in .pairwright")


@command("undo", "project:undo", "undo the last change of papers, answers or annotation rounds", "pairwright undo")
def undo(parser: Parser) -> None:
    """No options of its own."""


@command("redo", "project:redo", "redo what was undone last", "pairwright redo")
def redo(parser: Parser) -> None:
    """No options of its own."""


@command(
    "info", "overview:info", "show the project file and how it was made", "pairwright info --project psy.pairwright"
)
def info(parser: Parser) -> None:
    """No options of its own."""


@command(
    "restore",
    "project:restore",
    "list the project's backups, or put one in its place",
    "pairwright restore",
    "pairwright restore 1 --project psy.pairwright",
)
def restore(parser: Parser) -> None:
    parser.add_argument("backup", nargs="?", metavar="BACKUP", help="a number in the list, or a file (default: list)")


@command(
    "doctor",
    "project:doctor",
    "check the installation, torch, GROBID, the disk and the project",
    "pairwright doctor",
)
def doctor(parser: Parser) -> None:
    parser.add_argument("--grobid", metavar="URL", default="http://localhost:8070", help="address (%(default)s)")

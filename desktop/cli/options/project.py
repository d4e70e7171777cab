"""Commands about the project file as a whole."""

from __future__ import annotations

from pathlib import Path

from desktop.cli.argument_types import Parser
from desktop.cli.options.command import command


@command(
    "new",
    "project:new",
    "create a new, empty project",
    "pairwright new psy.pairwright",
)
def new(parser: Parser) -> None:
    parser.add_argument("file", type=Path, help="the project file to create; its name ends in .pairwright")


@command(
    "undo",
    "project:undo",
    "undo the last answer, edit or removal of papers, or change of people, rounds, lists or the split",
    "pairwright undo",
)
def undo(parser: Parser) -> None:
    _add_annotator(parser)


@command("redo", "project:redo", "redo the change that was undone last", "pairwright redo")
def redo(parser: Parser) -> None:
    _add_annotator(parser)


def _add_annotator(parser: Parser) -> None:
    parser.add_argument("--annotator", metavar="NAME", help="whose (default: of the annotator of this computer)")


@command(
    "info",
    "overview:info",
    "show the project file, its settings and mining run",
    "pairwright info --project psy.pairwright",
)
def info(parser: Parser) -> None:
    """No options of its own."""


@command(
    "restore",
    "project:restore",
    "list the backups of the project, or restore one",
    "pairwright restore",
    "pairwright restore 1 --project psy.pairwright",
)
def restore(parser: Parser) -> None:
    parser.add_argument(
        "backup",
        nargs="?",
        metavar="BACKUP",
        help="the number of a backup in the list, or its file (default: list them)",
    )
    parser.add_argument("--yes", action="store_true", help="also replace the project by a copy of another one")


@command(
    "doctor",
    "project:doctor",
    "check the installation, torch, GROBID, the disk and the project",
    "pairwright doctor",
)
def doctor(parser: Parser) -> None:
    parser.add_argument(
        "--grobid", metavar="URL", default="http://localhost:8070", help="address of GROBID (default: %(default)s)"
    )

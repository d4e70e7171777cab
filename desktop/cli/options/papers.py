"""Commands about papers."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from desktop.cli.argument_types import Parser, common_options, language, positive, year, year_or_none
from desktop.cli.options.command import command
from desktop.cli.options.shared import add_process_count
from desktop.text import either
from miner.parsing.formats import FORMATS


@command(
    "add",
    "papers:add",
    f"add papers: {either([format.plural for format in FORMATS])}; or another project with its answers",
    "pairwright add ~/papers --domain psychology",
    "pairwright add paper.pdf --year 2019",
    "pairwright add ~/papers --parser grobid --grobid http://localhost:8070",
    "pairwright add papers.jsonl.gz oa_comm_xml.tar.gz",
    "pairwright add nadia.pairwright",
)
def add(parser: Parser) -> None:
    parser.add_argument(
        "paths", nargs="+", type=Path, metavar="PATH", help="files, folders and archives of papers, and projects"
    )
    parser.add_argument("--retry", action="store_true", help="send files again that GROBID refused or found empty")
    _add_import_options(parser)


@command(
    "papers",
    "papers:list_papers",
    "list papers, and show, edit, check, merge or remove them",
    "pairwright papers --search transformer",
    "pairwright papers list --failed",
    "pairwright papers stock",
    "pairwright papers list --of language=de",
    "pairwright papers show 3f2a91c0",
    'pairwright papers edit 3f2a91c0 --title "Sand and Stone" --year 2019',
    "pairwright papers edit --of-domain psych --domain psychology",
    "pairwright papers edit --of language=nl --language en",
    "pairwright papers list --to-check",
    "pairwright papers confirm 3f2a91c0",
    "pairwright papers remove 3f2a91c0 ~/papers/draft.pdf",
    "pairwright papers duplicates",
    "pairwright papers merge 3f2a91c0 77b1e0d4",
    "pairwright papers keep-both 3f2a91c0 77b1e0d4",
    "pairwright papers retry --parser grobid",
    "pairwright papers reparse",
)
def papers(parser: Parser) -> None:
    parser.set_defaults(papers=[], search="", of_domain=None, failed=False, to_check=False, of=None)
    _add_selection(parser)
    kinds = parser.add_subparsers(
        metavar="WHAT",
        help="list (the default), stock, show, edit, confirm, remove, duplicates, merge, keep-both, retry or reparse",
    )

    def kind(name: str, what: str) -> argparse.ArgumentParser:
        description = f"{what[0].upper()}{what[1:]}."
        added = kinds.add_parser(name, help=what, description=description, parents=[common_options()])
        added.set_defaults(runs=f"papers:{name}_papers")
        which = "a paper: the start of its id in the list, or its file"
        added.add_argument("papers", nargs="*", default=argparse.SUPPRESS, metavar="PAPER", help=which)
        _add_selection(added)
        return added

    kind("list", "list papers, and files that could not be read")
    what = "count the papers by domain, year, language and the like, and say why some have no pairs"
    stock = kinds.add_parser(
        "stock", help=what, description=f"{what[0].upper()}{what[1:]}.", parents=[common_options()]
    )
    stock.set_defaults(runs="papers:count_stock")
    kind("show", "show all about papers: metadata, parser, what was left out or repaired, and files")
    edit = kind("edit", 'change the metadata of papers; "" clears a field')
    edit.add_argument("--title", help="the new title")
    edit.add_argument("--author", action="append", metavar="NAME", help="an author; may be repeated")
    edit.add_argument("--year", type=year_or_none, help="the new year")
    edit.add_argument("--doi", help="the new DOI")
    edit.add_argument("--journal", help="the journal or other venue")
    edit.add_argument("--keyword", action="append", metavar="WORDS", help="a keyword; may be repeated")
    edit.add_argument("--domain", help="the new domain")
    what = "the language of the text, such as German or de; papers in languages other than English are not mined"
    edit.add_argument("--language", type=language, metavar="NAME", help=what)
    edit.add_argument("--licence", help="the licence, by its SPDX name, such as CC-BY-4.0")
    kind("confirm", "confirm that the metadata of papers is right, so that no later parse changes it")
    remove = kind("remove", "remove papers with their pairs, and failed files")
    remove.add_argument("--yes", action="store_true", help="remove papers even if their pairs have answers")
    _add_duplicates(kinds)
    retry = kind("retry", "read files again that could not be read (default: all of them)")
    retry.set_defaults(retry=True)
    _add_import_options(retry)
    what = "parse papers again that an earlier version of Pairwright parsed; all answers are kept"
    reparse = kinds.add_parser(
        "reparse", help=what, description=f"{what[0].upper()}{what[1:]}.", parents=[common_options()]
    )
    reparse.set_defaults(runs="papers:reparse_papers", retry=False, parser="embedded", domain=None, year=None)
    _add_limits(reparse)


@command(
    "recognise",
    "papers:recognise_scans",
    "recognise the text of scanned papers (OCRmyPDF), and add them",
    "pairwright recognise",
    "pairwright recognise ~/papers/old.pdf --language deu+eng",
    "pairwright recognise --into ~/papers/recognised",
)
def recognise(parser: Parser) -> None:
    parser.set_defaults(search="", of_domain=None, failed=False, to_check=False, of=None)
    parser.add_argument("papers", nargs="*", metavar="FILE", help="scans that could not be read (default: all of them)")
    language = "language of the scans, by Tesseract's name; several: eng+deu (default: %(default)s)"
    parser.add_argument("--language", default="eng", metavar="NAME", help=language)
    into = "the folder for the PDFs with text (default: that of each scan); scans stay as they are"
    parser.add_argument("--into", type=Path, metavar="FOLDER", help=into)


@command(
    "references",
    "references:references",
    "take metadata of papers from a bibliography (BibTeX, RIS, CSL-JSON)",
    "pairwright references library.bib",
    "pairwright references ~/zotero/library.bib --domain ecology --preview",
    "pairwright references library.ris --prefer-references",
)
def references(parser: Parser) -> None:
    parser.add_argument("path", type=Path, metavar="FILE", help="the bibliography: .bib, .ris or .json")
    parser.add_argument("--domain", help="also set this domain for all papers in the bibliography")
    what = "in conflicts, replace values that a paper states or a person has set (default: only list the conflicts)"
    parser.add_argument("--prefer-references", action="store_true", help=what)
    parser.add_argument("--preview", action="store_true", help="only show what would change")


@command(
    "learn",
    "papers:learn",
    "learn from the papers where sentences end (abbreviations)",
    "pairwright learn",
    "pairwright mine",
)
def learn(parser: Parser) -> None:
    """No options of its own."""


def _add_duplicates(kinds: Any) -> None:  # subparsers, whose class argparse does not export
    """The subcommands about papers that are likely the same."""
    which = "the start of its id in the list, or its file"
    subcommands = (
        ("duplicates", "list_duplicates", "list papers that are likely the same", ()),
        (
            "merge",
            "merge_papers",
            "merge two papers that are the same; answers to pairs of the other one go to the first",
            (("KEEP", "the paper that stays"), ("OTHER", "the paper that goes")),
        ),
        (
            "keep-both",
            "keep_both_papers",
            "save that two papers are not the same, so that they are no longer listed as duplicates",
            (("PAPER", "a paper"), ("OTHER", "the other paper")),
        ),
    )
    for name, function, what, papers in subcommands:
        description = f"{what[0].upper()}{what[1:]}."
        added = kinds.add_parser(name, help=what, description=description, parents=[common_options()])
        added.set_defaults(runs=f"duplicates:{function}")
        for metavar, meaning in papers:
            added.add_argument(metavar.lower(), metavar=metavar, help=f"{meaning}: {which}")


def _add_selection(parser: argparse.ArgumentParser) -> None:
    """The options that select papers; they may precede or follow the subcommand."""
    parser.add_argument("--search", default=argparse.SUPPRESS, metavar="WORDS", help="papers with all these words")
    parser.add_argument("--of-domain", default=argparse.SUPPRESS, metavar="NAME", help="papers of this domain")
    of = "papers of a group that `papers stock` lists, such as no_pairs=no_phrase"
    parser.add_argument("--of", default=argparse.SUPPRESS, metavar="NAME=VALUE", help=of)
    parser.add_argument(
        "--to-check", action="store_true", default=argparse.SUPPRESS, help="papers with metadata or text to check"
    )
    parser.add_argument("--failed", action="store_true", default=argparse.SUPPRESS, help="files that could not be read")


def _add_import_options(parser: argparse.ArgumentParser) -> None:
    default = "of the papers, also of known ones (default: as stated in the file)"
    parser.add_argument("--domain", help=f"the domain {default}")
    parser.add_argument("--year", type=year, help=f"the year {default}")
    parser.add_argument(
        "--parser",
        choices=("embedded", "grobid"),
        default="embedded",
        help="how PDFs are parsed (default: %(default)s)",
    )
    parser.add_argument(
        "--grobid", metavar="URL", default="http://localhost:8070", help="address of GROBID (default: %(default)s)"
    )
    _add_limits(parser)


def _add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds", type=positive, default=120, metavar="N", help="time limit for one PDF (default: %(default)s)"
    )
    parser.add_argument(
        "--megabytes", type=positive, default=2000, metavar="N", help="memory limit for one PDF (default: %(default)s)"
    )
    add_process_count(parser)

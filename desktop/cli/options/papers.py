"""Commands about papers."""

from __future__ import annotations

import argparse
from pathlib import Path

from desktop.cli.options.command import command
from desktop.cli.options.shared import add_process_count
from desktop.cli.parser import Parser, common_options, language, positive, year, year_or_none


@command(
    "add",
    "papers:add",
    "add papers: PDFs, publishers' XML, TEI, JSON lines, from files, folders and archives",
    "pairwright add ~/papers --domain psychology",
    "pairwright add paper.pdf --year 2019",
    "pairwright add ~/papers --parser grobid --grobid http://localhost:8070",
    "pairwright add papers.jsonl.gz oa_comm_xml.tar.gz",
)
def add(parser: Parser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files and folders")
    parser.add_argument("--retry", action="store_true", help="send again what GROBID refused or found empty")
    _add_import_options(parser)


@command(
    "papers",
    "papers:list_papers",
    "list, show, change, confirm, remove, retry or reparse papers",
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
    "pairwright papers retry --parser grobid",
    "pairwright papers reparse",
)
def papers(parser: Parser) -> None:
    parser.set_defaults(papers=[], search="", of_domain=None, failed=False, to_check=False, of=None)
    _add_selection(parser)
    kinds = parser.add_subparsers(
        metavar="WHAT", help="list (the default), stock, show, edit, confirm, remove, retry or reparse"
    )

    def kind(name: str, what: str) -> argparse.ArgumentParser:
        description = f"{what[0].upper()}{what[1:]}."
        added = kinds.add_parser(name, help=what, description=description, parents=[common_options()])
        added.set_defaults(runs=f"papers:{name}_papers")
        which = "papers by what the list shows first, or by their files"
        added.add_argument("papers", nargs="*", default=argparse.SUPPRESS, metavar="PAPER", help=which)
        _add_selection(added)
        return added

    kind("list", "list papers, and files that could not be read")
    what = "count the papers by domain, year, language and the like, and say why some have no pairs"
    stock = kinds.add_parser(
        "stock", help=what, description=f"{what[0].upper()}{what[1:]}.", parents=[common_options()]
    )
    stock.set_defaults(runs="papers:count_stock")
    kind("show", "show all about papers: what read them, what was left out or repaired, and their files")
    edit = kind("edit", 'change the metadata of papers; "" clears a field')
    edit.add_argument("--title", help="their title")
    edit.add_argument("--author", action="append", metavar="NAME", help="an author; may be repeated")
    edit.add_argument("--year", type=year_or_none, help="their year")
    edit.add_argument("--doi", help="their DOI")
    edit.add_argument("--journal", help="the journal, or other venue, that published them")
    edit.add_argument("--keyword", action="append", metavar="WORDS", help="a keyword; may be repeated")
    edit.add_argument("--domain", help="their domain")
    what = "the language of their text, such as German or de; papers in other languages than English are not mined"
    edit.add_argument("--language", type=language, metavar="NAME", help=what)
    edit.add_argument("--licence", help="their licence, as SPDX writes it: CC-BY-4.0")
    kind("confirm", "say that what was to be checked of papers is right; no later parse changes it")
    remove = kind("remove", "remove papers with their pairs, and failed files")
    remove.add_argument("--yes", action="store_true", help="also where pairs have been judged")
    retry = kind("retry", "read files again that could not be read, all of them if none is named")
    retry.set_defaults(retry=True)
    _add_import_options(retry)
    what = "parse papers again that an earlier version parsed; all answers are kept"
    reparse = kinds.add_parser(
        "reparse", help=what, description=f"{what[0].upper()}{what[1:]}.", parents=[common_options()]
    )
    reparse.set_defaults(runs="papers:reparse_papers", retry=False, parser="embedded", domain=None, year=None)
    _add_limits(reparse)


@command(
    "recognise",
    "papers:recognise_scans",
    "recognise the text of scans by ocrmypdf, and add them as papers",
    "pairwright recognise",
    "pairwright recognise ~/papers/old.pdf --language deu+eng",
    "pairwright recognise --into ~/papers/recognised",
)
def recognise(parser: Parser) -> None:
    parser.set_defaults(search="", of_domain=None, failed=False, to_check=False, of=None)
    parser.add_argument("papers", nargs="*", metavar="FILE", help="scans that were not read (default: all of them)")
    language = "language of the scans, as Tesseract names it; several: eng+deu (%(default)s)"
    parser.add_argument("--language", default="eng", metavar="NAME", help=language)
    into = "folder for the PDFs with text (default: beside each scan, which stays as it is)"
    parser.add_argument("--into", type=Path, metavar="FOLDER", help=into)


@command(
    "references",
    "references:references",
    "take the papers' metadata from a bibliography: BibTeX, RIS or CSL-JSON",
    "pairwright references library.bib",
    "pairwright references ~/zotero/library.bib --domain ecology --preview",
    "pairwright references library.ris --prefer-references",
)
def references(parser: Parser) -> None:
    parser.add_argument("path", type=Path, metavar="FILE", help="the bibliography: .bib, .ris or .json")
    parser.add_argument("--domain", help="the domain of all papers that it names (default: as they are)")
    what = "also where a paper says something else for certain, or a person has set it (default: only list these)"
    parser.add_argument("--prefer-references", action="store_true", help=what)
    parser.add_argument("--preview", action="store_true", help="only show what would change")


@command(
    "learn",
    "papers:learn",
    "learn from the project's papers where sentences end",
    "pairwright learn",
    "pairwright mine",
)
def learn(parser: Parser) -> None:
    """No options of its own."""


def _add_selection(parser: argparse.ArgumentParser) -> None:
    """The options that select papers; they may precede or follow the subcommand."""
    parser.add_argument("--search", default=argparse.SUPPRESS, metavar="WORDS", help="those with all these words")
    parser.add_argument("--of-domain", default=argparse.SUPPRESS, metavar="NAME", help="those of this domain")
    of = "those that the stock counts so, such as no_pairs=no_phrase"
    parser.add_argument("--of", default=argparse.SUPPRESS, metavar="NAME=VALUE", help=of)
    parser.add_argument(
        "--to-check", action="store_true", default=argparse.SUPPRESS, help="those of which something may be wrong"
    )
    parser.add_argument("--failed", action="store_true", default=argparse.SUPPRESS, help="files that were not read")


def _add_import_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--domain", help="the papers' domain (default: what a paper says itself)")
    parser.add_argument("--year", type=year, help="the papers' year (default: what a paper says itself)")
    parser.add_argument("--parser", choices=("embedded", "grobid"), default="embedded", help="what reads PDFs")
    parser.add_argument("--grobid", metavar="URL", default="http://localhost:8070", help="address (%(default)s)")
    _add_limits(parser)


def _add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds", type=positive, default=120, metavar="N", help="most time for one PDF (%(default)s)"
    )
    parser.add_argument(
        "--megabytes", type=positive, default=2000, metavar="N", help="most memory for one (%(default)s)"
    )
    add_process_count(parser)

"""Commands that write and read data sets."""

from __future__ import annotations

import argparse
from pathlib import Path

from desktop.cli.options.command import command
from desktop.cli.options.shared import add_kind, add_label_numbers, add_process_count, add_where
from desktop.cli.parser import Parser, seed, shares, split_names, target
from miner.year_ranges import SPLITS
from storage.dataset.options import FileFormat, Preset


@command(
    "export",
    "exchange:export",
    "write the pairs as a data set",
    "pairwright export out/ --preset scinli",
    "pairwright export out/ --one-file",
    "pairwright export out/ --preset full --format parquet --redistributable",
    "pairwright export out/ --without crosses_paragraph --where domain=nlp --where status=settled",
)
def export(parser: Parser) -> None:
    parser.add_argument("folder", type=Path, metavar="OUT", help="the folder to write into")
    _add_export_options(parser)
    what = "replace an earlier export in OUT also where its files were changed since"
    parser.add_argument("--overwrite", action="store_true", help=what)


@command(
    "release",
    "exchange:release",
    "export a data set under a name, and keep it as it is",
    "pairwright release 1.0 --out out/",
    "pairwright release 1.0-test --only dev,test --out out/",
    "pairwright release 1.0 --again copy/",
)
def release(parser: Parser) -> None:
    parser.description = (
        "Export a data set, with its card, and keep its files and splits in the project under a name. Where the papers "
        "are split, train has all labelled pairs of its papers; dev and test have pairs with a gold label, up to the "
        "targets and as many of each class; no sentence of dev or test is in train. A release never changes and can "
        "be written again byte for byte; its papers stay in their split."
    )
    parser.add_argument("name", metavar="NAME", help="the name of the release")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--out", type=Path, dest="folder", metavar="DIR", help="release: the folder to write into")
    where.add_argument("--again", type=Path, metavar="DIR", help="write a release again into this folder")
    _add_export_options(parser)


@command(
    "releases", "exchange:list_releases", "list what was released", "pairwright releases", "pairwright releases --new"
)
def releases(parser: Parser) -> None:
    parser.add_argument("--new", action="store_true", help="also what the same export would have now")


@command(
    "rebuild",
    "exchange:rebuild",
    "make the files of a manifest again from the same papers",
    "pairwright rebuild out/manifest.json --papers pdfs/ --out again/",
)
def rebuild(parser: Parser) -> None:
    parser.description = (
        "Make the files of an exported data set again from the papers that its manifest names, found by their content. "
        "It needs no project. Papers that are missing or changed are named, and then nothing is written."
    )
    parser.add_argument("manifest", type=Path, metavar="MANIFEST", help="manifest.json of an exported folder")
    parser.add_argument("--papers", type=Path, required=True, metavar="DIR", help="the folder of the papers")
    parser.add_argument("--out", type=Path, required=True, metavar="OUT", help="an empty or new folder")
    add_process_count(parser)


@command(
    "split",
    "splits:show_split",
    "show, suggest and set the split of the project's papers",
    "pairwright split",
    "pairwright split --check",
    "pairwright split suggest --dev 50 --test 200",
    "pairwright split set --shares 70/10/20",
    'pairwright split set --shares 70/10/20 --shares "nlp: 60/15/25"',
    'pairwright split set --years "nlp: train 2000-2018, dev 36% + test 64% 2019" --years "train -2014, test 2015-"',
    "pairwright split clear",
)
def split(parser: Parser) -> None:
    parser.description = (
        "The one split of the project's papers: models learn from train papers, rounds draw from dev and test papers, "
        "and a release has a file for each. Without more it is shown: papers, pairs, and gold labels against targets. "
        "A paper is assigned by itself, so that papers that come later move no other. "
        "--split, --years and --as-imported show how a single export would split them while they have no split."
    )
    kinds = parser.add_subparsers(metavar="WHAT", help="show (the default), set, clear or suggest")
    change = add_kind(kinds, "set", "splits:set_split", "split the papers")
    what = "shares of train/dev/test, of one domain as “nlp: 60/15/25”; may be repeated"
    change.add_argument("--shares", action="append", default=[], metavar="T/D/T", help=what)
    what = "the years of each split, as “nlp: train 2000-2018, dev+test 2019”, or a file of such lines; may be repeated"
    change.add_argument("--years", action="append", default=[], metavar="TEXT", help=what)
    what = "only the splits that imported files say"
    change.add_argument("--as-imported", action="store_true", help=what)
    for name in ("dev", "test"):
        what = f"the papers with pairs that match, as they are now, are {name} papers; may be repeated"
        change.add_argument(f"--{name}-where", action="append", default=[], metavar="FIELD=VALUE", help=what)
    what = "dev and test get the papers whose pairs have gold labels already; all others are train papers"
    change.add_argument("--from-gold", action="store_true", help=what)
    what = "the split of papers that nothing else assigns, such as those without a year"
    change.add_argument("--rest", choices=SPLITS, help=what)
    what = "shares are of whole journals: those of test papers are new to the model"
    change.add_argument("--whole-journals", action="store_true", help=what)
    what = "papers of releases stay in their split"
    change.add_argument("--keep-released", action=argparse.BooleanOptionalAction, default=True, help=what)
    change.add_argument("--seed", type=seed, default=1, help="decides which papers a share means (%(default)s)")
    clear = add_kind(kinds, "clear", "splits:clear_split", "give up the split; nobody's answers are lost")
    for kind in (change, clear):
        kind.add_argument("--yes", action="store_true", help="also where papers with answers, or of a release, move")
    suggest = add_kind(kinds, "suggest", "splits:suggest", "say how many papers dev and test want")
    targets = "gold pairs of each class and domain in {} (default: the project's target)"
    suggest.add_argument("--dev", type=target, metavar="N", help=targets.format("dev"))
    suggest.add_argument("--test", type=target, metavar="N", help=targets.format("test"))
    suggest.add_argument("--seed", type=seed, default=1, help="of the split (%(default)s)")
    _add_splits(parser)
    parser.add_argument("--seed", type=seed, default=1, help="decides the splits (%(default)s)")
    what = "count papers, sentences and near-duplicates that are in more than one split"
    parser.add_argument("--check", action="store_true", help=what)


@command(
    "leaks",
    "splits:leaks",
    "look for leaks between the splits of data set files",
    "pairwright leaks out/",
    "pairwright leaks train.csv dev.csv test.csv",
)
def leaks(parser: Parser) -> None:
    parser.description = (
        "Look for papers and sentences that are in more than one split of data set files, ours or others', and for "
        "sentences that are nearly the same. A row's split is in its column `split`, or in its file's name."
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="data set files, or folders of them")


@command(
    "import",
    "exchange:import_pairs",
    "read labelled pairs of a data set",
    "pairwright import train.csv dev.csv --domain nlp",
)
def import_(parser: Parser) -> None:
    parser.description = (
        "Read labelled pairs: SciNLI, MSciNLI, MisMatched, SNLI, MNLI or TaxiNLI shaped CSV, TSV, JSON lines or "
        "Parquet, and what Pairwright exports. Pairs that the project has stay as they are."
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="data set files, or folders of them")
    parser.add_argument("--domain", default="", help="the domain of rows that name none")
    what = "a column of somebody's predictions, besides `prediction` and the like; for experiments (repeatable)"
    parser.add_argument("--predictions", action="append", default=[], metavar="COLUMN", help=what)
    add_label_numbers(parser)


def _add_export_options(parser: Parser) -> None:
    parser.add_argument("--preset", choices=[*Preset], default=Preset.SCINLI, help="which fields (%(default)s)")
    what = "which kind of files (%(default)s)"
    parser.add_argument("--format", choices=[*FileFormat], default=FileFormat.JSONL, help=what)
    what = "write cells of CSV and TSV that a spreadsheet would take for formulas with an apostrophe before them"
    card = "a data card (README.md), Croissant metadata, a manifest and checksums beside the data"
    parser.add_argument("--card", action="store_true", help=card)
    parser.add_argument("--name", default="", help="the name of the data set, for its card")
    parser.add_argument("--safe-cells", action="store_true", help=what)
    what = "leave out pairs of papers whose licence does not allow to pass them on, or is unknown"
    parser.add_argument("--redistributable", action="store_true", help=what)
    _add_split_files(parser)
    _add_splits(parser)
    parser.add_argument("--balance", action="store_true", help="as many of each class, by split and domain")
    parser.add_argument("--seed", type=seed, default=1, help="decides splits and balance (%(default)s)")
    parser.add_argument("--without", action="append", default=[], metavar="FLAG", help="leave out pairs with this flag")
    parser.add_argument("--implicit", action="store_true", help="unlabelled neighbours too")
    parser.add_argument("--settled", action="store_true", help="only pairs with a gold label, none with a distant one")
    add_where(parser, "only pairs that match")


def _add_split_files(parser: Parser) -> None:
    """How the files by the project's split are made."""
    what = "all pairs in one file, also where the papers are split"
    parser.add_argument("--one-file", action="store_true", help=what)
    what = "only these splits, as dev,test"
    parser.add_argument("--only", type=split_names, default=SPLITS, metavar="SPLITS", help=what)
    what = "labels of train: corrected where people did, or all distant as in the papers (%(default)s)"
    parser.add_argument("--train-labels", choices=("corrected", "distant"), default="corrected", help=what)
    what = "all gold pairs of dev and test, not only as many of each class as the targets say"
    parser.add_argument("--all-gold", action="store_true", help=what)
    what = "in dev and test also pairs without a gold label, with their distant one; the card says so"
    parser.add_argument("--distant-test", action="store_true", help=what)


def _add_splits(parser: Parser) -> None:
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--split", type=shares, default=(), metavar="T/D/T", help="shares of train/dev/test, by paper")
    what = "the years of each split, as “nlp: train 2000-2018, dev+test 2019”, or a file of such lines; may be repeated"
    ways.add_argument("--years", action="append", default=[], metavar="TEXT", help=what)
    ways.add_argument("--as-imported", action="store_true", help="the splits that imported files say, and no others")
    what = "papers of earlier releases stay in their split"
    parser.add_argument("--keep-released", action=argparse.BooleanOptionalAction, default=True, help=what)
    what = "leave out pairs with nearly the same sentence as another split, too"
    parser.add_argument("--drop-near-duplicates", action="store_true", help=what)

"""Commands that write and read data sets."""

from __future__ import annotations

import argparse
from pathlib import Path

from desktop.cli.argument_types import Parser, seed, shares, split_names, target
from desktop.cli.options.command import command
from desktop.cli.options.declared import add_option, add_options
from desktop.cli.options.shared import add_kind, add_label_numbers, add_process_count, add_where
from miner.year_ranges import SPLITS
from storage.dataset.export_options import ExportOptions, SplitOptions


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
    add_export_options(parser)
    what = "replace an earlier export in OUT even if its files were changed since"
    parser.add_argument("--overwrite", action="store_true", help=what)


@command(
    "release",
    "exchange:release",
    "export a data set under a name, and keep a record of it",
    "pairwright release 1.0 --out out/",
    "pairwright release 1.0-test --only dev,test --out out/",
    "pairwright release 1.0 --again copy/",
)
def release(parser: Parser) -> None:
    parser.description = (
        "Export a data set with its data card, and keep its files and splits in the project under a name. If the "
        "papers are split, train has all labelled pairs of its papers, and dev and test have only pairs with a gold "
        "label, the same number of each class, up to the targets. No sentence of dev or test is in train. A release "
        "never changes: it can be written again byte for byte, and its papers stay in their split."
    )
    parser.add_argument("release", metavar="NAME", help="the name of the release")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--out", type=Path, dest="folder", metavar="DIR", help="the folder to write into")
    where.add_argument("--again", type=Path, metavar="DIR", help="write an earlier release again, into this folder")
    add_export_options(parser)


@command(
    "releases",
    "exchange:list_releases",
    "list the releases of the project",
    "pairwright releases",
    "pairwright releases --new",
)
def releases(parser: Parser) -> None:
    parser.add_argument("--new", action="store_true", help="also compare each with what the same export would give now")


@command(
    "rebuild",
    "exchange:rebuild",
    "make an exported data set again from its papers and manifest",
    "pairwright rebuild out/manifest.json --papers pdfs/ --out again/",
)
def rebuild(parser: Parser) -> None:
    parser.description = (
        "Make the data files of an exported data set again, byte for byte, from the papers that its manifest names. It "
        "needs no project, and the papers may have other file names. If papers are missing or changed, they are listed "
        "and nothing is written."
    )
    parser.add_argument("manifest", type=Path, metavar="MANIFEST", help="the manifest.json of the data set")
    parser.add_argument("--papers", type=Path, required=True, metavar="DIR", help="the folder of the papers")
    parser.add_argument("--out", type=Path, required=True, metavar="OUT", help="the folder to write into: new or empty")
    add_process_count(parser)


@command(
    "split",
    "splits:show_split",
    "show, suggest or set the train, dev and test split of the papers",
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
        "The train, dev and test split of the project's papers. Models learn from train papers, rounds draw from dev "
        "and test papers, and a release has a file for each. Each paper is assigned on its own, so papers that are "
        "added later do not move others. Without a subcommand the split is shown: papers, pairs, and gold labels "
        "against the targets. For a project that is not split, --split, --years and --as-imported show how an export "
        "with these options would be split."
    )
    kinds = parser.add_subparsers(metavar="WHAT", help="show (the default), set, clear or suggest")
    change = add_kind(kinds, "set", "splits:set_split", "split the papers")
    what = "percent of the papers for train/dev/test; for one domain: “nlp: 60/15/25”; may be repeated"
    change.add_argument("--shares", action="append", default=[], metavar="T/D/T", help=what)
    what = (
        "years of each split, such as “nlp: train 2000-2018, dev+test 2019”, or a file of such lines; may be repeated"
    )
    change.add_argument("--years", action="append", default=[], metavar="TEXT", help=what)
    what = "only the splits that imported files state"
    change.add_argument("--as-imported", action="store_true", help=what)
    for name in ("dev", "test"):
        what = f"papers that have matching pairs now become {name} papers; may be repeated"
        change.add_argument(f"--{name}-where", action="append", default=[], metavar="FIELD=VALUE", help=what)
    what = "papers that have gold labels already become dev and test papers, all others train papers"
    change.add_argument("--from-gold", action="store_true", help=what)
    what = "the split of all remaining papers, such as those without a year"
    change.add_argument("--rest", choices=SPLITS, help=what)
    what = "keep the papers of a journal in one split, so that test has journals that the model has not seen"
    change.add_argument("--whole-journals", action="store_true", help=what)
    what = "keep papers of earlier releases in their split (default: yes)"
    change.add_argument("--keep-released", action=argparse.BooleanOptionalAction, default=True, help=what)
    change.add_argument("--seed", type=seed, default=1, help="random seed of the split (default: %(default)s)")
    clear = add_kind(kinds, "clear", "splits:clear_split", "remove the split; all answers are kept")
    for kind in (change, clear):
        kind.add_argument(
            "--yes", action="store_true", help="do it even if papers with answers, or of a release, change their split"
        )
    suggest = add_kind(
        kinds, "suggest", "splits:suggest", "suggest how many papers dev and test need for their targets"
    )
    targets = "gold labels of each class and domain in {} (default: the project's target)"
    suggest.add_argument("--dev", type=target, metavar="N", help=targets.format("dev"))
    suggest.add_argument("--test", type=target, metavar="N", help=targets.format("test"))
    suggest.add_argument("--seed", type=seed, default=1, help="random seed of the split (default: %(default)s)")
    _add_splits(parser)
    parser.add_argument("--seed", type=seed, default=1, help="random seed of the splits (default: %(default)s)")
    what = "also look for papers, sentences and near-duplicates that are in more than one split"
    parser.add_argument("--check", action="store_true", help=what)


@command(
    "leaks",
    "splits:leaks",
    "check data set files for papers and sentences in several splits",
    "pairwright leaks out/",
    "pairwright leaks train.csv dev.csv test.csv",
)
def leaks(parser: Parser) -> None:
    parser.description = (
        "Check whether papers, sentences, or nearly the same sentences are in more than one split of a data set. Takes "
        "files of any origin. The split of a row is in its column `split`, or else in the name of its file."
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="data set files, or folders of them")


@command(
    "import",
    "exchange:import_pairs",
    "import labelled pairs of another data set",
    "pairwright import train.csv dev.csv --domain nlp",
)
def import_(parser: Parser) -> None:
    parser.description = (
        "Import labelled pairs from CSV, TSV, JSON lines or Parquet with the columns of SciNLI, MSciNLI, MisMatched, "
        "SNLI, MNLI or TaxiNLI, and from everything that Pairwright exports. Pairs that the project already has stay "
        "as they are."
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="data set files, or folders of them")
    parser.add_argument("--domain", default="", help="the domain of rows that state none")
    what = (
        "a column with predictions of a model, for experiments; columns named `prediction` and the like are found; may "
        "be "
    )
    what += "repeated"
    parser.add_argument("--predictions", action="append", default=[], metavar="COLUMN", help=what)
    add_label_numbers(parser)


def add_export_options(parser: Parser) -> None:
    """The options of `export` and `release`, but for where to write."""
    for name in ("preset", "format", "card", "name", "safe_cells", "redistributable_only"):
        add_option(parser, ExportOptions, name)
    _add_split_files(parser)
    _add_splits(parser)
    for name in ("balance", "seed"):
        add_option(parser, ExportOptions, name)
    parser.add_argument(
        "--without", action="append", default=[], metavar="FLAG", help="leave out pairs with this flag; may be repeated"
    )
    parser.add_argument(
        "--implicit",
        action="store_true",
        help="also write neighbouring sentences without a linking phrase, as pairs without a label",
    )
    add_options(parser, ExportOptions)
    add_where(parser, "only pairs that match")


def _add_split_files(parser: Parser) -> None:
    """How the files by the project's split are made."""
    what = "write all pairs into one file, even if the papers are split"
    parser.add_argument("--one-file", action="store_true", help=what)
    add_option(parser, SplitOptions, "names", type=split_names)
    add_option(parser, SplitOptions, "train_labels")
    what = "write all gold pairs of dev and test, not just as many of each class as the targets say"
    parser.add_argument("--all-gold", action="store_true", help=what)
    what = "also write pairs without a gold label into dev and test, with their distant label; the data card says so"
    parser.add_argument("--distant-test", action="store_true", help=what)


def _add_splits(parser: Parser) -> None:
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument(
        "--split", type=shares, default=(), metavar="T/D/T", help="percent of the papers for train/dev/test"
    )
    what = (
        "years of each split, such as “nlp: train 2000-2018, dev+test 2019”, or a file of such lines; may be repeated"
    )
    ways.add_argument("--years", action="append", default=[], metavar="TEXT", help=what)
    add_option(ways, ExportOptions, "as_imported")
    for name in ("keep_released", "drop_near_duplicates"):
        add_option(parser, ExportOptions, name)

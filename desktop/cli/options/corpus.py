"""Commands on corpora, which hold the pairs of more papers than one project."""

from __future__ import annotations

import argparse
from pathlib import Path

from desktop.cli.argument_types import Parser, not_negative, positive, seed
from desktop.cli.options.command import command
from desktop.cli.options.shared import add_kind, add_process_count

_PLACE = "the corpus: a folder, or an address such as s3://lab/pmc-nli"


@command(
    "corpus",
    "corpus:stats",
    "mine more papers than one project holds, on many processors",
    "pairwright corpus mine ~/pmc --out ~/pmc-nli",
    "pairwright corpus mine 's3://pmc/*.xml.gz' --out s3://lab/pmc-nli --engine ray",
    "pairwright corpus mine ~/pmc --out ~/pmc-nli --shard 17/400",
    "pairwright corpus settle ~/pmc-nli",
    "pairwright corpus stats ~/pmc-nli",
    "pairwright corpus pull ~/pmc-nli psy.pairwright --where domain=psychology --papers 5000 --seed 1",
    "pairwright corpus push psy.pairwright ~/pmc-nli",
    "pairwright corpus stats ~/pmc-nli --table 2",
    "pairwright corpus load ~/pmc-nli postgresql://db.lab.org/nli",
)
def corpus(parser: Parser) -> None:
    parser.description = (
        "Corpora of pairs in Parquet files, for millions of papers: mine finds the pairs of each paper, on as many "
        "processors and computers as there are, and settle leaves out those that an earlier paper has. The pairs are "
        "the same as by `add` and `mine` in a project."
    )
    kinds = parser.add_subparsers(metavar="WHAT", required=True, help="mine, settle, stats, pull, push or load")
    mine = add_kind(kinds, "mine", "corpus:mine", "find the pairs of papers; what is finished is not done again")
    what = "files, folders, patterns such as 's3://pmc/*.xml.gz', or web pages that list files"
    mine.add_argument("papers", nargs="+", metavar="PAPERS", help=what)
    mine.add_argument("--out", required=True, metavar="PLACE", help=_PLACE)
    what = "what runs the workers (default: %(default)s); ray: on the cluster of RAY_ADDRESS, else here"
    mine.add_argument("--engine", choices=("processes", "ray"), default="processes", help=what)
    add_process_count(mine)
    what = "with --engine ray: actors, each with --jobs processes (default: one for each processor but one)"
    mine.add_argument("--actors", type=positive, metavar="N", help=what)
    what = "only the files that fall to the Ith of N runs, for job schedulers; settle when all are done"
    mine.add_argument("--shard", default="1/1", metavar="I/N", help=what)
    mine.add_argument("--domain", metavar="NAME", help="the domain of these papers")
    mine.add_argument("--settings", type=Path, metavar="FILE", help="a JSON file with settings, as for `mine`")
    mine.add_argument("--seed", type=seed, help="random seed of the neutral draws")
    mine.add_argument("--model", help="spaCy model that finds verbs, as for `mine`")
    settle = add_kind(
        kinds, "settle", "corpus:settle", "leave out pairs that an earlier paper has, and write the shards"
    )
    settle.add_argument("place", metavar="PLACE", help=_PLACE)
    what = "memory for the database that sorts and groups (default: %(default)s)"
    settle.add_argument("--memory", type=positive, default=1_000, metavar="MB", help=what)
    stats = add_kind(kinds, "stats", "corpus:stats", "show how much is in a corpus, by domain and class")
    stats.add_argument("place", metavar="PLACE", help=_PLACE)
    stats.add_argument("--table", choices=("2", "3", "13"), help="a table of the papers, as `stats --table` has it")
    stats.add_argument("--format", choices=("markdown", "latex", "tsv"), help="print the table in this format")
    _add_samples(stats)
    stats.add_argument("--seed", type=seed, default=1, help="random seed of the samples (default: %(default)s)")
    pull = add_kind(
        kinds, "pull", "corpus:pull", "make a project of papers of a corpus, with the pairs that it has of them"
    )
    pull.add_argument("place", metavar="PLACE", help=_PLACE)
    what = "a new project, or one that was pulled from this corpus before, to get more papers of it"
    pull.add_argument("target", type=Path, metavar="PROJECT", help=what)
    what = (
        "only papers with this value: COLUMN is domain, year (also 2019-2023), language, journal or licence; may be "
        "given several times, for one column as alternatives"
    )
    pull.add_argument("--where", action="append", default=[], metavar="COLUMN=VALUE", help=what)
    what = "so many of them, drawn at random; more with the same seed have all of fewer (default: all)"
    pull.add_argument("--papers", type=positive, metavar="N", help=what)
    pull.add_argument("--seed", type=seed, default=0, help="random seed of the draw (default: %(default)s)")
    what = "add the answers, marks and mended sentences of a project to a corpus, for those who pull from it"
    push = add_kind(kinds, "push", "corpus:push", what)
    push.add_argument("source", type=Path, metavar="PROJECT", help="the project")
    push.add_argument("place", metavar="PLACE", help=_PLACE)
    what = "load a corpus into a database; a later load replaces what has changed"
    load = add_kind(kinds, "load", "corpus:load", what)
    load.add_argument("place", metavar="PLACE", help=_PLACE)
    what = "postgresql://USER@HOST/DATABASE, with the password in PGPASSWORD or ~/.pgpass; or a file: corpus.duckdb"
    load.add_argument("url", metavar="DATABASE", help=what)
    what = "the schema of the tables (default: %(default)s)"
    load.add_argument("--schema", default="pairwright", metavar="NAME", help=what)
    _add_samples(load)


def _add_samples(parser: argparse.ArgumentParser) -> None:
    what = "pairs of each domain to check for complete sentences; 0: none (default: %(default)s)"
    parser.add_argument("--sample", type=not_negative, default=500, metavar="N", help=what)
    what = "for table 13: a tokenizer.json, or a folder with one (default: that of the bundled model)"
    parser.add_argument("--tokenizer", type=Path, metavar="PATH", help=what)
    add_process_count(parser)

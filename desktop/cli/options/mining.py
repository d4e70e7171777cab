"""Commands that make pairs of papers, and look at what was made."""

from __future__ import annotations

import argparse
from pathlib import Path

from desktop.cli.options.command import command
from desktop.cli.options.shared import add_pairs, add_process_count
from desktop.cli.parser import Parser, not_negative, seed
from miner.audit.report import AuditedLabels
from miner.mining.settings import Casing
from miner.records import Label


@command(
    "mine",
    "mining:mine",
    "make pairs of the papers",
    "pairwright mine",
    "pairwright mine --extended --seed 7",
    "pairwright mine --more entailment",
    'pairwright mine --phrase "By contrast=contrasting" --off Thus',
    "pairwright mine --no-filter no_verb --no-crossing",
)
def mine(parser: Parser) -> None:
    parser.description = (
        "Make pairs of the papers. What is chosen here becomes the project's setting; answers are kept."
    )
    parser.add_argument("--defaults", action="store_true", help="start from the default settings, not the project's")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="settings as JSON, as `info --json` shows them")
    parser.add_argument("--extended", action=argparse.BooleanOptionalAction, help="the extended lexicon, all of it")
    linked = [label for label in Label if label is not Label.NEUTRAL]
    what = "the extended lexicon's phrases of this class; may be repeated"
    parser.add_argument("--more", action="append", choices=linked, default=[], help=what)
    parser.add_argument("--phrase", action="append", default=[], metavar="TEXT=LABEL", help="add a linking phrase")
    parser.add_argument("--on", action="append", default=[], metavar="TEXT", help="switch a phrase on")
    parser.add_argument("--off", action="append", default=[], metavar="TEXT", help="switch a phrase off")
    parser.add_argument("--drop-phrase", action="append", default=[], metavar="TEXT", help="remove a phrase")
    parser.add_argument("--filter", action="append", default=[], metavar="NAME", help="switch a filter on, or `all`")
    parser.add_argument("--no-filter", action="append", default=[], metavar="NAME", help="switch one off, or `all`")
    parser.add_argument("--crossing", action=argparse.BooleanOptionalAction, help="pairs across a paragraph border")
    parser.add_argument("--implicit", action=argparse.BooleanOptionalAction, help="unlabelled neighbours too")
    parser.add_argument("--casing", choices=[*Casing], help="a hypothesis' first letter")
    parser.add_argument("--seed", type=seed, help="decides the neutral draws")
    parser.add_argument("--model", help="spaCy model (default: the installed English one; `none`: rules alone)")
    add_process_count(parser)


@command(
    "stats",
    "statistics:stats",
    "show what the project holds, or the papers' tables about a data set",
    "pairwright stats --json",
    "pairwright stats --table 2",
    "pairwright stats --table 12 --domain ecology --format latex",
    "pairwright stats --table 13 --tokenizer ~/models/roberta-base",
)
def stats(parser: Parser) -> None:
    parser.description = (
        "Show what the project holds and what was dropped, by reason. With --table, the figures that the papers of "
        "SciNLI and MSciNLI give of their data sets, in the splits of the last export: 3 (the data set), 2 (each "
        "domain), 12 (gold against distant labels), 13 (how alike the domains' vocabularies are)."
    )
    parser.add_argument("--table", choices=("2", "3", "12", "13"), help="a table of the papers, by its number")
    add_pairs(parser)
    parser.add_argument("--format", choices=("markdown", "latex", "tsv"), help="write the table for a text like this")
    what = "pairs of each split of a domain to parse for complete sentences; 0: none (%(default)s)"
    parser.add_argument("--sample", type=not_negative, default=500, metavar="N", help=what)
    what = "a tokenizer.json, or a model's folder with one (default: the starter's)"
    parser.add_argument("--tokenizer", type=Path, metavar="PATH", help=what)
    parser.add_argument("--all-splits", action="store_true", help="vocabularies of all pairs, not of training pairs")
    parser.add_argument("--seed", type=seed, default=1, help="decides the samples (%(default)s)")
    add_process_count(parser)


@command(
    "audit",
    "audit:audit",
    "look for what gives the labels away: capitals, words, lengths, and what a linear model guesses",
    "pairwright audit",
    "pairwright audit --labels gold --domain ecology",
    "pairwright audit --json --seed 7",
)
def audit(parser: Parser) -> None:
    parser.description = (
        "Look for artefacts: traits, lengths and words that differ by class, what a linear model guesses from the "
        "hypothesis or the premise alone, tested on papers it has not seen, and how neutral pairs differ from linked "
        "ones. Each with a verdict and what to do, worst first. Nothing is changed."
    )
    parser.add_argument("--domain", metavar="NAME", help="only papers of this domain")
    what = "which labels: gold where there is one, else distant (exported), or one of these alone (%(default)s)"
    parser.add_argument("--labels", choices=[*AuditedLabels], default=AuditedLabels.EXPORTED, help=what)
    what = "of the pairs drawn for words and models, the folds and the intervals (%(default)s)"
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help=what)

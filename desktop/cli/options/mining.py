"""Commands that make pairs of papers, and look at what was made."""

from __future__ import annotations

import argparse
from pathlib import Path

from desktop.cli.argument_types import Parser, not_negative, seed
from desktop.cli.options.command import command
from desktop.cli.options.declared import add_options
from desktop.cli.options.shared import add_device, add_pairs, add_process_count
from miner.audit.report import AuditedLabels
from miner.mining.phrase_precision import LEAST_RELIABLE
from miner.mining.settings import MiningSettings
from miner.records import Label


@command(
    "mine",
    "mining:mine",
    "find sentence pairs in the papers",
    "pairwright mine",
    "pairwright mine --extended --seed 7",
    "pairwright mine --more entailment",
    "pairwright mine --reliable",
    'pairwright mine --phrase "By contrast=contrasting" --off Thus',
    "pairwright mine --no-filter no_verb --no-crossing",
)
def mine(parser: Parser) -> None:
    parser.description = (
        "Find sentence pairs in the papers, by linking phrases and as neutral draws. The options given here are kept "
        "as settings of the project. All answers are kept."
    )
    parser.add_argument(
        "--defaults", action="store_true", help="start from the default settings instead of the project's"
    )
    parser.add_argument(
        "--settings", type=Path, metavar="FILE", help="a JSON file with settings, such as the output of `info --json`"
    )
    parser.add_argument(
        "--extended", action=argparse.BooleanOptionalAction, help="use all phrases of the extended lexicon, or none"
    )
    linked = [label for label in Label if label is not Label.NEUTRAL]
    what = "use the phrases of the extended lexicon for this class; may be repeated"
    parser.add_argument("--more", action="append", choices=linked, default=[], help=what)
    what = (
        "use the phrases of the extended lexicon that are reliable: pairs read by hand show, with 95 %% "
        f"confidence, that at least {100 * LEAST_RELIABLE:.0f} %% of their pairs have their relation"
    )
    parser.add_argument("--reliable", action="store_true", help=what)
    parser.add_argument("--phrase", action="append", default=[], metavar="TEXT=LABEL", help="add a linking phrase")
    parser.add_argument("--on", action="append", default=[], metavar="TEXT", help="switch a phrase on")
    parser.add_argument("--off", action="append", default=[], metavar="TEXT", help="switch a phrase off")
    parser.add_argument("--drop-phrase", action="append", default=[], metavar="TEXT", help="remove a phrase")
    parser.add_argument(
        "--filter", action="append", default=[], metavar="NAME", help="switch a filter on (`all`: every filter)"
    )
    parser.add_argument(
        "--no-filter", action="append", default=[], metavar="NAME", help="switch a filter off (`all`: every filter)"
    )
    add_options(parser, MiningSettings, "crosses_paragraph", "implicit", or_none=True)
    parser.add_argument(
        "--model", help="spaCy model that finds verbs (default: the installed English one; `none`: simple rules)"
    )
    add_process_count(parser)


@command(
    "phrases",
    "phrases:phrases",
    "list the linking phrases, or look for new ones",
    "pairwright phrases",
    "pairwright phrases --discover",
    "pairwright phrases --discover --model 3-psychology --examples 20 --json",
)
def phrases(parser: Parser) -> None:
    parser.description = (
        "List the linking phrases of the lexicon, with their pairs, how many of these people agree with (without ties "
        "and “unclear”, which `precision` counts as wrong), and how many were right of those that were read by hand. "
        "With --discover, look for openers of sentences, such as “As "
        "expected,”, that could become linking phrases: a model on this computer scores pairs that they would add. "
        "That takes some minutes. Nothing is changed."
    )
    parser.add_argument("--discover", action="store_true", help="look for openers that could become linking phrases")
    what = "the model that scores pairs: `starter`, a training run, or a folder (default: %(default)s)"
    parser.add_argument("--model", default="starter", metavar="MODEL", help=what)
    what = "of how many openers examples are printed (default: %(default)s)"
    parser.add_argument("--examples", type=not_negative, default=5, metavar="N", help=what)
    what = "spaCy model that finds verbs (default: the installed English one; `none`: simple rules)"
    parser.add_argument("--language-model", metavar="NAME", help=what)
    add_device(parser)
    add_process_count(parser)


@command(
    "stats",
    "statistics:stats",
    "show figures of the project, or a table as in the SciNLI papers",
    "pairwright stats --json",
    "pairwright stats --table 2",
    "pairwright stats --table 12 --domain ecology --format latex",
    "pairwright stats --table 13 --tokenizer ~/models/roberta-base",
)
def stats(parser: Parser) -> None:
    parser.description = (
        "Show how many papers, sentences and pairs there are, and why candidates were dropped. With --table, figures "
        "like those that the papers about SciNLI and MSciNLI give of their data sets: 3 (the data set), 2 (each "
        "domain), 12 (gold against distant labels), 13 (similarity of the domains' vocabularies). They use the "
        "project's split, or else that of the last export."
    )
    parser.add_argument("--table", choices=("2", "3", "12", "13"), help="the number of the table")
    add_pairs(parser)
    parser.add_argument("--format", choices=("markdown", "latex", "tsv"), help="print the table in this format")
    what = "pairs of each split and domain to check for complete sentences; 0: none (default: %(default)s)"
    parser.add_argument("--sample", type=not_negative, default=500, metavar="N", help=what)
    what = "for table 13: a tokenizer.json, or a folder with one (default: that of the bundled model)"
    parser.add_argument("--tokenizer", type=Path, metavar="PATH", help=what)
    parser.add_argument(
        "--all-splits", action="store_true", help="for table 13: use all pairs, not the train pairs alone"
    )
    parser.add_argument("--seed", type=seed, default=1, help="random seed of the samples (default: %(default)s)")
    add_process_count(parser)


@command(
    "audit",
    "audit:audit",
    "look for artefacts that give the labels away",
    "pairwright audit",
    "pairwright audit --labels gold --domain ecology",
    "pairwright audit --json --seed 7",
)
def audit(parser: Parser) -> None:
    parser.description = (
        "Look for artefacts: surface traits, lengths and words that differ by class; how well a linear model guesses "
        "the label from the hypothesis or the premise alone, on papers it has not seen; and how neutral pairs differ "
        "from linked ones. Each finding has a verdict and advice, the worst first. Nothing is changed."
    )
    parser.add_argument("--domain", metavar="NAME", help="only papers of this domain")
    what = "exported: the gold label where there is one, else the distant label (default: %(default)s)"
    parser.add_argument("--labels", choices=[*AuditedLabels], default=AuditedLabels.EXPORTED, help=what)
    what = "random seed of samples, folds and intervals (default: %(default)s)"
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help=what)

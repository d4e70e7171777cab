"""Commands about local models: what they suggest, training, measuring."""

from __future__ import annotations

from pathlib import Path

from desktop.cli.argument_types import (
    Parser,
    percent,
    percent_share,
    positive,
    seed,
    seeds,
    shares_or_none,
    wrong_percent,
)
from desktop.cli.options.command import command
from desktop.cli.options.declared import add_option, add_options
from desktop.cli.options.shared import add_label_numbers, add_model, add_where
from miner.records import Label


@command(
    "suggest",
    "models:suggest",
    "have a local model suggest a label for every pair",
    "pairwright suggest",
    "pairwright suggest --model 3-psychology",
    "pairwright suggest --model ~/models/scinli-roberta --labels contrasting,reasoning,entailment,neutral",
    "pairwright suggest --corpus s3://lab/pmc-nli",
)
def suggest(parser: Parser) -> None:
    parser.description = (
        "Have a model on this computer suggest a label for every pair that it has not seen yet. Nothing leaves this "
        "computer."
    )
    from desktop.jobs.models.model_options import SuggestOptions  # commands without models do without it

    add_options(parser, SuggestOptions)
    what = "judge the pairs of a settled corpus instead, into its folder suggestions/MODEL; see `corpus`"
    parser.add_argument("--corpus", metavar="PLACE", help=what)
    add_model(parser)


@command(
    "disagreements",
    "models:disagreements",
    "list the distant labels that are more likely wrong than right",
    "pairwright disagreements --limit 50",
    "pairwright disagreements --domain psychology --label reasoning --json",
)
def disagreements(parser: Parser) -> None:
    parser.add_argument(
        "--limit", type=positive, default=20, metavar="N", help="how many pairs to list (default: %(default)s)"
    )
    parser.description = (
        "List the distant labels that are more likely wrong than right, the most doubtful first: by how often labels "
        "of their class are right, and by a model that has not learned them. Classes that the model "
        "finds too rarely for its doubts to help are listed only with --label or --all."
    )
    parser.add_argument("--label", choices=[*Label], help="only pairs with this distant label")
    parser.add_argument("--all", action="store_true", help="also labels with less doubt")
    parser.add_argument("--phrase", metavar="TEXT", help="only pairs found by this phrase")
    parser.add_argument("--domain", metavar="NAME", help="only papers of this domain")


@command(
    "accept",
    "models:accept",
    "accept suggestions for pairs that nobody has answered",
    "pairwright accept --at-least 95",
    "pairwright accept --at-most-wrong 5",
    "pairwright accept --at-least 90 --where domain=nlp --where label=neutral --yes",
)
def accept(parser: Parser) -> None:
    parser.description = (
        "Accept the suggestions of the model for pairs that nobody has answered, as your answers. Without --yes they "
        "are only counted. `pairwright undo` takes all of them back."
    )
    limit = parser.add_mutually_exclusive_group(required=True)
    limit.add_argument(
        "--at-least", type=percent, metavar="PERCENT", help="only suggestions with this confidence or more"
    )
    what = (
        "only suggestions with the confidence from which on at most this share is wrong, by people's answers and with "
        "90 %% certainty"
    )
    limit.add_argument("--at-most-wrong", type=wrong_percent, metavar="PERCENT", help=what)
    add_where(parser, "only pairs that match")
    parser.add_argument(
        "--annotator", metavar="NAME", help="whose answers they are (default: the annotator of this computer)"
    )
    parser.add_argument("--yes", action="store_true", help="accept them")


@command(
    "train",
    "models:train",
    "train a model on the project's labels",
    "pairwright train --name psychology",
    "pairwright train --start ~/models/scibert --recipe papers --folds 5 --seeds 1,2,3",
    "pairwright train --recipe quick --start sentence-transformers/all-MiniLM-L6-v2 --minutes 30",
    "pairwright train --where domain=psychology --split 80/10/10",
    "pairwright train --list",
    "pairwright train --resume 3",
    "pairwright train --run 3 --export models/psychology",
)
def train(parser: Parser) -> None:
    parser.description = (
        "Train a model on the project's distant labels and answers. A recipe sets the training options; each can be "
        "changed. No pair of a dev or test split, imported or exported, is learned; dev pairs choose the best epoch."
    )
    from desktop.jobs.models.model_options import TrainOptions  # commands without models do without these
    from miner.classifier.recipe import PRESETS, Recipe

    add_option(parser, TrainOptions, "start")
    parser.add_argument(
        "--recipe", choices=PRESETS, help="`quick` trains an encoder on a laptop; `base`, `papers` need a graphics card"
    )
    add_options(parser, TrainOptions, "name", "distant", "answers", implicit_above=percent_share)
    add_where(parser, "learn only from pairs that match")
    what = (
        "learn from the train split of an export with these shares; `none`: from all papers (default: the last "
        "export's)"
    )
    parser.add_argument("--split", type=shares_or_none, metavar="T/D/T", help=what)
    parser.add_argument("--split-seed", type=seed, metavar="N", help="the seed of that export (default: 1)")
    first = ("two_stage", "hypothesis_only", "epochs", "batch_pairs", "learning_rate", "layers", "folds", "seconds")
    add_options(parser, Recipe, *first, or_none=True)
    parser.add_argument("--seeds", type=seeds, default=(), metavar="N,N", help="one training run for each seed")
    what = "also write the model to a new folder, in the format of transformers"
    parser.add_argument("--export", type=Path, metavar="DIR", help=what)
    add_model(parser)
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--run", metavar="RUN", help="train nothing; --export the model of this run")
    instead.add_argument("--resume", metavar="RUN", help="resume an interrupted run, by its number or folder")
    instead.add_argument("--list", action="store_true", help="list all training runs")
    instead.add_argument("--delete", metavar="RUN", help="delete a training run and its model")


@command(
    "evaluate",
    "evaluation:evaluate",
    "evaluate models on labelled pairs",
    "pairwright evaluate",
    "pairwright evaluate --data dev.csv --model starter --model 3-psychology --out figures/",
    "pairwright evaluate --distant --most 2000 --learned folds",
)
def evaluate(parser: Parser) -> None:
    parser.description = (
        "Evaluate models on people's answers, distant labels or labelled files: macro F1, confusion matrix, scores by "
        "class, domain and neutral strategy, calibration. Training runs that differ only by their seed are one row, "
        "with mean ± standard deviation."
    )
    what = (
        "`starter`, the number or folder of a training run, another model's folder or hub name, or column:NAME for "
        "imported predictions; may be repeated (default: starter)"
    )
    parser.add_argument("--model", metavar="MODEL", action="append", default=[], help=what)
    parser.add_argument(
        "--data",
        nargs="+",
        type=Path,
        default=[],
        metavar="FILE",
        help="labelled data set files instead of the project (CSV, TSV, JSON lines)",
    )
    add_label_numbers(parser)
    parser.add_argument("--distant", action="store_true", help="evaluate on distant labels, not on people's answers")
    seen = "pairs that a model has learned: leave them out, take the predictions of its folds, or take them as they are"
    parser.add_argument(
        "--learned", choices=("leave", "folds", "take"), default="leave", help=f"{seen} (default: %(default)s)"
    )
    parser.add_argument(
        "--most", type=positive, default=0, metavar="N", help="evaluate on a random sample of N pairs (default: all)"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="write evaluation.md and evaluation.json into this folder"
    )
    add_model(parser)

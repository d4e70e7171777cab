"""Commands about local models: what they suggest, training, measuring."""

from __future__ import annotations

from pathlib import Path

from desktop.cli.options.command import command
from desktop.cli.options.shared import add_label_numbers, add_model, add_where
from desktop.cli.parser import Parser, percent, positive, seed, seeds, shares_or_none
from miner.records import Label


@command(
    "suggest",
    "models:suggest",
    "have a local model suggest a relation for every pair",
    "pairwright suggest",
    "pairwright suggest --model 3-psychology",
    "pairwright suggest --model ~/models/scinli-roberta --labels contrasting,reasoning,entailment,neutral",
)
def suggest(parser: Parser) -> None:
    parser.description = (
        "Have a local model suggest a relation for every pair it has not judged. Nothing leaves this machine."
    )
    what = "`starter`, a training run's number or folder, any folder, or a hub name (%(default)s)"
    parser.add_argument("--model", metavar="MODEL", default="starter", help=what)
    parser.add_argument("--again", action="store_true", help="judge all pairs anew, also those this model has judged")
    add_model(parser)


@command(
    "disagreements",
    "models:disagreements",
    "list the labels a model doubts most",
    "pairwright disagreements --limit 50",
    "pairwright disagreements --domain psychology --label reasoning --json",
)
def disagreements(parser: Parser) -> None:
    parser.add_argument("--limit", type=positive, default=20, metavar="N", help="how many (%(default)s)")
    parser.add_argument("--label", choices=[*Label], help="only pairs with this distant label")
    parser.add_argument("--phrase", metavar="TEXT", help="only pairs found by this phrase")
    parser.add_argument("--domain", metavar="NAME", help="only papers of this domain")


@command(
    "accept",
    "models:accept",
    "accept what a model suggests, for pairs nobody answered",
    "pairwright accept --at-least 95",
    "pairwright accept --at-least 90 --where domain=nlp --where label=neutral --yes",
)
def accept(parser: Parser) -> None:
    parser.description = (
        "Accept what the model suggests, as your answer, for pairs that nobody has answered. Without --yes it is only "
        "counted. One `pairwright undo` takes all of it back."
    )
    parser.add_argument(
        "--at-least", type=percent, required=True, metavar="PERCENT", help="suggestions at least so sure"
    )
    add_where(parser, "only pairs that match")
    parser.add_argument("--annotator", metavar="NAME", help="whose answers they are (default: who annotates here)")
    parser.add_argument("--yes", action="store_true", help="do it")


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
        "Train a model on the project's distant labels and answers. What a recipe says can be changed one by one. "
        "Nothing is learned of a dev or test split, imported or exported; its dev pairs choose the best epoch."
    )
    parser.add_argument("--start", metavar="MODEL", default="starter", help="the model to start from (%(default)s)")
    recipes = ("starter", "quick", "papers", "scinli", "mscinli")
    parser.add_argument("--recipe", choices=recipes, help="`quick` for encoders on a laptop, `papers` wants a GPU")
    parser.add_argument("--name", default="", help="what to call it")
    parser.add_argument("--no-distant", action="store_true", help="answers alone, not the distant labels")
    parser.add_argument("--no-answers", action="store_true", help="distant labels alone, not the answers")
    parser.add_argument("--implicit", type=percent, metavar="PERCENT", help="neighbours with so sure a suggestion too")
    add_where(parser, "learn only from pairs that match")
    what = "learn from the train split of such an export: its shares, or `none` (default: those of the last one)"
    parser.add_argument("--split", type=shares_or_none, metavar="T/D/T", help=what)
    parser.add_argument("--split-seed", type=seed, metavar="N", help="that export's seed (1)")
    parser.add_argument("--two-stage", action="store_true", default=None, help="distant labels first, then the answers")
    parser.add_argument(
        "--hypothesis-only", action="store_true", default=None, help="hide the premise, to see artefacts"
    )
    parser.add_argument("--epochs", type=positive, metavar="N", help="rounds through the examples at most")
    parser.add_argument("--batch", dest="batch_pairs", type=positive, metavar="N", help="pairs of a step")
    parser.add_argument("--rate", dest="learning_rate", type=float, metavar="X", help="learning rate")
    parser.add_argument("--layers", type=int, metavar="N", help="an encoder's first layers; 0: all")
    parser.add_argument(
        "--folds", type=int, metavar="K", help="models that judge the labels the others learned (5 if distant; 0: none)"
    )
    parser.add_argument("--minutes", type=positive, metavar="N", help="time it may take")
    parser.add_argument("--precision", choices=("auto", "fp32", "bf16", "fp16"), help="numbers to multiply with")
    parser.add_argument("--seeds", type=seeds, default=(), metavar="N,N", help="a run for each")
    what = "write the model to a new folder too: its encoder as transformers has it, its head and a README"
    parser.add_argument("--export", type=Path, metavar="DIR", help=what)
    add_model(parser)
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--run", metavar="RUN", help="train nothing: --export the model of this run")
    instead.add_argument("--resume", metavar="RUN", help="resume an interrupted run, by its number or folder")
    instead.add_argument("--list", action="store_true", help="show all runs")
    instead.add_argument("--delete", metavar="RUN", help="delete a run and its model")


@command(
    "evaluate",
    "evaluation:evaluate",
    "measure models on labelled pairs",
    "pairwright evaluate",
    "pairwright evaluate --data dev.csv --model starter --model 3-psychology --out figures/",
    "pairwright evaluate --distant --most 2000 --learned folds",
)
def evaluate(parser: Parser) -> None:
    parser.description = (
        "Measure models on people's answers, or other labels: macro F1, scores by class, domain and neutral strategy, "
        "calibration. Trainings that differ by their seed alone are one row, mean ± standard deviation."
    )
    what = (
        "`starter`, a training run's number or folder, any folder, a hub name, or column:NAME, predictions that were "
    )
    what += "imported; may be repeated (starter)"
    parser.add_argument("--model", metavar="MODEL", action="append", default=[], help=what)
    parser.add_argument(
        "--data", nargs="+", type=Path, default=[], metavar="FILE", help="labelled CSV, TSV, JSON lines"
    )
    add_label_numbers(parser)
    parser.add_argument("--distant", action="store_true", help="the project's distant labels, not people's answers")
    seen = "pairs that a model has learned from: leave them out, take what the models of its folds say, or take them"
    parser.add_argument("--learned", choices=("leave", "folds", "take"), default="leave", help=f"{seen} (%(default)s)")
    parser.add_argument("--most", type=positive, default=0, metavar="N", help="a draw of so many pairs (default: all)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write evaluation.md and evaluation.json there")
    add_model(parser)

"""The command that runs experiments."""

from __future__ import annotations

from pathlib import Path

from desktop.cli.options.command import command
from desktop.cli.options.shared import add_pairs, add_process_count
from desktop.cli.parser import Parser, not_negative, positive
from miner.options import DEVICES


@command(
    "experiment",
    "experiments:experiment",
    "train and compare systems on the project's splits",
    "pairwright experiment baselines",
    "pairwright experiment domains --template",
    "pairwright experiment travel.toml --out report/",
    "pairwright experiment --list",
    "pairwright experiment --show 3 --table domain --format latex",
    "pairwright experiment --show 3 --errors",
    "pairwright experiment --show 3 --read-errors 100",
    "pairwright experiment --map 3 --out map.svg",
)
def experiment(parser: Parser) -> None:
    parser.description = (
        "Run an experiment: a file that names data sets, systems and tables. Results are kept, so a stopped experiment "
        "goes on where it was when it is run again."
    )
    parser.add_argument(
        "experiment", nargs="?", metavar="NAME|FILE", help="a ready experiment, or a file of your own (.toml)"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR|FILE",
        help="save a report with all tables into this folder; with --map: the file to write (.jsonl, .tsv or .svg)",
    )
    parser.add_argument("--table", metavar="TEXT", help="only tables with this text in their title")
    parser.add_argument("--format", choices=("markdown", "latex", "tsv"), help="print the tables in this format")
    parser.add_argument("--errors", action="store_true", help="with --show: list the pairs that a system gets wrong")
    parser.add_argument(
        "--read-errors",
        type=positive,
        metavar="N",
        help="with --show: draw N errors of a system as your queue in Review, to read and tag them there",
    )
    parser.add_argument("--system", metavar="TEXT", help="whose errors, by title (default: the best system)")
    parser.add_argument("--seed", type=positive, default=1, help="random seed of the errors to read (default: 1)")
    parser.add_argument(
        "--evenly",
        action="store_true",
        help="draw the same number of errors of each label and predicted class (default: at random)",
    )
    parser.add_argument("--blind", action="store_true", help="hide the label and the prediction until Enter is pressed")
    parser.add_argument(
        "--reader", metavar="NAME", help="who reads the errors (default: the annotator of this computer)"
    )
    parser.add_argument("--device", choices=DEVICES, default="auto", help="the device to compute on")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--estimate", action="store_true", help="only estimate how long it will take")
    instead.add_argument("--template", action="store_true", help="print the file of a ready experiment")
    instead.add_argument("--list", action="store_true", help="list the project's experiments, and the ready ones")
    instead.add_argument("--show", type=positive, metavar="N", help="show the tables of experiment N")
    instead.add_argument(
        "--map", type=positive, metavar="N", help="show the data map of the training pairs of experiment N"
    )
    instead.add_argument(
        "--forget",
        type=positive,
        metavar="N",
        help="remove experiment N from the list; undo, or running it again, brings it back",
    )
    instead.add_argument(
        "--delete-forgotten", action="store_true", help="delete the removed experiments and their results for good"
    )


@command(
    "probe",
    "probes:probe",
    "test models with probes made from the project's own pairs",
    "pairwright probe mesh",
    "pairwright probe mesh --out mesh/",
    "pairwright probe swap --model starter",
    "pairwright probe negatives --domain biology --out negatives/",
    "pairwright probe negatives --felicity negatives/felicity.tsv",
)
def probe(parser: Parser) -> None:
    parser.description = (
        "Three probes. mesh: directed pairs, their converses, restatements and unrelated pairs, in equal numbers and "
        "split by paper; `pairwright experiment direction` trains and tests on them. swap: exchange premise and "
        "hypothesis of the test pairs, and show how a model's predictions change. negatives: statements of the papers, "
        "and narrower ones (by WordNet) that the papers do not make; `pairwright experiment negatives` tests on them. "
        "Probes are used for nothing else, and never exported with the data set."
    )
    parser.add_argument("kind", choices=("mesh", "swap", "negatives"), help="which probe")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="mesh, negatives: also write the pairs as JSON lines; for negatives also a list to judge by hand",
    )
    parser.add_argument("--seed", type=positive, default=1, help="mesh, negatives: random seed (default: 1)")
    parser.add_argument(
        "--predicates",
        type=positive,
        default=3,
        metavar="N",
        help="negatives: use two things only if the papers say N predicates or more of them (default: 3)",
    )
    parser.add_argument(
        "--pairs",
        type=positive,
        default=10,
        metavar="N",
        help="negatives: use a predicate only if it is said of N pairs of things or more (default: 10)",
    )
    parser.add_argument(
        "--quota",
        type=not_negative,
        default=2,
        metavar="N",
        help="negatives: at most N times as many negatives as positives of one predicate; 0: no limit (default: 2)",
    )
    parser.add_argument(
        "--window",
        choices=("domain", "domain-year"),
        default="domain",
        help="negatives: which papers are read as one text (default: domain)",
    )
    parser.add_argument(
        "--wordnet", type=Path, metavar="DIR", help="negatives: the folder with index.verb and data.verb of WordNet"
    )
    parser.add_argument(
        "--felicity",
        type=Path,
        metavar="FILE",
        help="negatives: evaluate the judged list; its negatives.jsonl must be in the same folder",
    )
    add_process_count(parser)
    what = (
        "swap: `starter`, the number or folder of a training run, another model's folder or hub name (default: "
        "%(default)s)"
    )
    parser.add_argument("--model", metavar="MODEL", default="starter", help=what)
    parser.add_argument("--device", choices=DEVICES, default="auto", help="swap: the device to compute on")
    add_pairs(parser)

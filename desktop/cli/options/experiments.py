"""The command that runs experiments."""

from __future__ import annotations

from pathlib import Path

from desktop.cli.options.command import command
from desktop.cli.options.shared import add_pairs, add_process_count
from desktop.cli.parser import Parser, not_negative, positive


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
        "Run an experiment: a file names data, systems and tables; known cells are not computed again, "
        "so that a stopped experiment goes on when it is run again."
    )
    parser.add_argument("experiment", nargs="?", metavar="NAME|FILE", help="a ready experiment, or a TOML file")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR|FILE",
        help="save a report: tables, cells and the experiment; with --map a .jsonl, .tsv or .svg file",
    )
    parser.add_argument("--table", metavar="TEXT", help="only tables with this in their title")
    parser.add_argument(
        "--format", choices=("markdown", "latex", "tsv"), help="print tables for a paper or spreadsheet"
    )
    parser.add_argument("--errors", action="store_true", help="with --show: which pairs a system misreads, and why")
    parser.add_argument(
        "--read-errors",
        type=positive,
        metavar="N",
        help="with --show: draw N errors of a system for you to read and tag in Review, in place of your round there",
    )
    parser.add_argument("--system", metavar="TEXT", help="whose errors: by its title; else the system with the fewest")
    parser.add_argument("--seed", type=positive, default=1, help="draws the errors to read (default: 1)")
    parser.add_argument(
        "--evenly", action="store_true", help="draw as many errors of each label and predicted class; else by chance"
    )
    parser.add_argument("--blind", action="store_true", help="hide label and answer of an error until Enter is pressed")
    parser.add_argument("--reader", metavar="NAME", help="who reads the errors, if the project does not know it yet")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda", "mps"), default="auto", help="where to compute")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--estimate", action="store_true", help="only say how long it will take")
    instead.add_argument("--template", action="store_true", help="print the file of a ready experiment")
    instead.add_argument("--list", action="store_true", help="list the project's experiments, and the ready ones")
    instead.add_argument("--show", type=positive, metavar="N", help="the tables of an experiment")
    instead.add_argument("--map", type=positive, metavar="N", help="the data map of an experiment's training pairs")
    instead.add_argument(
        "--forget",
        type=positive,
        metavar="N",
        help="forget an experiment; Undo in the window, or running it again, brings it back",
    )
    instead.add_argument(
        "--delete-forgotten", action="store_true", help="delete forgotten experiments and their results for good"
    )


@command(
    "probe",
    "probes:probe",
    "test models with probes made of the project's own pairs",
    "pairwright probe mesh",
    "pairwright probe mesh --out mesh/",
    "pairwright probe swap --model starter",
    "pairwright probe negatives --domain biology --out negatives/",
    "pairwright probe negatives --felicity negatives/felicity.tsv",
)
def probe(parser: Parser) -> None:
    parser.description = (
        "Make the mesh: directed pairs, their converses, restatements and unrelated pairs, balanced and by paper, "
        "which `pairwright experiment direction` trains and tests on. Or swap: exchange premise and hypothesis of the "
        "test pairs, and see how a model's predictions change. Or make negatives: what papers say of two things, and "
        "narrower statements by WordNet that they do not make, which `pairwright experiment negatives` tests on. "
        "Probes are never exported or trained on otherwise."
    )
    parser.add_argument("kind", choices=("mesh", "swap", "negatives"), help="which probe")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="mesh, negatives: also write it as JSON lines; of negatives a list to judge too",
    )
    parser.add_argument("--seed", type=positive, default=1, help="mesh, negatives: draws them (default: 1)")
    parser.add_argument(
        "--predicates",
        type=positive,
        default=3,
        metavar="N",
        help="negatives: take two things of which papers use N predicates or more (default: 3)",
    )
    parser.add_argument(
        "--pairs",
        type=positive,
        default=10,
        metavar="N",
        help="negatives: take predicates that are used of N pairs of things or more (default: 10)",
    )
    parser.add_argument(
        "--quota",
        type=not_negative,
        default=2,
        metavar="N",
        help="negatives: a predicate is in at most N times as many negatives as positives; 0: no limit (default: 2)",
    )
    parser.add_argument(
        "--window",
        choices=("domain", "domain-year"),
        default="domain",
        help="negatives: which papers are read as one text (default: domain)",
    )
    parser.add_argument(
        "--wordnet", type=Path, metavar="DIR", help="negatives: where index.verb and data.verb of WordNet are"
    )
    parser.add_argument(
        "--felicity", type=Path, metavar="FILE", help="negatives: what the judged list says, beside its negatives.jsonl"
    )
    add_process_count(parser)
    what = "swap: `starter`, a training run's number or folder, any folder, or a hub name (%(default)s)"
    parser.add_argument("--model", metavar="MODEL", default="starter", help=what)
    parser.add_argument(
        "--device", choices=("auto", "cpu", "cuda", "mps"), default="auto", help="swap: where to compute"
    )
    add_pairs(parser)

"""Commands about annotators, their rounds, answers and agreement."""

from __future__ import annotations

from pathlib import Path

from desktop.cli.argument_types import Parser, bootstrap_samples, positive, round_size, seed, target, votes
from desktop.cli.options.command import command
from desktop.cli.options.shared import add_device, add_kind, add_pairs, add_where


@command(
    "mend",
    "pairs:mend_pair",
    "show or mend the sentences of a pair",
    "pairwright mend 3f2a91c0",
    'pairwright mend 3f2a91c0 --premise "The whole sentence, as it is in the paper."',
    "pairwright mend 3f2a91c0 --back",
)
def mend(parser: Parser) -> None:
    parser.description = (
        "Complete or correct the sentences of a pair, as they are in the paper. The mined text and all answers are "
        "kept, and `pairwright undo` takes the change back. Without --premise or --hypothesis both sentences are shown."
    )
    parser.add_argument(
        "key", metavar="KEY", help="the id of the pair, or its first characters; exports with --preset full have it"
    )
    parser.add_argument("--premise", metavar="TEXT", help="the new text of the premise")
    parser.add_argument("--hypothesis", metavar="TEXT", help="the new text of the hypothesis")
    parser.add_argument("--back", action="store_true", help="restore the mined text of both sentences")
    parser.add_argument(
        "--annotator", metavar="NAME", help="who makes the change (default: the annotator of this computer)"
    )


@command(
    "precision",
    "precision:precision",
    "estimate how many distant labels are right",
    "pairwright precision",
    "pairwright precision --json",
)
def precision(parser: Parser) -> None:
    parser.description = (
        "Estimate how many of the distant labels are right, of all pairs and by class, domain and phrase, from "
        "people's answers to a sample of pairs and a model's suggestions for the others. With 95 % confidence "
        "intervals, and how many more answers would make them narrow. The sample is drawn and answered in the window, "
        "in Review."
    )


@command(
    "agree",
    "agreement:agree",
    "measure inter-annotator agreement and human performance",
    "pairwright agree",
    "pairwright agree --domain ecology --json",
    "pairwright agree --round 2 --bootstrap 10000 --seed 7",
)
def agree(parser: Parser) -> None:
    parser.description = (
        "Measure inter-annotator agreement, overall and by class, domain, round, neutral strategy and phrase: Fleiss' "
        "kappa, Krippendorff's alpha, Gwet's AC1, and Cohen's kappa of each two annotators. Also how often the gold "
        "label is the distant label, and how well experts and laypeople do against the gold labels. Intervals are 95 % "
        "confidence intervals."
    )
    add_pairs(parser)
    parser.add_argument("--round", type=positive, metavar="N", help="only pairs of this annotation round")
    what = "bootstrap samples for the confidence intervals; 0: no intervals (default: %(default)s)"
    parser.add_argument("--bootstrap", type=bootstrap_samples, default=1000, metavar="N", help=what)
    parser.add_argument(
        "--seed", type=seed, default=1, metavar="N", help="random seed of the samples (default: %(default)s)"
    )


@command(
    "kinds",
    "kinds:kinds",
    "count kinds of reasoning, and show which of them models get wrong",
    "pairwright kinds",
    "pairwright kinds --model starter --model experiment:3",
    "pairwright kinds taxinli_dev.tsv --json",
    "pairwright kinds taxinli_dev.tsv --layers --model starter --out layers.svg",
)
def kinds(parser: Parser) -> None:
    parser.description = (
        "Count the kinds of reasoning that annotators gave, and measure how far they agree. With --model, also how "
        "often each model is right on each kind, and which kinds explain its errors. Instead of the project's answers, "
        "a file can be counted that has a column for each kind, such as TaxiNLI's; its columns that hold labels are "
        "taken as predictions of models."
    )
    parser.add_argument(
        "file", metavar="FILE", nargs="?", type=Path, help="a data set file to count instead of the project's answers"
    )
    what = (
        "another taxonomy, by its name, or a file with it and its questions (default: TaxiNLI; for the project's "
        "answers, the one that most pairs were answered with)"
    )
    parser.add_argument("--taxonomy", metavar="NAME", default="", help=what)
    what = (
        "`starter`, the number or folder of a training run, another model's folder or hub name, column:NAME for "
        "imported predictions, or experiment:N for all systems of an experiment; may be repeated"
    )
    parser.add_argument("--model", metavar="MODEL", action="append", default=[], help=what)
    add_device(parser)
    what = "instead show at which layers of a model pairs of the same kind lie together; takes any encoder"
    parser.add_argument("--layers", action="store_true", help=what)
    what = "with --layers: also write a picture (.svg) or all points (.tsv)"
    parser.add_argument("--out", metavar="FILE", type=Path, help=what)
    what = "with --layers: what the colours of the picture stand for (default: %(default)s)"
    parser.add_argument("--by", choices=("category", "label", "relation"), default="category", help=what)
    what = "with --layers: the most pairs to use, drawn at random (default: %(default)s)"
    parser.add_argument("--pairs", metavar="N", type=positive, default=2000, help=what)
    what = "with --layers: random seed of the draw and the picture (default: %(default)s)"
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help=what)


@command(
    "people",
    "annotation:list_all_people",
    "list, add and rename annotators, and change their roles",
    "pairwright people",
    "pairwright people add Ada Ben Cy",
    "pairwright people add Dee --role adjudicator",
    'pairwright people rename Ada "Ada L."',
    "pairwright people role Ben reference",
)
def people(parser: Parser) -> None:
    parser.description = (
        "The people who annotate, and their roles. Gold labels come from the votes of annotators. An adjudicator "
        "decides ties; answers to pilot rounds are compared with those of a reference; experts and laypersons show how "
        "well people do."
    )
    kinds = parser.add_subparsers(metavar="WHAT", help="list (the default), add, rename or role")
    roles = ("annotator", "reference", "adjudicator", "expert", "layperson")
    add_kind(kinds, "list", "annotation:list_all_people", "list everybody, with their role and number of answers")
    add = add_kind(kinds, "add", "annotation:add_people", "add people")
    add.add_argument("names", nargs="+", metavar="NAME", help="their names")
    add.add_argument("--role", choices=roles, default="annotator", help="their role (default: %(default)s)")
    rename = add_kind(kinds, "rename", "annotation:rename", "rename somebody; their answers are kept")
    rename.add_argument("name", metavar="NAME", help="the present name")
    rename.add_argument("new_name", metavar="NEW_NAME", help="the new name")
    role = add_kind(
        kinds, "role", "annotation:change_role", "change somebody's role, and so what their answers count for"
    )
    role.add_argument("name", metavar="NAME", help="whose role")
    role.add_argument("role", choices=roles, help="the new role")


@command(
    "round",
    "annotation:list_rounds",
    "draw pairs for several annotators, send them, and follow the progress",
    "pairwright round",
    "pairwright round new --dev 50 --test 200 --annotator Ada --annotator Ben --annotator Cy",
    "pairwright round new --size 20 --domain ecology --preview",
    "pairwright round new --kind pilot --size 5",
    "pairwright round new --asks kinds --pairs 60 --overlap 30 --annotator Ada --annotator Ben",
    "pairwright round show 1",
    "pairwright round send 1 --to Ada --out ~/outbox",
    "pairwright round send 1 --as csv --out ~/outbox",
    "pairwright round send 1 --as label-studio --to Ben --out ~/outbox",
    "pairwright round feedback 2",
    "pairwright round close 1",
)
def round(parser: Parser) -> None:
    parser.description = (
        "Annotation rounds. A round has the same number of pairs of each class and domain, drawn at random. No pair is "
        "drawn twice, but for those that lack votes: they come first for people who have not answered them."
    )
    kinds = parser.add_subparsers(metavar="WHAT", help="list (the default), new, show, send, close or feedback")
    add_kind(
        kinds,
        "list",
        "annotation:list_rounds",
        "list the rounds, compare gold labels with the targets, and say what to do next",
    )
    new = add_kind(
        kinds, "new", "annotation:new_round", "draw a round; by default, as many pairs as the targets still lack"
    )
    what = (
        "benchmark: for gold labels; pilot: to train annotators; estimate: to measure human performance (default: "
        "%(default)s)"
    )
    new.add_argument("--kind", choices=("benchmark", "pilot", "estimate"), default="benchmark", help=what)
    what = (
        "what is asked: the relation, or also kinds of reasoning, which does not count for gold labels (default: "
        "%(default)s)"
    )
    new.add_argument("--asks", choices=("relation", "kinds"), default="relation", help=what)
    new.add_argument("--size", type=round_size, metavar="N", help="how many pairs of each class and domain")
    targets = "target of the {}: gold labels of each class and domain; is kept in the project"
    new.add_argument("--dev", type=target, metavar="N", help=targets.format("dev split"))
    new.add_argument("--test", type=target, metavar="N", help=targets.format("test split"))
    new.add_argument("--domain", action="append", default=[], metavar="NAME", help="only this domain; may be repeated")
    add_where(new, "draw only from pairs that match")
    what = (
        "with --asks kinds: how many pairs each annotator gets, in equal parts of each class and domain (default: 60)"
    )
    new.add_argument("--pairs", type=round_size, metavar="N", help=what)
    what = "with --asks kinds: how many of these everybody gets (default: all)"
    new.add_argument("--overlap", type=target, metavar="N", help=what)
    new.add_argument(
        "--taxonomy",
        type=Path,
        metavar="FILE",
        help="with --asks kinds: a file with another taxonomy and its questions (default: TaxiNLI's)",
    )
    who = "who gets the round; may be repeated (default: everybody with the role)"
    new.add_argument("--annotator", action="append", default=[], metavar="NAME", help=who)
    new.add_argument("--seed", type=seed, default=1, help="random seed of the draw (default: %(default)s)")
    new.add_argument("--preview", action="store_true", help="only show how many pairs would be drawn")
    show = add_kind(kinds, "show", "annotation:show_round", "show a round, and how much each annotator has answered")
    close = add_kind(kinds, "close", "annotation:close_round", "close a round, so that no more answers are expected")
    close.add_argument("--reopen", action="store_true", help="open it again")
    feedback = add_kind(
        kinds, "feedback", "feedback:feedback", "compare the answers to a pilot round with the reference's"
    )
    send = add_kind(kinds, "send", "answer_files:send", "write a round as a file for each annotator")
    what = (
        "answer-file is opened in Pairwright; annotators without it get a table for a spreadsheet, JSON lines, or "
        "tasks for Label Studio or Prodigy, with instructions (default: %(default)s)"
    )
    forms = ("answer-file", "csv", "jsonl", "label-studio", "prodigy")
    send.add_argument("--as", dest="form", choices=forms, default="answer-file", help=what)
    send.add_argument(
        "--to",
        action="append",
        default=[],
        metavar="NAME",
        help="only to this annotator; may be repeated (default: all)",
    )
    send.add_argument(
        "--out", type=Path, default=Path(), metavar="DIR", help="the folder to write into (default: this one)"
    )
    for kind in (show, close, feedback, send):
        kind.add_argument("round", type=positive, metavar="ROUND", help="the number of the round")


@command(
    "ties",
    "ties:ties",
    "list pairs whose votes have no majority, and decide them",
    "pairwright ties",
    "pairwright ties 3f2a91c0=reasoning 77ab01d4=neutral",
    "pairwright ties 3f2a91c0=unclear --as Dee",
)
def ties(parser: Parser) -> None:
    parser.description = (
        "A tie is a pair that has all its votes, but no majority. An adjudicator decides it by the two sentences "
        "alone, without seeing the votes. `pairwright undo` takes all decisions of one command back."
    )
    what = "the id of a tie, or its first characters, and the label; without any, the ties are listed"
    parser.add_argument("decisions", nargs="*", metavar="ID=LABEL", help=what)
    parser.add_argument("--as", dest="name", default="", metavar="NAME", help="the adjudicator (default: the only one)")


@command(
    "gold",
    "annotation:gold",
    "show or change how answers become gold labels",
    "pairwright gold",
    "pairwright gold --rule agreeing --votes 3",
)
def gold(parser: Parser) -> None:
    parser.description = (
        "Show how answers become gold labels, and which pairs the rule discards. Discarded pairs stay in the project; "
        "exports, training and evaluation leave them out."
    )
    what = "the label of the majority is gold: always, or only where it agrees with the distant label"
    parser.add_argument("--rule", choices=("majority", "agreeing"), help=what)
    parser.add_argument("--votes", type=votes, metavar="N", help="how many annotators answer each pair")


@command(
    "merge",
    "answer_files:merge",
    "merge the answers that annotators send back",
    "pairwright merge round-1-Anna.answers.pairwright",
    "pairwright merge round-1-Ben.csv project-4-at-2026-03-02.json",
    "pairwright merge ~/returned/*.answers.pairwright --project psy.pairwright",
    "pairwright merge --list",
)
def merge(parser: Parser) -> None:
    parser.description = (
        "Merge the files that came back after `pairwright round send`: answer files, tables (CSV, TSV, JSON lines), "
        "and exports of Label Studio (JSON, JSON-MIN, CSV) and Prodigy (db-out). Merging a file twice does no harm. "
        "Rows of a table that do not match what was sent are left out and listed. If somebody answered a pair twice, "
        "the later answer counts; answers in a table have the time at which it was last saved. `pairwright undo` takes "
        "the whole merge back."
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="answer files, tables or exports")
    parser.add_argument("--list", action="store_true", help="list what was merged so far, with its conflicts")

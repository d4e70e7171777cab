"""Commands about annotators, their rounds, answers and agreement."""

from __future__ import annotations

from pathlib import Path

from desktop.cli.options.command import command
from desktop.cli.options.shared import add_device, add_kind, add_pairs, add_where
from desktop.cli.parser import Parser, bootstrap_samples, positive, round_size, seed, target, votes


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
        "Complete or correct a pair's sentences from the paper. What was mined is kept, answers stay, and one "
        "`pairwright undo` takes it back. Without a text both sentences are shown."
    )
    parser.add_argument("key", metavar="KEY", help="the pair's id, as `full` exports have it, or how it begins")
    parser.add_argument("--premise", metavar="TEXT", help="the premise as it shall be")
    parser.add_argument("--hypothesis", metavar="TEXT", help="the hypothesis as it shall be")
    parser.add_argument("--back", action="store_true", help="back to the mined text of both")
    parser.add_argument("--annotator", metavar="NAME", help="who mends it (default: who annotates here)")


@command(
    "agree",
    "agreement:agree",
    "measure how far annotators agree, and how good people are",
    "pairwright agree",
    "pairwright agree --domain ecology --json",
    "pairwright agree --round 2 --bootstrap 10000 --seed 7",
)
def agree(parser: Parser) -> None:
    parser.description = (
        "Measure how far annotators agree, in all and by class, domain, round, neutral strategy and phrase: Fleiss' "
        "kappa, Krippendorff's alpha, Gwet's AC1, Cohen's kappa of every two, their majority against the distant "
        "label, and experts and laypeople against the gold label. Intervals are 95 %."
    )
    add_pairs(parser)
    parser.add_argument("--round", type=positive, metavar="N", help="only pairs of this annotation round")
    what = "samples for the intervals; 0 for none (%(default)s)"
    parser.add_argument("--bootstrap", type=bootstrap_samples, default=1000, metavar="N", help=what)
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help="of the samples (%(default)s)")


@command(
    "kinds",
    "kinds:kinds",
    "count the kinds of reasoning of pairs, and what models get wrong",
    "pairwright kinds",
    "pairwright kinds --model starter --model experiment:3",
    "pairwright kinds taxinli_dev.tsv --json",
    "pairwright kinds taxinli_dev.tsv --layers --model starter --out layers.svg",
)
def kinds(parser: Parser) -> None:
    parser.description = (
        "Count the kinds of reasoning that people ticked, and how far they agree. Of a file with a column for each "
        "category, such as TaxiNLI's, also how often models are right on each, and which categories explain their "
        "errors: columns whose values are all labels are models' predictions. Of the project's pairs the models that "
        "are named; what they predict is kept."
    )
    parser.add_argument("file", metavar="FILE", nargs="?", type=Path, help="a file instead of the project's answers")
    what = (
        "a file with other categories and questions (default: TaxiNLI's; of the project's answers, those by which most "
        "pairs are answered)"
    )
    parser.add_argument("--taxonomy", metavar="FILE", type=Path, help=what)
    what = (
        "`starter`, a training run's number or folder, any folder, a hub name, column:NAME, predictions that were "
        "imported, or experiment:N, all systems of an experiment; may be repeated"
    )
    parser.add_argument("--model", metavar="MODEL", action="append", default=[], help=what)
    add_device(parser)
    what = "instead, at which layer of the model kinds stand apart; an encoder without classes will do too"
    parser.add_argument("--layers", action="store_true", help=what)
    what = "layers: also write a picture (.svg) or all points (.tsv)"
    parser.add_argument("--out", metavar="FILE", type=Path, help=what)
    what = "layers: what the picture's colours stand for (%(default)s)"
    parser.add_argument("--by", choices=("category", "label", "relation"), default="category", help=what)
    what = "layers: at most so many pairs, drawn by --seed (%(default)s)"
    parser.add_argument("--pairs", metavar="N", type=positive, default=2000, help=what)
    what = "layers: of the draw and the picture (%(default)s)"
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
        "The people who annotate. Only annotators vote for gold labels; a reference is what pilot rounds are compared "
        "with, an adjudicator decides ties, and experts and laypersons measure human performance."
    )
    kinds = parser.add_subparsers(metavar="WHAT", help="list (the default), add, rename or role")
    roles = ("annotator", "reference", "adjudicator", "expert", "layperson")
    add_kind(kinds, "list", "annotation:list_all_people", "list everybody with role and answers")
    add = add_kind(kinds, "add", "annotation:add_people", "add people")
    add.add_argument("names", nargs="+", metavar="NAME", help="their names")
    add.add_argument("--role", choices=roles, default="annotator", help="what they are (%(default)s)")
    rename = add_kind(kinds, "rename", "annotation:rename", "give somebody another name; their answers are kept")
    rename.add_argument("name", metavar="NAME", help="who")
    rename.add_argument("new_name", metavar="NEW_NAME", help="the name from now on")
    role = add_kind(kinds, "role", "annotation:change_role", "change what somebody's answers count for")
    role.add_argument("name", metavar="NAME", help="who")
    role.add_argument("role", choices=roles, help="the role from now on")


@command(
    "round",
    "annotation:list_rounds",
    "draw pairs for several annotators, and see how far they are",
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
        "Rounds of annotation: as many pairs of each class, at random, from each domain; no pair is drawn twice."
    )
    kinds = parser.add_subparsers(metavar="WHAT", help="list (the default), new, show, send, close or feedback")
    add_kind(kinds, "list", "annotation:list_rounds", "list rounds, gold labels against targets, and what to do next")
    new = add_kind(kinds, "new", "annotation:new_round", "draw a round: by default the pairs missing to the targets")
    what = "for gold labels, to train annotators, or to measure human performance (%(default)s)"
    new.add_argument("--kind", choices=("benchmark", "pilot", "estimate"), default="benchmark", help=what)
    what = "their relation, or kinds of reasoning with it, which is no vote for gold labels (%(default)s)"
    new.add_argument("--asks", choices=("relation", "kinds"), default="relation", help=what)
    new.add_argument("--size", type=round_size, metavar="N", help="pairs of each class and domain")
    targets = "target of the {}: gold pairs of each class and domain; becomes the project's"
    new.add_argument("--dev", type=target, metavar="N", help=targets.format("dev split"))
    new.add_argument("--test", type=target, metavar="N", help=targets.format("test split"))
    new.add_argument("--domain", action="append", default=[], metavar="NAME", help="only these; may be repeated")
    add_where(new, "draw only from pairs that match")
    what = "of a round for kinds: pairs of each annotator, evenly of each class and domain (60)"
    new.add_argument("--pairs", type=round_size, metavar="N", help=what)
    what = "of a round for kinds: how many of these are the same for all (default: all)"
    new.add_argument("--overlap", type=target, metavar="N", help=what)
    new.add_argument("--taxonomy", type=Path, metavar="FILE", help="other categories and questions than TaxiNLI's")
    who = "who answers; may be repeated (default: everybody with the role)"
    new.add_argument("--annotator", action="append", default=[], metavar="NAME", help=who)
    new.add_argument("--seed", type=seed, default=1, help="decides the draw (%(default)s)")
    new.add_argument("--preview", action="store_true", help="only count")
    show = add_kind(kinds, "show", "annotation:show_round", "show a round and how far each annotator is")
    close = add_kind(kinds, "close", "annotation:close_round", "stop to wait for a round's answers")
    close.add_argument("--reopen", action="store_true", help="wait for them again")
    feedback = add_kind(kinds, "feedback", "feedback:feedback", "compare a pilot's answers with the reference's")
    send = add_kind(kinds, "send", "answer_files:send", "write a round as a file for each annotator")
    what = (
        "an answer file for Pairwright, or for those without it: a table for a spreadsheet, JSON lines, or tasks for "
        "Label Studio or Prodigy, with instructions beside them (%(default)s)"
    )
    forms = ("answer-file", "csv", "jsonl", "label-studio", "prodigy")
    send.add_argument("--as", dest="form", choices=forms, default="answer-file", help=what)
    send.add_argument("--to", action="append", default=[], metavar="NAME", help="whom; may be repeated (default: all)")
    send.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="where to write (default: this folder)")
    for kind in (show, close, feedback, send):
        kind.add_argument("round", type=positive, metavar="ROUND", help="its number")


@command(
    "ties",
    "ties:ties",
    "list the pairs whose votes have no majority, and decide them",
    "pairwright ties",
    "pairwright ties 3f2a91c0=reasoning 77ab01d4=neutral",
    "pairwright ties 3f2a91c0=unclear --as Dee",
)
def ties(parser: Parser) -> None:
    parser.description = (
        "Ties are pairs that have all their votes, and no majority. An adjudicator decides them by their sentences "
        "alone. Several are decided as one action, which `pairwright undo` takes back."
    )
    what = "a tie's id, or how it begins, and its label; without any, the ties are listed"
    parser.add_argument("decisions", nargs="*", metavar="ID=LABEL", help=what)
    parser.add_argument("--as", dest="name", default="", metavar="NAME", help="the adjudicator (default: the only one)")


@command(
    "gold",
    "annotation:gold",
    "show or change how gold labels come from answers",
    "pairwright gold",
    "pairwright gold --rule agreeing --votes 3",
)
def gold(parser: Parser) -> None:
    parser.description = (
        "How gold labels come from answers, and what the rule discards. Discarded pairs are kept and counted; exports, "
        "training and evaluation leave them out."
    )
    what = "every majority, or only those that are the distant label"
    parser.add_argument("--rule", choices=("majority", "agreeing"), help=what)
    parser.add_argument("--votes", type=votes, metavar="N", help="how many annotators are asked about a pair")


@command(
    "merge",
    "answer_files:merge",
    "merge the answers that annotators sent back",
    "pairwright merge round-1-Anna.answers.pairwright",
    "pairwright merge round-1-Ben.csv project-4-at-2026-03-02.json",
    "pairwright merge ~/returned/*.answers.pairwright --project psy.pairwright",
    "pairwright merge --list",
)
def merge(parser: Parser) -> None:
    parser.description = (
        "Merge the answers of annotators who got a file by `pairwright round send`: answer files, tables (CSV, TSV, "
        "JSON lines), and exports of Label Studio (JSON, JSON-MIN, CSV) and Prodigy (db-out). Each answer is merged "
        "once, however often its file is. Of a table, rows that do not fit what was sent are refused and told, and the "
        "others merged. Where somebody answered a pair twice, the later answer holds; a table's answers count as given "
        "when it was last saved. One `pairwright undo` takes all of it back."
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="answer files, tables or exports")
    parser.add_argument("--list", action="store_true", help="show what was merged, with the conflicts that were found")

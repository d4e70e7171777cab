"""All commands with their help, examples and options, in the order of `--help`.

This module does not import the database or the parsers; the module that runs a command does.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from desktop.cli.parser import (
    HelpFormatter,
    Parser,
    bootstrap_samples,
    common_options,
    label_numbers,
    label_order,
    not_negative,
    percent,
    positive,
    round_size,
    seed,
    seeds,
    shares,
    shares_or_none,
    target,
    votes,
    year,
    year_or_none,
)
from miner.audit.report import AuditedLabels
from miner.mining.settings import Casing
from miner.records import Label
from storage.dataset.options import FileFormat, Preset

_AddOptions = Callable[[Parser], None]

_EXAMPLES = """\
from papers to a data set:
  pairwright new psy.pairwright
  pairwright add ~/papers --domain psychology
  pairwright mine
  pairwright stats
  pairwright suggest
  pairwright export out/ --preset scinli

The project is --project FILE, or the only .pairwright file in this folder.
exit codes: 0 done, 1 something is missing or wrong, 2 a bug,
            130 cancelled (143 by SIGTERM)"""


@dataclass(frozen=True, slots=True)
class Command:
    """A command. `runs`: the function that runs it, as "module:function" of this package; it takes the options."""

    name: str
    runs: str
    help: str
    examples: tuple[str, ...]
    add_options: _AddOptions


COMMANDS: list[Command] = []


def command(name: str, runs: str, help: str, *examples: str) -> Callable[[_AddOptions], _AddOptions]:
    """Decorates the function that adds the options of a command."""

    def register(add_options: _AddOptions) -> _AddOptions:
        COMMANDS.append(Command(name, runs, help, examples, add_options))
        return add_options

    return register


def build_parser() -> Parser:
    """The parser. The options it returns have the command's `runs`, None without a command."""
    parser = Parser(
        prog="pairwright",
        description="Turns papers into scientific-NLI data sets: pairs mined by linking phrases, neutral pairs beside "
        "them, and where each came from.",
        epilog=_EXAMPLES,
        formatter_class=HelpFormatter,
        parents=[common_options()],
    )
    parser.set_defaults(project=None, json=False, quiet=False, verbose=False, runs=None)
    parser.add_argument("--version", action="version", version=f"pairwright {version('pairwright')}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    for one in COMMANDS:
        added = subparsers.add_parser(
            one.name,
            help=one.help,
            description=f"{one.help[0].upper()}{one.help[1:]}.",
            epilog="examples:\n" + "\n".join(f"  {example}" for example in one.examples),
            formatter_class=HelpFormatter,
            parents=[common_options()],
        )
        added.set_defaults(runs=one.runs)
        one.add_options(added)
    return parser


@command(
    "new",
    "project:new",
    "make a new, empty project",
    "pairwright new psy.pairwright",
)
def _new(parser: Parser) -> None:
    parser.add_argument("file", type=Path, help="the project file to make; its name ends in .pairwright")


@command(
    "add",
    "papers:add",
    "add papers: PDFs, TEI or JSON lines, from files and folders",
    "pairwright add ~/papers --domain psychology",
    "pairwright add paper.pdf --year 2019",
    "pairwright add ~/papers --parser grobid --grobid http://localhost:8070",
    "pairwright add papers.jsonl.gz",
)
def _add(parser: Parser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files and folders")
    parser.add_argument("--retry", action="store_true", help="send again what GROBID refused or found empty")
    _add_import_options(parser)


@command(
    "papers",
    "papers:list_papers",
    "list, show, change, remove, retry or reparse papers",
    "pairwright papers --search transformer",
    "pairwright papers list --failed",
    "pairwright papers show 3f2a91c0",
    'pairwright papers edit 3f2a91c0 --title "Sand and Stone" --year 2019',
    "pairwright papers edit --of-domain psych --domain psychology",
    "pairwright papers remove 3f2a91c0 ~/papers/draft.pdf",
    "pairwright papers retry --parser grobid",
    "pairwright papers reparse",
)
def _papers(parser: Parser) -> None:
    parser.set_defaults(papers=[], search="", of_domain=None, failed=False)
    _add_selection(parser)
    kinds = parser.add_subparsers(metavar="WHAT", help="list (the default), show, edit, remove, retry or reparse")

    def kind(name: str, what: str) -> argparse.ArgumentParser:
        description = f"{what[0].upper()}{what[1:]}."
        added = kinds.add_parser(name, help=what, description=description, parents=[common_options()])
        added.set_defaults(runs=f"papers:{name}_papers")
        which = "papers by what the list shows first, or by their files"
        added.add_argument("papers", nargs="*", default=argparse.SUPPRESS, metavar="PAPER", help=which)
        _add_selection(added)
        return added

    kind("list", "list papers, and files that could not be read")
    kind("show", "show all about papers: what read them, what was left out or repaired, and their files")
    edit = kind("edit", 'change the metadata of papers; "" clears a field')
    edit.add_argument("--title", help="their title")
    edit.add_argument("--author", action="append", metavar="NAME", help="an author; may be repeated")
    edit.add_argument("--year", type=year_or_none, help="their year")
    edit.add_argument("--doi", help="their DOI")
    edit.add_argument("--domain", help="their domain")
    edit.add_argument("--licence", help="their licence, as SPDX writes it: CC-BY-4.0")
    remove = kind("remove", "remove papers with their pairs, and failed files")
    remove.add_argument("--yes", action="store_true", help="also where pairs have been judged")
    retry = kind("retry", "read files again that could not be read, all of them if none is named")
    retry.set_defaults(retry=True)
    _add_import_options(retry)
    what = "parse papers again that an earlier version parsed; all answers are kept"
    reparse = kinds.add_parser(
        "reparse", help=what, description=f"{what[0].upper()}{what[1:]}.", parents=[common_options()]
    )
    reparse.set_defaults(runs="papers:reparse_papers", retry=False, parser="embedded", domain=None, year=None)
    _add_limits(reparse)


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
def _mine(parser: Parser) -> None:
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
    _add_process_count(parser)


@command(
    "stats",
    "statistics:stats",
    "show what the project holds, or the papers' tables about a data set",
    "pairwright stats --json",
    "pairwright stats --table 2",
    "pairwright stats --table 12 --domain ecology --format latex",
    "pairwright stats --table 13 --tokenizer ~/models/roberta-base",
)
def _stats(parser: Parser) -> None:
    parser.description = (
        "Show what the project holds and what was dropped, by reason. With --table, the figures that the papers of "
        "SciNLI and MSciNLI give of their data sets, in the splits of the last export: 3 (the data set), 2 (each "
        "domain), 12 (gold against distant labels), 13 (how alike the domains' vocabularies are)."
    )
    parser.add_argument("--table", choices=("2", "3", "12", "13"), help="a table of the papers, by its number")
    _add_pairs(parser)
    parser.add_argument("--format", choices=("markdown", "latex", "tsv"), help="write the table for a text like this")
    what = "pairs of each split of a domain to parse for complete sentences; 0: none (%(default)s)"
    parser.add_argument("--sample", type=not_negative, default=500, metavar="N", help=what)
    what = "a tokenizer.json, or a model's folder with one (default: the starter's)"
    parser.add_argument("--tokenizer", type=Path, metavar="PATH", help=what)
    parser.add_argument("--all-splits", action="store_true", help="vocabularies of all pairs, not of training pairs")
    parser.add_argument("--seed", type=seed, default=1, help="decides the samples (%(default)s)")
    _add_process_count(parser)


@command(
    "suggest",
    "models:suggest",
    "have a local model suggest a relation for every pair",
    "pairwright suggest",
    "pairwright suggest --model 3-psychology",
    "pairwright suggest --model ~/models/scinli-roberta --labels contrasting,reasoning,entailment,neutral",
)
def _suggest(parser: Parser) -> None:
    parser.description = (
        "Have a local model suggest a relation for every pair it has not judged. Nothing leaves this machine."
    )
    what = "`starter`, a training run's number or folder, any folder, or a hub name (%(default)s)"
    parser.add_argument("--model", metavar="MODEL", default="starter", help=what)
    parser.add_argument("--again", action="store_true", help="judge all pairs anew, also those this model has judged")
    _add_model(parser)


@command(
    "disagreements",
    "models:disagreements",
    "list the labels a model doubts most",
    "pairwright disagreements --limit 50",
    "pairwright disagreements --domain psychology --label reasoning --json",
)
def _disagreements(parser: Parser) -> None:
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
def _accept(parser: Parser) -> None:
    parser.description = (
        "Accept what the model suggests, as your answer, for pairs that nobody has answered. Without --yes it is only "
        "counted. One `pairwright undo` takes all of it back."
    )
    parser.add_argument(
        "--at-least", type=percent, required=True, metavar="PERCENT", help="suggestions at least so sure"
    )
    _add_where(parser, "only pairs that match")
    parser.add_argument("--annotator", metavar="NAME", help="whose answers they are (default: who annotates here)")
    parser.add_argument("--yes", action="store_true", help="do it")


@command(
    "mend",
    "pairs:mend_pair",
    "show or mend the sentences of a pair",
    "pairwright mend 3f2a91c0",
    'pairwright mend 3f2a91c0 --premise "The whole sentence, as it is in the paper."',
    "pairwright mend 3f2a91c0 --back",
)
def _mend(parser: Parser) -> None:
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
def _agree(parser: Parser) -> None:
    parser.description = (
        "Measure how far annotators agree, in all and by class, domain, round, neutral strategy and phrase: Fleiss' "
        "kappa, Krippendorff's alpha, Gwet's AC1, Cohen's kappa of every two, their majority against the distant "
        "label, and experts and laypeople against the gold label. Intervals are 95 %."
    )
    _add_pairs(parser)
    parser.add_argument("--round", type=positive, metavar="N", help="only pairs of this annotation round")
    what = "samples for the intervals; 0 for none (%(default)s)"
    parser.add_argument("--bootstrap", type=bootstrap_samples, default=1000, metavar="N", help=what)
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help="of the samples (%(default)s)")


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
def _people(parser: Parser) -> None:
    parser.description = (
        "The people who annotate. Only annotators vote for gold labels; a reference is what pilot rounds are compared "
        "with, an adjudicator decides ties, and experts and laypersons measure human performance."
    )
    kinds = parser.add_subparsers(metavar="WHAT", help="list (the default), add, rename or role")
    roles = ("annotator", "reference", "adjudicator", "expert", "layperson")
    _add_kind(kinds, "list", "annotation:list_all_people", "list everybody with role and answers")
    add = _add_kind(kinds, "add", "annotation:add_people", "add people")
    add.add_argument("names", nargs="+", metavar="NAME", help="their names")
    add.add_argument("--role", choices=roles, default="annotator", help="what they are (%(default)s)")
    rename = _add_kind(kinds, "rename", "annotation:rename", "give somebody another name; their answers are kept")
    rename.add_argument("name", metavar="NAME", help="who")
    rename.add_argument("new_name", metavar="NEW_NAME", help="the name from now on")
    role = _add_kind(kinds, "role", "annotation:change_role", "change what somebody's answers count for")
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
    "pairwright round show 1",
    "pairwright round send 1 --to Ada --out ~/outbox",
    "pairwright round feedback 2",
    "pairwright round close 1",
)
def _round(parser: Parser) -> None:
    parser.description = (
        "Rounds of annotation: as many pairs of each class, at random, from each domain; no pair is drawn twice."
    )
    kinds = parser.add_subparsers(metavar="WHAT", help="list (the default), new, show, send, close or feedback")
    _add_kind(kinds, "list", "annotation:list_rounds", "list rounds, gold labels against targets, and what to do next")
    new = _add_kind(kinds, "new", "annotation:new_round", "draw a round: by default the pairs missing to the targets")
    what = "for gold labels, to train annotators, or to measure human performance (%(default)s)"
    new.add_argument("--kind", choices=("benchmark", "pilot", "estimate"), default="benchmark", help=what)
    new.add_argument("--size", type=round_size, metavar="N", help="pairs of each class and domain")
    targets = "target of the {}: gold pairs of each class and domain; becomes the project's"
    new.add_argument("--dev", type=target, metavar="N", help=targets.format("dev split"))
    new.add_argument("--test", type=target, metavar="N", help=targets.format("test split"))
    new.add_argument("--domain", action="append", default=[], metavar="NAME", help="only these; may be repeated")
    _add_where(new, "draw only from pairs that match")
    who = "who answers; may be repeated (default: everybody with the role)"
    new.add_argument("--annotator", action="append", default=[], metavar="NAME", help=who)
    new.add_argument("--seed", type=seed, default=1, help="decides the draw (%(default)s)")
    new.add_argument("--preview", action="store_true", help="only count")
    show = _add_kind(kinds, "show", "annotation:show_round", "show a round and how far each annotator is")
    close = _add_kind(kinds, "close", "annotation:close_round", "stop to wait for a round's answers")
    close.add_argument("--reopen", action="store_true", help="wait for them again")
    feedback = _add_kind(kinds, "feedback", "annotation:feedback", "compare a pilot's answers with the reference's")
    send = _add_kind(kinds, "send", "answer_files:send", "write a round as an answer file for each annotator")
    send.add_argument("--to", action="append", default=[], metavar="NAME", help="whom; may be repeated (default: all)")
    send.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="where to write (default: this folder)")
    for kind in (show, close, feedback, send):
        kind.add_argument("round", type=positive, metavar="ROUND", help="its number")


@command(
    "gold",
    "annotation:gold",
    "show or change how gold labels come from answers",
    "pairwright gold",
    "pairwright gold --rule agreeing --votes 3",
)
def _gold(parser: Parser) -> None:
    parser.description = (
        "How gold labels come from answers, and what the rule discards. Discarded pairs are kept and counted; exports, "
        "training and evaluation leave them out."
    )
    what = "every majority, or only those that are the distant label"
    parser.add_argument("--rule", choices=("majority", "agreeing"), help=what)
    parser.add_argument("--votes", type=votes, metavar="N", help="how many annotators are asked about a pair")


@command(
    "audit",
    "audit:audit",
    "look for what gives the labels away: capitals, words, lengths, and what a linear model guesses",
    "pairwright audit",
    "pairwright audit --labels gold --domain ecology",
    "pairwright audit --json --seed 7",
)
def _audit(parser: Parser) -> None:
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
def _train(parser: Parser) -> None:
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
    _add_where(parser, "learn only from pairs that match")
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
    _add_model(parser)
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
def _evaluate(parser: Parser) -> None:
    parser.description = (
        "Measure models on people's answers, or other labels: macro F1, scores by class, domain and neutral strategy, "
        "calibration. Trainings that differ by their seed alone are one row, mean ± standard deviation."
    )
    what = "`starter`, a training run's number or folder, any folder, or a hub name; may be repeated (starter)"
    parser.add_argument("--model", metavar="MODEL", action="append", default=[], help=what)
    parser.add_argument(
        "--data", nargs="+", type=Path, default=[], metavar="FILE", help="labelled CSV, TSV, JSON lines"
    )
    _add_label_numbers(parser)
    parser.add_argument("--distant", action="store_true", help="the project's distant labels, not people's answers")
    seen = "pairs that a model has learned from: leave them out, take what the models of its folds say, or take them"
    parser.add_argument("--learned", choices=("leave", "folds", "take"), default="leave", help=f"{seen} (%(default)s)")
    parser.add_argument("--most", type=positive, default=0, metavar="N", help="a draw of so many pairs (default: all)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write evaluation.md and evaluation.json there")
    _add_model(parser)


def _add_export_options(parser: Parser) -> None:
    parser.add_argument("--preset", choices=[*Preset], default=Preset.SCINLI, help="which fields (%(default)s)")
    what = "which kind of files (%(default)s)"
    parser.add_argument("--format", choices=[*FileFormat], default=FileFormat.JSONL, help=what)
    what = "write cells of CSV and TSV that a spreadsheet would take for formulas with an apostrophe before them"
    card = "a data card (README.md), Croissant metadata, a manifest and checksums beside the data"
    parser.add_argument("--card", action="store_true", help=card)
    parser.add_argument("--name", default="", help="the name of the data set, for its card")
    parser.add_argument("--safe-cells", action="store_true", help=what)
    what = "leave out pairs of papers whose licence does not allow to pass them on, or is unknown"
    parser.add_argument("--redistributable", action="store_true", help=what)
    _add_splits(parser)
    parser.add_argument("--balance", action="store_true", help="as many of each class, by split and domain")
    parser.add_argument("--seed", type=seed, default=1, help="decides splits and balance (%(default)s)")
    parser.add_argument("--without", action="append", default=[], metavar="FLAG", help="leave out pairs with this flag")
    parser.add_argument("--implicit", action="store_true", help="unlabelled neighbours too")
    parser.add_argument("--settled", action="store_true", help="only pairs with a gold label, none with a distant one")
    _add_where(parser, "only pairs that match")


@command(
    "experiment",
    "experiments:experiment",
    "train and compare systems on the project's splits",
    "pairwright experiment baselines",
    "pairwright experiment domains --template",
    "pairwright experiment travel.toml --out report/",
    "pairwright experiment --list",
    "pairwright experiment --show 3 --table domain --format latex",
)
def _experiment(parser: Parser) -> None:
    parser.description = (
        "Run an experiment: a file names data, systems and tables; known cells are not computed again, "
        "so that a stopped experiment goes on when it is run again."
    )
    parser.add_argument("experiment", nargs="?", metavar="NAME|FILE", help="a ready experiment, or a TOML file")
    parser.add_argument("--out", type=Path, metavar="DIR", help="save a report: tables, cells and the experiment")
    parser.add_argument("--table", metavar="TEXT", help="only tables with this in their title")
    parser.add_argument(
        "--format", choices=("markdown", "latex", "tsv"), help="print tables for a paper or spreadsheet"
    )
    parser.add_argument("--device", choices=("auto", "cpu", "cuda", "mps"), default="auto", help="where to compute")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--template", action="store_true", help="print the file of a ready experiment")
    instead.add_argument("--list", action="store_true", help="list the project's experiments, and the ready ones")
    instead.add_argument("--show", type=positive, metavar="N", help="the tables of an experiment")
    instead.add_argument("--forget", type=positive, metavar="N", help="delete an experiment and its results")


@command(
    "export",
    "exchange:export",
    "write the pairs as a data set",
    "pairwright export out/ --preset scinli",
    "pairwright export out/ --preset full --split 80/10/10 --seed 1 --balance",
    "pairwright export out/ --preset full --format parquet --redistributable",
    'pairwright export out/ --years "nlp: train 2000-2018, dev+test 2019"',
    "pairwright export out/ --without crosses_paragraph --where domain=nlp --where status=settled",
)
def _export(parser: Parser) -> None:
    parser.add_argument("folder", type=Path, metavar="OUT", help="the folder to write into")
    _add_export_options(parser)
    what = "replace an earlier export in OUT also where its files were changed since"
    parser.add_argument("--overwrite", action="store_true", help=what)


@command(
    "release",
    "exchange:release",
    "export a data set under a name, and keep it as it is",
    "pairwright release 1.0 --preset full --split 80/10/10 --balance --card --out out/",
    "pairwright release 1.0 --again copy/",
)
def _release(parser: Parser) -> None:
    parser.description = (
        "Export a data set, and keep its files and splits in the project under a name. A release never changes and can "
        "be written again byte for byte; papers of a release stay in their split in later exports."
    )
    parser.add_argument("name", metavar="NAME", help="the name of the release")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--out", type=Path, dest="folder", metavar="DIR", help="release: the folder to write into")
    where.add_argument("--again", type=Path, metavar="DIR", help="write a release again into this folder")
    _add_export_options(parser)


@command(
    "releases", "exchange:list_releases", "list what was released", "pairwright releases", "pairwright releases --new"
)
def _releases(parser: Parser) -> None:
    parser.add_argument("--new", action="store_true", help="also what the same export would have now")


@command(
    "rebuild",
    "exchange:rebuild",
    "make the files of a manifest again from the same papers",
    "pairwright rebuild out/manifest.json --papers pdfs/ --out again/",
)
def _rebuild(parser: Parser) -> None:
    parser.description = (
        "Make the files of an exported data set again from the papers that its manifest names, found by their content. "
        "It needs no project. Papers that are missing or changed are named, and then nothing is written."
    )
    parser.add_argument("manifest", type=Path, metavar="MANIFEST", help="manifest.json of an exported folder")
    parser.add_argument("--papers", type=Path, required=True, metavar="DIR", help="the folder of the papers")
    parser.add_argument("--out", type=Path, required=True, metavar="OUT", help="an empty or new folder")
    _add_process_count(parser)


@command(
    "split",
    "exchange:split",
    "show how papers and pairs are split, and look for leaks",
    "pairwright split --check",
    "pairwright split --split 80/10/10 --seed 3",
    'pairwright split --years "nlp: train 2000-2018, dev 36% + test 64% 2019" --years "train -2014, test 2015-"',
)
def _split(parser: Parser) -> None:
    parser.description = (
        "Show how an export would split papers and pairs; nothing is written. Without options it is the last "
        "export with splits."
    )
    _add_splits(parser)
    parser.add_argument("--seed", type=seed, default=1, help="decides the splits (%(default)s)")
    what = "count papers, sentences and near-duplicates that are in more than one split"
    parser.add_argument("--check", action="store_true", help=what)


@command(
    "leaks",
    "exchange:leaks",
    "look for leaks between the splits of data set files",
    "pairwright leaks out/",
    "pairwright leaks train.csv dev.csv test.csv",
)
def _leaks(parser: Parser) -> None:
    parser.description = (
        "Look for papers and sentences that are in more than one split of data set files, ours or others', and for "
        "sentences that are nearly the same. A row's split is in its column `split`, or in its file's name."
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="data set files, or folders of them")


@command(
    "import",
    "exchange:import_pairs",
    "read labelled pairs of a data set",
    "pairwright import train.csv dev.csv --domain nlp",
)
def _import(parser: Parser) -> None:
    parser.description = (
        "Read labelled pairs: SciNLI, MSciNLI, MisMatched, SNLI, MNLI or TaxiNLI shaped CSV, TSV, JSON lines or "
        "Parquet, and what Pairwright exports. Pairs that the project has stay as they are."
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="data set files, or folders of them")
    parser.add_argument("--domain", default="", help="the domain of rows that name none")
    _add_label_numbers(parser)


@command(
    "merge",
    "answer_files:merge",
    "merge answer files that annotators sent back",
    "pairwright merge round-1-Anna.answers.pairwright",
    "pairwright merge ~/returned/*.answers.pairwright --project psy.pairwright",
    "pairwright merge --list",
)
def _merge(parser: Parser) -> None:
    parser.description = (
        "Merge the answers of annotators who got a file by `pairwright round send`. Each answer is merged once, "
        "however often its file is. Where somebody answered a pair twice, the later answer holds. One "
        "`pairwright undo` takes all of it back."
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="answer files")
    parser.add_argument("--list", action="store_true", help="show what was merged, with the conflicts that were found")


@command("undo", "project:undo", "undo the last change of papers, answers or annotation rounds", "pairwright undo")
def _undo(parser: Parser) -> None:
    """No options of its own."""


@command("redo", "project:redo", "redo what was undone last", "pairwright redo")
def _redo(parser: Parser) -> None:
    """No options of its own."""


@command(
    "info", "overview:info", "show the project file and how it was made", "pairwright info --project psy.pairwright"
)
def _info(parser: Parser) -> None:
    """No options of its own."""


@command(
    "learn",
    "papers:learn",
    "learn from the project's papers where sentences end",
    "pairwright learn",
    "pairwright mine",
)
def _learn(parser: Parser) -> None:
    """No options of its own."""


@command(
    "restore",
    "project:restore",
    "list the project's backups, or put one in its place",
    "pairwright restore",
    "pairwright restore 1 --project psy.pairwright",
)
def _restore(parser: Parser) -> None:
    parser.add_argument("backup", nargs="?", metavar="BACKUP", help="a number in the list, or a file (default: list)")


@command(
    "doctor",
    "project:doctor",
    "check the installation, torch, GROBID, the disk and the project",
    "pairwright doctor",
)
def _doctor(parser: Parser) -> None:
    parser.add_argument("--grobid", metavar="URL", default="http://localhost:8070", help="address (%(default)s)")


def _add_selection(parser: argparse.ArgumentParser) -> None:
    """The options that select papers; they may precede or follow the subcommand."""
    parser.add_argument("--search", default=argparse.SUPPRESS, metavar="WORDS", help="those with all these words")
    parser.add_argument("--of-domain", default=argparse.SUPPRESS, metavar="NAME", help="those of this domain")
    parser.add_argument("--failed", action="store_true", default=argparse.SUPPRESS, help="files that were not read")


def _add_splits(parser: Parser) -> None:
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--split", type=shares, default=(), metavar="T/D/T", help="shares of train/dev/test, by paper")
    what = "the years of each split, as “nlp: train 2000-2018, dev+test 2019”, or a file of such lines; may be repeated"
    ways.add_argument("--years", action="append", default=[], metavar="TEXT", help=what)
    ways.add_argument("--as-imported", action="store_true", help="the splits that imported files say, and no others")
    what = "papers of earlier releases stay in their split"
    parser.add_argument("--keep-released", action=argparse.BooleanOptionalAction, default=True, help=what)
    what = "leave out pairs with nearly the same sentence as another split, too"
    parser.add_argument("--drop-near-duplicates", action="store_true", help=what)


def _add_process_count(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--jobs", type=positive, metavar="N", help="processes (default: one for each processor)")


def _add_import_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--domain", help="the papers' domain (default: what a paper says itself)")
    parser.add_argument("--year", type=year, help="the papers' year (default: what a paper says itself)")
    parser.add_argument("--parser", choices=("embedded", "grobid"), default="embedded", help="what reads PDFs")
    parser.add_argument("--grobid", metavar="URL", default="http://localhost:8070", help="address (%(default)s)")
    _add_limits(parser)


def _add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds", type=positive, default=120, metavar="N", help="most time for one PDF (%(default)s)"
    )
    parser.add_argument(
        "--megabytes", type=positive, default=2000, metavar="N", help="most memory for one (%(default)s)"
    )
    _add_process_count(parser)


def _add_label_numbers(parser: Parser) -> None:
    what = "what labels that are numbers mean, from 0, such as entailment,neutral,contradiction"
    parser.add_argument("--label-numbers", type=label_numbers, default=(), metavar="A,B,…", help=what)


def _add_model(parser: Parser) -> None:
    parser.add_argument("--device", choices=("auto", "cpu", "cuda", "mps"), default="auto", help="where to compute")
    parser.add_argument(
        "--labels", type=label_order, metavar="A,B,C,D", help="a foreign classifier's classes, in its order"
    )


def _add_kind(kinds: argparse._SubParsersAction[Parser], name: str, runs: str, what: str) -> argparse.ArgumentParser:
    """Add one of the things that a command can do."""
    added = kinds.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.", parents=[common_options()])
    added.set_defaults(runs=runs)
    return added


def _add_pairs(parser: Parser) -> None:
    """The options of `execution.chosen_pairs`."""
    what = "only papers of this domain; may be repeated"
    parser.add_argument("--domain", action="append", default=[], metavar="NAME", help=what)
    _add_where(parser, "only pairs that match")


def _add_where(parser: argparse.ArgumentParser, what: str) -> None:
    full_help = f"{what}, such as domain=nlp, label=neutral,reasoning or year=2015..; may be repeated"
    parser.add_argument("--where", action="append", default=[], metavar="FIELD=VALUE", help=full_help)

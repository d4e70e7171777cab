"""The command line: what can be typed, and what its exit codes mean. `desktop.cli.commands` does the work."""

from __future__ import annotations

import argparse
import io
import math
import multiprocessing
import sys
import traceback
from collections.abc import Iterable, Sequence
from contextlib import redirect_stderr
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from desktop import logs
from desktop.cli.interrupts import Interrupts
from desktop.cli.output import Unfailing, as_json_text, discard, open_standard_streams
from desktop.text import visible
from miner.errors import UserError
from miner.paths import PROJECT_SUFFIX
from miner.progress import Cancelled

if TYPE_CHECKING:
    from miner.records import Label

OK, USER_ERROR, BUG = 0, 1, 2
_PLACES = {  # of commands that need what the others can do without
    "suggest": "desktop.cli.models",
    "disagreements": "desktop.cli.models",
    "train": "desktop.cli.models",
    "accept": "desktop.cli.models",
    "evaluate": "desktop.cli.evaluation",
    "papers": "desktop.cli.papers",
    "restore": "desktop.cli.backups",
}
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


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    multiprocessing.freeze_support()
    open_standard_streams()
    for stream in (sys.stdout, sys.stderr):  # a file's name may hold what the terminal cannot show
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    interrupts = Interrupts()
    with interrupts.listening(), redirect_stderr(Unfailing(sys.stderr)):
        try:
            return _run(sys.argv[1:] if argv is None else argv, interrupts)
        except KeyboardInterrupt:  # once more, while it was being said
            return interrupts.exit_code


def _run(argv: Sequence[str], interrupts: Interrupts) -> int:
    as_json = "--json" in argv
    parser = _parser()
    if argv and argv[0].endswith(PROJECT_SUFFIX) and not argv[0].startswith("-"):  # pairwright psy.pairwright stats
        argv = ["--project", *argv]
    try:
        options = parser.parse_args(argv)
        options.interrupts = interrupts
        _refuse_no_folder()
        logs.start(verbose=options.verbose)
        if options.command is None:
            return _answer(parser.format_help().rstrip("\n"), OK)
        # The commands bring the database and the parsers, which --help can do without.
        place = import_module(_PLACES.get(options.command, "desktop.cli.commands"))
        said = getattr(place, options.command)(options)
    except UserError as exc:
        return _refuse(USER_ERROR, str(exc), exc.hint, as_json=as_json)
    except (Cancelled, KeyboardInterrupt):
        hint = "What was finished is kept; the same command goes on from there."
        return _refuse(interrupts.exit_code, "Cancelled.", hint, as_json=as_json)
    except Exception:  # noqa: BLE001  the one place where bugs are met
        print(visible(traceback.format_exc()), file=sys.stderr)
        hint = "Nothing saved is lost. Please report the lines above."
        return _refuse(BUG, "This is a bug of Pairwright.", hint, as_json=as_json)
    for aside in said.asides:
        print(visible(aside), file=sys.stderr)
    return _answer(as_json_text(said.data) if options.json else visible(said.text), OK if said.good else USER_ERROR)


def _refuse_no_folder() -> None:
    try:
        Path.cwd()
    except OSError as exc:
        raise UserError(f"The current folder cannot be used: {exc.strerror}.", hint="Change to another one.") from exc


def _refuse(code: int, what: str, hint: str, *, as_json: bool) -> int:
    print(visible(f"error: {what}" if code == USER_ERROR else what), file=sys.stderr)
    if hint:
        print(visible(hint), file=sys.stderr)
    return _answer(as_json_text({"error": what, "hint": hint}), code) if as_json else code


def _answer(text: str, code: int) -> int:
    """Print what was asked for; the exit code, which is another where nobody can be told."""
    try:
        print(text, flush=True)
    except BrokenPipeError:  # who reads it has seen enough
        discard(sys.stdout)
    except OSError as exc:
        discard(sys.stdout)
        what = f"The answer cannot be written: {exc.strerror}."
        return _refuse(code or USER_ERROR, what, "What the command did is kept.", as_json=False)
    return code


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Examples as they are written; what is one line is prose, and broken where the terminal ends."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text if "\n" in text else super(argparse.RawDescriptionHelpFormatter, self)._fill_text
        return fill(text, width, indent)


class _Parser(argparse.ArgumentParser):
    """Says a wrong command with our exit code; argparse's own, 2, means a bug here."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        raise UserError(f"{message[0].upper()}{message[1:]}.", hint=f"See: {self.prog} --help")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:  # as argparse has it
        """Here, where the command is known, and not at the very end, something unknown is told by what is near."""
        found, unknown = super().parse_known_args(args, namespace)
        if not unknown:
            return found, unknown
        word = next((word for word in unknown if word.startswith("-")), "")
        if not word:
            self.error(f"this is too much: {' '.join(unknown)}")
        raise self._unknown("option", word.partition("=")[0], self._option_string_actions)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        name = action.metavar or "/".join(action.option_strings)
        kind = "command" if isinstance(action, argparse._SubParsersAction) else f"{name} called"
        raise self._unknown(kind, str(value), map(str, action.choices))

    def _unknown(self, kind: str, word: str, known: Iterable[str]) -> UserError:
        names = list(known)
        if near := get_close_matches(word, names, 1):
            hint = f"Did you mean {near[0]}?"
        else:
            hint = f"See: {self.prog} --help" if kind == "option" else f"There are: {', '.join(names)}."
        return UserError(f"There is no {kind} {word}.", hint=hint)


def _common() -> _Parser:
    """What may stand before the command and after it; made anew for each parser, since argparse shares the actions."""
    common = _Parser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("--project", metavar="FILE", type=Path, help="the project file")
    common.add_argument("--json", action="store_true", help="print the result as JSON")
    common.add_argument("--quiet", action="store_true", help="draw no progress bar")
    common.add_argument("--verbose", action="store_true", help="log what happens, to stderr")
    return common


def _parser() -> _Parser:
    parser = _Parser(
        prog="pairwright",
        description="Turns papers into scientific-NLI data sets: pairs mined by linking phrases, neutral pairs beside "
        "them, and where each came from.",
        epilog=_EXAMPLES,
        formatter_class=_HelpFormatter,
        parents=[_common()],
    )
    parser.set_defaults(project=None, json=False, quiet=False, verbose=False, command=None)
    parser.add_argument("--version", action="version", version=f"pairwright {version('pairwright')}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")

    def command(name: str, what: str, *examples: str, function: str = "") -> _Parser:
        epilog = "examples:\n" + "\n".join(f"  {example}" for example in examples)
        form = _HelpFormatter
        added = subparsers.add_parser(
            name,
            help=what,
            description=f"{what[0].upper()}{what[1:]}.",
            epilog=epilog,
            formatter_class=form,
            parents=[_common()],
        )
        added.set_defaults(command=function or name)
        return added

    new = command("new", "make a new, empty project", "pairwright new psy.pairwright")
    new.add_argument("file", type=Path, help="the project file to make; its name ends in .pairwright")
    _add_options(command("add", "add papers: PDFs, TEI or JSON lines, from files and folders", *_ADD_EXAMPLES))
    _papers_options(command("papers", "list, change, remove or retry papers", *_PAPERS_EXAMPLES))
    _mine_options(command("mine", "make pairs of the papers", *_MINE_EXAMPLES))
    command("stats", "show what the project holds and what was dropped, by reason", "pairwright stats --json")
    _suggest_options(command("suggest", "have a local model suggest a relation for every pair", *_SUGGEST_EXAMPLES))
    _disagreements_options(command("disagreements", "list the labels a model doubts most", *_DISAGREEMENTS_EXAMPLES))
    _accept_options(command("accept", "accept what a model suggests, for pairs nobody answered", *_ACCEPT_EXAMPLES))
    _train_options(command("train", "train a model on the project's labels", *_TRAIN_EXAMPLES))
    _evaluate_options(command("evaluate", "measure models on labelled pairs", *_EVALUATE_EXAMPLES))
    _export_options(command("export", "write the pairs as a JSON lines data set", *_EXPORT_EXAMPLES))
    _import_options(command("import", "read labelled pairs of a data set", *_IMPORT_EXAMPLES, function="import_pairs"))
    command("undo", "take back what was last done to papers and answers", "pairwright undo")
    command("redo", "do again what was undone", "pairwright redo")
    command("info", "show the project file and how it was made", "pairwright info --project psy.pairwright")
    command("learn", "learn from the project's papers where sentences end", "pairwright learn", "pairwright mine")
    restore = command("restore", "list the project's backups, or put one in its place", *_RESTORE_EXAMPLES)
    restore.add_argument("backup", nargs="?", metavar="BACKUP", help="a number in the list, or a file (default: list)")
    _doctor_options(
        command("doctor", "check the installation, torch, GROBID, the disk and the project", "pairwright doctor")
    )
    return parser


_ADD_EXAMPLES = (
    "pairwright add ~/papers --domain psychology",
    "pairwright add paper.pdf --year 2019",
    "pairwright add ~/papers --parser grobid --grobid http://localhost:8070",
    "pairwright add papers.jsonl.gz",
)
_PAPERS_EXAMPLES = (
    "pairwright papers list --search transformer",
    "pairwright papers list --failed",
    'pairwright papers edit 3f2a91c0 --title "Sand and Stone" --year 2019',
    "pairwright papers edit --of-domain psych --domain psychology",
    "pairwright papers remove 3f2a91c0 ~/papers/draft.pdf",
    "pairwright papers retry --parser grobid",
)
_ACCEPT_EXAMPLES = (
    "pairwright accept --at-least 95",
    "pairwright accept --at-least 90 --where domain=nlp --where label=neutral --yes",
)
_MINE_EXAMPLES = (
    "pairwright mine",
    "pairwright mine --extended --seed 7",
    'pairwright mine --phrase "By contrast=contrasting" --off Thus',
    "pairwright mine --no-filter no_verb --no-crossing",
)
_EXPORT_EXAMPLES = (
    "pairwright export out/ --preset scinli",
    "pairwright export out/ --preset full --split 80/10/10 --seed 1 --balance",
    "pairwright export out/ --without crosses_paragraph --where domain=nlp --where status=settled",
)
_RESTORE_EXAMPLES = ("pairwright restore", "pairwright restore 1 --project psy.pairwright")
_IMPORT_EXAMPLES = ("pairwright import train.csv dev.csv --domain nlp",)
_SUGGEST_EXAMPLES = (
    "pairwright suggest",
    "pairwright suggest --model 3-psychology",
    "pairwright suggest --model ~/models/scinli-roberta --labels contrasting,reasoning,entailment,neutral",
)
_EVALUATE_EXAMPLES = (
    "pairwright evaluate",
    "pairwright evaluate --data dev.csv --model starter --model 3-psychology --out figures/",
    "pairwright evaluate --distant --most 2000 --learned folds",
)
_DISAGREEMENTS_EXAMPLES = (
    "pairwright disagreements --limit 50",
    "pairwright disagreements --domain psychology --label reasoning --json",
)
_TRAIN_EXAMPLES = (
    "pairwright train --name psychology",
    "pairwright train --start ~/models/scibert --recipe papers --folds 5 --seeds 1,2,3",
    "pairwright train --recipe quick --start sentence-transformers/all-MiniLM-L6-v2 --minutes 30",
    "pairwright train --where domain=psychology --split 80/10/10",
    "pairwright train --list",
    "pairwright train --resume 3",
)


def _jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--jobs", type=_positive, metavar="N", help="processes (default: one for each processor)")


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files and folders")
    parser.add_argument("--retry", action="store_true", help="send again what GROBID has refused or found empty")
    _reading_options(parser)


def _reading_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--domain", help="the papers' domain (default: what a paper says itself)")
    parser.add_argument("--year", type=_year, help="the papers' year (default: what a paper says itself)")
    parser.add_argument("--parser", choices=("embedded", "grobid"), default="embedded", help="what reads PDFs")
    parser.add_argument("--grobid", metavar="URL", default="http://localhost:8070", help="address (%(default)s)")
    parser.add_argument(
        "--seconds", type=_positive, default=120, metavar="N", help="most time for one PDF (%(default)s)"
    )
    parser.add_argument(
        "--megabytes", type=_positive, default=2000, metavar="N", help="most memory for one (%(default)s)"
    )
    _jobs(parser)


def _papers_options(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(what="list", papers=[], search="", of_domain=None, failed=False)
    kinds = parser.add_subparsers(metavar="WHAT", help="list (if nothing is said), edit, remove or retry")

    def kind(name: str, what: str) -> argparse.ArgumentParser:
        added = kinds.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.", parents=[_common()])
        added.set_defaults(what=name)
        which = "papers by what the list shows first, or by their files"
        added.add_argument("papers", nargs="*", default=argparse.SUPPRESS, metavar="PAPER", help=which)
        added.add_argument("--search", default=argparse.SUPPRESS, metavar="WORDS", help="those with all these words")
        added.add_argument("--of-domain", default=argparse.SUPPRESS, metavar="NAME", help="those of this domain")
        added.add_argument("--failed", action="store_true", default=argparse.SUPPRESS, help="files that were not read")
        return added

    kind("list", "list papers, and files that could not be read")
    edit = kind("edit", 'change what is said of papers; "" says nothing of it')
    edit.add_argument("--title", help="their title")
    edit.add_argument("--author", action="append", metavar="NAME", help="an author; may be repeated")
    edit.add_argument("--year", type=_year_or_none, help="their year")
    edit.add_argument("--doi", help="their DOI")
    edit.add_argument("--domain", help="their domain")
    remove = kind("remove", "remove papers with their pairs, and failed files")
    remove.add_argument("--yes", action="store_true", help="also where pairs have been judged")
    retry = kind("retry", "read files again that could not be read, all of them if none is named")
    retry.set_defaults(retry=True)
    _reading_options(retry)


def _mine_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Make pairs of the papers. What is chosen here becomes the project's setting; answers are kept."
    )
    parser.add_argument("--defaults", action="store_true", help="start from the default settings, not the project's")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="settings as JSON, as `info --json` shows them")
    parser.add_argument("--extended", action=argparse.BooleanOptionalAction, help="the extended lexicon, all of it")
    parser.add_argument("--phrase", action="append", default=[], metavar="TEXT=LABEL", help="add a linking phrase")
    parser.add_argument("--on", action="append", default=[], metavar="TEXT", help="switch a phrase on")
    parser.add_argument("--off", action="append", default=[], metavar="TEXT", help="switch a phrase off")
    parser.add_argument("--drop-phrase", action="append", default=[], metavar="TEXT", help="take a phrase out")
    parser.add_argument("--filter", action="append", default=[], metavar="NAME", help="switch a filter on, or `all`")
    parser.add_argument("--no-filter", action="append", default=[], metavar="NAME", help="switch one off, or `all`")
    parser.add_argument("--crossing", action=argparse.BooleanOptionalAction, help="pairs across a paragraph border")
    parser.add_argument("--implicit", action=argparse.BooleanOptionalAction, help="unlabelled neighbours too")
    parser.add_argument("--casing", choices=("lower", "restore"), help="a hypothesis' first letter")
    parser.add_argument("--seed", type=_seed, help="decides the neutral draws")
    parser.add_argument("--model", help="spaCy model (default: the installed English one; `none`: rules alone)")
    _jobs(parser)


def _export_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="OUT", help="the folder to write into")
    presets = ("scinli", "mismatched", "snli", "integers", "full")
    parser.add_argument("--preset", choices=presets, default="scinli", help="which fields (%(default)s)")
    parser.add_argument("--split", type=_shares, default=(), metavar="T/D/T", help="shares of train/dev/test, by paper")
    parser.add_argument("--balance", action="store_true", help="as many of each class, by split and domain")
    parser.add_argument("--seed", type=_seed, default=1, help="decides splits and balance (%(default)s)")
    parser.add_argument("--without", action="append", default=[], metavar="FLAG", help="leave out pairs with this flag")
    parser.add_argument("--implicit", action="store_true", help="unlabelled neighbours too")
    parser.add_argument("--settled", action="store_true", help="only pairs with a gold label, none with a distant one")
    _where(parser, "only pairs of which this holds")
    what = "replace an earlier export in OUT also where its files were changed since"
    parser.add_argument("--overwrite", action="store_true", help=what)


def _import_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Read labelled pairs: SciNLI, MSciNLI, MisMatched, SNLI, MNLI or TaxiNLI shaped CSV, TSV or JSON lines, and "
        "what Pairwright exports. Pairs that the project has stay as they are."
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE", help="data set files")
    parser.add_argument("--domain", default="", help="the domain of rows that name none")
    _label_numbers_option(parser)


def _label_numbers_option(parser: argparse.ArgumentParser) -> None:
    what = "what labels that are numbers mean, from 0, such as entailment,neutral,contradiction"
    parser.add_argument("--label-numbers", type=_label_numbers, default=(), metavar="A,B,…", help=what)


def _model_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", choices=("auto", "cpu", "cuda", "mps"), default="auto", help="where to compute")
    parser.add_argument(
        "--labels", type=_label_order, metavar="A,B,C,D", help="a foreign classifier's classes, in its order"
    )


def _suggest_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Have a local model suggest a relation for every pair it has not judged. Nothing leaves this machine."
    )
    what = "`starter`, a training run's number or folder, any folder, or a hub name (%(default)s)"
    parser.add_argument("--model", metavar="MODEL", default="starter", help=what)
    parser.add_argument("--again", action="store_true", help="judge all pairs anew, also those this model has judged")
    _model_options(parser)


def _accept_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Accept what the model suggests, as your answer, for pairs that nobody has answered. Without --yes it is only "
        "counted. One `pairwright undo` takes all of it back."
    )
    parser.add_argument(
        "--at-least", type=_percent, required=True, metavar="PERCENT", help="suggestions at least so sure"
    )
    _where(parser, "only pairs of which this holds")
    parser.add_argument("--annotator", metavar="NAME", help="whose answers they are (default: who annotates here)")
    parser.add_argument("--yes", action="store_true", help="do it")


def _disagreements_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", type=_positive, default=20, metavar="N", help="how many (%(default)s)")
    relations = ("contrasting", "reasoning", "entailment", "neutral")
    parser.add_argument("--label", choices=relations, help="only pairs with this distant label")
    parser.add_argument("--phrase", metavar="TEXT", help="only pairs found by this phrase")
    parser.add_argument("--domain", metavar="NAME", help="only papers of this domain")


def _where(parser: argparse.ArgumentParser, what: str) -> None:
    said = f"{what}, such as domain=nlp, label=neutral,reasoning or year=2015..; may be repeated"
    parser.add_argument("--where", action="append", default=[], metavar="FIELD=VALUE", help=said)


def _train_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Train a model on the project's distant labels and answers. What a recipe says can be changed one by one. "
        "Nothing is learned of a dev or test split, imported or exported; its dev pairs choose the best epoch."
    )
    parser.add_argument("--start", metavar="MODEL", default="starter", help="the model to start from (%(default)s)")
    recipes = ("starter", "quick", "papers")
    parser.add_argument("--recipe", choices=recipes, help="`quick` for encoders on a laptop, `papers` wants a GPU")
    parser.add_argument("--name", default="", help="what to call it")
    parser.add_argument("--no-distant", action="store_true", help="answers alone, not the distant labels")
    parser.add_argument("--no-answers", action="store_true", help="distant labels alone, not the answers")
    parser.add_argument("--implicit", type=_percent, metavar="PERCENT", help="neighbours with so sure a suggestion too")
    _where(parser, "learn only from pairs of which this holds")
    what = "learn from the train split of such an export: its shares, or `none` (default: those of the last one)"
    parser.add_argument("--split", type=_shares_or_none, metavar="T/D/T", help=what)
    parser.add_argument("--split-seed", type=_seed, metavar="N", help="that export's seed (1)")
    parser.add_argument("--two-stage", action="store_true", default=None, help="distant labels first, then the answers")
    parser.add_argument(
        "--hypothesis-only", action="store_true", default=None, help="hide the premise, to see artefacts"
    )
    parser.add_argument("--epochs", type=_positive, metavar="N", help="rounds through the examples at most")
    parser.add_argument("--batch", dest="batch_pairs", type=_positive, metavar="N", help="pairs of a step")
    parser.add_argument("--rate", dest="learning_rate", type=float, metavar="X", help="learning rate")
    parser.add_argument("--layers", type=int, metavar="N", help="an encoder's first layers; 0: all")
    parser.add_argument(
        "--folds", type=int, metavar="K", help="models that judge the labels the others learned (5 if distant; 0: none)"
    )
    parser.add_argument("--minutes", type=_positive, metavar="N", help="time it may take")
    parser.add_argument("--precision", choices=("auto", "fp32", "bf16", "fp16"), help="numbers to multiply with")
    parser.add_argument("--seeds", type=_seeds, default=(), metavar="N,N", help="a run for each")
    _model_options(parser)
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--resume", metavar="RUN", help="go on with an interrupted run, by its number or folder")
    instead.add_argument("--list", action="store_true", help="show all runs")
    instead.add_argument("--delete", metavar="RUN", help="delete a run and its model")


def _evaluate_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Measure models on people's answers, or other labels: macro F1, scores by class, domain and neutral strategy, "
        "calibration. Trainings that differ by their seed alone are one row, mean ± standard deviation."
    )
    what = "`starter`, a training run's number or folder, any folder, or a hub name; may be repeated (starter)"
    parser.add_argument("--model", metavar="MODEL", action="append", default=[], help=what)
    parser.add_argument(
        "--data", nargs="+", type=Path, default=[], metavar="FILE", help="labelled CSV, TSV, JSON lines"
    )
    _label_numbers_option(parser)
    parser.add_argument("--distant", action="store_true", help="the project's distant labels, not people's answers")
    seen = "pairs that a model has learned from: leave them out, take what the models of its folds say, or take them"
    parser.add_argument("--learned", choices=("leave", "folds", "take"), default="leave", help=f"{seen} (%(default)s)")
    parser.add_argument("--most", type=_positive, default=0, metavar="N", help="a draw of so many pairs (default: all)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write evaluation.md and evaluation.json there")
    _model_options(parser)


def _doctor_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--grobid", metavar="URL", default="http://localhost:8070", help="address (%(default)s)")


def _positive(text: str) -> int:
    return _number(text, 1, None, "must be a number of 1 or more")


def _year(text: str) -> int:
    return _number(text, 1000, 9999, "must be a year of four digits")


def _year_or_none(text: str) -> int:
    """0 for none."""
    return _year(text) if text else 0


def _percent(text: str) -> int:
    return _number(text, 0, 100, "must be a number from 0 to 100")


def _seeds(text: str) -> tuple[int, ...]:
    return tuple(_seed(part) for part in text.split(","))


def _label_order(text: str) -> tuple[str, ...]:
    from miner.records import Label

    order = tuple(part.strip() for part in text.split(","))
    if sorted(order) != sorted(Label):
        raise argparse.ArgumentTypeError(f"must name {', '.join(Label)} once each, in the model's order")
    return order


def _label_numbers(text: str) -> tuple[Label, ...]:
    from storage.exchange.rows import label_of

    found = tuple(label for word in text.split(",") if (label := label_of(word)))
    if len(found) < len(text.split(",")):
        raise argparse.ArgumentTypeError("must be relations such as entailment,neutral,contradiction, in order from 0")
    return found


def _seed(text: str) -> int:
    return _number(text, None, None, "must be a whole number")


def _number(text: str, least: int | None, most: int | None, otherwise: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(otherwise) from None
    if (least is not None and number < least) or (most is not None and number > most):
        raise argparse.ArgumentTypeError(otherwise)
    return number


def _shares(text: str) -> tuple[tuple[str, float], ...]:
    try:
        shares = [float(part) for part in text.split("/")]
    except ValueError:
        shares = []
    if len(shares) != 3 or min(shares) < 0 or not 0 < sum(shares) < math.inf:
        raise argparse.ArgumentTypeError("give three shares, like 80/10/10")
    return tuple(zip(("train", "dev", "test"), shares, strict=True))


def _shares_or_none(text: str) -> tuple[tuple[str, float], ...]:
    return () if text == "none" else _shares(text)

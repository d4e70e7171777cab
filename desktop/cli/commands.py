"""The parser of the command line, and all commands in the order of `--help`.

Neither this module nor the modules of `options/` import the database or the parsers of papers; only the module that
runs a command does.
"""

from __future__ import annotations

from importlib.metadata import version

from desktop.cli.argument_types import HelpFormatter, Parser, common_options
from desktop.cli.options import annotation, corpus, exchange, experiments, mining, models, papers, project
from desktop.cli.options.command import Command

_EXAMPLES = """\
from papers to a data set:
  pairwright new psy.pairwright
  pairwright add ~/papers --domain psychology
  pairwright mine
  pairwright stats
  pairwright suggest
  pairwright export out/ --preset scinli

The project is --project FILE, or the only .pairwright file in this folder.
exit codes: 0 done, 1 something is missing or wrong, 2 a bug of Pairwright,
            130 cancelled (143 by SIGTERM)"""

COMMANDS: tuple[Command, ...] = (
    project.new,
    papers.add,
    papers.papers,
    papers.recognise,
    papers.references,
    mining.mine,
    mining.phrases,
    mining.stats,
    models.suggest,
    models.disagreements,
    models.accept,
    annotation.mend,
    annotation.agree,
    annotation.precision,
    annotation.kinds,
    annotation.people,
    annotation.round,
    annotation.ties,
    annotation.gold,
    mining.audit,
    models.train,
    models.evaluate,
    experiments.experiment,
    experiments.probe,
    exchange.export,
    exchange.release,
    exchange.releases,
    exchange.rebuild,
    exchange.split,
    exchange.leaks,
    exchange.import_,
    annotation.merge,
    corpus.corpus,
    project.undo,
    project.redo,
    project.info,
    papers.learn,
    project.restore,
    project.doctor,
)


def build_parser() -> Parser:
    """The parser. The options that it returns have the `runs` of their command, or None if no command was given."""
    parser = Parser(
        prog="pairwright",
        description=(
            "Turns papers into data sets for scientific NLI: sentence pairs found by linking phrases, and neutral "
            "pairs from the same papers."
        ),
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
        added.add_options = one.add_options
    return parser

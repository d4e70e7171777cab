"""The command stats: what a project holds, and the papers' tables."""

from __future__ import annotations

from desktop.cli import overview
from desktop.cli.execution import CommandResult, Options, chosen_pairs, open_project, run_job, with_known_names
from desktop.cli.paper_tables import NEEDS_SENTENCES, table_data, table_text
from desktop.jobs.pairs.data_set_statistics import measure
from desktop.jobs.pairs.paper_tables import PaperTable
from miner.classifier.vocabulary import STARTER_TOKENIZER
from miner.errors import UserError


def stats(options: Options) -> CommandResult:
    if options.table is None:
        if options.domain or options.where or options.format:
            raise UserError("--domain, --where and --format need --table.", hint="For example: --table 2")
        return overview.stats(options)
    which = PaperTable(options.table)
    filter = chosen_pairs(options)
    with open_project(options, for_reading=True) as project:
        filter = with_known_names(project, filter, options)
        tokenizer = options.tokenizer or STARTER_TOKENIZER
        job = measure(
            project,
            filter,
            sentences=options.sample if which in NEEDS_SENTENCES else 0,
            tokenizer=tokenizer if which is PaperTable.SIMILARITY else None,
            all_splits=options.all_splits,
            seed=options.seed,
            workers=options.jobs,
        )
        measured = run_job(job, options)
    if not measured.counted.statistics.count():
        hint = "Mine or import pairs first, or give fewer conditions."
        raise UserError("There are no pairs to count.", hint=hint)
    return CommandResult(table_text(measured, which, options.format), table_data(measured, which))

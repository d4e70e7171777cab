"""The command precision: how many of the distant labels are right."""

from __future__ import annotations

from desktop.cli.execution import CommandResult, Options, open_project, run_job
from desktop.cli.paper_tables import plain_table
from desktop.jobs.pairs.precision import measure_precision, precision_sentences, precision_tables
from miner.errors import UserError


def precision(options: Options) -> CommandResult:
    with open_project(options, for_reading=True) as project:
        report = run_job(measure_precision(project), options).report
    if report is None:
        hint = "To draw one: open the project in the window, then Dashboard, Precision, Answer a sample."
        raise UserError("No sample of pairs has been drawn for this.", hint=hint)
    parts = ["\n".join(precision_sentences(report)), *map(plain_table, precision_tables(report))]
    return CommandResult("\n\n".join(parts), report.to_data())

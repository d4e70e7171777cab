"""The command for experiments."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

from desktop.cli.execution import CommandResult, Options, acting_annotator, open_project, run_job
from desktop.cli.experiment_errors import errors_data, errors_text
from desktop.cli.options.experiments import experiment as experiment_command
from desktop.cli.options.shared import given_options
from desktop.cli.output import table
from desktop.jobs.lab.experiments.data_map import load_data_map, save_data_map
from desktop.jobs.lab.experiments.errors import draw_errors, load_system_errors
from desktop.jobs.lab.experiments.estimates import estimate_experiment, estimate_text
from desktop.jobs.lab.experiments.events import ExperimentEvent, TimeEstimated
from desktop.jobs.lab.experiments.experiment_map import class_means
from desktop.jobs.lab.experiments.files import read_experiment_file
from desktop.jobs.lab.experiments.forgetting import delete_forgotten, forget_experiment
from desktop.jobs.lab.experiments.report import save_report
from desktop.jobs.lab.experiments.results import ExperimentTables, load_experiments, load_problems, load_tables
from desktop.jobs.lab.experiments.run import run_experiment
from desktop.jobs.review.annotator import annotator
from desktop.text import count, listed, visible
from miner import codec
from miner.errors import UserError
from miner.lab.experiments.experiment_file import parse_experiment, ready_names, ready_text, to_data
from miner.lab.experiments.systems.system_run import RUNNABLE
from miner.lab.experiments.table_text import format_view, value_text
from miner.lab.experiments.table_values import TableView
from miner.paths import expand_home, is_file
from miner.text_tables import TableFormat

_NAMED = ("", "--template", "--estimate")  # for an experiment by name or file
_USED_OPTIONS: dict[str, tuple[str, ...]] = {
    "": ("--out", "--table", "--format", "--device"),
    "--estimate": ("--device",),
    "--template": (),
    "--list": (),
    "--show": ("--out", "--table", "--format"),
    "--show --errors": ("--system",),
    "--show --read-errors": ("--system", "--seed", "--evenly", "--blind", "--reader"),
    "--map": ("--out",),
    "--forget": (),
    "--delete-forgotten": (),
}
"""By the options that say what to do; "": run an experiment."""


def experiment(options: Options) -> CommandResult:
    """Run an experiment; or show, estimate, remove or delete experiments, as the options say."""
    _refuse_other_options(options)
    if options.template:
        text = _read_ready(_required(options))
        return CommandResult(text.rstrip("\n"), {"experiment": to_data(parse_experiment(text))})
    if options.list:
        return _list(options)
    if options.show is not None and options.read_errors:
        return _draw(options)
    if options.show is not None and options.errors:
        with open_project(options, for_reading=True) as project:
            errors = run_job(load_system_errors(project, options.show, options.system), options)
        return CommandResult(errors_text(errors), errors_data(errors))
    if options.show is not None:
        with open_project(options, for_reading=True) as project:
            tables = run_job(load_tables(project, options.show), options)
            _save(options, project, options.show)
        missing = (f"Not computed: {problem}" for problem in tables.problems)
        return CommandResult(_tables_text(tables, options), _data(tables), notes=(*missing, *_saved(options)))
    if options.map is not None:
        return _map(options)
    if options.forget is not None:
        with open_project(options) as project:
            run_job(forget_experiment(project, options.forget), options)
        text = (
            f"Removed experiment {options.forget} from the list. `pairwright undo` or running it again brings it back, "
            "until --delete-forgotten deletes its results."
        )
        return CommandResult(text, {"forgotten": options.forget})
    if options.delete_forgotten:
        with open_project(options) as project:
            deleted = run_job(delete_forgotten(project), options)
        what = (
            f"{count(deleted.results.experiments, 'removed experiment was', 'removed experiments were')} deleted, with"
        )
        text = f"{what} {count(deleted.results.predictions, 'prediction')} and {count(deleted.files, 'file')}."
        return CommandResult(text, {"deleted": deleted.results.experiments, "files": deleted.files})
    text, folder = _read(_required(options))
    asked = parse_experiment(text)
    if options.estimate:
        with open_project(options, for_reading=True) as project:
            found = run_job(estimate_experiment(project, asked, folder, options.device), options)
        return CommandResult(estimate_text(found), codec.to_data(found))

    def listen(event: ExperimentEvent) -> None:
        if isinstance(event, TimeEstimated) and not options.quiet:
            print(visible(estimate_text(event.estimate)), file=sys.stderr, flush=True)

    with open_project(options) as project:
        job = run_experiment(project, asked, folder, options.device, text=text, listener=listen)
        done = run_job(job, options)
        _save(options, project, done.id)
    stored = done.tables.stored
    head = f"Experiment {done.id}, {stored.name}: {stored.finished:,} of {count(stored.cells, 'cell')} computed"
    text = f"{head}, {done.computed:,} of them now.\n\n{_tables_text(done.tables, options)}"
    notes = (*done.notes, *done.problems, *_saved(options))
    data = {"computed": done.computed, "problems": done.problems, **_data(done.tables)}
    return CommandResult(text, data, ok=stored.finished > 0, notes=notes)


def _refuse_other_options(options: Options) -> None:
    """Raise `UserError` for options, or a name, without any effect on what was asked for."""
    given = given_options(experiment_command.add_options, options)
    modes = [flag for flag in given if flag in _USED_OPTIONS]
    mode = modes[0] if modes else ""
    if "--errors" in given or "--read-errors" in given:
        if not modes:
            raise UserError(
                "No experiment is named.", hint="Give its number: --show N --errors, or --show N --read-errors 100"
            )
        if mode == "--show":
            mode += " --read-errors" if "--read-errors" in given else " --errors"
    unused = [flag for flag in given if flag not in {*mode.split(), *_USED_OPTIONS[mode]}]
    if options.experiment is not None and mode not in _NAMED:
        unused.insert(0, options.experiment)
    if unused:
        what = f"experiment {mode}" if mode else "Running an experiment"
        raise UserError(f"{what} does not use {listed(unused)}.", hint="See: pairwright experiment --help")


def _draw(options: Options) -> CommandResult:
    """Start a round of errors to read."""
    with open_project(options) as project:
        errors = run_job(load_system_errors(project, options.show, options.system), options)
        reader = acting_annotator(project, options, by="--reader")
        own = run_job(annotator(project), options)
        job = draw_errors(
            project,
            errors.cells,
            options.read_errors,
            options.seed,
            annotator=reader,
            evenly=options.evenly,
            blind=options.blind,
        )
        drawn = run_job(job, options)
    whose = "" if reader == own else f" as {options.reader} (Settings > Annotator)"
    keys = "digits tag why a pair is an error, and Enter goes to the next one."
    if options.blind:
        keys = f"Enter shows the label and the prediction, then {keys} Before that, digits answer the pair."
    text = (
        f"{errors.title}: {count(drawn.pairs, 'error')} of {drawn.misread:,} to read, drawn with seed {drawn.seed}. "
        f"Open the project{whose} and go to Review: {keys}"
    )
    absent = f"{count(drawn.absent, 'error')} cannot be read there: the pair is of a file, or no longer in the project."
    data = {"pairs": drawn.pairs, "misread": drawn.misread, "absent": drawn.absent, "tagged": drawn.tagged}
    return CommandResult(text, data, notes=(absent,) if drawn.absent else ())


def _required(options: Options) -> str:
    if options.experiment is None:
        hint = f"Name a ready one ({', '.join(ready_names())}), or a file."
        raise UserError("No experiment is named.", hint=hint)
    name: str = options.experiment
    return name


def _read_ready(name: str) -> str:
    """The text of a ready experiment; `UserError` where a file is named."""
    if (path := expand_home(name)).suffix == ".toml" or is_file(path):
        hint = f"Name a ready one: {', '.join(ready_names())}"
        raise UserError(f"{name} names a file: --template prints the file of a ready experiment.", hint=hint)
    return ready_text(name)


def _read(name: str) -> tuple[str, Path]:
    """The text of a file or of a ready experiment, and the folder that its files are relative to."""
    path = expand_home(name)
    if path.suffix != ".toml" and not is_file(path):
        return ready_text(name), Path()
    return read_experiment_file(path), path.parent


def _list(options: Options) -> CommandResult:
    """The experiments of the project, and the ready ones."""
    with open_project(options, for_reading=True) as project:
        found = run_job(load_experiments(project), options)
        problems = run_job(load_problems(project), options)
    ready = [(name, _question(name)) for name in ready_names()]
    rows = [(one.id, one.name, one.state, f"{one.finished:,} of {one.cells:,}", one.started_at.date()) for one in found]
    text = table(("number", "experiment", "state", "cells", "date"), rows) or "There is no experiment yet."
    text += "".join(f"\n{one.id}: {problem}" for one in found for problem in problems.get(one.id, ()))
    data = [
        {
            "id": one.id,
            "name": one.name,
            "state": one.state,
            "cells": one.cells,
            "finished": one.finished,
            "problems": problems.get(one.id, ()),
        }
        for one in found
    ]
    questions = table(("ready", "question"), ready)
    return CommandResult(f"{text}\n\n{questions}", {"experiments": data, "ready": dict(ready)})


def _question(name: str) -> str:
    """What a ready experiment asks, and whether all of it can be run."""
    asked = parse_experiment(ready_text(name))
    is_runnable = all(isinstance(system, RUNNABLE) for system in asked.systems)
    return asked.question if is_runnable else f"{asked.question} (some of its systems cannot be run yet)"


def _map(options: Options) -> CommandResult:
    """The data map of an experiment as mean values; with a file in the options, all of its pairs are written there."""
    with open_project(options, for_reading=True) as project:
        found = run_job(load_data_map(project, options.map), options)
        if options.out is not None:
            run_job(save_data_map(project, options.map, options.out), options)
    head = f"Data map of {found.set}: {found.system}, {count(found.epochs, 'epoch')}, {count(len(found), 'pair')}"
    columns = ("class", "pairs", "confidence", "variability", "correctness")
    rows = class_means(found)
    text = table(columns, [(row[0], f"{row[1]:,}", *(f"{value:.3f}" for value in row[2:])) for row in rows])
    saved = "" if options.out is None else f"\nWrote {options.out}."
    data = {
        "id": found.id,
        "set": found.set,
        "system": found.system,
        "epochs": found.epochs,
        "pairs": len(found),
        "classes": [dict(zip(columns, row, strict=True)) for row in rows],
    }
    return CommandResult(f"{head}\n\n{text}{saved}", data)


def _save(options: Options, project: Any, id: int) -> None:
    if options.out is not None:
        run_job(save_report(project, id, options.out), options)


def _saved(options: Options) -> tuple[str, ...]:
    """A line that says where the report was written; () if none was."""
    return () if options.out is None else (f"The report is in {options.out}; start with report.md.",)


def _tables_text(found: ExperimentTables, options: Options) -> str:
    views = [
        view for view in found.tables if options.table is None or options.table.casefold() in view.title.casefold()
    ]
    if options.table is not None and not views:
        titles = "; ".join(view.title for view in found.tables)
        raise UserError(f"No table's title has “{options.table}”.", hint=f"There are: {titles}.")
    if options.format is not None:
        return "\n".join(format_view(view, TableFormat(options.format)).rstrip("\n") for view in views)
    verdicts = [one.verdict for one in found.direction if one.verdict and options.table is None]
    return "\n\n".join([*map(_view_text, views), *verdicts]) or "Nothing is computed yet."


def _view_text(view: TableView) -> str:
    text = partial(value_text, with_difference=view.shows_differences)
    rows = [(name, *map(text, values)) for name, values in zip(view.rows, view.values, strict=True)]
    return f"{view.title}\n{table((view.row_head, *view.columns), rows)}\n{view.caption}"


def _data(found: ExperimentTables) -> dict[str, Any]:
    return {
        "id": found.stored.id,
        "name": found.stored.name,
        "state": found.stored.state,
        "cells": found.stored.cells,
        "finished": found.stored.finished,
        "tables": [codec.to_data(view) for view in found.tables],
        **({"direction": [codec.to_data(one) for one in found.direction]} if found.direction else {}),
    }

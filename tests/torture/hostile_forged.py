"""Projects whose rows somebody has changed with a tool for databases, and given the checksums and seals that they need.

Nothing says of such a project that it is damaged, so that its values reach all that a project is read for.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from miner.errors import UserError
from miner.progress import Job, Progress
from tests.torture.full_project import full_project
from tests.torture.hostile_projects import change_rows
from tests.torture.hostile_seed import Reader, Seed


def forge(data: bytes, draw: random.Random) -> bytes:
    """Values of a project's rows replaced by SQL; checksums and seals as if the program had stored them."""
    from storage.integrity.checksums import add_checksums, fill_checksums
    from storage.integrity.history_chain import seal_added

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "forged.pairwright"
        path.write_bytes(data)
        try:
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                add_checksums(connection)
                connection.execute("PRAGMA foreign_keys = OFF")
                connection.execute("PRAGMA journal_mode = DELETE")
                for _ in range(draw.choice((1, 1, 1, 2, 3))):
                    draw.choice((change_rows, change_rows, _mix_rows))(connection, draw)
                fill_checksums(connection)
                connection.execute("DELETE FROM history_seals")
                seal_added(connection)
        except (sqlite3.Error, UnicodeError, ValueError, TypeError, OverflowError):
            pass  # what cannot be sealed stays as it is
        return path.read_bytes()


def _mix_rows(connection: sqlite3.Connection, draw: random.Random) -> None:
    """Delete some rows of a table, or give one the value that another one has: each value is as it should be."""
    tables = [name for _, name, kind, *_ in connection.execute("PRAGMA table_list") if kind == "table"]
    table = draw.choice(sorted(tables))
    rows = [row for (row,) in connection.execute(f'SELECT rowid FROM "{table}"')]
    if not rows:
        return
    if draw.random() < 0.3:
        gone = draw.sample(rows, draw.randint(1, len(rows)))
        connection.executemany(f'DELETE FROM "{table}" WHERE rowid = ?', [(row,) for row in gone])
        return
    column = draw.choice([name for _, name, *_ in connection.execute(f'PRAGMA table_info("{table}")')])
    other = f'(SELECT "{column}" FROM "{table}" WHERE rowid = ?)'
    mixed = f'UPDATE OR REPLACE "{table}" SET "{column}" = {other} WHERE rowid = ?'
    connection.execute(mixed, (draw.choice(rows), draw.choice(rows)))


def _looks() -> list[Callable[[Any], Job[Any]]]:
    """All that the window and the commands load of a project to show it."""
    from desktop.jobs import overview
    from desktop.jobs.exchange import export, project_split, releases, split_preview
    from desktop.jobs.kinds import report
    from desktop.jobs.lab.experiments import details, errors, grid, results
    from desktop.jobs.lab.experiments import overview as experiments
    from desktop.jobs.lab.experiments.data_map import load_data_map
    from desktop.jobs.mining import class_balance, lexicon_figures, run
    from desktop.jobs.models import doubt_record, suggest_state, suggestion_sets, training_runs
    from desktop.jobs.pairs import audit, data_set_statistics, lists, precision, statistics, table
    from desktop.jobs.papers import duplicates, evidence, outdated, stock
    from desktop.jobs.papers import table as papers
    from desktop.jobs.review import (
        agreement,
        annotate_overview,
        annotator,
        disagreements,
        gold,
        kinds_rounds,
        people,
        queues,
        rounds,
        ties,
    )
    from storage.pairs.filters import PairFilter
    from storage.pairs.ordered_query import DEFAULT_ORDER
    from storage.papers.table import PaperQuery
    from tests.torture.full_project import WHO

    everything = PairFilter()
    found: list[Callable[[Any], Job[Any]]] = [
        *(overview.overview, run.load_mining_state, lexicon_figures.load_lexicon_figures, stock.load_stock),
        *(stock.load_phrase_table, class_balance.load_spare_phrases, outdated.load_outdated, papers.load_totals),
        *(duplicates.find_duplicates, lists.load_lists, precision.measure_precision, audit.load_audit),
        *(table.load_filters, statistics.load_counts, statistics.load_measures, statistics.load_funnel),
        *(annotator.load_annotators, people.list_people, gold.load_gold, ties.load_ties, agreement.measure_agreement),
        *(data_set_statistics.load_counted, report.load_report, suggest_state.load_suggest_state),
        *(suggestion_sets.load_sets, doubt_record.load_doubt_record, training_runs.load_runs),
        *(project_split.load_split, project_split.split_from_gold, split_preview.load_proposal),
        *(export.load_last_export, export.load_split_export, releases.load_releases),
        *(experiments.load_overview, results.load_experiments, results.load_problems),
        *(disagreements.load_current_run, disagreements.count_doubted),
        lambda project: papers.load_list(project, PaperQuery()),
        lambda project: papers.load_lines(project, range(-3, 12)),
        lambda project: table.load_first(project, everything, DEFAULT_ORDER, 50),
        lambda project: disagreements.load_disagreements(project, everything, WHO, 20),
        lambda project: annotate_overview.load_annotate(project, WHO),
        lambda project: queues.load_review(project, WHO),
        lambda project: queues.list_queues(project, WHO),
        lambda project: rounds.current_round(project, WHO),
        lambda project: kinds_rounds.load_kinds(project, WHO),
        lambda project: project_split.suggest(project, 2, 2),
        lambda project: releases.count_new_since(project, "v1"),
    ]
    for id in (1, 2):
        for load in (results.load_tables, details.load_details, grid.load_grid, errors.load_system_errors):
            found.append(lambda project, load=load, id=id: load(project, id))
        found.append(lambda project, id=id: load_data_map(project, id))
    for field in ("domains", "phrases", "flags", "annotators", "papers"):
        found.append(lambda project, field=field: table.count_by_value(project, everything, field))
    for number in range(3):
        for load_pair in (table.load_details, evidence.load_evidence):
            found.append(lambda project, n=number, load=load_pair: load(project, (_keys(project) * 3)[n]))
    return found


def _changes(folder: Path) -> list[Callable[[Any], Job[Any]]]:
    """What people do next: some of all that changes or writes."""
    from desktop.jobs import backups
    from desktop.jobs.exchange import export, releases
    from desktop.jobs.review import answers
    from miner.records import Answer
    from storage.dataset.export_options import ExportOptions, Preset
    from tests.torture.full_project import WHO

    return [
        *(lambda project: answers.undo(project, WHO) for _ in range(4)),
        *(lambda project: answers.redo(project, WHO) for _ in range(2)),
        lambda project: answers.answer(project, _keys(project)[-3:], WHO, Answer.NEUTRAL),
        lambda project: releases.write_again(project, "v1", folder / "again"),
        lambda project: export.export(project, folder / "full", ExportOptions(Preset.FULL)),
        lambda project: releases.release(project, "v2", folder / "v2", ExportOptions(Preset.SCINLI)),
        lambda project: backups.back_up(project.path),
    ]


def _keys(project: Any) -> list[str]:
    from storage.pairs.filters import PairFilter

    with project.read_transaction() as stores:
        keys: list[str] = stores.pair_table.keys(stores.pair_table.ids(PairFilter(), limit=50))
    if not keys:
        raise UserError("There are no pairs.")
    return keys


def _read_forged(path: Path) -> None:
    """Look at all of a project, change it, and add it to another one; raises the first refusal of a change."""
    from desktop.jobs.exchange.project_addition import add_project
    from storage.project import Project

    refusals: list[UserError] = []

    def run_all(jobs: Sequence[Callable[[Any], Job[Any]]], project: Any, refused: list[UserError]) -> None:
        for job in jobs:
            try:
                job(project).work(Progress())
            except UserError as exc:
                refused.append(exc)

    copy = path.with_name("copy.pairwright")
    shutil.copyfile(path, copy)
    with Project.open(path) as project:
        run_all(_looks(), project, [])  # there are no taxonomy, no map and no gold labels to look at
        run_all(_changes(path.parent), project, refusals)
    with Project.create(path.with_name("own.pairwright")) as project:
        run_all([lambda project: add_project(project, copy)], project, refusals)
        run_all(_looks(), project, [])
    if refusals:
        raise refusals[0]


FORGED_READERS = {"forged projects": Reader(lambda: [Seed(".pairwright", full_project())], forge, _read_forged)}

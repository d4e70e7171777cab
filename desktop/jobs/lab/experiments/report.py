"""The report folder of an experiment: its tables, figures, cells and file, as they go into a paper's appendix."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from desktop.jobs.lab.experiments.data_map import load_data_map
from desktop.jobs.lab.experiments.data_map_svg import svg_map
from desktop.jobs.lab.experiments.prompt_models import reply_lines
from desktop.jobs.lab.experiments.report_figures import (
    ReportFigure,
    confusion_figures,
    curve_figures,
    table_figures,
)
from desktop.jobs.lab.experiments.report_text import report_text
from desktop.jobs.lab.experiments.results import ExperimentCells, ExperimentTables, read_cells
from desktop.translation import in_english, tr
from miner.errors import UserError
from miner.lab.experiments.experiment_toml import toml_text
from miner.lab.experiments.scored_cells import CellScores, Score, ScoreName
from miner.lab.experiments.table_text import format_view
from miner.progress import Job, Progress
from miner.text_tables import TableFormat
from storage.exchange.listed_files import LIST_SUFFIX, write_listed
from storage.models.predictions import PredictorInfo
from storage.project import Project
from storage.stores import Stores
from storage.verification import verifying

_FIGURES = r"(?:figure|confusion|curves|map)-\d+\.svg"  # of an earlier report, which may have more of them
RUNS = "runs.tsv"
TIMED_FILES = frozenset({RUNS, f"report{LIST_SUFFIX}"})
"""The files whose bytes depend on the computer: how long each run took, and the list of all files."""


def save_report(project: Project, id: int, folder: Path) -> Job[tuple[Path, ...]]:
    """Write the report into a folder, in place of an earlier one; the job's result is the paths of its files.

    The bytes depend only on the experiment's file and its finished cells, except in `TIMED_FILES`. `UserError` where
    the project is not what was stored, the report cannot be written, or would replace files of somebody else.
    """

    def work(progress: Progress) -> tuple[Path, ...]:
        with in_english(), verifying(project, progress) as wait_until_verified:
            with project.read_transaction() as stores:
                found = read_cells(stores, id, is_verified=True)
                predictors = _predictors(stores, found)
                replies = reply_lines(project, stores, id)
            maps = _maps(project, found, progress)
            contents = _contents(found, found.tables_with_direction(), predictors, maps)
            wait_until_verified()
        if replies:
            contents["replies.jsonl"] = replies
        return write_listed(folder, "report", contents, removable=_FIGURES)

    return Job(tr("Saving the report"), work)


def _contents(
    found: ExperimentCells, tables: ExperimentTables, predictors: Mapping[str, PredictorInfo], maps: list[ReportFigure]
) -> dict[str, str]:
    figures = table_figures(tables.tables)
    confusions = list(confusion_figures(found))
    curves = list(curve_figures(tables.direction))
    contents = {
        "report.md": report_text(found, tables, predictors, figures, confusions, maps, curves),
        "tables.tex": "\n".join(format_view(view, TableFormat.LATEX) for view in tables.tables),
        "tables.tsv": "\n".join(f"{view.title}\n{format_view(view, TableFormat.TSV)}" for view in tables.tables),
        "cells.jsonl": "".join(_cell_lines(found, predictors)),
        "recipe.toml": found.stored.text or toml_text(found.experiment),
        RUNS: "".join(_run_lines(found, predictors)),
    }
    return contents | {f"{one.name}.svg": one.svg for one in (*filter(None, figures), *curves, *confusions, *maps)}


def _predictors(stores: Stores, found: ExperimentCells) -> dict[str, PredictorInfo]:
    """What predicted each finished cell, by the cell's key."""
    finished = stores.cell_predictions.finished(cell.key for cell in found.cells)
    by_id = {id: stores.cell_predictions.predictor_with_id(id) for id in set(finished.values())}
    return {key: info for key, id in finished.items() if (info := by_id[id]) is not None}


def _maps(project: Project, found: ExperimentCells, progress: Progress) -> list[ReportFigure]:
    """The data maps of the sets whose subsets are learned, as far as the maps exist."""
    sets = dict.fromkeys(one.of for one in found.experiment.data.values() if one.of)
    figures = []
    for number, name in enumerate(sets, 1):
        with suppress(UserError):  # it was not made yet, or was deleted
            data_map = load_data_map(project, found.stored.id, name).work(progress)
            svg = "".join(f"{line}\n" for line in svg_map(data_map))
            figures.append(ReportFigure(f"map-{number}", f"Data map of {name}", svg))
    return figures


def _cell_lines(found: ExperimentCells, predictors: Mapping[str, PredictorInfo]) -> Iterator[str]:
    """A line of JSON for each cell, with its scores and what predicted it."""
    scores = CellScores(found.parts, len(found.experiment.class_names))
    scored = {one.cell.key: one for one in found.scored}
    for cell in found.cells:
        info, one = predictors.get(cell.key), scored.get(cell.key)
        title = found.experiment.systems[cell.system].title
        data = {"key": cell.key, "system": title, "train": cell.train, "test": cell.test, "seed": cell.seed}
        data |= {"problem": cell.problem, "finished": info is not None}
        if info is not None and one is not None:
            data["pairs"] = scores.pairs(one, Score(ScoreName.MACRO_F1))
            for name in (ScoreName.MACRO_F1, ScoreName.ACCURACY, ScoreName.UNREADABLE):
                data[name.lower().replace(" ", "_")] = scores.of(one, Score(name))
            data |= {"title": info.title, "device": info.device, "notes": info.notes, "versions": dict(info.versions)}
        yield json.dumps(data, ensure_ascii=False, sort_keys=True) + "\n"


def _run_lines(found: ExperimentCells, predictors: Mapping[str, PredictorInfo]) -> Iterator[str]:
    yield "run\tdevice\tseconds\n"
    infos = {predictors[cell.key].digest: predictors[cell.key] for cell in found.cells if cell.key in predictors}
    for info in infos.values():
        yield "\t".join((" ".join(info.title.split()), info.device, f"{info.seconds:.1f}")) + "\n"

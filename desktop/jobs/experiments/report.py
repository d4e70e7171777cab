"""The report folder of an experiment: its tables, cells and file, as they go into a paper's appendix."""

from __future__ import annotations

import json
from pathlib import Path

from desktop.jobs.experiments.prompt_models import reply_lines
from desktop.jobs.experiments.results import ExperimentTables, read_tables
from miner.atomic_files import atomic_file
from miner.errors import UserError
from miner.experiments.experiment_file import to_data
from miner.experiments.table_text import latex, markdown, tsv
from miner.paths import write_hint
from miner.progress import Job, Progress
from storage.models.experiments import StoredCell
from storage.project import Project, Stores


def save_report(project: Project, id: int, folder: Path) -> Job[tuple[Path, ...]]:
    """Write the report into a folder, replacing its files; gives their paths.

    The bytes follow from the experiment's file and its finished cells alone. `UserError` where it cannot be written.
    """

    def work(progress: Progress) -> tuple[Path, ...]:
        with project.read_transaction() as stores:
            tables = read_tables(stores, id)
            cells = _cell_lines(stores, stores.experiments.cells(id))
            replies = reply_lines(project, stores, id)
        contents = {
            "report.md": _report(tables),
            "tables.tex": "\n".join(map(latex, tables.tables)),
            "tables.tsv": "\n".join(f"{view.title}\n{tsv(view)}" for view in tables.tables),
            "cells.jsonl": cells,
            "experiment.json": json.dumps(to_data(tables.experiment), indent=2, ensure_ascii=False) + "\n",
        }
        if replies:
            contents["replies.jsonl"] = replies
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in contents.items():
                with atomic_file(folder / name) as part:
                    part.write_text(text, encoding="utf-8")
        except OSError as exc:
            raise UserError(f"{folder} cannot be written: {exc.strerror}.", hint=write_hint(exc)) from exc
        return tuple(folder / name for name in contents)

    return Job("Saving the report", work)


def _report(tables: ExperimentTables) -> str:
    stored = tables.stored
    question = f"{tables.experiment.question}\n\n" if tables.experiment.question else ""
    refused = "".join(f"- Not computed: {problem}\n" for problem in tables.refused)
    done = f"{stored.finished:,} of {stored.cells:,} cells are computed, with {stored.program}.\n"
    return f"# {stored.name}\n\n{question}{done}{refused}\n" + "\n".join(map(markdown, tables.tables))


def _cell_lines(stores: Stores, cells: list[StoredCell]) -> str:
    """A line of JSON for each cell, with what predicted it."""
    finished = stores.experiments.finished(cell.key for cell in cells)
    lines = []
    for cell in cells:
        info = stores.experiments.predictor_with_id(finished[cell.key]) if cell.key in finished else None
        data = {"key": cell.key, "system": cell.system, "train": cell.train, "test": cell.test, "seed": cell.seed}
        data |= {"problem": cell.problem, "finished": info is not None}
        if info is not None:
            data |= {"title": info.title, "device": info.device, "notes": info.notes, "versions": dict(info.versions)}
        lines.append(json.dumps(data, ensure_ascii=False, sort_keys=True) + "\n")
    return "".join(lines)

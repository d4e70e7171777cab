"""The text of an experiment's report, as Markdown: question, data, systems, tables, problems, and how it was made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from desktop.jobs.lab.experiments.report_figures import ReportFigure
from desktop.jobs.lab.experiments.results import ExperimentCells, ExperimentTables
from desktop.text import count, listed
from miner.lab.experiments.experiment_file import to_data
from miner.lab.experiments.table_captions import SIGNIFICANT
from miner.lab.experiments.table_text import format_view, signed
from miner.lab.experiments.table_values import TableView
from miner.libraries import np
from miner.text_tables import TableFormat, escape_markdown, markdown_table
from storage.models.predictions import PredictorInfo

_MOST_TESTS = 100  # of one table
_SIGNIFICANCE = (
    "Differences are in points. p is of a paired t-test over the runs with the same seeds; an interval is by bootstrap "
    f"over pairs. \\* marks p < {SIGNIFICANT}, or an interval without 0; no correction is made for their number.\n"
)
LEARNED = "Learned from "
"""How the note of a run begins that says what it learned from."""


def report_text(
    found: ExperimentCells,
    tables: ExperimentTables,
    predictors: Mapping[str, PredictorInfo],
    figures: Sequence[ReportFigure | None],
    confusions: Sequence[ReportFigure],
    maps: Sequence[ReportFigure],
    curves: Sequence[ReportFigure] = (),
) -> str:
    """The text of the report. figures: one for each table; all figures are linked as files beside the report."""
    stored = found.stored
    infos = {predictors[cell.key].digest: predictors[cell.key] for cell in found.cells if cell.key in predictors}
    parts = [f"# {escape_markdown(stored.name)}\n"]
    parts += [f"{escape_markdown(found.experiment.question)}\n"] if found.experiment.question else []
    parts.append(f"{stored.finished:,} of {count(stored.cells, 'cell')} are computed.\n")
    parts += [f"{escape_markdown(one.verdict)}\n" for one in tables.direction if one.verdict]
    parts += ["## Data\n", *_data(found, predictors)]
    parts += ["## Systems\n", *_systems(found, predictors)]
    parts.append("## Results\n")
    for view, figure in zip_longest(tables.tables, figures):
        parts.append(format_view(view, TableFormat.MARKDOWN))
        parts += [_image(figure)] if figure is not None else []
    if tested := list(filter(None, map(_significance, tables.tables))):
        parts += ["## Significance\n", _SIGNIFICANCE, *tested]
    if curves:
        parts += ["## Precision and recall\n", *map(_image, curves)]
    if maps:
        parts += ["## Data maps\n", *map(_image, maps)]
    if confusions:
        parts += ["## What is taken for what\n", *map(_image, confusions)]
    if problems := tables.problems:
        parts += ["## Not computed\n", "".join(f"- {escape_markdown(one)}\n" for one in problems)]
    parts += ["## How it was made\n", *_making(found, infos.values())]
    return "\n".join(parts)


def _data(found: ExperimentCells, predictors: Mapping[str, PredictorInfo]) -> Iterator[str]:
    names = found.experiment.class_names
    rows = []
    for name, part in found.parts.items():
        numbers = np.bincount(part.classes, minlength=len(names))
        rows.append([name, f"{len(part.classes):,}", *(f"{number:,}" for number in numbers)])
    yield markdown_table(["Test part", "pairs", *names], rows)
    learned: dict[str, None] = {}
    for cell in found.cells:
        if cell.train and cell.key in predictors:
            for note in predictors[cell.key].notes:
                if note.startswith(LEARNED):
                    learned[f"{cell.train}: {note[len(LEARNED) :]}"] = None
    if learned:
        yield "To learn from:\n"
        yield "".join(f"- {escape_markdown(one)}\n" for one in learned)


def _systems(found: ExperimentCells, predictors: Mapping[str, PredictorInfo]) -> Iterator[str]:
    settings = to_data(found.experiment)["system"]
    for number, system in enumerate(found.experiment.systems):
        given = [f"{name} {_value(value)}" for name, value in settings[number].items() if name != "name"]
        notes = dict.fromkeys(
            note
            for cell in found.cells
            if cell.system == number and cell.key in predictors
            for note in predictors[cell.key].notes
            if not note.startswith(LEARNED)
        )
        head = f"**{escape_markdown(system.title)}**: {escape_markdown('; '.join(given))}."
        yield f"- {' '.join([head, *map(escape_markdown, notes)])}\n"


def _value(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return ", ".join(map(_value, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} {_value(one)}" for name, one in value.items()) or "none"
    return json.dumps(value, ensure_ascii=False)


def _making(found: ExperimentCells, infos: Iterable[PredictorInfo]) -> Iterator[str]:
    listed_infos = list(infos)
    devices = list(dict.fromkeys(info.device for info in listed_infos if info.device))
    devices = [one for one in devices if not any(other.startswith(f"{one}, ") for other in devices)]
    versions = dict.fromkeys(
        ", ".join(f"{name} {version}" for name, version in sorted(info.versions.items())) for info in listed_infos
    )
    seeds = listed([str(seed) for seed in found.experiment.seeds])
    made = [f"Written by {found.stored.program}; seeds {seeds}."]
    made += [f"Computed on: {escape_markdown(listed(devices))}."] if devices else []
    made += [f"Versions: {escape_markdown(one)}." for one in versions if one]
    made.append("How long each run took is in runs.tsv, the cells are in cells.jsonl; recipe.toml makes it again.")
    yield "\n".join(f"- {one}" for one in made) + "\n"


def _image(figure: ReportFigure) -> str:
    return f"![{escape_markdown(figure.title)}]({figure.name}.svg)\n"


def _significance(view: TableView) -> str:
    """The significance tests between the rows of a table, a line for each difference; "" where none was made."""
    if not view.tests:
        return ""
    number, tested = sum(test.is_significant for test in view.tests), count(len(view.tests), "difference")
    head = f"**{escape_markdown(view.title)}**: {number:,} of {tested} significant.\n"
    names = ["Row", "against", "column", "difference", "p or interval of 95 %", "n"]
    rows = []
    for test in sorted(view.tests, key=lambda test: not test.is_significant)[:_MOST_TESTS]:
        if test.interval is not None:
            chance, n = f"{signed(test.interval[0])} to {signed(test.interval[1])}", "pairs"
        else:
            chance, n = f"p = {test.p:.3f}", count(test.runs, "seed")
        star = "*" if test.is_significant else ""
        rows.append([test.row, test.other, test.column, f"{signed(test.difference)}{star}", chance, n])
    left = len(view.tests) - _MOST_TESTS
    return f"{head}\n{markdown_table(names, rows, texts=3)}" + (f"\nAnd {left:,} more.\n" if left > 0 else "")

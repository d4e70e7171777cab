"""The jobs for probes: the mesh as files, and what exchanging the sentences does to a model."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from desktop.jobs.lab.experiments.probe_data import DOES_NOT_HOLD, HOLDS, read_mesh
from desktop.jobs.lab.experiments.run import run_experiment
from desktop.translation import tr
from miner.errors import UserError
from miner.lab.experiments.experiment import DataSet, Experiment, Part, SignificanceTest, Table
from miner.lab.experiments.system_kinds import ModelSystem, SystemInput
from miner.lab.probes.mesh import ProbePair
from miner.lab.probes.swap import SwapEffect, swap_effects
from miner.lab.probes.triples import ProbeGroup
from miner.libraries import np
from miner.progress import Job, Progress
from miner.splits import SPLITS
from storage.exchange.export_files import NewFile, locked_export_folder
from storage.exchange.listed_files import publish_listed
from storage.pairs.filters import PairFilter
from storage.project import Project

_TEST = "pairs"


@dataclass(frozen=True, slots=True)
class MeshFiles:
    """The pairs of a mesh. counts: pairs by split and group. files: the written files, in the order of the splits."""

    counts: Mapping[str, Mapping[ProbeGroup, int]]
    files: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class SwapReport:
    """The effects of exchanging the sentences, by class and last of all pairs.

    experiment: the number of the experiment that holds the predictions.
    """

    model: str
    experiment: int
    effects: tuple[SwapEffect, ...]


def make_mesh(project: Project, filter: PairFilter, folder: Path | None, seed: int = 1) -> Job[MeshFiles]:
    """Count the pairs of the project's mesh; with `folder`, also write a JSON lines file for each split.

    `UserError` with too few directed pairs, or where the folder cannot be written.
    """

    def work(progress: Progress) -> MeshFiles:
        pairs = read_mesh(project, filter, progress, seed=seed)
        counts = {split: Counter(pair.group for pair in pairs if pair.split == split) for split in SPLITS}
        files = () if folder is None else _write(folder, pairs)
        return MeshFiles(counts, files)

    return Job(tr("Making the mesh"), work)


def _write(folder: Path, pairs: list[ProbePair]) -> tuple[Path, ...]:
    with locked_export_folder(folder), ExitStack() as stack:
        files = [stack.enter_context(NewFile(folder, f"{split}.jsonl")) for split in SPLITS]
        for split, file in zip(SPLITS, files, strict=True):
            file.write_lines([_line(pair) for pair in pairs if pair.split == split])
        publish_listed(folder, "mesh", files)
    return tuple(folder / f"{split}.jsonl" for split in SPLITS)


def _line(pair: ProbePair) -> bytes:
    row = {
        "id": f"{pair.key}:{pair.group}",
        "sentence1": pair.premise,
        "sentence2": pair.hypothesis,
        "label": HOLDS if pair.holds else DOES_NOT_HOLD,
        "group": pair.group,
        "pair": pair.key,
        "paper_md5": pair.paper,
    }
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass")


def measure_swap(project: Project, model: str, device: str = "auto") -> Job[SwapReport]:
    """How far a model's predictions for the test split change when premise and hypothesis are exchanged.

    This runs as an experiment, so that predictions are computed once and kept. `UserError` without a test split or the
    model.
    """
    both, swapped = ModelSystem(tr("as they are"), model=model), ModelSystem("exchanged", SystemInput.SWAPPED, model)
    experiment = Experiment(
        tr("Exchanged sentences, {model}", model=model),
        {_TEST: DataSet(test=Part())},
        (both, swapped),
        seeds=(1,),
        tables=(Table(test=SignificanceTest.NONE),),
    )
    running = run_experiment(project, experiment, Path(), device)

    def work(progress: Progress) -> SwapReport:
        done = running.work(progress)
        if done.problems:
            raise UserError(done.problems[0])
        with project.read_transaction() as stores:
            cells = stores.experiments.cells(done.id)
            items = stores.test_parts.pairs(cells[0].part)
            packed = {cell.system: rows for cell, rows in stores.cell_predictions.packed(cells)}
        before, after = (
            np.frombuffer(b"".join(row or b"" for row in packed[system]), "<f4").reshape(len(items), -1)
            for system in (0, 1)
        )
        labels = np.array([item.label for item in items], np.int64)
        return SwapReport(model, done.id, tuple(swap_effects(before, after, labels, experiment.class_names)))

    return Job(tr("Exchanging sentences"), work, running.if_stopped)
